#include "sound/event/sound_pick.h"

#define NONE UINT32_MAX // of a position
enum {
    REMEMBERED = 8, // children that a slot holds
    EMPTY = 255,    // of a child in a slot
};

// What stays the same during a walk over the tree.
typedef struct pick_walk {
    const ct_sound_event_resource *event;
    const ct_sound_node *nodes;
    const ct_sound_scope *scope;
    ct_sound_slot *slots;
    ct_random *random;
    ct_sound_pick *picks;
    uint32_t num_picks;
} pick_walk;

// What comes from the nodes above.
typedef struct pick_path {
    ct_sound_levels levels;
    float delay;
    uint32_t follows;
    uint32_t after;
    uint32_t depth;
} pick_path;

static uint32_t pick_node(pick_walk *w, uint32_t node, pick_path path);

// Returns child number `index` of a node; NONE when there are fewer.
static uint32_t child_at(const ct_sound_node *nodes, const ct_sound_node *n, uint32_t index) {
    uint32_t child = n->first_child;
    for (uint32_t i = 0; i < index && child != CT_SOUND_NO_NODE; ++i)
        child = nodes[child].next;
    return child;
}

// --- Switches ------------------------------------------------------------------------------------

// Finds a parameter as it is set, or as it is declared.
static bool find_value(const ct_sound_event_resource *e, const ct_sound_scope *scope,
                       ct_string_id32 key, ct_sound_parameter_value *value) {
    if (ct_sound_scope_find(scope, key, value))
        return true;
    const ct_sound_parameter_info *const info = ct_sound_find_parameter(e, key);
    if (info && info->kind == CT_SOUND_PARAMETER_TEXT)
        value->text = info->text;
    else if (info)
        value->number = info->number;
    return info != NULL;
}

static bool case_holds(const ct_sound_case *c, const ct_sound_parameter_value *value) {
    switch ((ct_sound_case_kind)c->kind) {
    case CT_SOUND_CASE_TEXT:
        return value && value->text.value == c->text.value;
    case CT_SOUND_CASE_NUMBER:
        return value && c->low <= value->number && value->number < c->high;
    case CT_SOUND_CASE_ELSE:
        return true;
    case CT_SOUND_CASE_COUNT:
        break;
    }
    return false;
}

uint32_t ct_sound_switch_child(const ct_sound_event_resource *e, uint32_t node,
                               const ct_sound_scope *scope) {
    const ct_sound_node *const nodes = ct_blob_at(e, e->nodes.offset), *const n = &nodes[node];
    const ct_sound_case *const cases = ct_blob_at(e, e->cases.offset);
    ct_sound_parameter_value value;
    const bool is_set = find_value(e, scope, n->parameter, &value);
    uint32_t child = n->first_child;
    for (uint32_t i = 0; i < n->num_cases && child != CT_SOUND_NO_NODE; ++i) {
        if (case_holds(&cases[n->first_case + i], is_set ? &value : NULL))
            return child;
        child = nodes[child].next;
    }
    return CT_SOUND_NO_NODE;
}

// --- Nodes that pick a child ---------------------------------------------------------------------

static uint32_t remembered(ct_sound_slot slot, uint32_t age) {
    return (uint32_t)(slot >> 8 * age) & 255;
}

static ct_sound_slot remember(ct_sound_slot slot, uint32_t child) {
    return slot << 8 | (child & 255);
}

static bool is_avoided(ct_sound_slot slot, uint32_t avoid, uint32_t child) {
    for (uint32_t age = 0; age < avoid; ++age)
        if (remembered(slot, age) == child)
            return true;
    return false;
}

// The sum of the weights of all children but those that the slot avoids.
static float sum_weights(const pick_walk *w, const ct_sound_node *n, uint32_t avoid) {
    float sum = 0;
    uint32_t child = n->first_child;
    for (uint32_t i = 0; i < n->num_children; ++i, child = w->nodes[child].next)
        if (!is_avoided(w->slots[n->slot], avoid, i))
            sum += w->nodes[child].weight;
    return sum;
}

// Returns the number of the child that a RANDOM node plays; NONE: all weigh nothing.
static uint32_t random_child(const pick_walk *w, const ct_sound_node *n) {
    uint32_t avoid = n->avoid < REMEMBERED ? n->avoid : REMEMBERED;
    float sum = sum_weights(w, n, avoid);
    while (!(sum > 0) && avoid > 0)
        sum = sum_weights(w, n, --avoid);
    float left = ct_random_float(w->random) * sum;
    uint32_t found = NONE, child = n->first_child;
    for (uint32_t i = 0; i < n->num_children; ++i, child = w->nodes[child].next) {
        const float weight = w->nodes[child].weight;
        if (!(weight > 0) || is_avoided(w->slots[n->slot], avoid, i))
            continue;
        found = i; // the last one takes what rounding leaves
        if (left < weight)
            break;
        left -= weight;
    }
    return found;
}

static uint32_t next_child(const pick_walk *w, const ct_sound_node *n) {
    const uint32_t last = remembered(w->slots[n->slot], 0);
    return last == EMPTY || last + 1 >= n->num_children ? 0 : last + 1;
}

// Picks below the child of a RANDOM or SEQUENCE that plays, and remembers it.
static uint32_t pick_one(pick_walk *w, const ct_sound_node *n, const pick_path *path) {
    if (n->num_children == 0)
        return NONE;
    const uint32_t number = n->kind == CT_SOUND_NODE_RANDOM ? random_child(w, n) : next_child(w, n);
    if (number == NONE)
        return NONE;
    w->slots[n->slot] = remember(w->slots[n->slot], number);
    return pick_node(w, child_at(w->nodes, n, number), *path);
}

// --- Nodes that play all children ----------------------------------------------------------------

static uint32_t pick_layers(pick_walk *w, const ct_sound_node *n, const pick_path *path) {
    uint32_t first = NONE;
    for (uint32_t c = n->first_child; c != CT_SOUND_NO_NODE; c = w->nodes[c].next) {
        const uint32_t picked = pick_node(w, c, *path);
        first = first == NONE ? picked : first;
    }
    return first;
}

static uint32_t pick_chain(pick_walk *w, const ct_sound_node *n, pick_path path) {
    uint32_t last = NONE;
    for (uint32_t c = n->first_child; c != CT_SOUND_NO_NODE; c = w->nodes[c].next) {
        const ct_sound_node *const child = &w->nodes[c];
        // A sound repeats by itself.
        const uint32_t times = child->kind == CT_SOUND_NODE_SOUND ? 1 : child->repeats;
        for (uint32_t i = 0; i < times; ++i) {
            const uint32_t picked = pick_node(w, c, path);
            if (picked == NONE)
                break;
            last = picked;
            if (w->picks[picked].repeats == 0)
                return last;
            path.after = picked;
            path.delay = 0;
        }
    }
    return last;
}

// --- The walk ------------------------------------------------------------------------------------

static void add_values(const pick_walk *w, const ct_sound_node *n, ct_sound_levels *levels) {
    const ct_sound_value *const values = ct_blob_at(w->event, w->event->values.offset);
    for (uint32_t i = 0; i < n->num_values; ++i) {
        const ct_sound_value *const v = &values[n->first_value + i];
        const float value =
            v->low < v->high ? ct_random_float_range(w->random, v->low, v->high) : v->low;
        ct_sound_levels_add(levels, v->target, value);
    }
}

static uint32_t pick_sound(pick_walk *w, uint32_t node, const pick_path *path) {
    const ct_sound_node *const n = &w->nodes[node];
    const uint32_t times = n->repeats > 0 ? n->repeats : 1;
    w->picks[w->num_picks] = (ct_sound_pick){
        .node = node,
        .after = path->after,
        .repeats = n->flags & CT_SOUND_NODE_LOOPS ? 0 : times,
        .delay = path->delay,
        .follows = path->follows,
        .levels = path->levels,
    };
    return w->num_picks++;
}

// Adds what a node gives to all below it.
static void enter(const pick_walk *w, uint32_t node, pick_path *path) {
    const ct_sound_node *const n = &w->nodes[node];
    add_values(w, n, &path->levels);
    path->delay += n->delay;
    if (n->kind == CT_SOUND_NODE_SWITCH && n->flags & CT_SOUND_NODE_FOLLOWS)
        path->follows = node;
    ++path->depth;
}

// Picks the leaves below a node. Returns the pick which the next one of a CHAIN follows; NONE: nothing
// was picked.
static uint32_t pick_node(pick_walk *w, uint32_t node, pick_path path) {
    if (node == CT_SOUND_NO_NODE || w->num_picks == CT_SOUND_EVENT_MAX_LAYERS ||
        path.depth == CT_SOUND_EVENT_MAX_DEPTH)
        return NONE;
    const ct_sound_node *const n = &w->nodes[node];
    enter(w, node, &path);
    switch ((ct_sound_node_kind)n->kind) {
    case CT_SOUND_NODE_SOUND:
        return pick_sound(w, node, &path);
    case CT_SOUND_NODE_RANDOM:
    case CT_SOUND_NODE_SEQUENCE:
        return pick_one(w, n, &path);
    case CT_SOUND_NODE_CHAIN:
        return pick_chain(w, n, path);
    case CT_SOUND_NODE_LAYERS:
    case CT_SOUND_NODE_BLEND:
        return pick_layers(w, n, &path);
    case CT_SOUND_NODE_SWITCH:
        return pick_node(w, ct_sound_switch_child(w->event, node, w->scope), path);
    case CT_SOUND_NODE_COUNT:
        break;
    }
    return NONE;
}

// Adds what all nodes above `node` give, from the root on.
static void enter_above(const pick_walk *w, uint32_t node, pick_path *path) {
    uint32_t above[CT_SOUND_EVENT_MAX_DEPTH], count = 0;
    uint32_t parents[CT_SOUND_EVENT_MAX_NODES];
    ct_sound_find_parents(w->event, parents);
    for (uint32_t p = parents[node]; p != CT_SOUND_NO_NODE && count < CT_SOUND_EVENT_MAX_DEPTH;
         p = parents[p])
        above[count++] = p;
    while (count > 0)
        enter(w, above[--count], path);
    path->delay = 0;
}

uint32_t ct_sound_pick_leaves(const ct_sound_event_resource *e, uint32_t node,
                              const ct_sound_scope *scope, ct_sound_slot *slots, ct_random *random,
                              ct_sound_pick picks[CT_SOUND_EVENT_MAX_LAYERS]) {
    pick_walk w = {.event = e,
                   .nodes = ct_blob_at(e, e->nodes.offset),
                   .scope = scope,
                   .slots = slots,
                   .random = random,
                   .picks = picks};
    pick_path path = {
        .levels = ct_sound_levels_neutral(), .follows = CT_SOUND_NO_NODE, .after = NONE};
    if (node > 0)
        enter_above(&w, node, &path);
    pick_node(&w, node, path);
    return w.num_picks;
}
