// Whatever the steps, the same comes out: states, times, events, root motion.
#include "animation/machine/compiled/machine_case.h"

#include <math.h>

#include "foundation/math/random.h"

enum { MAX_FOUND = 4096 };

static const test_clip clips[] = {
    {.name = "idle", .length = 2, .events = {{"breathe", 1}}},
    {.name = "walk",
     .length = 1,
     .events = {{"left", 0}, {"right", 0.5f}, {"end", 1}},
     .keys = {{0, {0, 0, 0}, 0}, {10, {0.1f, 0.6f, 0}, 0.2f}, {30, {0.3f, 1.5f, 0.1f}, 0.7f}},
     .num_keys = 3},
    {.name = "run",
     .length = 0.6f,
     .events = {{"left", 0}, {"right", 0.3f}},
     .keys = {{0, {0, 0, 0}, 0}, {9, {0, 1, 0}, 0}, {18, {0.2f, 2.5f, 0}, 0}},
     .num_keys = 3},
    {.name = "jump", .length = 0.5f, .does_not_loop = true, .events = {{"up", 0}, {"land", 0.5f}}},
    {.name = "wave", .length = 0.9f, .does_not_loop = true, .events = {{"hand", 0.45f}}},
};

// Never still: states follow each other by exit times, of all kinds.
static const char restless[] =
    "skeleton = \"s\"\n"
    "variables = [ { name = \"speed\" default = 0.4 } ]\n"
    "masks = [ { name = \"arm\" joints = [ { joint = \"arm\" } ] } ]\n"
    "layers = [ { name = \"base\" start = \"idle\"\n"
    "  states = [\n"
    "    { type = \"clip\" name = \"idle\" animation = \"idle\" }\n"
    "    { type = \"blend_1d\" name = \"move\" x = \"speed\" speed = \"0.7 + speed\"\n"
    "      enter_event = \"go\" leave_event = \"stop\" points = [\n"
    "      { animation = \"walk\" value = 0 } { animation = \"run\" value = 1 } ] }\n"
    "    { type = \"clip\" name = \"back\" animation = \"walk\" speed = -1.3 }\n"
    "    { type = \"tree\" name = \"jump\" root = \"l\" nodes = [\n"
    "      { type = \"clip\" name = \"j\" animation = \"jump\" }\n"
    "      { type = \"clip\" name = \"i\" animation = \"idle\" sync = false speed = 3 }\n"
    "      { type = \"lerp\" name = \"l\" a = \"j\" b = \"i\" by = 0.3 } ] }\n"
    "  ]\n"
    "  transitions = [\n"
    "    { from = \"idle\" to = \"move\" exit_time = 0.35 duration = 0.3 curve = \"smooth\" }\n"
    "    { from = \"move\" to = \"back\" exit_time = 2.25 duration = 0.4 sync = true }\n"
    "    { from = \"back\" to = \"jump\" exit_seconds = 0.9 interruptible = false }\n"
    "    { from = \"jump\" to = \"idle\" exit_time = 1 duration = 0.7 }\n"
    "  ] }\n"
    "  { name = \"arm\" start = \"\" mask = \"arm\" weight = 0.7\n"
    "  states = [ { type = \"clip\" name = \"wave\" animation = \"wave\" enter_event = \"hi\" } ]\n"
    "  transitions = [\n"
    "    { from = \"\" to = \"wave\" exit_seconds = 1.3 duration = 0.25 }\n"
    "    { from = \"wave\" to = \"\" exit_time = 0.8 duration = 0.15 }\n"
    "  ] } ]\n";

typedef struct found_event {
    uint32_t name;
    double time; // since the start
} found_event;

typedef struct found {
    found_event events[MAX_FOUND];
    uint32_t count;
    double passed, x, y, heading;
} found;

// Adds what an update of `dt` seconds made.
static void add(found *f, const ct_state_machine_output *o, float dt) {
    assert_int_equal(o->num_dropped_events, 0);
    for (uint32_t i = 0; i < o->num_events; ++i) {
        assert_true(o->events[i].time >= 0 && o->events[i].time <= dt);
        assert_true(i == 0 || o->events[i - 1].time <= o->events[i].time);
        f->events[f->count++] =
            (found_event){o->events[i].name.value, f->passed + (double)o->events[i].time};
    }
    f->passed += (double)dt;
    const ct_animation_root_pose *const p = &o->root_delta;
    const double s = sin(f->heading), c = cos(f->heading);
    f->x += c * (double)p->position[0] - s * (double)p->position[1];
    f->y += s * (double)p->position[0] + c * (double)p->position[1];
    f->heading += (double)p->heading;
}

static int by_time(const void *a, const void *b) {
    const found_event *const x = a, *const y = b;
    if (fabs(x->time - y->time) > 1e-4)
        return x->time < y->time ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

static void assert_same_events(found *a, found *b) {
    assert_int_equal(a->count, b->count);
    qsort(a->events, a->count, sizeof(a->events[0]), by_time);
    qsort(b->events, b->count, sizeof(b->events[0]), by_time);
    for (uint32_t i = 0; i < a->count; ++i) {
        assert_int_equal(a->events[i].name, b->events[i].name);
        assert_close(a->events[i].time, b->events[i].time, 2e-4);
    }
}

static void assert_same_output(ct_state_machine *a, ct_state_machine *b) {
    const ct_state_machine_output x = ct_state_machine_current(a), y = ct_state_machine_current(b);
    assert_int_equal(x.num_samples, y.num_samples);
    assert_weights(&x);
    for (uint32_t i = 0; i < x.num_samples; ++i) {
        assert_int_equal(x.samples[i].clip, y.samples[i].clip);
        assert_int_equal(x.samples[i].layer, y.samples[i].layer);
        assert_close((double)x.samples[i].time, (double)y.samples[i].time, 1e-3);
        assert_close((double)x.samples[i].weight, (double)y.samples[i].weight, 1e-3);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        float time_a, time_b, length;
        assert_int_equal(ct_state_machine_layer_state(a, i, &time_a, &length).value,
                         ct_state_machine_layer_state(b, i, &time_b, &length).value);
        assert_close((double)time_a, (double)time_b, 1e-3);
        assert_close((double)x.layer_weights[i], (double)y.layer_weights[i], 1e-3);
    }
}

// A time, as one step and as random steps of very different sizes.
static void one_step_equals_many(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, restless, clips, CT_COUNT_OF(clips));
    ct_random r = ct_random_seeded(26, 1);
    static found one, many;
    for (uint32_t round = 0; round < 200; ++round) {
        ct_state_machine *const a = machine_case_another(&t), *const b = machine_case_another(&t);
        memset(&one, 0, sizeof(one));
        memset(&many, 0, sizeof(many));
        const float total = 0.1f + 14 * ct_random_float(&r);
        const float largest = round % 3 == 0 ? 0.01f : round % 3 == 1 ? 0.2f : 5;
        ct_state_machine_output o;
        for (float passed = 0; passed < total;) {
            float dt = fminf(largest * ct_random_float(&r), total - passed);
            dt = total - passed - dt < 1e-5f ? total - passed : dt;
            o = ct_state_machine_update(b, dt);
            add(&many, &o, dt);
            passed = passed + dt;
            if (dt == 0)
                continue;
        }
        const float exact = (float)many.passed;
        o = ct_state_machine_update(a, exact);
        add(&one, &o, exact);
        assert_same_output(a, b);
        assert_same_events(&one, &many);
        assert_close(one.x, many.x, 5e-4);
        assert_close(one.y, many.y, 5e-4);
        assert_close(one.heading, many.heading, 1e-3);
        ct_state_machine_destroy(a);
        ct_state_machine_destroy(b);
    }
    machine_case_free(&t);
}

#define ONE_CLIP(name, more)                                                                       \
    "skeleton = \"s\"\nlayers = [ { name = \"base\" start = \"only\" states = [\n"                 \
    "{ type = \"clip\" name = \"only\" animation = \"" name "\" " more " } ] } ]\n"

// One clip's root motion, and its events, are exact over any number of rounds.
static void root_of_one_clip_is_exact(void **state) {
    (void)state;
    static const char *const texts[] = {ONE_CLIP("walk", ""), ONE_CLIP("walk", "speed = -1"),
                                        ONE_CLIP("run", "speed = 2.5"),
                                        ONE_CLIP("walk", "loop = false")};
    ct_random r = ct_random_seeded(7, 1);
    static found one, many;
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        machine_case t;
        machine_case_start(&t, texts[i], clips, CT_COUNT_OF(clips));
        for (uint32_t round = 0; round < 100; ++round) {
            ct_state_machine *const a = machine_case_another(&t);
            ct_state_machine *const b = machine_case_another(&t);
            memset(&one, 0, sizeof(one));
            memset(&many, 0, sizeof(many));
            ct_state_machine_output o;
            for (uint32_t k = 0; k < 40; ++k) {
                const float dt = (float)(1 + ct_random_below(&r, 64)) / 64;
                o = ct_state_machine_update(b, dt);
                add(&many, &o, dt);
            }
            o = ct_state_machine_update(a, (float)many.passed);
            add(&one, &o, (float)many.passed);
            assert_same_events(&one, &many);
            assert_close(one.x, many.x, 1e-4);
            assert_close(one.y, many.y, 1e-4);
            assert_close(one.heading, many.heading, 1e-4);
            ct_state_machine_destroy(a);
            ct_state_machine_destroy(b);
        }
        machine_case_free(&t);
    }
}

static void walks_where_the_keys_say(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, ONE_CLIP("walk", ""), clips, CT_COUNT_OF(clips));
    ct_state_machine_output o = ct_state_machine_update(t.m, 1);
    assert_close((double)o.root_delta.position[0], 0.3, 1e-6);
    assert_close((double)o.root_delta.position[1], 1.5, 1e-6);
    assert_close((double)o.root_delta.position[2], 0.1, 1e-6);
    assert_close((double)o.root_delta.heading, 0.7, 1e-6);
    o = ct_state_machine_update(t.m, 2);
    const double s = sin((double)0.7f), c = cos((double)0.7f);
    assert_close((double)o.root_delta.position[0], 0.3 + c * 0.3 - s * 1.5, 1e-6);
    assert_close((double)o.root_delta.position[1], 1.5 + s * 0.3 + c * 1.5, 1e-6);
    assert_close((double)o.root_delta.heading, 1.4, 1e-6);
    machine_case_free(&t);
}

// An event at the start, one at the end and one between, at steps that end exactly on them.
static void events_on_the_ends_of_steps_come_once(void **state) {
    (void)state;
    static const float steps[] = {0.25f, 0.5f, 1, 0.125f};
    for (uint32_t i = 0; i < CT_COUNT_OF(steps); ++i) {
        machine_case t;
        machine_case_start(&t, ONE_CLIP("walk", ""), clips, CT_COUNT_OF(clips));
        uint32_t counts[3] = {0};
        static const char *const names[] = {"left", "right", "end"};
        for (float passed = 0; passed < 8; passed += steps[i]) {
            const ct_state_machine_output o = ct_state_machine_update(t.m, steps[i]);
            for (uint32_t k = 0; k < o.num_events; ++k) {
                for (uint32_t n = 0; n < 3; ++n)
                    counts[n] += o.events[k].name.value == ct_string_id32_of(names[n]).value;
            }
        }
        assert_int_equal(counts[0], 9); // the first at the start, the last at the end
        assert_int_equal(counts[1], 8);
        assert_int_equal(counts[2], 8);
        machine_case_free(&t);
    }
}

static void takes_an_hour_a_day_and_nonsense(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, restless, clips, CT_COUNT_OF(clips));
    ct_state_machine_output o = ct_state_machine_update(t.m, 3600);
    assert_weights(&o);
    assert_int_equal(o.num_events, CT_STATE_MACHINE_MAX_EVENTS);
    assert_true(o.num_dropped_events > 1000);
    for (uint32_t i = 1; i < o.num_events; ++i)
        assert_true(o.events[i - 1].time <= o.events[i].time);
    // The earliest of both layers stayed.
    uint32_t num_waves = 0;
    for (uint32_t i = 0; i < o.num_events; ++i)
        num_waves += o.events[i].name.value == ct_string_id32_of("hi").value;
    assert_true(num_waves > 20);
    assert_true(o.events[o.num_events - 1].time < 200);
    const float before = time_in(t.m, 0);
    static const float nothing[] = {0, -1, NAN, -INFINITY};
    for (uint32_t i = 0; i < CT_COUNT_OF(nothing); ++i) {
        o = ct_state_machine_update(t.m, nothing[i]);
        assert_int_equal(o.num_events, 0);
        assert_true(time_in(t.m, 0) == before);
        assert_true(o.root_delta.position[1] == 0);
    }
    o = ct_state_machine_update(t.m, INFINITY);
    assert_weights(&o);
    assert_true(isfinite(o.root_delta.position[0]));
    machine_case_free(&t);
    machine_case_start(&t, ONE_CLIP("walk", ""), clips, CT_COUNT_OF(clips));
    o = ct_state_machine_update(t.m, 86400);
    assert_int_equal(o.num_events + o.num_dropped_events, 3 * 86400 + 1);
    machine_case_free(&t);
}

static void is_the_same_in_the_same_bits(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, restless, clips, CT_COUNT_OF(clips));
    ct_state_machine *const other = machine_case_another(&t);
    ct_random r = ct_random_seeded(3, 1);
    uint32_t saved[512];
    for (uint32_t i = 0; i < 500; ++i) {
        const float dt = ct_random_float(&r) * 0.2f;
        const ct_state_machine_output a = ct_state_machine_update(t.m, dt);
        if (i % 50 == 7) { // the other goes on from a saved state
            const uint32_t count = ct_state_machine_get_state(t.m, saved, CT_COUNT_OF(saved));
            ct_error error = {0};
            assert_true(count <= CT_COUNT_OF(saved));
            assert_true(ct_state_machine_set_state(other, saved, count, &error));
        } else {
            ct_state_machine_update(other, dt);
        }
        const ct_state_machine_output b = ct_state_machine_current(other);
        assert_int_equal(a.num_samples, b.num_samples);
        for (uint32_t k = 0; k < a.num_samples; ++k) {
            assert_int_equal(a.samples[k].clip, b.samples[k].clip);
            assert_memory_equal(&a.samples[k].time, &b.samples[k].time, sizeof(float));
            assert_memory_equal(&a.samples[k].weight, &b.samples[k].weight, sizeof(float));
        }
        if (i % 50 != 7) {
            assert_memory_equal(&a.root_delta, &b.root_delta, sizeof(a.root_delta));
            assert_int_equal(a.num_events, b.num_events);
        }
    }
    ct_state_machine_destroy(other);
    machine_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step_equals_many),
        cmocka_unit_test(root_of_one_clip_is_exact),
        cmocka_unit_test(walks_where_the_keys_say),
        cmocka_unit_test(events_on_the_ends_of_steps_come_once),
        cmocka_unit_test(takes_an_hour_a_day_and_nonsense),
        cmocka_unit_test(is_the_same_in_the_same_bits),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
