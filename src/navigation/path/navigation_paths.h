// navigation_paths.h: queries over steps, for the files of src/navigation/path.
//
// Queries lie in slots; lists have their slots in the order in which they were added. The first
// CT_NAVIGATION_WINDOW of those that wait are searched, each with a search of its own. An update has
// rounds: each gives the rest of the budget in equal parts to these, in tasks, and takes what was used.
// So the answers depend on budgets only.
#pragma once
#include "navigation/path/navigation_search.h"

enum {
    CT_NAVIGATION_WINDOW = 8,
    CT_NAVIGATION_BUDGET = 20000,
    CT_NAVIGATION_MOST_RESTARTS = 2, // the last one is short, for a partial answer
    CT_NAVIGATION_LAST_TRY = 256,    // polygons of it
    CT_NAVIGATION_MOST_CROWDS = 2,   // then crowds are ignored
    CT_NAVIGATION_KEPT_MEMORY = 1024,
};

// Memory of a query, which later queries use again.
typedef struct ct_navigation_query_memory {
    ct_navigation_filter *filter; // or NULL
    ct_navigation_corner *corners;
    ct_navigation_place *polygons;
    uint32_t max_corners, max_polygons;
} ct_navigation_query_memory;

typedef struct ct_navigation_query_slot {
    ct_navigation_path_desc desc; // its filter is in `memory`
    ct_navigation_search *search; // while it is in the window
    ct_navigation_path answer;    // its arrays are in `memory`
    ct_navigation_query_memory memory;
    uint64_t sequence;    // 0: a free slot
    uint64_t added_at;    // number of the update before
    uint32_t spent;       // polygons looked at, so far
    uint8_t num_restarts; // as tiles, areas or costs that it has looked at changed
    uint8_t num_crowds;   // begins as what is crowded changed
    bool has_begun, is_done;
    bool has_paid; // finding the ends was counted
} ct_navigation_query_slot;

typedef struct ct_navigation_slots {
    CT_ARRAY(uint32_t) slots; // UINT32_MAX: taken or cancelled
    uint32_t first;           // those before are gone
} ct_navigation_slots;

struct ct_navigation_paths {
    ct_allocator *allocator;
    const ct_navigation_mesh *mesh;
    ct_task_manager *tasks;
    uint32_t budget;
    uint64_t num_updates, next_sequence, mesh_version, crowd_hash;
    bool has_ended; // a query was restored that is over
    uint32_t num_live, num_deadlines;
    CT_ARRAY(ct_navigation_query_slot) queries;
    CT_ARRAY(uint32_t) free_slots;
    ct_navigation_slots waiting, answered;
    CT_ARRAY(ct_navigation_search *) free_searches;
    CT_ARRAY(ct_navigation_query_memory) free_memory; // at most CT_NAVIGATION_KEPT_MEMORY
    uint32_t window[CT_NAVIGATION_WINDOW];            // slots of a round
    uint32_t num_window, slice;
};

// What a query does next, as something has changed that its search has seen.
typedef enum ct_navigation_change {
    CT_NAVIGATION_CHANGE_NONE,
    CT_NAVIGATION_CHANGE_MESH,
    CT_NAVIGATION_CHANGE_CROWD,
} ct_navigation_change;
ct_navigation_change ct_navigation_paths_change(const ct_navigation_paths *p,
                                                const ct_navigation_query_slot *q);
// Whether it may not start over again.
bool ct_navigation_paths_is_over(const ct_navigation_path_desc *desc, uint32_t num_restarts);
// Gives a query a search, if it has not got one.
void ct_navigation_paths_give_search(ct_navigation_paths *p, ct_navigation_query_slot *q);
// Begins the search of a query.
void ct_navigation_paths_begin(ct_navigation_paths *p, ct_navigation_query_slot *q);

// Frees what a query has and its slot.
void ct_navigation_paths_drop(ct_navigation_paths *p, uint32_t slot);
// All of them.
void ct_navigation_paths_clear(ct_navigation_paths *p);
// Copy the filter and the answer of a query to its memory.
void ct_navigation_query_set_filter(ct_navigation_paths *p, ct_navigation_query_slot *q,
                                    const ct_navigation_filter *filter);
void ct_navigation_query_set_answer(ct_navigation_paths *p, ct_navigation_query_slot *q,
                                    const ct_navigation_path *path);
