// event_fixture.h: makes blobs of sound events in memory, for tests and benchmarks.
//
//     event_fixture *f = event_fixture_begin("sounds/impact");
//     const uint32_t root = event_fixture_node(f, CT_SOUND_NO_NODE, CT_SOUND_NODE_RANDOM);
//     event_fixture_node_at(f, root)->avoid = 1;
//     event_fixture_sound(f, root, "sounds/wood_1");
//     const uint32_t second = event_fixture_sound(f, root, "sounds/wood_2");
//     event_fixture_value(f, second, CT_SOUND_TARGET_PITCH, -1, 1);
//     const ct_sound_point louder[] = {{0, -40}, {10, 0}};
//     event_fixture_curve(f, root, CT_SOUND_TARGET_VOLUME, "force", 0, louder, 2);
//     event_fixture_spatial(f, 1, 50);
//     ct_sound_event_resource *e = event_fixture_end(f); // free() it
//
// An event of a single sound: event_fixture_single("sounds/a", "sounds/wood_1").
#pragma once
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "resource/types/sound_event_resource.h"

enum { EVENT_FIXTURE_VALUES = 8, EVENT_FIXTURE_NAME_BYTES = 32, EVENT_FIXTURE_POINTS = 1024 };

// A node with what is its own.
typedef struct event_fixture_part {
    uint32_t parent; // CT_SOUND_NO_NODE: none
    uint32_t num_values;
    ct_sound_value values[EVENT_FIXTURE_VALUES];
    uint32_t num_cases; // of a SWITCH
    ct_sound_case cases[16];
} event_fixture_part;

typedef struct event_fixture {
    ct_sound_event_resource data; // without the arrays; change it as you like
    uint32_t num_nodes, num_curves, num_points, num_parameters, num_markers;
    ct_sound_node nodes[CT_SOUND_EVENT_MAX_NODES];
    event_fixture_part parts[CT_SOUND_EVENT_MAX_NODES];
    ct_sound_curve curves[CT_SOUND_EVENT_MAX_CURVES];
    uint32_t curve_nodes[CT_SOUND_EVENT_MAX_CURVES];
    ct_sound_point points[EVENT_FIXTURE_POINTS];
    ct_sound_parameter_info parameters[CT_SOUND_EVENT_MAX_PARAMETERS];
    char parameter_names[CT_SOUND_EVENT_MAX_PARAMETERS][EVENT_FIXTURE_NAME_BYTES];
    ct_sound_marker markers[CT_SOUND_EVENT_MAX_MARKERS];
} event_fixture;

// --- Nodes ---------------------------------------------------------------------------------------

// Starts an event of this resource name: on the root bus, not spatial, without limits and fades.
static inline event_fixture *event_fixture_begin(const char *name) {
    event_fixture *const f = calloc(1, sizeof(*f));
    assert(f);
    f->data = (ct_sound_event_resource){
        .header = {.magic = CT_BLOB_MAGIC,
                   .version = CT_SOUND_EVENT_VERSION,
                   .type = ct_string_id64_of("sound_event")},
        .name = ct_string_id64_of(name),
        .priority = 128,
        .spatial = {.least_distance = 1,
                    .most_distance = 100,
                    .rolloff = 1,
                    .cone_inner = 360,
                    .cone_outer = 360,
                    .occlusion_low_pass = CT_SOUND_OPEN_HZ},
    };
    return f;
}

// Returns a node, for the caller to change.
static inline ct_sound_node *event_fixture_node_at(event_fixture *f, uint32_t node) {
    return &f->nodes[node];
}

// Adds a node as the last child of `parent` (CT_SOUND_NO_NODE for the first node, the root) and
// returns its position. RANDOM and SEQUENCE nodes get a slot.
static inline uint32_t event_fixture_node(event_fixture *f, uint32_t parent,
                                          ct_sound_node_kind kind) {
    assert(f->num_nodes < CT_SOUND_EVENT_MAX_NODES);
    assert((parent == CT_SOUND_NO_NODE) == (f->num_nodes == 0));
    const uint32_t node = f->num_nodes++;
    const bool has_slot = kind == CT_SOUND_NODE_RANDOM || kind == CT_SOUND_NODE_SEQUENCE;
    f->nodes[node] = (ct_sound_node){.kind = kind,
                                     .next = CT_SOUND_NO_NODE,
                                     .first_child = CT_SOUND_NO_NODE,
                                     .slot = has_slot ? f->data.num_slots++ : 0,
                                     .weight = 1,
                                     .repeats = 1};
    f->parts[node].parent = parent;
    if (parent == CT_SOUND_NO_NODE)
        return node;
    uint32_t *link = &f->nodes[parent].first_child;
    while (*link != CT_SOUND_NO_NODE)
        link = &f->nodes[*link].next;
    *link = node;
    ++f->nodes[parent].num_children;
    return node;
}

// Adds a SOUND node.
static inline uint32_t event_fixture_sound(event_fixture *f, uint32_t parent, const char *sound) {
    const uint32_t node = event_fixture_node(f, parent, CT_SOUND_NODE_SOUND);
    f->nodes[node].sound = ct_string_id64_of(sound);
    return node;
}

// Makes a node a switch over a parameter; then adds its cases, one for each child, in their order.
static inline uint32_t event_fixture_switch(event_fixture *f, uint32_t parent,
                                            const char *parameter) {
    const uint32_t node = event_fixture_node(f, parent, CT_SOUND_NODE_SWITCH);
    f->nodes[node].parameter = ct_string_id32_of(parameter);
    return node;
}
static inline void event_fixture_case(event_fixture *f, uint32_t node, ct_sound_case added) {
    event_fixture_part *const part = &f->parts[node];
    assert(part->num_cases < CT_COUNT_OF(part->cases));
    part->cases[part->num_cases++] = added;
}
static inline void event_fixture_case_text(event_fixture *f, uint32_t node, const char *text) {
    event_fixture_case(
        f, node, (ct_sound_case){.kind = CT_SOUND_CASE_TEXT, .text = ct_string_id32_of(text)});
}
static inline void event_fixture_case_number(event_fixture *f, uint32_t node, float low,
                                             float high) {
    event_fixture_case(f, node,
                       (ct_sound_case){.kind = CT_SOUND_CASE_NUMBER, .low = low, .high = high});
}
static inline void event_fixture_case_else(event_fixture *f, uint32_t node) {
    event_fixture_case(f, node, (ct_sound_case){.kind = CT_SOUND_CASE_ELSE});
}

// --- Values and curves ---------------------------------------------------------------------------

// Adds a constant or a range to a node.
static inline void event_fixture_value(event_fixture *f, uint32_t node, ct_sound_target target,
                                       float low, float high) {
    event_fixture_part *const part = &f->parts[node];
    assert(part->num_values < EVENT_FIXTURE_VALUES);
    part->values[part->num_values++] = (ct_sound_value){.target = target, .low = low, .high = high};
}

// Adds a LINEAR curve to a node, and so to all leaves below it. Returns its position.
static inline uint32_t event_fixture_curve(event_fixture *f, uint32_t node, ct_sound_target target,
                                           const char *parameter, float missing,
                                           const ct_sound_point *points, uint32_t num_points) {
    assert(f->num_curves < CT_SOUND_EVENT_MAX_CURVES);
    assert(f->num_points + num_points <= EVENT_FIXTURE_POINTS);
    const uint32_t curve = f->num_curves++;
    f->curves[curve] = (ct_sound_curve){.target = target,
                                        .shape = CT_SOUND_SHAPE_LINEAR,
                                        .parameter = ct_string_id32_of(parameter),
                                        .missing = missing,
                                        .first_point = f->num_points,
                                        .num_points = num_points};
    f->curve_nodes[curve] = node;
    memcpy(f->points + f->num_points, points, num_points * sizeof(*points));
    f->num_points += num_points;
    return curve;
}

// Gives a curve another shape.
static inline void event_fixture_shape(event_fixture *f, uint32_t curve,
                                       ct_sound_curve_shape shape) {
    f->curves[curve].shape = shape;
}

// --- The event -----------------------------------------------------------------------------------

// Makes the event spatial, with inverse attenuation.
static inline ct_sound_spatial *event_fixture_spatial(event_fixture *f, float least_distance,
                                                      float most_distance) {
    f->data.spatial.is_spatial = 1;
    f->data.spatial.least_distance = least_distance;
    f->data.spatial.most_distance = most_distance;
    return &f->data.spatial;
}

// Declare a parameter.
static inline ct_sound_parameter_info *event_fixture_parameter(event_fixture *f, const char *name) {
    assert(f->num_parameters < CT_SOUND_EVENT_MAX_PARAMETERS);
    const uint32_t i = f->num_parameters++;
    strncpy(f->parameter_names[i], name, EVENT_FIXTURE_NAME_BYTES - 1);
    f->parameters[i].name = ct_string_id32_of(name);
    return &f->parameters[i];
}
static inline void event_fixture_parameter_number(event_fixture *f, const char *name,
                                                  float number) {
    event_fixture_parameter(f, name)->number = number;
}
static inline void event_fixture_parameter_text(event_fixture *f, const char *name,
                                                const char *text) {
    ct_sound_parameter_info *const info = event_fixture_parameter(f, name);
    info->kind = CT_SOUND_PARAMETER_TEXT;
    info->text = ct_string_id32_of(text);
}

// Adds a marker; `event` may be NULL. Add them by rising time.
static inline void event_fixture_marker(event_fixture *f, float seconds, const char *name,
                                        const char *event) {
    assert(f->num_markers < CT_SOUND_EVENT_MAX_MARKERS);
    f->markers[f->num_markers++] =
        (ct_sound_marker){.seconds = seconds,
                          .name = ct_string_id32_of(name),
                          .event = {event ? ct_string_id64_of(event).value : 0}};
}

// --- The blob ------------------------------------------------------------------------------------

// Whether `above` is `node` or above it.
static inline bool event_fixture_is_above(const event_fixture *f, uint32_t above, uint32_t node) {
    while (node != above && node != CT_SOUND_NO_NODE)
        node = f->parts[node].parent;
    return node == above;
}

// Appends items to an array of a blob that grows.
typedef struct event_fixture_blob {
    char *bytes;
    uint32_t size_bytes;
} event_fixture_blob;

static inline ct_blob_array event_fixture_append(event_fixture_blob *blob, const void *items,
                                                 uint32_t count, size_t item_bytes) {
    const ct_blob_array array = {.offset = count ? blob->size_bytes : 0, .count = count};
    if (count) {
        memcpy(blob->bytes + blob->size_bytes, items, count * item_bytes);
        blob->size_bytes += (uint32_t)(count * item_bytes + 7) & ~7u;
    }
    return array;
}

// Gives nodes their ranges in the arrays of values, cases and leaf curves.
static inline void event_fixture_arrays(event_fixture *f, event_fixture_blob *blob) {
    enum { MOST = CT_SOUND_EVENT_MAX_NODES };
    static ct_sound_value values[MOST * EVENT_FIXTURE_VALUES];
    static ct_sound_case cases[MOST * 16];
    static uint32_t leaf_curves[MOST * CT_SOUND_EVENT_MAX_LEAF_CURVES];
    uint32_t num_values = 0, num_cases = 0, num_leaf_curves = 0;
    for (uint32_t i = 0; i < f->num_nodes; ++i) {
        ct_sound_node *const n = &f->nodes[i];
        const event_fixture_part *const part = &f->parts[i];
        n->first_value = num_values;
        n->num_values = part->num_values;
        memcpy(values + num_values, part->values, part->num_values * sizeof(values[0]));
        num_values += part->num_values;
        n->first_case = num_cases;
        n->num_cases = part->num_cases;
        memcpy(cases + num_cases, part->cases, part->num_cases * sizeof(cases[0]));
        num_cases += part->num_cases;
        n->first_curve = num_leaf_curves;
        for (uint32_t c = 0; n->kind == CT_SOUND_NODE_SOUND && c < f->num_curves; ++c)
            if (event_fixture_is_above(f, f->curve_nodes[c], i)) {
                assert(n->num_curves < CT_SOUND_EVENT_MAX_LEAF_CURVES);
                ++n->num_curves;
                leaf_curves[num_leaf_curves++] = c;
            }
    }
    f->data.values = event_fixture_append(blob, values, num_values, sizeof(values[0]));
    f->data.cases = event_fixture_append(blob, cases, num_cases, sizeof(cases[0]));
    f->data.leaf_curves =
        event_fixture_append(blob, leaf_curves, num_leaf_curves, sizeof(leaf_curves[0]));
}

// Makes the blob and frees the fixture. Give the blob to free(). Its checksum is not set.
static inline ct_sound_event_resource *event_fixture_end(event_fixture *f) {
    enum { ROOM = 1 << 19 };
    event_fixture_blob blob = {aligned_alloc(CT_BLOB_ALIGN, ROOM), sizeof(f->data)};
    assert(blob.bytes && f->num_nodes > 0);
    memset(blob.bytes, 0, ROOM);
    event_fixture_arrays(f, &blob);
#define APPEND(items) event_fixture_append(&blob, f->items, f->num_##items, sizeof(f->items[0]))
    f->data.nodes = APPEND(nodes);
    f->data.curves = APPEND(curves);
    f->data.points = APPEND(points);
    f->data.markers = APPEND(markers);
    for (uint32_t i = 0; i < f->num_parameters; ++i) {
        const char *const name = f->parameter_names[i];
        f->parameters[i].name_text =
            (ct_blob_string){event_fixture_append(&blob, name, EVENT_FIXTURE_NAME_BYTES, 1).offset,
                             (uint32_t)strlen(name)};
    }
    f->data.parameters = APPEND(parameters);
#undef APPEND
    blob.size_bytes = (blob.size_bytes + 15) & ~15u;
    f->data.header.size_bytes = blob.size_bytes;
    memcpy(blob.bytes, &f->data, sizeof(f->data));
    free(f);
    return (ct_sound_event_resource *)(void *)blob.bytes;
}

// Makes an event that plays one sound, not spatial.
static inline ct_sound_event_resource *event_fixture_single(const char *name, const char *sound) {
    event_fixture *const f = event_fixture_begin(name);
    event_fixture_sound(f, CT_SOUND_NO_NODE, sound);
    return event_fixture_end(f);
}
