// navigation_walk.h: which polygons are beside each other for walking.
#pragma once
#include "navigation/path/navigation_search.h"

// Whether a way leads to a polygon that the filter (NULL: any) allows; links do not.
bool ct_navigation_may_enter(const ct_navigation_tile *tiles, const ct_navigation_filter *filter,
                             const ct_navigation_way *w);
