// Blend spaces, trees, layers, fades and players.
#include "animation/machine/compiled/machine_case.h"

#include <math.h>

#include "foundation/log.h"
#include "foundation/math/random.h"
#include "foundation/memory/allocator.h"

static const test_clip clips[] = {
    {.name = "a", .length = 1, .events = {{"step", 0.5f}}},
    {.name = "b", .length = 2, .events = {{"step", 1}}},
    {.name = "c", .length = 0.5f, .events = {{"step", 0.25f}}},
    {.name = "d", .length = 4},
    {.name = "once", .length = 1, .does_not_loop = true},
};

#define STATES(text)                                                                               \
    "skeleton = \"s\" variables = [ { name = \"x\" } { name = \"y\" } ]\n"                         \
    "layers = [ { name = \"base\" start = \"first\" states = [\n" text

// The weight of a clip in the output.
static float weight_of(const machine_case *t, const char *name) {
    const ct_state_machine_output o = ct_state_machine_current(t->m);
    const ct_resource_id *const ids = ct_blob_at(t->resource, t->resource->clips.offset);
    float sum = 0;
    for (uint32_t i = 0; i < o.num_samples; ++i) {
        if (ids[o.samples[i].clip].name.value == ct_string_id64_of(name).value)
            sum += o.samples[i].weight;
    }
    return sum;
}

static void update_at(machine_case *t, float x, float y) {
    set(t->m, "x", x);
    set(t->m, "y", y);
    const ct_state_machine_output o = ct_state_machine_update(t->m, 0.01f);
    assert_weights(&o);
}

static void blends_along_a_line(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t,
                       STATES("{ type = \"blend_1d\" name = \"first\" x = \"x\" points = [\n"
                              "{ animation = \"b\" value = 3 } { animation = \"a\" value = 1 }\n"
                              "{ animation = \"c\" value = 4 } ] } ] } ]"),
                       clips, CT_COUNT_OF(clips));
    static const float rows[][4] = {
        {0, 1, 0, 0}, {1, 1, 0, 0}, {1.5f, 0.75f, 0.25f, 0}, {3, 0, 1, 0}, {3.25f, 0, 0.75f, 0.25f},
        {4, 0, 0, 1}, {99, 0, 0, 1}};
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        update_at(&t, rows[i][0], 0);
        assert_close((double)weight_of(&t, "a"), (double)rows[i][1], 1e-6);
        assert_close((double)weight_of(&t, "b"), (double)rows[i][2], 1e-6);
        assert_close((double)weight_of(&t, "c"), (double)rows[i][3], 1e-6);
    }
    machine_case_free(&t);
}

// All clips of a space have one phase, at the speed of their blended length.
static void keeps_clips_of_a_space_in_step(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t,
                       STATES("{ type = \"blend_1d\" name = \"first\" x = \"x\" points = [\n"
                              "{ animation = \"a\" value = 0 } { animation = \"b\" value = 1 } ] } "
                              "] } ]"),
                       clips, CT_COUNT_OF(clips));
    set(t.m, "x", 0.5f);
    const ct_state_machine_output o = ct_state_machine_update(t.m, 0.6f);
    assert_int_equal(o.num_samples, 2);
    assert_close((double)o.samples[0].time, 0.4, 1e-6); // of 1.5 seconds a round
    assert_close((double)o.samples[1].time, 0.8, 1e-6);
    // The heavier gives its events, once.
    uint32_t num_steps = 0;
    set(t.m, "x", 0.4f);
    for (uint32_t i = 0; i < 1400; ++i)
        num_steps += ct_state_machine_update(t.m, 0.01f).num_events;
    assert_int_equal(num_steps, 10);
    machine_case_free(&t);
}

static const char square[] =
    STATES("{ type = \"blend_2d\" name = \"first\" x = \"x\" y = \"y\" points = [\n"
           "{ animation = \"a\" x = 0 y = 0 } { animation = \"b\" x = 2 y = 0 }\n"
           "{ animation = \"c\" x = 0 y = 2 } { animation = \"d\" x = 3 y = 3 } ] } ] } ]");

static void blends_in_a_plane(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, square, clips, CT_COUNT_OF(clips));
    static const float rows[][6] = {
        {0, 0, 1, 0, 0, 0},
        {2, 0, 0, 1, 0, 0},
        {0, 2, 0, 0, 1, 0},
        {3, 3, 0, 0, 0, 1},
        {0.5f, 0.5f, 0.5f, 0.25f, 0.25f, 0},
        {1, -5, 0.5f, 0.5f, 0, 0},
        {-3, -4, 1, 0, 0, 0},
        {9, 9, 0, 0, 0, 1},
        {-1, 1, 0.5f, 0, 0.5f, 0},
        {1, 1, 0, 0.5f, 0.5f, 0},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        update_at(&t, rows[i][0], rows[i][1]);
        assert_close((double)weight_of(&t, "a"), (double)rows[i][2], 1e-5);
        assert_close((double)weight_of(&t, "b"), (double)rows[i][3], 1e-5);
        assert_close((double)weight_of(&t, "c"), (double)rows[i][4], 1e-5);
        assert_close((double)weight_of(&t, "d"), (double)rows[i][5], 1e-5);
    }
    machine_case_free(&t);
}

// Across edges, over the hull, from inside to outside.
static void weights_in_a_plane_are_continuous(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, square, clips, CT_COUNT_OF(clips));
    static const char *const names[] = {"a", "b", "c", "d"};
    ct_random r = ct_random_seeded(9, 1);
    for (uint32_t walk = 0; walk < 20; ++walk) {
        const float x = ct_random_float(&r) * 8 - 3, y = ct_random_float(&r) * 8 - 3;
        const float dx = (ct_random_float(&r) - 0.5f) * 0.01f;
        const float dy = (ct_random_float(&r) - 0.5f) * 0.01f;
        float before[4];
        for (uint32_t i = 0; i < 600; ++i) {
            update_at(&t, x + dx * (float)i, y + dy * (float)i);
            for (uint32_t k = 0; k < 4; ++k) {
                const float weight = weight_of(&t, names[k]);
                if (i > 0)
                    assert_close((double)weight, (double)before[k], 0.012);
                before[k] = weight;
            }
        }
    }
    machine_case_free(&t);
}

static void multiplies_weights_of_trees(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(
        &t,
        STATES("{ type = \"tree\" name = \"first\" root = \"l\" nodes = [\n"
               "{ type = \"clip\" name = \"na\" animation = \"a\" }\n"
               "{ type = \"clip\" name = \"nb\" animation = \"b\" sync = false speed = 2 }\n"
               "{ type = \"clip\" name = \"nc\" animation = \"c\" }\n"
               "{ type = \"select\" name = \"s\" by = \"y\" children = [ { node = \"nb\" }\n"
               "  { node = \"nc\" } ] }\n"
               "{ type = \"lerp\" name = \"l\" a = \"na\" b = \"s\" by = \"x\" } ] } ] } ]"),
        clips, CT_COUNT_OF(clips));
    update_at(&t, 0.25f, 0);
    assert_close((double)weight_of(&t, "a"), 0.75, 1e-6);
    assert_close((double)weight_of(&t, "b"), 0.25, 1e-6);
    update_at(&t, 5, 1.9f);
    assert_close((double)weight_of(&t, "c"), 1, 1e-6);
    update_at(&t, 0.5f, -3);
    assert_close((double)weight_of(&t, "b"), 0.5, 1e-6);
    // Its own time: 2 seconds at double speed are a second a round.
    ct_state_machine *const other = machine_case_another(&t);
    set(other, "x", 0.5f);
    const ct_state_machine_output o = ct_state_machine_update(other, 0.3f);
    for (uint32_t i = 0; i < o.num_samples; ++i)
        assert_close((double)o.samples[i].time, o.samples[i].clip == 0 ? 0.3 : 0.6, 1e-6);
    ct_state_machine_destroy(other);
    machine_case_free(&t);
}

static const char fading[] =
    STATES("{ type = \"clip\" name = \"first\" animation = \"a\" }\n"
           "{ type = \"clip\" name = \"b\" animation = \"b\" }\n"
           "{ type = \"clip\" name = \"c\" animation = \"c\" }\n"
           "{ type = \"clip\" name = \"d\" animation = \"d\" } ] transitions = [\n"
           "{ from = \"any\" to = \"first\" event = \"a\" duration = 1 }\n"
           "{ from = \"any\" to = \"b\" event = \"b\" duration = 1 curve = \"smooth\" }\n"
           "{ from = \"any\" to = \"c\" event = \"c\" duration = 0.5 sync = true }\n"
           "{ from = \"any\" to = \"d\" event = \"d\" duration = 1 interruptible = false }\n"
           "{ from = \"any\" to = \"c\" event = \"cut\" duration = 0 } ] } ]");

static void fades_by_curves(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, fading, clips, CT_COUNT_OF(clips));
    send(t.m, "b");
    ct_state_machine_update(t.m, 0.25f);
    assert_close((double)weight_of(&t, "b"), 0.15625, 1e-6); // 3 x² - 2 x³
    send(t.m, "a");                                          // over both
    ct_state_machine_update(t.m, 0.25f);
    assert_close((double)weight_of(&t, "b"), 0.75 * 0.5, 1e-6);
    assert_close((double)weight_of(&t, "a"), 0.25 + 0.75 * 0.5, 1e-6);
    send(t.m, "cut");
    ct_state_machine_update(t.m, 0);
    assert_true(weight_of(&t, "c") == 1);
    machine_case_free(&t);
}

static void ignores_events_in_fades_that_are_not_interruptible(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, fading, clips, CT_COUNT_OF(clips));
    send(t.m, "d");
    ct_state_machine_update(t.m, 0.5f);
    assert_true(send(t.m, "b"));
    assert_true(is_in(t.m, 0, "d"));
    ct_state_machine_update(t.m, 0.5f);
    assert_true(send(t.m, "b"));
    assert_true(is_in(t.m, 0, "b"));
    machine_case_free(&t);
}

// A fade of no time is over at once, also between updates.
static void a_cut_leaves_nothing_behind(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(
        &t,
        STATES("{ type = \"clip\" name = \"first\" animation = \"a\" }\n"
               "{ type = \"clip\" name = \"b\" animation = \"b\" } ] transitions = [\n"
               "{ from = \"first\" to = \"b\" event = \"e\" duration = 0 interruptible = false }\n"
               "{ from = \"b\" to = \"first\" event = \"e\" duration = 0 } ] } ]"),
        clips, CT_COUNT_OF(clips));
    for (uint32_t i = 0; i < 10; ++i)
        send(t.m, "e");
    assert_true(is_in(t.m, 0, "first"));
    machine_case_free(&t);
}

// A state that is entered past the exit time waits for the next round.
static void exit_times_come_in_every_round(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(
        &t,
        STATES("{ type = \"clip\" name = \"first\" animation = \"a\" }\n"
               "{ type = \"clip\" name = \"b\" animation = \"a\" } ] transitions = [\n"
               "{ from = \"first\" to = \"b\" event = \"e\" offset = 0.75 duration = 0 }\n"
               "{ from = \"b\" to = \"first\" condition = \"x\" exit_time = 0.5 duration = 0 } ] } "
               "]"),
        clips, CT_COUNT_OF(clips));
    set(t.m, "x", 1);
    send(t.m, "e");
    ct_state_machine_update(t.m, 0.7f); // phase 1.45
    assert_true(is_in(t.m, 0, "b"));
    ct_state_machine_update(t.m, 0.1f);
    assert_true(is_in(t.m, 0, "first"));
    assert_close((double)time_in(t.m, 0), 0.05, 1e-6);
    // A condition that becomes true after the exit waits for the next, too.
    set(t.m, "x", 0);
    send(t.m, "e");
    ct_state_machine_update(t.m, 0.9f); // phase 1.65
    set(t.m, "x", 1);
    ct_state_machine_update(t.m, 0.8f);
    assert_true(is_in(t.m, 0, "b"));
    ct_state_machine_update(t.m, 0.1f);
    assert_true(is_in(t.m, 0, "first"));
    machine_case_free(&t);
}

static void carries_the_phase_over(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, fading, clips, CT_COUNT_OF(clips));
    ct_state_machine_update(t.m, 0.4f);
    send(t.m, "c");
    ct_state_machine_output o = ct_state_machine_update(t.m, 0);
    assert_int_equal(o.num_samples, 1); // the new one has no weight yet
    o = ct_state_machine_update(t.m, 0.1f);
    assert_int_equal(o.num_samples, 2);
    // Both at 0.6 of their rounds: the old one has the tempo of the new.
    assert_close((double)o.samples[0].time, 0.6, 1e-6);
    assert_close((double)o.samples[1].time, 0.3, 1e-6);
    machine_case_free(&t);
}

// However often fades are interrupted: weights add up, change smoothly, and few states play.
static void survives_interruptions(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, fading, clips, CT_COUNT_OF(clips));
    static const char *const events[] = {"a", "b", "c"};
    static const char *const names[] = {"a", "b", "c"};
    ct_random r = ct_random_seeded(4, 1);
    float before[3] = {1, 0, 0};
    uint32_t most = 0;
    for (uint32_t i = 0; i < 20000; ++i) {
        if (ct_random_below(&r, i < 10000 ? 40 : 8) == 0)
            send(t.m, events[ct_random_below(&r, 3)]);
        const ct_state_machine_output o = ct_state_machine_update(t.m, 0.002f);
        assert_weights(&o);
        most = o.num_samples > most ? o.num_samples : most;
        assert_true(o.num_samples <= 8);
        for (uint32_t k = 0; k < 3; ++k) {
            const float weight = weight_of(&t, names[k]);
            if (i < 10000) // an interruption every 80 ms: what is dropped has its time
                assert_close((double)weight, (double)before[k], 0.05);
            before[k] = weight;
        }
    }
    assert_true(most >= 5);
    machine_case_free(&t);
}

static void players_stay_with_their_clips(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, fading, clips, CT_COUNT_OF(clips));
    static const char *const events[] = {"a", "b", "c", "d", "cut"};
    ct_random r = ct_random_seeded(8, 1);
    struct {
        bool is_used;
        uint32_t clip;
    } players[CT_STATE_MACHINE_MAX_SAMPLES] = {{false, 0}};
    for (uint32_t i = 0; i < 5000; ++i) {
        if (ct_random_below(&r, 5) == 0)
            send(t.m, events[ct_random_below(&r, 5)]);
        const ct_state_machine_output o = ct_state_machine_update(t.m, 0.03f);
        bool is_used[CT_STATE_MACHINE_MAX_SAMPLES] = {false};
        for (uint32_t k = 0; k < o.num_samples; ++k) {
            const ct_state_machine_sample *const s = &o.samples[k];
            assert_true(s->player < CT_STATE_MACHINE_MAX_SAMPLES);
            assert_false(is_used[s->player]);
            is_used[s->player] = true;
            if (!s->is_new)
                assert_true(players[s->player].is_used && players[s->player].clip == s->clip);
            players[s->player].clip = s->clip;
        }
        for (uint32_t k = 0; k < CT_STATE_MACHINE_MAX_SAMPLES; ++k)
            players[k].is_used = is_used[k];
    }
    machine_case_free(&t);
}

static const char layers[] =
    "skeleton = \"s\" variables = [ { name = \"w\" default = 0.5 } ]\n"
    "masks = [ { name = \"arm\" joints = [ { joint = \"arm\" } ] } ]\n"
    "layers = [ { name = \"base\" start = \"a\" states = [\n"
    "  { type = \"clip\" name = \"a\" animation = \"a\" } ] }\n"
    "{ name = \"arm\" mask = \"arm\" weight = \"w\" start = \"\" states = [\n"
    "  { type = \"clip\" name = \"once\" animation = \"once\" }\n"
    "  { type = \"clip\" name = \"b\" animation = \"b\" } ] transitions = [\n"
    "  { from = \"\" to = \"once\" event = \"go\" duration = 0.5 }\n"
    "  { from = \"once\" to = \"b\" event = \"later\" exit_time = 0.9 duration = 0 }\n"
    "  { from = \"b\" to = \"\" event = \"stop\" duration = 0.5 } ] } ]\n";

static void layers_fade_in_from_nothing(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, layers, clips, CT_COUNT_OF(clips));
    ct_state_machine_output o = ct_state_machine_update(t.m, 0.1f);
    assert_int_equal(o.num_samples, 1);
    assert_true(o.layer_weights[0] == 1 && o.layer_weights[1] == 0);
    send(t.m, "go");
    o = ct_state_machine_update(t.m, 0.25f);
    assert_int_equal(o.num_samples, 2);
    assert_weights(&o);
    assert_close((double)o.layer_weights[1], 0.25, 1e-6); // half of a half
    assert_true(o.samples[1].layer == 1 && o.samples[1].weight == 1);
    set(t.m, "w", 7);
    o = ct_state_machine_update(t.m, 0.5f);
    assert_true(o.layer_weights[1] == 1);
    machine_case_free(&t);
}

static void events_wait_for_exit_times(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, layers, clips, CT_COUNT_OF(clips));
    send(t.m, "go");
    ct_state_machine_update(t.m, 0.3f);
    assert_true(send(t.m, "later"));
    ct_state_machine_update(t.m, 0.5f);
    assert_true(is_in(t.m, 1, "once"));
    ct_state_machine_update(t.m, 0.3f);
    assert_true(is_in(t.m, 1, "b"));
    assert_close((double)time_in(t.m, 1), 0.2, 1e-5);
    // At once when the time has passed.
    ct_state_machine *const other = machine_case_another(&t);
    send(other, "go");
    ct_state_machine_update(other, 5);
    assert_true(is_in(other, 1, "once"));
    send(other, "later");
    ct_state_machine_update(other, 0);
    assert_true(is_in(other, 1, "b"));
    ct_state_machine_destroy(other);
    machine_case_free(&t);
}

static void stops_cycles_without_time(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(
        &t,
        STATES("{ type = \"clip\" name = \"first\" animation = \"a\" }\n"
               "{ type = \"clip\" name = \"b\" animation = \"d\" enter_event = \"in\" } ]\n"
               "transitions = [\n"
               "{ from = \"first\" to = \"b\" condition = \"x > 0\" duration = 0 }\n"
               "{ from = \"b\" to = \"first\" condition = \"x > 0\" duration = 0.1 } ] } ]"),
        clips, CT_COUNT_OF(clips));
    const uint64_t before = ct_log_warning_count("state_machine_cycle");
    uint32_t num_entered = 0;
    set(t.m, "x", 1);
    for (uint32_t i = 0; i < 100; ++i) {
        const ct_state_machine_output o = ct_state_machine_update(t.m, 0.1f);
        assert_weights(&o);
        for (uint32_t k = 0; k < o.num_events; ++k)
            num_entered += o.events[k].name.value == ct_string_id32_of("in").value;
        assert_int_equal(o.num_dropped_events, 0);
    }
    assert_int_equal(num_entered, 16); // half of 32
    assert_int_equal(ct_log_warning_count("state_machine_cycle"), before + 1);
    // It goes on when something changes.
    set(t.m, "x", 0);
    ct_state_machine_update(t.m, 0.5f);
    machine_case_free(&t);
}

static void priorities_decide(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(
        &t,
        STATES("{ type = \"clip\" name = \"first\" animation = \"a\" }\n"
               "{ type = \"clip\" name = \"b\" animation = \"b\" }\n"
               "{ type = \"clip\" name = \"c\" animation = \"c\" } ] transitions = [\n"
               "{ from = \"any\" to = \"b\" event = \"e\" }\n"
               "{ from = \"first\" to = \"c\" event = \"e\" }\n"
               "{ from = \"any\" to = \"first\" event = \"e\" priority = 1 condition = \"x\" } ] } "
               "]"),
        clips, CT_COUNT_OF(clips));
    send(t.m, "e");
    assert_true(is_in(t.m, 0, "c"));
    send(t.m, "e");
    assert_true(is_in(t.m, 0, "b"));
    set(t.m, "x", 1);
    send(t.m, "e");
    assert_true(is_in(t.m, 0, "first"));
    machine_case_free(&t);
}

static void variables_keep_to_their_range(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t,
                       "skeleton = \"s\" variables = [ { name = \"v\" default = 2 min = 1 max = 3 }"
                       " ] layers = [ { name = \"base\" start = \"\" states = [] } ]",
                       clips, CT_COUNT_OF(clips));
    const uint32_t v = ct_state_machine_find_variable(t.m, ct_string_id32_of("v"));
    assert_int_equal(ct_state_machine_find_variable(t.m, ct_string_id32_of("w")), UINT32_MAX);
    assert_true(ct_state_machine_variable(t.m, v) == 2);
    assert_true(ct_state_machine_set_variable(t.m, v, 99));
    assert_true(ct_state_machine_variable(t.m, v) == 3);
    assert_true(ct_state_machine_set_variable(t.m, v, -INFINITY));
    assert_true(ct_state_machine_variable(t.m, v) == 1);
    assert_false(ct_state_machine_set_variable(t.m, v, NAN));
    assert_true(ct_state_machine_variable(t.m, v) == 1);
    const ct_state_machine_output o = ct_state_machine_update(t.m, 1);
    assert_int_equal(o.num_samples, 0);
    machine_case_free(&t);
}

// A machine without its clips still goes through its states.
static void plays_without_clips(void **state) {
    (void)state;
    machine_case t;
    machine_case_compile(&t, fading, clips, CT_COUNT_OF(clips));
    const ct_animation_resource *const none[CASE_MAX_CLIPS] = {NULL};
    t.m = ct_state_machine_create(test_heap(), t.resource, none);
    send(t.m, "b");
    const ct_state_machine_output o = ct_state_machine_update(t.m, 0.75f);
    assert_weights(&o);
    assert_close((double)o.samples[0].time, 0.75, 1e-6);
    machine_case_free(&t);
}

static void allocates_only_when_created(void **state) {
    (void)state;
    machine_case t;
    machine_case_start(&t, fading, clips, CT_COUNT_OF(clips));
    const uint64_t before = ct_allocator_stats_of(test_heap()).total_blocks;
    for (uint32_t i = 0; i < 1000; ++i) {
        send(t.m, i % 3 == 0 ? "b" : "c");
        ct_state_machine_update(t.m, 0.03f);
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, before);
    machine_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blends_along_a_line),
        cmocka_unit_test(keeps_clips_of_a_space_in_step),
        cmocka_unit_test(blends_in_a_plane),
        cmocka_unit_test(weights_in_a_plane_are_continuous),
        cmocka_unit_test(multiplies_weights_of_trees),
        cmocka_unit_test(fades_by_curves),
        cmocka_unit_test(ignores_events_in_fades_that_are_not_interruptible),
        cmocka_unit_test(a_cut_leaves_nothing_behind),
        cmocka_unit_test(exit_times_come_in_every_round),
        cmocka_unit_test(carries_the_phase_over),
        cmocka_unit_test(survives_interruptions),
        cmocka_unit_test(players_stay_with_their_clips),
        cmocka_unit_test(layers_fade_in_from_nothing),
        cmocka_unit_test(events_wait_for_exit_times),
        cmocka_unit_test(stops_cycles_without_time),
        cmocka_unit_test(priorities_decide),
        cmocka_unit_test(variables_keep_to_their_range),
        cmocka_unit_test(plays_without_clips),
        cmocka_unit_test(allocates_only_when_created),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
