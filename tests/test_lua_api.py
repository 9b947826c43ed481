"""`cuttle lua-api`: the reference of Lua in the forms that others read, and what `cuttle new` sets up
for the Lua language server."""

import json
import os
import re
import subprocess
import sys
import unittest

from support_cuttle import CUTTLE, ROOT, TemporaryFolder, cuttle, folder_bytes, read, write

DECLARATION = re.compile(r"^function (\w+)\.(\w+)\((.*)\) end$", re.M)
OPERATOR = re.compile(r"^---@operator (\w+)(?:\((\w+)\))?: (\w+)$")

# A value of each type, and what each operator looks like.
EXAMPLES = {"Vector2": "Vector2(1, 2)", "Vector3": "Vector3(1, 2, 3)",
            "Vector4": "Vector4(1, 2, 3, 4)", "Quaternion": "Quaternion(Vector3(0, 0, 1), 1)",
            "Matrix4x4": "Matrix4x4.identity()", "number": "2"}
OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def api():
    return json.loads(cuttle("lua-api", "--json", check=0).stdout)


class Forms(TemporaryFolder):
    def test_json_has_every_function_with_its_parts(self):
        modules = {module["name"]: module for module in api()["modules"]}
        self.assertGreater(len(modules), 30)
        spawn = next(function for function in modules["World"]["functions"]
                     if function["name"] == "spawn_unit")
        self.assertEqual([argument["name"] for argument in spawn["arguments"][:2]],
                         ["self", "unit_name"])
        self.assertEqual(spawn["arguments"][0]["type"], "World")
        self.assertTrue(spawn["arguments"][2]["is_optional"])
        self.assertEqual(spawn["results"], [{"type": "Unit"}])
        self.assertEqual(len(modules["Vector3"]["call"]["arguments"]), 3)

    def test_annotations_declare_what_json_has(self):
        cuttle("lua-api", "--luals", self.path("luals"), check=0)
        modules = api()["modules"]
        files = {f"{module['name']}.lua" for module in modules} | {"types.lua"}
        self.assertEqual(set(os.listdir(self.path("luals"))), files)
        for module in modules:
            text = read(self.path("luals", module["name"] + ".lua"))
            declared = DECLARATION.findall(text)
            self.assertEqual([name for _, name, _ in declared],
                             [function["name"] for function in module["functions"]])
            for function in module["functions"]:
                self.assertIn(f"---{function['doc']}\n", text)

    def test_annotations_are_lua(self):
        project = self.compiled_project()
        for name, data in folder_bytes(os.path.join(project, ".luals")).items():
            write(os.path.join(project, "scripts", "annotations", name.lower()), data)
        done = cuttle("compile", project, check=0)
        self.assertNotIn("error", done.stderr)

    def test_every_type_of_a_function_is_declared(self):
        cuttle("lua-api", "--luals", self.path("luals"), check=0)
        texts = {name: data.decode() for name, data in folder_bytes(self.path("luals")).items()}
        declared = set(re.findall(r"^---@(?:class|alias) (\S+)", "\n".join(texts.values()), re.M))
        declared |= {"any", "boolean", "function", "integer", "nil", "number", "string", "table"}
        used = set()
        for text in texts.values():
            for types in re.findall(r"^---@(?:param \S+|return) (\S+)", text, re.M):
                used |= {name.rstrip("?").removesuffix("[]") for name in types.split("|")}
        self.assertGreater(len(used), 20)
        self.assertEqual(used - declared, set())

    def test_values_have_the_operators_and_fields_that_are_declared(self):
        project = self.compiled_project()
        lines = []
        types = read(os.path.join(project, ".luals", "types.lua"))
        for block in types.split("\n\n"):
            name = re.match(r"---@class (\S+)", block)
            for line in block.splitlines():
                operator, field = OPERATOR.match(line), re.match(r"---@field (\w+) number", line)
                if operator:
                    kind, other, result = operator.groups()
                    value = EXAMPLES[name.group(1)]
                    expression = (f"-{value}" if kind == "unm" else
                                  f"{value} {OPERATORS[kind]} {EXAMPLES[other]}")
                    lines.append(f"assert(Script.type_name({expression}) == '{result}')")
                elif field:
                    value = EXAMPLES[name.group(1)]
                    lines.append(f"assert(type(({value}).{field.group(1)}) == 'number')")
        self.assertGreater(len(lines), 20)
        write(os.path.join(project, "scripts", "main.lua"),
              "function init()\n" + "\n".join(lines) + "\nprint('all hold')\nend\n"
              "function update() Application.quit() end\n")
        done = cuttle("run", project, "--headless", "--frames", "1", check=0)
        self.assertIn("all hold", done.stderr + done.stdout)

    def test_markdown_has_a_page_for_each_module(self):
        cuttle("lua-api", "--markdown", self.path("pages"), check=0)
        pages = folder_bytes(self.path("pages"))
        modules = api()["modules"]
        self.assertEqual(set(pages), {f"{module['name']}.md" for module in modules} | {"README.md"})
        for module in modules:
            text = pages[module["name"] + ".md"].decode()
            for function in module["functions"]:
                self.assertIn(f"## {function['name']}\n", text)
                self.assertIn(function["doc"], text)

    def test_prints_a_module_or_a_function(self):
        self.assertIn("World.spawn_unit(self: World", cuttle("lua-api", "World", check=0).stdout)
        one = cuttle("lua-api", "World.spawn_unit", check=0).stdout
        self.assertTrue(one.startswith("World.spawn_unit(self: World"))
        self.assertEqual(len(one.splitlines()), 2)
        self.assertIn("Quaternion", cuttle("lua-api", check=0).stdout)

    def test_says_what_was_meant(self):
        self.assertIn('did you mean "World"', cuttle("lua-api", "Wrld", check=1).stderr)
        self.assertIn('did you mean "spawn_unit"',
                      cuttle("lua-api", "World.spawn_unti", check=1).stderr)

    def test_searches_names_and_docs(self):
        found = cuttle("lua-api", "LIGHT", "color", check=0).stdout.splitlines()
        names = [line.split()[0] for line in found]
        self.assertIn("Light.set_color", names)
        for line in found:
            self.assertIn("light", line.lower())
            self.assertRegex(line.lower(), "color")
        self.assertEqual(names[0].lower().count("color"), 1, "names come before docs")
        done = cuttle("lua-api", "light", "zzyzx", check=1)
        self.assertEqual((done.stdout, done.stderr),
                         ("", "cuttle lua-api: no function or module contains all of these words\n"))
        one = cuttle("lua-api", "state_hash", "living", check=0).stdout
        self.assertTrue(one.startswith("World.state_hash(self: World"), one)

    def test_names_what_no_function_contains(self):
        done = cuttle("lua-api", "zzyzx", check=1)
        self.assertEqual(done.stderr,
                         'cuttle lua-api: no function or module contains "zzyzx"\n')

    def test_a_folder_that_cannot_be_made_is_an_error(self):
        write(self.path("file"), "mine")
        done = cuttle("lua-api", "--luals", self.path("file", "luals"), check=1)
        self.assertIn("file", done.stderr)
        self.assertEqual(read(self.path("file")), "mine")


class NewProject(TemporaryFolder):
    def test_points_the_language_server_to_annotations_of_this_engine(self):
        project = self.compiled_project()
        settings = json.loads(read(os.path.join(project, ".luarc.json")))
        self.assertEqual(settings["runtime.version"], "LuaJIT")
        [library] = settings["workspace.library"]
        cuttle("lua-api", "--luals", self.path("luals"), check=0)
        self.assertEqual(folder_bytes(os.path.join(project, library)),
                         folder_bytes(self.path("luals")))


class Reference(TemporaryFolder):
    def test_the_written_reference_is_what_the_engine_has(self):
        """`cuttle lua-api --markdown docs/lua_api` brings it up to date."""
        cuttle("lua-api", "--markdown", self.path("pages"), check=0)
        written = folder_bytes(os.path.join(ROOT, "docs", "lua_api"))
        for name, page in folder_bytes(self.path("pages")).items():
            self.assertEqual(written.pop(name, b"").decode(), page.decode(), name)
        self.assertEqual(list(written), [], "pages of modules that are gone")

    def test_every_function_that_games_know_is_there_or_left_out_for_a_reason(self):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "lua_coverage.py"), CUTTLE],
                              capture_output=True, text=True, timeout=60)
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
