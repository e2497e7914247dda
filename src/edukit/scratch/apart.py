"""Run a program apart from everything: little time, little memory, no network, no file to write."""

import contextlib
import functools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a program printed, what it complained of, and how it ended.

    ``status`` is None where it was broken off because its time was over.
    """

    out: str
    complaint: str
    status: int | None


def run_apart(command: list[str], given: str, timeout: float) -> Outcome:
    """Run a program in a process group of its own.

    Parameters
    ----------
    command
        The program and its arguments.
    given
        What it reads from its standard input.
    timeout
        Seconds by the clock; then it is ended with all that it started.
    """
    # Nothing of the teacher's environment is any business of a pupil's project.
    kept = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LANG")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    # The hour of the day is part of the result, and the result is the same everywhere.
    environment["TZ"] = "UTC"
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.Popen(
            [*_without_network(), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            env=environment,
            cwd=folder,
            start_new_session=os.name != "nt",
        )
        _limit(child.pid, timeout)
        try:
            out, complaint = child.communicate(given, timeout=timeout)
        except subprocess.TimeoutExpired:
            _kill(child)
            out, complaint = child.communicate()
            return Outcome(out, complaint, None)
        except BaseException:
            _kill(child)
            raise
    return Outcome(out, complaint, child.returncode)


def _kill(child: "subprocess.Popen[str]") -> None:
    if os.name == "nt":
        child.kill()
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)


def _limit(process: int, seconds: float) -> None:
    """Let a process use so much of the processor, write no file and leave no dump, where the system can."""
    if sys.platform == "linux":
        import resource

        limits = {resource.RLIMIT_CPU: int(seconds) + 1, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_CORE: 0}
        for what, most in limits.items():
            with contextlib.suppress(OSError, ValueError):
                resource.prlimit(process, what, (most, most))


@functools.cache
def _without_network() -> tuple[str, ...]:
    """Return the command that takes the network away from what it runs, where the system lets it."""
    unshare = shutil.which("unshare") if sys.platform == "linux" else None
    if unshare is None:
        return ()
    command = (unshare, "--map-root-user", "--net")
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        tried = subprocess.run([*command, "true"], capture_output=True, timeout=10, check=False)
        if tried.returncode == 0:
            return command
    return ()
