"""Examples of docs work as they are written: all Lua compiles and calls functions that exist, and what
the pages on user settings, lights, frames, behaviours and bundling show is done in a new project."""

import glob
import os
import re
import shlex
import shutil
import subprocess
import unittest
import unittest.mock

from support_bundle import HAS_PLAYER
from support_cuttle import ROOT, TemporaryFolder, cuttle, read, write
from support_png import read_png

# Loads each block without running it. `names` are `Module.function` that the block has.
CHECK_ALL = """
local count = 0
for _, block in ipairs(BLOCKS) do
    local chunk, message = loadstring(block.text, "=" .. block.page)
    if not chunk then print("broken: " .. message) end
    for module, name in block.text:gmatch("%f[%w_]([A-Z]%w+)%.([%a_]+)%f[^%w_]") do
        if not block.text:find("function " .. module .. "." .. name, 1, true) and
           type(ENGINE[module]) == "table" and ENGINE[module][name] == nil then
            print("unknown: " .. block.page .. ": " .. module .. "." .. name)
        end
    end
    count = count + 1
end
print("blocks: " .. count)
"""


def page_of(name):
    return read(os.path.join(ROOT, "docs", name))


def section(name, heading):
    """The text below a heading of a page of docs, up to the next."""
    return re.search(rf"(?ms)^##+ {re.escape(heading)}\n(.*?)(?=^##|\Z)", page_of(name))[1]


def blocks(text):
    """(language, text) of each block of code."""
    return re.findall(r"(?ms)^```(\w*)[^\n]*\n(.*?)^```$", text)


class Examples(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.enterContext(unittest.mock.patch.dict(os.environ, XDG_DATA_HOME=self.path("saves")))
        self.project = self.path("mygame")
        cuttle("new", self.project, check=0)

    def put(self, name, text):
        os.makedirs(os.path.dirname(os.path.join(self.project, name)), exist_ok=True)
        write(os.path.join(self.project, name), text)

    def put_named(self, block):
        """Writes a block whose first line is a comment with its file's name."""
        self.put(re.match(r"(?://|--) (\S+?)[,:]?(?: .*)?\n", block)[1], block)

    def add_to_script(self, lua):
        main = os.path.join(self.project, "scripts", "main.lua")
        write(main, read(main) + "\n" + lua)

    def run_game(self, frames=20, *options):
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", "0.1",
                      "--size", "160x90", *options, check=0)
        self.assertNotIn("error", done.stderr)
        return done.stderr + done.stdout

    def picture(self):
        self.run_game(3, "--screenshot", self.path("picture.png"))
        return read_png(self.path("picture.png"))

    def test_lua_of_all_pages_compiles_and_names_functions_that_exist(self):
        found = []
        for path in sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True)):
            found += [(os.path.relpath(path, ROOT), text) for language, text in blocks(read(path))
                      if language == "lua" and "…\n" not in text]
        self.assertGreater(len(found), 20)
        lua = ",\n".join(f"{{ page = {page!r}, text = [==[\n{text}]==] }}" for page, text in found)
        self.put("scripts/main.lua", f"local BLOCKS = {{{lua}}}\nlocal ENGINE = _G\n"
                 "function init()\n" + CHECK_ALL + "end\nfunction update() end\n")
        out = self.run_game(2)
        self.assertNotIn("broken: ", out)
        self.assertNotIn("unknown: ", out)
        self.assertIn(f"blocks: {len(found)}", out)

    def test_a_high_score_is_saved(self):
        [example] = [text for language, text in blocks(section("user_settings.md", "Save a high score"))
                     if language == "lua"]
        main = read(os.path.join(self.project, "scripts", "main.lua"))
        for score, best in ((10, 10), (5, 10), (12, 12)):
            self.put("scripts/main.lua", main + "\n" + example + f"""
local first = init
function init() first() Game.finish({score}) end""")
            self.assertIn(f"score {score}, best {best}", self.run_game(3))

    def test_the_ten_best_are_kept(self):
        [example] = [text for language, text in blocks(section("user_settings.md", "Save a list of the ten best"))
                     if language == "lua"]
        self.add_to_script(example + """
local first = init
function init()
    first()
    for i = 1, 12 do Game.add_score("p" .. i, i) end
    local scores = Application.user_setting("scores")
    print("kept " .. #scores .. ", first " .. Application.user_setting("scores", 1, "name"))
end""")
        self.assertIn("kept 10, first p12", self.run_game(3))

    def test_a_lights_colour(self):
        text = section("materials_and_lights.md", "Change a light's colour")
        unit, override, lua = [text for _, text in blocks(text)]
        before = self.picture()
        level = read(os.path.join(self.project, "levels", "start.level"))
        lamp = '    { id = "89eb3061-b44a-424c-9866-f05870093d3e"  unit = "units/lamp"  position = [-2.6 1.2 2.2] }\n'
        self.assertIn(lamp, level)
        self.put("levels/start.level", level.replace(lamp, override.partition("\n")[2]))
        self.assertNotEqual(self.picture().pixels, before.pixels)
        self.put("levels/start.level", level)
        self.put_named(unit)
        self.assertNotEqual(self.picture().pixels, before.pixels)
        self.add_to_script("""
local first = init
function init()
    first()
    local world = Game.world
    local lamp = World.units_by_resource(world, "units/lamp")[1]
    Light.set_color(Unit.light(lamp, 1), Vector3(1, 0, 0))
""" + lua + """
    local color = Light.color(light)
    print(string.format("color %.2f %.2f %.2f", color.x, color.y, color.z))
end""")
        self.assertIn("color 0.07 0.22 1.00", self.run_game(3))

    def brightness(self):
        pixels = self.picture().pixels
        return sum(pixels) / len(pixels)

    def test_particle_effects(self):
        self.put_named(blocks(page_of("formats/particles.md"))[0][1])
        self.add_to_script("""
local first = init
function init()
    first()
    Game.fire = World.create_particles(Game.world, "fx/fire", Vector3(0, 0, 1))
end
local next_update = update
function update(dt)
    next_update(dt)
    print("particles: " .. World.num_particles(Game.world, Game.fire))
end
""")
        self.assertGreater(int(re.findall(r"particles: (\d+)", self.run_game())[-1]), 20)

    def test_environments(self):
        environment, volume = [text for _, text in blocks(section("environments.md", "Make a cave dark"))]
        made, blend, render = re.split(r"(?m)^-- In (?:init|update|render).*\n", blocks(
            section("environments.md", "Let day become night"))[0][1])[1:]
        data, paint = [text for _, text in blocks(section("environments.md", "Values for one unit"))]
        level = read(os.path.join(self.project, "levels", "start.level"))
        before = self.brightness()
        self.put_named(environment)
        self.put("levels/start.level", level + volume)
        self.assertLess(self.brightness(), before - 30)
        self.put("levels/start.level", level)
        self.put("environments/day.environment", "values = { exposure = 0 }")
        self.put("environments/night.environment", "values = { exposure = -4 }")
        script = read(os.path.join(self.project, "scripts", "main.lua"))
        lua = f"""
local first = init
function init() first() {made} end
local next_update = update
function update(dt) next_update(dt) {blend} end
function render() {render} end
"""
        self.add_to_script(lua)
        self.assertAlmostEqual(self.brightness(), before, delta=10)
        self.add_to_script("local made = init function init() made() Game.time = 60 end")
        self.assertLess(self.brightness(), before - 60)
        self.put("scripts/main.lua", script + lua + f"local made = init function init() made() {paint} end")
        unit = read(os.path.join(self.project, "units", "ball.unit"))
        self.put("units/ball.unit", unit.rstrip()[:-1] + data + "]")
        self.run_game(3)

    def test_a_frame_is_changed(self):
        config, setting, *_ = [text for _, text in blocks(section("rendering.md", "Change what a frame does"))]
        before = self.picture()
        self.put_named(config)
        settings = os.path.join(self.project, "settings.config")
        write(settings, read(settings) + setting)
        after = self.picture()
        # The first pixel is sky, which nothing but the step "clear" draws.
        self.assertNotEqual(after.pixels[:3], before.pixels[:3])
        red, green, blue = after.pixels[:3]
        self.assertGreater(blue, 1.3 * max(red, green))

    def test_many_units(self):
        boot = blocks(section("lua.md", "Write a boot script"))[0][1]
        many = blocks(section("lua.md", "Change many units at once"))[0][1]
        self.put_named(boot)
        self.add_to_script(many + """
local first, before, frame = init, update, 0
function init()
    first()
    Game.make_boids()
    Game.velocities:fill(1)
end
function update(dt)
    Game.move_boids(dt)
    before(dt)
    frame = frame + 1
    if frame == 10 then
        local p = Unit.local_position(Game.boids:get(2), 1)
        print(string.format("boid at %.2f %.2f %.2f", p.x, p.y, p.z))
    end
end""")
        self.assertIn("boid at 3.00 1.00 2.00", self.run_game(12))

    def test_a_behaviour(self):
        guard = blocks(page_of("behaviours.md"))[0][1]
        self.put_named(guard)
        self.put("units/guard.unit", 'components = [ { id = "a"  type = "transform" }\n'
                 '    { id = "b"  type = "script"  script = "behaviours/guard" } ]\n')
        self.add_to_script("""
local first, before = init, update
function init() first() Game.guard = World.spawn_unit(Game.world, "units/guard") end
function update(dt)
    before(dt)
    if Game.time > 1.45 and not Game.said then
        Game.said = true
        print(string.format("guard at %.3f", Unit.local_position(Game.guard, 1).x))
    end
end""")
        out = self.run_game(30)
        # 2 sin(t), after 15 updates or so of 0.1 s.
        self.assertGreater(float(re.search(r"guard at ([-\d.]+)", out)[1]), 1.9)

    @unittest.skipUnless(HAS_PLAYER, "this build has no player")
    def test_a_game_is_shipped(self):
        [commands] = [text for _, text in blocks(section("bundling.md", "Ship a game for Linux"))]
        bundle, play, pack = [line.partition(" #")[0].strip() for line in commands.splitlines()]
        program, *arguments = shlex.split(bundle)
        self.assertEqual(program, "cuttle")
        cuttle(*arguments, cwd=self.path(), check=0)
        done = subprocess.run([os.path.join(self.path(), play), "--headless", "--frames", "3"],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        subprocess.run(shlex.split(pack), cwd=self.path(), check=True, timeout=120)
        archive = shlex.split(pack)[2]
        shutil.unpack_archive(os.path.join(self.path(), archive), self.path("unpacked"))
        self.assertTrue(os.access(self.path("unpacked", "mygame", "mygame"), os.X_OK))


if __name__ == "__main__":
    unittest.main()
