"""Flow graphs as sources: merges by id, names that follow when files move, and new ids."""

import json
import os
import re
import unittest

from support_cuttle import TemporaryFolder, cuttle, read, write

# A unit's graph: an event waits, then prints.
BASE = """// A door.
nodes = [
    { id = "a1"  type = "external_in_event"  inputs = { name = "open" }  position = [0 0] }
    { id = "a2"  type = "delay"  inputs = { time = 2 }  position = [200 0] } // until it is open
    { id = "a3"  type = "debug_print"  inputs = { label = "door" }  position = [400 0] }
]
links = [
    { id = "b1"  from = "a1"  out = "out"  to = "a2"  in = "in" }
    { id = "b2"  from = "a2"  out = "out"  to = "a3"  in = "in" }
]
variables = [
    { id = "c1"  name = "speed"  type = "number"  value = 1 }
]
"""


class Merge(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.result = os.path.join(self.project, "flow", "door.flow")
        write(self.result, BASE)

    def merge(self, theirs, mine, base=BASE):
        """Merges two changes of the graph into the project; returns the decisions."""
        names = {side: self.path(f"{side}.flow") for side in ("base", "theirs", "mine")}
        for name, text in zip(names.values(), (base, theirs, mine)):
            write(name, text)
        report = self.path("report.json")
        cuttle("merge", *names.values(), "-o", self.result, "--report", report, check=0)
        return json.loads(read(report))["decisions"]

    def compile(self, check=0):
        return cuttle("compile", self.project, check=check)

    def test_two_who_move_and_link_in_parallel_both_have_their_way(self):
        # One moves the delay and lets it print twice; the other makes it longer and adds a node before it.
        theirs = BASE.replace("[200 0]", "[220 40]").replace(
            'position = [400 0] }\n', 'position = [400 0] }\n'
            '    { id = "a4"  type = "debug_print"  inputs = { label = "again" }  position = [400 90] }\n').replace(
            'to = "a3"  in = "in" }\n', 'to = "a3"  in = "in" }\n'
            '    { id = "b3"  from = "a2"  out = "out"  to = "a4"  in = "in" }\n')
        mine = BASE.replace("time = 2", "time = 5").replace(
            'position = [0 0] }\n', 'position = [0 0] }\n'
            '    { id = "a5"  type = "once"  position = [100 0] }\n').replace(
            '{ id = "b1"  from = "a1"  out = "out"  to = "a2"  in = "in" }',
            '{ id = "b1"  from = "a1"  out = "out"  to = "a5"  in = "in" }\n'
            '    { id = "b4"  from = "a5"  out = "out"  to = "a2"  in = "in" }')
        self.assertEqual(self.merge(theirs, mine), [])
        text = read(self.result)
        self.assertIn('{ id = "a2"  type = "delay"  inputs = { time = 5 }  position = [220 40] } // until it is open',
                      text)
        self.assertEqual(sorted(re.findall(r'id = "(\w+)"', text)),
                         ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "b3", "b4", "c1"])
        self.assertIn('{ id = "b1"  from = "a1"  out = "out"  to = "a5"  in = "in" }', text)
        self.assertTrue(text.startswith("// A door.\n"))
        self.compile()

    def test_the_order_of_elements_means_nothing(self):
        lines = BASE.splitlines(keepends=True)
        turned = "".join(lines[:2] + lines[4:1:-1] + lines[5:])
        self.assertNotEqual(turned, BASE)
        self.assertEqual(self.merge(turned, BASE.replace("speed", "pace")), [])
        self.assertIn('name = "pace"', read(self.result))
        self.compile()

    def test_the_same_position_changed_twice_is_mine_and_reported(self):
        decisions = self.merge(BASE.replace("[200 0]", "[210 0]"), BASE.replace("[200 0]", "[200 7]"))
        self.assertEqual([(d["kind"], d["path"], d["taken"]) for d in decisions],
                         [("changed", "nodes[id=a2].position", "mine")])
        self.assertIn("[200 7]", read(self.result))

    def test_links_to_what_the_other_removed_are_errors_of_the_compiler(self):
        # One removes the delay with its links; the other links it to something else.
        theirs = "".join(line for line in BASE.splitlines(keepends=True) if "a2" not in line)
        mine = BASE.replace('to = "a3"  in = "in" }\n', 'to = "a3"  in = "in" }\n'
                            '    { id = "b9"  from = "a2"  out = "out"  to = "a3"  in = "in" }\n')
        self.merge(theirs, mine)
        line = next(n for n, text in enumerate(read(self.result).splitlines(), 1) if '"b9"' in text)
        self.assertRegex(self.compile(check=1).stderr, rf'flow/door\.flow:{line}:\d+: .*"a2"')

    def test_two_links_to_one_input_are_an_error_of_the_compiler(self):
        def with_number(identity, value):
            return BASE.replace("]\nlinks = [\n", '    { id = "%s"  type = "numeric_addition"  inputs = { a = %d }  '
                                'position = [0 90] }\n]\nlinks = [\n    { id = "%sx"  from = "%s"  out = "value"  '
                                'to = "a2"  in = "time" }\n' % (identity, value, identity, identity))

        self.assertEqual(self.merge(with_number("d1", 3), with_number("d2", 4)), [])
        self.assertRegex(self.compile(check=1).stderr, r"flow/door\.flow:\d+:\d+: .*time.*")

    def test_elements_without_ids_get_their_own(self):
        write(self.result, BASE.replace('{ id = "b2"  ', "{ "))
        cuttle("ids", self.project, check=0)
        text = read(self.result)
        self.assertRegex(text, r'\{\s*id = "[0-9a-f-]{36}"\s+from = "a2"')
        self.compile()


LAMP = '''components = [
    { id = "42a68fec-c75a-43c4-8d0d-866b16519537"  type = "transform" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519538"  type = "flow"  graph = "flow/lamp" }
]
'''

TALL_LAMP = '''inherit = "units/lamp"
components = [ { id = "42a68fec-c75a-43c4-8d0d-866b16519538"  graph = "flow/lamp" } ]
'''

LEVEL = '''units = [ { id = "36480de2-bd5c-4366-b517-da60fb69e070"  unit = "units/lamp" } ]
flow = "flow/lamp"
'''

LAMP_GRAPH = '''nodes = [
    { id = "a1"  type = "external_in_event"  inputs = { name = "go" } }
    { id = "a2"  type = "external_out_event"  inputs = { name = "flow/lamp" } }
]
links = [ { id = "b1"  from = "a1"  out = "out"  to = "a2"  in = "in" } ]
'''

USER = '''nodes = [
    { id = "a1"  type = "level_loaded" }
    { id = "a2"  type = "graph"  graph = "flow/lamp" } // flow/lamp
    { id = "a3"  type = "spawn_unit_on_position"  inputs = { unit = "units/lamp" } }
    { id = "a4"  type = "debug_print"  inputs = { label = "units/lamp"  text = "flow/lamp" } }
]
links = [
    { id = "b1"  from = "a1"  out = "out"  to = "a2"  in = "go" }
    { id = "b2"  from = "a1"  out = "out"  to = "a3"  in = "spawn" }
    { id = "b3"  from = "a1"  out = "out"  to = "a4"  in = "in" }
]
'''


class Move(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        for name, text in (("units/lamp.unit", LAMP), ("units/tall_lamp.unit", TALL_LAMP),
                           ("levels/yard.level", LEVEL), ("flow/lamp.flow", LAMP_GRAPH), ("flow/user.flow", USER)):
            write(os.path.join(self.project, *name.split("/")), text)

    def text(self, name):
        return read(os.path.join(self.project, *name.split("/")))

    def test_units_levels_and_graphs_follow_a_graph(self):
        cuttle("mv", self.project, "flow/lamp.flow", "flow/lights/bulb.flow", check=0)
        self.assertEqual(self.text("flow/lights/bulb.flow"), LAMP_GRAPH)  # a name of an event is no reference
        self.assertEqual(self.text("units/lamp.unit"), LAMP.replace("flow/lamp", "flow/lights/bulb"))
        self.assertEqual(self.text("units/tall_lamp.unit"), TALL_LAMP.replace("flow/lamp", "flow/lights/bulb"))
        self.assertEqual(self.text("levels/yard.level"), LEVEL.replace("flow/lamp", "flow/lights/bulb"))
        self.assertEqual(self.text("flow/user.flow"),
                         USER.replace('graph = "flow/lamp"', 'graph = "flow/lights/bulb"'))
        cuttle("compile", self.project, check=0)

    def test_inputs_that_name_resources_follow(self):
        cuttle("mv", self.project, "units/lamp.unit", "units/lights/bulb.unit", check=0)
        self.assertEqual(self.text("flow/user.flow"),
                         USER.replace('unit = "units/lamp"', 'unit = "units/lights/bulb"'))
        cuttle("compile", self.project, check=0)

    def test_a_graph_that_is_used_is_not_removed(self):
        done = cuttle("rm", self.project, "flow/lamp.flow", check=1)
        for name in ("units/lamp", "levels/yard", "flow/user"):
            self.assertIn(name, done.stderr)
        self.assertEqual(self.text("flow/lamp.flow"), LAMP_GRAPH)

    def test_a_folder_of_graphs_moves(self):
        cuttle("mv", self.project, "flow", "graphs", check=0)
        self.assertIn('graph = "graphs/lamp"', self.text("graphs/user.flow"))
        self.assertIn('flow = "graphs/lamp"', self.text("levels/yard.level"))
        cuttle("compile", self.project, check=0)


if __name__ == "__main__":
    unittest.main()
