"""`cuttle debug` through @vscode/debugadapter-testsupport, the client that adapters of VS Code are tested with:
tests/dap/scenarios.js. Its packages are installed into the build folder."""

import fcntl
import os
import shutil
import subprocess
import unittest

from support_cuttle import BUILD, CUTTLE, LIMIT, ROOT, TemporaryFolder, read, write
from test_debug_adapter import GAME

SOURCES = os.path.join(ROOT, "tests", "dap")


def install(folder, sources=SOURCES):
    """Brings the packages of `sources` up to date. Returns why there are none, or None."""
    if os.environ.get("CUTTLE_NO_NPM"):
        return "CUTTLE_NO_NPM is set"
    if not shutil.which("npm") or not shutil.which("node"):
        return "npm and node are not installed"
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = read(os.path.join(sources, "package-lock.json"))
        done = os.path.join(folder, "installed")
        if os.path.exists(done) and read(done) == wanted:
            return None
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(os.path.join(sources, name), folder)
        npm = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder,
                             capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=LIMIT)
        if npm.returncode != 0:
            return f"npm could not install the packages:\n{npm.stderr[-1000:]}"
        write(done, wanted)
    return None


class Scenarios(TemporaryFolder):
    def test_scenarios(self):
        folder = os.path.join(BUILD, "dap_npm")
        reason = install(folder)
        if reason:
            self.skipTest(reason)
        shutil.copy(os.path.join(SOURCES, "scenarios.js"), folder)
        project = self.compiled_project()
        write(os.path.join(project, "scripts", "main.lua"), GAME)
        done = subprocess.run(["node", os.path.join(folder, "scenarios.js"), CUTTLE, os.path.realpath(project)],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=LIMIT)
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreaterEqual(done.stdout.count("passed: "), 10)


if __name__ == "__main__":
    unittest.main()
