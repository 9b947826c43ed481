// navigation_paths.h: queries over steps, for the files of src/navigation/path.
//
// Queries lie in slots; lists have their slots in the order in which they were added. The first
// CT_NAVIGATION_WINDOW of those that wait are searched, each with a search of its own. An update has
// rounds: each gives the rest of the budget in equal parts to these, in tasks, and takes what was used.
// So the answers depend on budgets only.
#pragma once
#include "navigation/path/navigation_search.h"

enum { CT_NAVIGATION_WINDOW = 32, CT_NAVIGATION_BUDGET = 20000 };

typedef struct ct_navigation_query_slot {
    ct_navigation_path_desc desc; // its filter is owned
    ct_navigation_search *search; // while it is in the window
    ct_navigation_path answer;    // owned
    uint64_t sequence;            // 0: a free slot
    uint64_t added_at;            // number of the update before
    uint32_t spent;               // polygons looked at, so far
    uint32_t replay;              // to look at again after restoring, which costs nothing
    bool has_begun, is_done, has_restarted;
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
    uint64_t num_updates, next_sequence, mesh_version;
    uint32_t num_live, num_deadlines;
    CT_ARRAY(ct_navigation_query_slot) queries;
    CT_ARRAY(uint32_t) free_slots;
    ct_navigation_slots waiting, answered;
    CT_ARRAY(ct_navigation_search *) free_searches;
    uint32_t window[CT_NAVIGATION_WINDOW]; // slots of a round
    uint32_t num_window, slice;
};

// Frees what a query has and its slot.
void ct_navigation_paths_drop(ct_navigation_paths *p, uint32_t slot);
// All of them.
void ct_navigation_paths_clear(ct_navigation_paths *p);
// Has queries that were restored go as far as they had gone, before the mesh changes.
void ct_navigation_paths_replay(ct_navigation_paths *p);
// Copies of arrays, of the allocator.
ct_navigation_path ct_navigation_path_copy(ct_allocator *a, const ct_navigation_path *path);
