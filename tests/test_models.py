"""Every glTF 2, FBX and OBJ file of Debian's package assimp-testmodels as a mesh: the table says what
becomes of each, so many vertices and triangles or a message."""

import os
import re
import shutil
import struct
import unittest

from support_cuttle import TemporaryFolder, cuttle, data_folder, last_json, read, write

MODELS = "/usr/share/assimp/models"

# The path below MODELS: (vertices, triangles), or a part of the message.
EXPECTED = {
    "FBX/animation_with_skeleton.fbx": (4218, 2112),
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
    "FBX/spider.fbx": (1040, 1312),
    "FBX/transparentTest.fbx": "FBX-Tokenize (offset 0x23) block offset is out of range",
    "OBJ/WusonOBJ.obj": (2117, 3732),
    "OBJ/box.obj": (24, 12),
    "OBJ/box_UTF16BE.obj": "found a zero byte; expected text (UTF-16 is not read)",
    "OBJ/box_longline.obj": (24, 478),
    "OBJ/box_mat_with_spaces.obj": (24, 12),
    "OBJ/box_without_lineending.obj": (24, 12),
    "OBJ/concave_polygon.obj": (64, 64),
    "OBJ/cube_mtllib_after_g.obj": (24, 12),
    "OBJ/cube_usemtl.obj": (24, 12),
    "OBJ/cube_with_vertexcolors.obj": (24, 12),
    "OBJ/cube_with_vertexcolors_uni.obj": (24, 12),
    "OBJ/empty_mat.obj": (450, 256),
    "OBJ/multiple_spaces.obj": (3, 1),
    "OBJ/number_formats.obj": "holds no triangles there that have an area",
    "OBJ/point_cloud.obj": "holds no triangles there",
    "OBJ/regr01.obj": (4329, 2706),
    "OBJ/regr_3429812.obj": (6, 4),
    "OBJ/space_in_material_name.obj": (64, 64),
    "OBJ/spider.obj": (1040, 1312),
    "OBJ/testline.obj": "holds no triangles there",
    "OBJ/testmixed.obj": (24, 12),
    "OBJ/testpoints.obj": "holds no triangles there",
    "glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb": (84657, 110336),
    "glTF2/BoxBadNormals-glTF-Binary/BoxBadNormals.glb": (24, 12),
    "glTF2/BoxTexcoords-glTF/boxTexcoords.gltf": (24, 12),
    "glTF2/BoxTextured-glTF-Binary/BoxTextured.glb": (24, 12),
    "glTF2/BoxTextured-glTF-Embedded/BoxTextured.gltf": (24, 12),
    "glTF2/BoxTextured-glTF-pbrSpecularGlossiness/BoxTextured.gltf": (24, 12),
    "glTF2/BoxTextured-glTF-techniqueWebGL/BoxTextured.gltf":
        'the file requires the extension "KHR_technique_webgl", which cannot be read; export it without',
    "glTF2/BoxTextured-glTF/BoxTextured.gltf": (24, 12),
    "glTF2/BoxWithInfinites-glTF-Binary/BoxWithInfinites.glb":
        "Mesh: vertex 0 has a position that is not a number",
    "glTF2/ClearCoat-glTF/ClearCoatTest.gltf": (20106, 37116),
    "glTF2/IncorrectVertexArrays/Cube.gltf": (114, 46),
    "glTF2/IndexOutOfRange/AllIndicesOutOfRange.gltf":
        'Mesh "Mesh" has no faces: all its indices are out of range',
    "glTF2/IndexOutOfRange/IndexOutOfRange.gltf":
        "mesh 0, primitive 0: 1 of its 12 triangles have an index that is out of range",
    "glTF2/MissingBin/BoxTextured.gltf":
        'the file "gltf2/missingbin/boxtextured0.bin" is not there',
    "glTF2/RecursiveNodes/RecursiveNodes.gltf": "node 0 lies below itself, or more than 256 deep",
    "glTF2/SchemaFailures/sceneWrongType.gltf":
        'Member "scene" was not of type "uint" when reading the document',
    "glTF2/TestNoRootNode/NoScene.gltf": "GLTF: No scene",
    "glTF2/TestNoRootNode/SceneWithoutNodes.gltf": "holds no triangles there",
    "glTF2/cameras/Cameras.gltf": (6, 2),
    "glTF2/draco/2CylinderEngine.gltf": (84276, 110321),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_00.gltf":
        "holds no triangles there",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_01.gltf":
        "holds no triangles there",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_02.gltf":
        "holds no triangles there",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_03.gltf":
        "holds no triangles there",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_04.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_05.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_06.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_07.gltf":
        "holds no triangles there",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_08.gltf":
        "holds no triangles there",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_09.gltf":
        "holds no triangles there",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_10.gltf":
        "holds no triangles there",
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_11.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_12.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_13.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_14.gltf": (4, 2),
    "glTF2/glTF-Asset-Generator/Mesh_PrimitiveMode/Mesh_PrimitiveMode_15.gltf": (4, 2),
    "glTF2/glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf": (24, 12),
    "glTF2/issue_3269/texcoord_crash.gltf":
        "GLTF: Invalid attribute in mesh: TopRightMesh primitive: 0attrib: TEXCOORD_1",
    "glTF2/simple_skin/simple_skin.gltf": (10, 8),
    "glTF2/textureTransform/TextureTransformTest.gltf": (48, 24),
    "glTF2/wrongTypes/badArray.gltf":
        'Member "primitives" was not of type "array" when reading meshes[0] (Mesh)',
    "glTF2/wrongTypes/badExtension.gltf":
        'Member "KHR_texture_transform" was not of type "object" when reading materials[0] (Texture)',
    "glTF2/wrongTypes/badNumber.gltf":
        'Member "scale" was not of type "number" when reading materials[0] (Texture)',
    "glTF2/wrongTypes/badObject.gltf":
        'Member "pbrMetallicRoughness" was not of type "object" when reading materials[0] (Texture)',
    "glTF2/wrongTypes/badString.gltf":
        'Member "name" was not of type "string" when reading scenes[0]',
    "glTF2/wrongTypes/badUint.gltf":
        'Member "index" was not of type "uint" when reading materials[0] (Texture)',
    "invalid/empty.obj": "OBJ-file is too small.",
    "invalid/malformed.obj": "OBJ: Invalid face index.",
    "invalid/malformed2.obj": (20, 10),
}


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
    """(vertices, triangles) of a compiled mesh; the layout is src/resource/types/mesh_resource.h."""
    words = [cuttle("hash", text, check=0).stdout.split()[1] for text in ("mesh", name)]
    blob = read(os.path.join(data_folder(project), "-".join(words)), "rb")
    vertices, indices = struct.unpack_from("<II", blob, 32 + 24 + 4 + 4)
    return vertices, indices // 3


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
            write(os.path.join(project, self.resource(model) + ".mesh"), f'source = "{source}"\n')
        return project

    def resource(self, model):
        return valid_name(model).replace(".", "_")

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
            found[model] = told[0] if told else mesh_of(project, self.resource(model))
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
