#include "resource/schema/schema.h"

#include <math.h>
#include <stdio.h>

#include "foundation/math/math.h"
#include "resource/blob/blob_fixtures.h"

// A struct with a field of each type.
typedef struct thing {
    uint32_t flag;
    int32_t number;
    float factor;
    float corner[2];
    float place[3];
    float plane[4];
    float turn[4];
    float color[4];
    uint32_t kind;
    char label[8];
    ct_string_id32 name;
    ct_string_id64 mesh;
    ct_string_id64 parts[3];
    const char *text;
    const char *file;
    ct_sjson_value any, list, map;
    ct_sjson_value mesh_value;
} thing;

#define AT(member) .offset = offsetof(thing, member), .size_bytes = sizeof(((thing *)0)->member)
static const char *const kinds[] = {"round", "square", "pointed", NULL};
static const ct_schema thing_schema;
static const ct_field fields[] = {
    {.name = "flag", .type = CT_FIELD_TYPE_BOOL, AT(flag), .default_value = {1}},
    {.name = "number",
     .type = CT_FIELD_TYPE_INT,
     AT(number),
     .default_value = {-3},
     .least = -10,
     .most = 10},
    {.name = "factor",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(factor),
     .default_value = {2},
     .unit = "m",
     .least = 0.5,
     .most = 8},
    {.name = "corner", .type = CT_FIELD_TYPE_VECTOR2, AT(corner), .default_value = {1, 2}},
    {.name = "place", .type = CT_FIELD_TYPE_VECTOR3, AT(place), .least = -5, .most = 5},
    {.name = "plane", .type = CT_FIELD_TYPE_VECTOR4, AT(plane)},
    {.name = "turn",
     .type = CT_FIELD_TYPE_QUATERNION,
     AT(turn),
     .default_value = {0, 0, 0, 1},
     .degrees_name = "turn_degrees"},
    {.name = "color", .type = CT_FIELD_TYPE_COLOR, AT(color), .default_value = {0.5, 1, 0, 1}},
    {.name = "kind", .type = CT_FIELD_TYPE_ENUM, AT(kind), .enum_names = kinds},
    {.name = "label", .type = CT_FIELD_TYPE_TEXT, AT(label), .default_text = "none"},
    {.name = "name", .type = CT_FIELD_TYPE_NAME, AT(name), .default_text = "root_point"},
    {.name = "mesh",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(mesh),
     .flags = CT_FIELD_REQUIRED,
     .reference_type = "mesh"},
    {.name = "mesh", .type = CT_FIELD_TYPE_VALUE, AT(mesh_value)},
    {.name = "parts", .type = CT_FIELD_TYPE_REFERENCES, AT(parts), .reference_type = "material"},
    {.name = "text", .type = CT_FIELD_TYPE_STRING, AT(text), .default_text = "words"},
    {.name = "file", .type = CT_FIELD_TYPE_MEDIA, AT(file)},
    {.name = "any", .type = CT_FIELD_TYPE_VALUE, AT(any)},
    {.name = "list", .type = CT_FIELD_TYPE_ARRAY, AT(list), .schema = &thing_schema},
    {.name = "map", .type = CT_FIELD_TYPE_MAP, AT(map)},
};
static const ct_schema thing_schema = {
    .name = "thing",
    .doc = "All there is.",
    .size_bytes = sizeof(thing),
    .num_fields = CT_COUNT_OF(fields),
    .fields = fields,
};

// --- What reading told ---------------------------------------------------------------------------

enum { MAX_TOLD = 16 };
static ct_error errors[MAX_TOLD];
static uint32_t num_errors;
static char references[MAX_TOLD][64];
static uint32_t num_references;
static ct_sjson *doc;
static thing out;

static void on_error(void *user, const ct_error *error) {
    (void)user;
    assert_true(num_errors < MAX_TOLD);
    errors[num_errors++] = *error;
}

static void on_reference(void *user, const char *type, const char *name, const ct_sjson *where,
                         ct_sjson_value at) {
    (void)user;
    uint32_t line, column;
    ct_sjson_position(where, at, &line, &column);
    assert_true(num_references < MAX_TOLD);
    snprintf(references[num_references++], 64, "%s %s at %u", type, name, line);
}

static bool read(const char *text) {
    static const ct_schema_listener listener = {NULL, on_reference, on_error, NULL};
    ct_error error = {0};
    ct_sjson_free(doc);
    num_errors = num_references = 0;
    doc = ct_sjson_parse(test_heap(), text, strlen(text), "units/a.unit", NULL, &error);
    if (!doc)
        fail_msg("%s", error.message);
    return ct_schema_read(&thing_schema, doc, ct_sjson_root(doc), &out, &listener);
}

// Reads a text that has one error.
static void assert_error(const char *text, const char *message, uint32_t line, uint32_t column) {
    assert_false(read(text));
    assert_int_equal(num_errors, 1);
    assert_message(&errors[0], message);
    assert_string_equal(errors[0].file, "units/a.unit");
    assert_int_equal(errors[0].line, line);
    assert_int_equal(errors[0].column, column);
}

static int free_doc(void **state) {
    (void)state;
    ct_sjson_free(doc);
    doc = NULL;
    return 0;
}

// --- Values --------------------------------------------------------------------------------------

static void fills_in_defaults(void **state) {
    (void)state;
    assert_true(read("mesh = \"m\""));
    assert_int_equal(out.flag, 1);
    assert_int_equal(out.number, -3);
    assert_true(out.factor == 2);
    assert_true(out.corner[0] == 1 && out.corner[1] == 2);
    assert_true(out.turn[3] == 1);
    assert_true(fabsf(out.color[0] - 0.21404114f) < 1e-6f && out.color[1] == 1);
    assert_int_equal(out.kind, 0);
    assert_string_equal(out.label, "none");
    assert_int_equal(out.name.value, 0x5e43bd96);
    assert_string_equal(out.text, "words");
    assert_null(out.file);
    assert_int_equal(out.any.entry, 0);
}

static void reads_every_type(void **state) {
    (void)state;
    assert_true(read("flag = false number = 7 factor = 0.5 corner = [3 4] place = [1 2 3]\n"
                     "plane = [1 2 3 4] turn = [0 0 0 2] color = [1 0.5 0 0.25]\n"
                     "kind = \"pointed\" label = \"seven77\" name = \"eye\" mesh = \"models/box\"\n"
                     "parts = [\"a\" \"\" \"b\"] text = \"hello\" file = \"models/box.glb\"\n"
                     "any = { x = 1 } list = [{} {}] map = { a = 1 }"));
    assert_int_equal(out.flag, 0);
    assert_int_equal(out.number, 7);
    assert_true(out.factor == 0.5f && out.corner[1] == 4 && out.place[2] == 3 && out.plane[3] == 4);
    assert_true(out.turn[2] == 0 && out.turn[3] == 1);
    assert_true(out.color[0] == 1 && fabsf(out.color[1] - 0.21404114f) < 1e-6f);
    assert_true(out.color[3] == 0.25f);
    assert_int_equal(out.kind, 2);
    assert_string_equal(out.label, "seven77");
    assert_int_equal(out.name.value, ct_string_id32_of("eye").value);
    assert_int_equal(out.mesh.value, ct_string_id64_of("models/box").value);
    assert_int_equal(out.parts[0].value, ct_string_id64_of("a").value);
    assert_int_equal(out.parts[1].value, 0);
    assert_int_equal(out.parts[2].value, ct_string_id64_of("b").value);
    assert_string_equal(out.text, "hello");
    assert_string_equal(out.file, "models/box.glb");
    assert_int_equal(ct_sjson_type_of(doc, out.any), CT_SJSON_TYPE_OBJECT);
    assert_int_equal(ct_sjson_count(doc, out.list), 2);
    assert_string_equal(ct_sjson_string(doc, out.mesh_value, ""), "models/box");
}

static void tells_references_in_source_order(void **state) {
    (void)state;
    assert_true(read("parts = [\n\"wood\" \"\"\n\"steel\"]\nmesh = \"box\""));
    assert_int_equal(num_references, 3);
    assert_string_equal(references[0], "material wood at 2");
    assert_string_equal(references[1], "material steel at 3");
    assert_string_equal(references[2], "mesh box at 4");
}

static void passes_over_identity(void **state) {
    (void)state;
    static const ct_schema_listener listener = {NULL, on_reference, on_error, NULL};
    assert_true(read("mesh = \"m\" any = { mesh = \"m\" id = \"1\" type = \"t\" removed = true }"));
    const ct_sjson_value any = ct_sjson_find(doc, ct_sjson_root(doc), "any");
    ct_schema element = thing_schema;
    element.identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED;
    assert_true(ct_schema_read(&element, doc, any, &out, &listener));
    element.identity = CT_SCHEMA_ID | CT_SCHEMA_REMOVED;
    assert_false(ct_schema_read(&element, doc, any, &out, &listener));
    assert_int_equal(num_errors, 1);
    assert_message(&errors[0], "thing.type: unknown member");
    assert_false(ct_schema_apply(&thing_schema, doc, any, &out, &listener));
    assert_int_equal(num_errors, 4);
    assert_error("mesh = \"m\" type = \"normal\"", "thing.type: unknown member", 1, 12);
    assert_error("mesh = \"m\" id = 3", "thing.id: unknown member", 1, 12);
    assert_error("mesh = \"m\" removed = true", "thing.removed: unknown member", 1, 12);
}

static void applies_overrides_to_what_is_there(void **state) {
    (void)state;
    assert_true(read("factor = 3 mesh = \"m\""));
    assert_true(read("factor = 3 number = 1 mesh = \"m\""));
    thing other = out;
    ct_error error = {0};
    ct_sjson *const over = ct_sjson_parse(test_heap(), "number = 9", 10, "b", NULL, &error);
    assert_true(ct_schema_apply(&thing_schema, over, ct_sjson_root(over), &other, NULL));
    assert_true(other.factor == 3);
    assert_int_equal(other.number, 9);
    assert_int_equal(other.mesh.value, ct_string_id64_of("m").value);
    ct_sjson_free(over);
}

// --- Errors --------------------------------------------------------------------------------------

static void refuses_wrong_types(void **state) {
    (void)state;
    assert_error("mesh = \"m\"\nflag = 1", "thing.flag: found a number, expected true or false", 2,
                 1);
    assert_error("mesh = \"m\" number = \"1\"", "thing.number: found a string, expected a whole", 1,
                 12);
    assert_error("mesh = \"m\" place = 3", "thing.place: found a number, expected an array of 3", 1,
                 12);
    assert_error("mesh = \"m\" place = [1 2]", "found an array of 2, expected an array of 3", 1,
                 12);
    assert_error("mesh = \"m\" color = [1 2]", "expected a colour, an array of 3 or 4", 1, 12);
    assert_error("mesh = \"m\" label = 3", "thing.label: found a number, expected a string", 1, 12);
    assert_error("mesh = \"m\" any = 1 list = 3", "thing.list: found a number, expected an array",
                 1, 20);
    assert_error("mesh = \"m\" map = []", "thing.map: found an array of 0, expected an object", 1,
                 12);
    assert_error("mesh = \"m\" file = {}",
                 "thing.file: found an object, expected a string with a "
                 "project path",
                 1, 12);
}

static void names_the_element_that_is_wrong(void **state) {
    (void)state;
    assert_error("mesh = \"m\"\nplace = [1\n  \"x\" 3]",
                 "thing.place[1]: found a string, expected a number", 3, 3);
    assert_error("mesh = \"m\"\nlist = [{}\n  5]",
                 "thing.list[1]: found a number, expected an object", 3, 3);
}

static void refuses_numbers_out_of_range(void **state) {
    (void)state;
    assert_error("mesh = \"m\" factor = 9", "thing.factor: found 9, expected 0.5 to 8 m", 1, 12);
    assert_error("mesh = \"m\" number = -11", "found -11, expected -10 to 10", 1, 12);
    assert_error("mesh = \"m\" number = 1.5", "found 1.5, expected a whole number", 1, 12);
    assert_error("mesh = \"m\" place = [0 0 6]", "thing.place[2]: found 6, expected -5 to 5", 1,
                 25);
    assert_error("mesh = \"m\" color = [0 0 1.1]", "thing.color[2]: found 1.1, expected 0 to 1", 1,
                 25);
    assert_error("mesh = \"m\" plane = [0 0 0 1e300]", "thing.plane[3]: found 1e+300", 1, 27);
    assert_error("mesh = \"m\" turn = [0 0 0 0]", "thing.turn: found a rotation of length 0", 1,
                 12);
}

static void refuses_unknown_enum_names(void **state) {
    (void)state;
    assert_error("mesh = \"m\" kind = \"sqare\"",
                 "thing.kind: found \"sqare\", expected one of: round, square, pointed; did you "
                 "mean \"square\"?",
                 1, 12);
    assert_error("mesh = \"m\" kind = 1", "found a number, expected one of: round", 1, 12);
}

static void refuses_text_that_does_not_fit(void **state) {
    (void)state;
    assert_error("mesh = \"m\" label = \"eight888\"", "found 8 bytes of text, expected at most 7",
                 1, 12);
}

static void refuses_names_that_are_not_canonical(void **state) {
    (void)state;
    assert_error("mesh = \"Models/Box.mesh\"", "write \"models/box\"", 1, 1);
    assert_int_equal(num_references, 0);
    assert_error("mesh = \"m\" parts = [\"a\" \"b c\"]",
                 "thing.parts[1]: \"b c\" is not the name of a resource", 1, 25);
    assert_error("mesh = \"m\" file = \"Models\\\\Box.GLB\"", "write \"models/box.glb\"", 1, 12);
    assert_error("mesh = \"m\" file = \"models/box\"", "with extension", 1, 12);
    assert_error("mesh = \"m\" file = \"a/../box.glb\"", "write \"box.glb\"", 1, 12);
    assert_error("mesh = \"m\" file = \"../box.glb\"", "names must stay inside", 1, 12);
    assert_error("mesh = \"../box\"", "names must stay inside", 1, 1);
}

static void refuses_too_many_references(void **state) {
    (void)state;
    assert_error("mesh = \"m\" parts = [\"a\" \"b\" \"c\" \"d\"]",
                 "found an array of 4, expected an array of up to 3 names of a material", 1, 12);
}

static void misses_required_fields(void **state) {
    (void)state;
    assert_error("flag = true", "thing.mesh: is missing; expected a string with the name of a mesh",
                 1, 1);
    assert_error("mesh = \"\"", "is not the name of a resource", 1, 1);
}

static void suggests_known_members(void **state) {
    (void)state;
    assert_error("mesh = \"m\"\n  facter = 3",
                 "thing.facter: unknown member; did you mean \"factor\"?", 2, 3);
    assert_error("mesh = \"m\" zzzzzz = 3", "unknown member; expected one of: flag, number, factor",
                 1, 12);
}

static void finds_all_errors_in_one_go(void **state) {
    (void)state;
    assert_false(read("flag = 1\nnumber = 100\nwhatever = 1"));
    assert_int_equal(num_errors, 4);
    assert_int_equal(errors[0].line, 1);
    assert_int_equal(errors[1].line, 2);
    assert_int_equal(errors[2].line, 3);
    assert_message(&errors[3], "thing.mesh: is missing");
}

static void keeps_defaults_where_a_value_is_wrong(void **state) {
    (void)state;
    assert_false(read("mesh = \"m\" factor = 100 place = [1 2 \"x\"]"));
    assert_true(out.factor == 2);
    assert_true(out.place[0] == 0);
}

// --- The rest ------------------------------------------------------------------------------------

static void checks_structs_of_blobs(void **state) {
    (void)state;
    const ct_schema *const light = ct_component_type_named("light")->schema;
    ct_light_data data;
    ct_error error = {0};
    ct_schema_defaults(light, &data);
    assert_true(ct_schema_check(light, &data, &error));
    data.intensity = NAN;
    assert_false(ct_schema_check(light, &data, &error));
    assert_message(&error, "light.intensity: number 0 is not finite");
    data.intensity = -1;
    assert_false(ct_schema_check(light, &data, &error));
    assert_message(&error, "light.intensity: found -1, expected 0 to");
    data.intensity = 1;
    data.type = 3;
    assert_false(ct_schema_check(light, &data, &error));
    assert_message(&error, "light.light_type: found 3, expected 0 to 2");
    data.type = 1;
    data.is_enabled = 2;
    assert_false(ct_schema_check(light, &data, &error));
    assert_message(&error, "light.is_enabled: found 2, expected 0 to 1");
}

static void checks_that_text_ends(void **state) {
    (void)state;
    const ct_schema *const schema = ct_component_type_named("debug_name")->schema;
    ct_debug_name_data data;
    ct_error error = {0};
    memset(&data, 'x', sizeof(data));
    assert_false(ct_schema_check(schema, &data, &error));
    assert_message(&error, "debug_name.name: the text is not terminated");
    data.name[CT_DEBUG_NAME_BYTES - 1] = 0;
    assert_true(ct_schema_check(schema, &data, &error));
}

// A number that a source may have is in range after rounding to a float, too.
static void accepts_what_reading_gave_at_the_ends_of_ranges(void **state) {
    (void)state;
    const ct_schema *const camera = ct_component_type_named("camera")->schema;
    ct_camera_data data;
    ct_error error = {0};
    ct_schema_defaults(camera, &data);
    data.vertical_fov = (float)ct_schema_find(camera, "vertical_fov")->least;
    data.near_range = (float)ct_schema_find(camera, "near_range")->least;
    assert_true(ct_schema_check(camera, &data, &error));
}

static void finds_the_nearest_name_of_a_resource(void **state) {
    (void)state;
    const char *const names[] = {"core/shaders/pbr", "a/b/core/shaders/pbr",
                                 "textures/floor",   "textures/floors",
                                 "x/bark",           "textures/bark_old"};
    const char *const cases[][2] = {
        {"pbr", "core/shaders/pbr"},
        {"shaders/pbr", "core/shaders/pbr"},
        {"floor", "textures/floor"},
        {"materials/floor", "textures/floor"},
        {"textures/bark", "textures/bark_old"},
        {"texture/floor", "textures/floor"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i)
        assert_string_equal(ct_nearest_resource_name(cases[i][0], names, CT_COUNT_OF(names)),
                            cases[i][1]);
    assert_null(ct_nearest_resource_name("br", names, CT_COUNT_OF(names)));
    assert_null(ct_nearest_resource_name("", names, CT_COUNT_OF(names)));
    assert_null(ct_nearest_resource_name("materials/", names, CT_COUNT_OF(names)));
}

static void finds_the_nearest_name(void **state) {
    (void)state;
    const char *const names[] = {"position", "rotation", "scale", "x"};
    assert_string_equal(ct_nearest_name("positon", names, 4), "position");
    assert_string_equal(ct_nearest_name("Scale", names, 4), "scale");
    assert_string_equal(ct_nearest_name("rotations", names, 4), "rotation");
    assert_null(ct_nearest_name("colour", names, 4));
    assert_null(ct_nearest_name("y", names, 4));
    assert_null(ct_nearest_name("", names, 4));
    char name[200];
    memset(name, 'p', sizeof(name));
    name[199] = 0;
    assert_null(ct_nearest_name(name, names, 4));
}

static void converts_srgb_by_the_standard(void **state) {
    (void)state;
    assert_true(ct_srgb_to_linear(0) == 0);
    assert_true(ct_srgb_to_linear(1) == 1);
    assert_true(fabsf(ct_srgb_to_linear(0.04f) - 0.04f / 12.92f) < 1e-7f);
    assert_true(fabsf(ct_srgb_to_linear(0.5f) - 0.21404114f) < 1e-6f);
}

// --- Rotations in degrees ------------------------------------------------------------------------

static void expect_turn(const char *degrees, float x, float y, float z) {
    char text[128];
    snprintf(text, sizeof(text), "mesh = \"m\" turn_degrees = %s", degrees);
    assert_true(read(text));
    const float degree = (float)M_PI / 180;
    const ct_quat q = ct_quat_from_euler_xyz((ct_vec3){{x * degree, y * degree, z * degree}});
    for (uint32_t i = 0; i < 4; ++i)
        if (!(fabsf(out.turn[i] - q.raw[i]) < 1e-6f))
            fail_msg("%s: number %u is %g, expected %g", degrees, i, (double)out.turn[i],
                     (double)q.raw[i]);
}

static void reads_rotations_in_degrees_as_lua_makes_them(void **state) {
    (void)state;
    expect_turn("[0 0 90]", 0, 0, 90);
    assert_true(fabsf(out.turn[2] - 0.70710678f) < 1e-6f);
    expect_turn("[10 20 30]", 10, 20, 30);
    expect_turn("[-170 85.5 270]", -170, 85.5f, 270);
    expect_turn("[0 0 765]", 0, 0, 45);
}

static void refuses_two_rotations_at_the_second(void **state) {
    (void)state;
    assert_error("mesh = \"m\" turn = [0 0 0 1] turn_degrees = [0 0 90]",
                 "thing.turn_degrees: found a second rotation beside `turn`; give only one", 1, 29);
    assert_error("turn_degrees = [0 0 90]\nmesh = \"m\"\nturn = [0 0 0 1]",
                 "thing.turn: found a second rotation beside `turn_degrees`; give only one", 3, 1);
}

static void refuses_wrong_rotations_in_degrees(void **state) {
    (void)state;
    assert_error("mesh = \"m\" turn_degrees = [0 0 0 1]",
                 "thing.turn_degrees: found an array of 4, expected an array of 3 numbers", 1, 12);
    assert_error("mesh = \"m\" turn_degrees = [0 0 \"a\"]",
                 "thing.turn_degrees[2]: found a string, expected a number", 1, 32);
    assert_error("mesh = \"m\" turn_degres = [0 0 0]", "did you mean \"turn_degrees\"?", 1, 12);
}

int main(void) {
#define TEST(name) cmocka_unit_test_teardown(name, free_doc)
    const struct CMUnitTest tests[] = {
        TEST(fills_in_defaults),
        TEST(reads_every_type),
        TEST(tells_references_in_source_order),
        TEST(passes_over_identity),
        TEST(applies_overrides_to_what_is_there),
        TEST(refuses_wrong_types),
        TEST(names_the_element_that_is_wrong),
        TEST(refuses_numbers_out_of_range),
        TEST(refuses_unknown_enum_names),
        TEST(refuses_text_that_does_not_fit),
        TEST(refuses_names_that_are_not_canonical),
        TEST(refuses_too_many_references),
        TEST(misses_required_fields),
        TEST(suggests_known_members),
        TEST(finds_all_errors_in_one_go),
        TEST(keeps_defaults_where_a_value_is_wrong),
        TEST(checks_structs_of_blobs),
        TEST(checks_that_text_ends),
        TEST(accepts_what_reading_gave_at_the_ends_of_ranges),
        TEST(finds_the_nearest_name),
        TEST(finds_the_nearest_name_of_a_resource),
        TEST(converts_srgb_by_the_standard),
        TEST(reads_rotations_in_degrees_as_lua_makes_them),
        TEST(refuses_two_rotations_at_the_second),
        TEST(refuses_wrong_rotations_in_degrees),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
