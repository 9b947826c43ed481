"""What goes wrong around `cuttle compile`: clocks, disks, links, names, very large folders."""

import os
import subprocess
import sys
import time
import unittest

from support_cuttle import (CUTTLE, ROOT, TemporaryFolder, cuttle, data_folder, folder_bytes,
                            last_json, rounds, write)
from support_small_core import small_core


class BadInput(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("project")
        subprocess.run([sys.executable, os.path.join(ROOT, "bench", "make_project.py"),
                        self.project, "--resources", "40"], check=True)
        self.core = {"CUTTLE_CORE": small_core(self.path("core"))}

    def compile(self, *options, check=0):
        done = cuttle("compile", self.project, "--json", *options, env=self.core, check=check)
        return last_json(done.stdout)

    def test_a_clock_that_was_set_back(self):
        """Two contents of one size, time and inode, where the time is still to come."""
        path = os.path.join(self.project, "scripts", "part_0.lua")
        later = time.time_ns() + 3600 * 10**9
        for text in ("return 11\n", "return 12\n", "return 13\n"):
            write(path, text)
            os.utime(path, ns=(later, later))
            self.assertGreater(self.compile()["compiled"], 0, text)
        self.assertEqual(self.compile()["compiled"], 0)
        self.compile("--data-dir", self.path("fresh"))
        self.assertEqual(folder_bytes(data_folder(self.project)), folder_bytes(self.path("fresh")))

    def test_files_that_replace_others_of_their_size_and_time(self):
        path = os.path.join(self.project, "scripts", "part_0.lua")
        for text in ("return 11\n", "return 12\n", "return 13\n"):
            write(path, text)
            os.utime(path, (10**9, 10**9))
            self.assertGreater(self.compile()["compiled"], 0, text)

    def test_names_that_differ_only_in_case(self):
        for name in ("Tree", "tree"):
            write(os.path.join(self.project, "units", name + ".unit"),
                  'components = [{ id = "a"  type = "transform" }]\n')
        report = self.compile(check=1)
        self.assertEqual(report["failed"], 1)
        self.assertIn('"units/Tree.unit" and "units/tree.unit" differ only in case: rename this '
                      "one", report["errors"][0]["message"])

    def test_names_that_a_terminal_would_obey(self):
        for name in (b"new\nline.lua", b"\x1b[31mred.lua", b"\xff.lua"):
            with open(os.path.join(os.fsencode(self.project), name), "wb") as file:
                file.write(b"return 1\n")
        done = cuttle("compile", self.project, "--json", env=self.core, check=1)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 3, done.stderr)
        self.assertTrue(all(line.isprintable() for line in lines), lines)
        told = "\n".join(lines)
        for shown in ("/new\\nline.lua: error:", "/\\x1b[31mred.lua: error:"):
            self.assertIn(shown, told)
        errors = last_json(done.stdout)["errors"]
        self.assertIn(os.path.join(self.project, "new\nline.lua"), [e["file"] for e in errors])
        # What was asked for, and did not exist, is told the same way.
        done = cuttle("compile", self.project, "--explain", "\x1b[31mr\ned.lua", env=self.core, check=1)
        self.assertTrue(done.stdout.startswith('there is no resource "\\x1b[31mr\\ned.lua"'),
                        done.stdout)

    def test_paths_that_are_too_long(self):
        deep = self.project
        while len(deep) + 101 < 1003:
            deep = os.path.join(deep, "d" * 100)
        os.makedirs(deep)
        at = os.open(deep, os.O_RDONLY)
        for name in ("ö" * 60 + ".unit", "n" * 120 + ".txt"):
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT, dir_fd=at))
        os.mkdir("g" * 120, dir_fd=at)
        try:
            done = cuttle("compile", self.project, "--json", env=self.core, check=1)
            report = last_json(done.stdout)
            self.assertEqual(len(report["errors"]), 2)
            for error in report["errors"]:
                self.assertIn("more than 1023 bytes", error["message"])
            self.assertGreater(report["compiled"], 40)  # all else
            self.assertTrue(all(len(line) < 1200 for line in done.stderr.splitlines()))
            self.assertEqual(self.compile(check=1)["compiled"], 0)
        finally:
            for name in ("ö" * 60 + ".unit", "n" * 120 + ".txt"):
                os.unlink(name, dir_fd=at)
            os.rmdir("g" * 120, dir_fd=at)
            os.close(at)
        self.compile()

    def test_sources_that_are_no_files(self):
        os.mkfifo(os.path.join(self.project, "scripts", "pipe.lua"))
        os.mkfifo(os.path.join(self.project, "scripts", "pipe"))
        report = self.compile(check=1)
        self.assertEqual([(os.path.basename(e["file"]), e["message"]) for e in report["errors"]],
                         [("pipe.lua", "this is a pipe, a socket or a device; expected a file")])

    def test_types_in_capitals(self):
        write(os.path.join(self.project, "scripts", "one.LUA"), "return 1\n")
        write(os.path.join(self.project, "scripts", "README.MD"), "of no type\n")
        report = self.compile(check=1)
        self.assertEqual([e["message"] for e in report["errors"]],
                         ["names and types of sources may contain only a-z, 0-9, _, - and /: rename "
                          '"scripts/one.LUA" to "scripts/one.lua"'])

    def compile_without_rights(self):
        """As somebody for whom folders can be closed: root may list them all."""
        command = [CUTTLE, "compile", self.project, "--json"]
        if os.geteuid() == 0:
            command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] + command
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env={**os.environ, **self.core})
        self.assertEqual(done.returncode, 1, done.stderr)
        return last_json(done.stdout)

    def test_folders_that_cannot_be_listed(self):
        folder = os.path.join(self.project, "closed")
        write(os.path.join(folder, "deep", "one.lua"), "return 1\n")
        write(os.path.join(folder, "lamp.unit"), "components = []\n")
        write(os.path.join(self.project, "of_lamp.unit"), 'inherit = "closed/lamp"\n')
        before = self.compile()
        data = folder_bytes(data_folder(self.project))
        os.chmod(folder, 0)
        self.addCleanup(os.chmod, folder, 0o755)
        told = [("closed", "this folder cannot be listed; its compiled data stays as it was")]
        for _ in range(2):
            report = self.compile_without_rights()
            self.assertEqual([(os.path.basename(e["file"]), e["message"])
                              for e in report["errors"]], told)
            self.assertEqual(report["up_to_date"], before["compiled"])
            self.assertEqual(folder_bytes(data_folder(self.project)), data)
        # All else is compiled, and what needs the folder keeps its last good data.
        write(os.path.join(self.project, "scripts", "part_0.lua"), "return 'new'\n")
        write(os.path.join(self.project, "of_lamp.unit"), 'inherit = "closed/lamp" //\n')
        report = self.compile_without_rights()
        self.assertEqual(report["compiled"], 1)
        self.assertEqual(len(report["errors"]), 2)
        self.assertEqual(set(os.listdir(data_folder(self.project))), set(data))
        os.chmod(folder, 0o755)
        self.assertEqual(self.compile()["compiled"], 1)
        self.compile("--data-dir", self.path("fresh"))
        self.assertEqual(folder_bytes(data_folder(self.project)), folder_bytes(self.path("fresh")))

    def test_links_out_of_the_project(self):
        os.makedirs(self.path("outside"))
        write(self.path("outside/secret.lua"), "return 1\n")
        os.symlink(self.path("outside"), os.path.join(self.project, "linked"))
        os.symlink(self.path("outside/secret.lua"), os.path.join(self.project, "secret.lua"))
        os.symlink(self.path("nothing.lua"), os.path.join(self.project, "broken.lua"))
        os.symlink(self.path("nothing.txt"), os.path.join(self.project, "broken.txt"))
        report = self.compile(check=1)
        told = {os.path.basename(e["file"]): e["message"] for e in report["errors"]}
        self.assertEqual(sorted(told), ["broken.lua", "linked", "secret.lua"])
        self.assertIn("this link points to nothing", told["broken.lua"])
        self.assertIn("a folder outside the project, which is not allowed", told["linked"])
        self.assertIn("a link that leads out of the project", told["secret.lua"])

    def test_what_cannot_be_compiled_at_all_is_a_report_too(self):
        self.project = self.path("nowhere")
        for options, message in (((), "nowhere\" is not there"),
                                 (("--watch",), "nowhere\" is not there"),
                                 (("--platform", "amiga"), "nowhere\" is not there")):
            report = self.compile(*options, check=1)
            self.assertEqual(report["compiled"], 0)
            self.assertEqual(len(report["errors"]), 1)
            self.assertIn(message, report["errors"][0]["message"])
            self.assertEqual((report["errors"][0]["chain"], report["errors"][0]["others"]), ([], 0))
        self.project = self.path("p" * 2000)
        self.assertIn("is not there", self.compile(check=1)["errors"][0]["message"])
        self.project = self.path("project")
        report = self.compile("--data-dir", self.path("d" * 300, "e" * 100), check=1)
        self.assertEqual(len(report["errors"]), 1)
        done = cuttle("compile", self.project, "--data-dir", self.path("d" * 1100), check=2)
        self.assertIn("expected at most 1023", done.stderr)

    def refuse_data_folder(self, folder, message, cwd=None):
        before = folder_bytes(self.path())
        done = cuttle("compile", self.project, "--json", "--data-dir", folder, env=self.core,
                      check=1, cwd=cwd)
        self.assertIn(f'--data-dir "{folder}" {message}',
                      last_json(done.stdout)["errors"][0]["message"])
        self.assertTrue(folder_bytes(self.path()) == before)

    def test_data_goes_to_no_folder_with_other_files(self):
        self.refuse_data_folder(self.project, "is the project folder itself")
        self.refuse_data_folder(".", "is the project folder itself", cwd=self.project)
        os.symlink(self.project, self.path("link"))
        self.refuse_data_folder(self.path("link"), "is the project folder itself")
        os.remove(self.path("link"))
        self.refuse_data_folder("units", "is a folder of the project's sources", cwd=self.project)
        os.makedirs(os.path.join(self.project, "empty"))
        self.refuse_data_folder("empty", "is a folder of the project's sources", cwd=self.project)
        os.makedirs(self.path("new"))
        self.refuse_data_folder(self.path(), 'contains "core", which is not compiled data')
        write(self.path("mine", "notes.txt"), "mine")
        self.refuse_data_folder(self.path("mine"), 'contains "notes.txt", which is not')
        write(self.path("mine", "index"), "a git index, say")
        self.refuse_data_folder(self.path("mine"), 'contains "notes.txt", which is not')
        for folder in (self.path("new"), os.path.join(self.project, "data"),
                       os.path.join(self.project, ".hidden", "data")):
            self.compile("--data-dir", folder)
            os.remove(os.path.join(folder, "index"))  # a run that was killed
            self.compile("--data-dir", folder)
            write(os.path.join(folder, "mine.txt"), "left alone")
            self.compile("--data-dir", folder)
        self.refuse_data_folder(os.path.join(self.project, ".hidden"), 'contains "data"')

    def test_a_platform_that_is_none_leaves_no_folder(self):
        self.compile()
        for options in (("--source-platform", "nothing"),
                        ("--source-platform", "nothing", "--data-dir", self.path("new"))):
            report = self.compile(*options, check=1)
            self.assertIn("\"nothing\" is unknown", report["errors"][0]["message"])
        self.assertEqual(os.listdir(os.path.join(self.project, ".cuttle", "data")), ["linux"])
        self.assertFalse(os.path.exists(self.path("new")))

    def test_very_many_files_in_one_folder(self):
        count = rounds(5000, 100000)
        self.compile()
        os.makedirs(os.path.join(self.project, "many"))
        for number in range(count):
            with open(os.path.join(self.project, "many", f"{number}.txt"), "w"):
                pass
        write(os.path.join(self.project, "many", "last.lua"), "return 1\n")
        self.compile()
        start = time.monotonic()
        self.assertEqual(self.compile()["compiled"], 0)
        print(f"{count} files in one folder: {time.monotonic() - start:.2f} s")

    def test_a_disk_that_is_full_at_any_write(self):
        """As if nothing had been: what is there is whole, and the next compile makes the rest."""
        whole, disk = self.path("whole"), self.path("disk")
        self.compile("--data-dir", whole)
        os.mkdir(disk)
        sizes = range(12, 400, rounds(60, 4))  # of the disk, in KB
        script = "".join(f"""
mount -t tmpfs -o size={size}k none {disk} || exit 77
{CUTTLE} compile {self.project} --data-dir {disk}/data >/dev/null 2>{disk}.errors
code=$?
if [ $code != 0 ]; then grep -qi space {disk}.errors || cat {disk}.errors; echo full; fi
ls -A {disk}/data 2>/dev/null | grep tmp
mount -o remount,size=40m {disk} || exit 77
{CUTTLE} compile {self.project} --data-dir {disk}/data >/dev/null || echo failed
diff -r -x .lock -x .stat_cache {disk}/data {whole} || echo different
umount {disk}
""" for size in sizes)
        done = subprocess.run(["unshare", "-Urm", "sh", "-c", script], capture_output=True,
                              text=True, timeout=1000, env={**os.environ, **self.core})
        if done.returncode == 77 or "unshare" in done.stderr:
            self.skipTest("no disk can be mounted here")
        self.assertEqual(done.stderr, "")
        lines = done.stdout.split()
        self.assertEqual(set(lines), {"full"}, done.stdout)
        self.assertGreater(len(lines), 2)


if __name__ == "__main__":
    unittest.main()
