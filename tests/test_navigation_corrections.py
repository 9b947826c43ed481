"""Corrections of navigation by hand (cuts, areas, links) are kept by their ids: over rebuilds after units
moved, and over a merge of two branches. Those that touch no ground any more are named, not dropped."""

import json
import os
import re
import unittest

from support_cuttle import compiled_template, cuttle, data_folder, folder_bytes, read, write
from test_merge import MergeGit

FLOOR = """components = [
    { id = "t"  type = "transform" }
    { id = "a"  type = "actor"  shapes = [ { id = "s"  type = "box"  position = [0 0 -0.5]  half_size = [10 10 0.5] } ] }
]
"""
LEVEL = """units = [
    { id = "u1"  unit = "floor" }
    { id = "u2"  unit = "floor"  position = [30 0 0] }
    { id = "u3"  unit = "floor"  position = [0 30 0] }
]
volumes = [
    { id = "w1"  name = "pond"  position = [5 5 0]  half_size = [2 2 2] }
    { id = "w2"  name = "gate"  position = [30 0 0]  half_size = [2 2 2] }
    { id = "w3"  name = "mire"  position = [0 30 0]  half_size = [2 2 2] }
]
navigation = "town"
"""
NAVIGATION = """level = "town"  cell_size = 0.25  tile_size = 16
agents = [ { id = "a1"  name = "human"  radius = 0.5 } ]
areas = [
    { id = "r1"  name = "mud"  cost = 3 }
    { id = "r2"  name = "barred"  closed = true }
]
volumes = [
    { id = "v1"  volume = "pond"  cuts = true }
    { id = "v2"  volume = "gate"  area = "barred" }
    { id = "v3"  volume = "mire"  area = "mud" }
]
links = [
    { id = "l1"  kind = "ferry"  from = [8 0 0]  to = [22 0 0]  both_ways = true }
    { id = "l2"  kind = "rope"  from = [0 8 0]  to = [0 22 0] }
]
"""
FLOOR_METRES = 352.5  # of one floor, without the radius and a voxel at its edges
NO_GROUND = re.compile(r"(town\.navigation):(\d+):(\d+): warning: (.*) any more")


class Corrections(MergeGit):
    def setUp(self):
        super().setUp()
        self.game = self.file("game")
        template = compiled_template()
        for name, data in folder_bytes(template).items():
            if not name.startswith("levels"):
                write(os.path.join(self.game, name), data)
        self.source = os.path.join(self.game, "town.navigation")
        self.level = os.path.join(self.game, "town.level")
        write(os.path.join(self.game, "floor.unit"), FLOOR)
        write(os.path.join(self.game, "levels", "start.level"), "units = []\n")
        write(self.level, LEVEL)
        write(self.source, NAVIGATION)

    def compile(self):
        """The corrections that the compiler reports as without ground: lines of the source and what it says."""
        done = cuttle("compile", self.game, check=0)
        return [(int(line), what) for _, line, _, what in NO_GROUND.findall(done.stdout + done.stderr)]

    def human(self):
        found = json.loads(cuttle("navigation", "info", self.game, "town", "--json", check=0).stdout)
        return found["classes"][0]

    def blob(self):
        """The bytes of the compiled navigation: the only ones with its magic and a class of this name."""
        return {name: data for name, data in folder_bytes(data_folder(self.game)).items()
                if b"human" in data and b"ferry" in data}

    def change(self, path, *edits):
        text = read(path)
        for old, new in edits:
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        write(path, text)

    def assert_ground(self, human, floors, mud, barred, holes):
        self.assertAlmostEqual(human["areas"].get("mud", 0), 16 * mud, delta=2)
        self.assertAlmostEqual(human["areas"].get("barred", 0), 16 * barred, delta=2)
        self.assertAlmostEqual(human["square_metres"], FLOOR_METRES * floors - 26 * holes, delta=10)

    def test_stay_when_units_of_the_level_move(self):
        self.assertEqual(self.compile(), [])
        first, blob = self.human(), self.blob()
        self.assertEqual(len(blob), 1)
        self.assert_ground(first, floors=3, mud=1, barred=1, holes=1)
        self.assertEqual((first["links"], first["loose_links"], len(first["islands"])), (2, [], 1))

        # The floor of the gate goes up and away: what was on it is without ground, and stays in the source.
        self.change(self.level, ("position = [30 0 0] }", "position = [30 0 9] }"))
        told = self.compile()
        self.assertEqual([line for line, _ in told], [9, 13])
        self.assertRegex(told[0][1], 'volume "gate" touches no ground')
        self.assertRegex(told[1][1], 'to: "human" has no ground')
        self.assertEqual(read(self.source), NAVIGATION)
        moved = self.human()
        self.assert_ground(moved, floors=3, mud=1, barred=0, holes=1)
        self.assertEqual([(link["kind"], link["has_start"], link["has_end"])
                          for link in moved["loose_links"]], [("ferry", True, False)])
        self.assertEqual(moved["links"], 2)
        shown = cuttle("navigation", "info", self.game, "town", check=0).stdout
        self.assertIn('the link "ferry" from 8 0 0 to 22 0 0 touches no polygon', shown)

        # The floor of the pond is turned by a quarter, and the gate's is back: all are in their places.
        self.change(self.level, ("position = [30 0 9] }", "position = [30 0 0] }"),
                    ('{ id = "u1"  unit = "floor" }',
                     '{ id = "u1"  unit = "floor"  rotation_degrees = [0 0 90] }'))
        self.assertEqual(self.compile(), [])
        self.assert_ground(self.human(), floors=3, mud=1, barred=1, holes=1)
        self.change(self.level, ("  rotation_degrees = [0 0 90]", ""))
        self.assertEqual(self.compile(), [])
        self.assertEqual(self.human(), first)
        self.assertEqual(self.blob(), blob)

    def commit_branch(self, name, level, navigation):
        self.git("checkout", "-q", "-B", name, "main")
        self.change(self.level, *level)
        self.change(self.source, *navigation)
        self.compile()
        self.commit(name)

    def test_of_two_branches_are_merged(self):
        self.compile()
        self.git("init", "-q")
        self.cuttle("merge", "--install-git")
        self.commit("base")
        line = '    {{ id = "{}"  {} }}\n'.format
        ferry = line("l1", 'kind = "ferry"  from = [8 0 0]  to = [22 0 0]  both_ways = true')
        rope = line("l2", 'kind = "rope"  from = [0 8 0]  to = [0 22 0]')
        plank = line("l3", 'kind = "plank"  from = [8 -4 0]  to = [22 -4 0]')
        court = line("v4", 'volume = "court"  cuts = true')
        # They paint the pond, move the ends of both links, and add a link beside them.
        theirs = [('"pond"  cuts = true', '"pond"  area = "mud"'), ("to = [22 0 0]", "to = [22 4 0]"),
                  (rope, plank + rope.replace("[0 22 0]", "[0 23 0]"))]
        # We raise the cost of a link, and put a hole in the place of the mire; our level's units move.
        mine = [("both_ways = true", "both_ways = true  cost = 5"),
                (line("v3", 'volume = "mire"  area = "mud"'), court)]
        self.commit_branch("theirs", [], theirs)
        self.commit_branch("mine", [
            ("position = [30 0 0] }", "position = [31 0 0] }"),
            ("position = [0 30 0] }", "position = [0 30 9] }"),
            ('    { id = "w3"', '    { id = "w4"  name = "court"  position = [-5 -5 0]  half_size = [2 2 2] }\n'
                                '    { id = "w3"')], mine)
        said = self.git("merge", "--no-edit", "theirs")
        self.assertNotIn("CONFLICT", said)
        self.assertNotIn("decision", said)
        expected = NAVIGATION
        for old, new in theirs + mine:
            self.assertEqual(expected.count(old), 1, old)
            expected = expected.replace(old, new)
        self.assertEqual(read(self.source), expected)

        # What we moved away is named: the end of the rope that they have moved.
        told = self.compile()
        self.assertEqual([(line, what[:28]) for line, what in told], [(15, 'to: "human" has no ground wi')])
        self.assertIn('"rope"', expected.splitlines()[told[0][0] - 1])
        human = self.human()
        self.assert_ground(human, floors=3, mud=1, barred=1, holes=1)
        self.assertEqual(human["links"], 3)
        self.assertEqual([(link["kind"], link["to"]) for link in human["loose_links"]],
                         [("rope", [0, 23, 0])])
        self.assertEqual(len(human["islands"]), 2)
        ids = sorted(re.findall(r'id = "([vl]\d)"', read(self.source)))
        self.assertEqual(ids, ["l1", "l2", "l3", "v1", "v2", "v4"])


if __name__ == "__main__":
    unittest.main()
