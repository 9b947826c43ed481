"""The command line: help, exit statuses, errors on standard error, log files, hash, sjson, version."""

import json
import os
import socket
import subprocess
import unittest

from support_cuttle import CUTTLE, LIMIT, TemporaryFolder, cuttle, read, write


class CommandLine(TemporaryFolder):
    def test_no_or_wrong_command_is_wrong_usage(self):
        for arguments in ([], ["frobnicate"], ["hash"], ["compile"], ["compile", "a", "b"],
                          ["compile", "x", "--jobs", "zero"], ["compile", "x", "--jobs", "0"],
                          ["run", "x", "--size", "12"], ["run", "x", "--frames"],
                          ["run", "x", "--headles"], ["hash", "-x"], ["version", "--", "more"]):
            done = cuttle(*arguments, check=2)
            self.assertEqual(done.stdout, "", arguments)
            self.assertTrue(done.stderr.startswith("cuttle"), done.stderr)

    def test_suggests_the_option_that_was_meant(self):
        done = cuttle("run", "x", "--headles", check=2)
        self.assertIn('did you mean "--headless"?', done.stderr)

    def test_help_lists_and_explains_every_command(self):
        listing = cuttle("help", check=0).stdout
        for command in ("new", "compile", "run", "console", "sjson", "hash", "version", "help"):
            self.assertIn(f"  {command} ", listing)
            page = cuttle("help", command, check=0).stdout
            self.assertTrue(page.startswith(f"cuttle {command}"), page)
            self.assertEqual(cuttle(command, "--help", check=0).stdout, page)
        self.assertIn("--fixed-dt S", cuttle("help", "run", check=0).stdout)
        cuttle("help", "nothing", check=2)

    def test_a_folder_that_is_no_project_is_refused_and_left_alone(self):
        os.makedirs(self.path("empty"))
        for arguments in (("run",), ("run", "--boot", "core/tools/material_preview_slave"),
                          ("compile",), ("check",)):
            done = cuttle(arguments[0], self.path("empty"), *arguments[1:], check=1)
            lines = done.stderr.splitlines()
            self.assertTrue(lines[-1].endswith(
                f'error: "{self.path("empty")}" is not a project: it has no settings.config'), lines)
        self.assertEqual(os.listdir(self.path("empty")), [])

    def test_run_without_compiling_needs_data(self):
        os.makedirs(self.path("empty"))
        done = cuttle("run", self.path("empty"), "--no-compile", check=1)
        self.assertIn('the folder of compiled data "', done.stderr)
        self.assertEqual(os.listdir(self.path("empty")), [])

    def test_output_that_cannot_be_written_is_a_failure(self):
        project = self.compiled_project()
        write(self.path("a.sjson"), "a = 1\n")
        commands = (["help"], ["version"], ["hash", "a"], ["compile", project],
                    ["compile", project, "--json"], ["packages", project],
                    ["packages", project, "--json"], ["strings", project],
                    ["check", project, "--json"], ["lua-api"],
                    ["sjson", "--to-json", self.path("a.sjson")],
                    ["bundle", project, "--platform", "windows", "--json", "-o", self.path("out")])
        with open("/dev/full", "w") as full:
            for arguments in commands:
                done = subprocess.run([CUTTLE, *arguments], stdout=full, stderr=subprocess.PIPE,
                                      text=True, timeout=LIMIT, stdin=subprocess.DEVNULL)
                self.assertEqual(done.returncode, 1, arguments)
                self.assertRegex(done.stderr, r"(^|\n)cuttle: standard output could not be written"
                                 r"(: No space left on device)?\n$")
        # Who only reads the beginning is not told that there was more.
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([CUTTLE, "help"], stdout=writer, stderr=subprocess.PIPE, text=True,
                              restore_signals=False)  # SIGPIPE stays ignored
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (1, ""))

    def test_console_without_a_game_says_so(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))  # nobody listens
            address = f"127.0.0.1:{free.getsockname()[1]}"
            done = cuttle("console", address, "quit", check=1)
        self.assertEqual(done.stderr, f"cuttle console: cannot connect to {address}: Connection "
                         "refused; is a game running there? `cuttle run PROJECT` starts one\n")

    def test_run_writes_what_is_logged_to_a_file_too(self):
        path = self.path("log.txt")
        arguments = ("run", self.compiled_project(), "--headless", "--frames", 2, "--size", "64x64",
                     "--log")
        done = cuttle(*arguments, path, check=0)
        self.assertRegex(read(path), r"(?m)^ +\d+\.\d{3} info    \[compiler\] compiled \d+, ")
        self.assertIn("[compiler] compiled", done.stderr)
        done = cuttle(*arguments, self.path("no", "log.txt"), check=1)
        self.assertIn("log.txt: No such file or directory", done.stderr)

    def test_hash_prints_both_ids(self):
        self.assertEqual(cuttle("hash", "root_point", check=0).stdout.split()[0], "5e43bd96")
        found = json.loads(cuttle("hash", "--json", "root_point", "", check=0).stdout)
        self.assertEqual([f["string"] for f in found], ["root_point", ""])
        self.assertEqual(found[0]["id32"], "5e43bd96")
        self.assertEqual(len(found[0]["id64"]), 16)

    def test_operands_may_begin_with_dashes_after_two_of_them(self):
        self.assertIn(" --name\n", cuttle("hash", "--", "--name", check=0).stdout)

    def test_version(self):
        self.assertRegex(cuttle("version", check=0).stdout, r"^cuttle \d+\.\d+\.\d+ \((dev|release)\)$")
        self.assertIn("version", json.loads(cuttle("--version", "--json", check=0).stdout))

    def test_sjson_converts_both_ways(self):
        source = self.path("a.sjson")
        write(source, 'name = "x" // comment\nlist = [1 2.5 true]\n')
        found = cuttle("sjson", "--to-json", source, check=0).stdout
        self.assertEqual(json.loads(found), {"name": "x", "list": [1, 2.5, True]})
        write(self.path("b.json"), found)
        back = cuttle("sjson", "--to-sjson", self.path("b.json"), check=0).stdout
        self.assertIn('name = "x"', back)
        cuttle("sjson", "--check", source, check=0)

    def test_sjson_names_file_line_and_column(self):
        bad = self.path("bad.sjson")
        write(bad, "a = 1\nb = [1 2\n")
        done = cuttle("sjson", "--check", bad, check=1)
        self.assertRegex(done.stderr, r"bad\.sjson:\d+:\d+: error: ")
        self.assertEqual(done.stdout, "")
        done = cuttle("sjson", self.path("none.sjson"), check=1)
        self.assertIn("none.sjson", done.stderr)

    def test_bad_sjson_is_refused_with_a_place(self):
        cases = {
            b"a = tru": "1:5", b"a = 1 a = 2": "1:7", b"[" * 100000: "1:", b"a = \"\xff\"": "1:",
            b"a = \"x\0y\"": "1:", b"a = [" + b"[" * 100000: "1:", b"a = {": "1:", b"a = \"": "1:",
        }
        for text, place in cases.items():
            path = self.path("case.sjson")
            write(path, text)
            done = cuttle("sjson", "--check", path, check=1)
            self.assertIn(f"case.sjson:{place}", done.stderr)
            self.assertLess(len(done.stderr), 2000)


if __name__ == "__main__":
    unittest.main()
