// navigation_estimate.h: how far it is to the goal, by the crossings of tiles.
//
// A search goes backwards from the goal over the crossings of regions, with the lengths of strings between
// them that tiles keep, first towards the start. It goes as far as the regions need that the search over
// polygons meets ("Cooperative Pathfinding", Silver, 2005: Reverse Resumable A*), and over even ground never
// looks at what costs more than the best way. Middles of crossings make zigzags: where a way is about straight
// over several crossings, the estimate is the straight line to the last of them. Crossings of the goal's region
// are as far as the straight line to the goal, unless a wall is seen to be between.
#pragma once
#include "navigation/path/navigation_search.h"

// Starts, from the search's goal. Looks at polygons of its region, if at all at once.
void ct_navigation_estimate_begin(ct_navigation_search *s);

// Goes on until the start's region is known, or the search has looked at `end` places. Returns whether it is.
bool ct_navigation_estimate_start(ct_navigation_search *s, uint32_t end);

// Returns the index of the region of a place, whose targets are known then: at least one.
uint32_t ct_navigation_estimate_region(ct_navigation_search *s, ct_navigation_place p);

// Notes the version of a tile that the search has looked at.
void ct_navigation_search_touch(ct_navigation_search *s, uint32_t slot);
