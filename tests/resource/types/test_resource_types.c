#include "resource/types/resource_types.h"

#include <stdio.h>

#include "foundation/error.h"
#include "resource/types/plugin/plugin_resource.h"

#include "resource/blob/blob_fixtures.h"
#include "resource/blob/blob_walk.h"

static void finds_types_by_name_and_id(void **state) {
    (void)state;
    uint32_t count;
    const ct_resource_type *const types = ct_resource_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(types[i].id.value, ct_string_id64_of(types[i].name).value);
        assert_ptr_equal(ct_resource_type_named(types[i].name), &types[i]);
        assert_ptr_equal(ct_resource_type_of(ct_string_id64_of(types[i].name)), &types[i]);
        assert_true(!types[i].schema || strcmp(types[i].schema->name, types[i].name) == 0);
    }
    assert_null(ct_resource_type_named("textur"));
    assert_null(ct_resource_type_of((ct_string_id64){1}));
}

static void check_schema(const ct_schema *schema) {
    assert_non_null(schema->doc);
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const ct_field *const f = &schema->fields[i];
        assert_int_not_equal(f->type, CT_FIELD_TYPE_NONE);
        assert_true(f->doc && f->doc[0]);
        assert_true(f->offset + f->size_bytes <= schema->size_bytes);
        assert_true((f->type == CT_FIELD_TYPE_ENUM) == (f->enum_names != NULL));
        if (f->type == CT_FIELD_TYPE_REFERENCE || f->type == CT_FIELD_TYPE_REFERENCES)
            assert_non_null(ct_resource_type_named(f->reference_type));
        if (f->element_type == CT_FIELD_TYPE_REFERENCE)
            assert_non_null(ct_resource_type_named(f->reference_type));
        for (uint32_t k = 0; k < i; ++k) {
            const ct_field *const other = &schema->fields[k];
            assert_true(f->offset >= other->offset + other->size_bytes ||
                        other->offset >= f->offset + f->size_bytes);
        }
    }
}

static void schemas_are_sound(void **state) {
    (void)state;
    uint32_t count;
    const ct_resource_type *const types = ct_resource_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        if (types[i].schema)
            check_schema(types[i].schema);
    }
    const ct_component_type *const components = ct_component_types(&count);
    for (uint32_t i = 0; i < count; ++i)
        check_schema(components[i].schema);
    check_schema(ct_schema_find(&ct_unit_schema, "children")->schema);
    check_schema(ct_schema_find(&ct_level_schema, "units")->schema);
    check_schema(&ct_level_volume_schema);
    check_schema(&ct_level_spline_schema);
    check_schema(&ct_level_point_schema);
    check_schema(&ct_level_marker_schema);
}

// What a field refers to, whatever else it says.
static bool is_same_reference(const ct_field *a, const ct_field *b) {
    const bool has_type = a->reference_type && b->reference_type;
    return a->type == b->type && a->element_type == b->element_type && a->schema == b->schema &&
           a->schemas == b->schemas &&
           (has_type ? strcmp(a->reference_type, b->reference_type) == 0
                     : a->reference_type == b->reference_type);
}

static bool can_refer(const ct_field *f) {
    return f->reference_type || f->element_type || f->schema || f->schemas ||
           f->type == CT_FIELD_TYPE_MEDIA;
}

// A field that refers to something means the same in every other schema of the list that has one
// of its name, since what overrides a component need not say of which type it is.
static void references_of_components_agree(void **state) {
    (void)state;
    uint32_t count;
    const ct_component_type *const components = ct_component_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_ptr_equal(ct_component_schemas[i], components[i].schema);
        assert_string_equal(components[i].schema->name, components[i].name);
        for (uint32_t k = 0; k < components[i].schema->num_fields; ++k) {
            const ct_field *const f = &components[i].schema->fields[k];
            for (uint32_t other = 0; other < count && can_refer(f); ++other) {
                const ct_field *const same = ct_schema_find(components[other].schema, f->name);
                assert_true(!same || is_same_reference(f, same));
            }
        }
    }
    assert_null(ct_component_schemas[count]);
}

// What is laid out in C is what the writer lays out: no holes that a field does not name.
static void structs_have_no_holes(void **state) {
    (void)state;
    assert_int_equal(sizeof(ct_render_step), offsetof(ct_render_step, material) + 8);
    assert_int_equal(offsetof(ct_render_step, shader),
                     offsetof(ct_render_step, padding) + sizeof(uint32_t));
    uint32_t count;
    const ct_component_type *const components = ct_component_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_schema *const schema = components[i].schema;
        uint32_t bytes = 0, end = 0;
        for (uint32_t k = 0; k < schema->num_fields; ++k) {
            const ct_field *const f = &schema->fields[k];
            bytes += f->size_bytes;
            end = f->offset + f->size_bytes > end ? f->offset + f->size_bytes : end;
        }
        assert_int_equal(bytes, end);
        // A struct of 64-bit ids ends at a multiple of 8, with a member that says so.
        assert_true(end == schema->size_bytes || (end + 7) / 8 * 8 == schema->size_bytes);
    }
}

static void validators_accept_sound_blobs(void **state) {
    (void)state;
    uint32_t count;
    const ct_resource_type *const types = ct_resource_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        bool has_fixture = false;
        for (uint32_t k = 0; k < CT_COUNT_OF(fixtures); ++k)
            has_fixture |= strcmp(fixtures[k].type, types[i].name) == 0;
        assert_true(has_fixture);
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(fixtures); ++i) {
        const ct_resource_type *const type = ct_resource_type_named(fixtures[i].type);
        ct_blob_writer w;
        fixtures[i].write(&w);
        ct_error error = {0};
        assert_true(ct_blob_check_header(w.bytes.items, w.bytes.count,
                                         ct_string_id64_of(type->name), type->version, &error));
        assert_accepted(type->validate, w.bytes.items);
        walk_blob(type->name, w.bytes.items);
        ct_blob_writer_free(&w);
    }
}

static void validators_refuse_bare_headers(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(fixtures); ++i) {
        const ct_resource_type *const type = ct_resource_type_named(fixtures[i].type);
        void *const bare = ct_alloc(test_heap(), sizeof(ct_blob_header));
        *(ct_blob_header *)bare = (ct_blob_header){.size_bytes = sizeof(ct_blob_header)};
        assert_refused(type->validate, bare, "too small for a");
        ct_free(test_heap(), bare);
    }
}

// Copies the blob to a block of exactly its size, so that a sanitizer sees reads past the end,
// and reads all of it when it is still valid. Returns whether it was.
static bool validate_and_walk(const ct_resource_type *type, const uint8_t *bytes, uint32_t count) {
    void *const blob = ct_alloc(test_heap(), count);
    memcpy(blob, bytes, count);
    ((ct_blob_header *)blob)->size_bytes = count;
    ct_error error = {0};
    const bool is_valid = type->validate(blob, &error);
    assert_true(is_valid || error.message[0]);
    if (is_valid)
        walk_blob(type->name, blob);
    ct_free(test_heap(), blob);
    return is_valid;
}

static void damaged_words_do_no_harm(void **state) {
    (void)state;
    const uint32_t evil[] = {0,   1,          2,          31,         33,         36,
                             255, 0x7fc00000, 0x7fffffff, 0x80000000, 0xfffffff0, UINT32_MAX};
    for (uint32_t i = 0; i < CT_COUNT_OF(fixtures); ++i) {
        const ct_resource_type *const type = ct_resource_type_named(fixtures[i].type);
        ct_blob_writer w;
        fixtures[i].write(&w);
        uint32_t num_refused = 0;
        for (uint32_t at = sizeof(ct_blob_header); at + 4 <= w.bytes.count; at += 4) {
            uint32_t word;
            memcpy(&word, w.bytes.items + at, 4);
            for (uint32_t k = 0; k < CT_COUNT_OF(evil); ++k) {
                memcpy(w.bytes.items + at, &evil[k], 4);
                num_refused += !validate_and_walk(type, w.bytes.items, w.bytes.count);
            }
            memcpy(w.bytes.items + at, &word, 4);
        }
        assert_true(num_refused > 10);
        ct_blob_writer_free(&w);
    }
}

static void blobs_cut_short_do_no_harm(void **state) {
    (void)state;
    for (uint32_t i = 0; i < CT_COUNT_OF(fixtures); ++i) {
        const ct_resource_type *const type = ct_resource_type_named(fixtures[i].type);
        ct_blob_writer w;
        fixtures[i].write(&w);
        for (uint32_t size = sizeof(ct_blob_header); size < w.bytes.count; ++size)
            validate_and_walk(type, w.bytes.items, size);
        ct_blob_writer_free(&w);
    }
}

static void random_damage_does_no_harm(void **state) {
    (void)state;
    uint32_t random = 99;
    for (uint32_t round = 0; round < test_rounds(3000, 1000000); ++round) {
        const fixture *const f = &fixtures[round % CT_COUNT_OF(fixtures)];
        ct_blob_writer w;
        f->write(&w);
        const uint32_t num_damaged = 1 + test_random(&random) % 4;
        for (uint32_t i = 0; i < num_damaged; ++i) {
            const uint32_t body = w.bytes.count - (uint32_t)sizeof(ct_blob_header);
            const uint32_t at = (uint32_t)sizeof(ct_blob_header) + test_random(&random) % body;
            w.bytes.items[at] = (uint8_t)test_random(&random);
        }
        validate_and_walk(ct_resource_type_named(f->type), w.bytes.items, w.bytes.count);
        ct_blob_writer_free(&w);
    }
}

// Last: what is added stays.
static void types_of_plugins_follow(void **state) {
    (void)state;
    uint32_t before, count;
    ct_error error = {0};
    ct_resource_types(&before);
    assert_null(ct_resource_type_register("texture", &error));
    assert_non_null(strstr(error.message, "the engine has a resource type \"texture\""));
    assert_null(ct_resource_type_register("Dialog", &error));
    assert_non_null(strstr(error.message, "\"Dialog\" is not the name of a resource type"));
    assert_null(ct_resource_type_register("a", NULL));
    const ct_resource_type *const type = ct_resource_type_register("dialog", &error);
    assert_ptr_equal(ct_resource_type_register("dialog", &error), type);
    assert_ptr_equal(ct_resource_type_named("dialog"), type);
    assert_ptr_equal(ct_resource_type_of(ct_string_id64_of("dialog")), type);
    assert_true(ct_resource_type_is_registered(type));
    assert_false(ct_resource_type_is_registered(ct_resource_type_named("texture")));
    assert_ptr_equal(&ct_resource_types(&count)[before], type);
    assert_int_equal(count, before + 1);
    char name[16];
    for (uint32_t i = 1; i < CT_MAX_PLUGIN_RESOURCE_TYPES; ++i) {
        snprintf(name, sizeof(name), "type_%u", i);
        assert_non_null(ct_resource_type_register(name, NULL));
    }
    assert_null(ct_resource_type_register("one_more", &error));
    assert_non_null(strstr(error.message, "is one too many"));
}

static void blobs_of_plugins_are_checked(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_error error = {0};
    const uint8_t data[20] = {1};
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "dialog",
                        CT_PLUGIN_RESOURCE_VERSION);
    ct_plugin_resource r = {.version = 3};
    ct_blob_begin(&w, &ct_plugin_resource_layout);
    r.data = (ct_blob_array){ct_blob_write_bytes(&w, data, sizeof(data)), sizeof(data)};
    ct_blob_end(&w, &ct_plugin_resource_layout, &r);
    ct_blob_writer_finish(&w);
    ct_plugin_resource *const blob = ct_alloc_aligned(test_heap(), w.bytes.count, CT_BLOB_ALIGN);
    memcpy(blob, w.bytes.items, w.bytes.count);
    assert_true(ct_plugin_resource_validate(blob, &error));
    assert_int_equal(blob->version, 3);
    blob->data.offset += 8;
    blob->data.count -= 8;
    assert_false(ct_plugin_resource_validate(blob, &error));
    assert_non_null(strstr(error.message, "at a multiple of 16"));
    blob->data = (ct_blob_array){48, 0};
    assert_false(ct_plugin_resource_validate(blob, &error));
    blob->data = (ct_blob_array){48, 1000};
    assert_false(ct_plugin_resource_validate(blob, &error));
    ct_free(test_heap(), blob);
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_types_by_name_and_id),
        cmocka_unit_test(schemas_are_sound),
        cmocka_unit_test(references_of_components_agree),
        cmocka_unit_test(structs_have_no_holes),
        cmocka_unit_test(validators_accept_sound_blobs),
        cmocka_unit_test(validators_refuse_bare_headers),
        cmocka_unit_test(damaged_words_do_no_harm),
        cmocka_unit_test(blobs_cut_short_do_no_harm),
        cmocka_unit_test(random_damage_does_no_harm),
        cmocka_unit_test(blobs_of_plugins_are_checked),
        cmocka_unit_test(types_of_plugins_follow),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
