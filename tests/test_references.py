"""The references that tools find are those that the compiler finds: in the samples, in a project with
every resource type, in a generated one, and in core."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from support_all_types import write_all_types
from support_cuttle import BUILD, LIMIT, ROOT, cuttle, write

COMPARE = os.path.join(BUILD, "tests", "reference_compare")
CORE = os.path.join(ROOT, "core")


class References(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.project = os.path.join(self.folder, "project")

    def compare(self, least):
        """Compiles the project and holds its references to the compiler's, at least so many."""
        cuttle("compile", self.project, check=0)
        data = os.path.join(self.project, ".cuttle", "data", "linux")
        done = subprocess.run([COMPARE, self.project, CORE, data], capture_output=True, text=True,
                              timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreaterEqual(int(done.stdout.split()[0]), least, done.stdout)

    def test_samples(self):
        for name in ("crates", "localised"):
            shutil.copytree(os.path.join(ROOT, "samples", name), self.project,
                            ignore=shutil.ignore_patterns(".cuttle"))
            self.compare(50)
            shutil.rmtree(self.project)

    def test_every_type(self):
        write_all_types(self.project)
        # Overrides that do not say of which type they are, and steps between inherited ones.
        write(os.path.join(self.project, "units/other_placed.unit"),
              'children = [ { id = "a"  unit = "units/with_mesh"  overrides = [ '
              '{ id = "m"  mesh = "core/meshes/sphere"  materials = ["core/materials/error"] } ] } ]\n')
        write(os.path.join(self.project, "units/with_mesh.unit"),
              'components = [ { id = "t"  type = "transform" } '
              '{ id = "m"  type = "mesh"  mesh = "core/meshes/cube" } ]\n')
        write(os.path.join(self.project, "units/heir.unit"),
              'inherit = "units/with_mesh"\n'
              'components = [ { id = "m"  mesh = "core/meshes/plane" } ]\n')
        write(os.path.join(self.project, "units/with_data.unit"),
              'components = [ { id = "d"  type = "data"  values = { drop = {\n'
              '    resource = "units/heir"  type = "unit" } } } ]\n')
        write(os.path.join(self.project, "other_renderer.render_config"),
              'inherit = "core/rendering/renderer"\n'
              'resource_generators = { output = { replace = { tonemap = [\n'
              '    { type = "fullscreen_pass"  shader = "core/shaders/tonemap"\n'
              '      material = "core/materials/tonemap"  inputs = ["hdr"]'
              '  targets = ["back_buffer"] } ] } } }\n')
        self.compare(50)

    def test_generated_project(self):
        subprocess.run([sys.executable, os.path.join(ROOT, "bench", "make_project.py"), self.project,
                        "--resources", "300"], check=True)
        self.compare(500)


if __name__ == "__main__":
    unittest.main()
