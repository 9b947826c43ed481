// sound_event_fixture.h: a small valid sound event with a node of every kind.
#pragma once
#include <string.h>

#include "resource/blob/blob_writer.h"
#include "resource/types/sound_event_resource.h"
#include "support/test_support.h"

#define SOUND_NONE CT_SOUND_NO_NODE

// The tree:
//   0 layers: 1 random (2 3), 4 switch (5 6 7), 8 chain (9 10), 11 blend (12 13), 14 sequence (15)
// Sounds 2 and 12 have curves of their own, and all have that of the root.
static inline void write_sound_event_nodes(ct_blob_writer *w, ct_sound_event_resource *e) {
    ct_sound_node nodes[16] = {
        {.kind = CT_SOUND_NODE_LAYERS, .next = SOUND_NONE, .first_child = 1, .num_children = 5},
        {.kind = CT_SOUND_NODE_RANDOM, .next = 4, .first_child = 2, .num_children = 2, .avoid = 1},
        {.next = 3},
        {.next = SOUND_NONE},
        {.kind = CT_SOUND_NODE_SWITCH,
         .flags = CT_SOUND_NODE_FOLLOWS,
         .next = 8,
         .first_child = 5,
         .num_children = 3,
         .num_cases = 3,
         .fade = 0.2f},
        {.next = 6},
        {.next = 7},
        {.next = SOUND_NONE},
        {.kind = CT_SOUND_NODE_CHAIN,
         .next = 11,
         .first_child = 9,
         .num_children = 2,
         .delay = 0.5f},
        {.next = 10},
        {.next = SOUND_NONE, .flags = CT_SOUND_NODE_LOOPS},
        {.kind = CT_SOUND_NODE_BLEND, .next = 14, .first_child = 12, .num_children = 2},
        {.next = 13},
        {.next = SOUND_NONE},
        {.kind = CT_SOUND_NODE_SEQUENCE,
         .next = SOUND_NONE,
         .first_child = 15,
         .num_children = 1,
         .slot = 1},
        {.next = SOUND_NONE},
    };
    uint32_t leaf_curves[32], count = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(nodes); ++i) {
        ct_sound_node *const n = &nodes[i];
        n->weight = 1;
        n->repeats = i == 9 ? 2 : 1;
        n->parameter = ct_string_id32_of("material");
        n->num_values = i == 2 ? 2 : 0;
        if (n->kind != CT_SOUND_NODE_SOUND)
            continue;
        n->first_child = SOUND_NONE;
        n->sound = (ct_string_id64){100 + i};
        n->first_curve = count;
        leaf_curves[count++] = 0;
        if (i == 2 || i == 12)
            leaf_curves[count++] = 1;
        n->num_curves = count - n->first_curve;
    }
    e->nodes = ct_blob_write_items(w, &ct_sound_node_layout, nodes, CT_COUNT_OF(nodes));
    e->leaf_curves = ct_blob_write_items(w, &ct_blob_u32_layout, leaf_curves, count);
    e->num_slots = 2;
}

static inline void write_sound_event_tables(ct_blob_writer *w, ct_sound_event_resource *e) {
    const ct_sound_case cases[] = {{CT_SOUND_CASE_TEXT, {77}, 0, 0},
                                   {CT_SOUND_CASE_NUMBER, {0}, 3, 5},
                                   {.kind = CT_SOUND_CASE_ELSE}};
    const ct_sound_value values[] = {{CT_SOUND_TARGET_VOLUME, -3, -3},
                                     {CT_SOUND_TARGET_PITCH, -1, 1}};
    const ct_sound_curve curves[] = {{.target = CT_SOUND_TARGET_LOW_PASS,
                                      .shape = CT_SOUND_SHAPE_SMOOTH,
                                      .parameter = ct_string_id32_of("force"),
                                      .missing = 0.5f,
                                      .num_points = 2},
                                     {.target = CT_SOUND_TARGET_GAIN,
                                      .parameter = ct_sound_built_in_id(CT_SOUND_BUILT_IN_DISTANCE),
                                      .first_point = 2,
                                      .num_points = 1}};
    const ct_sound_point points[] = {{0, 500}, {1, 22000}, {0, 1}};
    const ct_sound_marker markers[] = {{1.5f, ct_string_id32_of("thunder"), {0}}, {2, {0}, {200}}};
    ct_sound_parameter_info infos[] = {
        {.name = ct_string_id32_of("force"), .number = 0.5f},
        {.name = ct_string_id32_of("material"), .kind = CT_SOUND_PARAMETER_TEXT, .text = {77}}};
    e->cases = ct_blob_write_items(w, &ct_sound_case_layout, cases, CT_COUNT_OF(cases));
    e->values = ct_blob_write_items(w, &ct_sound_value_layout, values, CT_COUNT_OF(values));
    e->curves = ct_blob_write_items(w, &ct_sound_curve_layout, curves, CT_COUNT_OF(curves));
    e->points = ct_blob_write_items(w, &ct_sound_point_layout, points, CT_COUNT_OF(points));
    e->parameters = ct_blob_reserve_items(w, &ct_sound_parameter_info_layout, 2);
    infos[0].name_text = ct_blob_write_string(w, "force", 5);
    infos[1].name_text = ct_blob_write_string(w, "material", 8);
    ct_blob_fill_items(w, &ct_sound_parameter_info_layout, e->parameters, infos);
    e->markers = ct_blob_write_items(w, &ct_sound_marker_layout, markers, CT_COUNT_OF(markers));
}

static inline void write_sound_event(ct_blob_writer *w) {
    ct_sound_event_resource e = {
        .name = ct_string_id64_of("sounds/all"),
        .bus = ct_string_id32_of("effects"),
        .priority = 200,
        .limit = 4,
        .steal = CT_SOUND_STEAL_QUIETEST,
        .cooldown = 0.05f,
        .fade_in = 0.1f,
        .fade_out = 0.2f,
        .tempo = 120,
        .beats = 4,
        .first_beat = 0.5f,
        .spatial = {.is_spatial = 1,
                    .least_distance = 1,
                    .most_distance = 50,
                    .rolloff = 1,
                    .cone_inner = 90,
                    .cone_outer = 180,
                    .cone_volume = -12,
                    .spread_far = 0.3f,
                    .doppler = 1,
                    .occlusion_volume = -12,
                    .occlusion_low_pass = 800,
                    .occlusion_radius = 0.3f},
    };
    ct_blob_writer_init(w, test_heap(), CT_BYTE_ORDER_LITTLE, "sound_event",
                        CT_SOUND_EVENT_VERSION);
    ct_blob_begin(w, &ct_sound_event_layout);
    write_sound_event_nodes(w, &e);
    write_sound_event_tables(w, &e);
    ct_blob_end(w, &ct_sound_event_layout, &e);
    ct_blob_writer_finish(w);
}
