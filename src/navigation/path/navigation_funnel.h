// navigation_funnel.h: openings between polygons of a corridor, and the string through them.
#pragma once
#include "navigation/navigation_path.h"

// Where a corridor goes from one polygon to the next.
typedef struct ct_navigation_opening {
    ct_vec3 left, right; // of a link: where it starts, and where it ends
    uint32_t link;       // 0: none
} ct_navigation_opening;

// How a way leads to its polygon.
ct_navigation_opening ct_navigation_opening_of(const ct_navigation_mesh *m,
                                               const ct_navigation_way *way);

// ct_navigation_funnel with the openings between the polygons: count - 1.
uint32_t ct_navigation_pull(const ct_navigation_mesh *m, const ct_navigation_place *polygons,
                            const ct_navigation_opening *openings, uint32_t count, ct_vec3 from,
                            ct_vec3 to, float corner_radius, ct_navigation_corner *corners,
                            uint32_t max);
