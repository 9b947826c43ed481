#include "resource/types/sound_event_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"

// A sound event, of which the tests damage one member after the other.
typedef struct event {
    ct_blob_writer w;
    ct_sound_event_resource *e;
} event;

static event make(void) {
    event t;
    write_sound_event(&t.w);
    assert_accepted(ct_sound_event_validate, t.w.bytes.items);
    t.e = (ct_sound_event_resource *)(void *)t.w.bytes.items;
    return t;
}

// Sets a member, expects the message, and puts the member back.
#define REFUSE(t, member, bad, message)                                                            \
    do {                                                                                           \
        const __typeof__(member) good = (member);                                                  \
        (member) = (bad);                                                                          \
        assert_refused(ct_sound_event_validate, (t)->e, (message));                                \
        (member) = good;                                                                           \
        assert_accepted(ct_sound_event_validate, (t)->e);                                          \
    } while (0)

static ct_sound_node *node_at(const event *t, uint32_t i) {
    return ITEM(ct_sound_node, t->e, t->e->nodes, i);
}

static void refuses_numbers_out_of_range(void **state) {
    (void)state;
    event t = make();
    ct_sound_event_resource *const e = t.e;
    REFUSE(&t, e->priority, 256, "found priority 256");
    REFUSE(&t, e->limit, CT_SOUND_EVENT_MAX_INSTANCES + 1, "limit 1025");
    REFUSE(&t, e->steal, CT_SOUND_STEAL_COUNT, "steal 4");
    REFUSE(&t, e->cooldown, -1, "cooldown -1");
    REFUSE(&t, e->fade_in, NAN, "fade_in");
    REFUSE(&t, e->fade_out, 1e6f, "fade_out 1e+06");
    REFUSE(&t, e->first_beat, INFINITY, "first_beat inf");
    REFUSE(&t, e->tempo, 0.5f, "found tempo 0.5");
    REFUSE(&t, e->beats, 0, "beats 0");
    REFUSE(&t, e->num_slots, 257, "num_slots: found 257");
    ct_blob_writer_free(&t.w);
}

static void refuses_places_out_of_range(void **state) {
    (void)state;
    event t = make();
    ct_sound_spatial *const s = &t.e->spatial;
    REFUSE(&t, s->is_spatial, 2, "spatial.is_spatial: found 2");
    REFUSE(&t, s->attenuation, CT_SOUND_ATTENUATION_COUNT, "spatial: found attenuation 3");
    REFUSE(&t, s->least_distance, 0, "from 0 to 50");
    REFUSE(&t, s->least_distance, 50, "from 50 to 50");
    REFUSE(&t, s->most_distance, INFINITY, "from 1 to inf");
    REFUSE(&t, s->rolloff, NAN, "rolloff");
    REFUSE(&t, s->cone_outer, 80, "a cone of 90 to 80 degrees");
    REFUSE(&t, s->cone_inner, -1, "a cone of -1");
    REFUSE(&t, s->cone_volume, 60, "volume 60");
    REFUSE(&t, s->spread_near, 2, "spread 2");
    REFUSE(&t, s->spread_far, -1, "to -1, doppler");
    REFUSE(&t, s->doppler, NAN, "doppler");
    REFUSE(&t, s->occlusion_volume, -100, "occlusion of volume -100");
    REFUSE(&t, s->occlusion_low_pass, 0, "low_pass 0");
    REFUSE(&t, s->occlusion_radius, NAN, "radius");
    s->is_spatial = 0; // then they have no meaning
    s->most_distance = 0;
    assert_accepted(ct_sound_event_validate, t.e);
    ct_blob_writer_free(&t.w);
}

static void refuses_nodes_that_are_no_tree(void **state) {
    (void)state;
    event t = make();
    REFUSE(&t, t.e->nodes, (ct_blob_array){0}, "nodes: found 0, expected 1 to 256");
    REFUSE(&t, node_at(&t, 0)->next, 3, "nodes[0].next: found 3");
    REFUSE(&t, node_at(&t, 3)->next, 2, "nodes[1]: found the child 2");
    REFUSE(&t, node_at(&t, 3)->next, 4, "nodes[1]: found the child 4");
    REFUSE(&t, node_at(&t, 1)->first_child, 1, "nodes[1]: found the child 1");
    REFUSE(&t, node_at(&t, 1)->first_child, 77, "nodes[1]: found the child 77");
    REFUSE(&t, node_at(&t, 1)->next, 8, "nodes[0].num_children: found 5, but 4 are linked");
    REFUSE(&t, node_at(&t, 1)->num_children, 3, "nodes[1].num_children: found 3, but 2 are linked");
    // A node that nothing leads to.
    REFUSE(&t, t.e->nodes.count, 15, "nodes[14]: found the child 15");
    ct_sound_node *const chain = node_at(&t, 8);
    chain->num_children = 1;
    node_at(&t, 9)->next = CT_SOUND_NO_NODE;
    assert_refused(ct_sound_event_validate, t.e, "nodes[10] has no parent");
    ct_blob_writer_free(&t.w);
}

static void refuses_nodes_that_are_too_deep(void **state) {
    (void)state;
    event t = make();
    // A chain of layers, each in the one before.
    for (uint32_t i = 0; i < 9; ++i) {
        ct_sound_node *const n = node_at(&t, i);
        n->kind = CT_SOUND_NODE_LAYERS;
        n->first_child = i + 1;
        n->num_children = 1;
        n->next = CT_SOUND_NO_NODE;
        n->num_cases = n->num_curves = 0;
    }
    assert_refused(ct_sound_event_validate, t.e, "nodes[7]: found children, expected a depth of 8");
    ct_blob_writer_free(&t.w);
}

static void refuses_nodes_out_of_range(void **state) {
    (void)state;
    event t = make();
    REFUSE(&t, node_at(&t, 2)->kind, CT_SOUND_NODE_COUNT, "nodes[2]: found kind 7");
    REFUSE(&t, node_at(&t, 2)->kind, CT_SOUND_NODE_LAYERS, "nodes[2]: found 0 children");
    REFUSE(&t, node_at(&t, 0)->kind, CT_SOUND_NODE_SOUND, "nodes[0]: found 5 children");
    REFUSE(&t, node_at(&t, 2)->flags, 4, "flags 4");
    REFUSE(&t, node_at(&t, 2)->weight, 0, "nodes[2]: found weight 0");
    REFUSE(&t, node_at(&t, 2)->weight, NAN, "nodes[2]: found weight");
    REFUSE(&t, node_at(&t, 2)->repeats, 0, "repeats 0");
    REFUSE(&t, node_at(&t, 2)->fade, -1, "fade -1");
    REFUSE(&t, node_at(&t, 2)->delay, NAN, "delay");
    REFUSE(&t, node_at(&t, 2)->num_values, 3, "nodes[2]: found values 0 + 3 of 2");
    REFUSE(&t, node_at(&t, 2)->sound.value, 0, "nodes[2].sound is missing");
    REFUSE(&t, node_at(&t, 2)->num_curves, 33, "nodes[2]: found curves 0 + 33");
    REFUSE(&t, node_at(&t, 2)->first_curve, UINT32_MAX, "nodes[2]: found curves 4294967295 + 2");
    REFUSE(&t, node_at(&t, 1)->num_curves, 1, "nodes[1].num_curves: found 1");
    REFUSE(&t, node_at(&t, 1)->slot, 2, "nodes[1].slot: found 2 of 2");
    REFUSE(&t, node_at(&t, 14)->slot, 0, "nodes[14].slot: found 0 of 2, or a second time");
    REFUSE(&t, node_at(&t, 1)->avoid, 2, "nodes[1].avoid: found 2, with 2 children");
    REFUSE(&t, node_at(&t, 4)->parameter.value, 0, "nodes[4].parameter is missing");
    REFUSE(&t, node_at(&t, 4)->num_cases, 2, "nodes[4]: found cases 0 + 2 of 3, for 3 children");
    REFUSE(&t, node_at(&t, 4)->first_case, 1, "nodes[4]: found cases 1 + 3 of 3");
    REFUSE(&t, node_at(&t, 8)->num_cases, 1, "nodes[8].num_cases: found 1");
    ct_blob_writer_free(&t.w);
}

static void refuses_tables_out_of_range(void **state) {
    (void)state;
    event t = make();
    ct_sound_event_resource *const e = t.e;
    ct_sound_case *const cases = ITEM(ct_sound_case, e, e->cases, 0);
    ct_sound_value *const values = ITEM(ct_sound_value, e, e->values, 0);
    ct_sound_curve *const curves = ITEM(ct_sound_curve, e, e->curves, 0);
    ct_sound_point *const points = ITEM(ct_sound_point, e, e->points, 0);
    ct_sound_marker *const markers = ITEM(ct_sound_marker, e, e->markers, 0);
    ct_sound_parameter_info *const infos = ITEM(ct_sound_parameter_info, e, e->parameters, 0);
    REFUSE(&t, *ITEM(uint32_t, e, e->leaf_curves, 1), 2, "leaf_curves[1]: found 2 of 2");
    REFUSE(&t, cases[0].kind, CT_SOUND_CASE_COUNT, "cases[0]: unknown kind 3");
    REFUSE(&t, cases[1].high, 3, "cases[1]: found 3 to 3");
    REFUSE(&t, cases[1].low, NAN, "cases[1]: found");
    REFUSE(&t, values[0].target, CT_SOUND_TARGET_COUNT, "values[0]: unknown target 5");
    REFUSE(&t, values[0].low, 25, "values[0]: found 25 to -3");
    REFUSE(&t, values[1].low, 2, "values[1]: found 2 to 1");
    REFUSE(&t, values[1].high, 49, "values[1]: found -1 to 49");
    REFUSE(&t, curves[0].target, CT_SOUND_TARGET_COUNT, "curves[0]: found target 5");
    REFUSE(&t, curves[0].shape, CT_SOUND_SHAPE_COUNT, "shape 3");
    REFUSE(&t, curves[0].missing, NAN, "curves[0]: its parameter is missing");
    REFUSE(&t, curves[0].parameter.value, 0, "curves[0]: its parameter is missing");
    REFUSE(&t, curves[0].num_points, 0, "curves[0]: found points 0 + 0 of 3");
    REFUSE(&t, curves[1].num_points, 2, "curves[1]: found points 2 + 2 of 3");
    REFUSE(&t, points[1].x, 0, "curves[0]: x of its point 1 does not rise");
    REFUSE(&t, points[0].x, NAN, "curves[0]: x of its point 0");
    REFUSE(&t, points[0].y, 5, "curves[0]: found the y 5 in its point 0");
    REFUSE(&t, points[2].y, 1.5f, "curves[1]: found the y 1.5 in its point 0");
    REFUSE(&t, infos[0].name.value, 5, "parameters[0].name: its id does not match its text");
    REFUSE(&t, infos[1], infos[0], "parameters[1].name: number 0 has it");
    REFUSE(&t, infos[0].kind, CT_SOUND_PARAMETER_COUNT, "parameters[0]: found kind 2");
    REFUSE(&t, infos[0].number, INFINITY, "number inf");
    REFUSE(&t, markers[1].seconds, 1, "markers[1].seconds: found 1, expected them by time");
    REFUSE(&t, markers[0].seconds, NAN, "markers[0].seconds");
    ct_blob_writer_free(&t.w);
}

static void names_what_the_engine_sets(void **state) {
    (void)state;
    static const char *const names[] = {"distance", "angle", "speed", "occlusion", "time"};
    for (uint32_t i = 0; i < CT_SOUND_BUILT_IN_COUNT; ++i) {
        assert_string_equal(ct_sound_built_in_names[i], names[i]);
        assert_int_equal(ct_sound_built_in_id(i).value, ct_string_id32_of(names[i]).value);
    }
    float least = 0, most = 0;
    assert_true(ct_sound_target_range(CT_SOUND_TARGET_LOW_PASS, &least, &most));
    assert_float_equal(least, CT_SOUND_LEAST_HZ, 0);
    assert_float_equal(most, CT_SOUND_OPEN_HZ, 0);
    assert_false(ct_sound_target_range(CT_SOUND_TARGET_COUNT, &least, &most));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_numbers_out_of_range),
        cmocka_unit_test(refuses_places_out_of_range),
        cmocka_unit_test(refuses_nodes_that_are_no_tree),
        cmocka_unit_test(refuses_nodes_that_are_too_deep),
        cmocka_unit_test(refuses_nodes_out_of_range),
        cmocka_unit_test(refuses_tables_out_of_range),
        cmocka_unit_test(names_what_the_engine_sets),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
