#!/usr/bin/env python3
"""`cuttle animation info`: what it refuses."""

import json
import unittest

from support_cuttle import TemporaryFolder, cuttle


class AnimationInfo(TemporaryFolder):
    def test_refuses_clips_that_are_not_there(self):
        project = self.compiled_project("game")
        cuttle("compile", project, check=0)
        found = cuttle("animation", "info", project, "fox/run", check=1)
        self.assertEqual(found.stderr.splitlines()[0],
                         'cuttle animation: there is no animation "fox/run"')
        found = cuttle("animation", "info", project, "fox/run", "--json", check=1)
        self.assertEqual(json.loads(found.stdout)["errors"][0]["message"],
                         'there is no animation "fox/run"')

    def test_refuses_other_words(self):
        found = cuttle("animation", "list", "game", "fox/run", check=2)
        self.assertEqual(found.stderr, 'cuttle animation: found "list"; expected info\n')

    def test_refuses_unknown_platforms(self):
        project = self.compiled_project("game")
        found = cuttle("animation", "info", project, "a", "--platform", "amiga", check=1)
        self.assertIn('unknown platform "amiga"', found.stderr)


if __name__ == "__main__":
    unittest.main()
