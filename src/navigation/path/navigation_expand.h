// navigation_expand.h: the nodes that follow a node (navigation_search.h).
#pragma once
#include "navigation/path/navigation_search.h"

// Pushes the start.
void ct_navigation_expand_start(ct_navigation_search *s);

// Pushes the nodes that follow node `index`, which is not the goal.
void ct_navigation_expand(ct_navigation_search *s, uint32_t index);

// The cost of a metre in a polygon: of its area, and more where it is crowded. Infinite: closed.
float ct_navigation_cost_of(const ct_navigation_search *s, ct_navigation_place place);

// Whether a wall, or ground that costs something else, touches a point of the boundary of a polygon, so that
// paths may turn there.
bool ct_navigation_is_corner(const ct_navigation_search *s, ct_navigation_place p, ct_vec3 point);

// The cost of a link of that many metres, by its index from 1. Infinite: closed.
float ct_navigation_cost_of_link(const ct_navigation_search *s, uint32_t link, float length);

// Whether the ground costs the same everywhere. Then ct_navigation_expand_quick takes the place of
// ct_navigation_expand: a node is a polygon, entered by the best way to the goal as estimated, with the string
// up to it. `cost` is in metres. It looks at less, and paths are up to a few per cent longer.
bool ct_navigation_is_even(ct_navigation_search *s);
// Whether a better node of the same polygon was found since this one.
bool ct_navigation_is_beaten(ct_navigation_search *s, uint32_t index);
void ct_navigation_expand_quick(ct_navigation_search *s, uint32_t index);
