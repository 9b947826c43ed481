#include "resource/catalog_fixture.h"

#include "resource/blob/blob_walk.h"

static const catalog_item items[] = {
    {"texture", "ui/buttons", NULL, 0}, {"texture", "ui/buttons", "en", 0},
    {"texture", "ui/buttons", "fr", 0}, {"material", "glass", NULL, 1},
    {"unit", "lamp", "fr", 4},
};

static ct_catalog *make(ct_blob_writer *w) {
    make_catalog(w, items, CT_COUNT_OF(items));
    return (ct_catalog *)(void *)w->bytes.items;
}

static void finds_entries(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_catalog *const c = make(&w);
    assert_accepted(ct_catalog_validate, c);
    walk_catalog(c);
    assert_int_equal(ct_catalog_find(c, ct_resource_id_of("texture", "ui/buttons")), 0);
    assert_int_equal(ct_catalog_find(c, ct_resource_id_of("material", "glass")), 1);
    assert_int_equal(ct_catalog_find(c, ct_resource_id_of("unit", "glass")), CT_CATALOG_NONE);
    assert_string_equal(ct_catalog_name(c, 1), "glass");
    ct_blob_writer_free(&w);
}

static void chooses_by_preference(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_catalog *const c = make(&w);
    ct_preference_order order = {.count = 0};
    const ct_catalog_variant *v = ct_catalog_choose(c, 0, &order);
    assert_true(v->data_name.value == ct_string_id64_of("ui/buttons").value);
    order = (ct_preference_order){{ct_string_id64_of("fr")}, 1};
    v = ct_catalog_choose(c, 0, &order);
    assert_true(v->data_name.value == ct_string_id64_of("ui/buttons.fr").value);
    assert_non_null(ct_catalog_choose(c, 2, &order));
    order.count = 0;
    assert_null(ct_catalog_choose(c, 2, &order)); // it has no variant for all
    ct_blob_writer_free(&w);
}

static void refuses_what_leads_astray(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_catalog *const c = make(&w);
    ITEM(ct_catalog_entry, c, c->entries, 1)->num_variants = 9;
    assert_refused(ct_catalog_validate, c, "entries[1]: variants");
    ITEM(ct_catalog_entry, c, c->entries, 1)->num_variants = 0;
    assert_refused(ct_catalog_validate, c, "entries[1]: has no variants");
    ITEM(ct_catalog_entry, c, c->entries, 1)->num_variants = 1;
    ITEM(ct_catalog_variant, c, c->variants, 2)->first_property = UINT32_MAX;
    assert_refused(ct_catalog_validate, c, "variants[2]: properties");
    ITEM(ct_catalog_variant, c, c->variants, 2)->first_property = 1;
    ITEM(ct_catalog_variant, c, c->variants, 2)->num_references = 3;
    assert_refused(ct_catalog_validate, c, "variants[2]: references");
    ITEM(ct_catalog_variant, c, c->variants, 2)->num_references = 0;
    *ITEM(uint32_t, c, c->references, 0) = 3;
    assert_refused(ct_catalog_validate, c, "references[0]: found 3");
    ct_blob_writer_free(&w);
}

// A search in a table without empty places would not end.
static void refuses_full_tables(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_catalog *const c = make(&w);
    uint32_t *const slots = ITEM(uint32_t, c, c->slots, 0);
    const uint32_t count = c->slots.count;
    slots[0] = 4;
    assert_refused(ct_catalog_validate, c, "slots[0]: found 4");
    for (uint32_t i = 0; i < count; ++i)
        slots[i] = 1;
    assert_refused(ct_catalog_validate, c, "more than half");
    c->slots.count = 3;
    assert_refused(ct_catalog_validate, c, "power of two");
    c->slots = (ct_blob_array){0, 0};
    assert_refused(ct_catalog_validate, c, "power of two");
    ct_blob_writer_free(&w);
}

static void names_may_be_left_out(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_catalog *const c = make(&w);
    c->names.count = 2;
    assert_refused(ct_catalog_validate, c, "names: found 2");
    c->names = (ct_blob_array){0, 0};
    assert_accepted(ct_catalog_validate, c);
    assert_null(ct_catalog_name(c, 0));
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_entries),
        cmocka_unit_test(chooses_by_preference),
        cmocka_unit_test(refuses_what_leads_astray),
        cmocka_unit_test(refuses_full_tables),
        cmocka_unit_test(names_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
