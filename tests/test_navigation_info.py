#!/usr/bin/env python3
"""`cuttle navigation info`: what it prints and refuses."""

import json
import os
import unittest

from support_cuttle import TemporaryFolder, cuttle, write

FLOOR = """
components = [ { id = "t"  type = "transform" }
    { id = "a"  type = "actor"  shapes = [ { id = "s"  type = "box"  position = [0 0 -0.5]  half_size = [8 8 0.5] } ] } ]
"""
LEVEL = """
units = [ { id = "u1"  unit = "floor" } { id = "u2"  unit = "floor"  position = [40 0 0] } ]
volumes = [ { id = "v1"  name = "pond"  position = [3 3 0]  half_size = [2 2 2] } ]
"""
NAVIGATION = """
level = "town"  cell_size = 0.25  tile_size = 16
agents = [ { id = "a1"  name = "human"  radius = 0.5 } { id = "a2"  name = "cart"  radius = 1 } ]
areas = [ { id = "r1"  name = "mud"  cost = 3 } { id = "r2"  name = "gate"  closed = true } ]
volumes = [ { id = "v1"  volume = "pond"  area = "mud" } ]
links = [ { id = "l1"  kind = "ferry"  from = [6 0 0]  to = [34 0 0]  both_ways = true  agents = ["human"] }
          { id = "l2"  kind = "ladder"  from = [0 0 0]  to = [0 0 9]  agents = ["human"] } ]
"""


class NavigationInfo(TemporaryFolder):
    def game(self):
        project = self.compiled_project("game")
        for name, text in (("floor.unit", FLOOR), ("town.level", LEVEL),
                           ("town.navigation", NAVIGATION)):
            write(os.path.join(project, name), text)
        cuttle("compile", project, check=0)
        return project

    def test_prints_tiles_areas_islands_and_links(self):
        project = self.game()
        text = cuttle("navigation", "info", project, "town", check=0).stdout
        lines = text.splitlines()
        self.assertRegex(lines[0], r"^size      \d+(\.\d)? kB$")
        self.assertEqual(lines[1], "tiles     of 16 m, made from voxels of 0.25 m by 0.1 m")
        human, cart = text.split("\nclass     ")[1:]
        self.assertTrue(human.startswith("human: radius 0.5 m, height 1.8 m, climb 0.4 m, "
                                         "slope 0.8 rad\n"))
        self.assertRegex(human, r"\n  mud               1\d\.\d m², cost 3\n")
        self.assertIn("  gate              0.0 m², cost 1, closed\n", human)
        # The ferry joins the floors, for people only.
        self.assertRegex(human, r"\nislands   1: 4\d\d\.\d m²\n")
        self.assertIn("links     2, 0 of them found by rules, 1 without ground at an end\n", human)
        self.assertRegex(cart, r"\nislands   2: 1\d\d\.\d m², 1\d\d\.\d m²\n")
        self.assertIn("links     0, 0 of them", cart)
        self.assertEqual(lines[-1], 'warning: the link "ladder" from 0 0 0 to 0 0 9 touches no '
                                    'polygon of "human" where it ends')

    def test_prints_json(self):
        project = self.game()
        found = json.loads(cuttle("navigation", "info", project, "town.navigation", "--json",
                                  check=0).stdout)
        self.assertEqual([found["tile_size"], found["cell_size"], found["errors"]], [16, 0.25, []])
        self.assertEqual(found["areas"][2], {"name": "gate", "cost": 1, "closed": True})
        human, cart = found["classes"]
        self.assertEqual([human["name"], human["links"], cart["links"]], ["human", 2, 0])
        self.assertAlmostEqual(human["square_metres"], 450, delta=20)
        self.assertAlmostEqual(human["areas"]["mud"], 16, delta=1)
        self.assertEqual([len(human["islands"]), len(cart["islands"])], [1, 2])
        self.assertEqual(human["loose_links"],
                         [{"kind": "ladder", "found": False, "from": [0, 0, 0], "to": [0, 0, 9],
                           "has_start": True, "has_end": False}])
        self.assertLess(human["bytes"] + cart["bytes"], found["bytes"])
        self.assertGreater(human["bytes"], 100 * human["tiles"])

    def test_refuses_what_is_not_there(self):
        project = self.compiled_project("game")
        cuttle("compile", project, check=0)
        found = cuttle("navigation", "info", project, "town", check=1)
        self.assertEqual(found.stderr.splitlines()[0],
                         'cuttle navigation: there is no navigation "town"')
        found = cuttle("navigation", "info", project, "town", "--json", check=1)
        self.assertEqual(json.loads(found.stdout)["errors"][0]["message"],
                         'there is no navigation "town"')

    def test_refuses_other_words(self):
        found = cuttle("navigation", "draw", "game", "town", check=2)
        self.assertEqual(found.stderr, 'cuttle navigation: found "draw"; expected info\n')


if __name__ == "__main__":
    unittest.main()
