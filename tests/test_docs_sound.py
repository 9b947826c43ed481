"""docs/sound.md works as it is written: its sources and functions, in a new project."""

import os
import re
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, read, write
from support_sound import write_sine

PAGE = read(os.path.join(ROOT, "docs", "sound.md"))

SCOUT = """components = [
    { id = "pose" type = "transform" }
    { id = "bones" type = "scene_graph" nodes = [ { id = "h" name = "head" position = [0 0 1] } ] }
    { id = "code" type = "script" script = "behaviours/ears" }
]
"""
CHASE = """play = { type = "sound"  sound = "sounds/knock"  loop = true }
bus = "music"  music = { tempo = 120  beats = 4 }
"""


def blocks(heading):
    """The blocks of Lua below one of the page's headings, without the files."""
    text = re.search(rf"(?ms)^## {re.escape(heading)}\n(.*?)(?=^##|\Z)", PAGE)[1]
    found = re.findall(r"(?ms)^```lua\n(.*?)^```$", text)
    return [block for block in found if not block.startswith("-- behaviours/")]


class Sound(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("game")
        cuttle("new", self.project, check=0)
        for block in re.findall(r"(?ms)^```\w*\n(.*?)^```$", PAGE):
            named = re.match(r"(?://|--) (\S+\.\w+)\n", block)
            if named:
                write(os.path.join(self.project, named[1]), block)
        write_sine(os.path.join(self.project, "sounds", "knock.wav"), seconds=0.3)
        write(os.path.join(self.project, "sounds", "chase.sound_event"), CHASE)
        write(os.path.join(self.project, "units", "scout.unit"), SCOUT)
        settings = os.path.join(self.project, "settings.config")
        write(settings, read(settings) + '\nsound = { buses = "sounds/buses" }\n')

    def run_lua(self, at_start, at_end="", frames=61):
        """Runs a game whose `init` goes on with `at_start`; `at_end` runs in the last frame, after
        updates of a sixtieth. Returns what it printed."""
        main = os.path.join(self.project, "scripts", "main.lua")
        write(main, read(main) + f"""
local first = init
function init()
    first()
    {at_start}
end
local next_update, count = update, 0
function update(dt)
    next_update(dt)
    count = count + 1
    if count == {frames - 1} then
        {at_end}
    end
end
function render() end
""")
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", 1 / 60,
                      check=0, env={"XDG_DATA_HOME": self.path("player")})
        self.assertNotIn("error", done.stderr)
        self.assertNotIn("warning", done.stderr)
        return done.stderr + done.stdout

    def test_an_event_plays_with_parameters_and_ends(self):
        printed = self.run_lua(
            "\n".join(blocks("Play a sound") + blocks("Let parameters change it")),
            'print("playing " .. tostring(SoundWorld.is_playing(Game.knock)))', frames=10)
        self.assertIn("playing true", printed)
        printed = self.run_lua("", 'print("playing " .. tostring(SoundWorld.is_playing(Game.knock)))')
        self.assertIn("playing false", printed)

    def test_a_step_is_chosen_and_limited(self):
        printed = self.run_lua("""
            Game.step = SoundWorld.play(Game.world, "sounds/step", nil, { surface = "stone" })
            print("again " .. tostring(SoundWorld.play(Game.world, "sounds/step")))""", """
            print("instances " .. SoundWorld.num_instances(Game.world))""", frames=5)
        self.assertIn("again nil", printed)
        self.assertIn("instances 1", printed)

    def test_it_follows_a_unit_whose_behaviour_hears_of_the_end(self):
        door = os.path.join(self.project, "sounds", "door.sound_event")
        write(door, read(door) + '\nmarkers = [ { id = "m1"  at = 0.1  name = "open" } ]\n')
        printed = self.run_lua(
            'Game.scout = World.spawn_unit(Game.world, "units/scout", Vector3(4, 0, 0))\n' +
            "\n".join(blocks("Let it follow a unit")), """
            local scripts = EntityManager.script_component(Game.world)
            local instance = ScriptComponent.instances(scripts, Game.scout)
            print("heard " .. tostring(ScriptComponent.state(scripts, instance).heard))""", frames=15)
        self.assertIn("heard true", printed)
        printed = self.run_lua("", 'print("alive " .. tostring(Unit.alive(Game.scout)))')
        self.assertIn("alive false", printed)

    def test_a_component_plays(self):
        printed = self.run_lua("""
            Game.bell = World.spawn_unit(Game.world, "units/bell")
            """ + "\n".join(blocks("Give a unit a sound")), """
            print("instances " .. SoundWorld.num_instances(Game.world))
            print("playing " .. tostring(SoundWorld.is_playing(Game.ring)))""", frames=5)
        self.assertIn("instances 1", printed)
        self.assertIn("playing true", printed)

    def test_buses_are_mixed_and_a_players_volume_is_kept(self):
        main = os.path.join(self.project, "scripts", "main.lua")
        before = read(main)
        printed = self.run_lua("\n".join(blocks("Mix")), """
            print("snapshot " .. SoundWorld.snapshot("underwater"))""")
        self.assertIn("snapshot 1", printed)
        write(main, before)
        printed = self.run_lua('print("volume " .. SoundWorld.bus_volume("music"))', frames=2)
        self.assertIn("volume 0.5", printed)

    def test_music_changes(self):
        printed = self.run_lua("""
            Game.song = SoundWorld.play(Game.world, "sounds/chase")
            Game.first = Game.song
            """, """
            """ + "\n".join(blocks("Play music")) + """
            print("changed " .. tostring(Game.song ~= Game.first))""", frames=20)
        self.assertIn("changed true", printed)

    def test_a_parameter_that_the_event_has_not_is_an_error(self):
        bell = os.path.join(self.project, "units", "bell.unit")
        write(bell, read(bell).replace("{ force", "{ froce"))
        done = cuttle("compile", self.project)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('the event has no parameter "froce"; did you mean "force"?',
                      done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
