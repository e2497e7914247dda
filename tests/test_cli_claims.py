"""``edukit claims``: run the examples, print the ledger, and tell by the exit status how it stands."""

import json

import pytest

from edukit import cli


@pytest.fixture
def site(copy_site, monkeypatch):
    site = copy_site("claims")
    monkeypatch.chdir(site)
    return site


def test_the_ledger_in_a_terminal(site, capsys):
    assert cli.main(["claims"]) == 0
    text = capsys.readouterr().out
    assert text.splitlines()[:2] == [
        "✓ § 2.1  FALSE  (docs/index.md:6)",
        "    Trees are smaller than children.",
    ]
    assert "They are taller: 7 m in our garden." in text
    assert "    tree-height = 7.25 m  (expected > 1.28)" in text
    assert text.splitlines()[-1] == "4 claims, 4 stand, 0 do not."


def test_a_section_in_another_language(site, capsys):
    assert cli.main(["claims", "--section", "2", "--language", "zh_CN"]) == 0
    text = capsys.readouterr().out
    assert "    原子没有宽度。" in text
    assert "2 claims" in text
    assert "hair" not in text


def test_a_claim_that_lost_its_ground_is_told(site, capsys):
    script = site / "examples" / "plot_heights.py"
    script.write_text(script.read_text().replace("7.25, above", "1.25, above"))
    assert cli.main(["claims"]) == 1
    text = capsys.readouterr().out
    assert "✗ § 2.1  FALSE" in text
    assert "✗ tree-height is 1.25 m, expected > 1.28" in text
    assert "4 claims, 3 stand, 1 do not." in text


def test_an_unknown_measurement_and_a_script_that_fails_are_told(site, capsys):
    script = site / "examples" / "plot_heights.py"
    script.write_text(script.read_text().replace("# %%", "raise RuntimeError('broken')\n# %%"))
    assert cli.main(["claims", "--json"]) == 1
    ledger = json.loads(capsys.readouterr().out)
    assert ledger["errors"] == ["examples/plot_heights.py: RuntimeError: broken"]
    hair = next(row for row in ledger["claims"] if row["section"] == "10")
    assert hair["problems"] == ["no example measures 'hair-width'"]
    tree = ledger["claims"][0]
    assert tree["measured"]["tree-height"] == {"value": 7.25, "expected": "> 1.28", "unit": "m"}
    assert tree["problems"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--docs", "nowhere"], "there is no folder nowhere"),
        (["--examples", "nowhere"], "there is no folder nowhere"),
        (["--section", "99"], "no page in docs has a claim in section 99"),
    ],
)
def test_wrong_use(site, capsys, arguments, message):
    assert cli.main(["claims", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_broken_claim_is_wrong_use_with_its_place(site, capsys):
    (site / "docs" / "broken.md").write_text("# B\n\n```{claim} 1\n:verdict: maybe\n\nx\n```\n")
    assert cli.main(["claims"]) == 2
    error = capsys.readouterr().err
    assert "docs/broken.md:3: the verdict of a claim is" in error
