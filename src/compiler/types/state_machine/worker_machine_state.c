// Reads the states of a state machine: clips and blend spaces. Trees: worker_machine_tree.c.
#include <string.h>

#include "compiler/types/state_machine/worker_state_machine.h"
#include "compiler/types/state_machine/worker_triangulation.h"
#include "foundation/error.h"
#include "resource/resource_id.h"

// --- Clips ---------------------------------------------------------------------------------------

// Reads what the state machine must know of a clip, and checks that it fits.
static void read_clip(ct_worker_machine *b, ct_sjson_value v, ct_worker_clip *clip) {
    uint32_t num_variants;
    ct_compile_list_variants(b->c, "animation", clip->name, &num_variants);
    if (num_variants == 0)
        return; // which the driver reports
    const ct_sjson *const doc = ct_compile_read_resource(b->c, "animation", clip->name, b->doc, v);
    if (!doc)
        return;
    const ct_sjson_value root = ct_sjson_root(doc);
    const char *const skeleton = ct_sjson_string(doc, ct_sjson_find(doc, root, "skeleton"), "");
    const char *const own = ct_sjson_string(b->doc, b->source.skeleton_value, "");
    if (*skeleton && strcmp(skeleton, own) != 0)
        ct_worker_machine_error(b, v,
                                "the clip \"%.128s\" is for the skeleton \"%.128s\"; expected one "
                                "for \"%.128s\"",
                                clip->name, skeleton, own);
    const char *const additive = ct_sjson_string(doc, ct_sjson_find(doc, root, "additive"), "none");
    clip->is_known = true;
    clip->is_additive = strcmp(additive, "none") != 0;
}

// The number of the clip that the string `v` names.
static uint32_t clip_at(ct_worker_machine *b, ct_sjson_value v) {
    const char *const name = ct_sjson_string(b->doc, v, "");
    for (uint32_t i = 0; i < b->clips.count; ++i) {
        if (strcmp(b->clips.items[i].name, name) == 0)
            return i;
    }
    ct_worker_clip clip = {.name = name};
    read_clip(b, v, &clip);
    ct_array_push(&b->clips, clip);
    return b->clips.count - 1;
}

bool ct_worker_machine_leaf(ct_worker_machine *b, ct_state_machine_state *state, ct_sjson_value v,
                            const ct_state_machine_leaf *leaf, bool additive) {
    if (state->num_leaves == CT_STATE_MACHINE_MAX_LEAVES)
        return ct_worker_machine_error(b, v, "a state has more than %d clips",
                                       (int)CT_STATE_MACHINE_MAX_LEAVES);
    ct_state_machine_leaf added = *leaf;
    added.clip = clip_at(b, v);
    added.is_added = additive;
    const ct_worker_clip *const clip = &b->clips.items[added.clip];
    if (clip->is_known && clip->is_additive != additive)
        ct_worker_machine_error(b, v,
                                additive ? "the clip \"%.128s\" is not additive, but it is added "
                                           "here; write `additive = \"rest\"` in its source"
                                         : "the clip \"%.128s\" is additive; use it in a layer "
                                           "with `additive = true`, or as `b` of a node `add`",
                                clip->name);
    ct_array_push(&b->leaves, added);
    ++state->num_leaves;
    return true;
}

// --- Blend spaces --------------------------------------------------------------------------------

typedef struct space {
    ct_state_machine_state *state;
    const ct_schema *schema; // of points
    bool additive;
} space;

// NULL while there are none.
static ct_state_machine_leaf *leaves_of(ct_worker_machine *b, const ct_state_machine_state *state) {
    return state->num_leaves ? &b->leaves.items[state->first_leaf] : NULL;
}

static void read_point(ct_worker_machine *b, ct_sjson_value v, void *user) {
    const space *const s = user;
    ct_state_machine_point_source source = {.y = 0};
    if (!ct_schema_read(s->schema, b->doc, v, &source, &b->listener))
        return;
    const ct_state_machine_leaf *const leaves = leaves_of(b, s->state);
    for (uint32_t i = 0; i < s->state->num_leaves; ++i) {
        if (leaves[i].x == source.x && leaves[i].y == source.y) {
            if (s->state->kind == CT_STATE_MACHINE_STATE_BLEND_1D)
                ct_worker_machine_error(b, v, "two points of the blend space have the value %g",
                                        (double)source.x);
            else
                ct_worker_machine_error(b, v, "two points of the blend space are at x %g, y %g",
                                        (double)source.x, (double)source.y);
            return;
        }
    }
    const ct_state_machine_leaf leaf = {.speed = source.speed, .x = source.x, .y = source.y};
    ct_worker_machine_leaf(b, s->state, source.animation_value, &leaf, s->additive);
}

// Sorts the points of a 1D space.
static void sort_points(ct_state_machine_leaf *leaves, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) {
        const ct_state_machine_leaf leaf = leaves[i];
        uint32_t k = i;
        for (; k > 0 && leaves[k - 1].x > leaf.x; --k)
            leaves[k] = leaves[k - 1];
        leaves[k] = leaf;
    }
}

static void triangulate(ct_worker_machine *b, ct_state_machine_state *state) {
    const ct_state_machine_leaf *const leaves = leaves_of(b, state);
    ct_worker_point points[CT_STATE_MACHINE_MAX_LEAVES];
    for (uint32_t i = 0; i < state->num_leaves; ++i)
        points[i] = (ct_worker_point){(double)leaves[i].x, (double)leaves[i].y};
    const ct_worker_triangulation t =
        ct_worker_triangulate(b->c->allocator, points, state->num_leaves);
    state->first_triangle = b->triangles.count;
    state->num_triangles = t.triangles.count;
    state->first_edge = b->edges.count;
    state->num_edges = t.edges.count;
    ct_array_push_many(&b->triangles, t.triangles.items, t.triangles.count);
    ct_array_push_many(&b->edges, t.edges.items, t.edges.count);
}

static void read_space(ct_worker_machine *b, ct_sjson_value v, ct_state_machine_state *state,
                       const ct_state_machine_state_source *source, bool additive) {
    const bool is_1d = state->kind == CT_STATE_MACHINE_STATE_BLEND_1D;
    space s = {state, is_1d ? &ct_state_machine_point_1d_schema : &ct_state_machine_point_2d_schema,
               additive};
    state->x = ct_worker_machine_number(b, source->x, "x", -1e6, 1e6);
    if (!is_1d)
        state->y = ct_worker_machine_number(b, source->y, "y", -1e6, 1e6);
    const uint32_t num_errors = ct_compile_error_count(b->c);
    ct_worker_machine_each(b, source->points, read_point, &s);
    if (ct_compile_error_count(b->c) > num_errors)
        return;
    if (state->num_leaves < 2)
        ct_worker_machine_error(b, source->points.entry ? source->points : v,
                                "a blend space has %u points, expected 2 or more",
                                state->num_leaves);
    else if (is_1d)
        sort_points(leaves_of(b, state), state->num_leaves);
    else
        triangulate(b, state);
}

// --- States --------------------------------------------------------------------------------------

// The kind that `type` of a state says; KIND_COUNT after reporting.
static uint32_t kind_of(ct_worker_machine *b, ct_sjson_value v) {
    const ct_sjson_value type = ct_sjson_find(b->doc, v, "type");
    const char *const text = ct_sjson_string(b->doc, type, NULL);
    const char *names[CT_STATE_MACHINE_STATE_KIND_COUNT];
    for (uint32_t i = 0; i < CT_STATE_MACHINE_STATE_KIND_COUNT; ++i) {
        names[i] = ct_state_machine_state_schemas[i]->name;
        if (text && strcmp(text, names[i]) == 0)
            return i;
    }
    const char *const nearest =
        text ? ct_nearest_name(text, names, CT_STATE_MACHINE_STATE_KIND_COUNT) : NULL;
    ct_worker_machine_error(b, type.entry ? type : v,
                            "%s%.64s%s; expected the type clip, blend_1d, blend_2d, tree or "
                            "empty%s%s%s",
                            text ? "unknown type of a state \"" : "a state has no type",
                            text ? text : "", text ? "\"" : "", nearest ? "; did you mean " : "",
                            nearest ? nearest : "", nearest ? "?" : "");
    return CT_STATE_MACHINE_STATE_KIND_COUNT;
}

static uint32_t loop_of(ct_worker_machine *b, ct_sjson_value v) {
    if (!v.entry)
        return CT_STATE_MACHINE_LOOP_AS_CLIP;
    if (ct_sjson_type_of(b->doc, v) != CT_SJSON_TYPE_BOOL)
        ct_worker_machine_error(b, v, "loop: found %s, expected true or false",
                                ct_sjson_type_name(ct_sjson_type_of(b->doc, v)));
    return ct_sjson_bool(b->doc, v, false) ? CT_STATE_MACHINE_LOOP_YES : CT_STATE_MACHINE_LOOP_NO;
}

static ct_string_id32 event_of(const char *name) {
    return name && *name ? ct_string_id32_of(name) : (ct_string_id32){0};
}

static void read_kind(ct_worker_machine *b, ct_sjson_value v, ct_state_machine_state *state,
                      const ct_state_machine_state_source *source, bool additive) {
    switch (state->kind) {
    case CT_STATE_MACHINE_STATE_CLIP: {
        const ct_state_machine_leaf leaf = {.speed = 1};
        ct_worker_machine_leaf(b, state, source->animation_value, &leaf, additive);
        break;
    }
    case CT_STATE_MACHINE_STATE_TREE:
        ct_worker_machine_tree(b, state, source, additive);
        break;
    case CT_STATE_MACHINE_STATE_EMPTY:
        break;
    default:
        read_space(b, v, state, source, additive);
    }
}

void ct_worker_machine_state(ct_worker_machine *b, ct_sjson_value v, uint32_t first_state,
                             bool additive) {
    const uint32_t kind = kind_of(b, v);
    ct_state_machine_state_source source = {.root_motion = 1};
    if (kind == CT_STATE_MACHINE_STATE_KIND_COUNT ||
        !ct_schema_read(ct_state_machine_state_schemas[kind], b->doc, v, &source, &b->listener) ||
        !ct_worker_machine_name(b, source.name_value, "state", source.name, &b->state_names,
                                first_state))
        return;
    if (strcmp(source.name, "any") == 0)
        ct_worker_machine_error(b, source.name_value,
                                "a state cannot be called \"any\", which transitions use for every "
                                "state: rename it");
    if (b->states.count == CT_STATE_MACHINE_MAX_STATES) {
        ct_worker_machine_error(b, v, "found more than %d states",
                                (int)CT_STATE_MACHINE_MAX_STATES);
        return;
    }
    ct_state_machine_state state = {.name = ct_string_id32_of(source.name),
                                    .kind = kind,
                                    .loop = loop_of(b, source.loop),
                                    .moves_root = source.root_motion,
                                    .x = CT_STATE_MACHINE_NONE,
                                    .y = CT_STATE_MACHINE_NONE,
                                    .first_leaf = b->leaves.count,
                                    .enter_event = event_of(source.enter_event),
                                    .leave_event = event_of(source.leave_event)};
    state.speed = ct_worker_machine_number(b, source.speed, "speed", -100, 100);
    read_kind(b, v, &state, &source, additive);
    ct_array_push(&b->states, state);
    ct_array_push(&b->state_names, source.name);
    ct_array_push(&b->enter_events, source.enter_event ? source.enter_event : "");
    ct_array_push(&b->leave_events, source.leave_event ? source.leave_event : "");
    ct_array_push(&b->state_values, v);
}
