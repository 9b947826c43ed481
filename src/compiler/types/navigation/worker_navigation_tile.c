// All tiles of all classes: built, or taken from the former output where their input is the same.
#include <math.h>
#include <string.h>

#include "compiler/types/navigation/worker_navigation_tile.h"
#include "foundation/error.h"
#include "foundation/math/math.h"

// --- The former output ---------------------------------------------------------------------------

// A tile is known by the hash of its input, wherever it was.
static void find_former(ct_worker_navigation *n) {
    const ct_navigation_resource *const r = ct_compile_former(n->compile);
    n->former_tiles.allocator = n->compile->allocator;
    if (!r || !ct_navigation_validate(r, NULL))
        return;
    n->former = r;
    const ct_navigation_class *const classes = ct_blob_at(r, r->classes.offset);
    for (uint32_t i = 0; i < r->classes.count; ++i) {
        for (uint32_t k = 0; k < classes[i].tiles.count; ++k) {
            const uint32_t offset =
                classes[i].tiles.offset + k * (uint32_t)sizeof(ct_navigation_tile_resource);
            const ct_navigation_tile_resource *const tile = ct_blob_at(r, offset);
            ct_hash_map_set(&n->former_tiles, tile->input_hash, offset);
        }
    }
}

#define COPY(to, from)                                                                             \
    (ct_array_init(&(to), a),                                                                      \
     ct_array_push_many(&(to), (const void *)ct_blob_at(r, (from).offset), (from).count))

static bool take_former(const ct_worker_navigation_input *input, ct_worker_navigation_tile *tile) {
    const ct_worker_navigation *const n = input->n;
    ct_allocator *const a = n->compile->allocator;
    const ct_navigation_resource *const r = n->former;
    const uint64_t *const at = ct_hash_map_find(&n->former_tiles, input->hash);
    if (!at)
        return false;
    const ct_navigation_tile_resource *const from = ct_blob_at(r, (uint32_t)*at);
    tile->data = *from;
    COPY(tile->polygons, from->polygons);
    COPY(tile->edges, from->edges);
    COPY(tile->vertices, from->vertices);
    COPY(tile->surface_vertices, from->surface_vertices);
    COPY(tile->triangles, from->triangles);
    return from->x == input->x && from->y == input->y;
}

// --- Painting ------------------------------------------------------------------------------------

// The floor of a voxel is above the ground by up to its height: it is inside when either is.
static bool is_inside(const ct_volume *shape, const float at[3], float step) {
    return ct_volume_contains(shape, ct_vec3_make(at[0], at[1], at[2])) ||
           ct_volume_contains(shape, ct_vec3_make(at[0], at[1], at[2] - step));
}

static uint8_t paint(void *user, bool is_cutting, const float point[3], uint8_t area) {
    const ct_worker_navigation_input *const input = user;
    const float at[3] = {input->corner[0] + point[0], input->corner[1] + point[1],
                         input->base + point[2]};
    for (uint32_t i = input->marks.count; i-- > 0;) { // later ones paint over earlier ones
        const ct_worker_navigation_mark *const mark = &input->n->marks.items[input->marks.items[i]];
        if ((mark->source.is_cut != 0) == is_cutting &&
            is_inside(&mark->shape, at, input->n->source.cell_height))
            return is_cutting ? (uint8_t)CT_RECAST_NO_GROUND
                              : (uint8_t)(CT_RECAST_GROUND + mark->area);
    }
    return area;
}

// --- Building ------------------------------------------------------------------------------------

static uint32_t square_cells(float area, float cell) {
    return (uint32_t)fminf(ceilf(area / (cell * cell)), 1 << 24);
}

// The numbers that Recast counts in cells. Regions are merged up to six times the least area.
static ct_recast_desc desc_of(ct_worker_navigation_input *input) {
    const ct_worker_navigation *const n = input->n;
    const ct_navigation_source *const s = &n->source;
    const ct_navigation_class_source *const c = &n->classes.items[input->class].source;
    const float cell = s->cell_size, step = s->cell_height;
    const float slope = 2 * cell * tanf(fminf(c->slope, 1.4f)); // from one neighbour to the other
    return (ct_recast_desc){
        .allocator = n->compile->blob.bytes.allocator,
        .cells = n->cells,
        .border = input->border,
        .levels = input->levels,
        .cell_size = cell,
        .cell_height = step,
        .height = (uint32_t)fmaxf(ceilf(c->height / step - 1e-3f), 1),
        .climb = (uint32_t)floorf(c->climb / step + 1e-3f),
        .ledge = (uint32_t)ceilf(fmaxf(c->climb, slope) / step),
        .radius = (uint32_t)ceilf(c->radius / cell - 1e-3f),
        .edge_error = s->edge_error > 0 ? s->edge_error / cell : 1.3f,
        .longest_edge = (uint32_t)ceilf(s->longest_edge / cell),
        .least_area = square_cells(s->least_area, cell),
        .merged_area = square_cells(6 * s->least_area, cell),
        .sample_distance = 6 * cell,
        .sample_error = step,
        .points = input->points.items,
        .is_walkable = input->is_walkable.items,
        .num_triangles = input->triangles.count,
        .solids = input->solids.items,
        .num_solids = input->solids.count,
        .paint = input->marks.count > 0 ? paint : NULL,
        .user = input,
    };
}

static bool check_levels(const ct_worker_navigation_input *input) {
    const ct_worker_navigation *const n = input->n;
    ct_compile *const c = n->compile;
    const double height = (double)input->n->source.cell_height;
    return input->levels <= CT_RECAST_MAX_LEVELS ||
           ct_compile_error(c, c->doc, n->source.level_value,
                            "the shapes at %g, %g are %g m high, expected at most %g; raise "
                            "`cell_height`",
                            (double)input->corner[0], (double)input->corner[1],
                            height * input->levels, height * CT_RECAST_MAX_LEVELS);
}

static bool build_tile(ct_worker_navigation_input *input, ct_worker_navigation_snap *snap,
                       ct_worker_navigation_tile *tile) {
    const ct_worker_navigation *const n = input->n;
    ct_compile *const c = n->compile;
    ct_recast_result result;
    if (!check_levels(input))
        return false;
    ct_worker_navigation_set_points(input);
    const ct_recast_desc desc = desc_of(input);
    const char *const problem = ct_recast_build(&desc, &result);
    if (problem)
        return ct_compile_error(
            c, c->doc, n->source.level_value,
            "the %s of the tile at %g, %g cannot be made; lower `tile_size`, or "
            "raise `cell_size`",
            problem, (double)input->corner[0], (double)input->corner[1]);
    ct_worker_navigation_repair(desc.allocator, input, &result);
    ct_worker_navigation_snap_init(snap, input);
    const bool is_taken = ct_worker_navigation_take(input, snap, &result, tile);
    ct_recast_result_free(desc.allocator, &result);
    return is_taken;
}

static bool build_class(ct_worker_navigation *n, uint32_t class) {
    ct_worker_navigation_input input;
    ct_worker_navigation_snap snap;
    ct_worker_navigation_input_init(&input, n, class);
    ct_array_init(&snap.firsts, n->compile->allocator);
    ct_array_init(&snap.triangles, n->compile->allocator);
    for (uint32_t i = 0; i < n->places.count; ++i) {
        ct_worker_navigation_tile tile;
        if (!ct_worker_navigation_gather(&input, &n->places.items[i]))
            continue;
        if (!take_former(&input, &tile) && !build_tile(&input, &snap, &tile))
            return false;
        if (tile.polygons.count == 0)
            continue;
        ct_array_push(&n->tiles[class], tile);
    }
    return true;
}

bool ct_worker_navigation_build(ct_worker_navigation *n) {
    find_former(n);
    n->tiles = CT_NEW_ARRAY(n->compile->allocator, ct_worker_navigation_tiles, n->classes.count);
    for (uint32_t i = 0; i < n->classes.count; ++i) {
        ct_array_init(&n->tiles[i], n->compile->allocator);
        if (!build_class(n, i))
            return false;
    }
    return true;
}
