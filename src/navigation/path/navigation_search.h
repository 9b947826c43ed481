// navigation_search.h: what a search keeps, for the files of src/navigation/path.
//
// The search goes over polygons with intervals, after "Compromise-free Pathfinding on a Navigation
// Mesh" (Cui, Harabor and Grastien, 2017): a node is an interval of a way and the last corner (root)
// from which all of the interval is in sight. Lengths are those of pulled strings, so what is found
// needs no repair. Where the cost of the ground changes, the root moves to a point of the interval.
// Over even ground a node is a polygon (navigation_expand_quick.c).
//
// Nodes lie in an array, open ones in a heap. Ways, corners and regions that were met lie in arrays
// too, found by tables whose entries have the number of the search, so a new search clears nothing.
#pragma once
#include "foundation/container/array.h"
#include "navigation/path/navigation_funnel.h"

// --- Tables --------------------------------------------------------------------------------------

// An entry of a table; it is free when its stamp is not that of the table.
typedef struct ct_navigation_entry {
    uint64_t key;
    uint32_t stamp, index;
} ct_navigation_entry;

// From keys to indices, by open addressing.
typedef struct ct_navigation_table {
    ct_navigation_entry *entries;
    uint32_t mask, count, stamp; // mask 0: no memory yet
} ct_navigation_table;

// Makes room; forgets all keys, in constant time; frees the memory.
void ct_navigation_table_grow(ct_navigation_table *t, ct_allocator *a);
void ct_navigation_table_clear(ct_navigation_table *t);
void ct_navigation_table_free(ct_navigation_table *t, ct_allocator *a);

// Bits of floats are in keys, whose low ones are often 0.
static inline uint32_t ct_navigation_hash(uint64_t key) {
    key = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(key >> 40) ^ (uint32_t)(key >> 20);
}

// Returns the index of `key`; UINT32_MAX after it was added with `index`.
static inline uint32_t ct_navigation_table_add(ct_navigation_table *t, ct_allocator *a,
                                               uint64_t key, uint32_t index) {
    if (t->count * 2 >= t->mask)
        ct_navigation_table_grow(t, a);
    uint32_t at = ct_navigation_hash(key) & t->mask;
    while (t->entries[at].stamp == t->stamp) {
        if (t->entries[at].key == key)
            return t->entries[at].index;
        at = (at + 1) & t->mask;
    }
    t->entries[at] = (ct_navigation_entry){key, t->stamp, index};
    ++t->count;
    return UINT32_MAX;
}

// --- Heaps ---------------------------------------------------------------------------------------

// The least key first; of equal keys the lower value, so orders do not depend on the heap's form. Items are
// both in one number, the key above, so that one comparison orders them.
typedef CT_ARRAY(uint64_t) ct_navigation_heap;

// An item of a heap.
typedef struct ct_navigation_open {
    float key;
    uint32_t value;
} ct_navigation_open;

// Adds a value; takes the one with the least key, of a heap that has one; returns its key.
void ct_navigation_heap_push(ct_navigation_heap *h, float key, uint32_t value);
ct_navigation_open ct_navigation_heap_pop(ct_navigation_heap *h);
float ct_navigation_heap_least(const ct_navigation_heap *h);

// --- A search ------------------------------------------------------------------------------------

enum {
    CT_NAVIGATION_NODE_WHOLE = 1,     // all of the polygon is in sight of the root
    CT_NAVIGATION_NODE_LEFT_END = 2,  // the interval ends where the way does
    CT_NAVIGATION_NODE_RIGHT_END = 4, // so does its right end
    CT_NAVIGATION_NODE_GOAL = 8,
    CT_NAVIGATION_NODE_ON_LINK = 16, // reached by a link
};

typedef struct ct_navigation_node {
    ct_vec3 root, left, right; // the interval as seen from the root; of the start, its point
    float cost;                // up to the root
    uint32_t parent;           // UINT32_MAX: the start
    ct_navigation_place polygon;
    uint32_t way;    // of the parent's tile
    uint32_t region; // of a quick search: the met region
    uint32_t flags;
} ct_navigation_node;

// A way that was met: what comes later and is dearer everywhere is left out.
typedef struct ct_navigation_met_way {
    float dearest; // of its points, by the best node; of a quick search, the cost of the whole path
    uint32_t count; // of nodes; of a quick search, the best node
} ct_navigation_met_way;

// What of a way was met from a root: a share from its right end to its left.
typedef struct ct_navigation_met_sight {
    float cost, from, to;
} ct_navigation_met_sight;

typedef struct ct_navigation_met_corner {
    float cost;
    uint32_t is_corner; // 0: not known, 1: no, 2: yes
} ct_navigation_met_corner;

// Where a region leads: a point and how far it is from there to the goal.
typedef struct ct_navigation_target {
    ct_vec3 point;
    float rest;
} ct_navigation_target;

// A region that either search has met. Its records are those of its crossings, in a row.
typedef struct ct_navigation_met_region {
    uint32_t slot, region;
    uint32_t first_record, num_records;
    uint32_t first_target, num_targets; // num_targets 0: not resolved yet
    bool is_settled;                    // one of its crossings is
} ct_navigation_met_region;

// How far it is from a crossing (before it) to the goal.
typedef struct ct_navigation_record {
    float rest;
    uint32_t region; // index of the met region
    uint32_t twin;   // the crossing back; UINT32_MAX: not known, UINT32_MAX - 1: there is no such
    ct_navigation_target anchor; // the farthest point that is in about a straight line
    bool is_settled;
} ct_navigation_record;

// A tile that was looked at. Nodes and records have numbers of its ways and crossings, too.
typedef struct ct_navigation_touched {
    uint64_t link_version;
    uint32_t slot, version;
} ct_navigation_touched;

// What a search does next: find how far it is, look at polygons, answer.
typedef enum ct_navigation_stage {
    CT_NAVIGATION_STAGE_NEW,
    CT_NAVIGATION_STAGE_SEARCH,
    CT_NAVIGATION_STAGE_DONE,
} ct_navigation_stage;

struct ct_navigation_search {
    ct_allocator *allocator;
    const ct_navigation_mesh *mesh;
    const ct_navigation_tile *tiles;
    uint32_t num_slots;
    ct_navigation_filter filter;
    ct_navigation_path_desc desc;
    ct_navigation_stage stage;
    uint32_t num_looked_at;
    uint64_t version;

    ct_navigation_place from, to;
    ct_vec3 from_point, to_point;
    uint32_t from_region, to_region; // indices of met regions
    float bound;                     // the estimate is made for what costs at most this
    bool is_near;                    // the estimate is the straight distance
    bool is_apart;                   // the goal is on another island
    bool is_quick;                   // one node for each polygon (navigation_expand.h)
    bool has_closed;                 // an area is closed; of a quick search
    bool floods;                     // over polygons without intervals, each way once
    bool ignores_crowd;
    bool has_filter; // of the desc; else that of the mesh

    CT_ARRAY(ct_navigation_node) nodes;
    ct_navigation_heap open, open_records;
    ct_navigation_table way_table, sight_table, corner_table, region_table, slot_table;
    CT_ARRAY(ct_navigation_met_way) ways;
    CT_ARRAY(ct_navigation_met_sight) sights;
    CT_ARRAY(ct_navigation_met_corner) corners;
    CT_ARRAY(ct_navigation_met_region) regions;
    CT_ARRAY(ct_navigation_record) records;
    CT_ARRAY(ct_navigation_target) targets;
    CT_ARRAY(ct_navigation_touched) touched;
    uint32_t best_node; // nearest to the goal, for partial answers
    float best_distance;

    CT_ARRAY(ct_navigation_place) corridor;
    CT_ARRAY(ct_navigation_corner) path;
    CT_ARRAY(ct_navigation_opening) openings;
};

// Makes `s` ready for a search on `m`; keeps memory.
void ct_navigation_search_clear(ct_navigation_search *s, const ct_navigation_mesh *m);

// The steps of ct_navigation_find_path. Step looks at up to `max_polygons` more and returns whether the
// answer is there; then finish fills `path` (once or more).
void ct_navigation_search_begin(ct_navigation_search *s, const ct_navigation_mesh *m,
                                const ct_navigation_path_desc *desc);
bool ct_navigation_search_step(ct_navigation_search *s, uint32_t max_polygons);
// Whether no tile has changed that the search has looked at, nor the mesh's filter. Else it may only begin
// again.
bool ct_navigation_search_is_valid(const ct_navigation_search *s);
void ct_navigation_search_finish(ct_navigation_search *s, ct_navigation_path *path);
