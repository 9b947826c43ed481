"""`cuttle import`: what it writes for a model, and that a person's work survives the next import."""

import json
import os
import random
import re
import shutil
import struct
import subprocess
import time
import unittest
import zlib

from support_cuttle import (CUTTLE, TemporaryFolder, cuttle, folder_bytes, last_json, read, rounds,
                            write)

SQUARE = struct.pack("<12f6H", 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 2, 0, 2, 3)


def png(red, green=0, blue=0):
    """A picture of one pixel."""
    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body
                + struct.pack(">I", zlib.crc32(kind + body)))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(bytes([0, red, green, blue]))) + chunk(b"IEND", b""))


def car():
    """A model: a body with two wheels of one name, two materials, an image, a camera."""
    return {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [
            {"name": "Body", "mesh": 0, "children": [1, 2, 3], "translation": [0, 2, 0]},
            {"name": "Wheel", "mesh": 1, "translation": [1, 0, 0]},
            {"name": "Wheel", "mesh": 1, "scale": [-1, 1, 1]},
            {"name": "Eye", "camera": 0, "translation": [0, 0, 5]}],
        "meshes": [
            {"name": "body", "primitives": [
                {"attributes": {"POSITION": 0}, "indices": 1, "material": 1},
                {"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]},
            {"name": "wheel", "primitives": [
                {"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [
            {"name": "Rubber", "pbrMetallicRoughness": {
                "baseColorFactor": [0, 0, 0, 1], "metallicFactor": 0, "roughnessFactor": 0.9}},
            {"name": "Red Paint", "normalTexture": {"index": 1}, "pbrMetallicRoughness": {
                "baseColorTexture": {"index": 0}, "metallicFactor": 0.5, "roughnessFactor": 0.25}}],
        "textures": [{"source": 0}, {"source": 1}],
        "images": [{"uri": "Tex/Paint Work.png"}, {"uri": "bumps.png"}],
        "cameras": [{"type": "perspective", "perspective": {
            "yfov": 0.5, "znear": 0.25, "zfar": 50, "aspectRatio": 2}}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48},
                        {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
        "buffers": [{"byteLength": len(SQUARE), "uri": "Car Data.bin"}]}


class Import(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.save(car())

    def save(self, model, red=200):
        write(self.path("outside", "Car.gltf"), json.dumps(model))
        write(self.path("outside", "Car Data.bin"), SQUARE)
        write(self.path("outside", "Tex", "Paint Work.png"), png(red))
        write(self.path("outside", "bumps.png"), png(128))

    def run_import(self, *options, model=None, folder="models/car", check=0):
        done = cuttle("import", model or self.path("outside", "Car.gltf"), self.project, folder,
                      "--json", *options)
        self.assertEqual(check, done.returncode, done.stdout + done.stderr)
        return last_json(done.stdout)

    def file(self, name):
        return os.path.join(self.project, "models", "car", name)

    def source(self, name):
        return json.loads(cuttle("sjson", "--to-json", self.file(name), check=0).stdout)

    def edit(self, name, old, new):
        text = read(self.file(name))
        self.assertIn(old, text)
        write(self.file(name), text.replace(old, new, 1))

    def actions(self, report):
        return {f["path"][len("models/car/"):]: f["action"] for f in report["files"]}

    def compiles(self):
        report = last_json(cuttle("compile", self.project, "--json").stdout)
        self.assertEqual([], report["errors"])

    def component(self, kind, number=0):
        return [c for c in self.source("car.unit")["components"] if c["type"] == kind][number]

    def node(self, name):
        return next(n for n in self.component("scene_graph")["nodes"] if n["name"] == name)


class FirstImport(Import):
    def test_writes_sources_that_compile(self):
        actions = self.actions(self.run_import())
        self.assertEqual({"created"}, set(actions.values()))
        self.assertEqual(
            {"car.gltf", "car_data.bin", "paint_work.png", "bumps.png", "paint_work.texture",
             "bumps.texture", "rubber.material", "red_paint.material", "body.mesh", "wheel.mesh",
             "wheel_2.mesh", "car.unit"}, set(actions))
        self.compiles()

    def test_a_project_may_have_a_long_path(self):
        for length in (214, 300, 440):
            deep = self.path()
            while len(deep) < length - 61:
                deep = os.path.join(deep, "d" * 50)
            deep = os.path.join(deep, "e" * (length - len(deep) - 1))
            self.assertEqual(length, len(deep))
            shutil.copytree(self.project, deep)
            cuttle("import", self.path("outside", "Car.gltf"), deep, "models/car", check=0)
            cuttle("compile", deep, check=0)
        too_long = os.path.join(deep, "f" * 60)
        shutil.copytree(self.project, too_long)
        done = cuttle("import", self.path("outside", "Car.gltf"), too_long, "models/car", check=1)
        self.assertIn("the project path has 501 bytes; import supports at most 448", done.stderr)

    def test_meshes_are_single_nodes(self):
        self.run_import()
        self.assertEqual({"source": "models/car/car.gltf", "node": "Body", "children": False},
                         self.source("body.mesh"))
        self.assertEqual("/Body/Wheel", self.source("wheel.mesh")["node"])
        self.assertEqual("/Body/Wheel#2", self.source("wheel_2.mesh")["node"])

    def test_materials_take_colours_maps_and_numbers(self):
        self.run_import()
        self.assertEqual(
            {"shader": "core/shaders/pbr", "options": ["base_color_map", "normal_map"],
             "parameters": {"metallic": 0.5, "roughness": 0.25},
             "textures": {"base_color_map": "models/car/paint_work",
                          "normal_map": "models/car/bumps"}}, self.source("red_paint.material"))
        self.assertEqual([0, 0, 0],
                         self.source("rubber.material")["parameters"]["base_color"])
        self.assertEqual({"source": "models/car/paint_work.png"}, self.source("paint_work.texture"))
        self.assertEqual("normal", self.source("bumps.texture")["category"])

    def test_materials_with_holes_glass_and_two_sides(self):
        model = car()
        model["materials"][0].update(alphaMode="MASK", alphaCutoff=0.25, doubleSided=True)
        model["materials"][1].update(alphaMode="BLEND")
        model["materials"][1]["pbrMetallicRoughness"]["baseColorFactor"] = [1, 1, 1, 0.5]
        self.save(model)
        self.assertEqual([], self.run_import()["warnings"])
        rubber, paint = self.source("rubber.material"), self.source("red_paint.material")
        self.assertEqual(["alpha_test", "double_sided"], rubber["options"])
        self.assertEqual(0.25, rubber["parameters"]["alpha_cutoff"])
        self.assertEqual(["base_color_map", "normal_map", "transparent"], paint["options"])
        self.assertEqual([1, 1, 1, 0.5], paint["parameters"]["base_color"])
        self.compiles()

    def test_lights(self):
        model = car()
        model["extensionsUsed"] = ["KHR_lights_punctual"]
        model["extensions"] = {"KHR_lights_punctual": {"lights": [
            {"type": "directional", "intensity": 3.14159265},
            {"type": "spot", "intensity": 20, "range": 7, "color": [1, 0.5, 0],
             "spot": {"innerConeAngle": 0.1, "outerConeAngle": 0.4}}]}}
        model["nodes"][3]["extensions"] = {"KHR_lights_punctual": {"light": 1}}
        model["nodes"][1]["extensions"] = {"KHR_lights_punctual": {"light": 0}}
        self.save(model)
        self.run_import()
        sun, lamp = self.component("light", 0), self.component("light", 1)
        self.assertEqual(("directional", 1), (sun["light_type"], sun["intensity"]))
        self.assertEqual("spot", lamp["light_type"])
        self.assertEqual((20, 7, 0.1, 0.4), (lamp["intensity"], lamp["falloff_end"],
                                             lamp["spot_angle_start"], lamp["spot_angle_end"]))
        self.assertEqual([1, 0.735357, 0], lamp["color"])
        # Along -z of the file, which is y of ours: as the node itself looks.
        self.assertEqual("Eye", lamp["node"])
        self.compiles()

    def test_names_of_nodes_do_not_take_ids_of_components(self):
        model = car()
        model["nodes"][0]["name"] = "transform"
        model["nodes"][1]["name"] = model["nodes"][2]["name"] = "mesh"
        model["nodes"][3]["name"] = "scene_graph"
        self.save(model)
        self.run_import()
        ids = re.findall(r'id = "([^"]+)"', read(self.file("car.unit")))
        self.assertEqual(len(ids), len(set(ids)))
        self.compiles()

    def test_a_part_of_triangles_without_area_keeps_its_material(self):
        model = car()
        model["accessors"].append(dict(model["accessors"][1], bufferView=2))
        model["bufferViews"].append({"buffer": 0, "byteOffset": 60, "byteLength": 12})
        points = SQUARE + struct.pack("<6H", 0, 0, 0, 1, 1, 1)
        model["buffers"][0]["byteLength"] = len(points)
        # The file's first material has nothing to draw on the body.
        model["meshes"][0]["primitives"][1]["indices"] = 2
        model["meshes"][1]["primitives"][0]["indices"] = 2
        self.save(model)
        write(self.path("outside", "Car Data.bin"), points)
        actions = self.actions(self.run_import())
        self.assertEqual(["models/car/rubber", "models/car/red_paint"],
                         self.component("mesh")["materials"])
        self.assertNotIn("wheel.mesh", actions)  # it would not compile
        self.compiles()

    def test_the_unit_holds_the_nodes(self):
        self.run_import()
        self.assertEqual([0, 0, 2], self.node("Body")["position"])
        self.assertEqual("Body", self.node("Wheel")["parent"])
        self.assertEqual([1, 0, 0], self.node("Wheel")["position"])
        self.assertEqual([-1, 1, 1], self.node("Wheel_2")["scale"])
        mesh = self.component("mesh")
        self.assertEqual("models/car/body", mesh["mesh"])
        # In the order of the mesh's parts: that of the file's materials.
        self.assertEqual(2, len(mesh["materials"]))
        camera = self.component("camera")
        self.assertEqual(("Eye", 0.5, 0.25, 50), (camera["node"], camera["vertical_fov"],
                                                  camera["near_range"], camera["far_range"]))
        self.assertEqual([0, -5, 0], self.node("Eye")["position"])

    def test_ids_depend_on_the_project_path_alone(self):
        self.run_import()
        first = read(self.file("car.unit"))
        shutil.rmtree(os.path.join(self.project, "models"))
        self.run_import()
        self.assertEqual(first, read(self.file("car.unit")))
        ids = re.findall(r'id = "([^"]+)"', first)
        self.assertEqual(len(ids), len(set(ids)))

    def test_a_dry_run_writes_nothing(self):
        before = folder_bytes(self.project)
        self.assertEqual(12, len(self.run_import("--dry-run")["files"]))
        self.assertEqual(before, folder_bytes(self.project))

    def test_takes_a_model_in_the_project_where_it_lies(self):
        for name in ("Car.gltf", "Car Data.bin", "Tex/Paint Work.png", "bumps.png"):
            target = name.lower().replace(" ", "_").replace("tex/", "")
            os.makedirs(self.file(""), exist_ok=True)
            shutil.copy(self.path("outside", name), self.file(target))
        write(self.file("car.gltf"), json.dumps(car()).replace("Car Data", "car_data")
              .replace("Tex/Paint Work", "paint_work"))
        actions = self.actions(self.run_import(model=self.file("car.gltf")))
        self.assertNotIn("car.gltf", actions)
        self.assertEqual("unchanged", actions["bumps.png"])
        self.compiles()

    def test_what_stands_there_already_is_not_overwritten(self):
        write(self.file("body.mesh"), 'source = "core/meshes/cube.gltf"\n')
        self.assertIn("body_2.mesh", self.actions(self.run_import()))
        self.assertIn("cube", read(self.file("body.mesh")))

    def test_refuses_to_replace_another_model(self):
        write(self.file("car.gltf"), "{}")
        before = folder_bytes(self.project)
        errors = self.run_import(check=1)["errors"]
        self.assertIn("another file already has this path", errors[0]["message"])
        self.assertEqual(before, folder_bytes(self.project))

    def test_refuses_bad_models_and_folders(self):
        before = folder_bytes(self.project)
        broken = car()
        broken["nodes"][1]["children"] = [0]
        self.save(broken)
        self.assertIn("is its own ancestor", self.run_import(check=1)["errors"][0]["message"])
        self.save(car())
        for folder in ("../out", "Models", "core/x"):
            self.run_import(folder=folder, check=1)
        self.run_import(model=self.path("nothing.fbx"), check=1)
        self.assertEqual(before, folder_bytes(self.project))

    def error_of(self, name, content=None):
        """(file, message, place) of what an import of a file of this content says."""
        path = self.path("outside", name)
        if content is not None:
            write(path, content)
        errors = self.run_import(model=path, check=1)["errors"]
        self.assertEqual(1, len(errors))
        self.assertEqual(path, errors[0]["file"])
        return errors[0]["message"], errors[0]["line"], errors[0]["column"]

    def test_says_what_can_be_imported(self):
        formats = "; expected .gltf, .glb, .fbx, .obj or .bvh"
        self.assertEqual(self.error_of("a.blend", "BLENDER"),
                         (f'cannot import a ".blend"{formats} (from Blender: export glTF)', 0, 0))
        self.assertEqual(self.error_of("bumps.png"), (f'cannot import a ".png"{formats}', 0, 0))
        self.assertEqual(self.error_of("README", "read me"),
                         (f"cannot import a file without an extension{formats}", 0, 0))
        self.assertEqual(self.error_of("nothing.blend"), ("the file does not exist", 0, 0))
        self.assertEqual(self.error_of("Tex"),
                         (f"this is not a file{formats.replace('expected', 'expected a model:')}",
                          0, 0))

    def test_text_that_is_no_gltf(self):
        neither = ("the file is neither binary glTF nor JSON", 0, 0)
        for content in ("# a text\n", "", "a = 1\n", "\ufeffa = 1\n"):
            for name in ("a.glb", "a.gltf"):
                self.assertEqual(self.error_of(name, content.encode()), neither)
        message, line, column = self.error_of("a.gltf", b' \n{ "asset": }')
        self.assertEqual((line, column), (2, 12))
        self.assertIn("expected a value", message)

    def test_refuses_what_is_no_project(self):
        os.makedirs(self.path("empty"))
        for name, problem in (("empty", "is not a project: it has no settings.config"),
                              ("nowhere", "is not there")):
            done = cuttle("import", self.path("outside", "Car.gltf"), self.path(name), "x",
                          "--json", check=1)
            self.assertIn(f'"{self.path(name)}" {problem}', done.stderr)
            self.assertIn(problem, last_json(done.stdout)["errors"][0]["message"])
        self.assertEqual([], os.listdir(self.path("empty")))

    def test_writes_only_into_the_project(self):
        os.makedirs(self.path("elsewhere"))
        os.symlink(self.path("elsewhere"), os.path.join(self.project, "models"))
        self.assertIn("link that leads out", self.run_import(check=1)["errors"][0]["message"])
        self.assertEqual({}, folder_bytes(self.path("elsewhere")))

    def test_takes_no_source_for_a_part_of_the_model(self):
        shutil.copy(self.path("outside", "Car Data.bin"), self.path("outside", "boot.lua"))
        model = car()
        model["buffers"][0]["uri"] = "boot.lua"
        self.save(model)
        self.assertIn("would make it a source", self.run_import(check=1)["errors"][0]["message"])

    def test_a_kill_at_any_moment_costs_nothing(self):
        self.run_import()
        expected = folder_bytes(self.project)
        random.seed(5)
        for _ in range(rounds(12, 200)):
            shutil.rmtree(os.path.join(self.project, "models"))
            process = subprocess.Popen([CUTTLE, "import", self.path("outside", "Car.gltf"),
                                        self.project, "models/car"], stdout=subprocess.DEVNULL)
            time.sleep(random.uniform(0, 0.1))
            process.kill()
            process.wait()
            self.run_import()
            self.assertEqual(expected, folder_bytes(self.project))

    def test_shapes_and_levels_are_in_the_meshes_of_their_nodes(self):
        model = car()
        model["scenes"][0]["nodes"] = [0, 4, 5, 6]
        model["nodes"] += [{"name": "Body_LOD1", "mesh": 1}, {"name": "occluder_box_Body", "mesh": 1},
                           {"name": "Spare", "children": [7]}, {"name": "col_sphere", "mesh": 1}]
        model["nodes"][0]["name"] = "Body_LOD0"
        model["nodes"][0]["children"].append(8)
        model["nodes"].append({"name": "Collision", "mesh": 0})
        self.save(model)
        report = self.run_import()
        self.assertEqual(
            ['node "Collision" is in the mesh of "Body_LOD0": collision (mesh)',
             'node "Body_LOD1" is in the mesh of "Body_LOD0": level of detail 1',
             'node "occluder_box_Body" is in the mesh of "Body_LOD0": occluder (box)'],
            report["uses"])
        self.assertEqual(['node "col_sphere" is named as collision (sphere), but there is no mesh '
                          'beside or above it; it is left out'], report["warnings"])
        meshes = [c for c in self.source("car.unit")["components"] if c["type"] == "mesh"]
        self.assertEqual(["models/car/body_lod0", "models/car/wheel", "models/car/wheel_2"],
                         [m["mesh"] for m in meshes])
        self.compiles()
        text = cuttle("import", self.path("outside", "Car.gltf"), self.project, "models/car").stdout
        self.assertIn('used      node "Collision" is in the mesh of "Body_LOD0"', text)

    def test_a_node_has_up_to_64_materials(self):
        model = car()
        primitive = model["meshes"][1]["primitives"][0]
        model["materials"] += [{"name": "m%d" % i} for i in range(64)]
        model["meshes"][1]["primitives"] = [dict(primitive, material=2 + i) for i in range(64)]
        self.save(model)
        self.assertEqual([], self.run_import()["warnings"])
        wheel = [c for c in self.source("car.unit")["components"] if c["type"] == "mesh"][-1]
        self.assertEqual("models/car/m63", wheel["materials"][63])
        report = last_json(cuttle("compile", self.project, "--json").stdout)
        self.assertEqual([], report["errors"])

        before = folder_bytes(self.project)
        model["meshes"][1]["primitives"].append(primitive)
        self.save(model)
        self.assertIn("has 65 materials; a mesh can have at most 64",
                      self.run_import(check=1)["errors"][0]["message"])
        self.assertEqual(before, folder_bytes(self.project))

    def test_says_which_images_are_missing(self):
        os.remove(self.path("outside", "bumps.png"))
        report = self.run_import()
        self.assertIn('"bumps.png" was not found', report["warnings"][0])
        self.assertEqual(["base_color_map"], self.source("red_paint.material")["options"])


class Materials(Import):
    """What materials of models hold that ours have a place for, and what a warning says of."""

    def import_obj(self, material, images):
        write(self.path("outside", "box.obj"), "mtllib box.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
              "vt 0 0\nvt 1 0\nvt 0 1\nusemtl Wall\nf 1/1 2/2 3/3\n")
        write(self.path("outside", "box.mtl"), "newmtl Wall\nNs 250\n" + material)
        for name, pixel in images.items():
            write(self.path("outside", name), png(*pixel))
        return self.run_import(model=self.path("outside", "box.obj"))

    def import_paint(self, **members):
        model = car()
        model["materials"][1].update(members)
        model["extensionsUsed"] = list(members.get("extensions", {}))
        self.save(model)
        return self.run_import()["warnings"]

    def test_obj_maps_of_bumps_are_normal_maps(self):
        for line in ("map_Bump -bm 0.500000 bumps.png", "bump -bm 0.5 bumps.png"):
            report = self.import_obj(line + "\n", {"bumps.png": (128, 128, 255)})
            self.assertEqual([], report["warnings"])
            wall = self.source("wall.material")
            self.assertEqual(["normal_map"], wall["options"])
            self.assertEqual("models/car/bumps", wall["textures"]["normal_map"])
            self.assertEqual(0.5, wall["parameters"]["normal_strength"])
            self.assertEqual("normal", self.source("bumps.texture")["category"])
            self.compiles()

    def test_obj_normal_maps_come_before_maps_of_bumps(self):
        self.import_obj("map_Bump bumps.png\nnorm normals.png\n",
                        {"bumps.png": (1, 2, 250), "normals.png": (128, 128, 255)})
        self.assertEqual("models/car/normals",
                         self.source("wall.material")["textures"]["normal_map"])

    def test_maps_of_obj_replace_their_colours_where_they_are_found(self):
        write(self.path("outside", "glow.png"), png(9))
        self.import_obj("Kd 0.5 0.25 0\nmap_Kd a.png\nmap_Ke glow.png\n", {"a.png": (9, 9, 9)})
        parameters = self.source("wall.material")["parameters"]
        self.assertNotIn("base_color", parameters)
        self.assertEqual([1, 1, 1], parameters["emissive"])
        shutil.rmtree(self.path("game", "models"), ignore_errors=True)
        for name in ("a.png", "glow.png"):
            os.remove(self.path("outside", name))
        self.import_obj("Kd 0.5 0.25 0\nmap_Kd a.png\nmap_Ke glow.png\n", {})
        parameters = self.source("wall.material")["parameters"]
        self.assertEqual([0.5, 0.25, 0], parameters["base_color"])
        self.assertNotIn("emissive", parameters)

    def test_maps_of_heights_are_no_normal_maps(self):
        report = self.import_obj("map_Bump bumps.png\n", {"bumps.png": (90, 90, 90)})
        self.assertEqual(['material "Wall": its bump map holds heights, not normals; it is '
                          'left out'], report["warnings"])
        self.assertNotIn("options", self.source("wall.material"))
        self.assertNotIn("bumps.png", self.actions(report))

    def test_says_which_maps_of_obj_are_left_out(self):
        report = self.import_obj("map_Kd a.png\nmap_Ka a.png\nmap_Ks b.png\nmap_Ns b.png\n",
                                 {"a.png": (9, 9, 9), "b.png": (7, 7, 7)})
        self.assertEqual(['material "Wall": it has a map of specular colour, which is left out',
                          'material "Wall": it has a map of shininess, which is left out'],
                         report["warnings"])
        self.assertNotIn("b.png", self.actions(report))

    def test_says_that_occlusion_is_left_out(self):
        self.assertEqual(['material "Red Paint": it has a map of occlusion, which is left out'],
                         self.import_paint(occlusionTexture={"index": 0}))

    def test_emissive_strength_is_the_intensity(self):
        self.assertEqual([], self.import_paint(
            emissiveFactor=[1, 0, 0],
            extensions={"KHR_materials_emissive_strength": {"emissiveStrength": 12.5}}))
        parameters = self.source("red_paint.material")["parameters"]
        self.assertEqual(([1, 0, 0], 12.5),
                         (parameters["emissive"], parameters["emissive_intensity"]))
        self.compiles()

    def test_says_what_extensions_are_left_out(self):
        self.assertEqual(
            ['material "Red Paint": it is unlit, which is left out: it is drawn lit',
             'material "Red Paint": it has KHR_materials_clearcoat, which is left out'],
            self.import_paint(extensions={"KHR_materials_unlit": {}, "KHR_materials_clearcoat": {
                "clearcoatFactor": 1}}))


class LeftOut(Import):
    """What of a model has no place in a unit is told."""

    def test_animations(self):
        model = car()
        model["accessors"].append({"bufferView": 0, "componentType": 5126, "count": 2,
                                   "type": "SCALAR", "min": [0], "max": [0]})
        model["accessors"].append({"bufferView": 0, "componentType": 5126, "count": 2,
                                   "type": "VEC3"})
        model["animations"] = [{"samplers": [{"input": 2, "output": 3}], "channels": [
            {"sampler": 0, "target": {"node": 1, "path": "translation"}}]}]
        self.save(model)
        self.assertEqual([], self.run_import()["warnings"])

    def test_animations_of_fbx(self):
        warnings = self.run_import(
            model="/usr/share/assimp/models/FBX/animation_with_skeleton.fbx")["warnings"]
        self.assertIn("the model has animations, which are left out", warnings)
        warnings = self.run_import(model="/usr/share/assimp/models/FBX/box.fbx",
                                   folder="models/box")["warnings"]
        self.assertNotIn("the model has animations, which are left out", warnings)

    def test_skins(self):
        model = car()
        data = SQUARE + bytes(16) + struct.pack("<16f", *[1, 0, 0, 0] * 4)
        model["buffers"][0]["byteLength"] = len(data)
        model["bufferViews"] += [{"buffer": 0, "byteOffset": 60, "byteLength": 16},
                                 {"buffer": 0, "byteOffset": 76, "byteLength": 64}]
        model["accessors"] += [
            {"bufferView": 2, "componentType": 5121, "count": 4, "type": "VEC4"},
            {"bufferView": 3, "componentType": 5126, "count": 4, "type": "VEC4"}]
        model["meshes"][1]["primitives"][0]["attributes"].update(JOINTS_0=2, WEIGHTS_0=3)
        model["nodes"][1]["skin"] = 0
        model["accessors"].append({"bufferView": 3, "componentType": 5126, "count": 1,
                                   "type": "MAT4"})
        model["skins"] = [{"joints": [3], "inverseBindMatrices": 4}]
        self.save(model)
        write(self.path("outside", "Car Data.bin"), data)
        self.assertEqual([], self.run_import()["warnings"])

    def test_points_and_lines(self):
        model = car()
        model["meshes"][1]["primitives"][0]["mode"] = 1
        self.save(model)
        self.assertEqual(['mesh "wheel": it has points or lines, which are left out'],
                         self.run_import()["warnings"])

    def test_a_model_of_nothing_else(self):
        model = car()
        for mesh in model["meshes"]:
            for primitive in mesh["primitives"]:
                primitive["mode"] = 0
        self.save(model)
        report = self.run_import()
        self.assertIn("the model has no triangles: the unit has no meshes", report["warnings"])
        self.assertNotIn("mesh", [c["type"] for c in self.source("car.unit")["components"]])


class ImagesElsewhere(Import):
    def test_come_from_outside_of_the_models_folder(self):
        model = car()
        model["images"] = [{"uri": "../shared/wood.png"}, {"uri": "../more%20of%20it/wood.png"}]
        self.save(model)
        write(self.path("shared", "wood.png"), png(1))
        write(self.path("more of it", "wood.png"), png(2))
        self.assertEqual([], self.run_import()["warnings"])
        self.assertEqual(png(1), read(self.file("wood.png"), "rb"))
        self.assertEqual(png(2), read(self.file("wood_2.png"), "rb"))
        textures = self.source("red_paint.material")["textures"]
        self.assertEqual({"base_color_map": "models/car/wood", "normal_map": "models/car/wood_2"},
                         textures)
        self.compiles()
        self.assertEqual({"unchanged"}, set(self.actions(self.run_import()).values()))

    def test_names_in_gltf_are_uris(self):
        model = car()
        model["buffers"][0]["uri"] = "Car%20Data.bin"
        model["images"][0]["uri"] = "Tex/Paint%20Work.png"
        self.save(model)
        os.rename(self.path("outside", "Car.gltf"), self.path("outside", "Car%20.gltf"))
        report = self.run_import(model=self.path("outside", "Car%20.gltf"))
        self.assertEqual([], report["warnings"])
        self.assertEqual(SQUARE, read(self.file("car_data.bin"), "rb"))
        self.assertEqual(png(200), read(self.file("paint_work.png"), "rb"))
        self.compiles()

    def test_other_files_do_not(self):
        model = car()
        model["buffers"][0]["uri"] = "../Car Data.bin"
        self.save(model)
        write(self.path("Car Data.bin"), SQUARE)
        self.assertIn("expected a file in the project", self.run_import(check=1)["errors"][0]["message"])


class Space(Import):
    """`--up` and `--scale`."""

    def mesh(self):
        source = self.source("body.mesh")
        return source.get("up_axis"), source.get("scale")

    def test_meshes_and_unit_follow(self):
        model = car()
        model["extensions"] = {"KHR_lights_punctual": {"lights": [{"type": "point", "range": 7}]}}
        model["nodes"][3]["extensions"] = {"KHR_lights_punctual": {"light": 0}}
        self.save(model)
        self.run_import("--up", "z", "--scale", "0.5")
        self.assertEqual(("z", 0.5), self.mesh())
        self.assertEqual([0, 1, 0], self.node("Body")["position"])
        self.assertEqual([0, 0, 2.5], self.node("Eye")["position"])
        self.assertEqual([-1, 1, 1], self.node("Wheel_2")["scale"])
        self.assertEqual((0.125, 25), (self.component("camera")["near_range"],
                                       self.component("camera")["far_range"]))
        self.assertEqual(3.5, self.component("light")["falloff_end"])
        self.compiles()

    def test_the_next_import_keeps_them_until_they_say_otherwise(self):
        self.run_import("--up=z", "--scale=2")
        before = folder_bytes(self.project)
        self.run_import()
        self.assertEqual(before, folder_bytes(self.project))
        self.run_import("--scale", "3")
        self.assertEqual(("z", 3), self.mesh())
        self.assertEqual([0, 6, 0], self.node("Body")["position"])
        self.run_import("--up", "file", "--scale", "1")
        self.assertEqual((None, None), self.mesh())
        self.assertEqual([0, 0, 2], self.node("Body")["position"])

    def test_what_a_person_wrote_stays(self):
        self.run_import()
        self.edit("body.mesh", "children = false", "children = false\nscale = 5")
        self.run_import()
        self.assertEqual((None, 5), self.mesh())
        report = self.run_import("--scale", "2")
        self.assertEqual((None, 5), self.mesh())
        self.assertIn("body.mesh: scale: ", "\n".join(report["notes"]))
        self.assertEqual(2, self.source("wheel.mesh")["scale"])

    def test_refuses_what_they_cannot_be(self):
        for option in ("--up=x", "--up=", "--scale=0", "--scale=-1", "--scale=nan", "--scale=2m"):
            done = cuttle("import", self.path("outside", "Car.gltf"), self.project, "models/car",
                          option)
            self.assertEqual(2, done.returncode, option)
            self.assertIn("expected", done.stderr)
        self.run_import("--up=z")
        self.edit("car.import", 'up_axis = "z"', 'up_axis = "x"')
        self.assertIn("expected up_axis", self.run_import(check=1)["errors"][0]["message"])


class NextImport(Import):
    def setUp(self):
        super().setUp()
        self.run_import()

    def test_the_same_model_changes_nothing(self):
        before = folder_bytes(self.project)
        report = self.run_import()
        self.assertEqual({"unchanged"}, set(self.actions(report).values()))
        self.assertEqual(before, folder_bytes(self.project))

    def changed_model(self):
        """The body moves, the paint is duller, the eye goes, a lamp-post comes."""
        model = car()
        model["nodes"][0]["translation"] = [0, 3, 0]
        model["materials"][1]["pbrMetallicRoughness"].update(roughnessFactor=0.75)
        model["nodes"][3] = {"name": "Post", "mesh": 1}
        del model["cameras"]
        self.save(model)

    def test_the_models_changes_arrive(self):
        self.changed_model()
        actions = self.actions(self.run_import())
        self.assertEqual("created", actions["post.mesh"])
        self.assertEqual("updated", actions["car.gltf"])
        self.assertEqual("unchanged", actions["rubber.material"])
        self.assertEqual(0.75, self.source("red_paint.material")["parameters"]["roughness"])
        self.assertEqual([0, 0, 3], self.node("Body")["position"])
        names = [n["name"] for n in self.component("scene_graph")["nodes"]]
        self.assertEqual(["Body", "Wheel", "Wheel_2", "Post"], names)
        self.assertNotIn("camera", [c["type"] for c in self.source("car.unit")["components"]])
        self.compiles()

    def test_what_a_person_changed_stays(self):
        self.edit("car.unit", "components = [", "// Mine.\ncomponents = [")
        self.edit("car.unit", "position = [0 0 2]", "position = [7 7 7]")
        self.edit("red_paint.material", "roughness = 0.25", "roughness = 0.1 /* shiny */")
        self.edit("red_paint.material", "metallic = 0.5", "metallic = 0.5  uv_scale = [2 2]")
        self.changed_model()
        report = self.run_import()
        self.assertEqual([7, 7, 7], self.node("Body")["position"])
        self.assertIn("// Mine.", read(self.file("car.unit")))
        self.assertEqual("Post", self.node("Post")["name"])
        material = read(self.file("red_paint.material"))
        self.assertIn("roughness = 0.1 /* shiny */", material)
        self.assertIn("uv_scale = [2 2]", material)
        notes = "\n".join(report["notes"])
        self.assertIn("red_paint.material: parameters.roughness: was changed by hand", notes)
        self.assertIn("car.unit: components.scene_graph.nodes.Body.position: was changed", notes)
        self.compiles()

    def test_what_a_person_removed_stays_removed(self):
        text = read(self.file("car.unit"))
        camera = text[text.index('        type = "camera"') - 80:]
        start = text.index(camera[camera.index("{"):])
        end = text.index("}", start) + 1
        write(self.file("car.unit"), text[:start] + text[end:])
        os.remove(self.file("wheel_2.mesh"))
        self.edit("car.unit", 'mesh = "models/car/wheel_2"', 'mesh = "models/car/wheel"')
        report = self.run_import()
        self.assertNotIn("camera", [c["type"] for c in self.source("car.unit")["components"]])
        self.assertFalse(os.path.exists(self.file("wheel_2.mesh")))
        self.assertIn("models/car/wheel_2.mesh: was removed by hand and is not restored",
                      report["notes"])
        self.compiles()

    def test_what_a_person_added_stays(self):
        self.edit("car.unit", "components = [",
                  'components = [\n    { id = "mine"  type = "debug_name"  name = "car" }')
        self.changed_model()
        self.run_import()
        self.assertEqual("mine", self.component("debug_name")["id"])

    def test_what_vanished_goes_unless_changed(self):
        model = car()
        model["nodes"] = [dict(model["nodes"][0], children=[])]
        del model["cameras"]
        self.edit("wheel.mesh", "children = false", "children = false\nscale = 2")
        self.save(model)
        report = self.run_import()
        self.assertFalse(os.path.exists(self.file("wheel_2.mesh")))
        self.assertTrue(os.path.exists(self.file("wheel.mesh")))
        self.assertEqual("kept", self.actions(report)["wheel.mesh"])
        self.assertIn("is no longer in the model, but was changed by hand", report["notes"][0])

    def test_images_follow_the_model_unless_changed(self):
        self.save(car(), red=10)
        self.assertEqual("updated", self.actions(self.run_import())["paint_work.png"])
        write(self.file("paint_work.png"), png(99))
        self.save(car(), red=20)
        report = self.run_import()
        self.assertEqual("kept", self.actions(report)["paint_work.png"])
        self.assertEqual(png(99), read(self.file("paint_work.png"), "rb"))

    def test_refuses_a_model_that_changed_on_both_sides(self):
        write(self.file("car.gltf"), json.dumps(car()) + "\n")
        self.changed_model()
        before = folder_bytes(self.project)
        self.assertIn("changed by hand since the last import",
                      self.run_import(check=1)["errors"][0]["message"])
        self.assertEqual(before, folder_bytes(self.project))

    def test_refuses_sources_and_records_that_are_damaged(self):
        self.edit("car.unit", "components = [", "components = [[")
        before = folder_bytes(self.project)
        error = self.run_import(check=1)["errors"][0]
        self.assertEqual("models/car/car.unit", error["file"])
        self.assertGreater(error["line"], 0)
        self.edit("car.unit", "components = [[", "components = [")
        self.edit("car.import", "version = 1", "version = 9")
        self.assertIn("expected version = 1", self.run_import(check=1)["errors"][0]["message"])
        self.edit("car.import", "version = 9", "version = 1")
        self.assertEqual({"unchanged"}, set(self.actions(self.run_import()).values()))
        self.assertNotEqual(before, folder_bytes(self.project))


if __name__ == "__main__":
    unittest.main()
