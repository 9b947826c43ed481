"""The flexbox layout of widgets (core/gui/layout.lua): the same boxes as in Chromium, what is true of
every layout, and bad input."""

import json
import os
import shutil
import tempfile
import unittest

from support_cuttle import ROOT, Game, compiled_template, read, rounds, write


def lua_value(value):
    """A value of JSON as Lua source."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {lua_value(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "{" + ", ".join(map(lua_value, value)) + "}"
    return json.dumps(value)  # numbers, texts of ASCII, true and false are the same


def lua_cases(cases):
    lines = [f"cases[#cases + 1] = {lua_value(case)}" for case in cases]
    return "\n".join(["local cases = {}", *lines, "return cases", ""])


START = """
Layout = require "core/gui/layout"
Cases = require "layout/cases"
Properties = require "layout/properties"

-- Returns the error of a layout of one box, or "".
function refusal(style, measure, width)
    local is_fine, message = pcall(Layout.compute, { style = style, measure = measure }, width)
    return is_fine and "" or message
end

-- Returns a tree of that many boxes, each in the one before.
function nest(depth, direction)
    local box = { style = { width = 3 }, measure = function() return 3, 4 end }
    for i = 2, depth do
        box = { style = { direction = i % 2 == 0 and direction or "column" }, children = { box } }
    end
    return box
end
"""


class WidgetLayout(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp(prefix="cuttle-test-")
        cls.addClassCleanup(shutil.rmtree, folder, True)
        project = os.path.join(folder, "game")
        shutil.copytree(compiled_template(), project)
        cls.cases = json.loads(read(os.path.join(ROOT, "tests", "gui", "flexbox_cases.json")))["cases"]
        shutil.copytree(os.path.join(ROOT, "tests", "gui", "layout"), os.path.join(project, "layout"))
        write(os.path.join(project, "layout", "flexbox_cases.lua"), lua_cases(cls.cases))
        write(os.path.join(project, "layout", "start.lua"), START)
        write(os.path.join(project, "layout", "start.package"), 'lua = ["layout/*"]\n')
        with open(os.path.join(project, "settings.config"), "a") as file:
            file.write("lua = { time_limit_seconds = 100 }\n")  # other tests use this machine, too
        cls.game = Game(project, "--boot", "layout/start")
        cls.game.__enter__()
        cls.addClassCleanup(cls.game.__exit__, None, None, None)

    def script(self, lua):
        return self.game.console.script(lua)

    def test_boxes_are_where_chromium_puts_them(self):
        self.assertGreater(len(self.cases), 250)
        found = self.script("Cases.run(require 'layout/flexbox_cases')").split("\t")
        self.assertEqual(found, [str(len(self.cases)), ""])

    def test_the_comparison_notices_a_difference(self):
        self.script("wrong = { name = 'wrong', tree = { style = { width = 10, height = 20.03 }, "
                    "expected = { 0, 0, 10, 20 } } }")
        self.assertEqual(self.script("select(2, Cases.run { wrong })"),
                         "wrong: root: found 0 0 10 20.03; expected 0 0 10 20")

    def test_properties_hold_on_random_trees(self):
        # Random trees take other ways each time, which costs the compiler of LuaJIT more than it gains.
        self.script("jit and jit.off()")
        self.addCleanup(self.script, "jit and jit.on()")
        for name in ("results_are_finite", "children_do_not_overlap",
                     "computing_again_changes_nothing", "changes_are_as_new_trees",
                     "added_and_removed_children_count", "moved_children_count"):
            with self.subTest(name):
                count = rounds(100, 2000)
                self.assertEqual(self.script(f"Properties.{name}({count})"), str(count))

    def test_makes_no_garbage_when_called_again(self):
        self.assertEqual(self.script("Properties.garbage_of_a_call()"), "0")

    def test_nested_boxes_cost_no_more_than_their_number(self):
        # 900 boxes that measure, for at most four widths each.
        self.assertLess(int(self.script("Properties.measures_in_a_nest(900)")), 3600)

    def test_trees_of_a_thousand_boxes_in_each_other_are_laid_out(self):
        for direction in ("column", "row"):
            self.script(f"deep = nest(1000, '{direction}') Layout.compute(deep)")
            self.assertEqual(self.script("deep.w, deep.h"), "3\t4")

    def test_deeper_trees_are_refused(self):
        for depth in (1001, 10000):
            found = self.script(f"select(2, pcall(Layout.compute, nest({depth}), 10, 10))")
            self.assertEqual(found, "layout: the tree is deeper than 1000 boxes")

    def test_a_tree_that_contains_itself_is_refused(self):
        self.script("loop = { children = {} } loop.children[1] = loop")
        self.assertIn("deeper than 1000", self.script("select(2, pcall(Layout.compute, loop))"))

    def refusal(self, arguments):
        return self.script(f"refusal({arguments})")

    def test_wrong_numbers_are_refused_with_field_and_value(self):
        length = 'expected a number from 0 to 1e9, a text such as "50%", or "auto"'
        for name in ("width", "height", "min_width", "min_height", "max_width", "max_height", "basis"):
            self.assertEqual(self.refusal("{ %s = -1 }" % name), f"layout: {name}: found -1; {length}")
            self.assertEqual(self.refusal("{ %s = 0/0 }" % name).replace("-nan", "nan"),
                             f"layout: {name}: found nan; {length}")
            self.assertEqual(self.refusal("{ %s = 1/0 }" % name), f"layout: {name}: found inf; {length}")
            self.assertEqual(self.refusal("{ %s = '5px' }" % name),
                             f'layout: {name}: found "5px"; {length}')
            self.assertEqual(self.refusal("{ %s = '-5%%' }" % name),
                             f'layout: {name}: found "-5%"; {length}')
        for name in ("grow", "shrink"):
            self.assertEqual(self.refusal("{ %s = -2 }" % name),
                             f"layout: {name}: found -2; expected a number from 0 to 1e9")
        self.assertIn("layout: aspect: found 0; expected", self.refusal("{ aspect = 0 }"))
        self.assertIn("layout: padding (top): found -3; expected", self.refusal("{ padding = {1, -3} }"))
        self.assertIn("layout: margin (right): found inf", self.refusal("{ margin = {1, 2, 1/0} }"))
        self.assertIn('layout: gap: found "big"; expected', self.refusal("{ gap = 'big' }"))
        self.assertIn("layout: left: found true; expected", self.refusal("{ left = true }"))

    def test_wrong_words_are_refused_with_what_is_expected(self):
        self.assertEqual(self.refusal("{ direction = 'colum' }"),
                         'layout: direction: found "colum"; expected one of column, column_reverse, '
                         "row, row_reverse")
        for name in ("justify", "align", "align_self", "align_content", "position"):
            self.assertIn(f'layout: {name}: found "middle"; expected one of',
                          self.refusal("{ %s = 'middle' }" % name))
        self.assertIn('layout: wrap: found "yes"; expected', self.refusal("{ wrap = 'yes' }"))

    def test_wrong_measures_and_sizes_of_the_root_are_refused(self):
        for value in ("-1, 5", "0/0, 5", "1/0, 5"):
            self.assertIn("a measure function returned", self.refusal("{}, function() return %s end"
                                                                      % value))
        self.assertIn("a measure function returned nil as height",
                      self.refusal("{}, function() return 5 end"))
        self.assertEqual(self.refusal("{}, nil, -4"),
                         "layout: width: found -4; expected a number from 0 to 1e9, or nil")

    def test_a_tree_is_laid_out_once_its_mistake_is_repaired(self):
        self.script("tree = { children = { { style = { width = 5, height = 7 } }, "
                    "{ style = { width = -5 } } } }")
        for _ in range(2):
            self.assertIn("found -5", self.script("select(2, pcall(Layout.compute, tree))"))
        self.script("tree.children[2].style.width = 9 Layout.compute(tree)")
        self.assertEqual(self.script("tree.w, tree.h"), "9\t7")

    def test_extreme_numbers_stay_finite(self):
        self.script("tree = { style = { width = 1e9, direction = 'row', gap = 1e9 }, children = {} } "
                    "for i = 1, 50 do tree.children[i] = { style = { width = 1e9, grow = 1e9, "
                    "shrink = i % 2 * 1e9, aspect = 1e-6, margin = 1e9 } } end Layout.compute(tree)")
        self.assertEqual(self.script("(function() for _, box in ipairs(tree.children) do "
                                     "assert(math.abs(box.x) < 1e15 and box.h <= 1e9) end "
                                     "return 'finite' end)()"), "finite")

    def test_a_box_that_scrolls_knows_the_size_of_its_content(self):
        self.script("list = { style = { scroll = true, width = 50, height = 20, padding = 4, gap = 1 }, "
                    "children = {} } for i = 1, 5 do list.children[i] = { style = { height = 10, "
                    "shrink = 0 } } end Layout.compute(list)")
        self.assertEqual(self.script("list.w, list.h, list.content_w, list.content_h"),
                         "50\t20\t50\t62")


if __name__ == "__main__":
    unittest.main()
