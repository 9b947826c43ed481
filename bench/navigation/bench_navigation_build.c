// bench_navigation_build.c: the mesh of a level of a million triangles beside Recast's own functions.
//
// `navigation_build`: hills of 708 by 708 points, half a metre apart, with cliffs: 999,698 triangles on 353 by
// 353 m, as a level with a height field. Ours is the compile function of its `.navigation`, in this process:
// reading the level and the picture, sorting triangles into tiles, hashes, Recast, our polygons, checks, the
// blob. The peer has the triangles sorted into the same tiles, and builds each up to the detailed surface with
// the same settings. Prints the polygons of both. Nothing of a build is kept for the next.
#include <math.h>
#include <png.h>
#include <stdio.h>

#include "bench.h"
#include "bench_project.h"
#include "compiler/worker/worker_compile.h"
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "peer_recast.h"
#include "resource/types/navigation/navigation_resource.h"

enum {
    POINTS = 708, // along a side
    CELLS = 128,  // of a tile
    BORDER = 5,
    RUNS = 5,
};
#define SPACING 0.5f
#define SIZE (SPACING * (POINTS - 1))
#define HEIGHT 24.0f
#define CELL 0.25f
#define CELL_HEIGHT 0.1f
#define TILE (CELL * CELLS)

static const char level[] = "units = [ { id = \"u1\"  unit = \"land\" } ]\n";
static const char unit[] =
    "components = [ { id = \"t1\"  type = \"transform\" }\n"
    "    { id = \"a1\"  type = \"actor\"  shapes = [ { id = \"s1\"  type = \"height_field\"\n"
    "      height_field = \"land\" } ] } ]\n";
static const char navigation[] =
    "level = \"town\"  cell_size = 0.25  cell_height = 0.1  tile_size = 32\n"
    "agents = [ { id = \"a1\"  name = \"human\"  radius = 0.5  height = 1.8  climb = 0.4\n"
    "    slope = 0.8 } ]\n";

// The triangles of a tile, for the peer.
typedef struct tile {
    CT_ARRAY(float) points;
    CT_ARRAY(int) corners;
    float corner[2], least, most;
} tile;

static struct {
    char folder[CT_PATH_BYTES];
    uint16_t pixels[POINTS * POINTS];
    float heights[POINTS * POINTS]; // by row from the least y
    CT_ARRAY(tile) tiles;
    uint32_t num_polygons, num_peer_polygons;
} b;

// --- The level -----------------------------------------------------------------------------------

static float height_at(uint32_t column, uint32_t row) {
    const float x = SPACING * (float)column, y = SPACING * (float)row;
    const float hills = 3 * sinf(x * 0.07f) * cosf(y * 0.05f) + sinf(x * 0.31f + y * 0.17f);
    const float cliff = sinf(x * 0.11f) + cosf(y * 0.13f) > 0.6f ? 6.0f : 0.0f;
    return HEIGHT / 2 + hills + cliff - 3;
}

static void write_text(const char *name, const void *text, uint64_t count) {
    ct_error error = {0};
    char path[CT_PATH_BYTES];
    ct_path_join(path, b.folder, name);
    if (!ct_file_write(path, text, count, false, &error))
        ct_bench_fail(path, error.message);
}

static void write_heights(void) {
    char path[CT_PATH_BYTES], text[128];
    for (uint32_t row = 0; row < POINTS; ++row) {
        for (uint32_t column = 0; column < POINTS; ++column) {
            const float whole = roundf(height_at(column, row) / HEIGHT * 65535);
            b.pixels[(POINTS - 1 - row) * POINTS + column] = (uint16_t)whole;
            b.heights[row * POINTS + column] = whole / 65535 * HEIGHT;
        }
    }
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = POINTS,
                       .height = POINTS,
                       .format = PNG_FORMAT_LINEAR_Y};
    ct_path_join(path, b.folder, "land.png");
    if (!png_image_write_to_file(&image, path, 0, b.pixels, 0, NULL))
        ct_bench_fail(path, image.message);
    const int length = snprintf(text, sizeof(text), "source = \"land.png\"  size = [%g %g %g]\n",
                                (double)SIZE, (double)SIZE, (double)HEIGHT);
    write_text("land.height_field", text, (uint64_t)length);
}

static void write_level(void) {
    ct_error error = {0};
    char program[CT_PATH_BYTES], beside[CT_PATH_BYTES];
    ct_os_executable_path(program);
    ct_path_folder(beside, program);
    ct_path_join(b.folder, beside, "bench_navigation");
    if (!ct_folder_create(b.folder, &error))
        ct_bench_fail(b.folder, error.message);
    write_heights();
    write_text("town.level", level, sizeof(level) - 1);
    write_text("land.unit", unit, sizeof(unit) - 1);
    write_text("town.navigation", navigation, sizeof(navigation) - 1);
}

static double run_ours(void) {
    const ct_compile_request request = {.type = "navigation",
                                        .name = "town",
                                        .path = "town.navigation",
                                        .project_folder = b.folder,
                                        .platform = "linux"};
    ct_compile_answer answer;
    const double start_ns = ct_bench_now_ns();
    ct_worker_compile(ct_bench_heap(), &request, &answer);
    const double ms = (ct_bench_now_ns() - start_ns) / 1e6;
    if (answer.errors.count > 0 || answer.blob.count == 0)
        ct_bench_fail("town.navigation",
                      answer.errors.count > 0 ? answer.errors.items[0].message : "no blob");
    const ct_navigation_resource *const r = (const void *)answer.blob.items;
    const ct_navigation_class *const class = ct_blob_at(r, r->classes.offset);
    const ct_navigation_tile_resource *const tiles = ct_blob_at(r, class->tiles.offset);
    b.num_polygons = 0;
    for (uint32_t i = 0; i < class->tiles.count; ++i)
        b.num_polygons += tiles[i].polygons.count;
    ct_compile_answer_free(&answer);
    return ms;
}

// --- The peer ------------------------------------------------------------------------------------

static void add_point(tile *t, uint32_t column, uint32_t row) {
    const float z = b.heights[row * POINTS + column];
    const float point[3] = {SPACING * (float)column - SIZE / 2, z, SPACING * (float)row - SIZE / 2};
    t->least = fminf(t->least, z);
    t->most = fmaxf(t->most, z);
    ct_array_push_many(&t->points, point, 3);
}

// Grid lines that a tile with its border touches.
static void lines_of(float corner, uint32_t *first, uint32_t *last) {
    const float reach = BORDER * CELL;
    const float from = floorf((corner - reach + SIZE / 2) / SPACING),
                to = ceilf((corner + TILE + reach + SIZE / 2) / SPACING);
    *first = (uint32_t)fmaxf(from, 0);
    *last = (uint32_t)fminf(to, POINTS - 1);
}

static void add_tile(int x, int y) {
    static const uint32_t order[6] = {0, 2, 1, 1, 2, 3};
    tile t = {.corner = {(float)x * TILE, (float)y * TILE}, .least = INFINITY, .most = -INFINITY};
    uint32_t least[2], most[2];
    ct_array_init(&t.points, ct_bench_heap());
    ct_array_init(&t.corners, ct_bench_heap());
    for (uint32_t k = 0; k < 2; ++k)
        lines_of(t.corner[k], &least[k], &most[k]);
    const uint32_t width = most[0] - least[0] + 1;
    for (uint32_t row = least[1]; row <= most[1]; ++row) {
        for (uint32_t column = least[0]; column <= most[0]; ++column) {
            add_point(&t, column, row);
            const uint32_t at = (row - least[1]) * width + column - least[0];
            for (uint32_t k = 0; k < 6 && row < most[1] && column < most[0]; ++k)
                ct_array_push(&t.corners, (int)(at + order[k] % 2 + order[k] / 2 * width));
        }
    }
    ct_array_push(&b.tiles, t);
}

static double run_recast(void) {
    const float slope = 2 * CELL * tanf(0.8f);
    const peer_recast_settings s = {.cell_size = CELL,
                                    .cell_height = CELL_HEIGHT,
                                    .slope = 0.8f,
                                    .cells = CELLS,
                                    .border = BORDER,
                                    .height = 18,
                                    .climb = 4,
                                    .ledge = (int)ceilf(fmaxf(0.4f, slope) / CELL_HEIGHT),
                                    .radius = 2,
                                    .edge_error = 1.3f,
                                    .longest_edge = 48,
                                    .least_area = 16,
                                    .merged_area = 96,
                                    .sample_distance = 6 * CELL,
                                    .sample_error = CELL_HEIGHT};
    b.num_peer_polygons = 0;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < b.tiles.count; ++i) {
        const tile *const t = &b.tiles.items[i];
        const peer_recast_tile one = {.corner = {t->corner[0], t->corner[1]},
                                      .least = floorf(t->least / CELL_HEIGHT - 1) * CELL_HEIGHT,
                                      .most = t->most + 2 * CELL_HEIGHT,
                                      .points = t->points.items,
                                      .corners = t->corners.items,
                                      .num_points = (int)t->points.count / 3,
                                      .num_triangles = (int)t->corners.count / 3};
        const int count = peer_recast_build(&s, &one);
        if (count < 0)
            ct_bench_fail("a tile", "Recast does not build it");
        b.num_peer_polygons += (uint32_t)count;
    }
    return (ct_bench_now_ns() - start_ns) / 1e6;
}

// --- The case ------------------------------------------------------------------------------------

static void begin(void) {
    write_level();
    ct_array_init(&b.tiles, ct_bench_heap());
    const int first = (int)floorf(-SIZE / 2 / TILE), end = (int)ceilf(SIZE / 2 / TILE);
    for (int y = first; y < end; ++y)
        for (int x = first; x < end; ++x)
            add_tile(x, y);
}

static void end(void) {
    fprintf(stderr, "%u tiles; polygons: ours %u, Recast %u\n", b.tiles.count, b.num_polygons,
            b.num_peer_polygons);
    for (uint32_t i = 0; i < b.tiles.count; ++i) {
        ct_array_free(&b.tiles.items[i].points);
        ct_array_free(&b.tiles.items[i].corners);
    }
    ct_array_free(&b.tiles);
}

static const ct_bench_case cases[] = {
    {.workload = "navigation_build",
     .subject = "1,000,000 triangles",
     .peer = "Recast",
     .unit = "ms",
     .goal = 1.2,
     .num_runs = RUNS,
     .begin = begin,
     .end = end,
     .run_subject = run_ours,
     .run_peer = run_recast},
};
const ct_bench_group ct_bench_navigation_build = {"navigation", cases, CT_COUNT_OF(cases)};
