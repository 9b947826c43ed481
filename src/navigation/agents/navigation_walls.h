// navigation_walls.h: walls of the mesh around an agent, as half planes of velocities.
#pragma once
#include "navigation/agents/navigation_avoidance.h"
#include "navigation/navigation_mesh.h"

// Sets half planes that keep a point from walls within `reach` metres: it may come as near to them in
// `seconds` as they are. Of many, the nearest. Returns their number. Links and polygons of areas that
// `filter` closes count as walls. Any thread.
uint32_t ct_navigation_walls_around(const ct_navigation_mesh *m, const ct_navigation_filter *filter,
                                    ct_navigation_place place, ct_vec3 position, float reach,
                                    float seconds, ct_navigation_half_plane *planes);
