// Compiles navigation: what agents can walk on in a level, in tiles, for each class of agents.
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/navigation/worker_navigation.h"

bool ct_compile_navigation(ct_compile *c) {
    ct_allocator *const a = c->allocator;
    ct_worker_navigation n = {
        .compile = c, .names.allocator = a, .meshes.allocator = a, .former_tiles.allocator = a};
    ct_array_init(&n.classes, a);
    ct_array_init(&n.areas, a);
    ct_array_init(&n.marks, a);
    ct_array_init(&n.links, a);
    ct_array_init(&n.rules, a);
    ct_array_init(&n.triangles, a);
    ct_array_init(&n.pieces, a);
    ct_array_init(&n.places, a);
    if (!ct_worker_navigation_read(&n) || !ct_worker_navigation_read_level(&n) ||
        !ct_worker_navigation_place_marks(&n) || !ct_worker_navigation_sort(&n) ||
        !ct_worker_navigation_build(&n) || !ct_worker_navigation_report(&n) ||
        !ct_worker_navigation_find_links(&n))
        return false;
    ct_worker_navigation_write(&n);
    return true;
}
