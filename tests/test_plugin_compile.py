"""Plugins in the compiler: component types in units, resource types of their own, and what fails."""

import os
import shutil
import struct
import unittest

from support_cuttle import IS_SANITIZED, Game, cuttle, data_folder, last_json, read, write
from support_plugin import PluginFolder

COMPONENT = """
typedef struct wind { float strength; float direction[3]; } wind;
#ifndef MOST
#define MOST 100
#endif
static const cuttle_field fields[] = {
    {.name = "strength", .type = CUTTLE_FIELD_FLOAT, .offset = offsetof(wind, strength),
     .size_bytes = 4, .doc = DOC, .unit = "m/s", .least = 0, .most = MOST, .default_value = {3}},
    {.name = "direction", .type = CUTTLE_FIELD_VECTOR3, .offset = offsetof(wind, direction),
     .size_bytes = 12, .doc = "Where it blows to.", .default_value = {0, 1, 0}},
};
static const cuttle_schema schema = {.name = "wind", .doc = "Moving air.", .version = VERSION,
    .size_bytes = sizeof(wind), .num_fields = 2, .fields = fields};
static const cuttle_component_type type = {.schema = &schema, .is_single = true};

static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    const cuttle_component_types_api_1 *types = get_api(CUTTLE_COMPONENT_TYPES_API, 1);
    return !types || types->add(self, &type, error);
}
"""


class Components(PluginFolder):
    def add_wind(self, version=1, doc="Speed.", most=100):
        self.build("wind", COMPONENT, f"-DVERSION={version}", f'-DDOC="{doc}"', f"-DMOST={most}")

    def unit(self, name, text):
        self.source(f"units/{name}.unit", text)

    def test_units_have_components_of_plugins_with_all_checks(self):
        self.add_wind()
        self.unit("breeze", 'components = [\n    { id = "a"  type = "wind"  strength = 5 }\n]\n')
        self.unit("storm", 'inherit = "units/breeze"\ncomponents = [ { id = "a"  strength = 50 } ]\n')
        self.assertEqual(self.compile()["failed"], 0)
        self.unit("bad", 'components = [\n    { id = "a"  type = "wind"  strength = 500 }\n'
                  '    { id = "b"  type = "wind" }\n    { id = "c"  type = "wnd" }\n]\n')
        self.unit("wrong", 'inherit = "units/breeze"\ncomponents = [ { id = "a"  sped = 50 } ]\n')
        told = {(e["file"], e["line"]): e["message"] for e in self.errors()}
        self.assertEqual(told["units/bad.unit", 2],
                         "wind.strength: found 500, expected 0 to 100 m/s")
        self.assertIn('unknown component type "wnd"; did you mean "wind"?', told["units/bad.unit", 4])
        self.assertIn("or one that a plugin in the settings adds", told["units/bad.unit", 4])
        self.assertIn("sped", told["units/wrong.unit", 2])

    def test_units_are_compiled_again_when_the_schema_changes_and_only_then(self):
        self.add_wind()
        self.unit("breeze", 'components = [ { id = "a"  type = "wind" } ]\n')
        self.unit("storm", 'inherit = "units/breeze"\n')
        self.unit("plain", 'components = [ { id = "a"  type = "transform" } ]\n')
        self.compile()
        self.assertEqual(self.compile()["compiled"], 0)
        self.add_wind(doc="Speed of the air.")
        self.assertEqual(self.compile()["compiled"], 0)
        self.add_wind(most=200)
        self.assertEqual(self.compile()["compiled"], 2)
        self.assertEqual(self.compile()["compiled"], 0)
        self.add_wind(version=2, most=200)
        self.assertEqual(self.compile()["compiled"], 2)
        done = cuttle("compile", self.project, "--explain", "units/breeze.unit", check=0)
        self.assertIn("component:wind has not changed", done.stdout)

    def test_units_that_failed_for_want_of_a_plugin_compile_with_it(self):
        self.unit("breeze", 'components = [ { id = "a"  type = "wind" } ]\n')
        self.assertIn('unknown component type "wind"', self.errors()[0]["message"])
        self.add_wind()
        self.assertEqual(self.compile()["failed"], 0)

    def test_a_taken_name_is_refused(self):
        self.build("wind", COMPONENT.replace('.name = "wind"', '.name = "mesh"'), "-DVERSION=1",
                   '-DDOC="x"')
        error, = self.errors()
        self.assertIn('the plugin "wind" is left out: the engine has a component type "mesh"',
                      error["message"])
        self.assertEqual(f'{error["file"]}:{error["line"]}:{error["column"]}',
                         self.place_of("wind"))


class Faults(PluginFolder):
    """Each is told once, at the plugin's line of the settings, and the others go on."""

    GOOD = 'static bool init(cuttle_plugin *s, cuttle_get_api g, cuttle_error *e) { return true; }\n'

    def expect(self, message, name="bad"):
        error, = self.errors()
        self.assertIn(f'the plugin "{name}" is left out: ', error["message"])
        self.assertIn(message, error["message"])
        self.assertEqual(f'{error["file"]}:{error["line"]}:{error["column"]}',
                         self.place_of(name))

    def add_good(self):
        self.build("wind", COMPONENT, "-DVERSION=1", '-DDOC="x"')
        self.source("units/breeze.unit", 'components = [ { id = "a"  type = "wind" } ]\n')

    def init(self, body, name="bad"):
        self.build(name, "static bool init(cuttle_plugin *self, cuttle_get_api get_api, "
                   "cuttle_error *error) {\n" + body + "\n}\n")

    def test_what_is_no_plugin(self):
        self.add_good()
        self.use("bad")
        self.expect('the library "plugins/bad/bad.so" is not there: build the plugin')
        self.source("plugins/bad/bad.so", "hello")
        self.expect("it is not a shared library")
        library = read(self.library("wind"), "rb")
        self.source("plugins/bad/bad.so", library[:18] + b"\xf3\x00" + library[20:])
        self.expect("for another machine")
        self.source("plugins/bad/bad.so", library[:5000])
        self.expect("ends too early")
        self.source("plugins/bad/bad.so", library)
        self.expect('the library is of the plugin "wind"; expected "bad"')
        self.init("return true;")
        self.assertEqual(self.compile()["failed"], 0)

    @unittest.skipIf(IS_SANITIZED, "signals are the sanitizer's")
    def test_init_that_crashes_ends_or_hangs(self):
        self.add_good()
        for body, message in (("*(volatile int *)8 = 1; return true;", "it crashed: Segmentation"),
                              ("abort();", "it called abort"), ("exit(3);", "it called exit(3)"),
                              ("return false;", "returned false without a reason"),
                              ("snprintf(error->message, 99, \"no luck\"); return false;", "no luck")):
            self.init(body)
            self.expect(message)
        self.init("for (;;) sleep(1);")
        self.expect("took more than the limit of")

    @unittest.skipIf(IS_SANITIZED, "signals are the sanitizer's")
    def test_a_library_that_crashes_when_it_is_opened(self):
        self.add_good()
        self.build("bad", self.GOOD +
                   "__attribute__((constructor)) static void begin(void) { raise(11); }\n"
                   .replace("raise(11)", "*(volatile int *)8 = 1"))
        self.expect("crashed with signal 11")

    def test_needs(self):
        self.add_good()
        self.build("bad", self.GOOD, needs='(const char *const[]){"nothing", NULL}')
        self.expect('it needs the plugin "nothing", which is not loaded')
        self.build("bad", self.GOOD, needs='(const char *const[]){"wind", NULL}')
        self.assertEqual(self.compile()["failed"], 0)

    def test_names_of_two_plugins(self):
        self.add_good()
        self.build("bad", COMPONENT, "-DVERSION=1", '-DDOC="x"')
        self.expect('the component type "wind" is of the plugin "wind"')


RESOURCE = """
typedef struct dialog { char file[64]; float speed; uint32_t mood; uint64_t icon; } dialog;
static const char *const moods[] = {"calm", "angry", NULL};
static const cuttle_field fields[] = {
    {.name = "file", .type = CUTTLE_FIELD_TEXT, .offset = offsetof(dialog, file), .size_bytes = 64},
    {.name = "speed", .type = CUTTLE_FIELD_FLOAT, .offset = offsetof(dialog, speed), .size_bytes = 4,
     .least = 0, .most = 10, .default_value = {1}},
    {.name = "mood", .type = CUTTLE_FIELD_ENUM, .offset = offsetof(dialog, mood), .size_bytes = 4,
     .enum_names = moods},
    {.name = "icon", .type = CUTTLE_FIELD_REFERENCE, .offset = offsetof(dialog, icon),
     .size_bytes = 8, .reference_type = "texture"},
};
static const cuttle_schema schema = {.name = "dialog", .doc = "What people say.", .version = 1,
    .size_bytes = sizeof(dialog), .num_fields = 4, .fields = fields};
static const cuttle_resource_type type = {.name = "dialog", .version = VERSION, .schema = &schema};
static const cuttle_compiler_api_1 *compiler;

#ifdef COMPILE
static bool compile(cuttle_plugin *self, cuttle_compile *c, const void *source) {
    const dialog *const d = source;
    COMPILE
}
static const cuttle_compiler_type compiled = {.name = "dialog", .compile = compile};
#endif

static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    const cuttle_resource_types_api_1 *types = get_api(CUTTLE_RESOURCE_TYPES_API, 1);
    compiler = get_api(CUTTLE_COMPILER_API, 1);
    if (types && !types->add(self, &type, error))
        return false;
#ifdef COMPILE
    if (compiler && !compiler->add(self, &compiled, error))
        return false;
#endif
    return true;
}
"""

READ_TEXT = """
    uint64_t size;
    const char *const text = compiler->read(c, d->file, &size, compiler->find(compiler->root(c), "file"));
    if (!text)
        return false;
    if (size > 40)
        compiler->warning(c, compiler->root(c), "%s has %d bytes", compiler->name(c), (int)size);
    if (strchr(text, '!'))
        return compiler->error_at(c, d->file, 1, (uint32_t)(strchr(text, '!') - text) + 1, "too loud");
    uint32_t head[4] = {(uint32_t)size};
    compiler->write(c, head, sizeof(head), 4);
    head[1] = compiler->write(c, text, size, 16);
    head[2] = (uint32_t)compiler->number(compiler->setting(c, "game.shops"), 7);
    return compiler->patch(c, 0, head, sizeof(head));
"""


class Types(PluginFolder):
    def add(self, compile=None, version=1):
        options = [f"-DVERSION={version}"]
        if compile:
            options.append("-DCOMPILE=" + " ".join(compile.split()))
        self.build("talk", RESOURCE, *options)

    def dialog(self, name, text):
        self.source(f"dialogs/{name}.dialog", text)

    def data(self, name):
        """The bytes of a compiled dialog, with its version."""
        ids = [last_json(cuttle("hash", n, "--json", check=0).stdout)[0]["id64"].removeprefix("0x")
               for n in ("dialog", name)]
        blob = read(os.path.join(data_folder(self.project), "-".join(ids)), "rb")
        version, _, offset, count = struct.unpack_from("<4I", blob, 32)
        self.assertEqual(offset % 16, 0)
        return version, blob[offset:offset + count]

    def test_without_compile_function_the_struct_is_the_data(self):
        self.add(version=3)
        self.dialog("baker", 'file = "bread"\nmood = "angry"\n')
        self.assertEqual(self.compile()["failed"], 0)
        version, data = self.data("dialogs/baker")
        self.assertEqual(version, 3)
        self.assertEqual(struct.unpack("<64sfIQ", data), (b"bread".ljust(64, b"\0"), 1.0, 1, 0))
        self.dialog("baker", 'file = "bread"\nmood = "glad"\nicon = "textures/none"\nsped = 1\n')
        told = {e["line"]: e["message"] for e in self.errors()}
        self.assertIn("glad", told[2])
        self.assertIn('texture "textures/none" is missing', told[3])
        self.assertIn('did you mean "speed"?', told[4])

    def test_files_and_settings_that_a_compile_function_reads_are_part_of_the_key(self):
        self.add(READ_TEXT)
        self.source("dialogs/baker.txt", "Good morning.")
        self.dialog("baker", 'file = "dialogs/baker.txt"\n')
        self.compile()
        version, data = self.data("dialogs/baker")
        self.assertEqual(struct.unpack_from("<3I", data), (13, 16, 7))
        self.assertEqual(data[16:], b"Good morning.")
        self.assertEqual(self.compile()["compiled"], 0)
        self.source("dialogs/baker.txt", "Good evening, and welcome to the bakery of the town.")
        report = self.compile()
        self.assertEqual((report["compiled"], len(report["warnings"])), (1, 1))
        self.assertEqual(report["warnings"][0]["message"], "dialogs/baker has 52 bytes")
        with open(os.path.join(self.project, "settings.config"), "a") as file:
            file.write("game = { shops = 9 }\n")
        self.compile()
        self.assertEqual(struct.unpack_from("<3I", self.data("dialogs/baker")[1])[2], 9)
        self.source("dialogs/baker.txt", "Hi!")
        error, = self.errors()
        self.assertEqual([error[k] for k in ("file", "line", "column", "message")],
                         ["dialogs/baker.txt", 1, 3, "too loud"])
        os.remove(os.path.join(self.project, "dialogs/baker.txt"))
        error, = self.errors()
        self.assertEqual([error[k] for k in ("file", "line", "column")],
                         ["dialogs/baker.dialog", 1, 1])

    def test_a_version_compiles_all_again_and_a_build_does_not(self):
        self.add()
        for i in range(40):
            self.dialog(f"d{i}", f"speed = {i % 10}\n")
        self.assertEqual(self.compile()["failed"], 0)
        self.build("talk", RESOURCE + "static int other;\n", "-DVERSION=1", "-O2")
        self.assertEqual(self.compile()["compiled"], 0)
        self.add(version=2)
        self.assertEqual(self.compile()["compiled"], 40)
        self.add("compiler->write(c, d, 4, 4); return true;", version=2)
        self.assertEqual(self.compile()["compiled"], 40)

    def test_packages_references_and_deps_know_the_types(self):
        self.add()
        self.dialog("baker", "icon = \"core/textures/white\"\n")
        self.source("boot.package", read(os.path.join(self.project, "boot.package")) +
                    '\ndialog = ["dialogs/baker"]\n')
        self.compile()
        of = cuttle("deps", self.project, "--of", "dialogs/baker.dialog", check=0).stdout
        self.assertIn("core/textures/white", of)
        to = cuttle("deps", self.project, "--to", "dialogs/baker.dialog", check=0).stdout
        self.assertIn("boot", to)
        self.source("boot.package", read(os.path.join(self.project, "boot.package")).replace(
            '"dialogs/baker"', '"dialogs/none"'))
        self.assertIn('dialog "dialogs/none"', self.errors()[0]["message"])

    def test_the_plugin_goes_and_its_data_with_it(self):
        self.add()
        self.dialog("baker", "speed = 2\n")
        self.compile()
        num_files = len(os.listdir(data_folder(self.project)))
        settings = os.path.join(self.project, "settings.config")
        text = read(settings)
        write(settings, text + "{")  # broken: all stays
        self.compile(check=1)
        self.assertEqual(len(os.listdir(data_folder(self.project))), num_files)
        write(settings, text.split("\nplugins")[0] + "\n")
        self.assertEqual(self.compile()["failed"], 0)
        self.assertEqual(len(os.listdir(data_folder(self.project))), num_files - 1)
        write(settings, text)
        self.assertEqual(self.compile()["failed"], 0)
        self.data("dialogs/baker")

    def test_a_data_folder_elsewhere_has_the_copies(self):
        self.add()
        self.dialog("baker", "speed = 2\n")
        data = self.path("data")
        self.assertEqual(self.compile("--data-dir", data)["failed"], 0)
        self.assertEqual(self.compile("--data-dir", data)["compiled"], 0)
        names = sorted(os.listdir(os.path.join(data, "plugins")))
        self.assertEqual(names[0], "description")
        self.assertRegex(names[1], r"^talk-[0-9a-f]{16}\.so$")
        self.assertEqual(len(names), 2)
        self.assertFalse(os.path.exists(os.path.join(self.project, ".cuttle", "cache", "plugins")))
        self.add(version=2)  # the copy of the last build goes
        self.compile("--data-dir", data)
        self.assertNotIn(names[1], os.listdir(os.path.join(data, "plugins")))
        self.assertEqual(len(os.listdir(os.path.join(data, "plugins"))), 2)

    def test_a_damaged_description_is_asked_for_again(self):
        self.add()
        self.dialog("baker", "speed = 2\n")
        self.compile()
        path = os.path.join(self.project, ".cuttle", "cache", "plugins", "description")
        whole = read(path)
        for damaged in ("", whole[:30], whole[:-20], "x" * 200, "0\n" + whole.split("\n")[1],
                        whole.replace("dialog", "dialig")):
            write(path, damaged)
            self.assertEqual(self.compile()["failed"], 0, damaged)
            self.data("dialogs/baker")

    def test_compile_functions_that_fail(self):
        self.dialog("baker", "speed = 2\n")
        for body, message in (
                ("return false;", 'the compile function of the plugin "talk" failed without'),
                ("return true;", 'the compile function of the plugin "talk" wrote no data'),
                ("compiler->write(c, NULL, 0, 1); return true;", "wrote no data"),
                ("compiler->write(c, NULL, 3ull << 30, 1); return true;", "more than the limit of"),
                ("for (int i = 0; i < 4; ++i) compiler->write(c, NULL, 900u << 20, 1); return true;",
                 "more than the limit of"),
                ("compiler->write(c, d, 4, 3); return true;", "called `write` with an alignment"),
                ("compiler->write(c, d, 4, 4); return compiler->patch(c, 1, d, 4);",
                 "called `patch` with bytes that were not written"),
                ("compiler->read(c, NULL, NULL, compiler->root(c)); return true;",
                 "called `read` with no path"),
                ("compiler->read(c, \"../../etc/passwd\", NULL, compiler->root(c)); return true;",
                 "is not a project path"),
                ("compiler->reference(c, \"texture\", \"No\", compiler->root(c)); return true;",
                 "is not the name of a resource"),
                ("compiler->reference(c, \"nothing\", \"a\", compiler->root(c)); "
                 "compiler->write(c, d, 4, 4); return true;", 'nothing "a" is missing'),
                ("return compiler->error(c, compiler->root(c), \"%d is odd\", 3);", "3 is odd")):
            self.add(body)
            error, = self.errors()
            self.assertIn(message, error["message"])
            self.assertEqual(error["file"], "dialogs/baker.dialog")
        self.add("compiler->write(c, d, 4, 4); return true;")
        self.assertEqual(self.compile()["failed"], 0)

    @unittest.skipIf(IS_SANITIZED, "signals are the sanitizer's")
    def test_compile_functions_that_crash_or_hang_fail_their_resource(self):
        self.dialog("baker", "speed = 2\n")
        self.dialog("smith", "speed = 3\n")
        for body, message in (
                ("if (d->speed == 2) *(volatile int *)8 = 1;", "crashed with signal 11 (SIGSEGV)"),
                ("if (d->speed == 2) abort();", "crashed with signal 6 (SIGABRT)"),
                ("if (d->speed == 2) exit(3);", "ended with exit code 3"),
                ("if (d->speed == 2) for (;;) sleep(1);", "took more than the limit of 2 s")):
            self.add(body + " compiler->write(c, d, 4, 4); return true;")
            # A report of a crash may take longer than that where the machine is busy.
            limit = ("--time-limit", "2") if "limit" in message else ()
            error, = self.compile(*limit, check=1)["errors"]
            self.assertIn(message, error["message"])
            self.assertEqual(error["file"], "dialogs/baker.dialog")
            self.data("dialogs/smith")

    def test_schemas_that_are_wrong(self):
        for old, new, message in (
                ("offsetof(dialog, speed)", "2", "offset that is not a multiple"),
                ("offsetof(dialog, speed)", "8", "share bytes"),
                ("offsetof(dialog, icon)", "400", "ends behind the struct"),
                ("size_bytes = 4,\n     .least", "size_bytes = 8,\n     .least", "size that is not that of its"),
                ('.name = "speed"', '.name = "mood"', "two fields mood"),
                ('.name = "speed"', '.name = "Speed"', "needs a name of"),
                ('.name = "speed"', '.name = "type"', "needs a name of"),
                (".enum_names = moods", ".enum_names = NULL", "needs enum_names"),
                ('.reference_type = "texture"', ".doc = NULL", "needs a reference_type"),
                (".default_value = {1}", ".default_value = {11}", "default that is not"),
                ("CUTTLE_FIELD_TEXT", "CUTTLE_FIELD_BYTES", "the type BYTES"),
                ("CUTTLE_FIELD_TEXT", "99", "unknown type"),
                ('.name = "dialog", .doc', '.name = "dialogs", .doc', 'a schema named "dialogs"'),
                ('.name = "dialog", .version', '.name = "texture", .version',
                 'the engine has a resource type "texture"'),
                ('.name = "dialog", .version', '.name = "Dialog", .version', "is not the name of"),
                (".schema = &schema", ".validate = NULL", "needs a schema or a compile function")):
            self.assertIn(old, RESOURCE)
            self.build("talk", RESOURCE.replace(old, new), "-DVERSION=1", "-Wno-override-init")
            error, = self.errors()
            self.assertIn('the plugin "talk" is left out: ', error["message"])
            self.assertIn(message, error["message"])


if __name__ == "__main__":
    unittest.main()
