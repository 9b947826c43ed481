"""What the tests of the whole program share: running cuttle, temporary projects, a console client."""

import fcntl
import functools
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.environ.get("CUTTLE_SOURCE") or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CUTTLE = os.environ.get("CUTTLE") or os.path.join(ROOT, "build", "dev", "cuttle")
BUILD = os.path.abspath(os.environ.get("CUTTLE_BUILD_DIR") or os.path.dirname(CUTTLE))
IS_LONG = bool(os.environ.get("CUTTLE_TEST_LONG"))
IS_SANITIZED = os.path.basename(BUILD) in ("asan", "tsan")  # the names of presets
# Sanitizer and unoptimised builds are slow on a CPU driver: generous limits, no timing asserted.
LIMIT = 240

sys.path.insert(0, os.path.join(ROOT, "tools"))
import cuttle_nodes  # noqa: E402


def leave_home():
    """Takes folders below the build's in place of the user's, as ctest does, for tests run by hand."""
    if not os.environ.get("HOME", "").startswith(BUILD + os.sep):
        home = os.path.join(BUILD, "home")
        os.environ["XDG_CACHE_HOME"] = os.path.join(home, "cache")
        for name in ("config", "data", "state"):
            os.environ[f"XDG_{name.upper()}_HOME"] = os.path.join(home, "by_hand", name)
        os.environ["HOME"] = os.path.join(home, "by_hand")
        os.makedirs(os.environ["HOME"], exist_ok=True)


leave_home()


def rounds(part, full):
    """The number of rounds of a campaign: a slice, or the full count under ./test --long."""
    return full if IS_LONG else part


def cuttle(*arguments, cwd=None, check=None, timeout=LIMIT, env=None):
    """Runs cuttle to its end; `check` is the exit status it must have."""
    done = subprocess.run([CUTTLE, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
                          timeout=timeout, env={**os.environ, **(env or {})},
                          stdin=subprocess.DEVNULL, errors="replace")
    if check is not None and done.returncode != check:
        raise AssertionError(f"cuttle {' '.join(map(str, arguments))}: exit {done.returncode}, "
                             f"expected {check}\n{done.stdout}\n{done.stderr}")
    return done


def last_json(text):
    """The object on the last line of standard output."""
    return json.loads(text.strip().splitlines()[-1])


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb" if isinstance(text, bytes) else "w") as file:
        file.write(text)


def read(path, mode="r"):
    with open(path, mode) as file:
        return file.read()


def read_gone(path):
    """The text of a file of a process, "" once that process or thread has ended."""
    try:
        return read(path)
    except OSError:
        return ""


def children_of(pid):
    """{process id: name} of a process's children, started by whichever of its threads."""
    found = {}
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        for child in read_gone(path).split():
            found[int(child)] = read_gone(f"/proc/{child}/comm").strip()
    return found


def folder_bytes(folder):
    """{path: bytes} of every file below a folder, but for what is no data in a data folder."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in set(names) - {".stat_cache", ".lock"}:
            path = os.path.join(place, name)
            found[os.path.relpath(path, folder)] = read(path, "rb")
    return found


OWN_RENDER_CONFIG = """
inherit = "core/rendering/renderer"
settings = { own = 0.25 }
resource_generators = {
    output = {
        replace = {
            tonemap = [
                { type = "fullscreen_pass"  shader = "rendering/own"  material = "rendering/own"
                  inputs = ["hdr"]  targets = ["back_buffer"] }
            ]
        }
    }
}
"""


def use_own_render_config(project):
    """Gives a project a render config with a shader, a material and the setting `own`, 0.25."""
    write(os.path.join(project, "rendering", "own.shader"),
          read(os.path.join(ROOT, "core", "shaders", "tonemap.shader")))
    write(os.path.join(project, "rendering", "own.material"), 'shader = "rendering/own"\n')
    write(os.path.join(project, "rendering", "own.render_config"), OWN_RENDER_CONFIG)
    with open(os.path.join(project, "settings.config"), "a") as file:
        file.write('render_config = "rendering/own"\n')


def data_folder(project):
    return os.path.join(project, ".cuttle", "data", "linux")


def sources(project):
    return {path: data for path, data in folder_bytes(project).items()
            if not path.startswith(".cuttle" + os.sep)}


@functools.cache
def compiled_template():
    """A new project with its data. It lies in the build folder, for the tests of all processes; the
    compiler brings it up to date, as it would anybody's."""
    project = os.path.join(BUILD, "template", "game")
    os.makedirs(os.path.dirname(project), exist_ok=True)
    with open(project + ".lock", "w") as lock, tempfile.TemporaryDirectory() as folder:
        fcntl.flock(lock, fcntl.LOCK_EX)
        new = os.path.join(folder, "game")
        cuttle("new", new, check=0)
        if sources(new) != sources(project):
            shutil.rmtree(project, True)
            shutil.copytree(new, project)
        cuttle("compile", project, check=0)
    return project


class TemporaryFolder(unittest.TestCase):
    """A test with `self.folder`, gone afterwards."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="cuttle-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def new_project(self, name="game"):
        project = self.path(name)
        cuttle("new", project, check=0)
        return project

    def compiled_project(self, name="game"):
        """A new project whose data is there: for tests that are not about compiling."""
        project = self.path(name)
        shutil.copytree(compiled_template(), project)
        return project

    def add_core_data(self, project):
        """Gives a project the compiled core, so that compiling it takes its own sources only."""
        shutil.copytree(os.path.join(compiled_template(), ".cuttle"),
                        os.path.join(project, ".cuttle"))

    def copy_sample(self, name="crates", with_core_data=True):
        project = self.path(name)
        shutil.copytree(os.path.join(ROOT, "samples", name), project,
                        ignore=shutil.ignore_patterns(".cuttle"))
        # A test may play for minutes in one call, and sanitizers and a busy machine make it slow.
        settings = os.path.join(project, "settings.config")
        text = read(settings)
        limit = "lua = { time_limit_seconds = 300"
        write(settings, text.replace("lua = {", limit) if "lua = {" in text else f"{text}{limit} }}\n")
        if with_core_data:
            self.add_core_data(project)
        return project


class Console(cuttle_nodes.Console):
    """The library's client, with the limits of the tests."""

    def __init__(self, port, timeout=LIMIT):
        super().__init__(port, timeout=timeout)


class Game:
    """`cuttle run` in the background, with a console connection; ends with the `with` block. Without
    a window and a size it draws small pictures, which a CPU driver draws fast."""

    def __init__(self, project, *arguments, headless=True, env=None):
        small = ["--size", "160x90"] if headless and "--size" not in arguments else []
        command = [CUTTLE, "run", project, *(["--headless"] if headless else []), *small,
                   *map(str, arguments)]
        self.log_path = os.path.join(tempfile.mkdtemp(prefix="cuttle-log-"), "log")
        self.log_file = open(self.log_path, "w")
        self.process = subprocess.Popen(command, stdout=self.log_file, stderr=self.log_file,
                                        stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})})
        self.console = None

    def log(self):
        with open(self.log_path, errors="replace") as file:
            return file.read()

    def __enter__(self):
        start = time.monotonic()
        while not (found := re.search(r"listening on 127\.0\.0\.1:(\d+)\D", self.log())):
            if self.process.poll() is not None or time.monotonic() - start > LIMIT:
                self.__exit__(None, None, None)
                raise AssertionError("the game did not start:\n" + self.log())
            time.sleep(0.01)
        self.port = int(found[1])
        self.console = Console(self.port)
        return self

    def __exit__(self, kind, value, trace):
        if kind is not None:
            sys.stderr.write("--- the game's log\n" + self.log())
        if self.console:
            self.console.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.log_file.close()
        shutil.rmtree(os.path.dirname(self.log_path), True)

    def quit(self):
        """Asks the game to end; returns its exit status."""
        self.console.send(type="command", command="quit")
        return self.process.wait(timeout=LIMIT)
