// Schemas of plugins: what is refused, copies that need no library, hashes that change with the data alone.
#include "plugin/plugin_schema.h"

#include <string.h>

#include "foundation/error.h"
#include "support/test_support.h"

typedef struct wind {
    float strength;
    float direction[3];
    uint32_t kind;
    char name[12];
    uint64_t texture;
} wind;

static const char *const kinds[] = {"breeze", "storm", NULL};

#define FIELD(member, kind_of)                                                                     \
    .name = #member, .type = (kind_of), .offset = offsetof(wind, member),                          \
    .size_bytes = sizeof(((wind *)0)->member)

static const cuttle_field good_fields[] = {
    {FIELD(strength, CUTTLE_FIELD_FLOAT), .least = 0, .most = 10, .default_value = {3}},
    {FIELD(direction, CUTTLE_FIELD_VECTOR3), .default_value = {0, 1, 0}, .doc = "Where to."},
    {FIELD(kind, CUTTLE_FIELD_ENUM), .enum_names = kinds},
    {FIELD(name, CUTTLE_FIELD_TEXT), .default_text = "wind"},
    {FIELD(texture, CUTTLE_FIELD_REFERENCE), .reference_type = "texture"},
};

enum { NUM_FIELDS = CT_COUNT_OF(good_fields) };

typedef struct fixture {
    cuttle_field fields[NUM_FIELDS];
    cuttle_schema schema;
} fixture;

static void begin(fixture *f) {
    memcpy(f->fields, good_fields, sizeof(good_fields));
    f->schema = (cuttle_schema){.name = "wind",
                                .doc = "Moving air.",
                                .version = 1,
                                .size_bytes = sizeof(wind),
                                .num_fields = NUM_FIELDS,
                                .fields = f->fields};
}

static void refuse(const fixture *f, const char *message) {
    ct_error error = {0};
    assert_false(ct_plugin_schema_check(&f->schema, "component", &error));
    if (!strstr(error.message, message))
        fail_msg("expected \"%s\": %s", message, error.message);
}

static void test_refuses_wrong_schemas(void **state) {
    (void)state;
    fixture f;
    ct_error error = {0};
    begin(&f);
    assert_true(ct_plugin_schema_check(&f.schema, "component", &error));
    assert_false(ct_plugin_schema_check(NULL, "component", &error));
    f.schema.name = NULL;
    refuse(&f, "is not the name of a component");
    f.schema.name = "a_name_of_more_than_thirty_one_bytes";
    refuse(&f, "is not the name of a component");
    begin(&f);
    f.schema.size_bytes = 0;
    refuse(&f, "has 0 bytes and 5 fields");
    begin(&f);
    f.schema.num_fields = 65;
    refuse(&f, "65 fields");
    begin(&f);
    f.schema.fields = NULL;
    refuse(&f, "5 fields");
}

static void test_refuses_wrong_fields(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    f.fields[0].name = NULL;
    refuse(&f, "field 0 (without name) needs a name");
    begin(&f);
    f.fields[0].name = "id";
    refuse(&f, "not id, type or removed");
    begin(&f);
    f.fields[0].type = 0;
    refuse(&f, "unknown type");
    f.fields[0].type = CUTTLE_FIELD_BYTES;
    refuse(&f, "BYTES");
    begin(&f);
    f.fields[0].offset = UINT32_MAX - 3;
    refuse(&f, "ends behind the struct");
    begin(&f);
    f.fields[1].offset = 0;
    refuse(&f, "fields 0 and 1 share bytes");
    begin(&f);
    f.fields[1].name = "strength";
    refuse(&f, "two fields strength");
    begin(&f);
    f.fields[0].default_value[0] = 11;
    refuse(&f, "default that is not from least to most");
    begin(&f);
    f.fields[3].default_text = "a text too long";
    refuse(&f, "default that does not fit");
    begin(&f);
    f.fields[4].reference_type = NULL;
    refuse(&f, "needs a reference_type");
    begin(&f);
    f.fields[2].enum_names = kinds + 2;
    refuse(&f, "needs enum_names");
}

static void test_copies_stand_alone(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    ct_schema *const copy = ct_plugin_schema_copy(test_heap(), &f.schema, CT_SCHEMA_ID);
    memset(&f, 0xee, sizeof(f));
    assert_string_equal(copy->name, "wind");
    assert_int_equal(copy->size_bytes, sizeof(wind));
    assert_int_equal(copy->identity, CT_SCHEMA_ID);
    wind w;
    ct_schema_defaults(copy, &w);
    assert_true(w.strength == 3 && w.direction[1] == 1 && w.kind == 0);
    assert_string_equal(w.name, "wind");
    assert_string_equal(ct_schema_find(copy, "kind")->enum_names[1], "storm");
    assert_string_equal(ct_schema_find(copy, "texture")->reference_type, "texture");
    ct_plugin_schema_free(test_heap(), copy);
    ct_plugin_schema_free(test_heap(), NULL);
}

static uint64_t hash(const fixture *f) {
    return ct_plugin_schema_hash(test_heap(), &f->schema);
}

static void test_the_hash_is_of_what_is_read(void **state) {
    (void)state;
    fixture f;
    begin(&f);
    const uint64_t before = hash(&f);
    f.fields[1].doc = "Another sentence.";
    f.fields[1].unit = "m";
    f.schema.doc = NULL;
    assert_int_equal(hash(&f), before);
    f.schema.version = 2;
    assert_int_not_equal(hash(&f), before);
    begin(&f);
    f.fields[0].most = 11;
    assert_int_not_equal(hash(&f), before);
    begin(&f);
    f.fields[0].flags = CUTTLE_FIELD_REQUIRED;
    assert_int_not_equal(hash(&f), before);
    begin(&f);
    f.fields[2].enum_names = kinds + 1;
    assert_int_not_equal(hash(&f), before);
    begin(&f);
    f.schema.num_fields = 4;
    assert_int_not_equal(hash(&f), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuses_wrong_schemas),
        cmocka_unit_test(test_refuses_wrong_fields),
        cmocka_unit_test(test_copies_stand_alone),
        cmocka_unit_test(test_the_hash_is_of_what_is_read),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
