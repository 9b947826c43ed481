"""Saving what the engine's frame is made of while a sample runs with all of it switched on: each
shader of a pass is taken at once, the picture stays as it was, and a size and a value show."""

import os
import re
import shutil
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, read, rounds, write
from support_png import read_png

SETTINGS = """
render_config = "rendering/own"
render_preset = "ultra"
render_settings = { auto_exposure = true  grading = true  depth_of_field = true  motion_blur = true }
"""

OWN = """
inherit = "core/rendering/renderer"
global_resources = [
    { name = "bloom"  format = "RGBA16F"  scale = [0.5 0.5]  mips = 7 }
]
"""

# Never true, but the compiler does not know.
NEVER = {"fragment": "if (gl_FragCoord.x < -1.0) discard;",
         "compute": "if (gl_GlobalInvocationID.x > 100000000u) return;"}


def changed(text):
    """The text of a shader with another fragment or compute stage."""
    stage = "compute" if re.search(r"^compute = ", text, re.M) else "fragment"
    start = text.index(f"{stage} = ")
    main = text.index("void main() {", start) + len("void main() {")
    return text[:main] + "\n    " + NEVER[stage] + text[main:]


class FrameReload(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample()
        self.core = self.path("core")
        shutil.copytree(os.path.join(ROOT, "core"), self.core)
        settings = os.path.join(self.project, "settings.config")
        write(settings, read(settings) + SETTINGS)
        write(self.own(), OWN)

    def own(self):
        return os.path.join(self.project, "rendering", "own.render_config")

    def shaders(self):
        config = read(os.path.join(self.core, "rendering", "renderer.render_config"))
        names = set(re.findall(r'shader = "core/(shaders/[a-z_]+)"', config))
        self.assertGreater(len(names), 20)
        return [os.path.join(self.core, f"{name}.shader") for name in sorted(names)]

    def picture(self, game, number=[0]):
        number[0] += 1
        return read_png(game.console.screenshot(self.path(f"shot{number[0]}.png"))).pixels

    def reload(self, game, path, text):
        since = len(game.console.messages)
        write(path, text)
        game.console.wait_for_message(lambda m: "reloaded" in m.get("message", ""), since)

    def wait_for(self, game, is_right):
        for _ in range(200):
            if is_right(self.picture(game)):
                return
        self.fail("the picture did not change")

    def test_everything_that_a_frame_is_made_of_can_be_saved(self):
        with Game(self.project, "--size", "160x90", "--fixed-dt", "0.01",
                  env={"CUTTLE_CORE": self.core}) as game:
            console = game.console
            console.wait_until("World.time(Application.main_world()) > 0.1", "true")
            console.send(type="command", command="pause")
            for _ in range(rounds(1, 20)):
                for path in self.shaders():
                    text = read(path)
                    self.reload(game, path, changed(text))
                    self.reload(game, path, text)
            before = self.picture(game)
            # A target's size and the strength of what is drawn to it.
            self.reload(game, self.own(), OWN.replace("[0.5 0.5]", "[0.25 0.25]"))
            self.picture(game)
            console.script("Application.set_render_setting('bloom_strength', 0.9)")
            self.wait_for(game, lambda now: now != before)
            # What does not compile changes nothing, and says where it is wrong.
            since = len(console.messages)
            write(self.own(), OWN.replace("RGBA16F", "RGBA61F"))
            error = console.wait_for_message(lambda m: m.get("level") == "error", since)
            self.assertIn("own.render_config:4", error["message"])
            self.picture(game)
            log = game.log()
            self.assertNotIn("Validation", log)
            self.assertNotIn("not_drawn", log)


if __name__ == "__main__":
    unittest.main()
