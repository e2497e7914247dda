from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from edukit.sphinxext.mathml import to_mathml
from tests.conftest import sphinx_build

CONF = 'extensions = ["edukit.sphinxext.mathml"]\nhtml_theme = "basic"\n'


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., tuple[str, str]]:
    def build(rst: str, *options: str, status: int = 0) -> tuple[str, str]:
        (tmp_path / "conf.py").write_text(CONF)
        (tmp_path / "index.rst").write_text(f"Title\n=====\n\n{rst}\n", encoding="utf-8")
        result = sphinx_build("-q", *options, "-b", "html", ".", "out", cwd=tmp_path)
        assert result.returncode == status, result.stderr
        return (tmp_path / "out/index.html").read_text(encoding="utf-8"), result.stderr

    return build


@pytest.mark.parametrize(
    "latex",
    [
        r"A(PX) = P A(X) P^\top",
        r"\frac{QK^\top}{\sqrt{d}} \le \left\lVert x \right\rVert",
        r"\operatorname{softmax}\left(\frac{a}{b}\right)_{ij}",
        r"\text{位置 } p \in \mathbb{R}^{n \times d}",
        r"\begin{cases} 1 & i \ge j \\ 0 & \text{else} \end{cases}",
        r"\begin{pmatrix} \cos\theta & -\sin\theta \\ \sin\theta & \cos\theta \end{pmatrix}",
        r'\text{<b> "quotes"}',
    ],
)
@pytest.mark.parametrize("block", [True, False])
def test_formulas_become_well_formed_mathml_that_holds_its_latex(latex: str, block: bool) -> None:
    root = ElementTree.fromstring(to_mathml(latex, block=block))
    assert root.tag == "math"
    assert (root.get("display") == "block") == block
    (annotation,) = root.iter("annotation")
    assert annotation.text == latex


def test_a_page_has_formulas_and_no_script_for_them(build: Callable[..., tuple[str, str]]) -> None:
    html, _ = build("Inline :math:`x^2 < 3`.\n\n.. math:: y = 1\n   :label: eq", "-W")
    assert html.count("<math") == 2
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in html
    assert "mathjax" not in html.lower()
    assert 'id="equation-eq"' in html
    assert '<span class="eqno">(1)' in html


def test_blocks_of_several_lines_and_outer_environments(build: Callable[..., tuple[str, str]]) -> None:
    html, _ = build(
        ".. math::\n\n   a &= b \\\\\n   c &= d\n\n.. math::\n\n   a = 1\n\n   b = 2\n\n"
        ".. math::\n   :no-wrap:\n\n   \\begin{align} a &= b \\\\ c &= d \\end{align}\n",
        "-W",
    )
    formulas = [ElementTree.fromstring(f"<math{part.partition('</math>')[0]}</math>")
                for part in html.split("<math")[1:]]  # fmt: skip
    assert [len(list(formula.iter("mtr"))) for formula in formulas] == [2, 2, 2]
    # Sphinx numbers equations; the environment must not do it a second time.
    assert "(1)" not in html


@pytest.mark.parametrize("latex", [r"\frac{a", r"a_{1", r"\nosuchcommand x", r"\left( x"])
def test_a_broken_formula_is_an_error_at_its_line(
    build: Callable[..., tuple[str, str]], latex: str
) -> None:
    _, errors = build(f"One line.\n\nAnd :math:`{latex}`.", "-W", status=1)
    (line,) = errors.splitlines()
    assert "index.rst:6: ERROR: this formula cannot be read: " in line
    assert latex in line
