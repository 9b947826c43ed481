"""Plans of several engines: `cuttle nodes` and tools/cuttle_nodes.py, with three engines of a game that
is a few lines of Lua."""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

from support_cuttle import (CUTTLE, IS_SANITIZED, LIMIT, ROOT, Game, TemporaryFolder, children_of,
                            cuttle, last_json, read, write)
from support_png import read_png

from cuttle_nodes import Nodes, NodesError, repeat  # support_cuttle knows where it is

MAIN = """
Game = { frame = 0, scores = {}, arguments = { Application.argv() } }
function Game.seed() return tonumber(Game.arguments[2]) end
function Game.state() return "first\\n" .. table.concat(Game.scores, "\\n") end
function Game.ask_for_a_second()
    Game.asks = (Game.asks or 0) + 1
    Game.first = Game.first or Application.time_since_launch()
    return Application.time_since_launch() > Game.first + 1
end
function update(dt) Game.frame = Game.frame + 1 end
"""
THREE = 'nodes = [ { id = "a" } { id = "b" } { id = "c"  arguments = ["--as" "$node"] } ]\n'
FAST = 'step_timeout = 60  start_timeout = 200\n'


def descendants(pid):
    """{process id: name} of all that a process has started, at any depth."""
    found = children_of(pid)
    for child in list(found):
        found.update(descendants(child))
    return found


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return ") Z " not in file.read()
    except OSError:
        return False


class NodesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="cuttle-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.project = os.path.join(cls.folder, "my game")
        write(os.path.join(cls.project, "settings.config"),
              'boot_script = "scripts/main"\nboot_package = "boot"\n')
        write(os.path.join(cls.project, "boot.package"), 'lua = ["*"]\nnetwork_config = ["*"]\n')
        write(os.path.join(cls.project, "net.network_config"), "messages = { done = { arguments = {} } }\n")
        write(os.path.join(cls.project, "scripts", "main.lua"), MAIN)
        TemporaryFolder.add_core_data(None, cls.project)
        cuttle("compile", cls.project, check=0)

    def setUp(self):
        shutil.rmtree(os.path.join(self.project, ".cuttle", "nodes"), True)

    def plan(self, text, nodes=THREE):
        """Writes a plan; its first step is on line 5."""
        path = os.path.join(self.folder, f"{self.id().rpartition('.')[2]}.sjson")
        write(path, f'project = "my game"\n{FAST}{nodes}steps = [\n{text}\n]\n')
        return path

    def kept(self):
        """The folders of runs that are kept below the project."""
        folder = os.path.join(self.project, ".cuttle", "nodes")
        return sorted(os.path.join(folder, session, run)
                      for session in (os.listdir(folder) if os.path.isdir(folder) else ())
                      for run in os.listdir(os.path.join(folder, session)))

    def run_plan(self, text, *options, check=0, nodes=THREE):
        return cuttle("nodes", self.plan(text, nodes), *options, check=check, cwd=self.folder)

    def expect_failure(self, text, error, *options, nodes=THREE):
        """Runs a plan that fails; returns standard error and the folder that was kept."""
        done = self.run_plan(text, *options, check=1, nodes=nodes)
        self.assertRegex(done.stderr, error)
        folder = re.search(r"(?m)^Logs are in (.*)$", done.stderr)[1]
        self.assertEqual(read(os.path.join(folder, "failure.txt")), done.stderr)
        return done.stderr, folder


class Plans(NodesTest):
    STEPS = """
        { script = "Game.scores[1] = $seed * 100 + $run" }
        { script = "Game.name = '$node'" on = "c" }
        { script = "Game.place = $index"  on = ["a" "b"] }
        { wait = "Game.frame > 3 -- frames" }
        { assert = "Game.name == 'c' and Game.arguments[4] == 'c' and not Game.place"  on = "c" }
        { assert = "Game.place == 2"  on = "b"  message = "its index" }
        { assert = "Game.seed() == $seed" }
        { same = "Game.state()" }
        { wait = "Game.ask_for_a_second()" }
        { assert = "Game.asks > 2 and Game.asks <= 22"  message = "asked 20 times a second at most" }
        { repeat = 2  steps = [
            { repeat = 3  steps = [ { script = "Game.scores[#Game.scores + 1] = 5" } ] }
            { script = "Game.scores[#Game.scores + 1] = 7" }
        ] }
        { assert = "table.concat(Game.scores, '', 2) == '55575557'" }
        { stop = "a" }
        { kill = ["b"] }
        { assert = "Game.name == 'c'" } // all that run
        { start = ["b" "a"] }
        { assert = "Game.scores[1] == nil"  on = ["a" "b"] }
        { sleep = 0.05 }
    """

    def test_a_plan_passes_and_leaves_nothing(self):
        done = self.run_plan(self.STEPS, "--runs", 2, "--seed", 40)
        self.assertRegex(done.stdout, r"^run 1 of 2, seed 40: passed, [\d.]+ s\n"
                         r"run 2 of 2, seed 41: passed, [\d.]+ s\n2 of 2 runs passed in [\d.]+ s\n$")
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.kept(), [])

    def test_folders_are_kept_when_asked_and_plans_run_side_by_side(self):
        plan = self.plan('{ wait = "Game.frame > 1" }')
        folders = [os.path.join(self.folder, name) for name in ("one", "two")]
        running = [subprocess.Popen([CUTTLE, "nodes", plan, "--keep", "--json", "--folder", folder],
                                    stdout=subprocess.PIPE, text=True) for folder in folders]
        for process, folder in zip(running, folders):
            found = json.loads(process.communicate(timeout=LIMIT)[0])
            self.assertEqual((process.returncode, found["num_passed"], found["num_failed"]), (0, 1, 0))
            self.assertEqual(found["plan"], plan)
            [run] = found["runs"]
            self.assertEqual((run["run"], run["seed"], run["result"]), (1, 1, "passed"))
            self.assertLessEqual(run["seconds"], found["seconds"])
            self.assertEqual(run["folder"], os.path.join(folder, "run_1"))
            self.assertEqual(sorted(os.listdir(run["folder"])), ["a.log", "b.log", "c.log"])
            self.assertIn("listening on 127.0.0.1:", read(os.path.join(run["folder"], "b.log")))
        done = cuttle("nodes", plan, "--folder", folders[0], check=1)
        self.assertIn("run_1 exists already", done.stderr)

    def test_a_failed_assertion_keeps_the_run_which_repeats(self):
        steps = '{ assert = "$seed ~= 12"  on = "b"  message = "a bad seed" }'
        error, folder = self.expect_failure(
            steps, r"\.sjson:5: error: assert on b: a bad seed: \$seed ~= 12 is false\n"
            r"The last lines of .*/run_3/b\.log:\n    ", "--runs", 5, "--seed", 10)
        self.assertEqual(sorted(os.listdir(folder)),
                         ["a.log", "b.log", "c.log", "failure.txt", "plan.sjson"])
        self.assertEqual(os.listdir(os.path.dirname(folder)), ["run_3"])
        program, *words = shlex.split(re.search(r"(?m)^To repeat this run: (.*)$", error)[1])
        self.assertEqual(program, "cuttle")
        done = cuttle(*words, "--json", check=1, cwd=self.folder)
        [run] = last_json(done.stdout)["runs"]
        self.assertEqual((run["run"], run["seed"], run["result"]), (3, 12, "failed"))
        failure = run["failure"]
        self.assertEqual((failure["line"], failure["step"], failure["node"]), (5, "assert", "b"))
        self.assertEqual(failure["message"], "a bad seed: $seed ~= 12 is false")
        self.assertEqual(shlex.split(failure["replay"]), ["cuttle", *words])
        done = self.run_plan(steps, "--runs", 4, "--seed", 11, "--keep-going", check=1)
        self.assertIn("\n3 of 4 runs passed", done.stdout)

    def test_a_wait_that_takes_too_long_says_what_it_waited_for(self):
        error, _ = self.expect_failure(
            '{ script = "Game.name = 1"  on = "a" }\n{ wait = "Game.name" timeout = 0.3 }',
            r"\.sjson:6: error: wait on b: Game\.name is still nil after 0\.3 s\n    Also not done: c\n")
        self.assertNotIn("a.log", error)

    def test_network_logs_are_kept_with_the_run(self):
        nodes = "network_log = true\n" + THREE
        tag = "Network.init_lan_client([[net]]) Network.write_dump_tag([[$node was here]])"
        begin = f'{{ script = "{tag}" }}\n{{ wait = "Game.frame > 2" }}\n'
        _, folder = self.expect_failure(
            begin + f"""{{ stop = "a" }}\n{{ start = "a" }}\n{{ script = "{tag} Game.again = true"  on = "a" }}
            {{ assert = "not Game.again"  on = "a" }}""", r":11: error: assert on a: ", nodes=nodes)
        for name in ("a", "a.2", "b", "c"):
            log = read(os.path.join(folder, f"{name}.network"), "rb")
            self.assertIn(f"{name[0]} was here".encode(), log)
        self.run_plan(begin, nodes=nodes)
        self.assertEqual(self.kept(), [folder])

    def test_results_that_differ_are_shown(self):
        _, folder = self.expect_failure(
            '{ script = "Game.scores = { 1, $index, 3 }" }\n{ same = "Game.state()" on = ["a" "c"] }',
            r"\.sjson:6: error: same on c: results differ, first at line 3 of the result\n"
            r"    a: 1\n    c: 3\n    The whole results are in ")
        self.assertEqual(read(os.path.join(folder, "same_line_6.c.txt")), "first\n1\n3\n3")
        self.assertFalse(os.path.exists(os.path.join(folder, "same_line_6.b.txt")))

    def test_results_with_fewer_lines_or_other_bytes_differ(self):
        self.expect_failure('{ script = "Game.scores = { 1, $index == 2 and 2 or nil }" }\n'
                            '{ same = "Game.state()" }',
                            r"same on b: results differ, first at line 3 of the result\n"
                            r"    a: \(its result has fewer lines\)\n    b: 2\n")
        self.expect_failure('{ script = "Game.name = [[x]] .. string.char(0, 64 + $index)" }\n'
                            '{ same = "Game.name" }',
                            r"first at line 1 of the result\n    a: x\\x00A\n    b: x\\x00B\n")

    def test_errors_of_lua_and_nodes_that_do_not_run(self):
        self.expect_failure('{ script = "nothing.there = 1"  on = "c" }',
                            r"script on c: console:1: attempt to index global 'nothing'(.*\n)+stack traceback")
        self.expect_failure('{ wait = "x = = 1" }', r":5: error: wait on [abc]: console:1: .*near '='")
        self.expect_failure('{ kill = "b" }\n{ script = "x = 1"  on = "b" }',
                            r':6: error: script on b: does not run; a step before may start it')
        self.expect_failure('{ screenshot = "end"  on = "a" }', r"screenshot on a: no screenshot")

    def test_a_node_that_hangs_is_killed(self):
        error, _ = self.expect_failure('{ script = "while true do end"  on = "b"  timeout = 0.2 }',
                                       r":5: error: script on b: no answer within 0\.2 s\n")
        self.assertIn("b.log", error)

    def test_a_node_that_ends_by_itself_ends_the_run(self):
        start = time.monotonic()
        self.expect_failure('{ script = "Application.quit(3)"  on = "b" }\n{ sleep = 100 }',
                            r":[56]: error: (script|sleep) on b: ended with exit code 3\n")
        self.assertLess(time.monotonic() - start, 60)

    def test_programs_that_are_no_engines(self):
        nodes = 'nodes = [ { id = "a"  launch = ["%s"] } ]\n'
        self.expect_failure("{ sleep = 1 }", r"error: start on a: cannot start nowhere-to-find: No such",
                            nodes=nodes % "nowhere-to-find")
        self.expect_failure("{ sleep = 1 }", r"error: start on a: ended with exit code 1\n",
                            nodes=nodes % "false")

    def test_a_console_that_never_comes(self):
        plan = self.plan("{ sleep = 1 }", 'nodes = [ { id = "a"  launch = ["sh" "-c" '
                         '"echo hello; sleep 1000 & wait"] } ]\n')
        write(plan, read(plan).replace("start_timeout = 200", "start_timeout = 0.3"))
        done = cuttle("nodes", plan, "--folder", os.path.join(self.folder, "never"), check=1)
        self.assertRegex(done.stderr, r"error: start on a: its console did not answer within 0\.3 s\n"
                         r"The last lines of .*a\.log:\n    hello\n")

    def test_bad_plans_start_nothing(self):
        done = self.run_plan('{ wiat = "x" }\n{ sleep = 1  on = "d" }', check=1)
        self.assertRegex(done.stderr, r'^\S+\.sjson:5:3: error: step\.wiat: unknown member; did you mean '
                         r'"wait"\?\n\S+\.sjson:6:14: error: step\.on: a step with sleep has no on; '
                         r'remove it\n$')
        self.assertEqual(done.stdout, "")
        plan = self.plan("{ sleep = 1 }")
        for options in (["--runs", "0"], ["--only-run", "2"], ["--seed", "x"], ["--token", "short"],
                        ["--token", "x" * 16, "--token-file", plan]):
            cuttle("nodes", plan, *options, check=2)
        write(plan, read(plan).replace("my game", "no game"))
        done = cuttle("nodes", plan, check=1)
        self.assertIn("no game", done.stderr)
        self.assertEqual(self.kept(), [])

    def test_a_project_that_does_not_compile_starts_nothing(self):
        bad = os.path.join(self.project, "bad.material")
        self.addCleanup(lambda: os.path.exists(bad) and os.remove(bad))
        write(bad, "shader = 5\n")
        done = self.run_plan("{ sleep = 1 }", check=1)
        self.assertIn("bad.material:1:1: error", done.stderr)
        self.assertIn("the project does not compile: no node was started", done.stderr)


class Processes(NodesTest):
    # Steps that last until the test does something.
    WAIT = '{ script = "print([[the test begins]])"  on = "a" }\n{ sleep = 200 }'

    def start(self, nodes=THREE):
        """Starts a plan; returns its process and all that it has started, once it waits."""
        folder = os.path.join(self.folder, self.id().rpartition(".")[2])
        process = subprocess.Popen([CUTTLE, "nodes", self.plan(self.WAIT, nodes), "--folder", folder],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        log = os.path.join(folder, "run_1", "a.log")
        end = time.monotonic() + LIMIT
        while not (os.path.exists(log) and "the test begins" in read(log)):
            self.assertLess(time.monotonic(), end, "the plan does not begin")
            self.assertIsNone(process.poll(), "the plan has ended")
            time.sleep(0.02)
        return process, descendants(process.pid)

    def expect_none(self, pids):
        end = time.monotonic() + 20
        while left := [pid for pid in pids if is_alive(pid)]:
            self.assertLess(time.monotonic(), end, f"left behind: {left}")
            time.sleep(0.02)

    # A shell that waits for an engine: it must end with it.
    SHELL = ('nodes = [ { id = "a" } { id = "b" launch = ["sh" "-c" "sleep 1000 & $cuttle $arguments; true"]'
             " } ]\n").replace("$cuttle ", "'$cuttle' ")

    def test_control_c_ends_all_nodes(self):
        process, started = self.start(self.SHELL)
        self.assertGreaterEqual(list(started.values()).count("cuttle"), 2)
        self.assertIn("sleep", started.values())
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(out, "run 1 of 1, seed 1: interrupted")
        self.assertRegex(error, r":6: error: sleep: interrupted\nLogs are in ")
        self.expect_none(started)

    def test_a_killed_command_leaves_no_engine(self):
        process, started = self.start()
        process.kill()
        self.expect_none(started)

    @unittest.skipIf(IS_SANITIZED, "signals are the sanitizer's")
    def test_a_crash_ends_the_run_with_its_report(self):
        process, _ = self.start('nodes = [ { id = "a" } ]\n')
        [engine] = [pid for pid, name in children_of(process.pid).items() if name == "cuttle"]
        os.kill(engine, signal.SIGSEGV)
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(error, rf":6: error: sleep on a: ended by signal {int(signal.SIGSEGV)}\n"
                         r"The last lines of .*a\.log:\n")
        report = re.search(r"(?m)^a crashed; its report is in (.*/run_1/a\.crash\.txt)$", error)[1]
        self.assertIn("Segmentation fault", read(report))


class Elsewhere(NodesTest):
    def test_a_game_that_runs_already(self):
        with Game(self.project) as game:
            game.console.script("Game.found = true")
            self.run_plan('{ assert = "Game.found" }',
                          nodes=f'nodes = [ {{ id = "a"  detached = true  port = {game.port} }} ]\n')
            self.assertEqual(game.process.wait(timeout=60), 0)  # it was asked to quit

    def test_a_port_that_is_taken_is_not_mistaken_for_the_nodes_own(self):
        with Game(self.project) as game:
            game.console.script("Game.found = true")
            self.run_plan('{ assert = "Game.found == nil" }',
                          nodes=f'nodes = [ {{ id = "a"  port = {game.port} }} ]\n')
            self.assertIsNone(game.process.poll())

    # Stands in for `cuttle serve`, and for engines that get their data from it.
    SERVER = 'import sys, time\nprint("[serve] serving at 127.0.0.1:4321; Ctrl-C ends it", flush=True)\ntime.sleep(1000)\n'
    ENGINE = """
import os, sys
assert sys.argv[3:9] == ["run", "--host", "127.0.0.1:4321", "--project", "my game", "--require-server"], sys.argv
os.execv(sys.argv[1], [sys.argv[1], "run", sys.argv[2], "--no-compile", *sys.argv[9:]])
"""

    def test_data_from_a_file_server(self):
        write(os.path.join(self.folder, "server.py"), self.SERVER)
        write(os.path.join(self.folder, "engine.py"), self.ENGINE)
        launch = f'launch = ["{sys.executable}" "engine.py" "$cuttle" "$project" "$arguments"]'
        plan = self.plan('{ assert = "Game.seed() == 1" }', f'nodes = [ {{ id = "a"  {launch} }} ]\n')
        text = f'data = "server"\nserver_launch = ["{sys.executable}" "server.py" "$project"]\n' + read(plan)
        write(plan, text)
        cuttle("nodes", plan, check=0, cwd=self.folder)
        self.assertEqual(self.kept(), [])
        write(plan, text.replace(f'"{sys.executable}" "server.py" "$project"', '"false"'))
        done = cuttle("nodes", plan, check=1, cwd=self.folder)
        self.assertIn("the file server ended with exit code 1", done.stderr)
        write(plan, re.sub("server_launch.*", 'server = "127.0.0.1:4321"', text))
        cuttle("nodes", plan, check=0, cwd=self.folder)

    # Does what ssh does with a command: joins its words with blanks, and gives them to a shell.
    SSH = """#!/bin/sh
while [ $# -gt 0 ]; do
    case "$1" in
        -L) echo "tunnel $2"; shift 2 ;;
        -*) shift ;;
        *) break ;;
    esac
done
echo "to $1"
shift
exec sh -c "$*"
"""
    # Blanks, both quotes, dollars, and what else a shell reads.
    ODD = ["two  words", "it's", 'a "b"', "$HOME $(false) `false`", "a\\\\b;c&d|e>f*?", "~", "", "é", "tab\there"]

    def test_arguments_pass_a_shell_elsewhere(self):
        ssh = os.path.join(self.folder, "bin", "ssh")
        write(ssh, self.SSH)
        os.chmod(ssh, 0o755)
        project = os.path.join(self.folder, "it's $HOME; a \"game\"")
        shutil.copytree(self.project, project)
        options = ["--log", os.path.join(self.folder, "the $USER's log")]

        def words(items):
            return " ".join(json.dumps(item, ensure_ascii=False) for item in items)

        nodes = "".join(
            f'{{ id = "{name}"  port = {port}  options = [{words(options if name == "a" else [])}]\n'
            f'   launch = ["{ssh}" "-tt" "-L" "$port:127.0.0.1:$port" "box" "{CUTTLE} $arguments"]\n'
            f'   arguments = [{words(self.ODD)}] }}\n' for name, port in zip("ab", self.free_ports(2)))
        lua = ", ".join("[==[" + item + "]==]" for item in self.ODD)
        plan = self.plan(f"""{{ script = {json.dumps(f"Game.expected = {{ {lua} }}", ensure_ascii=False)} }}
            {{ assert = "#Game.arguments == 2 + #Game.expected" }}
            {{ script = "for i, e in ipairs(Game.expected) do assert(e == Game.arguments[i + 2], i .. e) end" }}
            """, f"nodes = [ {nodes} ]\n")
        write(plan, read(plan).replace('"my game"', json.dumps(os.path.basename(project))))
        out = os.path.join(self.folder, "elsewhere")
        cuttle("nodes", plan, "--keep", "--folder", out, check=0, cwd=self.folder)
        log = read(os.path.join(out, "run_1", "a.log"))
        self.assertRegex(log, r"tunnel (\d+):127\.0\.0\.1:\1\nto box\n")
        self.assertIn("listening on", read(options[1]))

    def free_ports(self, count):
        sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
        ports = [found.getsockname()[1] for found in sockets]
        for found in sockets:
            found.close()
        return ports


class FileServer(NodesTest):
    """Plans whose nodes get their data from a real `cuttle serve`."""

    NODES = 'data = "server"\n' + THREE

    def setUp(self):
        super().setUp()
        self.out = os.path.join(self.folder, self.id().rpartition(".")[2])
        self.set_probe(1)
        cache = unittest.mock.patch.dict(os.environ, {"XDG_CACHE_HOME": self.out + " cache"})
        cache.start()
        self.addCleanup(cache.stop)

    def set_probe(self, value):
        write(os.path.join(self.project, "scripts", "probe.lua"), f"Probe = {value}\n")

    def start(self, steps, *options, nodes=NODES):
        process = subprocess.Popen([CUTTLE, "nodes", self.plan(steps, nodes), "--folder", self.out, *options],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, process, node, text):
        log = os.path.join(self.out, "run_1", f"{node}.log")
        end = time.monotonic() + LIMIT
        while not (os.path.exists(log) and text in read(log)):
            if process.poll() is not None or time.monotonic() > end:
                process.kill()
                self.fail(f"no {text} in {log}:\n" + "".join(process.communicate()))
            time.sleep(0.02)

    def server_of(self, process):
        [pid] = [pid for pid in children_of(process.pid)
                 if "\0serve\0" in read(f"/proc/{pid}/cmdline")]
        return pid

    # The test saves between the first step's text and the wait's end.
    STEPS = """
        { script = "require 'scripts/probe'" }
        { assert = "Probe == 1" }
        { script = "print([[waiting for a save]])"  on = "c" }
        { wait = "Probe == 2" }
        { same = "Probe" }
    """

    def test_a_save_reaches_all_nodes_and_all_ends_well(self):
        process = self.start(self.STEPS, "--keep")
        self.wait_for(process, "c", "waiting for a save")
        started = descendants(process.pid)
        self.assertEqual(list(started.values()).count("cuttle"), 4)
        self.set_probe(2)
        out, error = process.communicate(timeout=LIMIT)
        self.assertEqual((process.returncode, error), (0, ""), out)
        self.assertIn("1 of 1 run passed", out)
        self.assertEqual([pid for pid in started if is_alive(pid)], [])
        for node in "abc":
            log = read(os.path.join(self.out, "run_1", f"{node}.log"))
            self.assertIn("reloaded scripts/probe.lua", log)
            self.assertNotIn("lost the file server", log)  # it ends after the nodes
        self.assertIn("revision 2", read(os.path.join(self.out, "serve.log")))

    def test_a_server_that_dies_ends_the_run(self):
        process = self.start('{ script = "print([[begun]])"  on = "a" }\n{ sleep = 200 }')
        self.wait_for(process, "a", "begun")
        started = descendants(process.pid)
        os.kill(self.server_of(process), signal.SIGKILL)
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(error, rf":7: error: sleep: the file server ended by signal {int(signal.SIGKILL)}\n"
                         r"The last lines of .*/serve\.log:\n(    .*\n)+Logs are in .*/run_1\n")
        self.assertEqual([pid for pid in started if is_alive(pid)], [])
        self.assertIn("serving at", read(os.path.join(self.out, "serve.log")))

    def test_a_server_that_does_not_end_well_fails_the_command(self):
        process = self.start('{ script = "print([[begun]])"  on = "a" }\n{ sleep = 1 }')
        self.wait_for(process, "a", "begun")
        os.kill(self.server_of(process), signal.SIGSTOP)  # it cannot end, and is killed
        out, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, out)
        self.assertRegex(error, rf"^error: the file server was asked to end and ended by signal {int(signal.SIGKILL)}; "
                         r"its log is .*/serve\.log\n$")



class Library(NodesTest):
    def nodes(self, *names, **options):
        return Nodes(self.project, names, cuttle=CUTTLE, timeout=LIMIT, **options)

    def test_runs_nodes_from_a_script(self):
        with self.nodes("a", "b", "c", seed=5, arguments=["--extra"]) as nodes:
            started = [nodes[name].process.pid for name in "abc"]
            nodes.script("Game.scores[1] = 3", on=["a", "b"])
            self.assertEqual(nodes.script("#Game.scores"), {"a": "1", "b": "1", "c": "0"})
            nodes.wait("Game.frame > 2")
            nodes.check("Game.seed() == 5 and Game.arguments[3] == '--extra'")
            self.assertEqual(nodes.same("Game.seed()"), "5")
            with self.assertRaisesRegex(NodesError, "(?s)differ:\na: first\n3\nb: first\n3\nc: first\n"):
                nodes.same("Game.state()")
            with self.assertRaisesRegex(NodesError, r"^c: has points: Game.scores\[1\] is not true"):
                nodes.check("Game.scores[1]", message="has points")
            with self.assertRaisesRegex(NodesError, r"^c: not true after 0.2 s: Game.scores\[1\]"):
                nodes.wait("Game.scores[1]", timeout=0.2)
            with self.assertRaisesRegex(NodesError, "^b: console:1: .*nothing"):
                nodes.script("nothing.there()", on="b")
            nodes.stop("a")
            nodes.kill("b")
            with self.assertRaisesRegex(NodesError, "^b does not run"):
                nodes.script("1", on="b")
            nodes.start("b")
            self.assertEqual(nodes.script("#Game.scores"), {"b": "0", "c": "0"})
            folder = nodes.folder
            self.assertEqual(sorted(os.listdir(folder)), ["a.log", "b.2.log", "b.log", "c.log"])
        self.assertFalse(os.path.exists(folder))
        self.assertFalse(any(map(is_alive, started)))

    def test_a_node_that_ends_is_an_error_and_all_end(self):
        folder = os.path.join(self.folder, "library")
        with unittest.mock.patch("sys.stderr"), \
                self.assertRaisesRegex(NodesError, "^a ended with exit status 4:\n"):
            with self.nodes("a", "b", folder=folder) as nodes:
                started = [node.process.pid for node in nodes.nodes.values()]
                nodes.script("Application.quit(4)", on="a")
                nodes.wait("false", timeout=60)
        self.assertFalse(any(map(is_alive, started)))
        self.assertEqual(sorted(os.listdir(folder)), ["a.log", "b.log"])

    def test_repeats_with_other_seeds(self):
        seeds, launched = [], []

        def launch(name, words):
            launched.append(name)
            return ["env", *words]

        repeat(2, lambda nodes: seeds.append(nodes.same("Game.seed()")), self.project, ["a"], seed=8,
               cuttle=CUTTLE, timeout=LIMIT, launch=launch)
        self.assertEqual((seeds, launched), (["8", "9"], ["a", "a"]))


class Docs(TemporaryFolder):
    """What docs/nodes.md shows is done as it is written."""

    def test_the_page_works(self):
        page = read(os.path.join(ROOT, "docs", "nodes.md"))
        blocks = re.findall(r"(?ms)^```(\w+)([^\n]*)\n(.*?)^```$", page)
        project = self.compiled_project("mygame")
        [(name, plan)] = [(name.strip(), text) for language, name, text in blocks
                          if language == "sjson" and name]
        write(os.path.join(project, name), plan)
        [commands] = [text for language, _, text in blocks if language == "sh"]
        for command in commands.splitlines():
            program, *words = shlex.split(command.partition(" #")[0])
            self.assertEqual(program, "cuttle")
            done = cuttle(*words, check=0, cwd=project)
        self.assertIn("1 of 1 run passed", done.stdout)
        kept = os.path.join(project, "out", "run_1")
        self.assertEqual(sorted(os.listdir(kept)), ["a.end.png", "a.log", "b.log", "server.log"])
        self.assertEqual(read_png(os.path.join(kept, "a.end.png")).width, 160)
        [script] = [text for language, _, text in blocks if language == "python"]
        script = script.replace('"mygame", ', f'"mygame", cuttle={CUTTLE!r}, '
                                'options=["--size", "64x64"], names=')
        env = {**os.environ, "PYTHONPATH": os.path.join(ROOT, "tools")}
        subprocess.run([sys.executable, "-c", script], check=True, cwd=self.folder, env=env, timeout=LIMIT)


if __name__ == "__main__":
    unittest.main()
