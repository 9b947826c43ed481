"""cuttle-player as it ships: it plays compiled data from a read-only folder as an ordinary user, the
same as `cuttle run` shows it; it listens to nobody, tells nothing of its sources, and its crashes
are told in short."""

import glob
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from support_cuttle import (BUILD, CUTTLE, LIMIT, ROOT, children_of, cuttle, folder_bytes, read,
                            write)
from support_png import is_same, read_png

PLAYER = os.path.join(BUILD, "cuttle-player")
NOBODY = 65534
STEP = "0.0166666667"

# What the tests ask of the game, after its own init.
QUESTIONS = """
local own_init = init
function init()
    own_init()
    print("arguments", table.concat({ Application.argv() }, "|"))
    print("build", Application.build(), Application.console_port and Application.console_port() or 0)
    print("project <" .. FileSystem.project_path() .. ">")
    for _, argument in ipairs { Application.argv() } do
        if argument == "--quit" then
            Application.quit(7)
        elseif argument == "--save" then
            Application.set_user_setting("volume", 0.5)
            Application.save_user_settings()
        end
    end
    local world = Application.new_world()
    local level = World.load_level(world, "levels/scripted")
    print("level script", Level.script(level), require(Level.script(level)).greeting)
    Application.release_world(world)
    print("playing")
end
"""


def compile_crates(folder):
    """Compiles a copy of the sample that asks QUESTIONS; returns the project."""
    project = os.path.join(folder, "crates")
    shutil.copytree(os.path.join(ROOT, "samples", "crates"), project,
                    ignore=shutil.ignore_patterns(".cuttle"))
    script = os.path.join(project, "scripts", "main.lua")
    write(script, read(script) + QUESTIONS)
    write(os.path.join(project, "levels", "scripted.level"), 'script = "levels/scripted"')
    write(os.path.join(project, "levels", "scripted.lua"), 'return { greeting = "from the level" }')
    cuttle("compile", project, check=0)
    return project


def links_of_open_files(pid):
    """What a process's descriptors lead to; it may open and close some meanwhile."""
    found = []
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            found.append(os.readlink(f"/proc/{pid}/fd/{name}"))
        except FileNotFoundError:
            pass
    return found


def strings_of(path):
    """As strings(1): every run of four printable characters or more."""
    return [text.decode() for text in re.findall(rb"[\x20-\x7e\t]{4,}", read(path, "rb"))]


def source_paths_in(strings):
    """The strings that name a file or folder of our sources, or the build folder."""
    sources = glob.glob(os.path.join(ROOT, "src", "**", "*.[ch]"), recursive=True)
    names = [os.path.basename(path) for path in sources]
    assert len(names) > 300, "the sources are not where they are expected"
    pattern = re.compile("|".join(
        [re.escape(ROOT), re.escape(BUILD), r"\bsrc/", r"\.\./[a-z]{2}",
         r"\b(?:" + "|".join(map(re.escape, names)) + r")(?![a-z0-9_])"]))
    return [text for text in strings if pattern.search(text)]


class Player(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp(prefix="cuttle-player-")
        cls.addClassCleanup(shutil.rmtree, cls.top, True)
        os.chmod(cls.top, 0o755)
        project = compile_crates(cls.top)
        picture = os.path.join(cls.top, "expected.png")
        cuttle("run", project, "--no-compile", "--headless", "--frames", 5, "--fixed-dt", STEP,
               "--size", "320x180", "--screenshot", picture, check=0)
        cls.expected = read_png(picture)
        cls.game = os.path.join(cls.top, "game")
        os.makedirs(cls.game)
        shutil.copy(PLAYER, cls.game)
        shutil.copytree(os.path.join(project, ".cuttle", "data", "linux"),
                        os.path.join(cls.game, "data"))
        shutil.rmtree(project)  # nothing of the sources is there from now on
        for place, folders, files in os.walk(cls.game, topdown=False):
            for name in files:
                path = os.path.join(place, name)
                os.chmod(path, 0o555 if name == "cuttle-player" else 0o444)
            os.chmod(place, 0o555)
        cls.addClassCleanup(cls.make_removable)

    @classmethod
    def make_removable(cls):
        for place, _, _ in os.walk(cls.game):
            os.chmod(place, 0o755)

    def setUp(self):
        # Where the ordinary user may write.
        self.home = tempfile.mkdtemp(prefix="home-", dir=self.top)
        os.chmod(self.home, 0o777)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
            "HOME": self.home}

    def start(self, *arguments, program=None, output=subprocess.PIPE):
        as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
        return subprocess.Popen([program or os.path.join(self.game, "cuttle-player"),
                                 *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=output,
                                stderr=subprocess.STDOUT, cwd="/", env=self.environment, text=True,
                                errors="replace", **as_user)

    def play(self, *arguments, check=0, program=None):
        """Plays to the end; returns what was written."""
        process = self.start(*arguments, program=program)
        written, _ = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, check, written)
        return written

    # --- Playing ----------------------------------------------------------------------------------

    def test_plays_from_a_read_only_folder_what_run_shows(self):
        before = folder_bytes(self.game)
        shot = os.path.join(self.home, "shot.png")
        log = os.path.join(self.home, "log")
        written = self.play("--headless", "--frames", 5, "--fixed-dt", STEP, "--size", "320x180",
                            "--screenshot", shot, "--log", log)
        self.assertTrue(is_same(read_png(shot), self.expected))
        self.assertNotIn("error", written.lower())
        self.assertNotIn("warning", written.lower())
        self.assertIn("build\tplayer\t0", written)
        self.assertIn("project <>", written)
        self.assertIn("level script\tlevels/scripted\tfrom the level", written)
        self.assertIn("playing", read(log))
        self.assertEqual(folder_bytes(self.game), before)

    def test_gives_the_game_its_arguments_and_takes_its_exit_code(self):
        written = self.play("first", "--headless", "--quit", "--", "--frames", check=7)
        self.assertIn("arguments\tfirst|--quit|--frames", written)

    def test_keeps_what_belongs_to_the_user_in_a_folder_named_by_the_title(self):
        self.play("--headless", "--frames", 2, "--save")
        path = os.path.join(self.home, ".local", "share", "cuttle", "cuttle_crates",
                            "user_settings.json")
        self.assertIn("0.5", read(path))

    def test_finds_the_data_beside_the_folder_of_programs(self):
        other = os.path.join(self.home, "installed")
        os.makedirs(os.path.join(other, "bin"))
        os.symlink(os.path.join(self.game, "data"), os.path.join(other, "data"))
        program = os.path.join(other, "bin", "cuttle-player")
        shutil.copy(PLAYER, program)
        self.assertIn("playing", self.play("--headless", "--frames", 1, program=program))

    # --- What is wrong ----------------------------------------------------------------------------

    def test_says_what_is_wrong_with_its_arguments(self):
        self.assertIn("--frames is \"x\"; expected a whole number", self.play("--frames", "x", check=2))
        self.assertIn("the folder \"/nowhere\" does not exist", self.play("--data", "/nowhere", check=1))
        self.assertIn("usage: cuttle-player", self.play("--help"))
        self.assertIn("cuttle-player 0.", self.play("--version"))

    def test_says_that_there_is_no_data(self):
        empty = os.path.join(self.home, "empty")
        os.mkdir(empty)
        written = self.play("--headless", "--data", empty, check=1)
        self.assertIn(f"error: {empty}/catalog: the catalog of compiled data is missing", written)

    def test_damaged_data_ends_with_a_message(self):
        data = os.path.join(self.home, "data")
        shutil.copytree(os.path.join(self.game, "data"), data)
        for place, _, names in os.walk(data):
            os.chmod(place, 0o755)
            for name in names:
                path = os.path.join(place, name)
                os.chmod(path, 0o644)
                os.truncate(path, os.path.getsize(path) // 2)
        written = self.play("--headless", "--frames", 2, "--data", data, check=1)
        self.assertIn("error: ", written)
        self.assertNotIn("Call stack", written)

    # --- What is not in it ------------------------------------------------------------------------

    def playing(self):
        """A player that plays without end, and the file it writes to."""
        log = os.path.join(self.home, "output")
        with open(log, "w") as file:
            process = self.start("--headless", output=file)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        start = time.monotonic()
        while "playing" not in read(log):
            self.assertIsNone(process.poll(), read(log))
            self.assertLess(time.monotonic() - start, LIMIT, read(log))
            time.sleep(0.02)
        return process, log

    def test_listens_to_nobody_and_starts_no_process(self):
        process, _ = self.playing()
        folder = f"/proc/{process.pid}"
        self.assertEqual(children_of(process.pid), {})
        sockets = {link[8:-1] for link in links_of_open_files(process.pid)
                   if link.startswith("socket:[")}
        for table, listening in (("tcp", "0A"), ("tcp6", "0A"), ("udp", "07"), ("udp6", "07")):
            if not os.path.exists(f"{folder}/net/{table}"):
                continue
            for line in read(f"{folder}/net/{table}").splitlines()[1:]:
                parts = line.split()
                self.assertFalse(parts[3] == listening and parts[9] in sockets, line)

    def test_tells_a_crash_in_short(self):
        process, log = self.playing()
        process.send_signal(signal.SIGSEGV)
        self.assertEqual(process.wait(LIMIT), -signal.SIGSEGV)
        report = read(log).partition("playing")[2]
        self.assertIn("Segmentation fault, sent by process", report)
        stack = re.search(r"Call stack:\n((?:    .*\n)+)", report)
        self.assertTrue(stack, report)
        for line in stack[1].splitlines():
            self.assertRegex(line, r"^    (/\S+\+)?0x[0-9a-f]+$")
        self.assertRegex(report, r"Version: \S+ player, build id [0-9a-f]{8,}")
        self.assertEqual(source_paths_in(report.splitlines()), [])
        self.assertLess(len(report.splitlines()), 100)

    def test_still_ends_where_memory_does(self):
        # What is required in every build is not among the assertions that went.
        self.environment["CUTTLE_FAIL_ALLOCATION"] = "100"
        written = self.play("--headless", "--frames", 1, check=-signal.SIGABRT)
        self.assertIn("out of memory: allocator", written)
        self.assertIn("Call stack:", written)
        self.assertEqual(source_paths_in(written.splitlines()), [])

    def test_no_string_names_a_source(self):
        self.assertEqual(source_paths_in(strings_of(PLAYER)), [])

    def test_the_search_for_source_paths_finds_some(self):
        found = source_paths_in(strings_of(CUTTLE))
        self.assertTrue(any("crash.c" in text for text in found))

    def test_holds_no_symbols_and_no_tools(self):
        sections = subprocess.run(["readelf", "-SW", PLAYER], capture_output=True, text=True,
                                  check=True).stdout
        self.assertIn(".text", sections)
        self.assertIn(".note.gnu.build-id", sections)
        self.assertNotIn(".symtab", sections)
        self.assertNotIn(".debug", sections)
        dynamic = subprocess.run(["readelf", "-dW", PLAYER], capture_output=True, text=True,
                                 check=True).stdout
        self.assertNotIn("RUNPATH", dynamic)
        self.assertNotIn("RPATH", dynamic)
        for library in ("libdw", "libelf", "assimp", "shaderc", "spirv", "libedit", "HACD"):
            self.assertNotIn(library, dynamic)
        text = "\n".join(strings_of(PLAYER))
        for told in ("cuttle-worker", "cuttle compile", "the sources compile again", "listening on"):
            self.assertNotIn(told, text)


if __name__ == "__main__":
    unittest.main()
