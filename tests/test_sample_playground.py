"""The playground sample: physics end to end, in a game. The stack stands, and falls when it is hit;
the robot walks the whole course, platforms carry it, and plates start what they should.
CUTTLE_UPDATE_GOLDEN=1 writes the golden picture anew."""

import filecmp
import os
import re
import shutil
import subprocess
import sys
import unittest

from support_cuttle import ROOT, Game, TemporaryFolder, cuttle, read, rounds, write
from support_png import difference, is_same, read_png, write_png

STEP = "0.0166666667"
SAMPLE = os.path.join(ROOT, "samples", "playground")
HEADER = os.path.join(ROOT, "tests", "physics", "mover", "course.h")
STATE = re.compile(r"state: robot (\S+) (\S+) (\S+), stations (\d+) of (\d+), plates (\d+), rode (\S+), "
                   r"boxes (\d+), moved (\d+), fallen (\d+), dominoes (\d+) of (\d+), hash (\w{16})")
NAMES = ("x", "y", "z", "stations", "num_stations", "plates", "rode", "boxes", "moved", "fallen",
         "dominoes", "num_dominoes")
COURSE_FOLDERS = ("units/course", "models/course")
COURSE_FILES = ("levels/course.level", "scripts/course_places.lua")


class Playground(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.copy_sample("playground")

    def state(self, frames, *arguments, options=()):
        """What the game says about itself at its end."""
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", STEP,
                      "--size", "64x36", *options, "--", "--unseen", "--state", *arguments, check=0)
        log = done.stdout + done.stderr
        self.assertNotIn("error", log.lower())
        self.assertNotIn("warning", log.lower())
        found = STATE.search(log)
        self.assertTrue(found, log)
        state = {name: float(text) for name, text in zip(NAMES, found.groups())}
        state["hash"] = found[13]
        return state

    def game(self, *arguments):
        return Game(self.project, "--size", "64x36", "--fixed-dt", STEP, "--", "--unseen", "--boxes",
                    "27", *arguments)

    def change_header(self, old, new):
        text = read(HEADER)
        self.assertIn(old, text)
        write(self.path("course.h"), text.replace(old, new))
        return self.path("course.h")

    # --- The stack --------------------------------------------------------------------------------

    def test_the_stack_stands_until_something_hits_it(self):
        state = self.state(300, "--still")
        self.assertEqual(state["boxes"], 1000)
        self.assertEqual((state["moved"], state["fallen"], state["dominoes"]), (0, 0, 0))
        state = self.state(200, "--still", "--boxes", "64", "--throw", "3")
        self.assertEqual(state["boxes"], 64)
        self.assertGreater(state["moved"], 10)

    def test_the_stack_stands_awake_too(self):
        self.edit("units/box.unit", "  starts_asleep = true", "")
        state = self.state(300, "--still", "--boxes", "343")
        self.assertEqual((state["boxes"], state["fallen"]), (343, 0))
        self.assertLess(state["moved"], 10)

    def edit(self, path, old, new):
        text = read(os.path.join(self.project, path))
        self.assertIn(old, text)
        write(os.path.join(self.project, path), text.replace(old, new))

    # --- The course -------------------------------------------------------------------------------

    def test_the_demo_walks_the_whole_course(self):
        state = self.state(4700, "--boxes", "125")
        self.assertEqual(state["stations"], state["num_stations"])
        self.assertEqual(state["plates"], 4)
        self.assertGreater(state["rode"], 7.5)  # 2 m up, 6.3 m across
        self.assertEqual(state["dominoes"], state["num_dominoes"])
        self.assertGreater(state["moved"], 50)  # it throws at the stack at the end
        self.assertAlmostEqual(state["z"], 0.02, places=2)

    def test_without_platforms_the_demo_does_not_get_there(self):
        self.edit("scripts/platforms.lua", "platform.way:unbox() *", "Vector3(0, 0, 0) *")
        state = self.state(4700, "--boxes", "1")
        self.assertLess(state["stations"], state["num_stations"])
        self.assertLess(state["rode"], 1)

    def test_a_platform_carries_who_stands_on_it(self):
        with self.game("--still") as game:
            moved = game.console.script("""
                local platform = require("scripts/platforms").of(Game, "units/course/platform_sideways_1")
                local function place() return Unit.world_position(platform.unit, 1) end
                local mover = Unit.mover(Game.robot.unit)
                Mover.set_position(mover, place() + Vector3(0.5, 0.5, 0.3))
                for i = 1, 30 do update(1 / 60) end
                local from, platform_from = Mover.position(mover), place()
                for i = 1, 400 do update(1 / 60) end
                local off = (Mover.position(mover) - from) - (place() - platform_from)
                return string.format("%.3f %.3f", Vector3.length(off), Vector3.length(place() - platform_from))
                """)
            off, far = (float(text) for text in moved.split())
            self.assertGreater(far, 0.5)
            self.assertLess(off, 0.05)
            self.assertEqual(game.quit(), 0)

    def test_crouching_needs_room_to_stand_up(self):
        with self.game("--still") as game:
            result = game.console.script("""
                local Robot = require("scripts/robot")
                local function go(x, y, crouch)
                    for i = 1, 30 do Robot.move(Game, { x = x, y = y, crouch = crouch }, 1 / 60) end
                    return Game.robot.is_crouched
                end
                local results = { go(0, 0, true), go(0, 0, false), go(0, 0, true) }
                Robot.teleport(Game, 30, 4 - 5, 0.03, 0)  -- in the station "crawl"
                results[4], results[5] = go(0, 0, true), go(0, 0, false)
                for i = 1, #results do results[i] = tostring(results[i]) end
                return table.concat(results, " ")""")
            self.assertEqual(result, "true false true true true")
            self.assertEqual(game.quit(), 0)

    # --- Plates -----------------------------------------------------------------------------------

    def test_a_plate_lets_materials_slide_as_slippery_as_they_are(self):
        with self.game("--still") as game:
            result = game.console.script("""
                local Things = require("scripts/things")
                local function height(material)
                    local unit = World.units_by_resource(Game.world, "units/held_" .. material)[1]
                    return Unit.world_position(unit, 1).z
                end
                local before = { height("ice"), height("wood"), height("rubber") }
                for i = 1, 60 do update(1 / 60) end
                local still = height("ice") == before[1]
                require("scripts/robot").teleport(Game, -14, 5.5, 0.1, 0)  -- on the plate
                for i = 1, 75 do update(1 / 60) end
                return string.format("%s %d %.2f %.2f %.2f", tostring(still), Game.num_plates,
                    before[1] - height("ice"), before[2] - height("wood"), before[3] - height("rubber"))""")
            still, plates, *fallen = result.split()
            ice, wood, rubber = (float(text) for text in fallen)
            self.assertEqual((still, plates), ("true", "1"))
            self.assertGreater(ice, 0.8)
            self.assertGreater(ice, 2 * wood)
            self.assertGreater(wood, rubber + 0.02)
            self.assertLess(abs(rubber), 0.05)
            self.assertEqual(game.quit(), 0)

    def test_a_plate_drops_the_weight_that_throws_a_crate(self):
        with self.game("--still") as game:
            highest = game.console.script("""
                local crate = World.units_by_resource(Game.world, "units/crate")[1]
                local function highest(frames)
                    local z = 0
                    for i = 1, frames do
                        update(1 / 60)
                        z = math.max(z, Unit.world_position(crate, 1).z)
                    end
                    return z
                end
                highest(100)
                local before = highest(60)
                require("scripts/robot").teleport(Game, 10, -14, 0.1, 0)  -- on the plate
                return string.format("%.2f %.2f", before, highest(120))""")
            before, after = (float(text) for text in highest.split())
            self.assertLess(before, 1)
            self.assertGreater(after, 4)
            self.assertEqual(game.quit(), 0)

    def test_starting_over_leaves_nothing_behind(self):
        with self.game() as game:
            before = game.console.script("""
                Game.is_still = true
                Game.start_over()
                World.update(Game.world, 0)
                return #World.entities(Game.world) .. " " .. PhysicsWorld.num_actors(World.physics_world(Game.world))""")
            after = game.console.script("""
                for i = 1, 30 do
                    require("scripts/things").throw(Game, Vector3(-5, -9, 1), Vector3(0.5, 0.86, 0))
                    update(1 / 60)
                end
                Game.start_over()
                World.update(Game.world, 0)
                return #World.entities(Game.world) .. " " .. PhysicsWorld.num_actors(World.physics_world(Game.world))""")
            self.assertEqual(after, before)
            self.assertEqual(game.quit(), 0)

    def memory(self, game):
        """{allocator: live bytes} of physics and of worlds."""
        game.console.send(type="command", id="memory", command="memory")
        answer = game.console.wait_for_message(lambda m: m.get("id") == "memory",
                                               len(game.console.messages))
        rows = [line.split(None, 3) for line in answer["result"].splitlines()[1:]]
        found = {name: int(live) for live, _, _, name in rows
                 if re.search("physics|bullet|world", name)}
        self.assertGreaterEqual(len(found), 3)
        return found

    def test_memory_stays_flat(self):
        play = """
            Game.start_over()
            Game.throws_left = 9
            for i = 1, 200 do
                update(1 / 60)
            end
            Game.start_over()
            World.update(Game.world, 0)"""
        with self.game() as game:
            game.console.send(type="command", command="pause")
            for _ in range(2):
                game.console.script(play)
            before = self.memory(game)
            for _ in range(rounds(3, 100)):
                game.console.script(play)
            for name, live in self.memory(game).items():
                self.assertLessEqual(live, 1.05 * before[name], name)
            self.assertEqual(game.quit(), 0)

    # --- Particles --------------------------------------------------------------------------------

    def test_effects_of_units_play(self):
        with self.game("--still") as game:
            result = game.console.script("""
                for i = 1, 60 do update(1 / 60) end
                local particles = EntityManager.particles_component(Game.world)
                local counts = {}
                for _, name in ipairs({ "fountain", "campfire", "flower_bed", "fireflies", "orb" }) do
                    local unit = World.units_by_resource(Game.world, "units/" .. name)[1]
                    local instance = ParticlesComponent.instances(particles, unit)
                    local effect = ParticlesComponent.effect(particles, instance)
                    counts[#counts + 1] = World.num_particles(Game.world, effect)
                end
                return table.concat(counts, " ")""")
            fountain, fire, rain, fireflies, ribbon = (int(text) for text in result.split())
            self.assertTrue(200 < fountain < 600, result)
            self.assertTrue(40 < fire < 130, result)
            self.assertTrue(100 < rain < 350, result)
            self.assertTrue(6 < fireflies < 21, result)
            self.assertTrue(30 < ribbon < 113, result)
            self.assertEqual(game.quit(), 0)

    def test_water_of_the_fountain_splashes(self):
        with self.game("--still") as game:
            result = game.console.script("""
                for i = 1, 30 do update(1 / 60) end
                local particles = EntityManager.particles_component(Game.world)
                local unit = World.units_by_resource(Game.world, "units/fountain")[1]
                local effect = ParticlesComponent.effect(particles, ParticlesComponent.instances(particles, unit))
                return World.num_particles(Game.world, effect, 4) .. " " .. World.num_particles(Game.world, effect, 5)
                """)
            splashes, ripples = (int(text) for text in result.split())
            self.assertGreater(splashes, 10)
            self.assertGreater(ripples, 5)
            self.assertEqual(game.quit(), 0)

    def test_balls_knock_off_chips_and_fireworks_burst(self):
        with self.game("--still") as game:
            result = game.console.script("""
                local Things = require("scripts/things")
                local function particles_of(start)
                    Game.start_over()
                    for _, name in ipairs({ "fountain", "campfire", "flower_bed", "fireflies", "orb" }) do
                        World.destroy_unit(Game.world, World.units_by_resource(Game.world, "units/" .. name)[1])
                    end
                    for i = 1, 400 do update(1 / 60) end
                    local before = World.num_particles(Game.world)
                    start()
                    local most = 0
                    for i = 1, 100 do
                        update(1 / 60)
                        most = math.max(most, World.num_particles(Game.world))
                    end
                    for i = 1, 400 do update(1 / 60) end
                    return before .. " " .. most .. " " .. World.num_particles(Game.world)
                end
                local throw = particles_of(function()
                    Things.throw(Game, Vector3(0, -4, 0.7), Vector3(0, 1, 0.02))
                end)
                return throw .. " " .. particles_of(function() Things.firework(Game, Vector3(0, -9, 1)) end)""")
            none, chips, no_chips, no_stars, stars, stars_left = (int(text) for text in result.split())
            self.assertEqual((none, no_chips, no_stars, stars_left), (0, 0, 0, 0))
            self.assertGreater(chips, 12)
            self.assertGreaterEqual(stars, 70)
            self.assertNotIn("warning", game.log().lower())
            self.assertEqual(game.quit(), 0)

    def test_effects_look_the_same_in_two_runs(self):
        pictures = []
        for workers in (0, 1):
            path = self.path("shot%d.png" % workers)
            done = cuttle("run", self.project, "--headless", "--frames", 40, "--fixed-dt", STEP, "--size",
                          "160x90", "--workers", workers, "--screenshot", path, "--", "--still", "--station",
                          6, "--boxes", 8, check=0)
            self.assertNotIn("warning", (done.stdout + done.stderr).lower())
            pictures.append(read_png(path).pixels)
        self.assertEqual(pictures[0], pictures[1])

    # --- The same again ---------------------------------------------------------------------------

    def test_two_runs_have_the_same_bits(self):
        first = self.state(300, "--boxes", "216", "--still", "--throw", "9", options=("--workers", 0))
        self.assertGreater(first["moved"], 10)
        self.assertEqual(self.state(300, "--boxes", "216", "--still", "--throw", "9", options=("--workers", 1)), first)
        self.assertNotEqual(self.state(299, "--boxes", "216", "--still", "--throw", "9")["hash"], first["hash"])

    def test_looks_as_it_did(self):
        path = self.path("shot.png")
        cuttle("run", self.project, "--headless", "--frames", 5, "--fixed-dt", STEP, "--size", "320x180",
               "--screenshot", path, "--", "--still", "--station", 2, check=0)
        golden = os.path.join(ROOT, "tests", "golden", "playground.png")
        if os.environ.get("CUTTLE_UPDATE_GOLDEN"):
            write_png(golden, read_png(path))
        self.assertTrue(is_same(read_png(path), read_png(golden)),
                        difference(read_png(path), read_png(golden)))

    # --- The course's source ----------------------------------------------------------------------

    def make_course(self, header):
        """Makes the course from a header in the project copy; returns the files that differ then."""
        made = self.path("made")
        subprocess.run([sys.executable, "-B", os.path.join(SAMPLE, "tools", "make_course.py"), "--header",
                        header, "--output", made], check=True)
        names = list(COURSE_FILES)
        for folder in COURSE_FOLDERS:
            found = set(os.listdir(os.path.join(SAMPLE, folder)))
            found |= set(os.listdir(os.path.join(made, folder)))
            names += [folder + "/" + name for name in sorted(found)]

        def is_equal(name):
            a, b = os.path.join(SAMPLE, name), os.path.join(made, name)
            return os.path.exists(a) and os.path.exists(b) and filecmp.cmp(a, b, shallow=False)

        differing = [name for name in names if not is_equal(name)]
        shutil.rmtree(made)
        return differing

    def test_the_course_is_that_of_the_movers_tests(self):
        self.assertEqual(self.make_course(HEADER), [])
        changed = self.change_header("{.position = {0, 5.15f, 0.3f}, .size = {1, 2.85f, 0.1f}}",
                                     "{.position = {0, 5.25f, 0.3f}, .size = {1, 2.75f, 0.1f}}")
        self.assertEqual(self.make_course(changed),
                         ["units/course/stairs.unit", "models/course/stairs.gltf",
                          "models/course/stairs_shadow.gltf"])
        changed = self.change_header(".velocity = {1.5f, 0.5f, 0}", ".velocity = {1.5f, 0.6f, 0}")
        self.assertEqual(self.make_course(changed), ["units/course/platform_sideways_1.unit"])
        self.assertIn("half_size = [1 2.85 0.1]  position = [0 5.15 0.3]",
                      read(os.path.join(SAMPLE, "units", "course", "stairs.unit")))


if __name__ == "__main__":
    unittest.main()
