"""Saved worlds in other runs: what graphs of Flow refer to, behaviours that scripts added, and saves of the
player, which does not know the names of resources."""

import os
import re
import subprocess
import unittest

from support_bundle import BundleFolder, with_player
from support_cuttle import TemporaryFolder, cuttle, write
from support_flow import Graph

LAMP = '''components = [
    { id = "42a68fec-c75a-43c4-8d0d-866b16519537"  type = "transform" }
    { id = "42a68fec-c75a-43c4-8d0d-866b16519538"  type = "flow"  graph = "flow/lamp" }
]
'''
POST = 'components = [ { id = "42a68fec-c75a-43c4-8d0d-866b16519539"  type = "transform" } ]\n'
LEVEL = ('units = [ { id = "36480de2-bd5c-4366-b517-da60fb69e070"  unit = "units/lamp"  position = [1 0 0] } ]\n'
         'flow = "flow/level"\n')
OTHER = 'units = [ { id = "36480de2-bd5c-4366-b517-da60fb69e071"  unit = "units/post" } ]\n'

# Notes where its unit is when `spawned` is called: rows that were loaded before would have moved it.
GUARD = """
local Guard = {}
function Guard:spawned()
    self.count = 0
    Order[#Order + 1] = "spawned at " .. Unit.local_position(self.entity, 1).x
    if not ScriptComponent.lookup(EntityManager.script_component(self.world), self.entity, "helper") then
        ScriptComponent.create(EntityManager.script_component(self.world), self.entity, "helper", "scripts/helper")
    end
    World.spawn_unit(self.world, "units/post", Vector3(50, 0, 0))
end
function Guard:save() return { count = self.count } end
function Guard:load(value)
    self.count = value.count
    Order[#Order + 1] = "load " .. value.count .. " at " .. Unit.local_position(self.entity, 1).x
end
return Guard
"""
HELPER = """
local Helper = {}
function Helper:spawned() Order[#Order + 1] = "helper at " .. Unit.local_position(self.entity, 1).x end
return Helper
"""

# The first run saves, the others load.
MAIN = """
Order = {}
function note(text) print("note", text) end

local function wait(token)
    local result
    repeat result = SaveSystem.progress(token) until result.done
    assert(not result.error, result.error)
    return result.data
end

local function make()
    local world = Application.new_world()
    World.load_level(world, "levels/yard")
    local a, b = World.units_by_resource(world, "units/lamp")[1], World.spawn_unit(world, "units/lamp", Vector3(20, 0, 0))
    Unit.set_local_position(a, 1, Vector3(7, 0, 0))
    Unit.set_flow_variable(a, "friend", b)
    Unit.set_flow_variable(b, "friend", a)
    Unit.flow_event(a, "wait")
    local scripts = EntityManager.script_component(world)
    local guard = ScriptComponent.create(scripts, a, "guard", "scripts/guard")
    for _ = 1, 3 do World.update(world, 0.02) end
    ScriptComponent.state(scripts, guard).count = 3
    local saved = SaveSystem.save_world(world)
    print("hash", SaveSystem.hash(saved))
    wait(SaveSystem.auto_save("one", { world = saved, a = SaveSystem.unit_number(saved, a),
        b = SaveSystem.unit_number(saved, b) }))
end

local function restore()
    for _ = 1, 50 do EntityManager.create() end  -- other ids than in the run that saved
    local data = wait(SaveSystem.auto_load("one"))
    local world = Application.new_world()
    World.load_level(world, "levels/other")
    for _, problem in ipairs(SaveSystem.load_world(world, data.world)) do print("problem", problem) end
    print("hash", SaveSystem.hash(data.world))
    print("hash", SaveSystem.hash(SaveSystem.save_world(world)))
    local a, b = SaveSystem.unit(data.world, data.a), SaveSystem.unit(data.world, data.b)
    print("friends", Unit.flow_variable(a, "friend") == b, Unit.flow_variable(b, "friend") == a)
    print("units", #World.units(world), #World.units_by_resource(world, "units/post"))
    print("order", table.concat(Order, ", "))
    World.update(world, 100)
end

function init()
    if SaveSystem.exists("one") then restore() else make() end
end

function update()
    Application.quit()
end
"""


def write_project(project):
    """Adds what saves and loads to a new project, and compiles it."""
    lamp, level = Graph(), Graph()
    lamp.variable("friend", "unit")
    lamp.node("delay", "delay", time=5)
    lamp.event("wait", "delay", lamp.note("waited", "waited"))
    level.node("loaded", "level_loaded")
    level.node("lamp", "level_unit", unit="36480de2-bd5c-4366-b517-da60fb69e070")
    level.node("keep", "set_unit_variable_of_scope", name="kept", scope="global")
    level.link("lamp.unit", "keep.unit")
    level.chain("loaded", "set:keep:out")
    for name, text in (("flow/lamp.flow", lamp.text()), ("flow/level.flow", level.text()),
                       ("units/lamp.unit", LAMP), ("units/post.unit", POST), ("levels/yard.level", LEVEL),
                       ("levels/other.level", OTHER), ("scripts/guard.lua", GUARD),
                       ("scripts/helper.lua", HELPER), ("scripts/main.lua", MAIN)):
        write(os.path.join(project, *name.split("/")), text)
    with open(os.path.join(project, "settings.config"), "a") as file:
        file.write('user_folder = "saved_worlds"\n')
    cuttle("compile", project, check=0)


class Checks:
    """Runs of the project with a folder of their own for saves."""

    def environment(self):
        return {**os.environ, "XDG_DATA_HOME": self.path("data")}

    def run_project(self):
        done = cuttle("run", self.project, "--headless", "--size", "16x16", "--frames", 3, check=0,
                      env=self.environment())
        return done.stdout + done.stderr

    def hashes(self, log):
        return re.findall(r"hash\t([0-9a-f]{16})", log)

    def check_restored(self, log, saved_hash):
        self.assertEqual(self.hashes(log), [saved_hash, saved_hash], log)
        self.assertIn("friends\ttrue\ttrue", log)
        self.assertIn("note\twaited", log)
        problems = re.findall(r"problem\t(.*)", log)
        self.assertEqual(len(problems), 1, log)
        self.assertIn("is not in the save: it is destroyed", problems[0])
        # Those that `spawned` makes beside the save are gone; its own of the first run is back.
        self.assertIn("units\t3\t1", log)
        self.assertIn("order\tspawned at 1, helper at 1, load 3 at 7\n", log)


class Runs(Checks, TemporaryFolder):
    def test_another_run_restores_the_world(self):
        self.project = self.compiled_project()
        write_project(self.project)
        first, second = self.run_project(), self.run_project()
        self.assertEqual(len(self.hashes(first)), 1, first)
        self.check_restored(second, self.hashes(first)[0])


@with_player
class Player(Checks, BundleFolder):
    def play_bundle(self):
        done = subprocess.run(self.start("--frames", "3"), capture_output=True, text=True, timeout=120,
                              env=self.environment())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_saves_of_the_player_are_loaded_by_the_player_and_by_cuttle_run(self):
        write_project(self.project)
        self.bundle()
        saved = self.hashes(self.play_bundle())
        self.assertEqual(len(saved), 1)
        self.check_restored(self.play_bundle(), saved[0])
        self.check_restored(self.run_project(), saved[0])

    def test_saves_of_cuttle_run_are_loaded_by_the_player(self):
        write_project(self.project)
        self.bundle()
        saved = self.hashes(self.run_project())
        self.assertEqual(len(saved), 1)
        self.check_restored(self.play_bundle(), saved[0])


if __name__ == "__main__":
    unittest.main()
