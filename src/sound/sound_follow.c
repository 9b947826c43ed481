// Trees of events that change while they play: switches that follow their parameter, and events that
// are loaded again.
#include <math.h>

#include "sound/sound_system_private.h"

static bool is_below(const uint32_t *parents, uint32_t node, uint32_t above) {
    while (node != CT_SOUND_NO_NODE && node != above)
        node = parents[node];
    return node == above;
}

static bool is_fading(const ct_sound_system *s, uint32_t layer) {
    return (s->layers.flags[layer] & CT_SOUND_LAYER_FADES) != 0;
}

// Stops a layer alone from a clock on.
static void fade_layer(ct_sound_system *s, uint32_t layer, uint64_t when, float fade) {
    s->layers.flags[layer] |= CT_SOUND_LAYER_FADES;
    ct_mixer_stop(s->mixer, s->layers.voices[layer], when, ct_sound_frames_of(fade));
}

// --- Picks -----------------------------------------------------------------------------------------

// Removes the picks without a node.
static void drop_picks(ct_sound_picks *p) {
    uint32_t moved[CT_SOUND_EVENT_MAX_LAYERS], count = 0;
    for (uint32_t i = 0; i < p->count; ++i) {
        ct_sound_pick pick = p->items[i];
        moved[i] = pick.node == CT_SOUND_NO_NODE ? UINT32_MAX : count;
        if (pick.node == CT_SOUND_NO_NODE)
            continue;
        pick.after = pick.after < i ? moved[pick.after] : UINT32_MAX;
        p->items[count++] = pick;
    }
    p->count = count;
}

// Adds picks, as many as there is room for. Returns how many.
static uint32_t add_picks(ct_sound_picks *p, const ct_sound_pick *picks, uint32_t count) {
    const uint32_t first = p->count, room = CT_SOUND_EVENT_MAX_LAYERS - first;
    const uint32_t num_added = count < room ? count : room;
    for (uint32_t i = 0; i < num_added; ++i) {
        p->items[first + i] = picks[i];
        p->items[first + i].after = picks[i].after < i ? first + picks[i].after : UINT32_MAX;
    }
    p->count += num_added;
    return num_added;
}

// --- Switches that follow ------------------------------------------------------------------------

static bool has_layer_below(const ct_sound_system *s, uint32_t slot, const uint32_t *parents,
                            uint32_t node) {
    for (uint32_t i = s->instances.first_layers[slot]; i; i = s->layers.nexts[i])
        if (!is_fading(s, i) && is_below(parents, s->layers.nodes[i], node))
            return true;
    return false;
}

typedef struct follow_walk {
    ct_sound_system *s;
    uint32_t slot;
    const ct_sound_event_resource *event;
    const ct_sound_scope *scope;
    uint32_t parents[CT_SOUND_EVENT_MAX_NODES];
} follow_walk;

static void list_follows(const follow_walk *w, uint32_t node);

static void list_children(const follow_walk *w, const ct_sound_node *n, bool only_playing) {
    for (uint32_t child = n->first_child; child != CT_SOUND_NO_NODE;
         child = ct_sound_node_at(w->event, child)->next)
        if (!only_playing || has_layer_below(w->s, w->slot, w->parents, child))
            list_follows(w, child);
}

static void list_switch(const follow_walk *w, uint32_t node, const ct_sound_node *n) {
    const uint32_t child = ct_sound_switch_child(w->event, node, w->scope);
    ct_sound_follows *const follows = &w->s->instances.follows[w->slot];
    if ((n->flags & CT_SOUND_NODE_FOLLOWS) && follows->count < CT_SOUND_MAX_FOLLOWS) {
        follows->nodes[follows->count] = (uint8_t)node;
        follows->children[follows->count++] = child == CT_SOUND_NO_NODE ? 0 : (uint8_t)child;
    }
    if (child != CT_SOUND_NO_NODE)
        list_follows(w, child);
}

// The walk is as deep as the tree: CT_SOUND_EVENT_MAX_DEPTH. Switches in a chain do not follow: what
// comes after them waits for their voices.
static void list_follows(const follow_walk *w, uint32_t node) {
    const ct_sound_node *const n = ct_sound_node_at(w->event, node);
    switch ((ct_sound_node_kind)n->kind) {
    case CT_SOUND_NODE_LAYERS:
    case CT_SOUND_NODE_BLEND:
        list_children(w, n, false);
        break;
    case CT_SOUND_NODE_RANDOM:
    case CT_SOUND_NODE_SEQUENCE:
        list_children(w, n, true);
        break;
    case CT_SOUND_NODE_SWITCH:
        list_switch(w, node, n);
        break;
    case CT_SOUND_NODE_SOUND:
    case CT_SOUND_NODE_CHAIN:
    case CT_SOUND_NODE_COUNT:
        break;
    }
}

static bool has_follows(const ct_sound_event_resource *e) {
    for (uint32_t i = 0; i < e->nodes.count; ++i)
        if (ct_sound_node_at(e, i)->flags & CT_SOUND_NODE_FOLLOWS &&
            ct_sound_node_at(e, i)->kind == CT_SOUND_NODE_SWITCH)
            return true;
    return false;
}

void ct_sound_follows_init(ct_sound_system *s, uint32_t slot, const ct_sound_scope *scope) {
    follow_walk w = {.s = s, .slot = slot, .event = s->instances.resources[slot], .scope = scope};
    s->instances.follows[slot].count = 0;
    if (!has_follows(w.event))
        return;
    ct_sound_find_parents(w.event, w.parents);
    list_follows(&w, 0);
}

bool ct_sound_may_go_on(const ct_sound_system *s, uint32_t slot) {
    if (ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_STOPPING))
        return false;
    const ct_sound_follows *const follows = &s->instances.follows[slot];
    for (uint32_t i = 0; i < follows->count; ++i)
        if (!follows->children[i])
            return true;
    return false;
}

static ct_sound_slot *slots_of(ct_sound_system *s, uint32_t slot) {
    ct_sound_world *const w = s->instances.worlds[slot];
    return w->slots.items + w->states.items[s->instances.states[slot]].first_slot;
}

// Fades from what plays below a switch to what `child` picks, both from the same clock on.
static void change_switch(ct_sound_system *s, uint32_t slot, const uint32_t *parents, uint32_t node,
                          uint32_t child, const ct_sound_scope *scope) {
    const ct_sound_event_resource *const e = s->instances.resources[slot];
    const float fade = ct_sound_node_at(e, node)->fade;
    const uint64_t when = ct_mixer_clock(s->mixer) + CT_SOUND_LEAD;
    for (uint32_t i = s->instances.first_layers[slot]; i; i = s->layers.nexts[i])
        if (!is_fading(s, i) && is_below(parents, s->layers.nodes[i], node))
            fade_layer(s, i, when, fade);
    ct_sound_picks *const all = &s->instances.picks[slot];
    for (uint32_t i = 0; i < all->count; ++i)
        if (is_below(parents, all->items[i].node, node))
            all->items[i].node = CT_SOUND_NO_NODE;
    drop_picks(all);
    if (child == CT_SOUND_NO_NODE)
        return;
    ct_sound_pick picks[CT_SOUND_EVENT_MAX_LAYERS];
    uint32_t count = ct_sound_pick_leaves(e, child, scope, slots_of(s, slot),
                                          &s->instances.worlds[slot]->random, picks);
    count = add_picks(all, picks, count);
    ct_sound_start_picks(s, slot, picks, count,
                         &(ct_sound_timing){when, 0, ct_sound_frames_of(fade), false});
}

void ct_sound_follow_switches(ct_sound_system *s, uint32_t slot, const ct_sound_hearing *hearing) {
    const ct_sound_follows follows = s->instances.follows[slot];
    const uint32_t resting = CT_SOUND_INSTANCE_STOPPING | CT_SOUND_INSTANCE_PAUSED;
    if (!follows.count || ct_sound_has_flag(s, slot, resting))
        return;
    const ct_sound_event_resource *const e = s->instances.resources[slot];
    uint32_t parents[CT_SOUND_EVENT_MAX_NODES];
    uint32_t changed[CT_SOUND_MAX_FOLLOWS], num_changed = 0;
    for (uint32_t i = 0; i < follows.count; ++i) {
        const uint32_t child = ct_sound_switch_child(e, follows.nodes[i], &hearing->scope);
        if ((child == CT_SOUND_NO_NODE ? 0 : child) == follows.children[i])
            continue;
        if (!num_changed)
            ct_sound_find_parents(e, parents);
        bool is_done = false; // with a switch above it
        for (uint32_t k = 0; k < num_changed; ++k)
            is_done |= is_below(parents, follows.nodes[i], changed[k]);
        if (is_done)
            continue;
        change_switch(s, slot, parents, follows.nodes[i], child, &hearing->scope);
        changed[num_changed++] = follows.nodes[i];
    }
    if (num_changed)
        ct_sound_follows_init(s, slot, &hearing->scope);
}

// --- Events that are loaded again ----------------------------------------------------------------

// Returns the leaf of `e` at the same position in the tree as `leaf` in `old`, with the same sound;
// NO_NODE: there is none.
static uint32_t same_leaf(const ct_sound_event_resource *old, const uint32_t *old_parents,
                          uint32_t leaf, const ct_sound_event_resource *e) {
    uint32_t path[CT_SOUND_EVENT_MAX_NODES], depth = 0;
    for (uint32_t node = leaf; node; node = old_parents[node]) {
        uint32_t ordinal = 0;
        for (uint32_t child = ct_sound_node_at(old, old_parents[node])->first_child; child != node;
             child = ct_sound_node_at(old, child)->next)
            ++ordinal;
        path[depth++] = ordinal;
    }
    uint32_t node = 0;
    while (depth > 0 && node != CT_SOUND_NO_NODE) {
        node = ct_sound_node_at(e, node)->first_child;
        for (uint32_t i = path[--depth]; i > 0 && node != CT_SOUND_NO_NODE; --i)
            node = ct_sound_node_at(e, node)->next;
    }
    if (node == CT_SOUND_NO_NODE)
        return CT_SOUND_NO_NODE;
    const ct_sound_node *const a = ct_sound_node_at(old, leaf), *const b =
                                                                    ct_sound_node_at(e, node);
    return b->kind == CT_SOUND_NODE_SOUND && a->sound.value == b->sound.value ? node
                                                                              : CT_SOUND_NO_NODE;
}

// Adds the middles of the values of a node and all above it.
static void add_path(const ct_sound_event_resource *e, const uint32_t *parents, uint32_t node,
                     ct_sound_levels *levels) {
    const ct_sound_value *const values = ct_blob_at(e, e->values.offset);
    for (; node != CT_SOUND_NO_NODE; node = parents[node]) {
        const ct_sound_node *const n = ct_sound_node_at(e, node);
        for (uint32_t i = 0; i < n->num_values; ++i) {
            const ct_sound_value *const v = &values[n->first_value + i];
            ct_sound_levels_add(levels, v->target, v->low + (v->high - v->low) * 0.5f);
        }
    }
}

// Changes levels that were settled when a layer started by what the constants of its path changed.
// Ranges keep the number that they gave, moved with their middle.
static void move_levels(ct_sound_levels *levels, const ct_sound_levels *from,
                        const ct_sound_levels *to) {
    const float silence = ct_sound_levels_neutral().send;
    levels->volume += to->volume - from->volume;
    levels->pitch += to->pitch - from->pitch;
    if (to->gain != from->gain)
        levels->gain = from->gain > 0 ? levels->gain * (to->gain / from->gain) : to->gain;
    if (to->low_pass != from->low_pass)
        levels->low_pass = to->low_pass;
    if (from->send <= silence || to->send <= silence)
        levels->send = to->send;
    else
        levels->send += to->send - from->send;
}

typedef struct tree_change {
    const ct_sound_event_resource *old, *event;
    uint32_t old_parents[CT_SOUND_EVENT_MAX_NODES], parents[CT_SOUND_EVENT_MAX_NODES];
} tree_change;

// Returns the leaf in the new tree for one in the old one, and moves its levels; NO_NODE: it is gone.
static uint32_t move_leaf(const tree_change *c, uint32_t node, ct_sound_levels *levels) {
    const uint32_t moved = same_leaf(c->old, c->old_parents, node, c->event);
    if (moved == CT_SOUND_NO_NODE)
        return moved;
    ct_sound_levels from = ct_sound_levels_neutral(), to = from;
    add_path(c->old, c->old_parents, node, &from);
    add_path(c->event, c->parents, moved, &to);
    move_levels(levels, &from, &to);
    return moved;
}

static void move_picks(ct_sound_picks *p, const tree_change *c) {
    for (uint32_t i = 0; i < p->count; ++i)
        p->items[i].node = move_leaf(c, p->items[i].node, &p->items[i].levels);
    drop_picks(p);
}

// Finds the leaves of an instance's layers in the new tree; those that are gone fade out. Returns
// whether a loop is among these.
static bool move_layers(ct_sound_system *s, uint32_t slot, const tree_change *c) {
    bool has_lost_loop = false;
    for (uint32_t i = s->instances.first_layers[slot]; i; i = s->layers.nexts[i]) {
        uint32_t *const node = &s->layers.nodes[i];
        const bool is_gone = is_fading(s, i) || *node == CT_SOUND_NO_NODE;
        *node = is_gone ? CT_SOUND_NO_NODE : move_leaf(c, *node, &s->layers.levels[i]);
        if (is_gone || *node != CT_SOUND_NO_NODE)
            continue;
        has_lost_loop |= (s->layers.flags[i] & CT_SOUND_LAYER_LOOPS) != 0;
        fade_layer(s, i, 0, fminf(c->old->fade_out, CT_SOUND_STEAL_SECONDS));
    }
    return has_lost_loop;
}

static bool plays_node(const ct_sound_system *s, uint32_t slot, uint32_t node) {
    for (uint32_t i = s->instances.first_layers[slot]; i; i = s->layers.nexts[i])
        if (!is_fading(s, i) && s->layers.nodes[i] == node)
            return true;
    return false;
}

// Picks again, and starts those loops that do not play yet where they would be now.
static void pick_again(ct_sound_system *s, uint32_t slot, const ct_sound_scope *scope) {
    const ct_sound_event_resource *const e = s->instances.resources[slot];
    ct_sound_pick picks[CT_SOUND_EVENT_MAX_LAYERS];
    const uint32_t count = ct_sound_pick_leaves(e, 0, scope, slots_of(s, slot),
                                                &s->instances.worlds[slot]->random, picks);
    const uint64_t when = ct_mixer_clock(s->mixer) + CT_SOUND_LEAD;
    const double offset = (double)((int64_t)when - s->instances.origins[slot]) / CT_MIXER_RATE;
    const ct_sound_timing timing = {when, offset, CT_MIXER_BLOCK, true};
    for (uint32_t i = 0; i < count; ++i)
        if (picks[i].after == UINT32_MAX && !plays_node(s, slot, picks[i].node) &&
            picks[i].repeats == 0 && add_picks(&s->instances.picks[slot], &picks[i], 1))
            ct_sound_start_picks(s, slot, &picks[i], 1, &timing);
}

static void change_instance(ct_sound_system *s, uint32_t slot, const tree_change *c) {
    const bool is_stopping = ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_STOPPING);
    ct_sound_hearing hearing;
    ct_sound_hear_instance(s, slot, &hearing);
    ct_sound_follow_switches(s, slot, &hearing); // as parameters are now
    const bool has_lost_loop = move_layers(s, slot, c);
    move_picks(&s->instances.picks[slot], c);
    s->instances.resources[slot] = c->event;
    ct_sound_state_of(s->instances.worlds[slot], s->instances.events[slot], c->event,
                      &s->instances.states[slot]);
    ct_sound_find_instance_bus(s, slot);
    ct_sound_find_next_marker(s, slot);
    ct_sound_hear_instance(s, slot, &hearing);
    if (has_lost_loop && !is_stopping)
        pick_again(s, slot, &hearing.scope);
    ct_sound_follows_init(s, slot, &hearing.scope);
}

void ct_sound_follow_event(ct_sound_system *s, ct_string_id64 name,
                           const ct_sound_event_resource *event) {
    tree_change c = {.event = event};
    if (event)
        ct_sound_find_parents(event, c.parents);
    for (uint32_t slot = 1; slot < s->instances.block.count; ++slot) {
        const ct_sound_event_resource *const old = s->instances.resources[slot];
        if (!ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_LIVE) || !old ||
            s->instances.events[slot].value != name.value)
            continue;
        if (!event) {
            ct_sound_stop_slot(s, slot, 0, old->fade_out);
            s->instances.resources[slot] = NULL;
            continue;
        }
        if (c.old != old)
            ct_sound_find_parents(old, c.old_parents);
        c.old = old;
        change_instance(s, slot, &c);
    }
}

// Returns the bus of an event by its name; the root when it names none or an unknown one.
static uint32_t bus_of(const ct_sound_system *s, uint32_t slot, const ct_sound_event_resource *e) {
    if (!e->bus.value || !s->buses.resource)
        return 0;
    const uint32_t bus = ct_sound_find_bus(s->buses.resource, e->bus);
    if (bus != CT_SOUND_NO_BUS)
        return bus;
    ct_log_warning("sound", "sound_bus_unknown",
                   "event %s: found bus %s; expected one of the project's buses",
                   ct_string_id64_name(s->instances.events[slot]), ct_string_id32_name(e->bus));
    return 0;
}

void ct_sound_find_instance_bus(ct_sound_system *s, uint32_t slot) {
    const ct_sound_event_resource *const e = s->instances.resources[slot];
    s->instances.buses[slot] = e ? bus_of(s, slot, e) : 0;
    if (!e)
        return; // its voices fade out where they are
    for (uint32_t i = s->instances.first_layers[slot]; i; i = s->layers.nexts[i])
        ct_mixer_set_voice_bus(s->mixer, s->layers.voices[i], s->instances.buses[slot]);
}
