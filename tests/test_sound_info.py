#!/usr/bin/env python3
"""`cuttle sound info`: what it prints, draws and refuses."""

import json
import math
import os
import struct
import unittest
import wave

import support_png
from support_cuttle import TemporaryFolder, cuttle, write


def write_sine(path, seconds, level, rate=44100, channels=1):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with wave.open(path, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        frames = [int(level * 32767 * math.sin(2 * math.pi * 1000 * i / rate))
                  for i in range(int(seconds * rate))]
        file.writeframes(b"".join(struct.pack("<h", x) * channels for x in frames))


class SoundInfo(TemporaryFolder):
    def game(self, source):
        project = self.compiled_project("game")
        write(os.path.join(project, "sounds/a.sound"), 'source = "sounds/a.wav"\n' + source)
        write_sine(os.path.join(project, "sounds/a.wav"), 1.5, 10 ** (-23 / 20), 48000, 2)
        cuttle("compile", project, check=0)
        return project

    def test_prints_length_loudness_and_size(self):
        project = self.game("loudness = -20 loop = true loop_begin = 0.5")
        lines = cuttle("sound", "info", project, "sounds/a", check=0).stdout.splitlines()
        self.assertEqual(lines[0], "length    1.500 s, 72000 frames at 48000 Hz, stereo")
        self.assertEqual(lines[1], "media     WAV, 16 bit samples, 48000 Hz, 2 channels")
        self.assertEqual(lines[2], "stored    as samples, in memory, 3 chunks")
        self.assertRegex(lines[3], r"^size      289\.\d kB$")
        self.assertEqual(lines[4], "loop      from 0.500 s to 1.500 s")
        self.assertEqual(lines[5], "loudness  -23.0 LUFS, peak -23.0 dB")
        self.assertEqual(lines[6], "gain      +3.0 dB: plays at -20.0 LUFS, peak -20.0 dB")
        self.assertEqual(len(lines), 7)

    def test_prints_json(self):
        project = self.game('store = "vorbis" streamed = true max_rate = 24000')
        found = json.loads(cuttle("sound", "info", project, "sounds/a.sound", "--json",
                                  check=0).stdout)
        self.assertEqual([found[key] for key in ("seconds", "frames", "rate", "channels")],
                         [1.5, 36000, 24000, 2])
        self.assertEqual([found[key] for key in ("store", "streamed", "loops", "gain", "errors")],
                         ["vorbis", True, False, 1, []])
        self.assertEqual([found["media"], found["media_rate"]], ["WAV, 16 bit samples", 48000])
        self.assertAlmostEqual(found["loudness"], -23, delta=0.2)
        self.assertGreater(found["bytes"], found["stream_bytes"])
        self.assertLess(found["stream_bytes"], 36000)

    def test_draws_the_waveform(self):
        project = self.game("loop = true loop_begin = 0.75")
        picture = self.path("a.png")
        cuttle("sound", "info", project, "sounds/a", "--waveform", picture, check=0)
        image = support_png.read_png(picture)
        self.assertEqual((image.width, image.height), (1024, 256))
        self.assertEqual(image.pixel(300, 128), (92, 160, 232))
        self.assertEqual(image.pixel(300, 128 - 8), (92, 160, 232))
        self.assertEqual(image.pixel(300, 128 - 11), (24, 26, 31))
        self.assertEqual(image.pixel(511, 20), (236, 200, 72))

    def test_refuses_pictures_that_cannot_be_written(self):
        project = self.game("")
        found = cuttle("sound", "info", project, "sounds/a", "--waveform",
                       self.path("no", "a.png"), check=1)
        self.assertIn("no/a.png", found.stderr)
        self.assertEqual(found.stdout, "")

    def test_refuses_sounds_that_are_not_there(self):
        project = self.compiled_project("game")
        cuttle("compile", project, check=0)
        found = cuttle("sound", "info", project, "bang", check=1)
        self.assertEqual(found.stderr.splitlines()[0], 'cuttle sound: there is no sound "bang"')
        found = cuttle("sound", "info", project, "bang", "--json", check=1)
        self.assertEqual(json.loads(found.stdout)["errors"][0]["message"],
                         'there is no sound "bang"')

    def test_refuses_other_words(self):
        found = cuttle("sound", "play", "game", "bang", check=2)
        self.assertEqual(found.stderr, 'cuttle sound: found "play"; expected info\n')

    def test_refuses_unknown_platforms(self):
        project = self.compiled_project("game")
        found = cuttle("sound", "info", project, "a", "--platform", "amiga", check=1)
        self.assertIn('unknown platform "amiga"', found.stderr)


if __name__ == "__main__":
    unittest.main()
