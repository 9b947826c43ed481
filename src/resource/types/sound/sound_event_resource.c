#include "resource/types/sound_event_resource.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"

typedef ct_sound_event_resource event;

// --- Layouts -------------------------------------------------------------------------------------

const ct_blob_layout ct_sound_node_layout =
    CT_BLOB_STRUCT(ct_sound_node, CT_BLOB_NUMBERS(4, ct_sound_node, kind, num_cases),
                   CT_BLOB_NUMBERS(8, ct_sound_node, sound, sound),
                   CT_BLOB_NUMBERS(4, ct_sound_node, fade, num_curves));
const ct_blob_layout ct_sound_case_layout = CT_BLOB_ALL_NUMBERS(ct_sound_case, 4);
const ct_blob_layout ct_sound_value_layout = CT_BLOB_ALL_NUMBERS(ct_sound_value, 4);
const ct_blob_layout ct_sound_curve_layout = CT_BLOB_ALL_NUMBERS(ct_sound_curve, 4);
const ct_blob_layout ct_sound_point_layout = CT_BLOB_ALL_NUMBERS(ct_sound_point, 4);
const ct_blob_layout ct_sound_parameter_info_layout =
    CT_BLOB_STRUCT(ct_sound_parameter_info, CT_BLOB_STRING(ct_sound_parameter_info, name_text),
                   CT_BLOB_NUMBERS(4, ct_sound_parameter_info, name, text));
const ct_blob_layout ct_sound_marker_layout =
    CT_BLOB_STRUCT(ct_sound_marker, CT_BLOB_NUMBERS(4, ct_sound_marker, seconds, name),
                   CT_BLOB_NUMBERS(8, ct_sound_marker, event, event));
static const ct_blob_layout spatial_layout = CT_BLOB_ALL_NUMBERS(ct_sound_spatial, 4);

const ct_blob_layout ct_sound_event_layout = CT_BLOB_ROOT(
    event, "a sound event", CT_BLOB_NUMBERS(8, event, name, name),
    CT_BLOB_NUMBERS(4, event, bus, padding), CT_BLOB_STRUCTS(event, spatial, spatial_layout),
    CT_BLOB_ARRAY(event, nodes, ct_sound_node_layout),
    CT_BLOB_ARRAY(event, cases, ct_sound_case_layout),
    CT_BLOB_ARRAY(event, values, ct_sound_value_layout),
    CT_BLOB_ARRAY(event, curves, ct_sound_curve_layout),
    CT_BLOB_ARRAY(event, points, ct_sound_point_layout),
    CT_BLOB_ARRAY(event, leaf_curves, ct_blob_u32_layout),
    CT_BLOB_ARRAY(event, parameters, ct_sound_parameter_info_layout),
    CT_BLOB_ARRAY(event, markers, ct_sound_marker_layout));

// --- Tables --------------------------------------------------------------------------------------

const char *const ct_sound_built_in_names[CT_SOUND_BUILT_IN_COUNT] = {
    [CT_SOUND_BUILT_IN_DISTANCE] = "distance", [CT_SOUND_BUILT_IN_ANGLE] = "angle",
    [CT_SOUND_BUILT_IN_SPEED] = "speed",       [CT_SOUND_BUILT_IN_OCCLUSION] = "occlusion",
    [CT_SOUND_BUILT_IN_TIME] = "time",
};

ct_string_id32 ct_sound_built_in_id(ct_sound_built_in parameter) {
    return ct_string_id32_of(ct_sound_built_in_names[parameter]);
}

const ct_sound_parameter_info *ct_sound_find_parameter(const event *e, ct_string_id32 name) {
    const ct_sound_parameter_info *const infos = ct_blob_at(e, e->parameters.offset);
    for (uint32_t i = 0; i < e->parameters.count; ++i)
        if (infos[i].name.value == name.value)
            return &infos[i];
    return NULL;
}

void ct_sound_find_parents(const ct_sound_event_resource *e,
                           uint32_t parents[CT_SOUND_EVENT_MAX_NODES]) {
    const ct_sound_node *const nodes = ct_blob_at(e, e->nodes.offset);
    parents[0] = CT_SOUND_NO_NODE;
    for (uint32_t i = 0; i < e->nodes.count; ++i)
        for (uint32_t child = nodes[i].first_child; child != CT_SOUND_NO_NODE;
             child = nodes[child].next)
            parents[child] = i;
}

bool ct_sound_target_range(uint32_t target, float *least, float *most) {
    static const float ranges[CT_SOUND_TARGET_COUNT][2] = {
        [CT_SOUND_TARGET_VOLUME] = {CT_SOUND_SILENCE_DB, CT_SOUND_MAX_DB},
        [CT_SOUND_TARGET_GAIN] = {0, 1},
        [CT_SOUND_TARGET_PITCH] = {-CT_SOUND_MAX_SEMITONES, CT_SOUND_MAX_SEMITONES},
        [CT_SOUND_TARGET_LOW_PASS] = {CT_SOUND_LEAST_HZ, CT_SOUND_OPEN_HZ},
        [CT_SOUND_TARGET_SEND] = {CT_SOUND_SILENCE_DB, CT_SOUND_MAX_DB},
    };
    if (target >= CT_SOUND_TARGET_COUNT)
        return false;
    *least = ranges[target][0];
    *most = ranges[target][1];
    return true;
}

// --- Numbers -------------------------------------------------------------------------------------

static bool is_between(float x, float least, float most) {
    return x >= least && x <= most;
}

static bool is_seconds(float x) {
    return is_between(x, 0, CT_SOUND_EVENT_MAX_SECONDS);
}

static bool is_for_target(uint32_t target, float x) {
    float least = 0, most = 0;
    return ct_sound_target_range(target, &least, &most) && is_between(x, least, most);
}

// Whether `num` elements from `first` on are in the array.
static bool is_range(uint32_t first, uint32_t num, ct_blob_array array) {
    return first <= array.count && num <= array.count - first;
}

// --- Nodes ---------------------------------------------------------------------------------------

// How nodes hang together, as far as they were checked.
typedef struct tree {
    const event *e;
    const ct_sound_node *nodes;
    uint8_t depth[CT_SOUND_EVENT_MAX_NODES]; // 0: no parent was found yet
    bool slots[CT_SOUND_EVENT_MAX_NODES];    // in use
} tree;

// Children come behind their parent, and have no other.
static bool check_children(tree *t, uint32_t i, ct_error *error) {
    const ct_sound_node *const n = &t->nodes[i];
    uint32_t count = 0;
    for (uint32_t child = n->first_child; child != CT_SOUND_NO_NODE; child = t->nodes[child].next) {
        if (child <= i || child >= t->e->nodes.count || t->depth[child])
            return ct_error_set(error,
                                "nodes[%u]: found the child %u, expected one behind it "
                                "without another parent",
                                i, child);
        if (t->depth[i] == CT_SOUND_EVENT_MAX_DEPTH)
            return ct_error_set(error, "nodes[%u]: found children, expected a depth of %d", i,
                                CT_SOUND_EVENT_MAX_DEPTH);
        t->depth[child] = (uint8_t)(t->depth[i] + 1);
        ++count;
    }
    return count == n->num_children ||
           ct_error_set(error, "nodes[%u].num_children: found %u, but %u are linked", i,
                        n->num_children, count);
}

static bool check_sound(const event *e, const ct_sound_node *n, uint32_t i, ct_error *error) {
    const uint32_t *const leaf_curves = ct_blob_at(e, e->leaf_curves.offset);
    if (n->sound.value == 0)
        return ct_error_set(error, "nodes[%u].sound is missing", i);
    if (n->num_curves > CT_SOUND_EVENT_MAX_LEAF_CURVES ||
        !is_range(n->first_curve, n->num_curves, e->leaf_curves))
        return ct_error_set(error, "nodes[%u]: found curves %u + %u of %u", i, n->first_curve,
                            n->num_curves, e->leaf_curves.count);
    for (uint32_t k = n->first_curve; k < n->first_curve + n->num_curves; ++k) {
        if (leaf_curves[k] >= e->curves.count)
            return ct_error_set(error, "leaf_curves[%u]: found %u of %u", k, leaf_curves[k],
                                e->curves.count);
    }
    return true;
}

static bool check_switch(const event *e, const ct_sound_node *n, uint32_t i, ct_error *error) {
    if (n->parameter.value == 0)
        return ct_error_set(error, "nodes[%u].parameter is missing", i);
    if (n->num_cases != n->num_children || !is_range(n->first_case, n->num_cases, e->cases))
        return ct_error_set(error, "nodes[%u]: found cases %u + %u of %u, for %u children", i,
                            n->first_case, n->num_cases, e->cases.count, n->num_children);
    return true;
}

static bool check_kind(tree *t, uint32_t i, ct_error *error) {
    const ct_sound_node *const n = &t->nodes[i];
    const bool is_sound = n->kind == CT_SOUND_NODE_SOUND;
    const bool has_slot = n->kind == CT_SOUND_NODE_RANDOM || n->kind == CT_SOUND_NODE_SEQUENCE;
    if (is_sound != (n->num_children == 0))
        return ct_error_set(error, "nodes[%u]: found %u children of a node of kind %u", i,
                            n->num_children, n->kind);
    if (has_slot) {
        if (n->slot >= t->e->num_slots || t->slots[n->slot])
            return ct_error_set(error, "nodes[%u].slot: found %u of %u, or a second time", i,
                                n->slot, t->e->num_slots);
        t->slots[n->slot] = true;
    }
    if (n->kind == CT_SOUND_NODE_RANDOM &&
        (n->avoid >= n->num_children || n->avoid > CT_SOUND_EVENT_MAX_AVOID))
        return ct_error_set(error, "nodes[%u].avoid: found %u, with %u children", i, n->avoid,
                            n->num_children);
    if (!is_sound && n->num_curves)
        return ct_error_set(error, "nodes[%u].num_curves: found %u, expected them in sounds", i,
                            n->num_curves);
    if (n->kind != CT_SOUND_NODE_SWITCH && n->num_cases)
        return ct_error_set(error, "nodes[%u].num_cases: found %u, expected them in switches", i,
                            n->num_cases);
    if (is_sound)
        return check_sound(t->e, n, i, error);
    return n->kind != CT_SOUND_NODE_SWITCH || check_switch(t->e, n, i, error);
}

static bool check_node(tree *t, uint32_t i, ct_error *error) {
    const ct_sound_node *const n = &t->nodes[i];
    if (n->kind >= CT_SOUND_NODE_COUNT ||
        n->flags >= (CT_SOUND_NODE_FOLLOWS | CT_SOUND_NODE_LOOPS) + 1)
        return ct_error_set(error, "nodes[%u]: found kind %u, flags %u", i, n->kind, n->flags);
    if (t->depth[i] == 0)
        return ct_error_set(error, "nodes[%u] has no parent", i);
    if (!(n->weight > 0 && n->weight <= 1e6f) || n->repeats == 0 ||
        n->repeats > CT_SOUND_EVENT_MAX_REPEATS)
        return ct_error_set(error, "nodes[%u]: found weight %g, repeats %u", i, (double)n->weight,
                            n->repeats);
    if (!is_seconds(n->fade) || !is_seconds(n->delay))
        return ct_error_set(error, "nodes[%u]: found fade %g, delay %g", i, (double)n->fade,
                            (double)n->delay);
    if (!is_range(n->first_value, n->num_values, t->e->values))
        return ct_error_set(error, "nodes[%u]: found values %u + %u of %u", i, n->first_value,
                            n->num_values, t->e->values.count);
    return check_children(t, i, error) && check_kind(t, i, error);
}

static bool check_nodes(const event *e, ct_error *error) {
    if (e->nodes.count == 0 || e->nodes.count > CT_SOUND_EVENT_MAX_NODES)
        return ct_error_set(error, "nodes: found %u, expected 1 to %d", e->nodes.count,
                            CT_SOUND_EVENT_MAX_NODES);
    tree t = {.e = e, .nodes = ct_blob_at(e, e->nodes.offset), .depth = {1}};
    if (t.nodes[0].next != CT_SOUND_NO_NODE)
        return ct_error_set(error, "nodes[0].next: found %u, expected none", t.nodes[0].next);
    for (uint32_t i = 0; i < e->nodes.count; ++i) {
        if (!check_node(&t, i, error))
            return false;
    }
    return true;
}

// --- Cases, values, curves -----------------------------------------------------------------------

static bool check_cases(const event *e, ct_error *error) {
    const ct_sound_case *const cases = ct_blob_at(e, e->cases.offset);
    for (uint32_t i = 0; i < e->cases.count; ++i) {
        const ct_sound_case *const c = &cases[i];
        if (c->kind >= CT_SOUND_CASE_COUNT)
            return ct_error_set(error, "cases[%u]: unknown kind %u", i, c->kind);
        if (c->kind == CT_SOUND_CASE_NUMBER && !(c->low < c->high))
            return ct_error_set(error, "cases[%u]: found %g to %g", i, (double)c->low,
                                (double)c->high);
    }
    return true;
}

static bool check_values(const event *e, ct_error *error) {
    const ct_sound_value *const values = ct_blob_at(e, e->values.offset);
    for (uint32_t i = 0; i < e->values.count; ++i) {
        const ct_sound_value *const v = &values[i];
        if (v->target >= CT_SOUND_TARGET_COUNT)
            return ct_error_set(error, "values[%u]: unknown target %u", i, v->target);
        if (!is_for_target(v->target, v->low) || !is_for_target(v->target, v->high) ||
            v->low > v->high)
            return ct_error_set(error, "values[%u]: found %g to %g", i, (double)v->low,
                                (double)v->high);
    }
    return true;
}

static bool check_points(const event *e, const ct_sound_curve *c, uint32_t i, ct_error *error) {
    const ct_sound_point *const points =
        (const ct_sound_point *)ct_blob_at(e, e->points.offset) + c->first_point;
    for (uint32_t k = 0; k < c->num_points; ++k) {
        if (!isfinite(points[k].x) || (k && points[k].x <= points[k - 1].x))
            return ct_error_set(error, "curves[%u]: x of its point %u does not rise", i, k);
        if (!is_for_target(c->target, points[k].y))
            return ct_error_set(error, "curves[%u]: found the y %g in its point %u", i,
                                (double)points[k].y, k);
    }
    return true;
}

static bool check_curves(const event *e, ct_error *error) {
    const ct_sound_curve *const curves = ct_blob_at(e, e->curves.offset);
    if (e->curves.count > CT_SOUND_EVENT_MAX_CURVES)
        return ct_error_set(error, "curves: found %u, expected at most %d", e->curves.count,
                            CT_SOUND_EVENT_MAX_CURVES);
    for (uint32_t i = 0; i < e->curves.count; ++i) {
        const ct_sound_curve *const c = &curves[i];
        if (c->target >= CT_SOUND_TARGET_COUNT || c->shape >= CT_SOUND_SHAPE_COUNT)
            return ct_error_set(error, "curves[%u]: found target %u, shape %u", i, c->target,
                                c->shape);
        if (c->parameter.value == 0 || !isfinite(c->missing))
            return ct_error_set(error, "curves[%u]: its parameter is missing", i);
        if (c->num_points == 0 || c->num_points > CT_SOUND_EVENT_MAX_POINTS ||
            !is_range(c->first_point, c->num_points, e->points))
            return ct_error_set(error, "curves[%u]: found points %u + %u of %u", i, c->first_point,
                                c->num_points, e->points.count);
        if (!check_points(e, c, i, error))
            return false;
    }
    return true;
}

// --- The rest ------------------------------------------------------------------------------------

static bool check_parameters(const event *e, ct_error *error) {
    const ct_sound_parameter_info *const infos = ct_blob_at(e, e->parameters.offset);
    if (e->parameters.count > CT_SOUND_EVENT_MAX_PARAMETERS)
        return ct_error_set(error, "parameters: found %u, expected at most %d", e->parameters.count,
                            CT_SOUND_EVENT_MAX_PARAMETERS);
    for (uint32_t i = 0; i < e->parameters.count; ++i) {
        const ct_sound_parameter_info *const p = &infos[i];
        if (p->name.value == 0 ||
            ct_string_id32_of(ct_blob_at(e, p->name_text.offset)).value != p->name.value)
            return ct_error_set(error, "parameters[%u].name: its id does not match its text", i);
        for (uint32_t k = 0; k < i; ++k) {
            if (infos[k].name.value == p->name.value)
                return ct_error_set(error, "parameters[%u].name: number %u has it", i, k);
        }
        if (p->kind >= CT_SOUND_PARAMETER_COUNT || !isfinite(p->number))
            return ct_error_set(error, "parameters[%u]: found kind %u, number %g", i, p->kind,
                                (double)p->number);
    }
    return true;
}

static bool check_markers(const event *e, ct_error *error) {
    const ct_sound_marker *const markers = ct_blob_at(e, e->markers.offset);
    if (e->markers.count > CT_SOUND_EVENT_MAX_MARKERS)
        return ct_error_set(error, "markers: found %u, expected at most %d", e->markers.count,
                            CT_SOUND_EVENT_MAX_MARKERS);
    for (uint32_t i = 0; i < e->markers.count; ++i) {
        if (!is_seconds(markers[i].seconds) || (i && markers[i].seconds < markers[i - 1].seconds))
            return ct_error_set(error, "markers[%u].seconds: found %g, expected them by time", i,
                                (double)markers[i].seconds);
    }
    return true;
}

static bool check_spatial(const ct_sound_spatial *s, ct_error *error) {
    if (s->is_spatial > 1)
        return ct_error_set(error, "spatial.is_spatial: found %u", s->is_spatial);
    if (!s->is_spatial)
        return true;
    if (s->attenuation >= CT_SOUND_ATTENUATION_COUNT ||
        !(s->least_distance > 0 && s->least_distance < s->most_distance) ||
        !is_between(s->most_distance, 0, 1e6f) || !is_between(s->rolloff, 0, 100))
        return ct_error_set(error, "spatial: found attenuation %u from %g to %g, rolloff %g",
                            s->attenuation, (double)s->least_distance, (double)s->most_distance,
                            (double)s->rolloff);
    if (!is_between(s->cone_inner, 0, 360) || !is_between(s->cone_outer, s->cone_inner, 360) ||
        !is_between(s->cone_volume, CT_SOUND_SILENCE_DB, CT_SOUND_MAX_DB))
        return ct_error_set(error, "spatial: found a cone of %g to %g degrees, volume %g",
                            (double)s->cone_inner, (double)s->cone_outer, (double)s->cone_volume);
    if (!is_between(s->spread_near, 0, 1) || !is_between(s->spread_far, 0, 1) ||
        !is_between(s->doppler, 0, 100))
        return ct_error_set(error, "spatial: found spread %g to %g, doppler %g",
                            (double)s->spread_near, (double)s->spread_far, (double)s->doppler);
    if (!is_between(s->occlusion_volume, CT_SOUND_SILENCE_DB, CT_SOUND_MAX_DB) ||
        !is_between(s->occlusion_low_pass, CT_SOUND_LEAST_HZ, CT_SOUND_OPEN_HZ) ||
        !is_between(s->occlusion_radius, 0, 1000))
        return ct_error_set(error, "spatial: found occlusion of volume %g, low_pass %g, radius %g",
                            (double)s->occlusion_volume, (double)s->occlusion_low_pass,
                            (double)s->occlusion_radius);
    return true;
}

static bool check_numbers(const event *e, ct_error *error) {
    if (e->priority > 255 || e->limit > CT_SOUND_EVENT_MAX_INSTANCES ||
        e->steal >= CT_SOUND_STEAL_COUNT)
        return ct_error_set(error, "found priority %u, limit %u, steal %u", e->priority, e->limit,
                            e->steal);
    if (!is_seconds(e->cooldown) || !is_seconds(e->fade_in) || !is_seconds(e->fade_out) ||
        !is_seconds(e->first_beat))
        return ct_error_set(error, "found cooldown %g, fade_in %g, fade_out %g, first_beat %g",
                            (double)e->cooldown, (double)e->fade_in, (double)e->fade_out,
                            (double)e->first_beat);
    if (e->tempo != 0 && (!is_between(e->tempo, 1, CT_SOUND_EVENT_MAX_TEMPO) || e->beats == 0 ||
                          e->beats > CT_SOUND_EVENT_MAX_BEATS))
        return ct_error_set(error, "found tempo %g, beats %u", (double)e->tempo, e->beats);
    return e->num_slots <= CT_SOUND_EVENT_MAX_NODES ||
           ct_error_set(error, "num_slots: found %u, expected at most %d", e->num_slots,
                        CT_SOUND_EVENT_MAX_NODES);
}

bool ct_sound_event_validate(const void *blob, ct_error *error) {
    const event *const e = blob;
    return ct_blob_check_layout(&ct_sound_event_layout, e, error) && check_numbers(e, error) &&
           check_spatial(&e->spatial, error) && check_nodes(e, error) && check_cases(e, error) &&
           check_values(e, error) && check_curves(e, error) && check_parameters(e, error) &&
           check_markers(e, error);
}
