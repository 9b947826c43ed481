#include "resource/types/state_machine_resource.h"

#include <math.h>

#include "foundation/error.h"

typedef ct_state_machine_resource machine;

// --- Layouts -------------------------------------------------------------------------------------

const ct_blob_layout ct_state_machine_variable_layout = CT_BLOB_STRUCT(
    ct_state_machine_variable_data, CT_BLOB_STRING(ct_state_machine_variable_data, name_text),
    CT_BLOB_NUMBERS(4, ct_state_machine_variable_data, name, curve_parameter));

const ct_blob_layout ct_state_machine_layer_layout =
    CT_BLOB_STRUCT(ct_state_machine_layer, CT_BLOB_STRING(ct_state_machine_layer, name_text),
                   CT_BLOB_NUMBERS(4, ct_state_machine_layer, name, start));

const ct_blob_layout ct_state_machine_state_layout =
    CT_BLOB_STRUCT(ct_state_machine_state, CT_BLOB_STRING(ct_state_machine_state, name_text),
                   CT_BLOB_STRING_OR_NONE(ct_state_machine_state, enter_event_text),
                   CT_BLOB_STRING_OR_NONE(ct_state_machine_state, leave_event_text),
                   CT_BLOB_NUMBERS(4, ct_state_machine_state, name, leave_event));

const ct_blob_layout ct_state_machine_leaf_layout = CT_BLOB_ALL_NUMBERS(ct_state_machine_leaf, 4);
const ct_blob_layout ct_state_machine_node_layout = CT_BLOB_ALL_NUMBERS(ct_state_machine_node, 4);
const ct_blob_layout ct_state_machine_triangle_layout =
    CT_BLOB_ALL_NUMBERS(ct_state_machine_triangle, 4);
const ct_blob_layout ct_state_machine_edge_layout = CT_BLOB_ALL_NUMBERS(ct_state_machine_edge, 4);
const ct_blob_layout ct_state_machine_transition_layout =
    CT_BLOB_ALL_NUMBERS(ct_state_machine_transition, 4);
const ct_blob_layout ct_state_machine_expression_layout =
    CT_BLOB_ALL_NUMBERS(ct_state_machine_expression, 4);

const ct_blob_layout ct_state_machine_layout =
    CT_BLOB_ROOT(machine, "a state machine", CT_BLOB_NUMBERS(8, machine, skeleton, structure_hash),
                 CT_BLOB_NUMBERS(4, machine, num_mask_joints, padding),
                 CT_BLOB_ARRAY(machine, clips, ct_blob_resource_id_layout),
                 CT_BLOB_ARRAY(machine, layers, ct_state_machine_layer_layout),
                 CT_BLOB_ARRAY(machine, masks, ct_blob_u32_layout),
                 CT_BLOB_ARRAY(machine, variables, ct_state_machine_variable_layout),
                 CT_BLOB_ARRAY(machine, states, ct_state_machine_state_layout),
                 CT_BLOB_ARRAY(machine, leaves, ct_state_machine_leaf_layout),
                 CT_BLOB_ARRAY(machine, nodes, ct_state_machine_node_layout),
                 CT_BLOB_ARRAY(machine, children, ct_blob_u32_layout),
                 CT_BLOB_ARRAY(machine, triangles, ct_state_machine_triangle_layout),
                 CT_BLOB_ARRAY(machine, edges, ct_state_machine_edge_layout),
                 CT_BLOB_ARRAY(machine, transitions, ct_state_machine_transition_layout),
                 CT_BLOB_ARRAY(machine, exits, ct_blob_u32_layout),
                 CT_BLOB_ARRAY(machine, events, ct_blob_u32_layout),
                 CT_BLOB_ARRAY(machine, expressions, ct_state_machine_expression_layout),
                 CT_BLOB_ARRAY(machine, words, ct_blob_u32_layout),
                 CT_BLOB_ARRAY(machine, constants, ct_blob_u32_layout));

// --- Validation ----------------------------------------------------------------------------------

static bool is_range(uint32_t first, uint32_t num, ct_blob_array array) {
    return first <= array.count && num <= array.count - first;
}

static bool is_between(float x, float least, float most) {
    return x >= least && x <= most;
}

static bool is_expression(const machine *m, uint32_t expression) {
    return expression == CT_STATE_MACHINE_NONE || expression < m->expressions.count;
}

uint32_t ct_state_machine_op_takes(uint32_t op) {
    if (op <= CT_STATE_MACHINE_OP_VARIABLE)
        return 0;
    if (op <= CT_STATE_MACHINE_OP_COS)
        return 1;
    return op <= CT_STATE_MACHINE_OP_MAX ? 2 : 3;
}

static bool check_expression(const machine *m, uint32_t i, ct_error *error) {
    const ct_state_machine_expression *const e =
        (const ct_state_machine_expression *)ct_blob_at(m, m->expressions.offset) + i;
    if (e->num_words == 0 || e->num_words > CT_STATE_MACHINE_MAX_OPS ||
        !is_range(e->first_word, e->num_words, m->words))
        return ct_error_set(error, "expressions[%u]: found words %u + %u of %u", i, e->first_word,
                            e->num_words, m->words.count);
    const uint32_t *const words = (const uint32_t *)ct_blob_at(m, m->words.offset) + e->first_word;
    uint32_t depth = 0;
    for (uint32_t k = 0; k < e->num_words; ++k) {
        const uint32_t op = words[k] & 255, number = words[k] >> 8;
        if (op >= CT_STATE_MACHINE_OP_COUNT)
            return ct_error_set(error, "expressions[%u]: unknown operation %u", i, op);
        const uint32_t most = op == CT_STATE_MACHINE_OP_CONSTANT   ? m->constants.count
                              : op == CT_STATE_MACHINE_OP_VARIABLE ? m->variables.count
                                                                   : 1;
        if (number >= most)
            return ct_error_set(error, "expressions[%u]: found the number %u of %u", i, number,
                                most);
        const uint32_t takes = ct_state_machine_op_takes(op);
        if (depth < takes || depth - takes + 1 > CT_STATE_MACHINE_MAX_STACK)
            return ct_error_set(error, "expressions[%u]: operation %u leaves the stack", i, k);
        depth = depth - takes + 1;
    }
    return depth == 1 || ct_error_set(error, "expressions[%u]: it leaves %u values", i, depth);
}

static bool check_numbers(const machine *m, ct_error *error) {
    const float *const constants = ct_blob_at(m, m->constants.offset);
    for (uint32_t i = 0; i < m->constants.count; ++i) {
        if (!isfinite(constants[i]))
            return ct_error_set(error, "constants[%u] is not finite", i);
    }
    const float *const masks = ct_blob_at(m, m->masks.offset);
    for (uint32_t i = 0; i < m->masks.count; ++i) {
        if (!is_between(masks[i], 0, 1))
            return ct_error_set(error, "masks[%u]: found %g, expected 0 to 1", i, (double)masks[i]);
    }
    const uint32_t *const exits = ct_blob_at(m, m->exits.offset);
    for (uint32_t i = 0; i < m->exits.count; ++i) {
        if (exits[i] >= m->transitions.count)
            return ct_error_set(error, "exits[%u]: found %u, but there are only %u transitions", i,
                                exits[i], m->transitions.count);
    }
    const uint32_t *const events = ct_blob_at(m, m->events.offset);
    for (uint32_t i = 0; i < m->events.count; ++i) {
        if (events[i] == 0 || (i > 0 && events[i] <= events[i - 1]))
            return ct_error_set(error, "events[%u]: they do not ascend", i);
    }
    const ct_state_machine_leaf *const leaves = ct_blob_at(m, m->leaves.offset);
    for (uint32_t i = 0; i < m->leaves.count; ++i) {
        const ct_state_machine_leaf *const l = &leaves[i];
        if (l->clip >= m->clips.count || l->is_apart > 1 || l->is_added > 1 ||
            !is_between(l->speed, 0.01f, 100) || !is_between(l->x, -1e6f, 1e6f) ||
            !is_between(l->y, -1e6f, 1e6f))
            return ct_error_set(error, "leaves[%u]: invalid clip %u, speed %g or place", i, l->clip,
                                (double)l->speed);
    }
    return true;
}

static bool check_variable(const machine *m, uint32_t i, ct_error *error) {
    const ct_state_machine_variable_data *const v =
        (const ct_state_machine_variable_data *)ct_blob_at(m, m->variables.offset) + i;
    if (!isfinite(v->least) || !isfinite(v->most) || v->least > v->most ||
        !is_between(v->default_value, v->least, v->most))
        return ct_error_set(error, "variables[%u]: found %g from %g to %g", i,
                            (double)v->default_value, (double)v->least, (double)v->most);
    if (ct_string_id32_of(ct_blob_at(m, v->name_text.offset)).value != v->name.value)
        return ct_error_set(error, "variables[%u]: its id does not match its name", i);
    return true;
}

static bool check_transition(const machine *m, uint32_t i, ct_error *error) {
    const ct_state_machine_transition *const t =
        (const ct_state_machine_transition *)ct_blob_at(m, m->transitions.offset) + i;
    if (t->to >= m->states.count || !is_expression(m, t->condition))
        return ct_error_set(error, "transitions[%u]: found state %u and condition %u", i, t->to,
                            t->condition);
    if (t->exit_kind >= CT_STATE_MACHINE_EXIT_KIND_COUNT || t->flags & ~7u ||
        !is_between(t->exit, 0, 1e6f) || !is_between(t->duration, 0, 1000) ||
        !is_between(t->offset, 0, 1))
        return ct_error_set(error, "transitions[%u]: found exit %u at %g, duration %g, offset %g",
                            i, t->exit_kind, (double)t->exit, (double)t->duration,
                            (double)t->offset);
    return true;
}

// --- States --------------------------------------------------------------------------------------

static bool check_points(const ct_state_machine_state *s, const uint32_t *points, uint32_t count,
                         uint32_t state, ct_error *error) {
    for (uint32_t i = 0; i < count; ++i) {
        if (points[i] >= s->num_leaves)
            return ct_error_set(error, "states[%u]: found point %u of %u", state, points[i],
                                s->num_leaves);
    }
    return true;
}

static bool check_space(const machine *m, const ct_state_machine_state *s, uint32_t i,
                        ct_error *error) {
    const ct_state_machine_leaf *const leaves =
        (const ct_state_machine_leaf *)ct_blob_at(m, m->leaves.offset) + s->first_leaf;
    if (s->num_leaves < 2 || s->x == CT_STATE_MACHINE_NONE)
        return ct_error_set(error, "states[%u]: a blend space with %u points", i, s->num_leaves);
    if (s->kind == CT_STATE_MACHINE_STATE_BLEND_1D) {
        for (uint32_t k = 1; k < s->num_leaves; ++k) {
            if (leaves[k].x <= leaves[k - 1].x)
                return ct_error_set(error, "states[%u]: point %u does not ascend", i, k);
        }
        return true;
    }
    if (s->y == CT_STATE_MACHINE_NONE || s->num_edges == 0 ||
        !is_range(s->first_triangle, s->num_triangles, m->triangles) ||
        !is_range(s->first_edge, s->num_edges, m->edges))
        return ct_error_set(error, "states[%u]: found %u edges and %u triangles", i, s->num_edges,
                            s->num_triangles);
    const ct_state_machine_triangle *const triangles =
        (const ct_state_machine_triangle *)ct_blob_at(m, m->triangles.offset) + s->first_triangle;
    const ct_state_machine_edge *const edges =
        (const ct_state_machine_edge *)ct_blob_at(m, m->edges.offset) + s->first_edge;
    return check_points(s, (const uint32_t *)triangles, s->num_triangles * 3, i, error) &&
           check_points(s, (const uint32_t *)edges, s->num_edges * 2, i, error);
}

// Children come after their parents and have one each, so that a tree ends.
static bool check_tree(const machine *m, const ct_state_machine_state *s, uint32_t i,
                       ct_error *error) {
    const ct_state_machine_node *const nodes =
        (const ct_state_machine_node *)ct_blob_at(m, m->nodes.offset) + s->first_node;
    const uint32_t *const children = ct_blob_at(m, m->children.offset);
    if (s->num_nodes == 0 || s->num_nodes > CT_STATE_MACHINE_MAX_NODES ||
        !is_range(s->first_node, s->num_nodes, m->nodes))
        return ct_error_set(error, "states[%u]: found nodes %u + %u", i, s->first_node,
                            s->num_nodes);
    for (uint32_t k = 0; k < s->num_nodes; ++k) {
        const ct_state_machine_node *const n = &nodes[k];
        if (n->kind == CT_STATE_MACHINE_NODE_CLIP) {
            if (n->first >= s->num_leaves || n->num_children > 0)
                return ct_error_set(error, "states[%u]: node %u: no leaf %u", i, k, n->first);
            continue;
        }
        const bool is_pair =
            n->kind == CT_STATE_MACHINE_NODE_LERP || n->kind == CT_STATE_MACHINE_NODE_ADD;
        if (n->kind >= CT_STATE_MACHINE_NODE_KIND_COUNT || n->value >= m->expressions.count ||
            n->num_children == 0 || (is_pair && n->num_children != 2) ||
            !is_range(n->first, n->num_children, m->children))
            return ct_error_set(error, "states[%u]: node %u: kind %u with %u children", i, k,
                                n->kind, n->num_children);
        for (uint32_t c = 0; c < n->num_children; ++c) {
            const uint32_t child = children[n->first + c];
            if (child <= k || child >= s->num_nodes)
                return ct_error_set(error, "states[%u]: node %u: child %u", i, k, child);
        }
    }
    return true;
}

static bool check_state(const machine *m, uint32_t i, ct_error *error) {
    const ct_state_machine_state *const s =
        (const ct_state_machine_state *)ct_blob_at(m, m->states.offset) + i;
    if (ct_string_id32_of(ct_blob_at(m, s->name_text.offset)).value != s->name.value)
        return ct_error_set(error, "states[%u]: its id does not match its name", i);
    if (s->kind >= CT_STATE_MACHINE_STATE_KIND_COUNT || s->loop >= CT_STATE_MACHINE_LOOP_COUNT ||
        s->moves_root > 1)
        return ct_error_set(error, "states[%u]: found kind %u, loop %u", i, s->kind, s->loop);
    if (!is_expression(m, s->speed) || !is_expression(m, s->x) || !is_expression(m, s->y))
        return ct_error_set(error, "states[%u]: found expressions %u, %u, %u of %u", i, s->speed,
                            s->x, s->y, m->expressions.count);
    if (s->num_leaves > CT_STATE_MACHINE_MAX_LEAVES ||
        !is_range(s->first_leaf, s->num_leaves, m->leaves) ||
        !is_range(s->first_exit, s->num_exits, m->exits))
        return ct_error_set(error, "states[%u]: found leaves %u + %u, exits %u + %u", i,
                            s->first_leaf, s->num_leaves, s->first_exit, s->num_exits);
    switch (s->kind) {
    case CT_STATE_MACHINE_STATE_CLIP:
        return s->num_leaves == 1 ||
               ct_error_set(error, "states[%u]: a clip with %u leaves", i, s->num_leaves);
    case CT_STATE_MACHINE_STATE_TREE:
        return check_tree(m, s, i, error);
    case CT_STATE_MACHINE_STATE_EMPTY:
        return s->num_leaves == 0 || ct_error_set(error, "states[%u]: empty, with leaves", i);
    default:
        return check_space(m, s, i, error);
    }
}

// Transitions of a layer's states lead to states of this layer.
static bool check_exits(const machine *m, const ct_state_machine_layer *l, uint32_t layer,
                        ct_error *error) {
    const ct_state_machine_state *const states = ct_blob_at(m, m->states.offset);
    const ct_state_machine_transition *const transitions = ct_blob_at(m, m->transitions.offset);
    const uint32_t *const exits = ct_blob_at(m, m->exits.offset);
    for (uint32_t i = l->first_state; i < l->first_state + l->num_states; ++i) {
        for (uint32_t k = 0; k < states[i].num_exits; ++k) {
            const uint32_t to = transitions[exits[states[i].first_exit + k]].to;
            if (to - l->first_state >= l->num_states)
                return ct_error_set(error, "layers[%u]: state %u leads to %u, of another layer",
                                    layer, i, to);
        }
    }
    return true;
}

static bool check_layer(const machine *m, uint32_t i, uint32_t first_state, ct_error *error) {
    const ct_state_machine_layer *const l =
        (const ct_state_machine_layer *)ct_blob_at(m, m->layers.offset) + i;
    if (ct_string_id32_of(ct_blob_at(m, l->name_text.offset)).value != l->name.value)
        return ct_error_set(error, "layers[%u]: its id does not match its name", i);
    if (l->first_state != first_state || l->num_states == 0 ||
        !is_range(l->first_state, l->num_states, m->states) ||
        l->start - l->first_state >= l->num_states)
        return ct_error_set(error, "layers[%u]: found states %u + %u, start %u", i, l->first_state,
                            l->num_states, l->start);
    if (l->is_additive > 1 || l->moves_root > 1 || !is_expression(m, l->weight))
        return ct_error_set(error, "layers[%u]: found additive %u, root %u, weight %u", i,
                            l->is_additive, l->moves_root, l->weight);
    if (l->first_mask != CT_STATE_MACHINE_NONE &&
        !is_range(l->first_mask, m->num_mask_joints, m->masks))
        return ct_error_set(error, "layers[%u]: found the mask %u of %u joints, but %u weights", i,
                            l->first_mask, m->num_mask_joints, m->masks.count);
    return check_exits(m, l, i, error);
}

typedef bool (*check_function)(const machine *m, uint32_t i, ct_error *error);

static bool check_each(const machine *m, uint32_t count, uint32_t most, const char *what,
                       check_function check, ct_error *error) {
    if (count > most)
        return ct_error_set(error, "%s: found %u, expected at most %u", what, count, most);
    for (uint32_t i = 0; i < count; ++i) {
        if (!check(m, i, error))
            return false;
    }
    return true;
}

bool ct_state_machine_validate(const void *blob, ct_error *error) {
    const machine *const m = blob;
    if (!ct_blob_check_layout(&ct_state_machine_layout, m, error) || !check_numbers(m, error) ||
        !check_each(m, m->expressions.count, UINT32_MAX, "expressions", check_expression, error) ||
        !check_each(m, m->variables.count, CT_STATE_MACHINE_MAX_VARIABLES, "variables",
                    check_variable, error) ||
        !check_each(m, m->transitions.count, CT_STATE_MACHINE_MAX_TRANSITIONS, "transitions",
                    check_transition, error) ||
        !check_each(m, m->states.count, CT_STATE_MACHINE_MAX_STATES, "states", check_state, error))
        return false;
    if (m->layers.count == 0 || m->layers.count > CT_STATE_MACHINE_LAYER_LIMIT)
        return ct_error_set(error, "layers: found %u, expected 1 to %d", m->layers.count,
                            (int)CT_STATE_MACHINE_LAYER_LIMIT);
    if (m->num_mask_joints > CT_SKELETON_MAX_JOINTS)
        return ct_error_set(error, "num_mask_joints: found %u, expected at most %d",
                            m->num_mask_joints, (int)CT_SKELETON_MAX_JOINTS);
    const ct_state_machine_layer *const layers = ct_blob_at(m, m->layers.offset);
    uint32_t first_state = 0;
    for (uint32_t i = 0; i < m->layers.count; ++i) {
        if (!check_layer(m, i, first_state, error))
            return false;
        first_state += layers[i].num_states;
    }
    return first_state == m->states.count ||
           ct_error_set(error, "states: found %u, but layers have %u", m->states.count,
                        first_state);
}
