// navigation_case.h: small levels for tests of the compile function of navigation.
#pragma once
#include "compiler/compile_case.h"
#include "resource/types/navigation/navigation_resource.h"

#include <math.h>

// A floor of 16 by 16 metres whose top is at z = 0, and a crate of a metre on it.
#define NAVIGATION_FLOOR                                                                           \
    "components = [ { id = \"t\" type = \"transform\" } { id = \"a\" type = \"actor\" shapes = ["  \
    " { id = \"s\" type = \"box\" position = [0 0 -0.5] half_size = [8 8 0.5] } ] } ]"
#define NAVIGATION_CRATE                                                                           \
    "components = [ { id = \"t\" type = \"transform\" } { id = \"a\" type = \"actor\" shapes = ["  \
    " { id = \"s\" type = \"box\" position = [0 0 0.5] half_size = [0.5 0.5 0.5] } ] } ]"
#define NAVIGATION_FLOOR_UNIT "{ id = \"floor\" unit = \"floor\" }\n"

// Coarse, so that a test is quick: tiles of 8 m.
#define NAVIGATION_SETTINGS                                                                        \
    "level = \"town\" cell_size = 0.25 cell_height = 0.125 tile_size = 8 longest_edge = 0\n"

// A project with the units `floor` and `crate`, a level with `units`, and navigation of it with
// `source` after the settings above, on a line of its own.
static inline void navigation_write(compile_case *t, const char *units, const char *source) {
    char text[16384];
    compile_case_text(t, "floor.unit", NAVIGATION_FLOOR);
    compile_case_text(t, "crate.unit", NAVIGATION_CRATE);
    snprintf(text, sizeof(text), "units = [ %s ]\n", units);
    compile_case_text(t, "town.level", text);
    snprintf(text, sizeof(text), NAVIGATION_SETTINGS "%s", source);
    compile_case_text(t, "town.navigation", text);
}

static inline const ct_navigation_resource *navigation_make(compile_case *t, const char *units,
                                                            const char *source) {
    *t = compile_case_make();
    navigation_write(t, units, source);
    return compile_case_blob(t, "navigation", "town");
}

static inline const ct_navigation_class *navigation_class(const ct_navigation_resource *r,
                                                          uint32_t i) {
    assert_true(i < r->classes.count);
    return (const ct_navigation_class *)ct_blob_at(r, r->classes.offset) + i;
}

// Square metres of the polygons of an area (UINT32_MAX: of all) of a class, seen from above, whose
// middle is between two heights.
static inline double navigation_area(const ct_navigation_resource *r, uint32_t class, uint32_t area,
                                     float least, float most) {
    const ct_navigation_class *const c = navigation_class(r, class);
    const ct_navigation_tile_resource *const tiles = ct_blob_at(r, c->tiles.offset);
    double sum = 0;
    for (uint32_t t = 0; t < c->tiles.count; ++t) {
        const ct_navigation_polygon *const polygons = ct_blob_at(r, tiles[t].polygons.offset);
        const ct_navigation_edge *const edges = ct_blob_at(r, tiles[t].edges.offset);
        const float *const vertices = ct_blob_at(r, tiles[t].vertices.offset);
        for (uint32_t i = 0; i < tiles[t].polygons.count; ++i) {
            const ct_navigation_polygon *const p = &polygons[i];
            const float *const a = vertices + 3 * edges[p->first_edge].vertex;
            double own = 0, z = 0;
            for (uint32_t k = 0; k < p->num_edges; ++k) {
                const float *const b = vertices + 3 * edges[p->first_edge + k].vertex;
                const float *const d =
                    vertices + 3 * edges[p->first_edge + (k + 1) % p->num_edges].vertex;
                own += 0.5 * ((double)(b[0] - a[0]) * (double)(d[1] - a[1]) -
                              (double)(b[1] - a[1]) * (double)(d[0] - a[0]));
                z += (double)b[2] / p->num_edges;
            }
            if ((area == UINT32_MAX || p->area == area) && z >= (double)least && z <= (double)most)
                sum += own;
        }
    }
    return sum;
}

static inline double navigation_whole_area(const ct_navigation_resource *r) {
    return navigation_area(r, 0, UINT32_MAX, -1e6f, 1e6f);
}

static inline void assert_about(double found, double expected, double slack) {
    if (!(fabs(found - expected) <= slack))
        fail_msg("found %g, expected %g, or up to %g from it", found, expected, slack);
}

// Compiles with the blob that a file of the case's folder has as the former one; NULL: without.
static inline ct_compile_answer navigation_compile(const compile_case *t, const char *former) {
    const ct_compile_request request = {.type = "navigation",
                                        .name = "town",
                                        .path = "town.navigation",
                                        .project_folder = t->folder,
                                        .platform = "linux",
                                        .output = {.folder = t->folder, .former = former}};
    ct_compile_answer answer;
    ct_worker_compile(test_heap(), &request, &answer);
    return answer;
}
