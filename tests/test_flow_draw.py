"""`cuttle flow draw`: graphs become pictures, with and without positions; wrong ones are refused."""

import re
import unittest
import xml.etree.ElementTree

from support_cuttle import TemporaryFolder, cuttle, read, write

GRAPH = """
nodes = [
    { id = "a"  type = "unit_spawned"  position = [0 0] }
    { id = "b"  type = "delay"  inputs = { time = 2 }  position = [300 40]  comment = "a < b & c" }
    { id = "c"  type = "numeric_addition"  position = [0 200] }
]
links = [
    { id = "1"  from = "a"  out = "out"  to = "b"  in = "in" }
    { id = "2"  from = "c"  out = "value"  to = "b"  in = "time" }
]
"""


class FlowDraw(TemporaryFolder):
    def draw(self, text, check=0):
        write(self.path("graph.flow"), text)
        return cuttle("flow", "draw", self.path("graph.flow"), "-o", self.path("graph.svg"), check=check)

    def boxes(self):
        """{title: (x, y)} of the boxes of the picture."""
        picture = read(self.path("graph.svg"))
        xml.etree.ElementTree.fromstring(picture)
        return {title: (float(x), float(y)) for x, y, title in
                re.findall(r'<text x="([\d.-]+)" y="([\d.-]+)" class="t">(\w+)</text>', picture)}

    def test_nodes_are_at_their_positions(self):
        self.draw(GRAPH)
        boxes = self.boxes()
        self.assertEqual(set(boxes), {"unit_spawned", "delay", "numeric_addition"})
        self.assertEqual(boxes["delay"][0] - boxes["unit_spawned"][0], 300)
        self.assertEqual(boxes["delay"][1] - boxes["unit_spawned"][1], 40)
        picture = read(self.path("graph.svg"))
        self.assertEqual(picture.count('stroke="#222"'), 1)  # an event
        self.assertEqual(picture.count('stroke="#2f6fd0"'), 1)  # a value
        self.assertIn("time = 2", picture)
        self.assertIn("a &lt; b &amp; c", picture)

    def test_a_graph_without_positions_is_laid_out_in_columns(self):
        self.draw(re.sub(r"position = \[[\d ]+\]", "", GRAPH))
        boxes = self.boxes()
        self.assertEqual(boxes["unit_spawned"][0], boxes["numeric_addition"][0])
        self.assertNotEqual(boxes["unit_spawned"][1], boxes["numeric_addition"][1])
        self.assertGreater(boxes["delay"][0], boxes["unit_spawned"][0])

    def test_a_long_row_of_nodes_takes_little_time(self):
        count = 20000
        self.draw("nodes = [" + "".join(f'{{ id = "{i}"  type = "delay" }}\n' for i in range(count)) +
                  "]\nlinks = [" + "".join(f'{{ id = "{i}"  from = "{i + 1}"  out = "out"  to = "{i}"  in = "in" }}\n'
                                           for i in range(count - 1)) + "]")
        self.assertEqual(read(self.path("graph.svg")).count('stroke="#222"'), count - 1)
        done = self.draw("nodes = [" + '{ id = "a"  type = "delay" }\n' * 65537 + "]", 1)
        self.assertIn("found 65537 nodes, expected at most 65536", done.stderr)

    def test_texts_are_cut_between_characters(self):
        self.draw('nodes = [ { id = "a"  type = "' + "x" + "ä" * 30 + '"  comment = "a\\u0007b"  inputs = { "'
                  + "x" + "ö" * 30 + '" = "' + "€" * 30 + '" } } ]')
        boxes = self.boxes()
        self.assertEqual(list(boxes), ["x" + "ä" * 19])
        self.assertIn("a b", read(self.path("graph.svg")))

    def test_boxes_are_as_wide_as_their_texts(self):
        self.draw('nodes = [ { id = "a"  type = "delay" }\n'
                  '    { id = "b"  type = "play_sound"  inputs = { event = "sounds/a_long_name_of_a_sound" } } ]')
        widths = [float(width) for width in re.findall(r'width="([\d.]+)" height="[\d.]+" rx="5" fill="#fff"',
                                                       read(self.path("graph.svg")))]
        self.assertEqual(widths[0], 150)
        self.assertGreater(widths[1], 6 * len('event = "sounds/a_long_name_of_a_sound"ended'))

    def test_graphs_and_nodes_of_the_project_have_a_colour_and_their_names(self):
        self.draw('nodes = [ { id = "a"  type = "graph"  graph = "flow/lamp" }\n'
                  '    { id = "b"  type = "lua"  nodes = "flow/game"  node = "open_door" } ]')
        picture = read(self.path("graph.svg"))
        self.assertEqual(picture.count('fill="#b8860b"'), 2)
        self.assertIn(">flow/lamp</text>", picture)
        self.assertIn(">open_door</text>", picture)

    def test_loops_are_drawn(self):
        self.draw('nodes = [ { id = "a"  type = "delay" } { id = "b"  type = "delay" } ]\n'
                  'links = [ { id = "1"  from = "a"  out = "out"  to = "b"  in = "in" }\n'
                  '    { id = "2"  from = "b"  out = "out"  to = "a"  in = "in" } ]\n')
        self.assertEqual(read(self.path("graph.svg")).count('stroke="#222"'), 2)

    def test_wrong_graphs_are_refused(self):
        done = self.draw('nodes = []\nlinks = [ { id = "1"  from = "x"  out = "o"  to = "y"  in = "i" } ]', 1)
        self.assertRegex(done.stderr, r'graph\.flow:2:\d+: error: there is no node "x"')
        self.assertIn("graph.flow:1:", self.draw("nodes = 3", 1).stderr)
        self.assertIn("expected draw", cuttle("flow", "paint", "x", check=2).stderr)
        self.assertIn("-o FILE", cuttle("flow", "draw", "x", check=2).stderr)


if __name__ == "__main__":
    unittest.main()
