"""How often the game is updated in a frame, by each policy, in a running game."""

import time
import unittest

from support_cuttle import Game, TemporaryFolder, read, write

COUNT = """
updates, renders, longest, shortest = 0, 0, 0, 1e9
update = function(dt)
    updates = updates + 1
    longest, shortest = math.max(longest, dt), math.min(shortest, dt)
end
render = function()
    renders = renders + 1
    interpolation = Application.time_step_interpolation()
end
"""


class TimeStep(TemporaryFolder):
    def counts(self, game, policy, least_renders=20):
        """What COUNT counts over some frames of a policy: (updates, renders, longest, shortest)."""
        game.console.script(policy)
        game.console.script(COUNT)
        end = time.monotonic() + 120
        while True:
            values = game.console.script("updates, renders, longest, shortest, interpolation")
            counts = [float(v) for v in values.split("\t") if v != "nil"]
            if len(counts) == 5 and counts[1] >= least_renders:
                return counts
            self.assertLess(time.monotonic(), end, values)

    def test_policies_make_none_one_or_many_updates_in_a_frame(self):
        project = self.new_project()
        settings = self.path("game", "settings.config")
        write(settings, read(settings) +
              'time_step = { policy = "fixed" seconds = 0.0005 max_steps = 4 }\n')
        with Game(project) as game:
            # Frames are longer than 4 steps, so each makes 4.
            updates, renders, longest, shortest, _ = self.counts(game, "return 1")
            self.assertAlmostEqual(updates / renders, 4, delta=0.5)
            self.assertEqual((longest, shortest), (0.0005, 0.0005))
            # Steps longer than frames: most frames have none, and pictures lie between.
            updates, renders, longest, shortest, interpolation = self.counts(
                game, "Application.set_time_step_policy('fixed', 0.25)", least_renders=60)
            self.assertLess(updates, renders)
            self.assertGreater(updates, 0)
            self.assertEqual((longest, shortest), (0.25, 0.25))
            self.assertTrue(0 <= interpolation < 1)
            updates, renders, longest, shortest, interpolation = self.counts(
                game, "Application.set_time_step_policy('locked', 0.125)")
            self.assertAlmostEqual(updates, renders, delta=1)
            self.assertEqual((longest, shortest, interpolation), (0.125, 0.125, 1))
            updates, renders, longest, shortest, _ = self.counts(
                game, "Application.set_time_step_policy('variable', 0.001)")
            self.assertAlmostEqual(updates, renders, delta=1)
            self.assertEqual(longest, 0.001)  # what frames are cut to
            self.assertEqual(game.quit(), 0)


if __name__ == "__main__":
    unittest.main()
