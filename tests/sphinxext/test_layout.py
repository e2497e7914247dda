from pathlib import Path

from tests.conftest import sphinx_build


def test_the_usual_mistake_is_answered_with_the_right_command(tmp_path: Path) -> None:
    site = tmp_path / "a site"
    (site / "docs").mkdir(parents=True)
    (site / "conf.py").write_text('extensions = ["edukit.sphinxext.layout"]\nhtml_theme = "basic"\n')
    (site / "docs/index.rst").write_text("Title\n=====\n")
    result = sphinx_build(".", "_build/html", cwd=site)
    assert result.returncode == 2
    assert "sphinx-build -c . docs _build/html\n" in result.stderr
    assert "Traceback" not in result.stderr
    assert sphinx_build("-W", "-c", ".", "docs", "_build/html", cwd=site).returncode == 0
    # From elsewhere the command names the folders from there.
    result = sphinx_build("a site", "out", cwd=tmp_path)
    assert 'sphinx-build -c "a site" "a site/docs" out\n' in result.stderr
    # A site whose pages do lie beside conf.py is none of this extension's business.
    (site / "index.rst").write_text("Title\n=====\n")
    result = sphinx_build(".", "_build/other", cwd=site)
    assert result.returncode == 0
