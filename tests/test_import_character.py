"""`cuttle import` of characters: skeletons, clips and state machines, and clips for a skeleton that
the project has."""

import base64
import json
import os
import struct
import unittest

from support_cuttle import TemporaryFolder, cuttle, last_json, read, write

HUESITOS = "/usr/share/assimp/models/FBX/huesitos.fbx"


def bvh(*joints, frames=("0 0", "10 20")):
    """A hip that moves along and turns about X, with other joints in a chain below it."""
    text = ("HIERARCHY\nROOT Hips\n{\nOFFSET 0 1 0\nCHANNELS 2 Xposition Xrotation\n"
            + "".join(f"JOINT {name}\n{{\nOFFSET 0 0.5 0\nCHANNELS 1 Zrotation\n"
                      for name in joints) + "}\n" * (len(joints) + 1))
    rows = "\n".join(frame + " 5" * len(joints) for frame in frames)
    return text + f"MOTION\nFrames: {len(frames)}\nFrame Time: 0.1\n{rows}\n"


def gltf(*clips):
    """A hip and a leg, each clip (a name or None) moving the leg, and a lamp that nothing moves."""
    keys = struct.pack("<2f6f", 0, 1, 1, 0, 0, 2, 0, 0)
    return json.dumps({
        "asset": {"version": "2.0"},
        "nodes": [{"name": "hip", "children": [1]}, {"name": "leg", "translation": [1, 0, 0]},
                  {"name": "lamp"}],
        "buffers": [{"uri": "data:application/octet-stream;base64,"
                            + base64.b64encode(keys).decode(), "byteLength": len(keys)}],
        "bufferViews": [{"buffer": 0, "byteLength": 8},
                        {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR",
             "min": [0], "max": [1]},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}],
        "animations": [
            {**({"name": name} if name else {}), "samplers": [{"input": 0, "output": 1}],
             "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}]}
            for name in clips]})


class Characters(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()

    def run_import(self, model, *options, folder="units/fox", check=0):
        if not os.path.isabs(model):
            model = self.path("outside", model)
        done = cuttle("import", model, self.project, folder, "--json", *options)
        self.assertEqual(check, done.returncode, done.stdout + done.stderr)
        return last_json(done.stdout)

    def save(self, name, text):
        write(self.path("outside", name), text)

    def file(self, name):
        return os.path.join(self.project, "units", "fox", name)

    def source(self, name):
        return json.loads(cuttle("sjson", "--to-json", self.file(name), check=0).stdout)

    def edit(self, name, old, new):
        text = read(self.file(name))
        self.assertIn(old, text)
        write(self.file(name), text.replace(old, new, 1))

    def actions(self, report):
        return {f["path"][len("units/fox/"):]: f["action"] for f in report["files"]}

    def compiles(self):
        report = last_json(cuttle("compile", self.project, "--json").stdout)
        self.assertEqual([], report["errors"])
        return report

    def joints(self, name):
        return [(j["name"], j.get("parent")) for j in self.source(name)["joints"]]


class Models(Characters):
    """What a model with joints and clips becomes."""

    def test_fbx(self):
        self.assertEqual(
            {"huesitos.fbx", "material_001.material", "cylinder.mesh", "huesitos.skeleton",
             "action.animation", "huesitos.state_machine", "huesitos.unit"},
            set(self.actions(self.run_import(HUESITOS))))
        self.assertEqual({"source": "units/fox/huesitos.fbx", "clip": "Armature|Action",
                          "skeleton": "units/fox/huesitos"}, self.source("action.animation"))
        joints = self.joints("huesitos.skeleton")
        self.assertEqual(10, len(joints))
        self.assertEqual([("Armature", None), ("Bone", "Armature"), ("Bone.001", "Bone")],
                         joints[:3])
        # The joints are where the unit's nodes are.
        skeleton = self.source("huesitos.skeleton")
        self.assertEqual(0.03, skeleton["shell"])
        components = self.source("huesitos.unit")["components"]
        nodes = {n["name"]: n for n in components[1]["nodes"]}
        self.assertNotIn("Lamp", [name for name, _ in joints])
        for joint in skeleton["joints"]:
            node = nodes[joint["name"]]
            for key in ("parent", "position", "rotation", "scale"):
                self.assertEqual(node.get(key), joint.get(key), joint["name"])
        character = [c for c in components if c["type"] == "animation"]
        self.assertEqual([("units/fox/huesitos", "units/fox/huesitos")],
                         [(c["skeleton"], c["state_machine"]) for c in character])

    def test_bvh(self):
        self.save("Walk.bvh", bvh("Spine", "Head"))
        report = self.run_import("Walk.bvh")
        self.assertEqual([], report["warnings"])
        self.assertEqual({"walk.bvh", "walk.skeleton", "walk.animation", "walk.state_machine",
                          "walk.unit"}, set(self.actions(report)))
        self.assertEqual([("Hips", None), ("Spine", "Hips"), ("Head", "Spine")],
                         self.joints("walk.skeleton"))
        self.assertEqual([[0, 0, 1], [0, 0, 0.5], [0, 0, 0.5]],
                         [j["position"] for j in self.source("walk.skeleton")["joints"]])
        layer = self.source("walk.state_machine")["layers"][0]
        self.assertEqual("walk", layer["start"])
        self.assertEqual([("clip", "walk", "units/fox/walk")],
                         [(s["type"], s["name"], s["animation"]) for s in layer["states"]])
        self.assertNotIn("transitions", layer)

    def test_axes_and_scale(self):
        self.save("walk.bvh", bvh("Head"))
        self.run_import("walk.bvh", "--up", "z", "--scale", "0.1")
        animation = self.source("walk.animation")
        self.assertEqual(("z", 0.1), (animation["up_axis"], animation["scale"]))
        self.assertEqual([0, 0.1, 0], self.source("walk.skeleton")["joints"][0]["position"])

    def test_a_model_of_neither(self):
        report = self.run_import("/usr/share/assimp/models/FBX/box.fbx")
        self.assertEqual([], [name for name in self.actions(report)
                              if name.endswith((".skeleton", ".animation", ".state_machine"))])
        self.assertNotIn("animation",
                         [c["type"] for c in self.source("box.unit")["components"]])

    def test_says_where_a_file_is_wrong(self):
        self.save("walk.bvh", bvh("Head").replace("OFFSET 0 0.5", "OFSET 0 0.5"))
        error = self.run_import("walk.bvh", check=1)["errors"][0]
        self.assertEqual((self.path("outside", "walk.bvh"), 8, 1),
                         (error["file"], error["line"], error["column"]))
        self.assertIn('found "OFSET"; expected OFFSET, CHANNELS, JOINT, "End Site" or }',
                      error["message"])


    def test_several_clips(self):
        self.save("fox.gltf", gltf("Rig|Walk", "Rig|Idle", "Any"))
        self.run_import("fox.gltf")
        self.assertEqual([("hip", None), ("leg", "hip")], self.joints("fox.skeleton"))
        layer = self.source("fox.state_machine")["layers"][0]
        self.assertEqual("idle", layer["start"])
        self.assertEqual([("walk", "units/fox/walk"), ("idle", "units/fox/idle"),
                          ("clip_any", "units/fox/any")],
                         [(s["name"], s["animation"]) for s in layer["states"]])
        self.assertEqual([("any", "walk", "walk"), ("any", "idle", "idle"),
                          ("any", "clip_any", "clip_any")],
                         [(t["from"], t["to"], t["event"]) for t in layer["transitions"]])
        self.assertEqual("Rig|Walk", self.source("walk.animation")["clip"])
        self.compiles()

    def test_clips_without_names_and_of_one_name(self):
        self.save("fox.gltf", gltf("Walk", None, "Walk"))
        self.assertEqual([], self.run_import("fox.gltf")["warnings"])
        self.assertEqual(["Walk", "clip#2", "Walk#2"],
                         [self.source(name + ".animation")["clip"]
                          for name in ("walk", "fox", "walk_2")])
        self.compiles()
        self.save("fox.gltf", gltf(None))
        self.run_import("fox.gltf", folder="units/one")
        self.assertNotIn("clip", read(os.path.join(self.project, "units/one/fox.animation")))
        self.compiles()

    def test_a_clip_of_nothing(self):
        text = json.loads(gltf("Walk", "Still"))
        text["animations"][1]["channels"] = []
        self.save("fox.gltf", json.dumps(text))
        self.assertEqual(['clip "Still" moves no node; it is left out'],
                         self.run_import("fox.gltf")["warnings"])
        self.assertFalse(os.path.exists(self.file("still.animation")))
        self.compiles()

    def test_models_with_skins_compile(self):
        for path in ("FBX/huesitos.fbx", "FBX/animation_with_skeleton.fbx",
                     "glTF2/simple_skin/simple_skin.gltf", "BVH/01_01.bvh"):
            with self.subTest(path):
                self.run_import("/usr/share/assimp/models/" + path)
        self.compiles()


class AgainAfterAChange(Characters):
    """What a person changed stays."""

    def setUp(self):
        super().setUp()
        self.save("walk.bvh", bvh("Spine", "Head"))
        self.run_import("walk.bvh")

    def test_nothing_changed(self):
        self.assertEqual({"unchanged"}, set(self.actions(self.run_import("walk.bvh")).values()))

    def test_keeps_changes_of_a_person(self):
        write(self.file("walk.animation"),
              read(self.file("walk.animation")) + "loops = true\ntolerance = 0.01\n")
        self.edit("walk.skeleton", "shell = 0.03", "shell = 0.1")
        self.edit("walk.state_machine", 'name = "walk"', 'name = "stroll"')
        # The model's hips move up, and its head gets a hat.
        self.save("walk.bvh", bvh("Spine", "Head", "Hat").replace("OFFSET 0 1 0", "OFFSET 0 2 0"))
        report = self.run_import("walk.bvh")
        self.assertEqual([], report["errors"])
        animation = self.source("walk.animation")
        self.assertEqual((True, 0.01), (animation["loops"], animation["tolerance"]))
        skeleton = self.source("walk.skeleton")
        self.assertEqual(0.1, skeleton["shell"])
        self.assertEqual(["Hips", "Spine", "Head", "Hat"],
                         [j["name"] for j in skeleton["joints"]])
        self.assertEqual([0, 0, 2], skeleton["joints"][0]["position"])
        self.assertEqual("stroll",
                         self.source("walk.state_machine")["layers"][0]["states"][0]["name"])

    def test_does_not_restore_what_was_removed(self):
        os.remove(self.file("walk.state_machine"))
        self.assertEqual("kept", self.actions(self.run_import("walk.bvh"))["walk.state_machine"])
        self.assertFalse(os.path.exists(self.file("walk.state_machine")))


class ClipsForASkeleton(Characters):
    """Clips for a skeleton that the project has."""

    def setUp(self):
        super().setUp()
        self.save("walk.bvh", bvh("Spine", "Head"))
        self.save("run.bvh", bvh("Spine", "Head", frames=("0 0", "1 2", "3 4")))
        self.run_import("walk.bvh")

    def error(self, *arguments):
        errors = self.run_import(*arguments, check=1)["errors"]
        self.assertEqual(1, len(errors))
        return errors[0]["file"], errors[0]["message"]

    def test_writes_only_clips(self):
        report = self.run_import("run.bvh", "--skeleton", "units/fox/walk")
        self.assertEqual({"run.bvh": "created", "run.animation": "created"}, self.actions(report))
        self.assertEqual([], report["warnings"])
        self.assertEqual({"source": "units/fox/run.bvh", "clip": "run",
                          "skeleton": "units/fox/walk"}, self.source("run.animation"))
        self.compiles()

    def test_later_imports_are_for_it_too(self):
        self.run_import("run.bvh", "--skeleton", "units/fox/walk.skeleton")
        self.assertEqual({"run.bvh": "unchanged", "run.animation": "unchanged"},
                         self.actions(self.run_import("run.bvh")))
        report = self.run_import("run.bvh", "--skeleton", "")
        self.assertEqual({"run.bvh": "unchanged", "run.animation": "updated",
                          "run.skeleton": "created", "run.state_machine": "created",
                          "run.unit": "created"}, self.actions(report))
        self.assertEqual("units/fox/run", self.source("run.animation")["skeleton"])
        # And back: what was written for its own skeleton goes.
        report = self.run_import("run.bvh", "--skeleton", "units/fox/walk")
        self.assertEqual("removed", self.actions(report)["run.skeleton"])

    def test_follows_a_renamed_skeleton(self):
        self.run_import("run.bvh", "--skeleton", "units/fox/walk")
        cuttle("mv", self.project, "units/fox/walk.skeleton", "units/rig.skeleton")
        cuttle("mv", self.project, "units/fox/run.bvh", "media/run.bvh")
        report = self.run_import(os.path.join(self.project, "media", "run.bvh"))
        self.assertEqual({"units/fox/run.animation": "unchanged"},
                         {f["path"]: f["action"] for f in report["files"]})
        self.assertEqual({"source": "media/run.bvh", "clip": "run", "skeleton": "units/rig"},
                         self.source("run.animation"))
        self.compiles()

    def test_names_bones_that_do_not_match(self):
        self.save("run.bvh", bvh("Back", "Head"))
        report = self.run_import("run.bvh", "--skeleton", "units/fox/walk")
        self.assertEqual(['units/fox/walk.skeleton has no joint for 1 of the 3 bones that clips '
                          'move, so these stay still: "Back"'], report["warnings"])

    def test_refuses_clips_for_something_else(self):
        self.save("run.bvh", bvh("Back").replace("Hips", "Root"))
        file, message = self.error("run.bvh", "--skeleton", "units/fox/walk")
        self.assertEqual(self.path("outside", "run.bvh"), file)
        self.assertEqual('none of the 2 bones that clips move is in units/fox/walk.skeleton; its '
                         'joints are "Hips", "Spine", "Head"', message)
        self.assertFalse(os.path.exists(self.file("run.bvh")))
        self.assertEqual(
            ("/usr/share/assimp/models/FBX/box.fbx",
             "the model has no clips that can be imported for a skeleton"),
            self.error("/usr/share/assimp/models/FBX/box.fbx", "--skeleton", "units/fox/walk"))

    def test_refuses_what_is_no_skeleton(self):
        self.assertEqual(("units/fox/none.skeleton",
                          "does not exist; expected a skeleton of the project for --skeleton"),
                         self.error("run.bvh", "--skeleton", "units/fox/none"))
        self.assertIn("is no name of a skeleton; expected one of the project",
                      self.error("run.bvh", "--skeleton", "../walk")[1])
        write(self.file("broken.skeleton"), "joints = [")
        self.assertEqual("units/fox/broken.skeleton",
                         self.error("run.bvh", "--skeleton", "units/fox/broken")[0])


if __name__ == "__main__":
    unittest.main()
