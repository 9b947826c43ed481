#!/usr/bin/env python3
"""`cuttle packages`: what packages hold, what several of them do, and what is in none."""

import json
import os
import unittest

from support_cuttle import TemporaryFolder, cuttle, last_json, read, write


class Packages(TemporaryFolder):
    def make(self, name="game"):
        project = self.compiled_project(name)
        write(os.path.join(project, "scripts/a.lua"), "return 1")
        write(os.path.join(project, "scripts/b.lua"), "return 2")
        write(os.path.join(project, "scripts/alone.lua"), "return 3")
        write(os.path.join(project, "packages/one.package"), 'lua = ["scripts/a" "scripts/b"]')
        write(os.path.join(project, "packages/two.package"), 'lua = ["scripts/b"]')
        write(os.path.join(project, "packages/three.package"),
              'package = ["packages/two"]  lua = ["scripts/a"]')
        write(os.path.join(project, "boot.package"), 'lua = ["scripts/main"]')
        write(os.path.join(project, "packages/four.package"), 'lua = ["scripts/main"]')
        cuttle("compile", project, check=0)
        return project

    def report(self, project):
        return json.loads(cuttle("packages", project, "--json", check=0).stdout)

    def test_tells_what_packages_hold(self):
        report = self.report(self.make())
        held = {p["package"]: p for p in report["packages"]}
        self.assertEqual(held["packages/one"]["resources"], 2)
        self.assertEqual(held["packages/two"]["resources"], 1)
        self.assertEqual(held["packages/three"]["resources"], 2)
        self.assertGreater(held["packages/one"]["bytes"], held["packages/two"]["bytes"])
        self.assertEqual(held["packages/one"]["stream_bytes"], 0)
        self.assertEqual(report["errors"], [])

    def test_tells_pairs_that_do_not_depend_on_each_other(self):
        pairs = [(*p["packages"], p["resources"])
                 for p in self.report(self.make())["overlaps"]]
        self.assertIn(("packages/one", "packages/two", 1), pairs)
        self.assertIn(("packages/one", "packages/three", 1), pairs)  # scripts/b is two's
        self.assertNotIn("packages/two", [p[1] for p in pairs if p[0] == "packages/three"])
        self.assertFalse([p for p in pairs if {"core/core", "boot"} & set(p[:2])])
        sizes = [p["bytes"] for p in self.report(self.make("again"))["overlaps"]]
        self.assertEqual(sizes, sorted(sizes, reverse=True))

    def test_tells_what_is_in_no_package(self):
        alone = [f'{r["type"]} {r["name"]}' for r in self.report(self.make())["left_out_resources"]]
        self.assertIn("lua scripts/alone", alone)
        self.assertNotIn("lua scripts/a", alone)
        self.assertFalse([r for r in alone if r.split()[1].startswith("core/")])
        self.assertNotIn("config settings", alone)

    def test_tells_what_a_bundle_tells(self):
        """One graph of packages: what two of them have twice, and what is left out."""
        project = self.make()
        platform = ["--platform", "windows"]  # has data alone: also where no player was built
        bundle = last_json(cuttle("bundle", project, "-o", self.path("out"), *platform, "--json",
                                  check=0).stdout)
        report = json.loads(cuttle("packages", project, *platform, "--json", check=0).stdout)
        self.assertEqual(report["overlaps"], bundle["overlaps"])
        self.assertEqual(report["left_out"], bundle["left_out"])
        self.assertEqual(len(report["left_out_resources"]), bundle["left_out"])

    def test_packages_that_list_each_other_load_together(self):
        project = self.make()
        boot = os.path.join(project, "boot.package")
        write(os.path.join(project, "scripts/main.lua"), 'print("found", require("scripts/a"))\n')
        write(os.path.join(project, "packages/one.package"), 'package = ["boot"]  lua = ["scripts/a"]')
        write(boot, 'package = ["packages/one"]  lua = ["scripts/main"]')
        cuttle("compile", project, "--warnings-as-errors", check=0)
        sizes = {p["package"]: (p["resources"], p["bytes"]) for p in self.report(project)["packages"]}
        self.assertEqual(sizes["boot"], sizes["packages/one"])
        done = cuttle("run", project, "--headless", "--frames", "2", "--size", "160x90", check=0)
        self.assertIn("found\t1", done.stdout + done.stderr)
        write(boot, 'package = ["boot"]')
        done = cuttle("compile", project, check=1)
        self.assertIn("boot.package:1:12: error: the package lists itself", done.stderr)

    def test_tells_people(self):
        out = cuttle("packages", self.make(), check=0).stdout
        self.assertRegex(out, r"\npackages/two: 1 resource, \d+ B\n")
        self.assertRegex(out, r"\n  packages/one, packages/two: 1 resource, \d+ B\n")
        self.assertRegex(out, r"(^|\n)core/core: \d+ resources, \d+\.\d MB")
        self.assertIn("  scripts/alone.lua\n", out)

    def test_without_data_it_says_what_to_do(self):
        done = cuttle("packages", self.new_project(), check=1)
        self.assertIn("cuttle compile", done.stderr)
        self.assertIn("/.cuttle/data/linux/catalog: error: the catalog of compiled data is missing",
                      done.stderr)
        done = cuttle("packages", self.path("nowhere"), check=1)
        self.assertIn("nowhere", done.stderr)
        done = cuttle("packages", self.make("other"), "--platform", "toaster", check=1)
        self.assertIn("toaster", done.stderr)

    def test_an_unknown_source_platform_is_told_as_compile_tells_it(self):
        project = self.make("other")
        settings = os.path.join(project, "settings.config")
        write(settings, read(settings) + '\nplatforms = ["mobile"]\n')
        done = cuttle("compile", project, "--source-platform", "tv", check=1)
        message = 'the source platform "tv" is unknown; expected one of "linux", "windows", "be64", "mobile"'
        self.assertIn(message, done.stderr)
        for options in ((), ("--data-dir", self.path("data"))):
            done = cuttle("packages", project, "--source-platform", "tv", *options, check=1)
            self.assertIn(message, done.stderr)
            self.assertNotIn("catalog", done.stderr)
        done = cuttle("packages", project, "--source-platform", "mobile", check=1)
        self.assertIn("mobile-linux/catalog: error: ", done.stderr)

    def test_paths_of_failures_are_as_they_are(self):
        project = os.path.relpath(self.new_project())
        report = last_json(cuttle("packages", project, "--json", check=1).stdout)
        self.assertEqual(report["errors"][0]["file"],
                         os.path.join(project, ".cuttle", "data", "linux", "catalog"))

    def test_a_failure_is_a_report_too(self):
        for project, message in ((self.new_project(), "catalog"),
                                 (self.path("nowhere"), "is not there")):
            report = last_json(cuttle("packages", project, "--json", check=1).stdout)
            self.assertEqual(list(report), ["errors"])
            self.assertIn(message, report["errors"][0]["message"])


if __name__ == "__main__":
    unittest.main()
