#include "animation/machine/compiled/machine_case.h"

static const test_clip clips[] = {
    {.name = "idle", .length = 2},
    {.name = "walk", .length = 1, .events = {{"left", 0}, {"right", 0.5f}}},
    {.name = "run", .length = 0.6f, .events = {{"left", 0}, {"right", 0.3f}}},
    {.name = "jump", .length = 0.5f, .does_not_loop = true, .events = {{"land", 0.5f}}},
};

static const char simple[] =
    "skeleton = \"s\"\n"
    "variables = [ { name = \"speed\" min = 0 max = 10 } { name = \"grounded\" default = 1 } ]\n"
    "layers = [ { name = \"base\" start = \"idle\"\n"
    "  states = [\n"
    "    { type = \"clip\" name = \"idle\" animation = \"idle\" }\n"
    "    { type = \"clip\" name = \"walk\" animation = \"walk\" speed = \"0.5 + speed\" }\n"
    "    { type = \"clip\" name = \"jump\" animation = \"jump\" enter_event = \"up\"\n"
    "      leave_event = \"down\" }\n"
    "  ]\n"
    "  transitions = [\n"
    "    { from = \"idle\" to = \"walk\" condition = \"speed > 0.1\" duration = 0.2 }\n"
    "    { from = \"walk\" to = \"idle\" condition = \"speed <= 0.1\" duration = 0.2 }\n"
    "    { from = \"any\" to = \"jump\" event = \"jump\" condition = \"grounded\" duration = 0.1 "
    "}\n"
    "    { from = \"jump\" to = \"idle\" exit_time = 1 duration = 0 }\n"
    "  ] } ]\n";

static void plays_its_start_state(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, simple, clips, CT_COUNT_OF(clips));
    ct_state_machine_output o = ct_state_machine_current(t.m);
    assert_int_equal(o.num_samples, 1);
    assert_true(o.samples[0].is_new);
    o = ct_state_machine_update(t.m, 0.25f);
    assert_int_equal(o.num_samples, 1);
    assert_true(o.samples[0].is_new);
    assert_close((double)o.samples[0].time, 0.25, 1e-6);
    assert_true(o.samples[0].weight == 1);
    o = ct_state_machine_update(t.m, 2);
    assert_false(o.samples[0].is_new);
    assert_close((double)o.samples[0].time, 0.25, 1e-6);
    assert_true(is_in(t.m, 0, "idle"));
    machine_case_free(&t);
}

static void fades_by_conditions(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, simple, clips, CT_COUNT_OF(clips));
    set(t.m, "speed", 1);
    ct_state_machine_output o = ct_state_machine_update(t.m, 0.05f);
    assert_true(is_in(t.m, 0, "walk"));
    assert_int_equal(o.num_samples, 2);
    assert_weights(&o);
    assert_close((double)o.samples[0].weight, 0.75, 1e-5);
    assert_close((double)o.samples[1].weight, 0.25, 1e-5);
    assert_close((double)o.samples[1].time, 0.05 * 1.5, 1e-6);
    assert_int_not_equal(o.samples[0].player, o.samples[1].player);
    const uint32_t player = o.samples[1].player;
    o = ct_state_machine_update(t.m, 0.2f);
    assert_int_equal(o.num_samples, 1);
    assert_int_equal(o.samples[0].player, player);
    assert_false(o.samples[0].is_new);
    machine_case_free(&t);
}

static void goes_by_events_and_exit_times(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, simple, clips, CT_COUNT_OF(clips));
    assert_false(send(t.m, "nothing"));
    assert_true(ct_state_machine_has_event(t.m, ct_string_id32_of("jump")));
    set(t.m, "grounded", 0);
    assert_true(send(t.m, "jump"));
    assert_true(is_in(t.m, 0, "idle"));
    set(t.m, "grounded", 1);
    assert_true(send(t.m, "jump"));
    assert_true(is_in(t.m, 0, "jump"));
    const ct_state_machine_output o = ct_state_machine_update(t.m, 0.75f);
    assert_true(is_in(t.m, 0, "idle"));
    assert_close((double)time_in(t.m, 0), 0.25, 1e-6);
    assert_int_equal(o.num_events, 3);
    static const char *const names[] = {"up", "land", "down"};
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(o.events[i].name.value, ct_string_id32_of(names[i]).value);
        assert_close((double)o.events[i].time, i == 0 ? 0 : 0.5, 1e-6);
    }
    machine_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_its_start_state),
        cmocka_unit_test(fades_by_conditions),
        cmocka_unit_test(goes_by_events_and_exit_times),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
