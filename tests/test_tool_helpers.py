"""The helpers for slaves of tools, core/tools: camera, grid, picking, selection and handles, by the viewer that uses
them."""

import os
import unittest

from support_cuttle import Game, TemporaryFolder, write
from support_png import read_png


class Viewer(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        write(os.path.join(self.project, "units", "block.unit"), """
components = [
    { id = "place"  type = "transform" }
    { id = "shape"  type = "mesh"  mesh = "core/meshes/cube"  materials = ["core/materials/default"] }
]
""")
        write(os.path.join(self.project, "boot.package"), 'lua = ["scripts/*"]\nunit = ["units/*"]\n')
        self.game = Game(self.project, "--boot", "core/tools/viewer_slave", "--size", "200x150")
        self.game.__enter__()
        self.addCleanup(self.game.__exit__, None, None, None)
        self.console = self.game.console

    def ask(self, type, **members):
        return self.console.answer(self.console.ask(type=type, **members))

    def place(self):
        return [float(n) for n in self.console.script(
            "local p = Unit.local_position(Viewer.unit, 1); return p.x, p.y, p.z").split("\t")]

    def on_screen(self, lua):
        """The fractions of the picture where a point of the world is."""
        x, y = self.console.script("local p = Camera.world_to_screen(Unit.camera(Viewer.camera.unit, 'camera'), "
                                   f"{lua}); return p.x / 200, p.y / 150").split("\t")
        return {"x": float(x), "y": float(y)}

    def tip(self, x, y, z):
        """The middle of a handle of the unit."""
        return self.on_screen(f"Unit.world_position(Viewer.unit, 1) + Vector3({x}, {y}, {z}) * 0.7 * Vector3.length("
                              "Camera.world_position(Unit.camera(Viewer.camera.unit, 'camera')) - "
                              "Unit.world_position(Viewer.unit, 1)) / 7")

    def show(self):
        self.assertEqual(self.ask("show", unit="units/block")["result"], "showing units/block")

    def test_selects_what_is_under_the_cursor(self):
        self.show()
        hit = self.ask("press", **self.on_screen("Vector3(0, 0, 0)"))["result"]
        self.assertNotEqual(hit, "nothing")
        self.assertEqual(self.console.script("#require('core/tools/selection').units(Viewer.selection)"), "1")
        self.assertEqual(self.ask("press", x=0.01, y=0.01)["result"], "nothing")
        self.assertEqual(self.console.script("#require('core/tools/selection').units(Viewer.selection)"), "0")

    def test_moves_along_one_axis(self):
        self.show()
        for index, axis in enumerate(((1, 0, 0), (0, 1, 0), (0, 0, 1))):
            with self.subTest(axis=axis):
                if self.ask("press", **self.on_screen("Unit.world_position(Viewer.unit, 1) + Vector3(0, 0, 0)"))[
                        "result"] == "nothing":
                    self.fail("the unit was not hit")
                self.ask("release")
                before = self.place()
                handle = self.tip(*axis)
                self.assertEqual(self.ask("press", **handle)["result"], f"handle {index + 1}")
                target = self.tip(*(2 * n for n in axis))
                dragged = self.ask("drag", **target)
                self.assertTrue(dragged["is_held"])
                self.assertTrue(self.ask("release")["was_held"])
                moved = [b - a for a, b in zip(before, self.place())]
                self.assertGreater(moved[index], 0.1)
                self.assertEqual([round(m, 4) for i, m in enumerate(moved) if i != index], [0, 0])
        self.assertFalse(self.ask("drag", x=0.5, y=0.5)["is_held"])

    def test_turns_and_scales(self):
        self.show()
        self.ask("press", **self.on_screen("Vector3(0, 0, 0)"))
        self.ask("mode", mode="scale")
        self.assertEqual(self.ask("press", **self.tip(1, 0, 0))["result"], "handle 1")
        self.ask("drag", **self.tip(2, 0, 0))
        self.ask("release")
        scale = [float(n) for n in self.console.script(
            "local s = Unit.local_scale(Viewer.unit, 1); return s.x, s.y, s.z").split("\t")]
        self.assertGreater(scale[0], 1.2)
        self.assertEqual([round(n, 4) for n in scale[1:]], [1, 1])
        self.ask("mode", mode="rotate")
        size = ("Vector3.length(Camera.world_position(Unit.camera(Viewer.camera.unit, 'camera')) - "
                "Unit.world_position(Viewer.unit, 1)) / 7")
        on_ring = [self.on_screen(f"Unit.world_position(Viewer.unit, 1) + Vector3({c}, {s}, 0) * {size}")
                   for c, s in ((0.8, -0.6), (0.6, -0.8))]
        self.assertEqual(self.ask("press", **on_ring[0])["result"], "handle 3")
        self.ask("drag", **on_ring[1])
        self.ask("release")
        angle = float(self.console.script(
            "Quaternion.angle(Unit.local_rotation(Viewer.unit, 1))"))
        self.assertAlmostEqual(abs(angle), 0.2838, delta=0.02)

    def link(self):
        """Links the unit to one that is turned and larger."""
        self.console.script("Parent = World.spawn_unit(Viewer.world, 'units/block', Vector3(0.2, 0, 0), "
                            "Quaternion(Vector3.normalize(Vector3(1, 2, 3)), 1.1)) "
                            "Unit.set_local_scale(Parent, 1, Vector3(1.5, 1.5, 1.5)) "
                            "World.link_unit(Viewer.world, Viewer.unit, 1, Parent, 1) "
                            "Unit.set_local_position(Viewer.unit, 1, Vector3(0, 0, 0)) "
                            "Unit.set_local_rotation(Viewer.unit, 1, Quaternion(Vector3(0, 1, 0), 0.7))")

    def hold(self, mode):
        """Selects the unit, with handles of a mode."""
        self.console.script("require('core/tools/selection').set(Viewer.selection, {Viewer.unit})")
        self.ask("mode", mode=mode)

    def numbers(self, lua):
        return [float(n) for n in self.console.script(lua).split("\t")]

    def test_linked_units_move_and_turn_in_the_world(self):
        self.show()
        self.link()
        self.hold("move")
        place = "local p = Unit.world_position(Viewer.unit, 1); return p.x, p.y, p.z"
        for index, axis in enumerate(((1, 0, 0), (0, 1, 0), (0, 0, 1))):
            with self.subTest(axis=axis):
                before = self.numbers(place)
                self.assertEqual(self.ask("press", **self.tip(*axis))["result"], f"handle {index + 1}")
                target = self.tip(*(2 * n for n in axis))
                self.ask("drag", **target)
                self.ask("release")
                moved = [b - a for a, b in zip(before, self.numbers(place))]
                self.assertGreater(moved[index], 0.1)
                self.assertEqual([round(abs(m), 3) for i, m in enumerate(moved) if i != index], [0, 0])
        self.hold("rotate")
        size = ("Vector3.length(Camera.world_position(Unit.camera(Viewer.camera.unit, 'camera')) - "
                "Unit.world_position(Viewer.unit, 1)) / 7")
        on_ring = [self.on_screen(f"Unit.world_position(Viewer.unit, 1) + Vector3({c}, {s}, 0) * {size}")
                   for c, s in ((0.8, -0.6), (0.6, -0.8))]
        self.console.script("Before = QuaternionBox(Unit.world_rotation(Viewer.unit, 1))")
        self.assertEqual(self.ask("press", **on_ring[0])["result"], "handle 3")
        self.ask("drag", **on_ring[1])
        self.ask("release")
        x, y, z, angle = self.numbers(
            "local axis, angle = Quaternion.decompose(Quaternion.multiply(Unit.world_rotation(Viewer.unit, 1), "
            "Quaternion.inverse(Before:unbox()))); return axis.x, axis.y, axis.z, angle")
        self.assertAlmostEqual(abs(angle), 0.2838, delta=0.02)
        self.assertEqual([round(abs(n), 2) for n in (x, y, z)], [0, 0, 1])

    def test_turned_units_scale_along_their_own_axes(self):
        self.show()
        self.link()
        self.hold("scale")
        for index, axis in enumerate(((1, 0, 0), (0, 1, 0), (0, 0, 1))):
            with self.subTest(axis=axis):
                self.console.script("Unit.set_local_scale(Viewer.unit, 1, Vector3(1, 1, 1))")
                own = self.numbers(f"local a = Quaternion.rotate(Unit.world_rotation(Viewer.unit, 1), Vector3{axis}); "
                                   "return a.x, a.y, a.z")
                self.assertEqual(self.ask("press", **self.tip(*own))["result"], f"handle {index + 1}")
                target = self.tip(*(2 * n for n in own))
                self.ask("drag", **target)
                self.ask("release")
                scale = self.numbers("local s = Unit.local_scale(Viewer.unit, 1); return s.x, s.y, s.z")
                self.assertAlmostEqual(scale[index], 1.7, delta=0.05)  # by 0.7 of the handle's length
                self.assertEqual([round(n, 3) for i, n in enumerate(scale) if i != index], [1, 1])

    def test_the_camera_turns_comes_nearer_and_moves(self):
        self.show()
        near = self.ask("camera", zoom=0.5)["distance"]
        self.assertAlmostEqual(self.ask("camera", zoom=2)["distance"], 2 * near, places=4)
        self.assertEqual(self.ask("camera", turn=[0, 9])["pitch"], self.ask("camera", turn=[0, 9])["pitch"])
        before = self.console.script("Viewer.camera.point:unbox()")
        self.ask("camera", pan=[0.5, 0])
        self.assertNotEqual(self.console.script("Viewer.camera.point:unbox()"), before)

    def test_draws_the_grid_and_the_handles(self):
        self.show()
        self.ask("camera", zoom=3)
        pictures = []
        for shown in (True, False):
            self.ask("grid", shown=shown)
            path = self.path("shot.png")
            self.console.screenshot(path)
            pictures.append(read_png(path))
        self.assertNotEqual(pictures[0].pixels, pictures[1].pixels)
        self.ask("press", **self.on_screen("Vector3(0, 0, 0)"))
        self.console.screenshot(path)
        self.assertNotEqual(read_png(path).pixels, pictures[1].pixels)

    def test_says_what_it_does_not_know(self):
        for message, error in (({"type": "fly"}, 'knows no message "fly"'), ({"type": "mode", "mode": "bend"}, "expected"),
                               ({"type": "show", "unit": "units/none"}, "units/none")):
            with self.assertRaisesRegex(RuntimeError, error):
                self.ask(**message)
        self.assertEqual(self.console.script("1"), "1")


if __name__ == "__main__":
    unittest.main()
