"""A project with an effect, and its game in the particle editor's scene, for tests."""

import os
import sys

from support_cuttle import ROOT, Game, TemporaryFolder, write

sys.path.insert(0, os.path.join(ROOT, "tools"))

from particle_client import ParticleClient  # noqa: E402

SPARKS = """variables = { strength = 1 }
emitters = [
    {
        id = "5d3a1d6e-0c6a-4c3b-9a57-0b9d1f9e7c31"  name = "sparks"
        max_particles = 100
        spawn = { rate = 30  shape = { type = "sphere"  radius = 0.3 } }
        birth = {
            lifetime = 1  speed = { value = 1  variable = "strength" }
            size = 0.5  color = [1 0.2 0.05]
        }
        render = { type = "billboard"  material = "core/materials/particle" }
    }
]
"""


class ParticleProject(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.save(SPARKS)

    def save(self, text, name="fx/sparks.particles"):
        write(os.path.join(self.project, name), text)

    def start(self, *arguments):
        return Game(self.project, "--boot", "core/tools/particle_slave", *arguments)

    def connect(self, game):
        client = ParticleClient(game.port)
        self.addCleanup(client.close)
        return client
