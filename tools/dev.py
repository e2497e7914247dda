"""Set up ``.venv`` and run one of the project's tasks in it: ``python tools/dev.py TASK``.

``make`` and ``make.bat`` both call this file, so that a task is written down once and works on every
system. It needs nothing but Python's standard library. An old Python may be the one that starts it,
hence the plain syntax: the first thing it does is to look for a newer one.
"""

import contextlib
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
STAMP = os.path.join(VENV, "edukit-setup.json")
OLDEST = (3, 11)
NEWER = ["python3.13", "python3.12", "python3.11", "python3", "python"]
DOCS = os.path.join(ROOT, "docs")
HTML = os.path.join(ROOT, "_build", "html")

TASKS = {
    "html": "build the site in both languages into _build/html",
    "test": "lint, check types, run every test, build the site strictly and try it in a browser",
    "serve": "build the site, show it on a local address, and build again on every change",
    "catalogs": "bring docs/locale up to date with the pages after you edited them",
    "linkcheck": "try every link that leads out of the site",
    "format": "put the code into the project's form",
    "lock": "resolve the dependencies anew into requirements/ (needs uv)",
    "clean": "remove what the build has made (the environment in .venv stays)",
}


def say(text):
    print(text, flush=True)


def stop(text):
    sys.stderr.write(text.rstrip() + "\n")
    sys.exit(2)


# -- the environment ---------------------------------------------------------------------------------


def newer_python():
    """Start this file again with a Python that is new enough, if there is one."""
    for name in NEWER:
        path = shutil.which(name)
        if not path:
            continue
        # A launcher (pyenv's, the Windows store's) may exist and still refuse to run.
        test = "import sys; sys.exit(sys.version_info[:2] < %r)" % (OLDEST,)
        try:
            fits = subprocess.call([path, "-c", test], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError:
            continue
        if fits == 0:
            sys.exit(subprocess.call([path, os.path.abspath(__file__)] + sys.argv[1:]))
    stop(
        "edukit needs Python 3.11 or newer; this is Python %s and no newer one was found.\n"
        "Install it from your system's packages or from python.org, then run the command again."
        % sys.version.split()[0]
    )


def venv_python():
    if os.name == "nt":
        return os.path.join(VENV, "Scripts", "python.exe")
    return os.path.join(VENV, "bin", "python")


def environment():
    """Return the variables for every command that runs in the project's environment."""
    env = dict(os.environ)
    env.pop("PYTHONHOME", None)
    env["VIRTUAL_ENV"] = VENV
    env["PATH"] = os.path.dirname(venv_python()) + os.pathsep + env.get("PATH", "")
    # pip's own configuration (mirrors, proxies, certificates) holds; these two would break it here.
    env["PIP_USER"] = "false"
    env["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    # Paths and pages may be Chinese, whatever the terminal is set to.
    env["PYTHONUTF8"] = "1"
    return env


def requirement_files(level):
    name = "site.txt" if level == "site" else "dev.txt"
    return os.path.join(ROOT, "requirements", name)


def wanted(level):
    """Return a digest of what is asked for; a difference to the stamp sets the environment up again."""
    digest = hashlib.sha256()
    for path in [requirement_files(level), os.path.join(ROOT, "pyproject.toml")]:
        with open(path, "rb") as file:
            digest.update(file.read().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def stamp():
    try:
        with open(STAMP, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def works(python):
    try:
        test = "import pip, sphinx, edukit"
        return subprocess.call([python, "-c", test], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def create_venv():
    if os.path.isdir(VENV):
        shutil.rmtree(VENV)
    say("Making a Python environment in .venv ...")
    if subprocess.call([sys.executable, "-m", "venv", VENV], stderr=subprocess.DEVNULL) == 0:
        return
    # Debian ships Python without ensurepip; a pip outside may still fill the environment.
    shutil.rmtree(VENV, ignore_errors=True)
    made = subprocess.call([sys.executable, "-m", "venv", "--without-pip", VENV])
    pip = [sys.executable, "-m", "pip", "--python", VENV, "install", "--quiet", "pip"]
    if made == 0 and subprocess.call(pip, stderr=subprocess.DEVNULL) == 0:
        return
    shutil.rmtree(VENV, ignore_errors=True)
    stop(
        "This Python (%s) cannot make environments: its venv module is incomplete.\n"
        "On Debian and Ubuntu: sudo apt install python3-venv\n"
        "Then run the command again." % sys.executable
    )


def pip_install(arguments, title, total=None):
    """Run pip and show one short line for each package; the whole output when it fails."""
    command = [venv_python(), "-m", "pip", "install", "--progress-bar", "off"] + arguments
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    output, count = [], 0
    for line in process.stdout:
        output.append(line)
        if line.startswith("Collecting ") and total:
            count += 1
            package = line.split()[1].split("==")[0]
            say("  %s %d/%d %s" % (title, count, total, package))
        elif line.startswith("Installing collected"):
            say("  unpacking ...")
        elif "Retrying" in line or "WARNING: Retry" in line:
            say("  the connection is slow, trying again ...")
    if process.wait() != 0:
        say("".join(output[-40:]))
        stop(
            "The packages could not be installed; pip says why above.\n"
            "No network, or a slow one? A mirror near you can be set once with\n"
            "    %s -m pip config set global.index-url ADDRESS-OF-THE-MIRROR\n"
            "and the command run again: what was fetched is kept." % os.path.relpath(venv_python(), ROOT)
        )


def link_relatively():
    """Let the editable install point to src by a relative path.

    Python reads the file in the terminal's encoding; with a Chinese path in it and a plain C locale, no
    Python in this environment would start.
    """
    places = os.path.join("lib", "python*", "site-packages"), os.path.join("Lib", "site-packages")
    for place in places:
        for path in glob.glob(os.path.join(glob.escape(VENV), place, "*sphinx_edukit*.pth")):
            with open(path, "w", encoding="ascii") as file:
                file.write(os.path.relpath(os.path.join(ROOT, "src"), os.path.dirname(path)) + "\n")


def count_requirements(path):
    with open(path, encoding="utf-8") as file:
        return sum(1 for line in file if line[:1].isalnum())


def set_up(level):
    """Make ``.venv`` hold what the level (``site`` or ``dev``) needs; quick when it does already."""
    if not usable() or stamp().get(level) != wanted(level):
        with alone():
            fill(level)


def usable():
    """Tell whether the environment was made in this place and still runs."""
    return stamp().get("root") == ROOT and works(venv_python())


@contextlib.contextmanager
def alone():
    """Let one command at a time set the environment up; a second one waits and then finds it ready."""
    if os.name == "nt":
        yield
        return
    import fcntl

    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Another command is setting up .venv: waiting for it ...")
        fcntl.flock(folder, fcntl.LOCK_EX)
    except OSError:
        pass  # a file system without locks
    try:
        yield
    finally:
        os.close(folder)


def fill(level):
    started = time.time()
    if not usable():
        create_venv()
    before = stamp()
    if before.get(level) == wanted(level):
        return  # another command has done it while this one waited
    lock = requirement_files(level)
    say("Installing what the %s needs (first time only) ..." % ("site" if level == "site" else "tests"))
    if os.path.exists(STAMP):
        os.remove(STAMP)
    pip_install(["--require-hashes", "-r", lock], "fetching", count_requirements(lock))
    if level == "site" and not shutil.which("npm"):
        fetch_node()
    # The build backend comes from the lock too, so nothing is fetched without its hash.
    pip_install(["--no-build-isolation", "--no-deps", "--editable", "."], "linking")
    link_relatively()
    after = {"root": ROOT, "site": wanted("site"), level: wanted(level)}
    if level == "site" and "dev" in before:
        after["dev"] = before["dev"]
    with open(STAMP, "w", encoding="utf-8") as file:
        json.dump(after, file)
    say("The environment is ready (%.0f s)." % (time.time() - started))


def fetch_node():
    """Get Node.js as a Python package: the build fetches the player for web pages with it.

    It is large and the site is whole without it, so a failure is told and not the end.
    """
    lock = os.path.join(ROOT, "requirements", "node.txt")
    say("  fetching Node.js, for the play button of Scratch projects ...")
    command = [venv_python(), "-m", "pip", "install", "--quiet", "--require-hashes", "-r", lock]
    if subprocess.call(command, cwd=ROOT, env=environment()) != 0:
        say("  Node.js could not be fetched: Scratch projects on the pages get no play button.")


# -- the tasks ---------------------------------------------------------------------------------------


def run(*command, **options):
    return subprocess.call([venv_python(), "-m"] + list(command), cwd=ROOT, env=environment(), **options)


def sphinx(builder, output, *options):
    return run("sphinx", "-c", ROOT, "-b", builder, *(list(options) + [DOCS, output]))


def task_html(arguments):
    set_up("site")
    status = sphinx("html", HTML, *arguments)
    if status == 0:
        say("\nThe site is built. Open _build/html/index.html in a browser.")
    return status


def task_test(arguments):
    set_up("dev")
    steps = [
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("mypy", "src"),
        # In the order of tests/conftest.py: files that take long have few tests, and would come last.
        ("pytest", "-n", "auto", "--maxprocesses", "4", "--dist", "loadfile", "--no-loadscope-reorder")
        + tuple(arguments),
    ]
    failed = []
    for step in steps:
        say("\n== %s" % " ".join(step))
        if run(*step) != 0:
            failed.append(" ".join(step[:2]))
    if failed:
        say("\nFailed: %s" % ", ".join(failed))
    return 1 if failed else 0


def task_serve(arguments):
    set_up("dev")
    # What the build itself writes below docs/ must not start the next build.
    ignored = [r"auto_examples", r"\.mo$", r"sg_execution_times", r"_build", r"__pycache__"]
    options = [part for pattern in ignored for part in ("--re-ignore", pattern)]
    for folder in ["src", "examples"]:
        options += ["--watch", os.path.join(ROOT, folder)]
    options += ["--watch", os.path.join(ROOT, "conf.py"), "-c", ROOT]
    try:
        return run("sphinx_autobuild", *(options + arguments + [DOCS, HTML]))
    except KeyboardInterrupt:
        return 0


def task_catalogs(arguments):
    set_up("site")
    return run("edukit", "translate", "update", *arguments)


def task_linkcheck(arguments):
    set_up("site")
    return sphinx("linkcheck", os.path.join(ROOT, "_build", "linkcheck"), *arguments)


def task_format(arguments):
    set_up("dev")
    return run("ruff", "check", "--fix", ".") or run("ruff", "format", ".")


def task_lock(arguments):
    uv = shutil.which("uv")
    if not uv:
        stop("The lock is made by uv: install it (pipx install uv), then run the command again.")
    common = [uv, "pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.11"]
    common += ["--generate-hashes", "--fork-strategy", "fewest", "--quiet"]
    common += ["--custom-compile-command", "make lock"]
    whole = common + ["--extra", "site", "--group", "build", "--group", "pinned"]
    small = [uv, "pip", "compile", "--group", "node"] + common[4:]
    constrained = ["-c", "requirements/dev.txt"]
    for level, command in [
        ("site", whole),
        ("dev", whole + ["--group", "dev", "-c", "requirements/site.txt"]),
        ("node", small + constrained),
    ]:
        lock = os.path.join("requirements", level + ".txt")
        status = subprocess.call(command + ["-o", lock] + arguments, cwd=ROOT)
        if status:
            return status
    return 0


def task_clean(arguments):
    for name in ["_build", os.path.join("docs", "auto_examples"), ".cache", ".mypy_cache"]:
        shutil.rmtree(os.path.join(ROOT, name), ignore_errors=True)
    for name in [".pytest_cache", ".ruff_cache", ".hypothesis"]:
        shutil.rmtree(os.path.join(ROOT, name), ignore_errors=True)
    for folder, _, files in os.walk(os.path.join(ROOT, "docs", "locale")):
        for name in files:
            if name.endswith(".mo"):
                os.remove(os.path.join(folder, name))
    return 0


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in TASKS:
        say("usage: make TASK, where TASK is one of\n")
        for name in TASKS:
            say("  %-10s %s" % (name, TASKS[name]))
        return 0 if sys.argv[1:] in ([], ["help"]) else 2
    if sys.version_info[:2] < OLDEST:
        newer_python()
    try:
        return globals()["task_" + sys.argv[1]](sys.argv[2:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
