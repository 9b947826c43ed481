"""The crates sample as a test of the whole engine: it runs, it is deterministic, and its first frame
is the picture in tests/golden. The tolerance of comparisons stands in support_png.py.
CUTTLE_UPDATE_GOLDEN=1 writes the golden picture anew."""

import os
import re
import shutil
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, last_json, read, write
from support_png import (MEAN_LIMIT, PIXEL_SHARE, Picture, difference, is_same, read_png, write_png)

GOLDEN = os.path.join(ROOT, "tests", "golden", "crates_first_frame.png")
STEP = "0.0166666667"
YARD = 13.7  # metres from the middle to the fence in units/floor.unit
SINKS = 0.01  # metres that a crate may be inside what it lies on or leans on


class Crates(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample()

    def run_sample(self, frames, *arguments, size="320x180"):
        """Runs a number of frames; returns the picture of the last, the summary, the log."""
        path = self.path("shot.png")
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", STEP,
                      "--size", size, "--screenshot", path, "--json", "--", *arguments, check=0)
        return read_png(path), last_json(done.stdout), done.stdout + done.stderr

    def state(self, frames, *arguments):
        """What the game says about itself at its end (`-- --state`)."""
        _, _, log = self.run_sample(frames, "--state", *arguments, size="64x36")
        found = re.search(r"state: fox (\S+) (\S+) (\S+), crates (\d+), awake (\d+), moved (\d+), "
                          r"farthest (\S+), lowest (\S+)", log)
        self.assertTrue(found, log)
        return [float(text) for text in found.groups()]

    def edit(self, path, old, new):
        path = os.path.join(self.project, path)
        text = read(path)
        self.assertIn(old, text)
        write(path, text.replace(old, new))

    # --- State ------------------------------------------------------------------------------------

    def test_runs_thirty_frames(self):
        picture, summary, log = self.run_sample(30)
        self.assertEqual(summary["frames"], 30)
        self.assertGreater(summary["entities"], 150)
        self.assertGreater(summary["draws"], 20)
        self.assertLess(summary["draws"], 120)
        self.assertGreater(picture.num_colors(), 2000)
        self.assertNotIn("error", log.lower())

    def test_the_demo_runs_and_pushes_crates(self):
        fox_x, fox_y, fox_z, crates, _, moved, farthest, lowest = self.state(300, "--demo")
        self.assertGreater(abs(fox_x - 1.2) + abs(fox_y + 4.2), 1.0)
        self.assertLessEqual(max(abs(fox_x), abs(fox_y)), YARD)
        self.assertGreaterEqual(fox_z, 0)
        self.assertGreater(crates, 25)
        self.assertGreaterEqual(moved, 3)
        self.assertLessEqual(farthest, YARD - 0.5 + SINKS)
        self.assertGreaterEqual(lowest, 0.5 - SINKS)

    def test_crates_that_nobody_touches_stay_and_sleep(self):
        with Game(self.project, "--size", "64x36", "--fixed-dt", STEP) as game:
            console = game.console
            console.script("Game.is_demo = false; Controls.idle = -1e9; Game.start_over()")
            console.wait_until("require('scripts/crates').num_awake(Game)", "0")
            moved = self.play(game, "wait(60) return farthest_moved()")
            self.assertLess(float(moved), 0.002)

    def test_stacks_stand_awake_too(self):
        self.edit("units/crate.unit", "  starts_asleep = true", "")
        with self.game() as game:
            result = self.play(game, """
                wait(2)
                local Crates = require("scripts/crates")
                local awake = Crates.num_awake(Game)
                wait(400)
                return awake .. " " .. Crates.num_awake(Game) .. " " .. farthest_moved()""")
            awake, awake_later, moved = result.split()
            self.assertGreater(int(awake), 25)
            self.assertEqual(int(awake_later), 0)
            self.assertLess(float(moved), 0.01)

    def play(self, game, code):
        """Runs Lua code that calls the updates itself; returns its result."""
        game.console.send(type="command", command="pause")
        return game.console.script("""
            Game.is_demo, Controls.idle = false, -1e9
            Game.start_over()
            local Player = require("scripts/player")
            local function farthest_moved()
                local farthest = 0
                for _, crate in ipairs(Game.crates) do
                    local way = Actor.position(crate.actor) - crate.first:unbox()
                    farthest = math.max(farthest, Vector3.length(way))
                end
                return farthest
            end
            local function wait(frames) for i = 1, frames do update(1 / 60) end end
            -- Has the fox do what `input` says, in directions of the world.
            local function go(frames, input)
                for i = 1, frames do
                    Game.view.yaw = 0
                    Player.move(Game, input, 1 / 60)
                    World.update(Game.world, 1 / 60)
                end
            end
            local function put_fox(x, y, z)
                Mover.set_position(Unit.mover(Game.player.unit), Vector3(x, y, z))
                go(10, { right = 0, forward = 0 })
            end
            """ + code)

    def game(self):
        return Game(self.project, "--size", "64x36", "--fixed-dt", STEP)

    def test_a_stack_that_is_hit_topples(self):
        with self.game() as game:
            result = self.play(game, """
                wait(150)
                local top  -- of the two crates at 5.2 8
                for _, crate in ipairs(Game.crates) do
                    local p = Actor.position(crate.actor)
                    if math.abs(p.x - 5.2) + math.abs(p.y - 8) < 0.1 and p.z > 1 then top = crate.actor end
                end
                local before, slept = Actor.position(top).z, Actor.is_sleeping(top)
                Actor.push_at(top, Vector3(0, 20, 0), 20, Actor.position(top) + Vector3(0, -0.5, 0.4))
                wait(240)
                local q = Actor.rotation(top)
                return string.format("%.3f %s %.3f %d", before, tostring(slept), Actor.position(top).z,
                    require("scripts/crates").num_toppled(Game))""")
            before, slept, after, toppled = result.split()
            self.assertAlmostEqual(float(before), 1.5, delta=SINKS)
            self.assertEqual(slept, "true")
            self.assertAlmostEqual(float(after), 0.5, delta=SINKS)
            self.assertGreaterEqual(int(toppled), 1)

    def test_the_fox_topples_the_pyramid(self):
        with self.game() as game:
            fallen = self.play(game, """
                put_fox(0, 2.5, 0.05)
                go(240, { right = 0, forward = 1 })
                wait(120)
                local highest = 0
                for _, crate in ipairs(Game.crates) do
                    local p = Actor.position(crate.actor)
                    if math.abs(p.x) < 4 and p.y > 2 and p.y < 7 then highest = math.max(highest, p.z) end
                end
                return string.format("%.2f %d", highest, require("scripts/crates").num_toppled(Game))""")
            highest, toppled = fallen.split()
            self.assertLess(float(highest), 3.2)  # the top was at 3.5
            self.assertGreaterEqual(int(toppled), 4)

    def test_the_fox_stands_on_a_crate_and_jumps_onto_it(self):
        with self.game() as game:
            result = self.play(game, """
                local heights = {}
                local function note() heights[#heights + 1] = string.format("%.2f", Game.player.z) end
                put_fox(4.2, -1.4, 1.3)  -- onto a crate
                go(120, { right = 0, forward = 0 })
                note()
                put_fox(4.2, -3.4, 0.05)  -- before it
                go(12, { right = 0, forward = 1 })
                note()
                go(1, { right = 0, forward = 1, jump = true })
                go(20, { right = 0, forward = 0.7 })
                go(90, { right = 0, forward = 0 })
                note()
                return table.concat(heights, " ")""")
            standing, before, after = (float(text) for text in result.split())
            self.assertAlmostEqual(standing, 1.0, delta=0.03)
            self.assertAlmostEqual(before, 0.0, delta=0.03)
            self.assertAlmostEqual(after, 1.0, delta=0.03)

    def test_more_crates_come_to_rest_on_the_ground(self):
        with self.game() as game:
            self.play(game, """require("scripts/crates").drop(Game, 250)""")
            for _ in range(30):  # a script has 5 seconds
                game.console.script("for i = 1, 20 do update(1 / 60) end")
            result = game.console.script("""return require("scripts/crates").summary(Game)""")
            found = re.match(r"crates (\d+), awake (\d+), .*, farthest (\S+), lowest (\S+)", result)
            crates, awake, farthest, lowest = (float(text) for text in found.groups())
            self.assertGreater(crates, 250)
            self.assertLess(awake, crates / 2)
            self.assertLessEqual(farthest, YARD - 0.5 + SINKS)
            self.assertGreaterEqual(lowest, 0.5 - SINKS)

    def test_crates_fall_from_the_start_with_an_argument(self):
        crates, awake = self.state(30, "--drop", "250")[3:5]
        self.assertGreater(crates, 250)
        self.assertGreaterEqual(awake, 250)

    def test_starting_over_leaves_nothing_behind(self):
        with Game(self.project, "--size", "64x36", "--fixed-dt", STEP) as game:
            console = game.console
            console.send(type="command", command="pause")
            count = ("#World.entities(Game.world) .. ' entities, ' .. "
                     "PhysicsWorld.num_actors(World.physics_world(Game.world)) .. ' actors'")
            before = console.script(count)
            console.script("require('scripts/crates').drop(Game, 100); World.update(Game.world, 0)")
            self.assertNotEqual(console.script(count), before)
            console.script("Game.start_over(); World.update(Game.world, 0)")
            self.assertEqual(console.script(count), before)

    def test_a_saved_game_comes_back_also_in_another_run(self):
        state = """(require("scripts/crates").summary(Game) .. " "
            .. SaveSystem.hash(SaveSystem.save_world(Game.world)))"""
        wait = "for _ = 1, {} do World.update(Game.world, 1 / 60) end "
        with self.game() as game:
            console = game.console
            console.send(type="command", command="pause")
            console.script("require('scripts/crates').drop(Game, 20) " + wait.format(90))
            before = console.script(state)
            console.script("require('scripts/saves').save(Game) require('scripts/crates').drop(Game, 7) "
                           + wait.format(60))
            self.assertNotEqual(console.script(state), before)
            self.assertEqual(console.script("require('scripts/saves').load(Game)"), "true")
            self.assertEqual(console.script(state), before)
        with self.game() as game:
            game.console.send(type="command", command="pause")
            self.assertEqual(game.console.script("require('scripts/saves').load(Game)"), "true")
            self.assertEqual(game.console.script(state), before)

    def test_a_saved_game_comes_back_without_what_cannot_be_restored(self):
        with self.game() as game:
            result = self.play(game, """
                local Saves, Hud = require("scripts/saves"), require("scripts/hud")
                wait(10)
                Saves.save(Game)
                Hud.spawn(Game)
                local unit, load_world = SaveSystem.unit, SaveSystem.load_world
                SaveSystem.unit = function() return nil end
                SaveSystem.load_world = function(...)
                    load_world(...)
                    return { "units/old does not exist" }
                end
                local is_loaded, fox = Saves.load(Game), Game.player.unit
                SaveSystem.unit, SaveSystem.load_world = unit, load_world
                wait(5)
                Hud.draw(Game)
                local second = Saves.load(Game)  -- with the units that were made
                wait(5)
                return string.format("%s %s %d %s | %s", tostring(is_loaded), tostring(second), #Game.crates,
                    tostring(Unit.alive(Game.camera_unit) and Unit.alive(Game.player.shadow)),
                    tostring(Game.hud.notice))""")
            self.assertRegex(result, r"true true [1-9]\d* true \| Some things could not be restored: 1")
            self.assertIn("not restored: units/old does not exist", game.log())

    def test_moving_crates_are_few_draws(self):
        _, summary, _ = self.run_sample(12, "--crates", "400")
        self.assertGreaterEqual(summary["entities"], 400)
        self.assertLessEqual(summary["draws"], 10)

    def test_the_driver_makes_its_shaders_once(self):
        # Mesa's CPU driver made one again for each direction of the camera (core/shaders/include/particle.glsl).
        shaders, counts = self.path("shaders"), []
        for frames in (90, 130):
            cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", STEP, "--size", "64x36",
                   env={"MESA_SHADER_CACHE_DIR": shaders}, check=0)
            counts.append(sum(len(names) for _, _, names in os.walk(shaders)))
        self.assertLess(counts[1] - counts[0], 10)

    def test_two_runs_are_the_same(self):
        first, _, first_log = self.run_sample(40, "--demo", "--state")
        second, _, second_log = self.run_sample(40, "--demo", "--state")
        state = re.search("state: .*", first_log).group()
        self.assertIn(state, second_log)
        self.assertEqual(first.pixels, second.pixels)

    # --- Dust and splinters -----------------------------------------------------------------------

    def impacts(self, game, code):
        """Runs Lua code; returns the effects that hits have started in all, and those that play."""
        result = self.play(game, code + """
            return Game.impacts.count .. " " .. World.num_particles(Game.world)""")
        return [int(number) for number in result.split()]

    def test_crates_at_rest_make_no_dust(self):
        with self.game() as game:
            self.assertEqual(self.impacts(game, "wait(120)"), [0, 0])

    def test_a_crate_that_falls_makes_dust_and_splinters_that_end(self):
        drop = """
            local Crates = require("scripts/crates")
            Crates.drop(Game, 1)
            local most = 0
            for i = 1, 90 do
                update(1 / 60)
                most = math.max(most, World.num_particles(Game.world))
            end
            """
        with self.game() as game:
            count, most = self.play(game, drop + "return Game.impacts.count .. ' ' .. most").split()
            self.assertGreaterEqual(int(count), 1)
            self.assertGreater(int(most), 10)
            count, living = self.impacts(game, drop + "wait(600)")
            self.assertGreaterEqual(count, 1)
            self.assertEqual(living, 0)
            self.assertNotIn("warning", game.log().lower())

    def test_harder_hits_make_more(self):
        with self.game() as game:
            result = self.play(game, """
                local Impacts = require("scripts/impacts")
                local function particles(amount)
                    local before = World.num_particles(Game.world)
                    Impacts.start(Game, Vector3(0, -8, 0.1), amount)
                    wait(10)
                    return World.num_particles(Game.world) - before
                end
                return particles(0.25) .. " " .. particles(1)""")
            few, many = (int(text) for text in result.split())
            self.assertGreater(few, 2)
            self.assertGreater(many, 2 * few)

    def test_a_falling_pile_makes_few_effects(self):
        with self.game() as game:
            count, living = self.impacts(
                game, "require('scripts/crates').drop(Game, 250) wait(150)")
            self.assertGreater(count, 15)
            self.assertLessEqual(count, 20 + 2.5 * 20)
            self.assertLess(living, 70 * 30)

    def test_two_runs_with_hits_are_the_same(self):
        first, _, _ = self.run_sample(72, "--drop", "12", size="160x90")
        second, _, _ = self.run_sample(72, "--drop", "12", size="160x90")
        self.assertEqual(first.pixels, second.pixels)

    # --- Sounds -----------------------------------------------------------------------------------

    SOUNDS = """
        local Sounds = require("scripts/sounds")
        local function count() return SoundWorld.num_instances(Game.world) end
        -- The share of its power that a second has in the highest part, and its loudest sample.
        local function listen(seconds)
            local samples, loudest, power, changes = SoundWorld.render(seconds), 0, 0, 0
            for i = 3, samples:size() do
                local sample = samples:get(i)
                loudest = math.max(loudest, math.abs(sample))
                power = power + sample ^ 2
                changes = changes + (sample - samples:get(i - 2)) ^ 2
            end
            return changes / power, loudest
        end
        """

    def test_music_and_wind_play_from_the_start(self):
        with self.game() as game:
            result = self.play(game, self.SOUNDS + """
                wait(2)
                listen(3)  -- they fade in
                local _, loudest = listen(1)
                return count() .. " " .. loudest""")
            count, loudest = result.split()
            self.assertEqual(int(count), 2)
            self.assertGreater(float(loudest), 0.01)
            self.assertLess(float(loudest), 0.9)
            self.assertNotIn("warning", game.log().lower())

    def test_the_surface_below_the_fox_decides_about_its_steps(self):
        with self.game() as game:
            result = self.play(game, self.SOUNDS + """
                put_fox(4.2, -1.4, 1.3)  -- onto a crate
                go(60, { right = 0, forward = 0 })
                local above = Sounds.surface(Game)
                put_fox(0, -8, 0.1)
                return above .. " " .. Sounds.surface(Game)""")
            self.assertEqual(result, "wood stone")

    def test_a_running_fox_makes_steps_and_one_that_stands_none(self):
        with self.game() as game:
            result = self.play(game, self.SOUNDS + """
                local function steps(forward)
                    local most = 0
                    for i = 1, 60 do
                        go(1, { right = 0, forward = forward })
                        Sounds.follow(Game, 1 / 60)
                        most = math.max(most, count() - 2)
                    end
                    return most
                end
                put_fox(0, -8, 0.05)
                return steps(0) .. " " .. steps(1)""")
            standing, running = (int(text) for text in result.split())
            self.assertEqual(standing, 0)
            self.assertGreaterEqual(running, 1)

    def test_harder_hits_sound_louder_and_brighter(self):
        with self.game() as game:
            result = self.play(game, self.SOUNDS + """
                SoundWorld.stop_all(Game.world, 0)
                wait(1)
                listen(0.5)
                local function hear(force)
                    Sounds.hit(Game, Vector3(0, 0, 0.5), force)
                    World.update(Game.world, 1 / 60)
                    local brightness, loudest = listen(0.6)
                    return string.format("%.6f %.6f", brightness, loudest)
                end
                return hear(60) .. " " .. hear(500)""")
            soft, soft_loudest, hard, hard_loudest = (float(text) for text in result.split())
            self.assertGreater(hard, 1.5 * soft)
            self.assertGreater(hard_loudest, 3 * soft_loudest)

    def test_the_second_layer_of_the_music_comes_in_when_crates_move(self):
        with self.game() as game:
            result = self.play(game, self.SOUNDS + """
                SoundWorld.stop(Game.sounds.wind, 0)
                wait(2)
                listen(3)  -- it fades in
                local function hear(moving)
                    SoundWorld.set_parameter(Game.sounds.music, "moving", moving)
                    SoundWorld.seek(Game.sounds.music, 0)  -- the null clock goes on, too
                    World.update(Game.world, 1 / 60)
                    listen(0.1)
                    return (listen(4.7))
                end
                return string.format("%.6f %.6f", hear(0), hear(30))""")
            calm, lively = (float(text) for text in result.split())
            self.assertGreater(lively, 1.5 * calm)

    # --- Picture ----------------------------------------------------------------------------------

    def first_frame(self):
        return self.run_sample(1, size="640x360")[0]

    def test_the_first_frame_is_the_golden_picture(self):
        picture = self.first_frame()
        if os.environ.get("CUTTLE_UPDATE_GOLDEN"):
            os.makedirs(os.path.dirname(GOLDEN), exist_ok=True)
            write_png(GOLDEN, picture)
        golden = read_png(GOLDEN)
        if not is_same(picture, golden):
            mean, share = difference(picture, golden)
            kept = os.path.join(os.environ.get("CUTTLE_BUILD_DIR", "/tmp"), "crates_first_frame.png")
            shutil.copy(self.path("shot.png"), kept)
            self.fail(f"{kept} differs from {GOLDEN}: mean {mean:.2f} (limit {MEAN_LIMIT}), "
                      f"{100 * share:.2f} % of the pixels (limit {100 * PIXEL_SHARE} %)")

    def test_a_changed_light_fails_the_comparison(self):
        self.edit("units/sun.unit", "intensity = 2.3", "intensity = 1.9")
        self.assertFalse(is_same(self.first_frame(), read_png(GOLDEN)))

    def test_a_changed_material_fails_the_comparison(self):
        self.edit("materials/crate.material", "base_color = [", "base_color = [0.5 0.7 0.9 1] //[")
        self.assertFalse(is_same(self.first_frame(), read_png(GOLDEN)))

    def test_a_missing_part_of_the_picture_fails_the_comparison(self):
        golden = read_png(GOLDEN)
        pixels = bytearray(golden.pixels)
        for y in range(100, 132):  # 32 x 40 pixels: 0.56 %
            start = (y * golden.width + 200) * 3
            pixels[start:start + 120] = bytes(255 - x for x in pixels[start:start + 120])
        self.assertFalse(is_same(Picture(golden.width, golden.height, pixels), golden))


if __name__ == "__main__":
    unittest.main()
