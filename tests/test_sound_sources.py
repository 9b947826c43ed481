"""Sources of sound: the examples of docs/formats compile, errors name what is meant, circles are refused,
packages hold what events play, and sounds that move are followed."""

import os
import re
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, read, write
from support_wav import wav


class SoundSources(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.path("project")
        self.add_core_data(self.project)
        self.save("settings.config", 'boot_script = "main"  boot_package = "boot"\n')
        self.save("boot.package", 'lua = ["main"]  sound_event = ["*"]\n')
        self.save("main.lua", "return 1\n")
        self.save("sounds/sine.wav", wav(480))
        self.add_sounds("a", "b")

    def save(self, path, text):
        write(os.path.join(self.project, path), text)

    def source(self, path):
        return read(os.path.join(self.project, path))

    def add_sounds(self, *names):
        for name in names:
            self.save(f"sounds/{name}.sound", 'source = "sounds/sine.wav"\n')

    def errors(self):
        done = cuttle("compile", self.project, check=1)
        return done.stderr.replace(self.project + "/", "")

    def test_examples_of_the_formats_compile(self):
        text = "".join(read(os.path.join(ROOT, "docs", "formats", f"{name}.md"))
                       for name in ("sound_event", "sound_bus"))
        blocks = re.findall(r"(?ms)^```\n(.*?)^```$", text)
        names = set(re.findall(r'"sounds/(\w+)"', "".join(blocks)))
        self.add_sounds(*names)
        self.save("sounds/thunder.sound_event", 'play = "sounds/a"\n')
        for number, block in enumerate(blocks):
            named = re.match(r"// (\S+)\n", block)
            self.save(named[1] if named else f"sounds/example{number}.sound_event", block)
        self.assertGreaterEqual(len(blocks), 6)
        done = cuttle("compile", self.project, check=0)
        self.assertNotIn("warning", done.stderr)

    def test_names_that_are_not_there(self):
        self.save("sounds/e.sound_event", 'play = {\n  type = "random"\n  sounds = ["sounds/a"\n"sounds/bb"] }\n'
                  'bus = "efects"\n')
        errors = self.errors()
        self.assertIn('sounds/e.sound_event:5:1: error: there is no bus "efects"; did you mean "effects"?', errors)
        self.save("sounds/e.sound_event", 'play = {\n  type = "random"\n  sounds = ["sounds/a"\n"sounds/bb"] }\n'
                  'markers = [ { id = "1"  at = 1\nevent = "sounds/f" } ]\n')
        errors = self.errors()
        self.assertIn('sounds/e.sound_event:4:1: error: ', errors)
        self.assertIn('sound "sounds/bb" is missing (did you mean "sounds/b"?)', errors)
        self.assertIn('sound_event "sounds/f" is missing', errors)

    def test_events_that_play_each_other(self):
        for name, other in (("x", "y"), ("y", "z"), ("z", "x")):
            self.save(f"sounds/{name}.sound_event", 'play = "sounds/a"\n'
                      f'markers = [ {{ id = "1"  at = 1\nevent = "sounds/{other}" }} ]\n')
        errors = self.errors()
        self.assertIn("sounds/z.sound_event:3:1: error: ", errors)
        self.assertIn("events cannot play each other in a circle: sounds/x: sounds/y: sounds/z: sounds/x", errors)
        self.assertEqual(errors.count("in a circle"), 1)
        self.save("sounds/z.sound_event", 'play = "sounds/b"\n')
        cuttle("compile", self.project, check=0)

    def test_a_change_of_the_buses_is_seen_by_events(self):
        self.save("settings.config", self.source("settings.config") + 'sound = { buses = "mine" }\n')
        self.save("mine.sound_bus", 'buses = [ { id = "1"  name = "master" } '
                  '{ id = "2"  name = "drums"  parent = "master" } ]\n')
        self.save("sounds/e.sound_event", 'play = "sounds/a"\nbus = "drums"\n')
        cuttle("compile", self.project, check=0)
        self.save("mine.sound_bus", self.source("mine.sound_bus").replace('"drums"', '"beats"'))
        self.assertIn('sounds/e.sound_event:2:1: error: there is no bus "drums"', self.errors())

    def test_sounds_that_move_are_followed(self):
        self.save("sounds/e.sound_event", """parameters = { p = 0 }
play = { type = "layers"  nodes = [
    { sound = "sounds/a" }
    { type = "random"  sounds = ["sounds/b" "sounds/a"] }
    { type = "switch"  parameter = "p"  cases = [ { low = 1  play = "sounds/a" } { play = { sound = "sounds/a" } } ] }
    { type = "blend"  parameter = "p"  nodes = [ { at = 0  play = "sounds/a" } { at = 1  play = "sounds/b" } ] }
] }
markers = [ { id = "1"  at = 1  event = "sounds/f" } ]
""")
        self.save("sounds/f.sound_event", 'play = "sounds/a"\n')
        cuttle("mv", self.project, "sounds/a.sound", "noises/first.sound", check=0)
        cuttle("mv", self.project, "sounds/f.sound_event", "noises/f.sound_event", check=0)
        self.assertNotIn('"sounds/a"', self.source("sounds/e.sound_event"))
        self.assertEqual(self.source("sounds/e.sound_event").count('"noises/first"'), 5)
        self.assertIn('event = "noises/f"', self.source("sounds/e.sound_event"))
        self.assertEqual(self.source("noises/f.sound_event"), 'play = "noises/first"\n')
        cuttle("compile", self.project, check=0)

    def test_ids_of_buses_and_markers_are_repaired(self):
        self.save("mine.sound_bus", 'buses = [ { name = "master" } { name = "a"  parent = "master"\n'
                  '  sends = [ { to = "b" } ] } { name = "b"  parent = "master" } ]\n'
                  'snapshots = [ { name = "s"  settings = [ { bus = "a"  volume = 1 } ] } ]\n')
        self.save("sounds/e.sound_event", 'play = "sounds/a"\nmarkers = [ { at = 1  name = "x" } ]\n')
        cuttle("ids", self.project, check=0)
        self.assertEqual(self.source("mine.sound_bus").count("id ="), 6)
        self.assertEqual(self.source("sounds/e.sound_event").count("id ="), 1)
        cuttle("compile", self.project, check=0)


if __name__ == "__main__":
    unittest.main()
