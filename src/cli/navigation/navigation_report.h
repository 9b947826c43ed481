// navigation_report.h: what a compiled navigation has: sizes, islands, links that lead nowhere.
//
// All memory is from the allocator that is given, which is a temp allocator.
#pragma once
#include "foundation/container/array.h"
#include "navigation/navigation_mesh.h"

// A link of a class that touches no polygon at one end or both.
typedef struct ct_navigation_loose_link {
    uint32_t link;
    bool has_no_start, has_no_end;
} ct_navigation_loose_link;

// The mesh of a class.
typedef struct ct_navigation_class_report {
    const ct_navigation_class *class;
    const char *name;
    uint32_t num_polygons, num_vertices, num_triangles;
    uint64_t num_bytes; // of its tiles
    uint32_t num_links, num_found_links;
    double square_metres, area_metres[CT_NAVIGATION_MAX_AREAS];
    CT_ARRAY(double) islands; // square metres of each, from large to small
    CT_ARRAY(ct_navigation_loose_link) loose_links;
} ct_navigation_class_report;

// Of a blob, by class in its order.
typedef struct ct_navigation_report {
    const ct_navigation_resource *resource;
    ct_navigation_class_report classes[CT_NAVIGATION_MAX_CLASSES];
} ct_navigation_report;

// Fills the report of a blob that was checked, which is borrowed.
void ct_navigation_report_make(ct_navigation_report *r, ct_allocator *a,
                               const ct_navigation_resource *resource);

// Print it, as text and as one JSON object.
void ct_navigation_report_print(const ct_navigation_report *r);
void ct_navigation_report_print_json(const ct_navigation_report *r, ct_allocator *a);
