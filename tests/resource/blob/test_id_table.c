#include "resource/blob/id_table.h"

#include "resource/blob/blob_fixtures.h"

enum { NUM_IDS = 5, NUM_SLOTS = 16 };

// A blob that is an id table and nothing else.
typedef struct table_blob {
    ct_blob_header header;
    ct_blob_array slots;
} table_blob;

static table_blob *make(ct_blob_writer *w) {
    uint32_t slots[NUM_SLOTS] = {0};
    assert_int_equal(ct_id_table_capacity(NUM_IDS), NUM_SLOTS);
    for (uint32_t i = 0; i < NUM_IDS; ++i)
        ct_id_table_add(slots, NUM_SLOTS, i * UINT64_C(0x123456789), i);
    start(w, "table", 1, sizeof(table_blob));
    append_array(w, offsetof(table_blob, slots), slots, sizeof(*slots), NUM_SLOTS);
    ct_blob_writer_finish(w);
    return (table_blob *)(void *)w->bytes.items;
}

static bool check(const void *blob, ct_error *error) {
    const table_blob *const t = blob;
    return ct_id_table_check(&t->header, t->slots, NUM_IDS, error);
}

static void every_id_stands_from_its_home_on(void **state) {
    (void)state;
    ct_blob_writer w;
    table_blob *const t = make(&w);
    assert_accepted(check, t);
    for (uint32_t i = 0; i < NUM_IDS; ++i) {
        uint32_t at = ct_id_table_home(i * UINT64_C(0x123456789), NUM_SLOTS);
        while (*ITEM(uint32_t, t, t->slots, at) != i + 1) {
            assert_int_not_equal(*ITEM(uint32_t, t, t->slots, at), 0);
            at = (at + 1) % NUM_SLOTS;
        }
    }
    ct_blob_writer_free(&w);
}

static void refuses_places_that_lead_nowhere(void **state) {
    (void)state;
    ct_blob_writer w;
    table_blob *const t = make(&w);
    *ITEM(uint32_t, t, t->slots, 7) = NUM_IDS + 1;
    assert_refused(check, t, "slots[7]: found 6, expected at most 5");
    ct_blob_writer_free(&w);
}

// A search in a table without empty places would not end.
static void refuses_full_tables(void **state) {
    (void)state;
    ct_blob_writer w;
    table_blob *const t = make(&w);
    for (uint32_t i = 0; i < NUM_SLOTS; ++i)
        *ITEM(uint32_t, t, t->slots, i) = i <= NUM_SLOTS / 2 ? 1 : 0;
    assert_refused(check, t, "more than half are in use");
    *ITEM(uint32_t, t, t->slots, 0) = 0;
    assert_accepted(check, t);
    ct_blob_writer_free(&w);
}

static void refuses_what_is_no_table(void **state) {
    (void)state;
    ct_blob_writer w;
    table_blob *const t = make(&w);
    const ct_blob_array whole = t->slots;
    t->slots.count = NUM_SLOTS - 1;
    assert_refused(check, t, "found 15, expected a power of two");
    t->slots.count = 1;
    assert_refused(check, t, "power of two");
    t->slots = (ct_blob_array){0, 0};
    assert_refused(check, t, "power of two");
    t->slots = (ct_blob_array){whole.offset, 1u << 30};
    assert_refused(check, t, "slots");
    t->slots = (ct_blob_array){whole.offset + 1, NUM_SLOTS / 2};
    assert_refused(check, t, "slots");
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_id_stands_from_its_home_on),
        cmocka_unit_test(refuses_places_that_lead_nowhere),
        cmocka_unit_test(refuses_full_tables),
        cmocka_unit_test(refuses_what_is_no_table),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
