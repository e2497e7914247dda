"""What the package promises as a whole."""

import subprocess
import sys
import types

import edukit.posenc

PROBE = """
import sys, numpy
before = set(sys.modules)
import edukit.posenc
print(*sorted(set(sys.modules) - before), sep="\\n")
"""


def test_import_brings_numpy_and_nothing_else():
    loaded = subprocess.run(
        [sys.executable, "-c", PROBE], check=True, capture_output=True, text=True, encoding="utf-8"
    ).stdout.split()
    assert "edukit.posenc" in loaded
    foreign = [
        name
        for name in loaded
        if name.partition(".")[0] not in {"edukit", "numpy", *sys.stdlib_module_names}
    ]
    assert not foreign
    ours = {name for name in loaded if name.startswith("edukit")}
    assert all(name == "edukit" or name.startswith("edukit.posenc") for name in ours)


LATER = """
import sys
import edukit.posenc as posenc
assert "edukit.posenc._transformer" not in sys.modules
assert set(posenc.__all__) <= set(dir(posenc))
missing = [name for name in posenc.__all__ if getattr(posenc, name, None) is None]
assert not missing, missing
from edukit.posenc import YaRN, identify
try:
    posenc.nothing
except AttributeError as error:
    assert str(error) == "module 'edukit.posenc' has no attribute 'nothing'"
else:
    raise AssertionError
"""


def test_every_name_is_there_and_much_of_it_is_loaded_later():
    subprocess.run([sys.executable, "-c", LATER], check=True)


def test_every_public_function_says_what_it_needs_and_where_it_comes_from():
    for name in edukit.posenc.__all__:
        thing = getattr(edukit.posenc, name)
        if not isinstance(thing, types.FunctionType):
            continue
        text = thing.__doc__ or ""
        for section in ("Parameters", "Returns", "Raises", "References", "Examples"):
            assert f"\n    {section}\n    -----" in text, f"{name}: {section}"
        assert "arxiv.org/abs/" in text, name
