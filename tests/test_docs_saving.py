"""What docs/saving.md shows is done in a project: saving, loading, references, versions, behaviours."""

import os
import re
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, read, write
from test_docs_examples import blocks, section

UNIT = """components = [
    {{ id = "a1"  type = "transform" }}
    {extra}
]
"""


def lua_of(heading):
    return "\n".join(text for language, text in blocks(section("saving.md", heading)) if language == "lua")


class Saving(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.put("units/door.unit", UNIT.format(extra='{ id = "a2"  type = "script"  script = "scripts/door" }'))
        door = lua_of("Save fields of behaviours")
        self.assertIn("return Door", door)
        self.put("scripts/door.lua", door.replace(
            "return Door", "function Door.spawned(self) self.is_open = false end return Door"))
        self.put("boot.package", 'lua = ["*"]\nunit = ["*"]\n')

    def put(self, name, text):
        write(os.path.join(self.project, *name.split("/")), text)

    def run_game(self, lua):
        self.put("scripts/main.lua", lua)
        done = cuttle("run", self.project, "--headless", "--frames", "3", "--size", "16x16", check=0)
        self.assertNotIn("error", done.stderr.lower())
        return done.stdout + done.stderr

    def test_save_load_references_behaviours_and_the_command(self):
        example = lua_of("Save and load a game")
        log = self.run_game(example + """
function init()
    local game = { world = Application.new_world(), score = 7, time = 3 }
    local door = World.spawn_unit(game.world, "units/door", Vector3(1, 2, 3))
    World.update(game.world, 0.1)
    local doors = EntityManager.script_component(game.world)
    ScriptComponent.set_property(doors, ScriptComponent.instances(doors, door), "is_open", true)
    Saves.save(game)
    World.destroy_unit(game.world, door)
    World.spawn_unit(game.world, "units/door", Vector3(9, 9, 9))
    game.score = 0
    print("loaded " .. tostring(Saves.load(game)) .. " score " .. game.score)
    World.update(game.world, 0.1)  -- `spawned` must not come after `load`
    local units = World.units(game.world)
    local x = Unit.world_position(units[1], 1).x
    print("units " .. #units .. " at " .. x .. " open "
        .. tostring(ScriptComponent.get_property(doors, ScriptComponent.instances(doors, units[1]), "is_open")))
    game.hero = units[1]
    do
""" + lua_of("Keep a reference to a unit") + """
    end
    print("hero " .. tostring(game.hero == units[1]))
""" + lua_of("Change the data of a released game").replace("\n", " ") + """
    print("version " .. SaveSystem.version())
    print("folder " .. SaveSystem.folder())
end
function update() end
""")
        for text in ("loaded true score 7", "units 1 at 1 open true", "hero true", "version 3"):
            self.assertIn(text, log)
        folder = re.search(r"folder (\S+)", log)[1]
        self.assertIn('slot1  title "The yard"  version 1  time_played 3',
                      cuttle("save", "list", folder, check=0).stdout)
        shown = cuttle("save", "show", os.path.join(folder, "slot1.save"), check=0).stdout
        self.assertIn('unit = "units/door"', shown)
        self.assertIn("score = 7", shown)

    def test_a_name_in_the_settings_is_that_of_the_folder(self):
        with open(os.path.join(self.project, "settings.config"), "a") as file:
            file.write('user_folder = "My Game"\n')
        log = self.run_game('function init() print("folder " .. SaveSystem.folder()) end\nfunction update() end\n')
        self.assertIn("/cuttle/my_game/saves", log)

    def test_what_changed_in_the_project_is_reported(self):
        script = """
            function init()
                local world = Application.new_world()
                if SaveSystem.exists("changed") then
                    local token, result = SaveSystem.auto_load("changed"), nil
                    repeat result = SaveSystem.progress(token) until result.done
                    for _, problem in ipairs(SaveSystem.load_world(world, result.data.world)) do
                        print("problem: " .. problem)
                    end
                    print("units " .. #World.units(world))
                else
                    World.spawn_unit(world, "units/door")
                    World.spawn_unit(world, "units/gone")
                    SaveSystem.auto_save("changed", { world = SaveSystem.save_world(world) })
                end
            end
            function update() end"""
        self.put("units/gone.unit", UNIT.format(extra=""))
        self.run_game(script)
        os.remove(os.path.join(self.project, "units", "gone.unit"))
        self.put("units/door.unit", UNIT.format(extra='{ id = "a3"  type = "tag"  tags = ["new"] }'))
        log = self.run_game(script)
        self.assertIn('problem: units "units/gone" of the saved world are left out', log)
        self.assertIn("units 1", log)


if __name__ == "__main__":
    unittest.main()
