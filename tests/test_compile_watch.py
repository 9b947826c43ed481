"""`cuttle compile --watch` and `--explain`, and what the terminal shows meanwhile."""

import json
import os
import pty
import shutil
import signal
import subprocess
import threading
import time
import unittest

from support_cuttle import (CUTTLE, LIMIT, ROOT, TemporaryFolder, cuttle, data_folder, last_json,
                            read, write)


class Watch(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()

    def start(self, *arguments):
        process = subprocess.Popen([CUTTLE, "compile", self.project, "--watch", *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        watchdog = threading.Timer(LIMIT, process.kill)
        watchdog.start()
        self.addCleanup(watchdog.cancel)
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stdout.close(),
                                 process.stderr.close()))
        return process

    def stop(self, process):
        process.send_signal(signal.SIGINT)
        return process.wait(timeout=LIMIT)

    def next_run(self, process, total=None, failed=0):
        """The first run from here on with so many resources of which so many failed."""
        while True:
            line = process.stdout.readline()
            self.assertTrue(line, "the compile has ended")
            report = json.loads(line)
            found = report["compiled"] + report["up_to_date"] + report["failed"]
            if total in (None, found) and report["failed"] == failed:
                return report, found

    def test_compiles_again_when_something_changes(self):
        process = self.start("--json")
        _, total = self.next_run(process)
        script = os.path.join(self.project, "scripts", "extra.lua")
        write(script, "return 1\n")
        report, _ = self.next_run(process, total + 1)
        self.assertLess(report["compiled"], 8)  # and the packages, which list what there is
        write(script, "return = 1\n")
        report, _ = self.next_run(process, total + 1, failed=1)
        self.assertIn("extra.lua", report["errors"][0]["file"])
        self.assertIn("extra.lua:1: error: ", process.stderr.readline())
        os.remove(script)
        self.next_run(process, total)
        self.assertEqual(self.stop(process), 0)
        self.assertEqual(cuttle("compile", self.project, check=0).stdout[:10], "compiled 0")

    def test_tells_one_line_a_run(self):
        process = self.start()
        self.assertRegex(process.stdout.readline(), r"^compiled 0, up to date \d+, failed 0 in ")
        write(os.path.join(self.project, "scripts", "extra.lua"), "return 1\n")
        self.assertRegex(process.stdout.readline(), r"^compiled \d, up to date \d+, failed 0 in ")
        self.assertEqual(self.stop(process), 0)

    def test_ctrl_c_ends_a_run_under_way(self):
        shutil.rmtree(os.path.join(self.project, ".cuttle"))
        process = self.start("--jobs", "1")
        while not os.path.isdir(data_folder(self.project)):
            time.sleep(0.001)
        self.assertEqual(self.stop(process), 0)
        cuttle("compile", self.project, check=0)

    def test_a_project_that_is_not_there_is_an_error(self):
        self.assertIn("nowhere", cuttle("compile", "--watch", self.path("nowhere"),
                                        check=1).stderr)


class Explain(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.unit = os.path.join(self.project, "units", "heir.unit")
        self.base = os.path.join(self.project, "units", "base.unit")
        write(self.base, 'components = [{ id = "a"  type = "transform" }]\n')
        write(self.unit, 'inherit = "units/base"\n')
        cuttle("compile", self.project, check=0)

    def explain(self, resource="units/heir.unit", check=0):
        done = cuttle("compile", self.project, "--json", "--explain", resource, check=check)
        return last_json(done.stdout)["explanation"]

    def test_what_is_up_to_date(self):
        self.assertEqual(self.explain(), [
            "units/heir.unit is up to date",
            "units/heir.unit has not changed",
            "units/base.linux.unit does not exist, as before",
            "units/base.unit has not changed",
            "its data file exists",
            "versions, platform and settings have not changed"])
        done = cuttle("compile", self.project, "--explain", self.unit, check=0)
        self.assertTrue(done.stdout.startswith("units/heir.unit is up to date\n    units/heir.unit "))

    def test_an_include_that_changed_is_gone_and_is_back(self):
        text = read(self.base)
        write(self.base, text.replace('"a"', '"b"'))
        lines = self.explain()
        self.assertEqual(lines[0], "units/heir.unit was compiled")
        self.assertRegex(lines[3], "^units/base.unit has changed \\([0-9a-f]{16}, now [0-9a-f]{16}\\)$")
        os.remove(self.base)
        lines = self.explain(check=1)
        self.assertEqual(lines[0], "units/heir.unit failed and keeps its last good data")
        self.assertEqual(lines[3], "units/base.unit is gone")
        self.assertEqual(self.explain(check=1)[3], "units/base.unit does not exist, as before")
        write(self.base, text)
        lines = self.explain()
        self.assertEqual(lines[3], "units/base.unit can be read now, but could not be before")
        self.assertIn("its last compilation failed and is retried until it succeeds: ", lines[-1])

    def test_a_file_that_cannot_be_read(self):
        write(self.path("outside.unit"), read(self.base))
        os.remove(self.base)
        os.symlink(self.path("outside.unit"), self.base)  # refused
        self.assertEqual(self.explain(check=1)[3], "units/base.unit can no longer be read")
        self.assertEqual(self.explain(check=1)[3], "units/base.unit exists, but cannot be read")

    def test_settings_that_are_read(self):
        shutil.copy(os.path.join(ROOT, "samples", "crates", "textures", "crate_color.png"),
                    os.path.join(self.project, "a.png"))
        write(os.path.join(self.project, "a.texture"), 'source = "a.png"\n')
        self.explain("a.texture")
        self.assertIn("settings.config:textures.max_size is not set, as before",
                      self.explain("a.texture"))
        settings = os.path.join(self.project, "settings.config")
        text = read(settings)
        for addition, words in ((16, "is set now"), (8, "has changed"), (8, "has not changed")):
            write(settings, f"{text}\ntextures = {{ max_size = {addition} }}\n")
            self.assertIn(f"settings.config:textures.max_size {words}",
                          "\n".join(self.explain("a.texture")))
        write(settings, text)
        self.assertIn("settings.config:textures.max_size is no longer set",
                      self.explain("a.texture"))

    def test_what_is_new_and_what_has_lost_its_data(self):
        write(os.path.join(self.project, "units", "new.unit"), 'inherit = "units/base"\n')
        self.assertEqual(self.explain("units/new.unit"), [
            "units/new.unit was compiled",
            "it is new: the index of compiled data does not list it"])
        name = "-".join(cuttle("hash", text, check=0).stdout.split()[1]
                        for text in ("unit", "units/new"))
        path = os.path.join(data_folder(self.project), name)
        write(path, read(path, "rb")[:-1])
        self.assertIn("its data file does not match the index", self.explain("units/new.unit"))
        os.remove(path)
        self.assertIn("its data file is missing", self.explain("units/new.unit"))

    def test_the_list_of_resources(self):
        write(os.path.join(self.project, "units", "new.unit"), 'inherit = "units/base"\n')
        self.assertIn("the list of the project's resources has changed",
                      self.explain("boot.package")[-1])

    def test_what_is_not_there(self):
        self.assertEqual(self.explain("units/hair.unit", check=1), [
            'there is no resource "units/hair.unit" (did you mean "units/heir.unit"?)'])
        self.assertEqual(self.explain("units/heir", check=1), [
            'there is no resource "units/heir" (did you mean "units/heir.unit"?)'])

    def test_what_another_platform_has(self):
        write(os.path.join(self.project, "units", "heir.linux.unit"), "components = []\n")
        self.assertEqual(self.explain("units/heir.unit", check=1), [
            "units/heir.unit is not compiled for linux: it is for another platform, or for all "
            "platforms while a variant for this one exists"])


class Terminal(TemporaryFolder):
    def test_shows_how_far_it_is_and_leaves_nothing(self):
        project = self.new_project()
        ours, theirs = pty.openpty()
        process = subprocess.Popen([CUTTLE, "compile", project], stdout=subprocess.DEVNULL,
                                   stderr=theirs)
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # the terminal's other end is closed
            pass
        self.assertEqual(process.wait(timeout=LIMIT), 0)
        os.close(ours)
        self.assertRegex(shown, rb"\[\d+/\d+\] \d+\.\d s ")
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown[-80:])


if __name__ == "__main__":
    unittest.main()
