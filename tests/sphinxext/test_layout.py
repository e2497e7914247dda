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


def test_a_picture_without_a_description_is_an_error_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text('extensions = ["edukit.sphinxext.layout"]\nhtml_theme = "basic"\n')
    (tmp_path / "dot.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    page = "Title\n=====\n\n.. image:: dot.svg\n   :alt: A dot.\n\n.. image:: dot.svg\n   :alt:\n\n"
    (tmp_path / "index.rst").write_text(page)
    assert sphinx_build("-W", ".", "_build", cwd=tmp_path).returncode == 0
    (tmp_path / "index.rst").write_text(f"{page}.. figure:: dot.svg\n\n   Its caption.\n")
    result = sphinx_build("-W", ".", "_build", cwd=tmp_path)
    assert result.returncode == 1
    assert "index.rst:10: ERROR: the picture dot.svg has no description" in result.stderr
