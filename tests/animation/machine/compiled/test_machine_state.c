// Saved states, and states carried over to a newer version.
#include "animation/machine/compiled/machine_case.h"

#include "foundation/math/random.h"

enum { MAX_STATE = 512 };

static const test_clip clips[] = {
    {.name = "a", .length = 1},
    {.name = "b", .length = 2},
    {.name = "c", .length = 0.5f},
};

#define MACHINE(variables, states, others)                                                         \
    "skeleton = \"s\" variables = [ " variables " ]\n"                                             \
    "layers = [ { name = \"base\" start = \"a\" states = [\n"                                      \
    "{ type = \"clip\" name = \"a\" animation = \"a\" }\n" states " ] transitions = [\n"           \
    "{ from = \"any\" to = \"a\" event = \"a\" duration = 1 }\n" others " ] } ]"

#define B "{ type = \"clip\" name = \"b\" animation = \"b\" }\n"
#define TO_B "{ from = \"any\" to = \"b\" event = \"b\" duration = 1 }\n"

#define ARRIVES "{ type = \"clip\" name = \"b\" animation = \"b\" enter_event = \"arrived\" }\n"
#define LAYER(name, start, states)                                                                 \
    "{ name = \"" name "\" start = \"" start "\" states = [ " states " ] }\n"
#define STATE_A "{ type = \"clip\" name = \"a\" animation = \"a\" enter_event = \"a_in\" }\n"
#define STATE_C "{ type = \"clip\" name = \"c\" animation = \"c\" enter_event = \"c_in\" }\n"

static const char old_text[] = MACHINE("{ name = \"x\" max = 10 } { name = \"y\" }", B, TO_B);

static void refuses_states_that_do_not_fit(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, old_text, clips, CT_COUNT_OF(clips));
    send(t.m, "b");
    ct_state_machine_update(t.m, 0.25f);
    uint32_t saved[MAX_STATE], before[MAX_STATE], after[MAX_STATE], changed[MAX_STATE];
    const uint32_t count = ct_state_machine_get_state(t.m, saved, MAX_STATE);
    assert_int_equal(ct_state_machine_get_state(t.m, NULL, 0), count);
    ct_state_machine *const other = machine_case_another(&t);
    ct_error error = {0};
    assert_false(ct_state_machine_set_state(other, saved, 0, &error));
    assert_false(ct_state_machine_set_state(other, saved, count - 1, &error));
    assert_false(ct_state_machine_set_state(other, NULL, 0, &error));
    memcpy(changed, saved, sizeof(saved));
    changed[0] ^= 1;
    assert_false(ct_state_machine_set_state(other, changed, count, &error));
    assert_non_null(strstr(error.message, "of another state machine"));
    // Any number that is changed is refused, and then nothing changed, or it plays on.
    ct_random r = ct_random_seeded(2, 1);
    uint32_t num_refused = 0;
    for (uint32_t round = 0; round < 5000; ++round) {
        memcpy(changed, saved, sizeof(saved));
        const uint32_t at = 2 + ct_random_below(&r, count - 2);
        changed[at] =
            round % 3 == 0 ? ct_random_u32(&r) : changed[at] ^ 1u << ct_random_below(&r, 32);
        const uint32_t num_before = ct_state_machine_get_state(other, before, MAX_STATE);
        error = (ct_error){0};
        if (!ct_state_machine_set_state(other, changed, count, &error)) {
            ++num_refused;
            assert_true(error.message[0] != 0);
            assert_int_equal(ct_state_machine_get_state(other, after, MAX_STATE), num_before);
            assert_memory_equal(before, after, num_before * sizeof(uint32_t));
        }
        const ct_state_machine_output o = ct_state_machine_update(other, 0.1f);
        assert_weights(&o);
    }
    assert_true(num_refused > 500);
    ct_state_machine_destroy(other);
    machine_case_free(&t);
}

// The newer version of the machine in `t`, carried over; false as the function says.
static bool reload(machine_case *t, const char *text, ct_state_machine **new, machine_case *newer,
                   ct_error *error) {
    static ct_compile_answer kept;
    kept = t->compiled.answer; // the older resource stays while both are used
    t->compiled.has_run = false;
    machine_case_compile(newer, text, clips, CT_COUNT_OF(clips));
    *new = ct_state_machine_create(test_heap(), newer->resource, newer->list);
    newer->m = *new;
    const bool fits = ct_state_machine_carry(*new, t->m, error);
    ct_state_machine_destroy(t->m);
    ct_compile_answer_free(&kept);
    return fits;
}

static void carries_states_over_by_name(void **state) {
    (void)state;
    machine_case t, newer;
    machine_case_start(&t, old_text, clips, CT_COUNT_OF(clips));
    set(t.m, "y", 5);
    send(t.m, "b");
    ct_state_machine_update(t.m, 0.25f);
    const ct_state_machine_output o = ct_state_machine_current(t.m);
    const float weight = o.samples[1].weight, time = o.samples[1].time;
    ct_state_machine *m;
    ct_error error = {0};
    assert_true(reload(&t,
                       MACHINE("{ name = \"new\" default = 3 } { name = \"y\" max = 4 }",
                               "{ type = \"clip\" name = \"c\" animation = \"c\" }\n" B,
                               TO_B "{ from = \"any\" to = \"c\" event = \"c\" }"),
                       &m, &newer, &error));
    assert_true(is_in(m, 0, "b"));
    const ct_state_machine_output n = ct_state_machine_current(m);
    assert_int_equal(n.num_samples, 2);
    assert_true(n.samples[1].weight == weight && n.samples[1].time == time);
    assert_true(n.samples[0].is_new && n.samples[1].is_new);
    assert_true(ct_state_machine_variable(m, 0) == 3 && ct_state_machine_variable(m, 1) == 4);
    ct_state_machine_update(m, 0.75f);
    assert_int_equal(ct_state_machine_current(m).num_samples, 1);
    machine_case_free(&newer);
}

// A chain in which every state covers the ones before it, and none may be dropped.
static void plays_on_from_states_that_no_machine_saves(void **state) {
    (void)state;
    enum { HEAD_WORDS = 5, SLOT_WORDS = 16, SLOTS = 8, INTERRUPTIBLE_AND_COVERS = 2 | 32 };
    machine_case t;
    machine_case_start(&t, old_text, clips, CT_COUNT_OF(clips));
    uint32_t saved[MAX_STATE], forged[MAX_STATE];
    const uint32_t count = ct_state_machine_get_state(t.m, saved, MAX_STATE);
    const uint32_t num_variables = count - HEAD_WORDS - SLOT_WORDS;
    assert_int_equal(num_variables, 2); // one state played: the layout is as above
    memcpy(forged, saved, sizeof(uint32_t) * HEAD_WORDS);
    forged[HEAD_WORDS - 1] = SLOTS;
    for (uint32_t i = 0; i < SLOTS; ++i) {
        uint32_t *const slot = forged + HEAD_WORDS + SLOT_WORDS * i;
        memcpy(slot, saved + HEAD_WORDS, sizeof(uint32_t) * SLOT_WORDS);
        const double duration = i ? 100 : 0;
        slot[1] = i ? INTERRUPTIBLE_AND_COVERS : slot[1];
        memcpy(slot + 10, &duration, sizeof(duration));
    }
    memcpy(forged + HEAD_WORDS + SLOT_WORDS * SLOTS, saved + HEAD_WORDS + SLOT_WORDS,
           sizeof(uint32_t) * num_variables);
    ct_error error = {0};
    if (ct_state_machine_set_state(t.m, forged, HEAD_WORDS + SLOT_WORDS * SLOTS + num_variables,
                                   &error)) {
        for (uint32_t i = 0; i < 20; ++i) {
            send(t.m, i % 2 ? "a" : "b");
            const ct_state_machine_output o = ct_state_machine_update(t.m, 0.1f);
            assert_weights(&o);
        }
    } else {
        fail_msg("%s", error.message);
    }
    machine_case_free(&t);
}

// An event between two updates is not lost when the machine is loaded again before the next.
static void carries_what_has_happened(void **state) {
    (void)state;
    static const char text[] = MACHINE("", ARRIVES, TO_B);
    machine_case t, newer;
    machine_case_start(&t, text, clips, CT_COUNT_OF(clips));
    ct_state_machine_update(t.m, 0.25f);
    send(t.m, "b");
    ct_state_machine *m;
    ct_error error = {0};
    assert_true(reload(&t, text, &m, &newer, &error));
    ct_state_machine_output o = ct_state_machine_update(m, 0.25f);
    assert_int_equal(o.num_events, 1);
    assert_int_equal(o.events[0].name.value, ct_string_id32_of("arrived").value);
    o = ct_state_machine_update(m, 0.25f);
    assert_int_equal(o.num_events, 0);
    machine_case_free(&newer);
}

// A layer that starts over, and one that is new, enter their start states; one that goes on does
// not.
static void entering_a_start_state_is_an_event(void **state) {
    (void)state;
    machine_case t, newer;
    machine_case_start(&t,
                       "skeleton = \"s\" layers = [ " LAYER("stays", "a", STATE_A)
                           LAYER("changes", "a", STATE_A) " ]",
                       clips, CT_COUNT_OF(clips));
    assert_int_equal(ct_state_machine_update(t.m, 0.25f).num_events, 2);
    ct_state_machine *m;
    ct_error error = {0};
    assert_false(reload(&t,
                        "skeleton = \"s\" layers = [ " LAYER("stays", "a", STATE_A)
                            LAYER("changes", "c", STATE_C) LAYER("new", "b", ARRIVES) " ]",
                        &m, &newer, &error));
    const ct_state_machine_output o = ct_state_machine_update(m, 0.25f);
    assert_int_equal(o.num_events, 2);
    assert_int_equal(o.events[0].name.value, ct_string_id32_of("c_in").value);
    assert_int_equal(o.events[1].name.value, ct_string_id32_of("arrived").value);
    assert_true(o.events[0].time == 0 && o.events[1].time == 0);
    assert_true(time_in(m, 0) == 0.5f && time_in(m, 1) == 0.25f);
    assert_int_equal(ct_state_machine_update(m, 0.25f).num_events, 0);
    machine_case_free(&newer);
}

// Events that were sent between two updates and had no room are counted by the second.
static void counts_what_had_no_room_between_updates(void **state) {
    (void)state;
    static const char text[] = MACHINE("", ARRIVES, TO_B);
    machine_case t;
    machine_case_start(&t, text, clips, CT_COUNT_OF(clips));
    for (uint32_t i = 0; i < 100; ++i)
        send(t.m, "b");
    const ct_state_machine_output o = ct_state_machine_update(t.m, 0.25f);
    assert_int_equal(o.num_events + o.num_dropped_events, 100);
    assert_true(o.num_events >= 32 && o.num_dropped_events > 0);
    assert_int_equal(ct_state_machine_update(t.m, 0.25f).num_dropped_events, 0);
    machine_case_free(&t);
}

static void starts_again_where_a_state_is_gone(void **state) {
    (void)state;
    machine_case t, newer;
    machine_case_start(&t, old_text, clips, CT_COUNT_OF(clips));
    send(t.m, "b");
    ct_state_machine_update(t.m, 0.25f);
    ct_state_machine *m;
    ct_error error = {0};
    assert_false(reload(&t, MACHINE("{ name = \"x\" }", "", ""), &m, &newer, &error));
    assert_non_null(strstr(error.message, "layer \"base\" has no state \"b\" any more"));
    assert_true(is_in(m, 0, "a"));
    assert_true(time_in(m, 0) == 0);
    machine_case_free(&newer);
}

// One that fades out and is gone is left out; the fade ends.
static void leaves_out_old_states_that_are_gone(void **state) {
    (void)state;
    machine_case t, newer;
    machine_case_start(&t, old_text, clips, CT_COUNT_OF(clips));
    send(t.m, "b");
    ct_state_machine_update(t.m, 1.5f);
    send(t.m, "a");
    ct_state_machine_update(t.m, 0.25f);
    ct_state_machine *m;
    ct_error error = {0};
    assert_true(reload(&t, MACHINE("", "", ""), &m, &newer, &error));
    assert_true(is_in(m, 0, "a"));
    const ct_state_machine_output o = ct_state_machine_current(m);
    assert_int_equal(o.num_samples, 1);
    assert_true(o.samples[0].weight == 1);
    machine_case_free(&newer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_states_that_do_not_fit),
        cmocka_unit_test(carries_states_over_by_name),
        cmocka_unit_test(plays_on_from_states_that_no_machine_saves),
        cmocka_unit_test(carries_what_has_happened),
        cmocka_unit_test(entering_a_start_state_is_an_event),
        cmocka_unit_test(counts_what_had_no_room_between_updates),
        cmocka_unit_test(starts_again_where_a_state_is_gone),
        cmocka_unit_test(leaves_out_old_states_that_are_gone),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
