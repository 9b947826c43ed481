// Schemas of plugins: that a copy has all that the plugin's had, and what is another struct.
#include "plugin/plugin_schema_compare.h"

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
    if (!ct_plugin_schema_check(&s, "component", &error))
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
        cmocka_unit_test(compares_what_structs_hold),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
