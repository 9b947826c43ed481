"""`cuttle db`: from the command line, from Lua and from Python, with a file and with a server of PostgreSQL."""

import json
import os
import shutil
import subprocess
import sys
import time
import unittest

from support_cuttle import CUTTLE, LIMIT, ROOT, TemporaryFolder, cuttle, folder_bytes, read, sources, write
from support_postgres import PostgresServer, missing

sys.path.insert(0, os.path.join(ROOT, "tools"))
from cuttle_db import ROOT as ROOT_OBJECT, Database, DatabaseError

LAMP = "5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ffee"


def operation(op, key=None, value=None, obj=LAMP, **more):
    made = {"op": op, "object": obj, **more}
    if key:
        made["key"] = key
    if op == "change_key":
        made["value"] = value
    return json.dumps(made)


class CommandLine(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.file = self.path("game.db")

    def db(self, verb, *arguments, location=None, check=0, text=None):
        done = subprocess.run([CUTTLE, "db", verb, location or self.file, *map(str, arguments)], capture_output=True,
                              text=True, input=text, timeout=LIMIT)
        self.assertEqual(done.returncode, check, done.stdout + done.stderr)
        return done.stdout if check == 0 else done.stderr

    def change(self, *operations, options=(), **keywords):
        return self.db("change", *options, text="\n".join(operations) + "\n", **keywords)

    def lamp(self, **keywords):
        """The keys of the lamp, or None."""
        for line in self.db("query", **keywords).splitlines():
            found = json.loads(line)
            if found["object"] == LAMP:
                return found["keys"]
        return None

    def test_operations_are_committed_and_queried(self):
        self.db("new")
        self.change(operation("create"), operation("change_key", "height", 2.5), operation("change_key", "name", "lamp"),
                    operation("add_to_set", "things", obj=ROOT_OBJECT, element=LAMP))
        self.assertEqual(self.lamp(), {"height": 2.5, "name": "lamp"})
        self.assertIn(LAMP, self.db("query", "--key", "height", "--value", "2.5"))
        self.assertEqual(self.db("query", "--key", "height", "--value", "2"), "")
        self.assertIn(ROOT_OBJECT, self.db("query", "--references", LAMP))
        rows = self.db("query", "--sql", "select value from value where key = 'name'")
        self.assertEqual(rows, "value\nlamp\n")
        self.assertIn("cannot modify", self.db("query", "--sql", "delete from value", check=1))
        self.assertIn("only reads", self.db("query", "--sql", "delete from log", check=1))
        self.assertIn("objects", self.db("info"))
        self.assertEqual(self.db("check"), "")
        log = self.db("log", "--operations")
        self.assertEqual(log.count("\n"), 5)
        self.assertIn("4 operations", log)

    def test_a_copy_that_went_apart_is_refused_and_its_changes_are_taken(self):
        self.db("new")
        self.change(operation("create"), operation("change_key", "height", 2))
        copy = self.path("copy.db")
        shutil.copyfile(self.file, copy)
        copied = self.db("log").split("\t")[0]
        self.change(operation("change_key", "name", "lamp"))
        self.change(operation("change_key", "height", 3), location=copy)
        for one, other in ((self.file, copy), (copy, self.file)):
            error = self.db("merge", other, location=one, check=1)
            self.assertIn("two copies of one database were changed", error)
            self.assertIn("two copies of one database were changed", self.db("push", other, location=one, check=1))
        self.change(self.db("diff", copied, location=copy).rstrip("\n"))  # as the message says
        self.assertEqual(self.lamp(), {"height": 3, "name": "lamp"})

    def test_garbage_and_dangling_references_are_found(self):
        self.db("new")
        other = LAMP.replace("5b", "6b")
        self.change(operation("create"), operation("create", obj=other),
                    operation("change_key", "next", {"reference": other}),
                    operation("change_key", "first", {"reference": LAMP}, obj=ROOT_OBJECT))
        self.change(operation("destroy", obj=other), operation("create", obj=other.replace("6b", "7b")))
        done = subprocess.run([CUTTLE, "db", "check", self.file], capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"dangling: {LAMP}.next refers to {other}", done.stdout)
        self.assertIn(f"garbage: no references lead from the root to {other.replace('6b', '7b')}", done.stdout)

    def test_wrong_input_says_what_is_wrong_and_changes_nothing(self):
        self.db("new")
        self.change(operation("create"))
        for text, reason in (("{", "1:"), ('{"op":"fly"}', "fly"), (operation("create"), "exists already"),
                             (operation("change_key", "a", {"set": "x"}), "expected an array of GUIDs"), ("[1]", ""),
                             (operation("change_key", "k" * 2000, 1), "key"),
                             (operation("change_key", "ok", 1) + "\n" + operation("create"), "exists already")):
            with self.subTest(text[:60]):
                self.assertIn(reason, self.db("change", text=text + "\n", check=1))
        self.assertEqual(self.lamp(), {})
        self.assertIn("expected one of new,", self.db("fly", check=2))
        self.assertIn("expected DATABASE FROM [TO]", self.db("diff", check=2))
        self.assertIn("has no branch \"day\"", self.db("info", "--branch", "day", check=1))
        self.assertIn("missing.db", self.db("info", location=self.path("missing.db"), check=1))
        self.assertFalse(os.path.exists(self.path("missing.db")))
        for data in (b"", b"no database", os.urandom(8192)):
            write(self.path("foreign.db"), data)
            self.assertIn("foreign.db", self.db("info", location=self.path("foreign.db"), check=1))
            self.assertEqual(read(self.path("foreign.db"), "rb"), data)

    def test_options_of_other_verbs_are_refused(self):
        self.db("new")
        self.assertIn("--force is an option of import, export", self.db("info", "--force", check=2))
        self.assertIn("--local is an option of change, conflicts, lua", self.db("query", "--local", check=2))
        self.assertIn("found 1 operand;", self.db("diff", check=2))

    def test_values_are_found_by_file_and_place(self):
        project = self.new_project()
        write(os.path.join(project, "levels", "yard.level"),
              'units = [ { id = "a1" unit = "units/box" position = [0 0 1] health = 5 } ]\n')
        self.db("import", project)
        file = ("--file", "levels/yard.level")
        found = json.loads(self.db("query", *file, "--at", "units[id=a1].position"))
        self.assertEqual((found["key"], found["value"]), ("position[]", "[0,0,1]"))
        unit = json.loads(self.db("query", *file, "--at", "units[0]"))
        self.assertEqual((unit["object"], unit["keys"]["health"]), (found["object"], 5))
        self.assertEqual(json.loads(self.db("query", *file))["keys"]["path"], "levels/yard.level")
        self.assertIn("units", json.loads(self.db("query", *file, "--at", ""))["keys"])
        self.assertIn("no element has this id", self.db("query", *file, "--at", "units[id=a2]", check=1))
        self.assertIn('no file "levels/x.level"', self.db("query", "--file", "levels/x.level", check=1))
        self.assertIn("--at needs --file", self.db("query", "--at", "units", check=1))
        self.assertIn("--file excludes --type", self.db("query", *file, "--type", "png", check=1))

    def test_garbage_is_collected(self):
        project = self.new_project()
        write(os.path.join(project, "a.sjson"), "a = { b = 1 }\n")
        self.db("import", project)
        file = json.loads(self.db("query", "--file", "a.sjson"))["object"]
        self.change(operation("remove_from_set", "files", obj=ROOT_OBJECT, element=file),
                    operation("destroy", obj=file))
        done = subprocess.run([CUTTLE, "db", "check", self.file], capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.stdout.count("garbage: "), 2)
        self.assertIn("2 faults", done.stderr)
        self.change(operation("create"), options=["--local"])
        self.assertIn("there is 1 local change: commit or revert it", self.db("collect", check=1))
        self.db("local", "revert")
        self.assertIn("removed 2 objects that nothing refers to", self.db("collect"))
        self.assertEqual(self.db("check"), "")
        self.assertIn("removed 0 objects", self.db("collect"))
        self.assertEqual(self.db("log").count("\n"), 3)

    def test_local_changes_wait(self):
        self.db("new")
        self.change(operation("create"), operation("change_key", "a", 1), options=["--local"])
        self.assertEqual(self.lamp(), {"a": 1})
        self.assertEqual(self.db("log"), "")
        self.assertIn("2 local changes", self.db("change", text=operation("change_key", "b", 1), check=1))
        self.assertIn("create", self.db("local", "commit", 1, check=1))
        self.db("local", "commit", 0)
        self.assertEqual(self.db("local").count("\n"), 1)
        self.assertIn("there is no local change 99; there are 1, from 0", self.db("local", "revert", 99, check=1))
        self.assertIn("expected no more operands", self.db("local", "list", 0, check=1))
        self.assertEqual(self.lamp(), {"a": 1})
        self.db("local", "revert")
        self.assertEqual(self.lamp(), {})

    def test_branches_merge_and_conflicts_are_settled(self):
        self.db("new")
        self.change(operation("create"), operation("change_key", "a", 1))
        self.db("branch", "night")
        self.change(operation("change_key", "a", 2), options=["--branch", "night"])
        self.change(operation("change_key", "a", 3))
        self.assertEqual(json.loads(self.db("diff", "main", "night"))["value"], 2)
        self.assertIn("1 commit, 1 new conflict;", self.db("merge", "night"))
        self.assertEqual(self.lamp(), {"a": 3})
        self.assertIn('"value":2', self.db("conflicts").splitlines()[2])
        self.change(operation("change_key", "b", 1), options=["--local"])
        self.assertIn("there is 1 local change", self.db("conflicts", "--undo", 0, check=1))
        self.assertIn("0 to 0", self.db("conflicts", "--undo", 1, "--local", check=1))
        self.assertEqual(self.db("local").count("\n"), 1)
        self.db("local", "revert")
        self.db("conflicts", "--undo", 0)
        self.assertEqual(self.lamp(), {"a": 2})
        self.assertEqual(self.db("conflicts"), "")
        self.assertEqual(self.db("branch").count("\n"), 2)
        self.db("branch", "night", "--remove")
        self.assertEqual(self.db("branch").count("\n"), 1)
        self.assertIn('branch "main" stays', self.db("branch", "main", "--remove", check=1))
        self.db("branch", "day")
        self.assertIn('branch "main" stays', self.db("branch", "main", "--remove", "--branch", "day", check=1))

    def test_databases_exchange_commits(self):
        self.db("new")
        self.change(operation("create"), operation("change_key", "a", 1))
        other = self.path("other.db")
        self.assertEqual(self.db("push", other), "1 commit\n")
        self.change(operation("change_key", "b", 2), location=other)
        self.assertIn("1 commit, 0 new conflicts", self.db("merge", other))
        self.assertEqual(self.lamp(), self.lamp(location=other))

    def test_scripts_of_lua(self):
        self.db("new")
        write(self.path("make.lua"), """
            local lamp = Database.create()
            Database.set(lamp, "height", 2)
            Database.set(lamp, "next", { reference = lamp })
            Database.add("%s", "lamps", lamp)
            Database.commit("Make a lamp")
            assert(Database.get(lamp, "next").reference == lamp)
            assert(Database.keys("%s").lamps.set[1] == lamp)
            Database.set(lamp, "height", 3)  -- not committed: gone
            """ % (ROOT_OBJECT, ROOT_OBJECT))
        self.db("lua", self.path("make.lua"))
        self.assertIn('"height":2', self.db("query"))
        write(self.path("wrong.lua"), 'Database.set("x", "a", 1)')
        self.assertIn("wrong.lua:1", self.db("lua", self.path("wrong.lua"), check=1))

    def test_values_of_lua_are_checked(self):
        self.db("new")
        write(self.path("values.lua"), """
            local lamp = Database.create()
            local function refuse(value, message)
                local is_done, why = pcall(Database.set, lamp, "a", value)
                assert(not is_done and why:find(message, 1, true), tostring(why))
            end
            local hash = ("0f"):rep(16)
            refuse({ set = { lamp, 5 } }, "element 2 of the set is a number; expected a GUID")
            refuse({ set = { lamp, "x" } }, "element 2 of the set: ")
            refuse({ reference = "x" }, "the reference: ")
            refuse({ reference = 5 }, "expected {reference = GUID}")
            refuse({ blob = (" 0"):rep(16), bytes = 1 }, "no text of 32 hexadecimal digits")
            refuse({ blob = hash .. "0", bytes = 1 }, "no text of 32 hexadecimal digits")
            refuse({ blob = 5, bytes = 1 }, "no text of 32 hexadecimal digits")
            refuse({ blob = hash }, "the blob has no size")
            refuse({ blob = hash, bytes = "1" }, "the blob has no size")
            refuse({ blob = hash, bytes = -1 }, "the blob has no size")
            refuse({ blob = hash, bytes = 1.5 }, "the blob has no size")
            refuse({ blob = hash, bytes = 1 }, "has no such blob")
            local many = {}
            for i = 1, 200000 do
                many[i] = ("%08x-0000-4000-8000-000000000000"):format(200001 - i)
            end
            many[#many + 1] = many[1]
            Database.set(lamp, "many", { set = many })  -- in a second, not in minutes
            local found = Database.get(lamp, "many").set
            assert(#found == 200000 and found[1] == many[200000])
            """)
        self.db("lua", self.path("values.lua"))

    # --- Projects ---------------------------------------------------------------------------------

    def test_old_copies_of_a_project_undo_nothing(self):
        project, old = self.new_project(), self.new_project("old")
        for folder in (project, old):
            write(os.path.join(folder, "a.sjson"), "a = 1 // one\n")
        self.db("import", project)
        write(os.path.join(project, "a.sjson"), "a = 2 // two\n")
        self.db("import", project)
        write(os.path.join(old, "a.sjson"), "a = 1 // older\n")
        message = self.db("import", old, check=1)
        self.assertIn("a.sjson: ", message)
        self.assertIn("no record of an earlier import or export", message)
        self.assertIn("--force", message)
        self.assertEqual(self.db("log").count("\n"), 2)
        self.assertEqual(self.db("local"), "")
        self.db("import", old, "--force")
        self.assertIn('"value":1', self.db("query", "--file", "a.sjson", "--at", "a"))

    def test_a_database_in_its_project_is_left_out(self):
        project = self.new_project()
        write(os.path.join(project, "a.sjson"), "a = 1\n")
        self.file = os.path.join(project, "game.db")
        self.db("new")
        with Database(self.file, cuttle=CUTTLE) as db:  # open: it has -wal and -shm
            db.create(LAMP)
            db.commit()
            self.db("import", project)
        self.db("import", project)
        self.assertEqual(self.db("query", "--type", "db"), "")
        self.db("export", project)
        self.assertIn("a.sjson", self.db("query"))

    def test_samples_come_back_byte_for_byte(self):
        for name in sorted(os.listdir(os.path.join(ROOT, "samples"))):
            with self.subTest(name):
                sample = os.path.join(ROOT, "samples", name)
                location, out = self.path(name + ".db"), self.path(name)
                self.db("import", sample, location=location)
                os.makedirs(out)
                self.db("export", out, location=location)
                self.assertEqual(sources(out), sources(sample))
                self.db("import", sample, location=location)  # nothing changed: no commit
                self.assertEqual(self.db("log", location=location).count("\n"), 1)


class Sessions(TemporaryFolder):
    def test_python_reads_and_writes(self):
        cuttle("db", "new", self.path("game.db"), check=0)
        write(self.path("picture.bin"), bytes(range(256)) * 5000)
        with Database(self.path("game.db"), cuttle=CUTTLE) as db:
            lamp = db.create()
            db.set(lamp, "name", "Lampe \u00e4 \"quoted\"\n")
            db.set(lamp, "picture", db.write_blob(self.path("picture.bin")))
            db.add(ROOT_OBJECT, "lamps", lamp)
            self.assertEqual(len(db.local()), 4)
            self.assertRaises(DatabaseError, db.set, lamp, "", 1)
            self.assertRaises(DatabaseError, db.ask, "nonsense")
            self.assertRaises(DatabaseError, db.object, LAMP)
            db.commit("A lamp")
            self.assertEqual(db.local(), [])
            (guid, keys), = db.find(name="Lampe \u00e4 \"quoted\"\n")
            self.assertEqual(guid, lamp)
            db.read_blob(keys["picture"], self.path("again.bin"))
            self.assertEqual(read(self.path("again.bin"), "rb"), read(self.path("picture.bin"), "rb"))

    def test_line_ends_and_zero_bytes_come_through(self):
        cuttle("db", "new", self.path("game.db"), check=0)
        odd = self.path("a\n\"b\".bin")
        write(odd, b"odd")
        with Database(self.path("game.db"), cuttle=CUTTLE) as db:
            lamp = db.create()
            for text in ("a\nb\r\n\n", "zero \0 byte", "\0", "\u2028", "x" * 100000 + "\n"):
                with self.subTest(text[:20]):
                    db.set(lamp, "name", text)
                    self.assertEqual(db.object(lamp)["name"], text)
            blob = db.write_blob(odd)
            db.read_blob(blob, odd + "\n")
            self.assertEqual(read(odd + "\n", "rb"), b"odd")
            self.assertRaises(DatabaseError, db.ask, "objects\nobjects")
            self.assertRaises(DatabaseError, db.ask, "objects\0")
            self.assertRaises(DatabaseError, db.object, "x\nobjects")
            self.assertEqual(len(db.objects()), 2)  # answers and requests still belong together
            db.commit("Two\nlines")
        log = cuttle("db", "log", self.path("game.db"), check=0).stdout
        self.assertEqual(log.count("\n"), 1)
        self.assertIn("Two", log)

    def test_lines_have_their_real_length(self):
        cuttle("db", "new", self.path("game.db"), check=0)
        done = subprocess.run([CUTTLE, "db", "session", self.path("game.db")], capture_output=True, timeout=LIMIT,
                              input=b"objects\0x\n" + b"objects" + b" " * 4089 + b"\nlocal\0")
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(answers), 3)
        self.assertIn("zero byte", answers[0]["error"])
        self.assertIn(ROOT_OBJECT, answers[1]["objects"])
        self.assertIn("zero byte", answers[2]["error"])

    def test_a_process_that_ended_is_closed(self):
        with Database(self.path("missing.db"), cuttle=CUTTLE) as db:
            db.process.wait()
            with self.assertRaisesRegex(DatabaseError, "missing.db"):
                db.objects()
        cuttle("db", "new", self.path("game.db"), check=0)
        db = Database(self.path("game.db"), cuttle=CUTTLE)
        db.process.kill()
        db.process.wait()
        db.process.stdin.write(b"objects\n")  # not sent yet: close does, and the pipe is broken
        db.close()


@unittest.skipIf(missing(), missing())
class Team(TemporaryFolder):
    def test_two_processes_edit_one_level_at_once(self):
        project = self.new_project()
        write(os.path.join(project, "levels", "yard.level"), 'units = [\n    { id = "a1" unit = "units/box" position = '
              '[0 0 0] } // the first\n    { id = "b1" unit = "units/box" position = [2 0 0] }\n]\n')
        write(os.path.join(project, "units", "box.unit"), 'components = [ { id = "place" type = "transform" } ]\n')
        with PostgresServer() as server:
            cuttle("db", "import", server.location, project, check=0)
            with Database(server.location, cuttle=CUTTLE) as ann, Database(server.location, cuttle=CUTTLE) as bob:
                units = sorted(guid for guid, keys in ann.find(unit="units/box"))
                self.assertEqual(len(units), 2)
                times = []
                for i in range(20):
                    writer, reader = (ann, bob) if i % 2 else (bob, ann)
                    writer.set(units[i % 2], "position[]", f"[{i} 0 0]")
                    writer.commit()
                    start = time.monotonic()
                    heard = reader.update(LIMIT)
                    times.append(time.monotonic() - start)
                    self.assertEqual([(o["object"], o["value"]) for o in heard], [(units[i % 2], f"[{i} 0 0]")])
                print(f"a change is seen after {sorted(times)[10] * 1000:.1f} ms (median of 20)")
                self.assertEqual(ann.object(units[0]), bob.object(units[0]))
                self.assertEqual(ann.conflicts(), [])
            out = self.new_project("exported")
            cuttle("db", "export", server.location, out, "--force", check=0)
            level = read(os.path.join(out, "levels", "yard.level"))
            self.assertIn("// the first", level)
            self.assertEqual({"[18 0 0]" in level, "[19 0 0]" in level}, {True})
            cuttle("compile", out, check=0)


if __name__ == "__main__":
    unittest.main()
