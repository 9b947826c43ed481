#include "content/content_group.h"
#include "content/references/content_references.h"

#include "content/move/mention_support.h"

static void finds_references_and_media_by_schema(void **state) {
    (void)state;
    expect_mentions("a.mesh", "source = \"models/a.glb\"", "media:models/a.glb@1:1|");
    expect_mentions("a.level", "units = [ { id = \"a\"  unit = \"units/box\" } ]\nscript = \"x/y\"",
                    "unit:units/box@1:23|lua:x/y@2:1|");
    expect_mentions("a.material", "shader = \"s\" textures = { c = \"t/a\" d = null e = \"t/b\" }",
                    "shader:s@1:1|texture:t/a@1:27|texture:t/b@1:46|");
    expect_mentions("a.texture", "sources = [\"a.png\" \"b.png\"]",
                    "media:a.png@1:12|media:b.png@1:20|");
    expect_mentions("a.texture", "cube = { right = \"r.png\" left = \"l.png\" }",
                    "media:r.png@1:10|media:l.png@1:26|");
    expect_mentions("a.input", "gamepad_mappings = \"pads/map.txt\"", "media:pads/map.txt@1:1|");
}

static void finds_names_and_wildcards_of_packages(void **state) {
    (void)state;
    expect_mentions("a.package", "texture = [\"*\" \"t/a\"]\nunit = [\"u/*\"]",
                    "texture~*@1:12|texture:t/a@1:16|unit~u/*@2:9|");
}

static void finds_references_of_components_and_overrides(void **state) {
    (void)state;
    expect_mentions(
        "a.unit",
        "components = [\n"
        "{ id = \"1\" type = \"mesh\" mesh = \"m/a\" materials = [\"x\" \"\" \"y\"] }\n"
        "{ id = \"2\" type = \"light\" mesh = \"no\" }\n"
        "{ id = \"3\" mesh = \"m/b\" } { id = \"4\" type = \"?\" materials = [\"z\"] } ]\n"
        "children = [ { id = \"5\" unit = \"u\" children = [ { id = \"6\" "
        "overrides = [ { id = \"7\" mesh = \"m/c\" } ] } ] } ]",
        "mesh:m/a@2:26|material:x@2:52|material:y@2:59|mesh:m/b@4:12|material:z@4:62|"
        "unit:u@5:25|mesh:m/c@5:85|");
}

static void finds_references_of_flow_nodes(void **state) {
    (void)state;
    expect_mentions(
        "a.flow",
        "nodes = [ { id = \"1\" type = \"graph\" graph = \"g\" inputs = { type = \"n\" } }\n"
        "{ id = \"2\" type = \"unit_is_of_type\" inputs = { type = \"u/a\" } }\n"
        "{ id = \"3\" type = \"delay\" inputs = { type = \"n\" time = 2 } }\n"
        "{ id = \"4\" type = \"unit_is_of_type\" inputs = \"n\" } { inputs = { type = \"n\" } } ]",
        "flow:g@1:37|unit:u/a@2:48|");
}

static void finds_references_of_render_steps(void **state) {
    (void)state;
    expect_mentions(
        "a.render_config",
        "inherit = \"r\" resource_generators = {\n"
        "a = [ { type = \"fullscreen_pass\" shader = \"s\" material = \"m\" } ]\n"
        "b = { first = [ { type = \"compute\" shader = \"c\" } ]\n"
        "before = { x = [ { shader = \"d\" } ] } } }",
        "render_config:r@1:1|shader:s@2:34|material:m@2:47|shader:c@3:36|shader:d@4:20|");
}

static void finds_what_shaders_include(void **state) {
    (void)state;
    expect_mentions("a.shader",
                    "includes = [\"s/a.glsl\"] textures = { c = { default = \"t/w\" } }\n"
                    "vertex = \"\"\"\n// #include \"no.glsl\"\n # include \"s/b.glsl\"\n\"\"\"\n"
                    "fragment = \"x\\u00e9\\n#include \\\"s/c.glsl\\\"\\n\"",
                    "media:s/a.glsl@1:13|texture:t/w@1:44|media:s/b.glsl@4:13|"
                    "media:s/c.glsl@6:33|");
    assert_string_equal(
        mentions_of_kind(CT_CONTENT_KIND_GLSL, "s/a.glsl",
                         "#include \"b.glsl\"\r\n/* #include \"no\" \n*/ x\n#include \"c.glsl\""),
        "media:b.glsl@1:11|media:c.glsl@4:11|");
}

static void finds_settings_and_likely_names_of_configs(void **state) {
    (void)state;
    expect_mentions("settings.config",
                    "boot_script = \"b\" boot_package = \"p\" input = \"\"\n"
                    "game = { x = [ \"units/box\" \"No name\" ] }",
                    "lua:b@1:1|package:p@1:19|?units/box@2:16|");
    expect_mentions("settings.ps5.config", "boot_script = \"b\"", "lua:b@1:1|");
    expect_mentions("other.config", "boot_script = \"b\"", "?b@1:1|");
    expect_mentions("a.strings", "key = \"units/box\"", "");
}

static void gives_the_bytes_of_names_as_they_are_written(void **state) {
    (void)state;
    expect_mentions("a.mesh", "\xef\xbb\xbfsource = \"m.glb\"", "media:m.glb@1:1|");
    expect_mentions("a.mesh", "source = \"m\\u002eglb\"", "media:m.glb@1:1<m\\u002eglb>|");
    expect_mentions("a.mesh", "source = \"\"\"m.glb\"\"\"", "media:m.glb@1:1|");
    expect_mentions("a.mesh", "// \"source\"\r\nsource : // \"no\"\r\n\t\"m.glb\"",
                    "media:m.glb@2:1|");
}

static void finds_references_in_values_of_data(void **state) {
    (void)state;
    expect_mentions("a.unit",
                    "components = [ { type = \"data\" values = {\n"
                    "  resource = \"no\" type = \"unit\"\n"
                    "  a = { resource = \"u\" type = \"unit\" } b = { c = {\n"
                    "  type = \"texture\" resource = \"t/a\" } } d = { resource = \"no\" }\n"
                    "  e = { resource = \"no\" type = \"ore\" } } } ]",
                    "unit:u@3:9|texture:t/a@4:20|");
    expect_mentions("a.level",
                    "units = [ { overrides = [ { id = \"d\" values = {\n"
                    "  a = { resource = \"u\" type = \"unit\" } } } ] } ]",
                    "unit:u@2:9|");
}

static void what_is_wrong_hides_nothing_else(void **state) {
    (void)state;
    expect_mentions("a.material", "shader = 5 parent = [\"x\"] what = 1 textures = { c = \"t/a\" }",
                    "texture:t/a@1:49|");
    expect_mentions("a.level", "units = { a = { unit = \"u\" } }", "unit:u@1:17|");
    expect_mentions("a.unit", "components = [ 1 { mesh = \"A b\" } { type = 5 mesh = \"\" } ]",
                    "mesh:A b@1:20|");
    expect_mentions("a.unit", "inherit = \"x", "error:a.unit:1:11");
}

static void finds_what_models_name(void **state) {
    (void)state;
    expect_mentions("m/a.gltf",
                    "{\"buffers\":[{\"uri\":\"a%20b.bin\"},{\"uri\":\"data:x\"}],"
                    "\"images\":[{\"uri\":\"../t/i.png\"},{\"uri\":\"../../out.png\"}]}",
                    "media:m/a_b.bin@1:14<a%20b.bin>|media:t/i.png@1:62<../t/i.png>|");
    expect_mentions("a.obj", "# mtllib no.mtl\nmtllib ./a.mtl \r\nv 1",
                    "media:a.mtl@2:8<./a.mtl>|");
    expect_mentions("m/a.obj", "mtllib My Own.mtl\n", "media:m/my_own.mtl@1:8<My Own.mtl>|");
    expect_mentions("a.glb", "glTF", "error:a.glb:0:0");
    expect_mentions("a.png", "mtllib a.mtl", "");
}

static void finds_what_materials_of_obj_name(void **state) {
    (void)state;
    expect_mentions("m/a.mtl",
                    "newmtl A\r\n\tmap_Kd  -s 1 1 -clamp on t\\My wood.png \r\n#map_Kd b.png",
                    "media:m/t/My wood.png@2:27<t\\My wood.png>|");
    expect_mentions("a.mtl",
                    "MAP_BUMP -bm 0.5 -mm 0 b.png\nnorm c.png\nbump\nmap_Kd -o 1\nKd 1 1 1",
                    "media:b.png@1:24|media:c.png@2:6|");
    expect_mentions("a.mtl", "map_Kd C:\\art\\wood.png\nmap_Kd /wood.png\nmap_Kd -x.png",
                    "media:-x.png@3:8|");
}

// As the compiler reads them.
static void finds_what_models_name_in_all_forms(void **state) {
    (void)state;
    expect_mentions("a.obj", "\xef\xbb\xbfmtllib\ta.mtl b.mtl\tMy c.MTL # all\rmtllib d.mtl #x\n",
                    "media:a.mtl@1:8|media:b.mtl@1:14|media:my_c.mtl@1:20<My c.MTL>|"
                    "media:d.mtl@2:8|");
    expect_mentions("a.obj", "# x\\\nmtllib a.mtl \\\n b.mtl\n",
                    "media:a.mtl@2:8|media:b.mtl@3:2|");
    expect_mentions("a.mtl", "\xef\xbb\xbfmap_Kd\t-s 2\t-o .5 0 0 My a.png # x\nmap_Ks b #2.png\n",
                    "media:My a.png@1:23|media:b #2.png@2:8|");
    expect_mentions("a.mtl", "map_Bump a.png -bm 0.5\nmap_aat on\nrefl -type sphere c.png #x\n",
                    "media:a.png@1:10|media:c.png@3:19|");
    expect_mentions("a.obj", "\xff\xfem", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_references_and_media_by_schema),
        cmocka_unit_test(finds_names_and_wildcards_of_packages),
        cmocka_unit_test(finds_references_of_components_and_overrides),
        cmocka_unit_test(finds_references_of_flow_nodes),
        cmocka_unit_test(finds_references_of_render_steps),
        cmocka_unit_test(finds_what_shaders_include),
        cmocka_unit_test(finds_settings_and_likely_names_of_configs),
        cmocka_unit_test(gives_the_bytes_of_names_as_they_are_written),
        cmocka_unit_test(finds_references_in_values_of_data),
        cmocka_unit_test(what_is_wrong_hides_nothing_else),
        cmocka_unit_test(finds_what_models_name),
        cmocka_unit_test(finds_what_materials_of_obj_name),
        cmocka_unit_test(finds_what_models_name_in_all_forms),
    };
    return cmocka_run_group_tests(tests, content_group_setup, test_group_teardown);
}
