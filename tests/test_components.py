"""`cuttle components`: the reference of components, as text, as JSON and as the page in docs."""

import json
import os
import unittest

from support_cuttle import ROOT, TemporaryFolder, cuttle, read


def schemas():
    return json.loads(cuttle("components", "--json", check=0).stdout)


class Reference(TemporaryFolder):
    def test_the_page_in_docs_is_what_the_engine_writes(self):
        page = self.path("components.md")
        cuttle("components", "--markdown", page, check=0)
        self.assertEqual(read(page), read(os.path.join(ROOT, "docs", "components.md")),
                         "cuttle components --markdown docs/components.md")

    def test_json_has_every_field_with_its_parts(self):
        all_schemas = schemas()
        types = {schema["name"]: {field["name"]: field for field in schema["fields"]}
                 for schema in all_schemas["components"]}
        fov = types["camera"]["vertical_fov"]
        self.assertEqual([fov[key] for key in ("type", "unit", "least", "most")],
                         ["number", "rad", 0.01, 3.1])
        self.assertAlmostEqual(fov["default"], 1.0471975, 6)
        self.assertEqual(types["camera"]["projection"]["values"], ["perspective", "orthographic"])
        self.assertEqual(types["mesh"]["mesh"]["reference"], "mesh")
        self.assertTrue(types["mesh"]["mesh"]["is_required"])
        self.assertEqual(types["transform"]["rotation"]["default"], [0, 0, 0, 1])
        nodes = types["scene_graph"]["nodes"]["of"]["fields"]
        self.assertEqual([field["name"] for field in nodes],
                         ["name", "parent", "position", "rotation", "rotation_degrees", "scale"])
        self.assertEqual(types["transform"]["rotation_degrees"]["unit"], "deg")
        self.assertEqual([field["name"] for field in all_schemas["unit"]["fields"]],
                         ["inherit", "components", "children"])
        self.assertEqual([field["name"] for field in all_schemas["level"]["fields"]],
                         ["units", "script", "flow", "navigation", "volumes", "splines", "markers"])

    def test_text_tells_a_type(self):
        listed = cuttle("components", check=0).stdout.splitlines()
        self.assertEqual([line.split()[0] for line in listed],
                         [schema["name"] for schema in schemas()["components"]])
        self.assertIn("  near_range: number, m, 0.0001 to 1e+07; 0.1\n      Distance of the near "
                      "plane; must be below far_range.\n", cuttle("components", "camera", check=0).stdout)
        self.assertIn("each of nodes: ", cuttle("components", "scene_graph", check=0).stdout)

    def test_steps_are_printed_in_the_order_they_run(self):
        phases = ["spawn", "collect", "animate", "simulate", "react", "pose", "send", "clear"]
        lines = [line.split(None, 2) for line in cuttle("components", "--steps", check=0).stdout.splitlines()]
        self.assertEqual([step for _, _, step in lines],
                         ["levels", "collect garbage", "tidy transforms", "characters", "navigation", "physics", "time", "triggers",
                          "forget ended effects", "forget sound events", "pose new characters", "scene graphs",
                          "particles", "sounds", "meshes", "lights", "skins", "physics lines", "send particles", "clear changes"])
        places = [phases.index(phase) for phase, _, _ in lines]
        self.assertEqual(places, sorted(places))
        steps = json.loads(cuttle("components", "--steps", "--json", check=0).stdout)["steps"]
        self.assertEqual([[s["phase"], s["system"], s["step"]] for s in steps], lines)

    def test_a_type_that_is_none_is_an_error(self):
        done = cuttle("components", "lihgt", check=1)
        self.assertEqual(done.stderr, 'cuttle components: unknown component type "lihgt" '
                                      '(did you mean "light"?)\n')

    def test_a_page_that_cannot_be_written_is_an_error(self):
        done = cuttle("components", "--markdown", self.path("none", "page.md"), check=1)
        self.assertIn("cuttle components: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
