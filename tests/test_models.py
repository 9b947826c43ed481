"""Every glTF 2, FBX and OBJ file of Debian's package assimp-testmodels as a mesh: the table says what
becomes of each, so many vertices and triangles or a message."""

import os
import re
import shutil
import struct
import unittest

from support_cuttle import TemporaryFolder, cuttle, data_folder, last_json, read, write
from support_models import distance, gltf_points, obj_points

MODELS = "/usr/share/assimp/models"

# The path below MODELS: (vertices, triangles), or a part of the message.
EXPECTED = {
    "FBX/animation_with_skeleton.fbx": (4216, 2112),
    "FBX/box.fbx": (24, 12),
    "FBX/boxWithCompressedCTypeArray.FBX": (26, 12),
    "FBX/boxWithUncompressedCTypeArray.FBX": (26, 12),
    "FBX/box_orphant_embedded_texture.fbx": (24, 12),
    "FBX/close_to_identity_transforms.fbx": (540, 420),
    "FBX/cubes_nonames.fbx": (548, 420),
    "FBX/cubes_with_mirroring_and_pivot.fbx": (540, 420),
    "FBX/cubes_with_names.fbx": (548, 420),
    "FBX/cubes_with_outofrange_float.fbx": (548, 420),
    "FBX/embedded_ascii/box.FBX": (24, 12),
    "FBX/embedded_ascii/box_embedded_texture_fragmented.fbx": (24, 12),
    "FBX/global_settings.fbx": (696, 1352),
    "FBX/huesitos.fbx": (128, 120),
    "FBX/maxPbrMaterial_metalRough.fbx": (24, 12),
    "FBX/maxPbrMaterial_specGloss.fbx": (24, 12),
    "FBX/phong_cube.fbx": (24, 12),
    "FBX/spider.fbx": (1042, 1312),
    "FBX/transparentTest.fbx": "FBX-Tokenize (offset 0x23) block offset is out of range",
    "OBJ/WusonOBJ.obj": (2117, 3732),
    "OBJ/box.obj": (24, 12),
    "OBJ/box_UTF16BE.obj": "the text is UTF-16; save it as UTF-8",
    "OBJ/box_longline.obj": (28, 790),
    "OBJ/box_mat_with_spaces.obj": (24, 12),
    "OBJ/box_without_lineending.obj": (24, 12),
    "OBJ/concave_polygon.obj": (64, 64),
    "OBJ/cube_mtllib_after_g.obj": (24, 12),
    "OBJ/cube_usemtl.obj": (24, 12),
    "OBJ/cube_with_vertexcolors.obj": (24, 12),
    "OBJ/cube_with_vertexcolors_uni.obj": (24, 12),
    "OBJ/empty_mat.obj": (450, 256),
    "OBJ/multiple_spaces.obj": (3, 1),
    "OBJ/number_formats.obj": 'found "3.1+e2"; expected a number',
    "OBJ/point_cloud.obj": "found no triangles",
    "OBJ/regr01.obj": (4329, 2706),
    "OBJ/regr_3429812.obj": (6, 4),
    "OBJ/space_in_material_name.obj": (64, 64),
    "OBJ/spider.obj": (1040, 1312),
    "OBJ/testline.obj": "found no triangles",
    "OBJ/testmixed.obj": (24, 12),
    "OBJ/testpoints.obj": "found no triangles",
    "glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb": (84657, 110336),
    "glTF2/BoxBadNormals-glTF-Binary/BoxBadNormals.glb": (24, 12),
    "glTF2/BoxTexcoords-glTF/boxTexcoords.gltf": (24, 12),
    "glTF2/BoxTextured-glTF-Binary/BoxTextured.glb": (24, 12),
    "glTF2/BoxTextured-glTF-Embedded/BoxTextured.gltf": (24, 12),
    "glTF2/BoxTextured-glTF-pbrSpecularGlossiness/BoxTextured.gltf": (24, 12),
    "glTF2/BoxTextured-glTF-techniqueWebGL/BoxTextured.gltf":
        'the file requires the extension "KHR_technique_webgl", which is not supported; export without it',
    "glTF2/BoxTextured-glTF/BoxTextured.gltf": (24, 12),
    "glTF2/BoxWithInfinites-glTF-Binary/BoxWithInfinites.glb":
        "Mesh: vertex 0 has a position that is not a number",
    "glTF2/ClearCoat-glTF/ClearCoatTest.gltf": (20106, 37116),
    "glTF2/IncorrectVertexArrays/Cube.gltf": (114, 46),
    "glTF2/IndexOutOfRange/AllIndicesOutOfRange.gltf":
        'mesh "Mesh", primitive 0: 36 of its 36 indices are out of range; found 65535, but there are 24',
    "glTF2/IndexOutOfRange/IndexOutOfRange.gltf":
        'mesh "Mesh", primitive 0: 1 of its 36 indices are out of range; found 255, but there are 24',
    "glTF2/MissingBin/BoxTextured.gltf":
        'the file "gltf2/missingbin/boxtextured0.bin" is not there',
    "glTF2/RecursiveNodes/RecursiveNodes.gltf": "node 0 is its own ancestor, or nested more than 256 deep",
    "glTF2/SchemaFailures/sceneWrongType.gltf":
        '"scene" is a string; expected a number',
    "glTF2/TestNoRootNode/NoScene.gltf": "found scene 0, but there are 0 scenes",
    "glTF2/TestNoRootNode/SceneWithoutNodes.gltf": "found no triangles",
    "glTF2/cameras/Cameras.gltf": (6, 2),
    "glTF2/draco/2CylinderEngine.gltf": (84276, 110321),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_00.gltf":
        "found no triangles",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_01.gltf":
        "found no triangles",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_02.gltf":
        "found no triangles",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_03.gltf":
        "found no triangles",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_04.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_05.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_06.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_07.gltf":
        "found no triangles",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_08.gltf":
        "found no triangles",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_09.gltf":
        "found no triangles",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_10.gltf":
        "found no triangles",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_11.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_12.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_13.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_14.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_15.gltf": (4, 2),
    "glTF2/glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf": (24, 12),
    "glTF2/issue_3269/texcoord_crash.gltf": (20, 10),
    "glTF2/simple_skin/simple_skin.gltf": (10, 8),
    "glTF2/textureTransform/TextureTransformTest.gltf": (48, 24),
    "glTF2/wrongTypes/badArray.gltf":
        '"primitives" is an object; expected an array',
    "glTF2/wrongTypes/badExtension.gltf":
        '"KHR_texture_transform" is a string; expected an object',
    "glTF2/wrongTypes/badNumber.gltf":
        '"normalTexture" has no texture index',
    "glTF2/wrongTypes/badObject.gltf":
        '"pbrMetallicRoughness" is an array; expected an object',
    "glTF2/wrongTypes/badString.gltf": (24, 12),
    "glTF2/wrongTypes/badUint.gltf":
        "found texture -1, but there are 1 textures",
    "invalid/empty.obj": "found no triangles",
    "invalid/malformed.obj": "found vertex 0; indices start at 1",
    "invalid/malformed2.obj": (20, 10),
}

# What the second reader would have to be a better one for.
NOT_COMPARED = set()


def valid_name(path):
    """The name that a file has in a project."""
    return re.sub(r"[^a-z0-9_./-]", "_", path.lower())


def model_files():
    found = []
    for folder in ("glTF2", "FBX", "OBJ"):
        for place, _, names in os.walk(os.path.join(MODELS, folder)):
            found += [os.path.relpath(os.path.join(place, n), MODELS) for n in names
                      if n.lower().endswith((".gltf", ".glb", ".fbx", ".obj"))]
    found += ["invalid/" + n for n in ("empty.obj", "malformed.obj", "malformed2.obj")]
    return sorted(found)


def mesh_of(project, name):
    """(vertices, triangles) and the points of a compiled mesh that is not quantized; the layout is
    src/resource/types/mesh_resource.h."""
    words = [cuttle("hash", text, check=0).stdout.split()[1] for text in ("mesh", name)]
    blob = read(os.path.join(data_folder(project), "-".join(words)), "rb")
    count, indices, vertices = struct.unpack_from("<III", blob, 32 + 24 + 4 + 4)
    points = {struct.unpack_from("<3f", blob, vertices + 48 * i) for i in range(count)}
    return (count, indices // 3), points


@unittest.skipUnless(os.path.isdir(MODELS), "the package assimp-testmodels is not installed")
class Models(TemporaryFolder):
    def make_project(self):
        project = self.path("game")
        for folder in ("glTF2", "FBX", "OBJ", "invalid"):
            for place, _, names in os.walk(os.path.join(MODELS, folder)):
                for name in names:
                    path = os.path.join(place, name)
                    target = os.path.join(project, valid_name(os.path.relpath(path, MODELS)))
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    shutil.copy(path, target)
        write(os.path.join(project, "settings.config"), "// models only\n")
        for model in model_files():
            source = valid_name(model)
            write(os.path.join(project, self.resource(model) + ".mesh"),
                  f'source = "{source}"\nquantize = false\n')
        return project

    def resource(self, model):
        return valid_name(model).replace(".", "_")

    def compare(self, model, points):
        """Holds positions against a second reader; of FBX there is none."""
        path = os.path.join(MODELS, model)
        if model in NOT_COMPARED or model.endswith((".fbx", ".FBX")):
            return
        theirs = obj_points(path) if model.endswith(".obj") else gltf_points(path)
        if theirs is not None:
            self.assertLess(distance(points, theirs), 1e-5)

    def test_each_compiles_or_says_why_not(self):
        project = self.make_project()
        report = last_json(cuttle("compile", project, "--json", timeout=600).stdout)
        messages = {}
        for error in report["errors"]:
            path = os.path.relpath(error["file"], project)
            messages.setdefault(path, []).append(error["message"])
        found = {}
        for model in model_files():
            told = messages.get(self.resource(model) + ".mesh", []) + messages.get(
                valid_name(model), [])
            if told:
                found[model] = told[0]
                continue
            found[model], points = mesh_of(project, self.resource(model))
            with self.subTest(model=model, compared="positions"):
                self.compare(model, points)
        if os.environ.get("CUTTLE_UPDATE_GOLDEN"):
            for model, result in found.items():
                print(f"    {model!r}: {result!r},")
        for model, result in found.items():
            with self.subTest(model=model):
                expected = EXPECTED.get(model, "no row of the table")
                if isinstance(expected, str):
                    self.assertIn(expected, str(result))
                else:
                    self.assertEqual(expected, result)
        self.assertEqual(sorted(EXPECTED), sorted(found))


if __name__ == "__main__":
    unittest.main()
