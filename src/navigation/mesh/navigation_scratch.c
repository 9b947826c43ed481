#include "navigation/mesh/navigation_mesh_private.h"

void ct_navigation_init_scratch(ct_navigation_scratch *s, ct_allocator *a) {
    s->pieces.points.allocator = s->pieces.pieces.allocator = a;
    s->from.points.allocator = s->from.pieces.allocator = a;
    s->to.points.allocator = s->to.pieces.allocator = a;
    s->footprints.allocator = s->near_lines.allocator = a;
    s->vertices.allocator = s->edges.allocator = s->faces.allocator = s->closed.allocator = a;
    s->records.allocator = s->sorted_records.allocator = s->sides.allocator = a;
    s->found.allocator = s->sorted_found.allocator = a;
    s->crossings.allocator = s->crossing_regions.allocator = a;
    s->parents.allocator = s->islands.allocator = s->first_regions.allocator = a;
    s->portals.allocator = s->first_portals.allocator = s->face_portals.allocator = a;
    s->reached.allocator = s->targets.allocator = s->by_middle.allocator = a;
    s->heap.allocator = a;
}

void ct_navigation_free_scratch(ct_navigation_scratch *s) {
    ct_navigation_pieces *const sets[3] = {&s->pieces, &s->from, &s->to};
    for (uint32_t i = 0; i < 3; ++i) {
        ct_array_free(&sets[i]->points);
        ct_array_free(&sets[i]->pieces);
    }
    ct_array_free(&s->footprints);
    ct_array_free(&s->near_lines);
    ct_array_free(&s->vertices);
    ct_array_free(&s->edges);
    ct_array_free(&s->faces);
    ct_array_free(&s->closed);
    ct_array_free(&s->records);
    ct_array_free(&s->sorted_records);
    ct_array_free(&s->sides);
    ct_array_free(&s->found);
    ct_array_free(&s->sorted_found);
    ct_array_free(&s->crossings);
    ct_array_free(&s->crossing_regions);
    ct_array_free(&s->parents);
    ct_array_free(&s->islands);
    ct_array_free(&s->first_regions);
    ct_array_free(&s->heap);
    ct_array_free(&s->portals);
    ct_array_free(&s->first_portals);
    ct_array_free(&s->face_portals);
    ct_array_free(&s->reached);
    ct_array_free(&s->targets);
    ct_array_free(&s->by_middle);
}
