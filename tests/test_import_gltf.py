"""`cuttle import` of glTF: what samplers, transforms, images, cameras and extensions become, and what
warnings say of the rest."""

import unittest

from support_cuttle import write
from test_import import Import, car


class GltfImport(Import):
    def change(self, change):
        """Imports the car after `change` of its JSON; returns the warnings."""
        model = car()
        change(model)
        self.save(model)
        report = self.run_import()
        self.compiles()
        return report["warnings"]

    def paint(self, **members):
        """Imports the car with other members of its painted material; returns the warnings."""
        return self.change(lambda model: model["materials"][1].update(members))


class Samplers(GltfImport):
    def sample(self, sampler, texture=0):
        def change(model):
            model["samplers"] = [sampler]
            model["textures"][texture]["sampler"] = 0
        return self.change(change)

    def test_clamp_and_nearest_are_the_textures(self):
        self.assertEqual([], self.sample({"wrapS": 33071, "wrapT": 33071, "magFilter": 9728,
                                          "minFilter": 9984}))
        texture = self.source("paint_work.texture")
        self.assertEqual(("clamp", "nearest"), (texture["wrap"], texture["filter"]))
        self.assertNotIn("wrap", self.source("bumps.texture"))

    def test_defaults_are_not_written(self):
        self.assertEqual([], self.sample({"wrapS": 10497, "magFilter": 9729, "minFilter": 9987}))
        self.assertNotIn("wrap", self.source("paint_work.texture"))
        self.assertNotIn("filter", self.source("paint_work.texture"))

    def test_mirrors_and_mixtures_are_warned_of(self):
        for sampler, text in (
                ({"wrapS": 33648, "wrapT": 33648}, "is mirrored along u and is mirrored along v"),
                ({"wrapS": 33071}, "is clamped along u and repeats along v"),
                ({"magFilter": 9728, "minFilter": 9987}, 'it gets filter = "nearest" for both')):
            warnings = self.sample(sampler)
            self.assertEqual(1, len(warnings), warnings)
            self.assertIn(text, warnings[0])

    def test_an_image_that_is_sampled_in_two_ways_is_warned_of(self):
        def change(model):
            model["samplers"] = [{"wrapS": 33071, "wrapT": 33071}]
            model["textures"] += [{"source": 0, "sampler": 0}]
            model["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 2}
        self.assertEqual(['the image "Tex/Paint Work.png" is sampled in several ways; it gets wrap = '
                          '"clamp" and filter = "linear" from its first use'],
                         self.change(change))

    def test_unknown_numbers_are_errors(self):
        model = car()
        model["samplers"], model["textures"][0]["sampler"] = [{"wrapS": 1}], 0
        self.save(model)
        errors = self.run_import(check=1)["errors"]
        self.assertEqual('"wrapS" is 1; expected 33071, 33648 or 10497', errors[0]["message"])


class Transforms(GltfImport):
    def moved(self, **transform):
        return {"index": 0, "extensions": {"KHR_texture_transform": transform}}

    def base(self, **transform):
        return self.paint(normalTexture=self.moved(**transform), pbrMetallicRoughness={
            "baseColorTexture": self.moved(**transform)})

    def scale(self):
        return self.source("red_paint.material")["parameters"].get("uv_scale")

    def test_equal_scales_are_the_materials(self):
        self.assertEqual([], self.base(scale=[4, 2]))
        self.assertEqual([4, 2], self.scale())
        self.assertEqual([], self.base(scale=[1, 1], offset=[0, 0], rotation=0))
        self.assertIsNone(self.scale())

    def test_what_is_moved_or_turned_is_warned_of(self):
        for transform in ({"offset": [0, 0.5]}, {"rotation": 1}, {"offset": [0.5, 0],
                                                                  "scale": [0.5, 0.5]}):
            warnings = self.base(**transform)
            self.assertEqual(['material "Red Paint": its maps have an offset or a rotation, '
                              'which is left out'], warnings)

    def test_one_map_that_is_scaled_alone_is_warned_of(self):
        warnings = self.paint(normalTexture=self.moved(scale=[4, 4]))
        self.assertEqual(['material "Red Paint": its maps have different scales; all get the '
                          'uv_scale of the first'], warnings)

    def test_a_map_alone_gives_its_scale(self):
        self.assertEqual([], self.paint(normalTexture=self.moved(scale=[4, 4]),
                                        pbrMetallicRoughness={}))
        self.assertEqual([4, 4], self.scale())

    def test_the_set_of_coordinates_is_the_extensions(self):
        self.assertEqual(['material "Red Paint": a map uses the second texture coordinates; it is '
                          'drawn with the first'],
                         self.paint(normalTexture={"index": 1}, pbrMetallicRoughness={
                             "baseColorTexture": self.moved(texCoord=1)}))


class Images(GltfImport):
    def test_formats_that_are_not_read_are_named(self):
        webp = b"RIFF\x10\0\0\0WEBPVP8 "
        for content, name in ((webp, "WebP"), (b"\xabKTX 20\xbb\r\n\x1a\n", "KTX2"),
                              (b"DDS |", "DDS"), (b"what", "of an unsupported format")):
            self.save(car())
            write(self.path("outside", "bumps.png"), content)
            self.assertEqual([f'the image "bumps.png" is {name}; the material is imported without it. Expected '
                              'PNG, JPEG or TGA'], self.run_import()["warnings"])
            self.compiles()

    def test_textures_with_another_format_alone_are_told(self):
        def change(model):
            model["extensionsUsed"] = model["extensionsRequired"] = ["EXT_texture_webp"]
            model["textures"][1] = {"extensions": {"EXT_texture_webp": {"source": 1}}}
        self.assertEqual(['material "Red Paint": its normalTexture has an image only in WebP, which '
                          'is not supported; the material is imported without it. Export PNG or JPEG'],
                         self.change(change))

    def test_another_format_beside_a_png_is_not_missed(self):
        def change(model):
            model["extensionsUsed"] = ["EXT_texture_webp"]
            model["textures"][1]["extensions"] = {"EXT_texture_webp": {"source": 0}}
        self.assertEqual([], self.change(change))

    def test_images_of_bad_data_are_told(self):
        def change(model):
            model["images"][1]["uri"] = "data:image/png;base64,#"
        self.assertEqual(['the image "*0" inside the model has damaged data; expected base64; the '
                          'material is imported without it'], self.change(change))

    def test_an_emissive_map_needs_a_factor(self):
        self.assertEqual(['material "Red Paint": its emissive map has no effect and is left out: its '
                          'emissiveFactor is 0'], self.paint(emissiveTexture={"index": 0}))
        self.assertNotIn("emissive_map", self.source("red_paint.material")["options"])
        self.assertEqual([], self.paint(emissiveTexture={"index": 0}, emissiveFactor=[1, 1, 1]))
        material = self.source("red_paint.material")
        self.assertIn("emissive_map", material["options"])
        self.assertEqual([1, 1, 1], material["parameters"]["emissive"])

    # Assimp counts materials by their first use.
    def test_extensions_are_those_of_their_own_material(self):
        self.assertEqual([], self.change(lambda model: model["materials"][0].update(
            emissiveFactor=[1, 0, 0],
            extensions={"KHR_materials_emissive_strength": {"emissiveStrength": 7}})))
        self.assertEqual(7, self.source("rubber.material")["parameters"]["emissive_intensity"])
        self.assertNotIn("emissive", self.source("red_paint.material")["parameters"])


class Cameras(GltfImport):
    def camera(self, **camera):
        warnings = self.change(lambda model: model.update(cameras=[camera]))
        return warnings, self.component("camera")

    def test_one_that_sees_without_end_keeps_the_default(self):
        warnings, camera = self.camera(type="perspective", perspective={"yfov": 0.9, "znear": 0.05})
        self.assertEqual(["camera 0 has no far limit; its far_range is the default of cameras"],
                         warnings)
        self.assertNotIn("far_range", camera)
        self.assertEqual((0.9, 0.05), (camera["vertical_fov"], camera["near_range"]))

    def test_orthographic_ones_have_a_height(self):
        warnings, camera = self.camera(type="orthographic", orthographic={
            "xmag": 3, "ymag": 2, "znear": 0.5, "zfar": 20})
        self.assertEqual([], warnings)
        self.assertEqual((4, 0.5, 20), (camera["orthographic_height"], camera["near_range"],
                                        camera["far_range"]))


class LeftOut(GltfImport):
    def test_other_scenes(self):
        self.assertEqual(["the file has 2 scenes; only scene 0 is read"],
                         self.change(lambda model: model["scenes"].append({"nodes": []})))

    def test_a_scene_that_is_not_named_is_the_first(self):
        def change(model):
            del model["scene"]
        self.assertEqual([], self.change(change))

    def test_extensions(self):
        self.assertEqual(['the file uses the extension "EXT_mesh_gpu_instancing", which is left out'],
                         self.change(lambda model: model.update(
                             extensionsUsed=["EXT_mesh_gpu_instancing"])))

    def test_attributes(self):
        def change(model):
            model["meshes"][1]["primitives"][0]["attributes"]["TEXCOORD_2"] = 0
            model["meshes"][1]["primitives"][0]["attributes"]["_WIND"] = 0
        self.assertEqual(['mesh "wheel", primitive 0: its attribute TEXCOORD_2 is left out',
                          'mesh "wheel", primitive 0: its attribute _WIND is left out'],
                         self.change(change))

    def test_integers_that_are_not_normalized(self):
        def change(model):
            model["accessors"].append({"bufferView": 0, "componentType": 5121, "count": 4,
                                       "type": "VEC4"})
            model["meshes"][1]["primitives"][0]["attributes"]["COLOR_0"] = 2
        self.assertEqual(['mesh "wheel", primitive 0: COLOR_0 has integers that are not normalized; '
                          'they are used as they are'], self.change(change))

    def test_rotations_that_are_none(self):
        self.assertEqual(['node "Eye" has a rotation of length 0; it is ignored'],
                         self.change(lambda model: model["nodes"][3].update(
                             rotation=[0, 0, 0, 0])))


if __name__ == "__main__":
    unittest.main()
