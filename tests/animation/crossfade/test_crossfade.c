#include "animation/crossfade/crossfade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/math/random.h"
#include "support/test_support.h"

// A clip of 1 second whose root walks 2 m forward and turns a quarter, with an event at its start,
// in its middle and at its end.
typedef struct walk_blob {
    ct_animation_resource clip;
    ct_animation_event events[3];
    ct_animation_root_key keys[2];
} walk_blob;

static walk_blob make_walk(void) {
    walk_blob b;
    memset(&b, 0, sizeof(b));
    b.clip.rate = 30;
    b.clip.num_frames = 30;
    b.clip.flags = CT_ANIMATION_LOOPS | CT_ANIMATION_HAS_ROOT;
    b.clip.events = (ct_blob_array){offsetof(walk_blob, events), 3};
    b.clip.root_keys = (ct_blob_array){offsetof(walk_blob, keys), 2};
    for (uint32_t i = 0; i < 3; ++i)
        b.events[i] = (ct_animation_event){.name = {i + 1}, .time = 0.5f * (float)i};
    b.keys[1] = (ct_animation_root_key){30, {0, 2, 0}, 1.5707964f};
    return b;
}

enum { WALK, OTHER };

static ct_crossfade_desc walk_on(uint32_t layer, float blend_time) {
    return (ct_crossfade_desc){
        .clip = WALK, .length = 1, .layer = layer, .blend_time = blend_time, .loops = true};
}

static float weight_in(const ct_state_machine_output *o, uint32_t layer) {
    float total = 0;
    for (uint32_t i = 0; i < o->num_samples; ++i)
        total += o->samples[i].layer == layer ? o->samples[i].weight : 0;
    return total;
}

// --- Weights -------------------------------------------------------------------------------------

static void fades_in_over_what_plays(void **state) {
    (void)state;
    const walk_blob walk = make_walk();
    const ct_animation_resource *const clips[2] = {&walk.clip, NULL};
    ct_crossfade *const c = ct_crossfade_create(test_heap());
    ct_crossfade_desc desc = walk_on(0, 0);
    ct_crossfade_start(c, &desc);
    ct_state_machine_output o = ct_crossfade_update(c, 0.25f, clips);
    assert_int_equal(o.num_samples, 1);
    assert_true(o.samples[0].weight == 1 && o.samples[0].is_new && o.samples[0].time == 0.25f);
    assert_false(ct_crossfade_is_fading(c));
    desc = (ct_crossfade_desc){.clip = OTHER, .length = 1, .blend_time = 0.5f};
    ct_crossfade_start(c, &desc);
    o = ct_crossfade_update(c, 0.25f, clips);
    assert_int_equal(o.num_samples, 2);
    assert_true(ct_crossfade_is_fading(c));
    for (uint32_t i = 0; i < 2; ++i)
        assert_true(fabsf(o.samples[i].weight - 0.5f) < 1e-6f);
    o = ct_crossfade_update(c, 0.25f, clips);
    assert_int_equal(o.num_samples, 1);
    assert_int_equal(o.samples[0].clip, OTHER);
    ct_crossfade_destroy(c);
}

static void an_empty_layer_fades_in_by_its_weight(void **state) {
    (void)state;
    const walk_blob walk = make_walk();
    const ct_animation_resource *const clips[1] = {&walk.clip};
    ct_crossfade *const c = ct_crossfade_create(test_heap());
    ct_crossfade_desc desc = walk_on(0, 0);
    ct_crossfade_start(c, &desc);
    desc = walk_on(2, 1);
    ct_crossfade_start(c, &desc);
    const ct_state_machine_output o = ct_crossfade_update(c, 0.25f, clips);
    assert_true(fabsf(o.layer_weights[2] - 0.25f) < 1e-6f && o.layer_weights[0] == 1);
    assert_true(weight_in(&o, 2) == 1);
    ct_crossfade_destroy(c);
}

static void weights_of_a_layer_add_up_to_one(void **state) {
    (void)state;
    const walk_blob walk = make_walk();
    const ct_animation_resource *const clips[1] = {&walk.clip};
    ct_crossfade *const c = ct_crossfade_create(test_heap());
    ct_random r = ct_random_seeded(1, 0);
    uint32_t num_checked = 0;
    for (uint32_t step = 0; step < 2000; ++step) {
        if (ct_random_below(&r, 3) == 0) {
            const ct_crossfade_desc desc = walk_on(ct_random_below(&r, 2), ct_random_float(&r));
            ct_crossfade_start(c, &desc);
        }
        const ct_state_machine_output o = ct_crossfade_update(c, ct_random_float(&r) / 10, clips);
        bool is_taken[CT_CROSSFADE_MAX_CLIPS] = {false};
        for (uint32_t i = 0; i < o.num_samples; ++i) {
            assert_false(is_taken[o.samples[i].player]);
            is_taken[o.samples[i].player] = true;
            assert_true(i == 0 || o.samples[i].layer >= o.samples[i - 1].layer);
        }
        for (uint32_t layer = 0; layer < 2; ++layer) {
            if (o.layer_weights[layer] > 0) {
                assert_true(fabsf(weight_in(&o, layer) - 1) < 1e-5f);
                ++num_checked;
            }
        }
    }
    assert_true(num_checked > 3000);
    ct_crossfade_destroy(c);
}

// --- Times ---------------------------------------------------------------------------------------

static void speeds_and_times_belong_to_an_id(void **state) {
    (void)state;
    const walk_blob walk = make_walk();
    const ct_animation_resource *const clips[1] = {&walk.clip};
    ct_crossfade *const c = ct_crossfade_create(test_heap());
    const ct_crossfade_desc desc = walk_on(0, 0);
    const uint32_t id = ct_crossfade_start(c, &desc);
    assert_true(ct_crossfade_set_time(c, id, 0.5f));
    assert_true(ct_crossfade_set_speed(c, id, -1));
    ct_state_machine_output o = ct_crossfade_update(c, 0.25f, clips);
    assert_true(o.samples[0].time == 0.25f);
    assert_true(o.root_delta.heading < 0);
    o = ct_crossfade_update(c, 0.5f, clips); // over the start
    assert_true(fabsf(o.samples[0].time - 0.75f) < 1e-6f);
    assert_false(ct_crossfade_set_speed(c, id + 1, 1));
    const uint32_t next = ct_crossfade_start(c, &desc);
    ct_crossfade_update(c, 0.1f, clips);
    assert_false(ct_crossfade_set_time(c, id, 0)); // it is covered
    assert_true(ct_crossfade_set_time(c, next, 0));
    ct_crossfade_destroy(c);
}

// The same seconds in any steps give the same place, and each event once.
static void steps_do_not_matter(void **state) {
    (void)state;
    const walk_blob walk = make_walk();
    const ct_animation_resource *const clips[1] = {&walk.clip};
    ct_random r = ct_random_seeded(2, 0);
    for (uint32_t round = 0; round < 200; ++round) {
        const uint32_t sixteenths = 1 + ct_random_below(&r, 160);
        const ct_crossfade_desc desc = walk_on(0, 0);
        uint32_t counts[2][4] = {{0}};
        ct_animation_root_pose at[2] = {{{0}, 0}, {{0}, 0}};
        for (uint32_t way = 0; way < 2; ++way) {
            ct_crossfade *const c = ct_crossfade_create(test_heap());
            ct_crossfade_start(c, &desc);
            for (uint32_t left = sixteenths, step; left; left -= step) {
                step = way == 0 ? left : 1 + ct_random_below(&r, left);
                const ct_state_machine_output o = ct_crossfade_update(c, (float)step / 16, clips);
                for (uint32_t i = 0; i < o.num_events; ++i) {
                    ++counts[way][o.events[i].name.value];
                    assert_true(i == 0 || o.events[i].time >= o.events[i - 1].time);
                }
                const float s = sinf(at[way].heading), k = cosf(at[way].heading);
                const float *const d = o.root_delta.position;
                at[way].position[0] += k * d[0] - s * d[1];
                at[way].position[1] += s * d[0] + k * d[1];
                at[way].heading += o.root_delta.heading;
            }
            ct_crossfade_destroy(c);
        }
        assert_memory_equal(counts[0], counts[1], sizeof(counts[0]));
        assert_true(fabsf(at[0].heading - at[1].heading) < 1e-4f);
        for (uint32_t i = 0; i < 2; ++i)
            assert_true(fabsf(at[0].position[i] - at[1].position[i]) < 1e-4f);
    }
}

// --- Events --------------------------------------------------------------------------------------

enum { START = 1, MIDDLE, END, ROUND_TICKS = 16, MAX_HEARD = 4096 };

// The names of events in the order in which they came.
typedef struct heard_events {
    uint32_t count, names[MAX_HEARD];
} heard_events;

static void hear(heard_events *h, uint32_t name) {
    assert_true(h->count < MAX_HEARD);
    h->names[h->count++] = name;
}

static void update_and_hear(ct_crossfade *c, float dt, const ct_animation_resource *const *clips,
                            heard_events *h) {
    const ct_state_machine_output o = ct_crossfade_update(c, dt, clips);
    assert_int_equal(o.num_dropped_events, 0);
    for (uint32_t i = 0; i < o.num_events; ++i) {
        assert_true(o.events[i].time >= 0 && o.events[i].time <= dt);
        assert_true(i == 0 || o.events[i].time >= o.events[i - 1].time);
        hear(h, o.events[i].name.value);
    }
}

// The model: a clip at a tick of its round goes by one tick. Passing from round to round, it is at
// both ends; forwards it has come to both when the tick ends, backwards to the start alone.
static void step_model(heard_events *h, uint32_t *tick, bool is_forward, bool loops) {
    if (is_forward && *tick < ROUND_TICKS) {
        ++*tick;
        if (*tick == ROUND_TICKS / 2)
            hear(h, MIDDLE);
        if (*tick == ROUND_TICKS)
            hear(h, END);
        if (*tick == ROUND_TICKS && loops) {
            hear(h, START);
            *tick = 0;
        }
    } else if (!is_forward && (*tick > 0 || loops)) {
        if (*tick == 0) {
            hear(h, END);
            *tick = ROUND_TICKS;
        }
        --*tick;
        if (*tick == ROUND_TICKS / 2)
            hear(h, MIDDLE);
        if (*tick == 0)
            hear(h, START);
    }
}

// Forwards, backwards and stopped, in any steps: the model goes tick by tick.
static void events_come_once_in_both_directions(void **state) {
    (void)state;
    static const int32_t ticks_per_16th[] = {-4, -2, -1, 0, 1, 2, 4};
    const walk_blob walk = make_walk();
    const ct_animation_resource *const clips[1] = {&walk.clip};
    ct_random r = ct_random_seeded(3, 0);
    uint32_t num_heard = 0;
    for (uint32_t round = 0; round < 300; ++round) {
        heard_events heard = {.count = 0}, wanted = {.count = 0};
        ct_crossfade *const c = ct_crossfade_create(test_heap());
        ct_crossfade_desc desc = walk_on(0, 0);
        desc.loops = round % 3 > 0;
        const uint32_t id = ct_crossfade_start(c, &desc);
        uint32_t tick = 0;
        bool is_fresh = true;
        for (uint32_t change = 0; change < 8; ++change) {
            const int32_t speed = ticks_per_16th[ct_random_below(&r, CT_COUNT_OF(ticks_per_16th))];
            ct_crossfade_set_speed(c, id, (float)speed);
            for (uint32_t left = ct_random_below(&r, 40), step; left; left -= step) {
                step = 1 + ct_random_below(&r, left);
                if (is_fresh && speed)
                    hear(&wanted, START);
                is_fresh &= speed == 0;
                for (uint32_t i = 0; i < step * (uint32_t)abs(speed); ++i)
                    step_model(&wanted, &tick, speed > 0, desc.loops);
                update_and_hear(c, (float)step / ROUND_TICKS, clips, &heard);
            }
        }
        assert_int_equal(heard.count, wanted.count);
        assert_memory_equal(heard.names, wanted.names, wanted.count * sizeof(*wanted.names));
        num_heard += heard.count;
        ct_crossfade_destroy(c);
    }
    assert_true(num_heard > 5000);
}

// Steps and speeds that are no round numbers: none is left out, and none comes twice.
static void events_come_in_turn_at_any_speed(void **state) {
    (void)state;
    const walk_blob walk = make_walk();
    const ct_animation_resource *const clips[1] = {&walk.clip};
    ct_random r = ct_random_seeded(4, 0);
    for (uint32_t round = 0; round < 200; ++round) {
        const bool is_forward = round % 2 > 0;
        heard_events heard = {.count = 0};
        ct_crossfade *const c = ct_crossfade_create(test_heap());
        const ct_crossfade_desc desc = walk_on(0, 0);
        const uint32_t id = ct_crossfade_start(c, &desc);
        ct_crossfade_set_time(c, id, is_forward ? 0 : 1);
        double passed = 0;
        for (uint32_t k = 0; k < 100; ++k) {
            const float speed = 0.01f + 3 * ct_random_float(&r), dt = ct_random_float(&r);
            ct_crossfade_set_speed(c, id, is_forward ? speed : -speed);
            update_and_hear(c, dt, clips, &heard);
            passed += (double)dt * (double)speed;
        }
        for (uint32_t i = 0; i < heard.count; ++i)
            assert_int_equal(heard.names[i], is_forward ? START + i % 3 : END - i % 3);
        assert_true(fabs(passed * 3 - heard.count) < 3);
        assert_true(heard.count > 100);
        ct_crossfade_destroy(c);
    }
}

static void only_the_newest_clip_of_a_layer_gives_events(void **state) {
    (void)state;
    const walk_blob walk = make_walk();
    const ct_animation_resource *const clips[1] = {&walk.clip};
    heard_events heard = {.count = 0};
    ct_crossfade *const c = ct_crossfade_create(test_heap());
    ct_crossfade_desc desc = walk_on(0, 0);
    const uint32_t old = ct_crossfade_start(c, &desc);
    update_and_hear(c, 0.25f, clips, &heard);
    desc = walk_on(0, 10);
    ct_crossfade_start(c, &desc);
    desc = walk_on(1, 0);
    ct_crossfade_set_time(c, ct_crossfade_start(c, &desc), 0.75f);
    update_and_hear(c, 0.3125f, clips, &heard); // the old one passes its middle
    assert_true(ct_crossfade_set_speed(c, old, 1));
    assert_int_equal(heard.count, 4);
    // The one on the other layer passes the end of its round.
    const uint32_t wanted[] = {START, START, END, START};
    assert_memory_equal(heard.names, wanted, sizeof(wanted));
    ct_crossfade_destroy(c);
}

// As with a state machine, the earliest events of all clips stay.
static void the_last_events_are_dropped(void **state) {
    (void)state;
    const walk_blob walk = make_walk();
    const ct_animation_resource *const clips[1] = {&walk.clip};
    ct_crossfade *const c = ct_crossfade_create(test_heap());
    for (uint32_t layer = 0; layer < 2; ++layer) {
        const ct_crossfade_desc desc = walk_on(layer, 0);
        ct_crossfade_set_speed(c, ct_crossfade_start(c, &desc), layer ? -1 : 1);
    }
    const ct_state_machine_output o = ct_crossfade_update(c, 100, clips);
    assert_int_equal(o.num_events, CT_STATE_MACHINE_MAX_EVENTS);
    assert_int_equal(o.num_events + o.num_dropped_events, 301 + 301);
    assert_true(o.events[o.num_events - 1].time < 43); // six events a second
    ct_crossfade_destroy(c);
}

static void a_day_at_once_is_a_day(void **state) {
    (void)state;
    const walk_blob walk = make_walk();
    const ct_animation_resource *const clips[1] = {&walk.clip};
    ct_crossfade *const c = ct_crossfade_create(test_heap());
    const ct_crossfade_desc desc = walk_on(0, 0);
    ct_crossfade_start(c, &desc);
    // 86,400 rounds of a quarter turn each: where it began.
    const ct_state_machine_output o = ct_crossfade_update(c, 86400, clips);
    assert_int_equal(o.num_events, CT_STATE_MACHINE_MAX_EVENTS);
    assert_true(o.num_dropped_events > 3 * 86000);
    assert_true(fabsf(o.root_delta.position[0]) < 0.1f && fabsf(o.root_delta.position[1]) < 0.1f);
    assert_true(o.samples[0].time >= 0 && o.samples[0].time <= 1);
    ct_crossfade_set_speed(c, 1, 1e6f);
    assert_true(ct_crossfade_update(c, 1e6f, clips).num_dropped_events == UINT32_MAX);
    ct_crossfade_update(c, NAN, clips);
    ct_crossfade_update(c, -1, clips);
    ct_crossfade_destroy(c);
}

// A clip that is loaded again loops at its new length.
static void a_saved_clip_has_its_new_length(void **state) {
    (void)state;
    walk_blob walk = make_walk();
    const ct_animation_resource *const clips[1] = {&walk.clip};
    ct_crossfade *const c = ct_crossfade_create(test_heap());
    const ct_crossfade_desc desc = walk_on(0, 0);
    ct_crossfade_start(c, &desc);
    assert_true(ct_crossfade_update(c, 0.75f, clips).samples[0].time == 0.75f);
    walk.clip.num_frames = walk.keys[1].frame = 15;
    walk.clip.events.count = 2;
    for (uint32_t i = 0; i < 10; ++i)
        assert_true(ct_crossfade_update(c, 0.2f, clips).samples[0].time <= 0.5f);
    ct_crossfade_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fades_in_over_what_plays),
        cmocka_unit_test(an_empty_layer_fades_in_by_its_weight),
        cmocka_unit_test(weights_of_a_layer_add_up_to_one),
        cmocka_unit_test(speeds_and_times_belong_to_an_id),
        cmocka_unit_test(steps_do_not_matter),
        cmocka_unit_test(events_come_once_in_both_directions),
        cmocka_unit_test(events_come_in_turn_at_any_speed),
        cmocka_unit_test(only_the_newest_clip_of_a_layer_gives_events),
        cmocka_unit_test(the_last_events_are_dropped),
        cmocka_unit_test(a_day_at_once_is_a_day),
        cmocka_unit_test(a_saved_clip_has_its_new_length),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
