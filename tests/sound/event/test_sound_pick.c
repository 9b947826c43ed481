#include "sound/event/sound_pick.h"

#include <math.h>

#include "foundation/error.h"
#include "sound/event_fixture.h"
#include "support/test_support.h"

#define NO_PICK UINT32_MAX
enum { MAX = CT_SOUND_EVENT_MAX_LAYERS };

// An event that is played again and again.
typedef struct player {
    ct_sound_event_resource *event;
    ct_sound_parameters parameters;
    ct_sound_scope scope;
    ct_random random;
    ct_sound_slot slots[8];
    ct_sound_pick picks[MAX];
} player;

static player *play_event(event_fixture *f) {
    player *const p = CT_NEW(test_heap(), player);
    p->event = event_fixture_end(f);
    ct_sound_parameters_init(&p->parameters, test_heap());
    p->scope.parameters = &p->parameters;
    p->random = ct_random_seeded(3, 1);
    for (uint32_t i = 0; i < CT_COUNT_OF(p->slots); ++i)
        p->slots[i] = CT_SOUND_SLOT_EMPTY;
    return p;
}

static void end(player *p) {
    ct_sound_parameters_free(&p->parameters);
    free(p->event);
    ct_free(test_heap(), p);
}

static uint32_t pick_below(player *p, uint32_t node) {
    return ct_sound_pick_leaves(p->event, node, &p->scope, p->slots, &p->random, p->picks);
}

static uint32_t pick(player *p) {
    return pick_below(p, 0);
}

static void set_number(player *p, const char *key, float number) {
    ct_sound_parameter_set_value(&p->parameters, &p->scope.instance, ct_string_id32_of(key),
                                 (ct_sound_parameter_value){.number = number});
}

static void set_text(player *p, const char *key, const char *text) {
    ct_sound_parameter_set_value(&p->parameters, &p->scope.instance, ct_string_id32_of(key),
                                 (ct_sound_parameter_value){.text = ct_string_id32_of(text)});
}

// A root of this kind with sounds as children, which are nodes 1 to `count`.
static event_fixture *with_sounds(ct_sound_node_kind kind, uint32_t count) {
    event_fixture *const f = event_fixture_begin("sounds/a");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, kind);
    for (uint32_t i = 0; i < count; ++i)
        event_fixture_sound(f, root, "sounds/b");
    return f;
}

// What event_fixture.h makes is what the compiler could make.
static void plays_valid_events(void **state) {
    (void)state;
    const ct_sound_point points[] = {{0, -40}, {10, 0}};
    event_fixture *const f = event_fixture_begin("sounds/a");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_LAYERS);
    const uint32_t random = event_fixture_node(f, root, CT_SOUND_NODE_RANDOM);
    event_fixture_sound(f, random, "sounds/b");
    event_fixture_value(f, event_fixture_sound(f, random, "sounds/c"), CT_SOUND_TARGET_PITCH, -1,
                        1);
    const uint32_t material = event_fixture_switch(f, root, "material");
    event_fixture_case_text(f, material, "wood");
    event_fixture_case_number(f, material, 0, 1);
    event_fixture_case_else(f, material);
    for (uint32_t i = 0; i < 3; ++i)
        event_fixture_sound(f, material, "sounds/d");
    event_fixture_curve(f, root, CT_SOUND_TARGET_VOLUME, "force", 0, points, 2);
    event_fixture_parameter_number(f, "force", 1);
    event_fixture_parameter_text(f, "material", "wood");
    event_fixture_spatial(f, 1, 50);
    event_fixture_marker(f, 1, "thunder", NULL);
    event_fixture_marker(f, 2, "rain", "sounds/rain");
    player *const p = play_event(f);
    ct_error error = {0};
    assert_true(ct_sound_event_validate(p->event, &error));
    assert_string_equal(error.message, "");
    assert_int_equal(pick(p), 2);
    end(p);
}

static void picks_a_single_sound(void **state) {
    (void)state;
    event_fixture *const f = event_fixture_begin("sounds/a");
    event_fixture_sound(f, CT_SOUND_NO_NODE, "sounds/b");
    player *const p = play_event(f);
    assert_int_equal(pick(p), 1);
    const ct_sound_pick *const only = &p->picks[0];
    assert_int_equal(only->node, 0);
    assert_int_equal(only->after, NO_PICK);
    assert_int_equal(only->repeats, 1);
    assert_int_equal(only->follows, CT_SOUND_NO_NODE);
    assert_float_equal(only->delay, 0, 0);
    assert_float_equal(only->levels.gain, 1, 0);
    end(p);
}

// --- Random --------------------------------------------------------------------------------------

static void avoids_the_last_ones(void **state) {
    (void)state;
    for (uint32_t avoid = 0; avoid <= 4; ++avoid) {
        event_fixture *const f = with_sounds(CT_SOUND_NODE_RANDOM, 6);
        event_fixture_node_at(f, 0)->avoid = avoid;
        player *const p = play_event(f);
        uint32_t last[5] = {0}, num_repeated = 0;
        for (uint32_t i = 0; i < 2000; ++i) {
            assert_int_equal(pick(p), 1);
            for (uint32_t age = 0; age < avoid; ++age)
                assert_int_not_equal(p->picks[0].node, last[age]);
            num_repeated += p->picks[0].node == last[avoid];
            for (uint32_t age = 4; age > 0; --age)
                last[age] = last[age - 1];
            last[0] = p->picks[0].node;
        }
        assert_true(num_repeated > 200); // the one before those may come
        end(p);
    }
}

static void takes_turns_when_it_avoids_all_others(void **state) {
    (void)state;
    event_fixture *const f = with_sounds(CT_SOUND_NODE_RANDOM, 3);
    event_fixture_node_at(f, 0)->avoid = 200;
    player *const p = play_event(f);
    uint32_t turn[3] = {0};
    for (uint32_t i = 0; i < 300; ++i) {
        assert_int_equal(pick(p), 1);
        if (i >= 3)
            assert_int_equal(p->picks[0].node, turn[i % 3]);
        turn[i % 3] = p->picks[0].node;
    }
    assert_int_equal(turn[0] + turn[1] + turn[2], 1 + 2 + 3);
    end(p);
}

// Pearson's test: the sum over the children is above 16.27 by chance once in 1,000 seeds, for three
// degrees of freedom.
static void picks_by_weight(void **state) {
    (void)state;
    enum { NUM_CHILDREN = 5, NUM_PICKS = 10000 };
    static const float weights[NUM_CHILDREN] = {1, 2, 0, 4, 0.5f};
    event_fixture *const f = with_sounds(CT_SOUND_NODE_RANDOM, NUM_CHILDREN);
    for (uint32_t i = 0; i < NUM_CHILDREN; ++i)
        event_fixture_node_at(f, 1 + i)->weight = weights[i];
    player *const p = play_event(f);
    uint32_t counts[NUM_CHILDREN] = {0};
    for (uint32_t i = 0; i < NUM_PICKS; ++i) {
        assert_int_equal(pick(p), 1);
        ++counts[p->picks[0].node - 1];
    }
    double sum = 0;
    for (uint32_t i = 0; i < NUM_CHILDREN; ++i)
        if (weights[i] > 0) {
            const double expected = NUM_PICKS * (double)weights[i] / 7.5;
            sum += (counts[i] - expected) * (counts[i] - expected) / expected;
        }
    assert_int_equal(counts[2], 0);
    assert_true(sum < 16.27);
    end(p);
}

static void plays_nothing_when_nothing_has_a_weight(void **state) {
    (void)state;
    event_fixture *const f = with_sounds(CT_SOUND_NODE_RANDOM, 2);
    event_fixture_node_at(f, 1)->weight = event_fixture_node_at(f, 2)->weight = 0;
    player *const p = play_event(f);
    assert_int_equal(pick(p), 0);
    end(p);
}

static void gives_the_same_for_the_same_seed(void **state) {
    (void)state;
    event_fixture *const f = with_sounds(CT_SOUND_NODE_RANDOM, 5);
    event_fixture_node_at(f, 0)->avoid = 1;
    event_fixture_value(f, 0, CT_SOUND_TARGET_PITCH, -1, 1);
    player *const p = play_event(f);
    uint32_t nodes[50];
    float pitches[50];
    for (uint32_t run = 0; run < 2; ++run) {
        p->random = ct_random_seeded(77, 1);
        p->slots[0] = CT_SOUND_SLOT_EMPTY;
        for (uint32_t i = 0; i < 50; ++i) {
            pick(p);
            if (run == 1) {
                assert_int_equal(p->picks[0].node, nodes[i]);
                assert_float_equal(p->picks[0].levels.pitch, pitches[i], 0);
            }
            nodes[i] = p->picks[0].node;
            pitches[i] = p->picks[0].levels.pitch;
        }
    }
    end(p);
}

// --- Sequences and chains ------------------------------------------------------------------------

static void plays_the_next_of_a_sequence_at_each_start(void **state) {
    (void)state;
    player *const p = play_event(with_sounds(CT_SOUND_NODE_SEQUENCE, 3));
    for (uint32_t i = 0; i < 10; ++i) {
        assert_int_equal(pick(p), 1);
        assert_int_equal(p->picks[0].node, 1 + i % 3);
    }
    p->slots[0] = 200; // of an event that had more children before it was loaded again
    p->picks[0].node = 0;
    assert_int_equal(pick(p), 1);
    assert_int_equal(p->picks[0].node, 1);
    end(p);
}

static void plays_a_chain_one_after_the_other(void **state) {
    (void)state;
    event_fixture *const f = with_sounds(CT_SOUND_NODE_CHAIN, 3);
    event_fixture_node_at(f, 0)->delay = 0.25f;
    event_fixture_node_at(f, 1)->delay = 0.5f;
    event_fixture_node_at(f, 2)->delay = 0.75f;
    event_fixture_node_at(f, 2)->repeats = 4;
    event_fixture_node_at(f, 3)->flags = CT_SOUND_NODE_LOOPS;
    player *const p = play_event(f);
    assert_int_equal(pick(p), 3);
    static const uint32_t after[] = {NO_PICK, 0, 1}, repeats[] = {1, 4, 0};
    static const float delays[] = {0.75f, 0.75f, 0};
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(p->picks[i].node, i + 1);
        assert_int_equal(p->picks[i].after, after[i]);
        assert_int_equal(p->picks[i].repeats, repeats[i]);
        assert_float_equal(p->picks[i].delay, delays[i], 0);
    }
    end(p);
}

static void leaves_out_what_follows_an_endless_sound(void **state) {
    (void)state;
    event_fixture *const f = with_sounds(CT_SOUND_NODE_CHAIN, 4);
    event_fixture_node_at(f, 2)->flags = CT_SOUND_NODE_LOOPS;
    player *const p = play_event(f);
    assert_int_equal(pick(p), 2);
    end(p);
}

static void picks_a_random_child_of_a_chain_each_time_it_repeats(void **state) {
    (void)state;
    event_fixture *const f = event_fixture_begin("sounds/a");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_CHAIN);
    const uint32_t random = event_fixture_node(f, root, CT_SOUND_NODE_RANDOM);
    event_fixture_node_at(f, random)->repeats = 4;
    event_fixture_node_at(f, random)->avoid = 3;
    for (uint32_t i = 0; i < 4; ++i)
        event_fixture_sound(f, random, "sounds/b");
    player *const p = play_event(f);
    assert_int_equal(pick(p), 4);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        seen |= 1u << p->picks[i].node;
        assert_int_equal(p->picks[i].after, i == 0 ? NO_PICK : i - 1);
    }
    assert_int_equal(seen, 1u << 2 | 1u << 3 | 1u << 4 | 1u << 5);
    end(p);
}

// A chain of a chain, of layers, and of a sound: what follows layers waits for the first of them.
static void nests_chains_and_layers(void **state) {
    (void)state;
    event_fixture *const f = event_fixture_begin("sounds/a");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_CHAIN);
    const uint32_t inner = event_fixture_node(f, root, CT_SOUND_NODE_CHAIN);
    event_fixture_sound(f, inner, "sounds/0");
    event_fixture_sound(f, inner, "sounds/1");
    const uint32_t layers = event_fixture_node(f, root, CT_SOUND_NODE_LAYERS);
    event_fixture_sound(f, layers, "sounds/2");
    event_fixture_sound(f, layers, "sounds/3");
    event_fixture_sound(f, root, "sounds/4");
    player *const p = play_event(f);
    assert_int_equal(pick(p), 5);
    static const uint32_t after[] = {NO_PICK, 0, 1, 1, 2};
    for (uint32_t i = 0; i < 5; ++i)
        assert_int_equal(p->picks[i].after, after[i]);
    end(p);
}

static void skips_children_of_a_chain_that_play_nothing(void **state) {
    (void)state;
    event_fixture *const f = event_fixture_begin("sounds/a");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_CHAIN);
    event_fixture_sound(f, root, "sounds/0");
    const uint32_t nothing = event_fixture_switch(f, root, "material");
    event_fixture_case_text(f, nothing, "wood");
    event_fixture_node_at(f, nothing)->repeats = UINT32_MAX;
    event_fixture_sound(f, nothing, "sounds/1");
    const uint32_t last = event_fixture_sound(f, root, "sounds/2");
    player *const p = play_event(f);
    assert_int_equal(pick(p), 2);
    assert_int_equal(p->picks[1].node, last);
    assert_int_equal(p->picks[1].after, 0);
    end(p);
}

// --- Layers --------------------------------------------------------------------------------------

static void plays_all_layers_and_no_more_than_can_be(void **state) {
    (void)state;
    for (uint32_t count = 1; count <= MAX + 3; ++count)
        for (uint32_t kind = CT_SOUND_NODE_LAYERS; kind <= CT_SOUND_NODE_BLEND; ++kind) {
            player *const p = play_event(with_sounds(kind, count));
            const uint32_t expected = count < MAX ? count : MAX;
            assert_int_equal(pick(p), expected);
            for (uint32_t i = 0; i < expected; ++i) {
                assert_int_equal(p->picks[i].node, i + 1);
                assert_int_equal(p->picks[i].after, NO_PICK);
            }
            end(p);
        }
}

static void holds_endless_repeats_to_what_can_be(void **state) {
    (void)state;
    event_fixture *const f = event_fixture_begin("sounds/a");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_CHAIN);
    const uint32_t random = event_fixture_node(f, root, CT_SOUND_NODE_RANDOM);
    event_fixture_node_at(f, random)->repeats = UINT32_MAX;
    event_fixture_sound(f, random, "sounds/b");
    player *const p = play_event(f);
    assert_int_equal(pick(p), MAX);
    end(p);
}

static void stops_at_the_depth_that_can_be(void **state) {
    (void)state;
    for (uint32_t depth = 1; depth <= CT_SOUND_EVENT_MAX_DEPTH + 2; ++depth) {
        event_fixture *const f = event_fixture_begin("sounds/a");
        uint32_t node = CT_SOUND_NO_NODE;
        for (uint32_t i = 1; i < depth; ++i)
            node = event_fixture_node(f, node, CT_SOUND_NODE_LAYERS);
        event_fixture_sound(f, node, "sounds/b");
        player *const p = play_event(f);
        assert_int_equal(pick(p), depth <= CT_SOUND_EVENT_MAX_DEPTH);
        end(p);
    }
}

// --- Values --------------------------------------------------------------------------------------

static void combines_the_values_of_the_path(void **state) {
    (void)state;
    event_fixture *const f = event_fixture_begin("sounds/a");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_LAYERS);
    const uint32_t first = event_fixture_sound(f, root, "sounds/b");
    event_fixture_sound(f, root, "sounds/c");
    event_fixture_value(f, root, CT_SOUND_TARGET_VOLUME, -3, -3);
    event_fixture_value(f, root, CT_SOUND_TARGET_LOW_PASS, 5000, 5000);
    event_fixture_value(f, first, CT_SOUND_TARGET_VOLUME, -6, -6);
    event_fixture_value(f, first, CT_SOUND_TARGET_LOW_PASS, 9000, 9000);
    event_fixture_value(f, first, CT_SOUND_TARGET_SEND, -12, -12);
    event_fixture_node_at(f, root)->delay = 1;
    event_fixture_node_at(f, first)->delay = 2;
    player *const p = play_event(f);
    assert_int_equal(pick(p), 2);
    assert_float_equal(p->picks[0].levels.volume, -9, 1e-6);
    assert_float_equal(p->picks[0].levels.low_pass, 5000, 0);
    assert_float_equal(p->picks[0].levels.send, -12, 0);
    assert_float_equal(p->picks[0].delay, 3, 0);
    assert_float_equal(p->picks[1].levels.volume, -3, 0);
    assert_float_equal(p->picks[1].levels.send, CT_SOUND_SILENCE_DB, 0);
    assert_float_equal(p->picks[1].delay, 1, 0);
    end(p);
}

static void takes_numbers_evenly_from_ranges(void **state) {
    (void)state;
    event_fixture *const f = with_sounds(CT_SOUND_NODE_LAYERS, 1);
    event_fixture_value(f, 1, CT_SOUND_TARGET_PITCH, -2, 6);
    player *const p = play_event(f);
    uint32_t counts[8] = {0};
    for (uint32_t i = 0; i < 8000; ++i) {
        pick(p);
        const float pitch = p->picks[0].levels.pitch;
        assert_true(pitch >= -2 && pitch <= 6);
        ++counts[pitch < 6 ? (uint32_t)(pitch + 2) : 7];
    }
    for (uint32_t i = 0; i < 8; ++i)
        assert_true(counts[i] > 850 && counts[i] < 1150); // 5 standard deviations
    end(p);
}

// --- Switches ------------------------------------------------------------------------------------

// Children 1 wood, 2 from 3 to 5, 3 from 5 to 9, 4 else.
static player *with_switch(bool has_else) {
    event_fixture *const f = event_fixture_begin("sounds/a");
    const uint32_t root = event_fixture_switch(f, CT_SOUND_NO_NODE, "material");
    event_fixture_case_text(f, root, "wood");
    event_fixture_case_number(f, root, 3, 5);
    event_fixture_case_number(f, root, 5, 9);
    if (has_else)
        event_fixture_case_else(f, root);
    for (uint32_t i = 0; i < (has_else ? 4 : 3); ++i)
        event_fixture_sound(f, root, "sounds/b");
    return play_event(f);
}

static void switches_by_texts_and_numbers(void **state) {
    (void)state;
    const struct {
        float number;
        uint32_t child;
    } rows[] = {{2.99f, 4}, {3, 2},   {4.99f, 2},    {5, 3},        {8.99f, 3},
                {9, 4},     {NAN, 4}, {INFINITY, 4}, {-INFINITY, 4}};
    player *const p = with_switch(true);
    assert_int_equal(ct_sound_switch_child(p->event, 0, &p->scope), 4); // it is not set
    set_text(p, "material", "wood");
    assert_int_equal(ct_sound_switch_child(p->event, 0, &p->scope), 1);
    set_text(p, "material", "metal");
    assert_int_equal(ct_sound_switch_child(p->event, 0, &p->scope), 4);
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        set_number(p, "material", rows[i].number);
        assert_int_equal(ct_sound_switch_child(p->event, 0, &p->scope), rows[i].child);
        assert_int_equal(pick(p), 1);
        assert_int_equal(p->picks[0].node, rows[i].child);
    }
    end(p);
}

static void plays_nothing_when_no_case_holds(void **state) {
    (void)state;
    player *const p = with_switch(false);
    assert_int_equal(ct_sound_switch_child(p->event, 0, &p->scope), CT_SOUND_NO_NODE);
    assert_int_equal(pick(p), 0);
    set_number(p, "material", 100);
    assert_int_equal(pick(p), 0);
    set_text(p, "material", "wood");
    assert_int_equal(pick(p), 1);
    end(p);
}

static void switches_by_the_declared_value_of_what_is_not_set(void **state) {
    (void)state;
    event_fixture *const f = event_fixture_begin("sounds/a");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_LAYERS);
    const uint32_t text = event_fixture_switch(f, root, "material");
    event_fixture_case_text(f, text, "wood");
    const uint32_t wood = event_fixture_sound(f, text, "sounds/b");
    const uint32_t number = event_fixture_switch(f, root, "force");
    event_fixture_case_number(f, number, 0, 1);
    event_fixture_case_number(f, number, 1, 2);
    event_fixture_sound(f, number, "sounds/c");
    const uint32_t strong = event_fixture_sound(f, number, "sounds/d");
    event_fixture_parameter_number(f, "force", 1.5f);
    event_fixture_parameter_text(f, "material", "wood");
    player *const p = play_event(f);
    assert_int_equal(pick(p), 2);
    assert_int_equal(p->picks[0].node, wood);
    assert_int_equal(p->picks[1].node, strong);
    set_text(p, "material", "metal");
    set_number(p, "force", 0.5f);
    assert_int_equal(pick(p), 1);
    assert_int_equal(p->picks[0].node, strong - 1);
    end(p);
}

static void switches_by_global_and_built_in_parameters(void **state) {
    (void)state;
    event_fixture *const f = event_fixture_begin("sounds/a");
    const uint32_t root = event_fixture_switch(f, CT_SOUND_NO_NODE, "distance");
    event_fixture_case_number(f, root, 0, 10);
    event_fixture_case_number(f, root, 10, 100);
    event_fixture_sound(f, root, "sounds/near");
    event_fixture_sound(f, root, "sounds/far");
    player *const p = play_event(f);
    p->scope.built_in[CT_SOUND_BUILT_IN_DISTANCE] = 20;
    assert_int_equal(ct_sound_switch_child(p->event, 0, &p->scope), 2);
    ct_sound_parameter_set_value(&p->parameters, &p->scope.global, ct_string_id32_of("distance"),
                                 (ct_sound_parameter_value){.number = 5});
    assert_int_equal(ct_sound_switch_child(p->event, 0, &p->scope), 1);
    end(p);
}

// What a SWITCH that follows changes to has the levels of its whole path, and no delays above it.
static void picks_again_below_a_switch(void **state) {
    (void)state;
    event_fixture *const f = event_fixture_begin("sounds/a");
    const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_LAYERS);
    event_fixture_value(f, root, CT_SOUND_TARGET_VOLUME, -3, -3);
    event_fixture_node_at(f, root)->delay = 1;
    const uint32_t outer = event_fixture_switch(f, root, "material");
    event_fixture_value(f, outer, CT_SOUND_TARGET_VOLUME, -2, -2);
    event_fixture_node_at(f, outer)->flags = CT_SOUND_NODE_FOLLOWS;
    event_fixture_case_else(f, outer);
    const uint32_t inner = event_fixture_switch(f, outer, "material");
    event_fixture_case_else(f, inner);
    const uint32_t sound = event_fixture_sound(f, inner, "sounds/b");
    event_fixture_value(f, sound, CT_SOUND_TARGET_VOLUME, -1, -1);
    event_fixture_node_at(f, sound)->delay = 0.5f;
    player *const p = play_event(f);
    assert_int_equal(pick(p), 1);
    assert_int_equal(p->picks[0].follows, outer);
    assert_float_equal(p->picks[0].delay, 1.5, 0);
    for (uint32_t from = outer; from <= sound; ++from) {
        assert_int_equal(pick_below(p, from), 1);
        assert_int_equal(p->picks[0].follows, outer);
        assert_float_equal(p->picks[0].levels.volume, -6, 1e-6);
        assert_float_equal(p->picks[0].delay, 0.5, 0);
    }
    end(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_valid_events),
        cmocka_unit_test(picks_a_single_sound),
        cmocka_unit_test(avoids_the_last_ones),
        cmocka_unit_test(takes_turns_when_it_avoids_all_others),
        cmocka_unit_test(picks_by_weight),
        cmocka_unit_test(plays_nothing_when_nothing_has_a_weight),
        cmocka_unit_test(gives_the_same_for_the_same_seed),
        cmocka_unit_test(plays_the_next_of_a_sequence_at_each_start),
        cmocka_unit_test(plays_a_chain_one_after_the_other),
        cmocka_unit_test(leaves_out_what_follows_an_endless_sound),
        cmocka_unit_test(picks_a_random_child_of_a_chain_each_time_it_repeats),
        cmocka_unit_test(nests_chains_and_layers),
        cmocka_unit_test(skips_children_of_a_chain_that_play_nothing),
        cmocka_unit_test(plays_all_layers_and_no_more_than_can_be),
        cmocka_unit_test(holds_endless_repeats_to_what_can_be),
        cmocka_unit_test(stops_at_the_depth_that_can_be),
        cmocka_unit_test(combines_the_values_of_the_path),
        cmocka_unit_test(takes_numbers_evenly_from_ranges),
        cmocka_unit_test(switches_by_texts_and_numbers),
        cmocka_unit_test(plays_nothing_when_no_case_holds),
        cmocka_unit_test(switches_by_the_declared_value_of_what_is_not_set),
        cmocka_unit_test(switches_by_global_and_built_in_parameters),
        cmocka_unit_test(picks_again_below_a_switch),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
