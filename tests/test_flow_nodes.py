"""`cuttle flow-nodes`: the reference of Flow's nodes, as text, as JSON and as the page in docs; and what
of the yardstick they cover."""

import json
import os
import subprocess
import sys
import unittest

from support_cuttle import CUTTLE, ROOT, TemporaryFolder, cuttle, read, write

sys.path.insert(0, os.path.join(ROOT, "tools"))
import flow_coverage  # noqa: E402

TOOL = os.path.join(ROOT, "tools", "flow_coverage.py")


def modules():
    return json.loads(cuttle("flow-nodes", "--json", check=0).stdout)["modules"]


def nodes():
    return {node["name"]: node for module in modules() for node in module["nodes"]}


class Reference(TemporaryFolder):
    def test_the_page_in_docs_is_what_the_engine_writes(self):
        page = self.path("flow_nodes.md")
        cuttle("flow-nodes", "--markdown", page, check=0)
        self.assertEqual(read(page), read(os.path.join(ROOT, "docs", "flow_nodes.md")),
                         "cuttle flow-nodes --markdown docs/flow_nodes.md")

    def test_the_page_has_every_node_once(self):
        headings = [line[4:] for line in read(os.path.join(ROOT, "docs", "flow_nodes.md")).splitlines()
                    if line.startswith("### ")]
        self.assertEqual(sorted(headings), sorted(nodes()))

    def test_json_has_every_slot_with_its_parts(self):
        found = nodes()
        clamp = found["numeric_clamp"]
        self.assertEqual([clamp[key] for key in ("menu", "kind", "is_foldable")],
                         ["Math > Numeric > Clamp", "pure", True])
        self.assertEqual([(slot["kind"], slot["name"], slot["type"], slot.get("default"))
                          for slot in clamp["slots"]],
                         [("input", "numeric", "number", 0), ("input", "min", "number", 0),
                          ("input", "max", "number", 1), ("output", "value", "number", None)])
        self.assertNotIn("is_foldable", found["random_numeric"])
        axis, angle = found["rotation_from_axis_and_angle"]["slots"][:2]
        self.assertEqual((axis["default"], angle["unit"]), ([0, 0, 1], "rad"))
        unit = found["level_unit"]["slots"][0]
        self.assertTrue(unit["is_constant"] and unit["is_required"])
        self.assertNotIn("default", unit)

    def test_text_describes_a_node(self):
        self.assertEqual(
            cuttle("flow-nodes", "numeric_clamp", check=0).stdout.splitlines()[:5],
            ["numeric_clamp (Math > Numeric > Clamp, pure): Keeps a number within two bounds.",
             "  in numeric: number; 0", "      The number.", "  in min: number; 0",
             "      One bound."])
        self.assertIn("  in unit: string, constant; required\n",
                      cuttle("flow-nodes", "level_unit", check=0).stdout)
        self.assertIn("  out angle: number, rad\n",
                      cuttle("flow-nodes", "rotation_axis_and_angle", check=0).stdout)

    def test_lists_all_nodes(self):
        listed = [line.split()[0] for line in cuttle("flow-nodes", check=0).stdout.splitlines()]
        self.assertEqual(listed, list(nodes()))

    def test_an_unknown_node_is_an_error(self):
        done = cuttle("flow-nodes", "numeric_adition", check=1)
        self.assertEqual(done.stderr, 'cuttle flow-nodes: unknown node "numeric_adition" '
                                      '(did you mean "numeric_addition"?)\n')

    def test_a_page_that_cannot_be_written_is_an_error(self):
        done = cuttle("flow-nodes", "--markdown", self.path("none", "page.md"), check=1)
        self.assertIn("cuttle flow-nodes: ", done.stderr)


class Coverage(TemporaryFolder):
    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, TOOL, CUTTLE, *arguments], capture_output=True, text=True,
                              timeout=60)

    def test_every_reason_is_for_a_node_of_the_yardstick_that_is_left_out(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        totals = [int(count) for count in done.stdout.split("\nall ")[1].split("\n")[0].split()]
        self.assertEqual(totals[0], 374)
        self.assertEqual(totals[0], sum(totals[1:4]))

    def test_no_node_of_the_yardstick_is_missing(self):
        done = self.run_tool("--complete")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_names_are_the_last_part_of_the_menu_with_the_group_where_it_must_be(self):
        for name, node in nodes().items():
            if name == "graph":
                continue  # our own word for what the yardstick names a subroutine
            words = node["menu"].split(" > ")[-1].lower().replace("3data", "3 data").split()
            self.assertTrue(set(words) <= set(name.split("_")), (name, node["menu"]))

    def test_prints_what_is_missing_and_what_is_listed_wrongly(self):
        names = self.path("yardstick.txt")
        reasons = self.path("left_out.txt")
        write(names, "# names\nMath > Numeric > Addition\nMath > Numeric > Logarithm\nPad > Rumble\n")
        write(reasons, "Pad > Rumble: needs motors\n")
        both = ("--yardstick", names, "--left-out", reasons)
        self.assertEqual(self.run_tool(*both).returncode, 0)
        done = self.run_tool(*both, "--complete")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\nMath > Numeric > Logarithm is missing\n", done.stdout)
        self.assertRegex(done.stdout, r"\nPad +1 +0 +1 +0 +0\n")
        write(reasons, "Math > Numeric > Addition: no\nPad > Rumbel: no\n")
        done = self.run_tool(*both)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Math > Numeric > Addition is listed as left out, but is there\n", done.stdout)
        self.assertIn("Pad > Rumbel is listed as left out, but the yardstick has no such name\n",
                      done.stdout)
        write(reasons, "Pad > Rumble\n")
        self.assertIn("left_out.txt:1: expected `Menu > Name: reason`", self.run_tool(*both).stderr)

    def test_knows_parts_of_the_menu(self):
        self.assertEqual(flow_coverage.part_of("Math > Numeric > Addition"), "Math")


class Tests(TemporaryFolder):
    def test_each_node_type_has_a_test_that_runs_it(self):
        """Every name is in a graph of a test that runs graphs, or in a row of the test of pure nodes. A name
        counts when it is written out: a node that is in the engine's tables only shows up here."""
        missing = flow_coverage.untested(nodes().values(), os.path.join(ROOT, "tests"))
        self.assertEqual(missing, [], "add these to tests/flow, or to a test_flow_*.py that runs a game")

    def test_a_node_without_a_test_is_found(self):
        write(self.path("flow", "test_flow_control.c"), 'add_node(&b, "delay"); // "once is no name')
        write(self.path("test_flow_draw.py"), '{"branch": 1}')
        write(self.path("resource", "types", "flow", "test_flow_pure.c"), '{"sin", 0}, {"unit_spawned", 0}')
        known = [{"name": "delay"}, {"name": "once"}, {"name": "branch"}, {"name": "sin", "is_foldable": True},
                 {"name": "unit_spawned"}]
        self.assertEqual(flow_coverage.untested(known, self.path()), ["once", "branch", "unit_spawned"])


if __name__ == "__main__":
    unittest.main()
