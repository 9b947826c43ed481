#include "resource/types/flow/flow_resource.h"

#include "foundation/error.h"
#include "resource/blob/blob_fixtures.h"

static ct_flow_resource *make(ct_blob_writer *w) {
    write_flow(w);
    assert_accepted(ct_flow_validate, w->bytes.items);
    return (ct_flow_resource *)(void *)w->bytes.items;
}

// Puts each number at a word of an array and fails unless that is refused with `message`.
static void refuse_words(ct_flow_resource *r, ct_blob_array array, uint32_t at,
                         const uint32_t *wrong, uint32_t count, const char *message) {
    uint32_t *const word = (uint32_t *)(uintptr_t)ct_blob_at(r, array.offset) + at;
    const uint32_t right = *word;
    for (uint32_t i = 0; i < count; ++i) {
        *word = wrong[i];
        assert_refused(ct_flow_validate, r, message);
    }
    *word = right;
    assert_accepted(ct_flow_validate, r);
}

static void refuse_word(ct_flow_resource *r, ct_blob_array array, uint32_t at, uint32_t wrong,
                        const char *message) {
    refuse_words(r, array, at, &wrong, 1, message);
}

static void refuses_programs_with_gaps(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_flow_resource *const r = make(&w);
    refuse_word(r, r->program, 9, 4, "node 1: found type 4 of 4");
    refuse_word(r, r->program, 10, 0, "node 1: found type 1 of 4, info 0");
    refuse_word(r, r->program, 13, 4, "node 1: found slots up to 4");
    refuse_word(r, r->program, 15, UINT32_MAX, "node 1: found slots");
    r->program.count -= 1;
    assert_refused(ct_flow_validate, r, "node 3: found slots");
    r->program.count += 1;
    r->infos.count -= 1;
    assert_refused(ct_flow_validate, r, "program: found 46 words, but its nodes have 31");
    r->infos.count += 1;
    r->dynamic_bytes += 16;
    assert_refused(ct_flow_validate, r, "dynamic_bytes: found");
    r->dynamic_bytes = 1 << 21;
    assert_refused(ct_flow_validate, r, "dynamic_bytes: found 2097152");
    ct_blob_writer_free(&w);
}

static void refuses_places_of_other_types(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_flow_resource *const r = make(&w);
    static const uint32_t no_numbers[] = {0,
                                          FLOW_FIXTURE_START,
                                          FLOW_FIXTURE_TEXT,
                                          FLOW_FIXTURE_UNIT,
                                          FLOW_FIXTURE_BYTES,
                                          CT_FLOW_PLACE(CT_FLOW_REGION_NUMBERS, 16),
                                          CT_FLOW_PLACE(CT_FLOW_REGION_NUMBERS, 4),
                                          CT_FLOW_PLACE(CT_FLOW_REGION_WORDS, 0),
                                          UINT32_MAX};
    refuse_words(r, r->program, 16, no_numbers, CT_COUNT_OF(no_numbers),
                 "node 1: input 0: there is no number at ");
    static const uint32_t no_texts[] = {CT_FLOW_PLACE(CT_FLOW_REGION_WORDS, 4),
                                        CT_FLOW_PLACE(CT_FLOW_REGION_WORDS, 8),
                                        CT_FLOW_PLACE(CT_FLOW_REGION_WORDS, 1),
                                        CT_FLOW_PLACE(CT_FLOW_REGION_NUMBERS, 0),
                                        FLOW_FIXTURE_START,
                                        FLOW_FIXTURE_TEXT + 16};
    refuse_words(r, r->program, 26, no_texts, CT_COUNT_OF(no_texts),
                 "node 2: input 0: there is no string at ");
    refuse_word(r, r->program, 27, CT_FLOW_TYPE_NUMBER, "node 2: found type 2 in input 0");
    refuse_word(r, r->program, 18, FLOW_FIXTURE_TEXT + 16, "node 1: found output 0 at ");
    refuse_word(r, r->program, 44, FLOW_FIXTURE_TEXT, "node 3: found no variable of its type");
    refuse_word(r, r->program, 2, 64, "node 0: found its state at 64, expected 0");
    refuse_word(r, r->words, 1, 6, "there is no string");
    refuse_word(r, r->words, 0, CT_FLOW_STRING_IS_DYNAMIC, "there is no string");
    ct_blob_writer_free(&w);
}

static void refuses_lists_that_do_not_end(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_flow_resource *const r = make(&w);
    static const uint32_t counts[] = {0, 2, 3, UINT32_MAX};
    refuse_words(r, r->links, 0, counts, CT_COUNT_OF(counts), "");
    refuse_words(r, r->pures, 0, counts, CT_COUNT_OF(counts), "");
    refuse_word(r, r->links, 1, 20, "links[1]: found no event 0 of a node at 20");
    refuse_word(r, r->links, 2, 1, "links[1]: found no event 1 of a node at 19");
    refuse_word(r, r->pures, 1, 19, "pures[1]: found no pure node at 19");
    refuse_word(r, r->pures, 1, 1, "pures[1]: found no pure node at 1");
    refuse_word(r, r->program, 8, 3, "node 0: found links at 3, expected 0 of 6");
    ct_blob_writer_free(&w);
}

static void refuses_types_with_other_slots(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_flow_resource *const r = make(&w);
    ct_flow_used_type *const types = (ct_flow_used_type *)(uintptr_t)ct_blob_at(r, r->types.offset);
    types[2].num_events_out = 2;
    assert_refused(ct_flow_validate, r,
                   "types[2]: the node type debug_print of this engine has other slots; compile "
                   "the graph again");
    types[2].num_events_out = 33;
    assert_refused(ct_flow_validate, r, "types[2]: found 2 + 0 + 1 + 33 slots");
    types[2].num_events_out = 1;
    types[2].state_bytes = 8;
    assert_refused(ct_flow_validate, r, "types[2]: the node type debug_print");
    types[2].state_bytes = 0;
    types[2].function = types[2].name; // now of Lua
    assert_refused(ct_flow_validate, r, "types[2].slots: their numbers are not those of the type");
    ct_blob_writer_free(&w);
}

static void refuses_variables_and_initial_values(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_flow_resource *const r = make(&w);
    ct_flow_variable *const v = (ct_flow_variable *)(uintptr_t)ct_blob_at(r, r->variables.offset);
    ct_flow_initial *const initials =
        (ct_flow_initial *)(uintptr_t)ct_blob_at(r, r->initials.offset);
    const ct_flow_variable first = v[0];
    v[0].type = CT_FLOW_TYPE_ANY;
    assert_refused(ct_flow_validate, r, "variables[0]: found type 15");
    v[0] = first;
    v[0].flags = 8;
    assert_refused(ct_flow_validate, r, "variables[0]: found type");
    v[0] = first;
    v[0].name.value ^= 1;
    assert_refused(ct_flow_validate, r, "variables[0].name: its id does not match its text");
    v[0] = first;
    v[0].offset += 16;
    assert_refused(ct_flow_validate, r, "variables[0].offset: found ");
    v[0] = v[1];
    assert_refused(ct_flow_validate, r, "variables");
    v[0] = first;
    initials[0].offset = FLOW_FIXTURE_TEXT;
    assert_refused(ct_flow_validate, r, "initials[0]: found type 5");
    initials[0].offset = CT_FLOW_ZEROS;
    assert_refused(ct_flow_validate, r, "initials[0]: found type 5");
    initials[0].offset = FLOW_FIXTURE_UNIT;
    initials[0].level_unit = 3;
    assert_refused(ct_flow_validate, r, "initials[0]: found a unit at ");
    ct_blob_writer_free(&w);
}

static void refuses_entries(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_flow_resource *const r = make(&w);
    refuse_word(r, r->entries, 2, 1, "entries[0]: found event 0 of the node at 1");
    refuse_word(r, r->entries, 3, 1, "entries[0]: found event 1 of the node at 0");
    // The engine would set outputs that the node does not have.
    const uint32_t kind = ct_string_id32_of("physics_collision").value;
    refuse_word(r, r->entries, 0, kind, "kind bb8fa83a; expected a node of this kind");
    // A node that something else starts.
    const ct_flow_node_info *const infos = ct_blob_at(r, r->infos.offset);
    ct_flow_entry *const e = (ct_flow_entry *)(uintptr_t)ct_blob_at(r, r->entries.offset);
    const ct_flow_used_type *const types = ct_blob_at(r, r->types.offset);
    const uint32_t *const program = ct_blob_at(r, r->program.offset);
    for (uint32_t i = 1; i < r->infos.count; ++i) {
        const ct_flow_used_type *const t = &types[program[infos[i].node]];
        *e = (ct_flow_entry){.kind = ct_string_id32_of(ct_blob_at(r, t->name.offset)),
                             .node = infos[i].node,
                             .event = t->num_events_in};
        assert_refused(ct_flow_validate, r, "expected a node of this kind that the engine starts");
    }
    ct_blob_writer_free(&w);
}

static void checks_texts_of_dynamic_data(void **state) {
    (void)state;
    ct_blob_writer w;
    const ct_flow_resource *const r = make(&w);
    uint8_t *const data = ct_alloc_zero(test_heap(), r->dynamic_bytes);
    ct_error error = {0};
    ct_flow_string *const s = (ct_flow_string *)(void *)(data + FLOW_FIXTURE_TEXT);
    const uint32_t start = CT_FLOW_STRING_IS_DYNAMIC | (FLOW_FIXTURE_TEXT + 16);
    assert_true(ct_flow_check_data(r, data, &error));
    *s = (ct_flow_string){start, 239};
    assert_true(ct_flow_check_data(r, data, &error));
    *s = (ct_flow_string){1, 5};
    assert_true(ct_flow_check_data(r, data, &error));
    static const ct_flow_string wrong[] = {
        {CT_FLOW_STRING_IS_DYNAMIC | (FLOW_FIXTURE_TEXT + 16), 240},
        {CT_FLOW_STRING_IS_DYNAMIC | (FLOW_FIXTURE_TEXT + 17), 0},
        {CT_FLOW_STRING_IS_DYNAMIC | (FLOW_FIXTURE_TEXT + 16), UINT32_MAX},
        {1, 4},
        {1, 6},
        {7, 0},
        {1, UINT32_MAX}};
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        *s = wrong[i];
        assert_false(ct_flow_check_data(r, data, &error));
        assert_non_null(strstr(error.message, "found no text at byte "));
    }
    *s = (ct_flow_string){start, 2};
    data[FLOW_FIXTURE_TEXT + 18] = 'x';
    assert_false(ct_flow_check_data(r, data, &error));
    ct_free(test_heap(), data);
    ct_blob_writer_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_programs_with_gaps),
        cmocka_unit_test(refuses_places_of_other_types),
        cmocka_unit_test(refuses_lists_that_do_not_end),
        cmocka_unit_test(refuses_types_with_other_slots),
        cmocka_unit_test(refuses_variables_and_initial_values),
        cmocka_unit_test(refuses_entries),
        cmocka_unit_test(checks_texts_of_dynamic_data),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
