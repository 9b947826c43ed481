// What is known of the sounds of an event when its whole tree was read.
#include "compiler/types/sound_event/worker_sound_event.h"

// --- Curves of paths -----------------------------------------------------------------------------

static void list_curves(ct_worker_sound_event *e, uint32_t leaf) {
    uint32_t path[CT_SOUND_EVENT_MAX_DEPTH], length = 0;
    for (uint32_t i = leaf; i != CT_SOUND_NO_NODE; i = e->nodes.items[i].parent)
        path[length++] = i;
    ct_sound_node *const out = &e->nodes.items[leaf].out;
    out->first_curve = e->leaf_curves.count;
    while (length > 0) {
        const ct_worker_sound_node *const n = &e->nodes.items[path[--length]];
        for (uint32_t i = 0; i < n->num_curves; ++i)
            ct_array_push(&e->leaf_curves, n->first_curve + i);
    }
    out->num_curves = e->leaf_curves.count - out->first_curve;
    if (out->num_curves > CT_SOUND_EVENT_MAX_LEAF_CURVES)
        ct_compile_error(e->c, e->doc, e->nodes.items[leaf].at,
                         "found %u curves of this sound and the nodes around it, expected at most "
                         "%d",
                         out->num_curves, (int)CT_SOUND_EVENT_MAX_LEAF_CURVES);
}

// --- What plays ----------------------------------------------------------------------------------

static bool plays_all(uint32_t kind) {
    return kind == CT_SOUND_NODE_CHAIN || kind == CT_SOUND_NODE_LAYERS ||
           kind == CT_SOUND_NODE_BLEND;
}

// Returns how often the sounds of a child count: a sound repeats by itself, other nodes are picked again.
static uint32_t times_of(const ct_sound_node *parent, const ct_sound_node *child) {
    const bool is_picked_again =
        parent->kind == CT_SOUND_NODE_CHAIN && child->kind != CT_SOUND_NODE_SOUND;
    return is_picked_again ? child->repeats : 1;
}

// Returns how many sounds of a node and those below it play in one start.
static uint32_t count_sounds(const ct_worker_sound_event *e, const ct_sound_node *n,
                             const uint32_t *counts) {
    uint32_t count = n->kind == CT_SOUND_NODE_SOUND;
    for (uint32_t c = n->first_child; c != CT_SOUND_NO_NODE; c = e->nodes.items[c].out.next) {
        const uint32_t child = counts[c] * times_of(n, &e->nodes.items[c].out);
        count = plays_all(n->kind) ? count + child : child > count ? child : count;
    }
    return count;
}

// Reports the innermost nodes that have more sounds for one start than there are layers.
static void check_layers(ct_worker_sound_event *e) {
    uint32_t counts[CT_SOUND_EVENT_MAX_NODES] = {0};
    for (uint32_t i = e->nodes.count; i-- > 0;) {
        const ct_worker_sound_node *const n = &e->nodes.items[i];
        counts[i] = count_sounds(e, &n->out, counts);
        if (counts[i] <= CT_SOUND_EVENT_MAX_LAYERS)
            continue;
        ct_compile_error(e->c, e->doc, n->at,
                         "found %u sounds that play in one start of the event, expected at most "
                         "%d; a chain counts with all its sounds, as often as its nodes repeat",
                         counts[i], (int)CT_SOUND_EVENT_MAX_LAYERS);
        counts[i] = 0; // nodes around it are not to blame
    }
}

// Reports sounds of a chain that never play, since one before them loops.
static void check_chains(ct_worker_sound_event *e) {
    bool loops[CT_SOUND_EVENT_MAX_NODES] = {false};
    for (uint32_t i = e->nodes.count; i-- > 0;) {
        const ct_worker_sound_node *const n = &e->nodes.items[i];
        loops[i] |= (n->out.flags & CT_SOUND_NODE_LOOPS) != 0;
        if (!loops[i] || n->parent == CT_SOUND_NO_NODE)
            continue;
        loops[n->parent] = true;
        if (e->nodes.items[n->parent].out.kind == CT_SOUND_NODE_CHAIN &&
            n->out.next != CT_SOUND_NO_NODE)
            ct_compile_error(e->c, e->doc, n->at,
                             "what is behind this in the chain never plays: it loops; only the "
                             "last one of a chain may");
    }
}

// --- Places --------------------------------------------------------------------------------------

static bool is_over(const ct_sound_curve *curve, ct_sound_built_in parameter) {
    return curve->parameter.value == ct_sound_built_in_id(parameter).value;
}

// Warns of curves and settings that change nothing.
static void check_places(ct_worker_sound_event *e) {
    bool has_distance = false;
    for (uint32_t i = 0; i < e->curves.count; ++i) {
        const ct_sound_curve *const curve = &e->curves.items[i];
        has_distance |=
            is_over(curve, CT_SOUND_BUILT_IN_DISTANCE) && curve->target <= CT_SOUND_TARGET_GAIN;
        if (!e->source.spatial.entry && (is_over(curve, CT_SOUND_BUILT_IN_DISTANCE) ||
                                         is_over(curve, CT_SOUND_BUILT_IN_ANGLE) ||
                                         is_over(curve, CT_SOUND_BUILT_IN_OCCLUSION)))
            ct_compile_warning(e->c, e->doc, e->curve_places.items[i],
                               "the parameter is always 0: the event has no `spatial`");
    }
    if (e->out.spatial.is_spatial && !has_distance &&
        e->out.spatial.attenuation == CT_SOUND_ATTENUATION_CURVE)
        ct_compile_warning(e->c, e->doc, e->source.spatial,
                           "attenuation = \"curve\" without a curve of volume or gain over "
                           "distance: it is as loud at any distance");
}

void ct_worker_sound_leaves(ct_worker_sound_event *e) {
    for (uint32_t i = 0; i < e->nodes.count; ++i) {
        if (e->nodes.items[i].out.kind == CT_SOUND_NODE_SOUND)
            list_curves(e, i);
    }
    if (e->curves.count > CT_SOUND_EVENT_MAX_CURVES)
        ct_compile_error(e->c, e->doc, e->curve_places.items[CT_SOUND_EVENT_MAX_CURVES],
                         "found %u curves with those of blends, expected at most %d",
                         e->curves.count, (int)CT_SOUND_EVENT_MAX_CURVES);
    check_layers(e);
    check_chains(e);
    check_places(e);
}
