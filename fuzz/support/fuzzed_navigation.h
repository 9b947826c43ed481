// fuzzed_navigation.h: the small mesh that targets of navigation start from: ten by eight metres in six
// tiles, with walls, an area and a link that is used both ways. Include once in a program.
#pragma once
#include "navigation/navigation_fixture.h"
#include "navigation/navigation_mesh.h"
#include "support/test_support.h"

static ct_navigation_resource *fuzzed_navigation_resource;

// Makes the resource, which lives as long as the program. Call it from LLVMFuzzerInitialize, whose answer it
// returns.
static inline int fuzzed_navigation_setup(void) {
    static const char *const rows[] = {"......@...", "..1...@...", "......@...", "..@.......",
                                       "..........", "@@@@......", ".....@....", ".....@...."};
    static const ct_navigation_link link = {.id = {7},
                                            .from = {1.5f, 1.5f, 0},
                                            .to = {8.5f, 6.5f, 0},
                                            .radius = 0.5f,
                                            .classes = 1,
                                            .flags = CT_NAVIGATION_LINK_BOTH_WAYS};
    fuzzed_navigation_resource =
        navigation_fixture_make(&(navigation_fixture_desc){.rows = rows,
                                                           .width = 10,
                                                           .height = 8,
                                                           .tile_cells = 4,
                                                           .radius = 0.2f,
                                                           .links = &link,
                                                           .num_links = 1});
    return test_group_setup(NULL);
}

// Returns a mesh of it. The caller destroys it.
static inline ct_navigation_mesh *fuzzed_navigation_mesh(void) {
    return ct_navigation_mesh_create(&(ct_navigation_mesh_desc){
        .allocator = test_heap(), .resource = fuzzed_navigation_resource});
}
