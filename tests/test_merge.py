"""`cuttle merge`: files in and out, bad input, git, and what is left when it is killed."""

import json
import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time
import unittest

from support_cuttle import (CUTTLE, LIMIT, ROOT, TemporaryFolder, compiled_template, cuttle, read,
                            rounds, write)

BASE = """// A yard.
units = [
    { id = "a1"  unit = "units/cube"  position = [0 0 0] }
    { id = "a2"  unit = "units/cube"  position = [1 0 0] } // the second
    { id = "a3"  unit = "units/cube"  position = [2 0 0] }
]
"""


class Merge(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.names = {side: self.path(f"{side}.level") for side in ("base", "theirs", "mine")}
        self.result = self.path("result.level")

    def write(self, **texts):
        for side, text in texts.items():
            write(self.names[side], text)

    def merge(self, *options, check=0, result=None):
        return cuttle("merge", self.names["base"], self.names["theirs"], self.names["mine"], "-o",
                      result or self.result, *options, check=check)


class MergeFiles(Merge):
    def test_puts_both_changes_together(self):
        self.write(base=BASE, theirs=BASE.replace("[1 0 0]", "[1 5 0]"),
                   mine=BASE.replace("[0 0 0]", "[0 0 7]").replace("    {", "\t{"))
        report = self.path("report.json")
        self.assertEqual(self.merge("--report", report).stderr, "")
        self.assertEqual(read(self.result), BASE.replace("[0 0 0]", "[0 0 7]").replace(
            "[1 0 0]", "[1 5 0]").replace("    {", "\t{"))
        self.assertEqual(json.loads(read(report)), {
            "base": self.names["base"], "theirs": self.names["theirs"], "mine": self.names["mine"],
            "path": self.names["mine"], "edits": 1, "decisions": []})

    def test_corrections_of_navigation_are_merged_by_id(self):
        """Both sides move, add and remove links and volumes: the order of a set has no meaning."""
        base = ('level = "town"\nvolumes = [\n    { id = "v1"  volume = "pond"  cuts = true }\n]\nlinks = [\n'
                '    { id = "l1"  kind = "jump"  from = [0 0 0]  to = [1 0 0] }\n'
                '    { id = "l2"  kind = "jump"  from = [0 0 0]  to = [2 0 0] }\n]\n')
        added = '    { id = "l0"  kind = "ladder"  from = [3 0 0]  to = [3 0 3] }\n'
        self.write(base=base, theirs=base.replace('    { id = "l1"', added + '    { id = "l1"  cost = 4'),
                   mine=base.replace("[1 0 0]", "[1 5 0]").replace("cuts = true", 'area = "water"').replace(
                       '    { id = "l2"  kind = "jump"  from = [0 0 0]  to = [2 0 0] }\n', ""))
        self.merge("--path", "town.navigation")
        self.assertEqual(read(self.result), base.replace('    { id = "l1"', added + '    { id = "l1"  cost = 4').replace(
            "[1 0 0]", "[1 5 0]").replace("cuts = true", 'area = "water"').replace(
                '    { id = "l2"  kind = "jump"  from = [0 0 0]  to = [2 0 0] }\n', ""))

    def test_tells_what_it_decided(self):
        self.write(base=BASE, theirs=BASE.replace("[1 0 0]", "[1 5 0]"),
                   mine=BASE.replace("[1 0 0]", "[1 0 9]"))
        report = self.path("report.json")
        done = self.merge("--report", report)
        self.assertEqual(done.stderr, f"cuttle merge: {self.names['mine']}: 1 decision\n")
        self.assertEqual(read(self.result), read(self.names["mine"]))
        self.assertEqual(json.loads(read(report))["decisions"], [
            {"kind": "changed", "path": "units[id=a2].position", "taken": "mine",
             "base": [1, 0, 0], "theirs": [1, 5, 0], "mine": [1, 0, 9]}])

    def test_the_result_may_be_mine_and_keeps_its_permissions(self):
        self.write(base=BASE, theirs=BASE.replace("[1 0 0]", "[1 5 0]"), mine="// x\n" + BASE)
        os.chmod(self.names["mine"], 0o640)
        self.merge(result=self.names["mine"])
        self.assertEqual(read(self.names["mine"]), "// x\n" + read(self.names["theirs"]))
        self.assertEqual(stat.S_IMODE(os.stat(self.names["mine"]).st_mode), 0o640)

    def test_behind_a_link_the_file_is_written(self):
        self.write(base=BASE, theirs=BASE.replace("[1 0 0]", "[1 5 0]"), mine=BASE)
        write(self.path("real"), "as it was")
        os.symlink("real", self.result)
        self.merge()
        self.assertTrue(os.path.islink(self.result))
        self.assertEqual(read(self.path("real")), read(self.names["theirs"]))

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_the_result_is_on_the_disk_before_it_takes_its_name(self):
        self.write(base=BASE, theirs=BASE.replace("[1 0 0]", "[1 5 0]"), mine="// x\n" + BASE)
        trace = self.path("trace")
        done = subprocess.run(["strace", "-f", "-o", trace, "-e", "trace=file,desc", CUTTLE, "merge",
                               *self.names.values(), "-o", self.names["mine"]],
                              capture_output=True, text=True, timeout=LIMIT)
        if done.returncode != 0 and "ptrace" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        # A call that another thread's stands between is told in two lines.
        calls = [line.split(None, 1)[1].split("(")[0] for line in read(trace).splitlines()
                 if " resumed>" not in line]
        kinds = ["sync" if "sync" in c else "rename" for c in calls if "sync" in c or "rename" in c]
        self.assertEqual(kinds, ["sync", "rename", "sync"], "the file, its name, its folder")

    def test_the_path_tells_the_type(self):
        for side, value in (("base", "[1 2 3]"), ("theirs", "[5 2 3 4]"), ("mine", "[1 2 9]")):
            self.names[side] = self.path(side)
            write(self.names[side], f'units = [{{ id = "a" position = {value} }}]')
        self.result = self.path("result")
        self.merge()
        self.assertIn("[5 2 9 4]", read(self.result))
        self.merge("--path", "levels/a.level")
        self.assertIn("[1 2 9]", read(self.result))

    def test_json_files_stay_json(self):
        self.write(base="{}", theirs='{"a": {"b": 1}}', mine='{\n}\n')
        self.merge("--json-files")
        self.assertEqual(json.loads(read(self.result)), {"a": {"b": 1}})
        self.write(theirs="a = 1")
        done = self.merge("--json-files", check=1)
        self.assertIn(f'theirs: {self.names["theirs"]}:1:1: error: not JSON: expected "{{"',
                      done.stderr)

    def test_what_is_called_json_is_json(self):
        self.names = {side: self.path(f"{side}.json") for side in self.names}
        self.result = self.path("result.json")
        self.write(base='{"a":1}', theirs='{"a":1,"c":3}', mine='{"a":2}')
        self.merge()
        self.assertEqual(json.loads(read(self.result)), {"a": 2, "c": 3})
        self.write(mine='a = 2')
        done = self.merge(check=1)
        self.assertIn(f'mine: {self.names["mine"]}:1:1: error: not JSON: expected "{{" or "["',
                      done.stderr)
        # As git calls it, whose files have names of their own; the base of a new file is empty.
        self.names = {side: self.path(f".merge_file_{side}") for side in self.names}
        self.write(base="", theirs='{"a": 1}', mine='{"b": 2}')
        self.merge("--path", "config/a.json", result=self.names["mine"])
        self.assertEqual(json.loads(read(self.names["mine"])), {"a": 1, "b": 2})
        self.write(base="a = 1", theirs="a = 2", mine="a = 1 b = 3")
        self.merge("--path", "a.sjson", result=self.path("x.json"))  # --path says what they are
        self.assertEqual(read(self.path("x.json")), "a = 2 b = 3")

    def test_lists_of_json(self):
        def element(i, x):
            return f'  {{"id": {i}, "x": {x}}}'
        def text(*elements):
            return "[\n" + ",\n".join(elements) + "\n]\n"
        self.names = {side: self.path(f"{side}.json") for side in self.names}
        self.write(base=text(element(1, 1), element(2, 2), element(3, 3)),
                   theirs=text(element(1, 7), element(3, 3), element(4, 4)),
                   mine=text(element(1, 1), element(2, 2), element(3, 9)))
        self.merge("--report", self.path("report"))
        self.assertEqual(read(self.result), text(element(1, 7), element(3, 9), element(4, 4)))
        self.write(base="[1, 2, 3, 4, 5]", theirs="[1, 2, 3, 4, 5, 6]", mine="[0, 1, 2, 3, 4, 5]")
        self.merge("--json-files")
        self.assertEqual(json.loads(read(self.result)), list(range(7)))
        # As a whole: two to four numbers, and what is a list on one side only.
        for base, theirs, mine, merged, decided in (
                ("[1, 2]", "[1, 3]", "[1, 2] ", "[1, 3]", []),
                ("[1, 2]", "[1, 3]", "[4, 2]", "[4, 2]", ["changed"]),
                ("{}", "[1, 2]", "{ }", "[1, 2]", []),
                ('{"a": 1}', '[1]', '{"a": 2}', "[1]", ["replaced"]),
                ("", "[1]", "[2]", "[2]", ["changed"])):
            self.write(base=base, theirs=theirs, mine=mine)
            self.merge("--report", self.path("report"))
            self.assertEqual(read(self.result), merged)
            decisions = json.loads(read(self.path("report")))["decisions"]
            self.assertEqual([(d["kind"], d["path"]) for d in decisions],
                             [(kind, "the root") for kind in decided])

    def test_the_report_is_another_file(self):
        self.write(base="", theirs="", mine="")
        write(self.result, "as it was")
        os.symlink(self.result, self.path("link"))
        for report in (self.result, self.path("link")):
            self.assertIn("name the same file", self.merge("--report", report, check=2).stderr)
        self.assertEqual(read(self.result), "as it was")
        self.assertIn("name the same file", self.merge(
            "--report", self.path("..", os.path.basename(self.path()), "new"),
            result=self.path("new"), check=2).stderr)

    def test_wrong_usage(self):
        self.write(base="", theirs="", mine="")
        for arguments in ([], [self.names["base"]], list(self.names.values()),
                          ["--global"], ["--install-git", self.names["base"]],
                          ["--install-git", "-o", self.result]):
            done = cuttle("merge", *arguments, check=2)
            self.assertTrue(done.stderr.startswith("cuttle merge: "), done.stderr)
        self.assertFalse(os.path.exists(self.result))


class MergeBadInput(Merge):
    def expect_failure(self, side, text, message, **others):
        self.write(**{"base": BASE, "theirs": BASE + "a = 1\n", "mine": "b = 1\n" + BASE, **others,
                      side: text})
        write(self.result, "as it was")
        done = self.merge("--report", self.path("report"), check=1)
        self.assertIn(f"cuttle merge: {side}: {self.names[side]}:", done.stderr)
        self.assertIn(message, done.stderr)
        self.assertEqual(read(self.result), "as it was")
        self.assertFalse(os.path.exists(self.path("report")))

    def test_cut_or_wrong_files_on_each_side(self):
        for side in self.names:
            self.expect_failure(side, BASE[:70], ":3:50: error: expected a value")
            self.expect_failure(side, b"\xff\xfe", ":1:1: error: ")
            self.expect_failure(side, "a = 1 a = 2", "twice")
            self.expect_failure(side, "a = " + "[" * 1000 + "]" * 1000, "more than 512")
            self.expect_failure(side, "<<<<<<< ours\na = 1\n", ":1:9: error: ")

    def test_errors_name_the_file_of_the_project(self):
        self.write(base=BASE, theirs="a = [", mine=BASE)
        done = self.merge("--path", "levels/start.level", check=1)
        self.assertIn("cuttle merge: theirs: levels/start.level:1:6: error: ", done.stderr)
        self.assertNotIn(self.names["theirs"], done.stderr)
        self.write(theirs=BASE)
        os.remove(self.names["mine"])
        self.assertIn(self.names["mine"], self.merge("--path", "x.level", check=1).stderr)

    def test_files_that_are_not_there(self):
        self.write(base="", theirs="")
        done = self.merge(check=1)
        self.assertIn("mine.level", done.stderr)
        self.assertFalse(os.path.exists(self.result))

    def test_a_result_that_cannot_be_written(self):
        self.write(base=BASE, theirs=BASE, mine=BASE)
        done = self.merge(result=self.path("none", "result"), check=1)
        self.assertIn("cannot write", done.stderr)
        write(self.result, "as it was")
        os.chmod(self.result, 0o444)
        self.assertIn("read-only", self.merge(check=1).stderr)
        self.assertEqual(read(self.result), "as it was")

    def test_a_full_disk_leaves_the_result(self):
        self.write(base=BASE, theirs=BASE + "a = 1\n", mine="b = 1\n" + BASE)
        write(self.result, "as it was")

        def limit():  # writing more is an error, as on a full disk
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        done = subprocess.run(
            [CUTTLE, "merge", *self.names.values(), "-o", self.result], preexec_fn=limit,
            capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("cannot write", done.stderr)
        self.assertEqual(read(self.result), "as it was")
        self.assertEqual(sorted(os.listdir(self.path())),
                         sorted(os.path.basename(p) for p in (*self.names.values(), self.result)))

    def test_pipes_are_read_once(self):
        self.write(base=BASE, theirs=BASE + "a = 1\n", mine="b = 1\n" + BASE)
        done = subprocess.run(
            ["bash", "-c", '"$0" merge <(cat "$1") <(cat "$2") <(cat "$3") -o "$4"', CUTTLE,
             *self.names.values(), self.result], capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(read(self.result), "b = 1\n" + BASE + "a = 1\n")

    def test_odd_ids_still_merge(self):
        twice = 'u = [ { id = 1 x = 1 } { id = 1 x = 2 } ]'
        self.write(base=twice, theirs=twice.replace("x = 2", "x = 3"),
                   mine=twice.replace("x = 1", "x = 4"))
        self.assertIn("1 decision", self.merge("--report", self.path("report")).stderr)
        self.assertEqual(read(self.result), 'u = [ { id = 1 x = 4 } { id = 1 x = 3 } ]')
        self.assertIn("id of another element", read(self.path("report")))

    def test_line_ends_marks_and_tabs_stay(self):
        base = b"\xef\xbb\xbfa = {\r\n\tb = 1\r\n}\r\nc = 1"
        self.write(base=base, theirs=base.replace(b"b = 1", b"b = 2\n\td = [\n\t\t1\n\t]"),
                   mine=base.replace(b"c = 1", b"c = 3"))
        self.merge()
        self.assertEqual(
            read(self.result, "rb"),
            b"\xef\xbb\xbfa = {\r\n\tb = 2\r\n\td = [\r\n\t\t1\r\n\t]\r\n}\r\nc = 3")

    def test_many_elements(self):
        count = rounds(100000, 1000000)
        base = [str(i * 7 % 1000) for i in range(count)]
        theirs, mine = base[:], base[:]
        theirs[count // 3] = "-1"
        mine.insert(0, "-2")
        for side, values in (("base", base), ("theirs", theirs), ("mine", mine)):
            write(self.names[side], "a = [" + "\n".join(values) + "]")
        self.merge()
        expected = mine[:]
        expected[count // 3 + 1] = "-1"
        self.assertEqual(read(self.result), "a = [" + "\n".join(expected) + "]")

    def test_deep_nesting(self):
        def nested(value):
            return "a = " + "[" * 250 + "{ x = [" + value + "] y = 1 }" + "]" * 250
        self.write(base=nested("1"), theirs=nested("2"), mine=nested("1").replace("y = 1", "y = 2"))
        self.merge()
        self.assertEqual(read(self.result), nested("2").replace("y = 1", "y = 2"))


class MergeLarge(Merge):
    @unittest.skipIf(os.environ.get("CUTTLE_NO_PLAYER"), "sanitizers take memory of their own")
    def test_takes_less_than_ten_times_the_memory_of_a_file(self):
        numbers = random.Random(50000)
        units = [f'    {{ id = "{numbers.getrandbits(128):032x}"  unit = "units/crate{i % 50}"  '
                 f'position = [{numbers.uniform(-500, 500):.3f} {numbers.uniform(-500, 500):.3f} '
                 f'0]  rotation = [0 0 {numbers.uniform(-1, 1):.7f} 0.7071068]  '
                 f'layer = "layer {i % 9}"  visible = true }}\n' for i in range(50000)]
        for side, mark in (("base", -1), ("theirs", 3), ("mine", 7)):
            write(self.names[side], "units = [\n" + "".join(
                unit.replace("0.7071068", "0.5") if i % 50 == mark else unit
                for i, unit in enumerate(units)) + "]\n")
        # By a small process: what a program has had counts from the one that it was forked from.
        measure = ("import resource, subprocess, sys; status = subprocess.call(sys.argv[1:]); "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); "
                   "sys.exit(status)")
        process = subprocess.run(
            [sys.executable, "-c", measure, CUTTLE, "merge", *self.names.values(), "-o",
             self.result], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(read(self.result).count("0.5 "), 0)
        self.assertEqual(read(self.result).count(" 0.5]"), 2000)
        self.assertLess(int(process.stdout.split()[-1]) * 1024,
                        10 * os.path.getsize(self.names["base"]))


class MergeKilled(Merge):
    def test_the_result_is_the_old_or_the_new_one(self):
        units = [f'    {{ id = "{i}"  position = [{i} 0 0]  name = "unit {i}" }}\n'
                 for i in range(20000)]

        def level(changed):
            return "units = [\n" + "".join(
                u.replace(" 0 0]", " 5 0]") if i % 50 == changed else u
                for i, u in enumerate(units)) + "]\n"
        self.write(base=level(-1), theirs=level(3), mine=level(7))
        mine = read(self.names["mine"])
        begin = time.monotonic()
        self.merge()
        needed = time.monotonic() - begin
        merged = read(self.result)
        self.assertNotEqual(merged, mine)
        # A slice takes moments all over the run, the full count random ones.
        count = rounds(15, 200)
        moments = random.Random(20100625)
        seen = set()
        for i in range(count):
            write(self.names["mine"], mine)
            process = subprocess.Popen(
                [CUTTLE, "merge", self.names["base"], self.names["theirs"], self.names["mine"],
                 "-o", self.names["mine"]], stdin=subprocess.DEVNULL)
            time.sleep(needed * 1.1 * (i / count if count < 200 else moments.random()))
            process.send_signal(signal.SIGKILL)
            process.wait(LIMIT)
            found = read(self.names["mine"])
            self.assertIn(found, (mine, merged))
            seen.add(found == merged)
        self.assertIn(False, seen)


class MergeGit(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.repository = self.path("a work tree's", "repository")
        os.makedirs(self.repository)
        write(self.path("home", ".gitconfig"), "[user]\n\tname = A\n\temail = a@b.c\n"
              "[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n")
        self.environment = {**os.environ, "HOME": self.path("home"),
                            "XDG_CONFIG_HOME": self.path("home", "config"),
                            "GIT_CONFIG_NOSYSTEM": "1", "GIT_MERGE_AUTOEDIT": "no"}

    def git(self, *arguments, check=0):
        done = subprocess.run(["git", *arguments], cwd=self.repository, env=self.environment,
                              capture_output=True, text=True, timeout=LIMIT,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def cuttle(self, *arguments, check=0):
        return cuttle(*arguments, cwd=self.repository, check=check, env=self.environment)

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-qm", message)

    def file(self, *parts):
        return os.path.join(self.repository, *parts)


class MergeInstall(MergeGit):
    def test_registers_drivers_and_a_hook(self):
        self.git("init", "-q")
        done = self.cuttle("merge", "--install-git")
        self.assertIn("*.level merge=cuttle diff=cuttle\n", done.stdout)
        self.assertNotIn("*.lua ", done.stdout)
        self.assertIn(f"{CUTTLE} merge %O %B %A -o %A --path %P".replace(
            CUTTLE, os.path.realpath(CUTTLE)), self.git("config", "merge.cuttle.driver"))
        self.assertIn(" diff --git", self.git("config", "diff.cuttle.command"))
        hook = self.file(".git", "hooks", "post-merge")
        self.assertTrue(os.access(hook, os.X_OK))
        self.assertIn("deps", read(hook))
        again = self.cuttle("merge", "--install-git")
        self.assertIn("exists already", again.stderr)
        self.assertIn("nothing to do: ", again.stderr)
        self.assertNotIn("nothing to do: ", done.stderr)

    def test_a_moved_engine_is_found_again(self):
        self.git("init", "-q")
        self.cuttle("merge", "--install-git")
        hook = self.file(".git", "hooks", "post-merge")
        written = read(hook)
        program = os.path.realpath(CUTTLE)
        self.assertIn(program, written)
        # Someone added to it, and the engine was elsewhere then.
        stale = written.replace(program, "'/an old/cuttle'") + "echo mine\n"
        write(hook, stale)
        os.chmod(hook, 0o750)
        for key in ("merge.cuttle.driver", "diff.cuttle.command"):
            self.git("config", key, self.git("config", key).strip().replace(program, "/old/cuttle"))
        self.git("config", "--add", "merge.cuttle.driver", "/older/cuttle merge")
        said = self.cuttle("merge", "--install-git").stderr
        self.assertIn("post-merge ran another program and now runs this one\n", said)
        self.assertEqual(read(hook), written + "echo mine\n")
        self.assertEqual(stat.S_IMODE(os.stat(hook).st_mode), 0o750)
        self.assertEqual(self.git("config", "--get-all", "merge.cuttle.driver").count("\n"), 1)
        self.assertIn(program, self.git("config", "merge.cuttle.driver"))
        self.assertIn(program, self.git("config", "diff.cuttle.command"))
        self.assertIn("exists already", self.cuttle("merge", "--install-git").stderr)

    def test_leaves_another_hook_alone(self):
        self.git("init", "-q")
        hook = self.file(".git", "hooks", "post-merge")
        write(hook, "#!/bin/sh\necho mine\n")
        done = self.cuttle("merge", "--install-git")
        self.assertEqual(read(hook), "#!/bin/sh\necho mine\n")
        self.assertIn("add this to it", done.stderr)
        self.assertIn(" deps ", done.stderr)
        write(hook, "#!/bin/sh\n/old/cuttle deps . --missing\n")  # theirs, and does it
        self.assertIn("exists already", self.cuttle("merge", "--install-git").stderr)
        self.assertEqual(read(hook), "#!/bin/sh\n/old/cuttle deps . --missing\n")

    def test_installs_for_the_user(self):
        self.cuttle("merge", "--install-git", check=1)
        self.cuttle("merge", "--install-git", "--global")
        self.assertIn("merge %O %B %A", read(self.path("home", ".gitconfig")))

    def test_new_projects_have_the_attributes(self):
        self.git("init", "-q")
        lines = self.cuttle("merge", "--install-git").stdout
        self.assertEqual(read(os.path.join(ROOT, "templates", "new", "dot_gitattributes")), lines)


class MergeBranches(MergeGit):
    LEVEL = "levels/start.level"

    def setUp(self):
        super().setUp()
        for name, data in self.project_files():
            write(self.file("the game", name), data)
        self.git("init", "-q")
        self.cuttle("merge", "--install-git")
        ids = [f'    {{ id = "5b1f{i:04x}"  unit = "units/cube"  position = [{i} 0 0] }}\n'
               for i in range(10)]
        self.level = self.file("the game", "levels", "yard.level")
        write(self.level, "// The yard.\nunits = [\n" + "".join(ids) + "]\n")
        self.commit("base")

    def project_files(self):
        template = compiled_template()
        for folder, folders, names in os.walk(template):
            folders[:] = [name for name in folders if not name.startswith(".cuttle")]
            for name in names:
                path = os.path.join(folder, name)
                yield os.path.relpath(path, template), read(path, "rb")

    def edit(self, branch, edits, message):
        self.git("checkout", "-q", "-B", branch, "main")
        text = read(self.level)
        for old, new in edits:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        write(self.level, text)
        self.commit(message)

    def test_two_branches_merge_without_a_conflict(self):
        line = '    {{ id = "5b1f{:04x}"  unit = "units/cube"  position = [{} 0 0] }}\n'.format
        self.edit("theirs", [
            (line(1, 1), ""),  # deletes
            ("position = [3 0 0]", "position = [3 0 5]"),  # moves
            (line(9, 9), line(9, 9) + line(0x20, 20)),  # adds
            ("position = [5 0 0]", "position = [5 5 5]"),
        ], "theirs")
        textures = [name for name in os.listdir(self.file("the game", "textures"))
                    if name.endswith(".texture")]
        old = textures[0][:-len(".texture")]
        for name in os.listdir(self.file("the game", "textures")):
            if name.startswith(old + "."):
                self.git("mv", self.file("the game", "textures", name),
                         self.file("the game", "textures", "renamed" + name[len(old):]))
        for folder, _, names in os.walk(self.file("the game")):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith((".material", ".package", ".texture")):
                    text = read(path)
                    write(path, text.replace(f'"textures/{old}', '"textures/renamed'))
        self.commit("rename a texture")
        self.edit("mine", [
            (line(2, 2), ""),
            ("position = [3 0 0] }", "position = [3 0 0]  scale = [2 2 2] }"),
            (line(9, 9), line(9, 9) + line(0x21, 21)),
            ("position = [5 0 0]", "position = [6 6 6]"),
            ("// The yard.", "// The yard behind the house."),
        ], "mine")
        said = self.git("merge", "--no-edit", "theirs")
        self.assertNotIn("CONFLICT", said)
        self.assertIn("the game/levels/yard.level: 1 decision", said)
        expected = "// The yard behind the house.\nunits = [\n" + "".join(
            line(i, i) for i in range(10) if i not in (1, 2)) + line(0x21, 21) + line(0x20, 20)
        expected = expected.replace("[3 0 0]", "[3 0 5]  scale = [2 2 2]")
        expected = expected.replace("[5 0 0]", "[6 6 6]") + "]\n"
        self.assertEqual(read(self.level), expected)
        self.assertEqual(self.git("status", "--porcelain"), "")
        cuttle("compile", self.file("the game"), check=0)

    @unittest.skipUnless(cuttle("help", "deps").returncode == 0, "there is no cuttle deps")
    def test_references_that_a_merge_broke_are_listed(self):
        self.edit("theirs", [("[3 0 0]", "[3 0 5]")], "theirs")
        self.git("mv", self.file("the game", "units", "cube.unit"),
                 self.file("the game", "units", "block.unit"))
        for folder, _, names in os.walk(self.file("the game")):
            for path in (os.path.join(folder, name) for name in names
                         if name.endswith((".level", ".package", ".lua"))):
                write(path, read(path).replace('"units/cube"', '"units/block"'))
        self.commit("rename a unit")
        added = '    { id = "5b1fffff"  unit = "units/cube" }\n'
        self.edit("mine", [("]\n", "]\n"), ("units = [\n", "units = [\n" + added)], "use it")
        said = self.git("merge", "--no-edit", "theirs")
        self.assertIn("levels/yard.level:3:", said)
        self.assertIn('"units/cube"', said)

    def test_a_broken_side_is_a_conflict_for_a_person(self):
        self.edit("theirs", [("]\n", "\n")], "broken")
        self.edit("mine", [("[3 0 0]", "[3 0 5]")], "mine")
        mine = read(self.level)
        said = self.git("merge", "--no-edit", "theirs", check=1)
        self.assertIn("CONFLICT", said)
        self.assertIn("cuttle merge: theirs: ", said)
        self.assertEqual(read(self.level), mine)


if __name__ == "__main__":
    unittest.main()
