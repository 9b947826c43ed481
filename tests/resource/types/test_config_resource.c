#include "resource/types/config_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

typedef ct_config_resource resource;

// Makes the blob `b` of a sound resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_config(w);
    return (resource *)(void *)w->bytes.items;
}

static void finds_values_by_path(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_true(ct_config_number(b, "window.width", 1) == 640);
    assert_true(ct_config_bool(b, "window.is_full", false));
    assert_string_equal(ct_config_string(b, "title", ""), "Crates");
    assert_int_equal(ct_config_find(b, "list")->count, 1);
    assert_ptr_equal(ct_config_find(b, ""), ITEM(ct_config_node, b, b->nodes, 0));
    ct_blob_writer_free(&w);
}

static void gives_the_default_for_what_is_not_there(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    assert_null(ct_config_find(b, "window.height"));
    assert_null(ct_config_find(b, "windo"));
    assert_null(ct_config_find(b, "windows.width"));
    assert_null(ct_config_find(b, "title.width"));
    assert_null(ct_config_find(b, "list.width"));
    assert_true(ct_config_number(b, "window.height", 480) == 480);
    assert_true(ct_config_number(b, "title", 3) == 3);
    assert_true(ct_config_bool(b, "window.width", true));
    assert_string_equal(ct_config_string(b, "window", "none"), "none");
    ct_blob_writer_free(&w);
}

static void refuses_unknown_types(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_config_node, b, b->nodes, 4)->type = 7;
    assert_refused(ct_config_validate, b, "nodes[4]: unknown type 7");
    ITEM(ct_config_node, b, b->nodes, 4)->type = 0;
    assert_refused(ct_config_validate, b, "nodes[4]: unknown type 0");
    ct_blob_writer_free(&w);
}

static void refuses_a_root_that_is_no_object(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_config_node, b, b->nodes, 0)->type = CT_SJSON_TYPE_ARRAY;
    assert_refused(ct_config_validate, b, "nodes[0]: the root is not an object");
    b->nodes = (ct_blob_array){0, 0};
    assert_refused(ct_config_validate, b, "nodes: the array is empty");
    ct_blob_writer_free(&w);
}

static void refuses_containers_that_contain_themselves(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_config_node, b, b->nodes, 2)->first = 2;
    assert_refused(ct_config_validate, b,
                   "nodes[2]: found children 2 + 2, but there are only 7 nodes");
    ITEM(ct_config_node, b, b->nodes, 2)->first = 6;
    assert_refused(ct_config_validate, b,
                   "nodes[2]: found children 6 + 2, but there are only 7 nodes");
    ITEM(ct_config_node, b, b->nodes, 2)->first = 4;
    ITEM(ct_config_node, b, b->nodes, 2)->count = UINT32_MAX;
    assert_refused(ct_config_validate, b, "nodes[2]: found children");
    ct_blob_writer_free(&w);
}

static void refuses_children_of_two_parents(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_config_node *const list = ITEM(ct_config_node, b, b->nodes, 3);
    list->first = 5;
    list->count = 2;
    assert_refused(ct_config_validate, b, "nodes[3]: its children have another parent too");
    ct_blob_writer_free(&w);
}

static void refuses_keys_where_none_may_be_and_none_where_one_must(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ct_config_node *const nodes = ITEM(ct_config_node, b, b->nodes, 0);
    nodes[6].key = nodes[5].key;
    assert_refused(ct_config_validate, b, "nodes[6].key: an array's element must not have a key");
    nodes[5].key = (ct_blob_string){0, 0};
    assert_refused(ct_config_validate, b, "nodes[5].key: the key is missing");
    ct_blob_writer_free(&w);
}

// Each level of nodes would double the walk: 2 to the power of 30 steps without a limit.
static void refuses_nodes_shared_level_by_level_at_once(void **state) {
    (void)state;
    enum { LEVELS = 30, NODES = 1 + 2 * LEVELS };
    ct_config_node nodes[NODES] = {{.type = CT_SJSON_TYPE_OBJECT, .first = 1, .count = 2}};
    for (uint32_t i = 1; i + 2 < NODES; ++i)
        nodes[i] =
            (ct_config_node){.type = CT_SJSON_TYPE_ARRAY, .first = 1 + (i + 1) / 2 * 2, .count = 2};
    nodes[NODES - 2].type = nodes[NODES - 1].type = CT_SJSON_TYPE_NULL;
    ct_blob_writer w;
    start(&w, "config", CT_CONFIG_VERSION, sizeof(ct_config_resource));
    append_array(&w, offsetof(ct_config_resource, nodes), nodes, sizeof(nodes[0]), NODES);
    const uint32_t first = ct_blob_writer_offset(&w) - (uint32_t)sizeof(nodes);
    for (uint32_t i = 1; i < 3; ++i)
        ct_blob_patch_string(
            &w, first + i * (uint32_t)sizeof(nodes[0]) + (uint32_t)offsetof(ct_config_node, key),
            "k", 1);
    ct_blob_writer_finish(&w);
    assert_refused(ct_config_validate, w.bytes.items, "its children have another parent too");
    ct_blob_writer_free(&w);
}

static void refuses_nodes_that_belong_to_nothing(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_config_node, b, b->nodes, 3)->count = 0;
    assert_refused(ct_config_validate, b, "nodes: 1 have no parent");
    ct_blob_writer_free(&w);
}

static void refuses_scalars_with_children(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_config_node, b, b->nodes, 4)->count = 1;
    assert_refused(ct_config_validate, b, "nodes[4]: has children, but is not a container");
    ct_blob_writer_free(&w);
}

static void refuses_text_and_keys_outside_the_blob(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_config_node, b, b->nodes, 1)->text.bytes = 1000;
    assert_refused(ct_config_validate, b, "nodes[1].text: text of 1000 bytes");
    ITEM(ct_config_node, b, b->nodes, 1)->text.bytes = 6;
    ITEM(ct_config_node, b, b->nodes, 4)->key.offset = 1000;
    assert_refused(ct_config_validate, b, "nodes[4].key: text of 5 bytes at offset 1000");
    ct_blob_writer_free(&w);
}

static void refuses_numbers_that_are_not_finite(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const b = make(&w);
    ITEM(ct_config_node, b, b->nodes, 4)->number = NAN;
    assert_refused(ct_config_validate, b, "nodes[4]: its number is not finite");
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_values_by_path),
        cmocka_unit_test(gives_the_default_for_what_is_not_there),
        cmocka_unit_test(refuses_unknown_types),
        cmocka_unit_test(refuses_a_root_that_is_no_object),
        cmocka_unit_test(refuses_containers_that_contain_themselves),
        cmocka_unit_test(refuses_children_of_two_parents),
        cmocka_unit_test(refuses_keys_where_none_may_be_and_none_where_one_must),
        cmocka_unit_test(refuses_nodes_shared_level_by_level_at_once),
        cmocka_unit_test(refuses_nodes_that_belong_to_nothing),
        cmocka_unit_test(refuses_scalars_with_children),
        cmocka_unit_test(refuses_text_and_keys_outside_the_blob),
        cmocka_unit_test(refuses_numbers_that_are_not_finite),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
