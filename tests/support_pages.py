"""The tools in the browser, built for tests from tools/web into build/web."""

import functools
import os
import shutil
import subprocess

from support_cuttle import LIMIT, ROOT

SOURCES = os.path.join(ROOT, "tools", "web")


@functools.cache
def missing():
    """Brings the pages up to date. Returns why there are no pages, or None."""
    if os.environ.get("CUTTLE_NO_NPM"):
        return "CUTTLE_NO_NPM is set"
    if not shutil.which("npm") or not shutil.which("node"):
        return "npm and node are not installed"
    done = subprocess.run([os.path.join(SOURCES, "build.sh")], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=LIMIT)
    if done.returncode == 0:
        return None
    log = os.path.join(ROOT, "build", "web.log")
    with open(log, errors="replace") as file:
        text = file.read()
    if "esbuild" in done.stderr:  # an error of ours, not of the machine
        raise AssertionError(f"{done.stderr}\n{text}")
    return f"{done.stderr}\n{text[-1000:]}"
