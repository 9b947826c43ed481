"""`cuttle compile`: incremental, parallel, deterministic, unharmed by kills and bad input."""

import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from support_cuttle import (BUILD, CUTTLE, TemporaryFolder, cuttle, data_folder, folder_bytes,
                            last_json, read, rounds, write)


class Compile(TemporaryFolder):
    def compile(self, project, *arguments, check=0):
        return last_json(cuttle("compile", project, "--json", *arguments, check=check).stdout)

    def test_compiles_only_what_changed(self):
        project = self.copy_sample(with_core_data=False)
        first = self.compile(project)
        self.assertEqual((first["failed"], first["up_to_date"], first["errors"]), (0, 0, []))
        self.assertGreater(first["compiled"], 20)
        again = self.compile(project)
        self.assertEqual((again["compiled"], again["failed"]), (0, 0))
        self.assertEqual(again["up_to_date"], first["compiled"])
        script = os.path.join(project, "scripts", "main.lua")
        write(script, read(script) + "\n-- changed\n")
        changed = self.compile(project)
        self.assertEqual((changed["compiled"], changed["up_to_date"]), (1, first["compiled"] - 1))

    def test_workers_start_without_libraries_that_few_need(self):
        dynamic = subprocess.run(["readelf", "-dW", os.path.join(BUILD, "cuttle-worker")],
                                 capture_output=True, text=True, check=True).stdout
        self.assertIn("NEEDED", dynamic)
        for library in ("assimp", "spirv-cross"):
            self.assertNotIn(library, dynamic)

    def test_touching_a_file_compiles_nothing(self):
        project = self.compiled_project()
        self.compile(project)
        for place, folders, names in os.walk(project):
            folders[:] = [f for f in folders if not f.startswith(".")]
            for name in names:
                os.utime(os.path.join(place, name))
        self.assertEqual(self.compile(project)["compiled"], 0)

    def test_says_what_it_did_in_one_line(self):
        project = self.new_project()
        done = cuttle("compile", project, check=0)
        self.assertRegex(done.stdout, r"^compiled \d+, up to date 0, failed 0 in [\d.]+ s\n$")
        self.assertEqual(done.stderr, "")

    def test_jobs_do_not_change_the_data(self):
        project = self.copy_sample()
        self.compile(project, "--jobs", "1", "--data-dir", self.path("one"))
        self.compile(project, "--jobs", "2", "--data-dir", self.path("two"))
        self.assertEqual(folder_bytes(self.path("one")), folder_bytes(self.path("two")))

    def test_incremental_equals_fresh(self):
        project = self.compiled_project()
        self.compile(project)
        write(os.path.join(project, "scripts", "extra.lua"), "return 1\n")
        self.compile(project)
        os.remove(os.path.join(project, "scripts", "extra.lua"))
        write(os.path.join(project, "scripts", "other.lua"), "return 2\n")
        self.compile(project)
        self.compile(project, "--data-dir", self.path("fresh"))
        self.assertEqual(folder_bytes(data_folder(project)), folder_bytes(self.path("fresh")))

    def test_damaged_and_missing_data_is_made_anew(self):
        project = self.compiled_project()
        self.compile(project)
        good = folder_bytes(data_folder(project))
        names = sorted(n for n in good if n != "index")
        os.remove(os.path.join(data_folder(project), names[0]))
        damaged = bytearray(good[names[1]])
        damaged[len(damaged) // 2] ^= 1
        write(os.path.join(data_folder(project), names[1]), bytes(damaged))
        write(os.path.join(data_folder(project), names[2]), good[names[2]][:40])
        self.assertEqual(self.compile(project)["compiled"], 3)
        self.assertEqual(folder_bytes(data_folder(project)), good)

    def test_killed_at_any_moment_it_ends_with_the_same_data(self):
        project = self.new_project()
        start = time.monotonic()
        self.compile(project, "--data-dir", self.path("whole"))
        whole_seconds = time.monotonic() - start
        whole = folder_bytes(self.path("whole"))
        chance = random.Random(7)
        for number in range(rounds(6, 20)):
            target = self.path(f"killed{number}")
            process = subprocess.Popen([CUTTLE, "compile", project, "--data-dir", target],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, whole_seconds))
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.compile(project, "--data-dir", target)
            self.assertEqual(folder_bytes(target), whole)

    def test_leaves_files_that_another_process_is_writing(self):
        project = self.compiled_project()
        self.compile(project)
        live = os.path.join(data_folder(project), f".{os.getpid():x}-1.tmp")
        dead = os.path.join(data_folder(project), ".7fffffff-1.tmp")
        for path in (live, dead):
            write(path, "half")
        self.compile(project)
        self.assertTrue(os.path.exists(live))
        self.assertFalse(os.path.exists(dead))

    def test_a_read_only_data_folder_is_an_error(self):
        project = self.new_project()
        blocked = self.path("blocked")
        write(blocked, "a file where a folder is wanted")
        done = cuttle("compile", project, "--data-dir", os.path.join(blocked, "data"), check=1)
        self.assertIn("blocked", done.stderr)
        if os.geteuid() != 0:
            os.makedirs(self.path("locked"))
            os.chmod(self.path("locked"), 0o500)
            done = cuttle("compile", project, "--data-dir", self.path("locked"), check=1)
            self.assertIn("locked", done.stderr)

    def test_a_project_that_is_not_there_is_an_error(self):
        done = cuttle("compile", self.path("nowhere"), check=1)
        self.assertIn("nowhere", done.stderr)


class BadSources(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        cuttle("compile", self.project, check=0)
        self.good = folder_bytes(data_folder(self.project))
        # Packages with wildcards name the bad resource too, and the catalog has their sizes.
        self.package_type = cuttle("hash", "package", check=0).stdout.split()[1]

    def refuse(self, path, text, place, *words):
        """Saves a bad source: one error at its place, everything else as it was; then mends it."""
        full = os.path.join(self.project, path)
        old = read(full, "rb") if os.path.exists(full) else None
        write(full, text)
        for _ in range(2):  # told again until it is mended
            done = cuttle("compile", self.project, "--json", check=1)
            report = last_json(done.stdout)
            self.assertGreaterEqual(report["failed"], 1)
            told = [f'{e["file"]}:{e["line"]}:{e["column"]}: {e["message"]}'
                    for e in report["errors"]]
            text = "\n".join(told)
            self.assertIn(place, text)
            for word in words:
                self.assertIn(word, text)
            self.assertIn(": error: ", done.stderr)
        now = folder_bytes(data_folder(self.project))
        for name, data in self.good.items():
            if name not in ("index", "catalog") and not name.startswith(self.package_type):
                self.assertEqual(now.get(name), data, f"{path} changed {name}")
        if old is None:
            os.remove(full)
        else:
            write(full, old)
        report = last_json(cuttle("compile", self.project, "--json", check=0).stdout)
        self.assertEqual(report["failed"], 0)

    def test_sjson_errors(self):
        self.refuse("materials/bad.material", 'shader = "core/shaders/pbr', "bad.material:1:")
        self.refuse("materials/bad.material", "shader = [", "bad.material:")
        self.refuse("materials/bad.material", "", "bad.material:1:1: the file is empty")
        self.refuse("materials/bad.material", "a = 1\na = 2\n", "bad.material:2:1", "a")
        self.refuse("materials/bad.material", "a = " + "[" * 100000, "bad.material:1:")
        self.refuse("materials/bad.material", b"a = \"\xc3\x28\"", "bad.material:1:", "UTF-8")
        self.refuse("materials/bad.material", b"a = \0", "bad.material:1:")

    def test_missing_references(self):
        self.refuse("materials/bad.material", 'shader = "core/shaders/pbrr"\n', "bad.material:1:",
                    "core/shaders/pbrr", "core/shaders/pbr")
        self.refuse("units/bad.unit", 'components = [\n    { id = "a" type = "transform" }\n'
                    '    { id = "b" type = "mesh" mesh = "models/none" }\n]\n', "bad.unit:3:",
                    "models/none")

    def test_names_that_are_not_canonical(self):
        self.refuse("units/Bad Name.unit", "components = []\n", "Bad Name.unit", "bad_name")
        self.refuse("units/bad.unit", 'inherit = "Units\\\\Crate"\n', "bad.unit:1:", "units/crate")

    def test_damaged_media(self):
        self.refuse("textures/bad.texture", 'source = "textures/none.png"\n', "bad.texture:1:",
                    "textures/none.png")
        picture = None
        for place, _, names in os.walk(os.path.join(self.project)):
            for name in names:
                if name.endswith(".png"):
                    picture = os.path.join(place, name)
        if picture is None:
            core = os.path.join(os.path.dirname(CUTTLE), "core")
            picture = next(os.path.join(p, n) for p, _, ns in os.walk(core, followlinks=True)
                           for n in ns if n.endswith(".png"))
        data = read(picture, "rb")
        media = os.path.join(self.project, "textures", "cut.png")
        write(media, data[: len(data) // 2])
        self.refuse("textures/bad.texture", 'source = "textures/cut.png"\n', "bad.texture",
                    "textures/cut.png")
        os.remove(media)

    def test_gltf_with_indices_out_of_range(self):
        import base64
        import json
        import struct
        data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + struct.pack("<3H", 0, 1, 60000)
        uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        write(os.path.join(self.project, "models", "bad.gltf"), json.dumps({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0, "name": "bad"}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "buffers": [{"byteLength": len(data), "uri": uri}],
            "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 36},
                            {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                           "min": [0, 0, 0], "max": [1, 1, 0]},
                          {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
        }))
        self.refuse("models/bad.mesh", 'source = "models/bad.gltf"\n', "bad.", "ind")
        os.remove(os.path.join(self.project, "models", "bad.gltf"))

    def test_glsl_errors_have_the_line_of_the_file(self):
        source = ('layer = "opaque"\n'
                  'vertex = """\n'
                  "void main() { gl_Position = vec4(0.0); }\n"
                  '"""\n'
                  'fragment = """\n'
                  "layout(location = 0) out vec4 color;\n"
                  "void main() {\n"
                  "    color = undefined_thing;\n"
                  "}\n"
                  '"""\n')
        self.refuse("shaders/bad.shader", source, "bad.shader:8:", "undefined_thing")

    def test_lua_syntax_errors(self):
        self.refuse("scripts/bad.lua", "local a = 1\nlocal = 2\n", "bad.lua:2:")

    def test_cycles_of_units(self):
        self.refuse("units/round.unit", 'inherit = "units/round"\n', "round.unit:1:",
                    "units/round")


if __name__ == "__main__":
    unittest.main()
