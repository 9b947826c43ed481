"""`cuttle mv` of models, of what they name and of what was imported from them: afterwards the same
import makes the same files, with the same ids."""

import json
import os
import unittest

from support_cuttle import TemporaryFolder, cuttle, last_json, read, sources, write
from test_import import SQUARE, png

TRIANGLE = ("mtllib box.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl Wall\n"
            "f 1/1 2/2 3/3\n")


def hero(*uris):
    """A square with a material whose base colour (and normals) are images."""
    maps = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}} if uris else {}
    if len(uris) > 1:
        maps["normalTexture"] = {"index": 1}
    return {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Hero", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"name": "Skin", **maps}],
        "textures": [{"source": i} for i in range(len(uris))],
        "images": [{"uri": uri} for uri in uris],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48},
                        {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
        "buffers": [{"byteLength": len(SQUARE), "uri": "hero.bin"}]}


def fbx(image):
    """A triangle whose material names an image, as FBX text."""
    return f"""; FBX 7.4.0 project file
FBXHeaderExtension:  {{
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}}
Objects:  {{
	Geometry: 1, "Geometry::", "Mesh" {{
		Vertices: *9 {{
			a: 0,0,0,1,0,0,0,1,0
		}}
		PolygonVertexIndex: *3 {{
			a: 0,1,-3
		}}
		LayerElementMaterial: 0 {{
			Version: 101
			Name: ""
			MappingInformationType: "AllSame"
			ReferenceInformationType: "IndexToDirect"
			Materials: *1 {{
				a: 0
			}}
		}}
		Layer: 0 {{
			Version: 100
			LayerElement:  {{
				Type: "LayerElementMaterial"
				TypedIndex: 0
			}}
		}}
	}}
	Model: 2, "Model::Box", "Mesh" {{
		Version: 232
	}}
	Material: 3, "Material::Wall", "" {{
		Version: 102
		ShadingModel: "phong"
	}}
	Texture: 4, "Texture::wood", "" {{
		Type: "TextureVideoClip"
		Version: 202
		FileName: "{image}"
		RelativeFilename: "{image}"
	}}
}}
Connections:  {{
	C: "OO",2,0
	C: "OO",1,2
	C: "OO",3,2
	C: "OP",4,3, "DiffuseColor"
}}
"""


class Models(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()

    def file(self, path):
        return os.path.join(self.project, path)

    def put_hero(self, *uris):
        write(self.file("models/hero.gltf"), json.dumps(hero(*uris)))
        write(self.file("models/hero.bin"), SQUARE)

    def run_import(self, model, folder="models", project_model=True):
        """What it did to the files; nothing may be missing."""
        path = self.file(model) if project_model else model
        done = cuttle("import", path, self.project, folder, "--json", check=0)
        report = last_json(done.stdout)
        self.assertEqual(report["warnings"], [])
        return {f["path"]: f["action"] for f in report["files"]}

    def mv(self, old, new):
        return cuttle("mv", self.project, old, new, check=0)

    def check_same(self, model, folder="models"):
        """Importing again makes no file and changes none but the record."""
        before = sources(self.project)
        self.assertEqual(set(self.run_import(model, folder).values()), {"unchanged"})
        after = sources(self.project)
        self.assertEqual([p for p in {*before, *after}
                          if before.get(p) != after.get(p) and not p.endswith(".import")], [])
        cuttle("deps", self.project, "--missing", check=0)
        report = last_json(cuttle("compile", self.project, "--json").stdout)
        self.assertEqual(report["errors"], [])


class Images(Models):
    def test_of_gltf_is_renamed(self):
        self.put_hero("skin.png")
        write(self.file("models/skin.png"), png(1))
        self.run_import("models/hero.gltf")
        self.mv("models/skin.png", "models/tex/skin")
        self.assertIn('"tex/skin.png"', read(self.file("models/hero.gltf")))
        self.check_same("models/hero.gltf")
        self.mv("models/skin.texture", "textures/leather")
        self.check_same("models/hero.gltf")
        self.assertEqual(read(self.file("textures/leather.texture")).split(),
                         'source = "models/tex/skin.png"'.split())

    def test_of_gltf_by_records_of_before(self):
        self.put_hero("skin.png")
        write(self.file("models/skin.png"), png(1))
        self.run_import("models/hero.gltf")
        record = read(self.file("models/hero.import"))
        start = record.index("{", record.index("files = [") )
        self.assertIn("foreign = true", record[start:record.index("}", start)])
        write(self.file("models/hero.import"),
              record[:start] + record[record.index("}", start) + 1:])
        self.mv("models/skin.png", "models/tex/skin")
        self.check_same("models/hero.gltf")

    def test_there_and_back_the_model_is_as_before(self):
        self.put_hero("my%20skin.png", "./tex/normals.png")
        write(self.file("models/my skin.png"), png(1))
        write(self.file("models/tex/normals.png"), png(128, 128, 255))
        self.run_import("models/hero.gltf")
        before = sources(self.project)
        for old, new in (("models/hero.gltf", "art/deep/hero"), ("models", "things/all"),
                         ("models/tex", "normals")):
            self.mv(old, new)
            self.mv(new + os.path.splitext(old)[1], old)
            self.assertEqual(sources(self.project), before)
        self.check_same("models/hero.gltf")

    def test_names_swap(self):
        self.put_hero("a.png", "b.png")
        write(self.file("models/a.png"), png(1))
        write(self.file("models/b.png"), png(128, 128, 255))
        self.run_import("models/hero.gltf")
        for old, new in (("a", "c"), ("b", "a"), ("c", "b")):
            self.mv(f"models/{old}.png", f"models/{new}.png")
        self.assertIn('[{"uri": "b.png"}, {"uri": "a.png"}]', read(self.file("models/hero.gltf")))
        self.check_same("models/hero.gltf")

    def test_of_obj(self):
        write(self.file("models/box.obj"), TRIANGLE)
        write(self.file("models/box.mtl"), "newmtl Wall\nmap_Kd -s 1 1 1 wood.png\r\n")
        write(self.file("models/wood.png"), png(1))
        self.run_import("models/box.obj")
        stderr = self.mv("models/wood.texture", "textures/wood").stderr
        self.assertIn("models/wood.png stays: models/box.mtl names it, too", stderr)
        self.check_same("models/box.obj")
        self.mv("models/wood.png", "textures/holz")
        self.assertIn("map_Kd -s 1 1 1 ../textures/holz.png\n",
                      read(self.file("models/box.mtl")).replace("\r", ""))
        self.check_same("models/box.obj")
        self.mv("models/box.mtl", "mats/box")
        self.assertIn("mtllib ../mats/box.mtl\n", read(self.file("models/box.obj")))
        self.check_same("models/box.obj")

    def test_of_fbx_is_found_by_the_record(self):
        write(self.file("models/box.fbx"), fbx("C:/art/wood.png"))
        write(self.file("models/wood.png"), png(1))
        self.run_import("models/box.fbx")
        self.assertTrue(os.path.exists(self.file("models/wood.texture")))
        self.mv("models/wood.texture", "textures/holz")
        self.assertTrue(os.path.exists(self.file("textures/holz.png")))
        self.check_same("models/box.fbx")
        self.mv("textures/holz.png", "textures/brett")
        self.check_same("models/box.fbx")

    def test_of_what_was_imported_from_elsewhere(self):
        write(self.path("outside", "box.obj"), TRIANGLE)
        write(self.path("outside", "box.mtl"), "newmtl Wall\nmap_Kd tex/wood.png\n")
        write(self.path("outside", "tex", "wood.png"), png(1))
        outside = self.path("outside", "box.obj")
        self.run_import(outside, project_model=False)
        self.mv("models/wood.texture", "textures/wood")
        self.assertTrue(os.path.exists(self.file("models/wood.png")) or
                        os.path.exists(self.file("textures/wood.png")))
        self.check_same("models/box.obj")
        self.assertEqual(set(self.run_import(outside, project_model=False).values()), {"unchanged"})

    def test_one_at_an_old_name_is_another(self):
        self.put_hero("skin.png")
        write(self.file("models/skin.png"), png(1))
        self.run_import("models/hero.gltf")
        self.mv("models/skin.png", "models/tex/skin")
        write(self.file("models/skin.png"), png(2))
        model = json.loads(read(self.file("models/hero.gltf")))
        changed = hero(model["images"][0]["uri"], "skin.png")
        write(self.file("models/hero.gltf"), json.dumps(changed))
        done = self.run_import("models/hero.gltf")
        self.assertEqual(read(self.file("models/tex/skin.png"), "rb"), png(1))
        self.assertEqual(read(self.file("models/skin.png"), "rb"), png(2))
        self.assertEqual(done["models/skin.texture"], "unchanged")
        self.assertEqual(done["models/skin_2.texture"], "created")
        self.check_same("models/hero.gltf")


class Buffers(Models):
    def test_only_the_model_names_go_along(self):
        self.put_hero()
        self.run_import("models/hero.gltf")
        before = read(self.file("models/hero.gltf"))
        self.mv("models/hero.gltf", "art/lady")
        self.assertFalse(os.path.exists(self.file("models/hero.bin")))
        self.assertEqual(read(self.file("art/lady.gltf")), before.replace("hero.bin", "lady.bin"))
        cuttle("deps", self.project, "--missing", check=0)

    def test_of_another_folder_are_read(self):
        self.put_hero("skin.png")
        write(self.file("models/skin.png"), png(1))
        self.run_import("models/hero.gltf")
        self.mv("models/hero.bin", "art/data/hero.bin")
        self.assertIn('"../art/data/hero.bin"', read(self.file("models/hero.gltf")))
        self.check_same("models/hero.gltf")

    def test_out_of_the_project_are_not(self):
        project = self.file("models/hero.gltf")
        self.put_hero()
        write(project, read(project).replace("hero.bin", "../../hero.bin"))
        write(self.path("hero.bin"), SQUARE)
        done = cuttle("import", project, self.project, "models", check=1)
        self.assertIn("expected a file in the project", done.stderr)

    def test_of_a_model_that_was_copied(self):
        write(self.path("outside", "Hero.gltf"), json.dumps(hero()).replace("hero.bin", "My Data.bin"))
        write(self.path("outside", "My Data.bin"), SQUARE)
        self.run_import(self.path("outside", "Hero.gltf"), project_model=False)
        self.check_same("models/hero.gltf")


if __name__ == "__main__":
    unittest.main()
