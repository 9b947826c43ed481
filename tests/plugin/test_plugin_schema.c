// Schemas of plugins: what is refused, and that a copy has all that the plugin's had.
#include "plugin/plugin_schema.h"

#include <math.h>
#include <string.h>

#include "support/test_support.h"

enum { IDENTITY = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED };

typedef struct buoy {
    float height;
    int32_t count;
    uint32_t kind;
    cuttle_quaternion rotation;
    char label[8];
    uint32_t pad;
    uint64_t mesh;
} buoy;

static const char *const kinds[] = {"red", "green", NULL};

#define AT(member)                                                                                 \
    .name = #member, .offset = offsetof(buoy, member), .size_bytes = sizeof(((buoy *)0)->member)

// Of the same order as `fields` below.
enum { HEIGHT, COUNT, KIND, ROTATION, LABEL, MESH, PAD, NUM_FIELDS };

static const cuttle_field good[NUM_FIELDS] = {
    {AT(height), .type = CUTTLE_FIELD_FLOAT, .doc = "Over the water.", .unit = "m", .least = 0,
     .most = 9, .default_value = {2}},
    {AT(count), .type = CUTTLE_FIELD_INT, .flags = CUTTLE_FIELD_REQUIRED, .default_value = {-3}},
    {AT(kind), .type = CUTTLE_FIELD_ENUM, .enum_names = kinds},
    {AT(rotation), .type = CUTTLE_FIELD_QUATERNION},
    {AT(label), .type = CUTTLE_FIELD_TEXT, .default_text = "buoy"},
    {AT(mesh), .type = CUTTLE_FIELD_REFERENCE, .reference_type = "mesh"},
    {AT(pad), .type = CUTTLE_FIELD_PADDING},
};

static cuttle_field fields[NUM_FIELDS];

static cuttle_schema start(void) {
    memcpy(fields, good, sizeof(fields));
    return (cuttle_schema){.name = "buoy",
                           .doc = "Floats.",
                           .version = 1,
                           .size_bytes = sizeof(buoy),
                           .num_fields = NUM_FIELDS,
                           .fields = fields};
}

static void copies_all(void **state) {
    (void)state;
    const cuttle_schema s = start();
    ct_error error = {0};
    if (!ct_plugin_schema_check(&s, "component", IDENTITY, &error))
        fail_msg("%s", error.message);
    ct_schema *const copy = ct_plugin_schema_copy(test_heap(), &s, IDENTITY);
    memset(fields, 0, sizeof(fields)); // the copy does not point there
    assert_string_equal(copy->name, "buoy");
    assert_string_equal(copy->doc, "Floats.");
    assert_int_equal(copy->identity, IDENTITY);
    assert_string_equal(copy->fields[HEIGHT].unit, "m");
    assert_string_equal(copy->fields[COUNT].doc, "");
    assert_int_equal(copy->fields[COUNT].flags, CT_FIELD_REQUIRED);
    assert_string_equal(copy->fields[KIND].enum_names[1], "green");
    assert_null(copy->fields[KIND].enum_names[2]);
    assert_string_equal(copy->fields[MESH].reference_type, "mesh");
    buoy b;
    ct_schema_defaults(copy, &b);
    assert_true(b.height == 2 && b.count == -3 && b.rotation.w == 1);
    assert_string_equal(b.label, "buoy");
    assert_true(ct_schema_check(copy, &b, &error));
    b.kind = 2;
    assert_false(ct_schema_check(copy, &b, &error));
    ct_plugin_schema_free(test_heap(), copy);
    ct_plugin_schema_free(test_heap(), NULL);
}

static void refuses(const cuttle_schema *s, const char *message) {
    ct_error error = {0};
    assert_false(ct_plugin_schema_check(s, "component", IDENTITY, &error));
    assert_string_equal(error.message, message);
}

#define REFUSES(change, message)                                                                   \
    do {                                                                                           \
        cuttle_schema s = start();                                                                 \
        change;                                                                                    \
        refuses(&s, message);                                                                      \
    } while (0)

static void refuses_what_is_wrong(void **state) {
    (void)state;
    refuses(NULL, "a component needs a schema with a name of a-z, 0-9 and _, found \"\"");
    REFUSES(s.name = "Buoy",
            "a component needs a schema with a name of a-z, 0-9 and _, found \"Buoy\"");
    REFUSES(s.num_fields = 0, "buoy: a component has 1 to 256 fields, found 0");
    REFUSES(s.fields = NULL, "buoy: a component has 1 to 256 fields, found 0");
    REFUSES(s.size_bytes = 0, "buoy: the struct of a component has 1 to 65536 bytes, found 0");
    REFUSES(s.size_bytes += 4, "buoy: its 52 bytes must be a multiple of 8, for the field mesh");
    REFUSES(fields[1].name = NULL, "buoy: field 1 needs a name of a-z, 0-9 and _, found \"\"");
    REFUSES(fields[1].name = "id", "buoy.id: all sources have this member; choose another name");
    REFUSES(fields[1].name = "height", "buoy has two fields \"height\"");
    REFUSES(fields[1].type = 0, "buoy.count: there is no type of fields 0");
    REFUSES(fields[1].type = 99, "buoy.count: there is no type of fields 99");
    REFUSES(fields[1].type = CUTTLE_FIELD_BYTES,
            "buoy.count: sources cannot give BYTES; only states may have them");
    REFUSES(fields[1].size_bytes = 2, "buoy.count: a INT has 4 bytes, found 2");
    REFUSES(fields[4].size_bytes = 0, "buoy.label: a TEXT has at least 1 bytes, found 0");
    REFUSES(fields[1].offset = UINT32_MAX - 1,
            "buoy.count: it ends behind the 48 bytes of the struct");
    REFUSES(fields[1].offset = 46, "buoy.count: it ends behind the 48 bytes of the struct");
    REFUSES(fields[1].offset = 6, "buoy.count: a INT must be at a multiple of 4 bytes, found 6");
    REFUSES(fields[1].offset = 0,
            "buoy: the fields \"height\" and \"count\" are at the same place");
    REFUSES(fields[0].default_value[0] = 10,
            "buoy.height: its default 10 is not in its range; give default_value, or a range "
            "(least, most) that it is in");
    REFUSES(fields[1].default_value[0] = 1e10,
            "buoy.count: its default 1e+10 is not in its range; give default_value, or a range "
            "(least, most) that it is in");
    REFUSES(fields[0].most = INFINITY, "buoy.height: its range is not finite");
    REFUSES(fields[2].enum_names = NULL, "buoy.kind: an ENUM needs enum_names, ended by NULL");
    REFUSES(fields[5].reference_type = NULL,
            "buoy.mesh: a REFERENCE needs reference_type, such as \"texture\"");
    REFUSES(fields[4].default_text = "a long name of it",
            "buoy.label: its default text does not fit into 8 bytes");
}

static void differs(const ct_schema *copy, const cuttle_schema *s, const char *message) {
    ct_error error = {0};
    assert_false(ct_plugin_schema_is_like(copy, s, &error));
    assert_string_equal(error.message, message);
}

static void compares_what_structs_hold(void **state) {
    (void)state;
    static const char *const others[] = {"red", "blue", NULL}, *const fewer[] = {"red", NULL};
    cuttle_schema s = start();
    ct_error error = {0};
    ct_schema *const copy = ct_plugin_schema_copy(test_heap(), &s, IDENTITY);
    fields[0].doc = "Above the sea.";
    fields[0].most = 20;
    fields[0].default_value[0] = 5;
    assert_true(ct_plugin_schema_is_like(copy, &s, &error));
    fields[0].name = "top";
    differs(copy, &s, "the field \"top\" was \"height\"");
    start();
    fields[1].type = CUTTLE_FIELD_FLOAT;
    differs(copy, &s, "the field \"count\" has another type or place");
    start();
    fields[2].enum_names = others;
    differs(copy, &s, "the enum \"kind\" has other names");
    fields[2].enum_names = fewer;
    differs(copy, &s, "the enum \"kind\" has other names");
    s = start();
    --s.num_fields;
    differs(copy, &s, "the field \"pad\" is gone");
    s = start();
    s.size_bytes += 8;
    differs(copy, &s, "the struct had 48 bytes, and has 56");
    ct_plugin_schema_free(test_heap(), copy);
    s = start();
    --s.num_fields;
    ct_schema *const shorter = ct_plugin_schema_copy(test_heap(), &s, IDENTITY);
    s = start();
    differs(shorter, &s, "the field \"pad\" is new");
    ct_plugin_schema_free(test_heap(), shorter);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_all),
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(compares_what_structs_hold),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
