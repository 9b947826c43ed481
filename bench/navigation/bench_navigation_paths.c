// bench_navigation_paths.c: searches on grid maps, beside Detour on the same polygons in the same tiles of
// 32 m, and beside a plain A* over the cells.
//
// The maps are those of `--maps DIR`, or else a town that is made. Up to 200 queries of each, spread over
// those of its scenarios. The table of the maps goes to standard error.
//
// - `navigation_paths`: the median query of the median map, from two points to the corners of the path:
//   nearest polygons, search and string. Detour does the same with findNearestPoly, findPath and
//   findStraightPath; in the second row it is given the polygons.
// - `navigation_lengths`: lengths of all queries to the lengths of the scenarios: the median and the worst.
//   Of 100 queries to the shortest path at any angle, the median.
// - `navigation_thousand`: 1,000 queries at once over steps, with a worker beside without tasks.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_project.h"
#include "foundation/error.h"
#include "grid_search.h"
#include "navigation/navigation_path.h"
#include "navigation_map.h"

enum {
    MOST_MAPS = 32,
    MOST_QUERIES = 200, // of a map, in a run
    NUM_ANY_ANGLE = 100,
    NUM_AT_ONCE = 1000,
    MOST_RUNS = 1001 + 1, // of bench_main.c
    GRID_RUNS = 3,
};

// The median query of a map in a run, microseconds.
typedef struct times {
    double us[MOST_RUNS];
    uint32_t count;
} times;

typedef enum subject { OURS, DETOUR, DETOUR_KNOWN, GRID, NUM_SUBJECTS } subject;

typedef struct place {
    const navigation_map *map;
    ct_navigation_mesh *mesh;
    peer_detour *detour;
    grid_search *grid;
    navigation_map_query queries[MOST_QUERIES];
    peer_detour_end ends[MOST_QUERIES][2];
    uint32_t num_queries;
    times times[NUM_SUBJECTS];
} place;

static struct {
    place places[MOST_MAPS];
    uint32_t num_places;
    ct_navigation_search *search;
    ct_task_manager *tasks;
    double to_octile, worst, to_any_angle; // lengths
    bool has_lengths;
} b;

// --- Numbers -------------------------------------------------------------------------------------

static int compare(const void *x, const void *y) {
    const double a = *(const double *)x, c = *(const double *)y;
    return (a > c) - (a < c);
}

static double median_of(double *values, uint32_t count) {
    qsort(values, count, sizeof(*values), compare);
    return count ? values[count / 2] : 0;
}

// --- Searches ------------------------------------------------------------------------------------

static ct_navigation_path_desc desc_of(const navigation_map_query *q) {
    return (ct_navigation_path_desc){.from = navigation_map_point(q->from_x, q->from_y),
                                     .to = navigation_map_point(q->to_x, q->to_y)};
}

static double search_ours(const place *p, const navigation_map_query *q) {
    const ct_navigation_path_desc desc = desc_of(q);
    ct_navigation_path path;
    ct_navigation_find_path(b.search, p->mesh, &desc, &path);
    return path.status == CT_NAVIGATION_FOUND ? (double)path.length : INFINITY;
}

static double search_detour(place *p, const navigation_map_query *q) {
    const peer_detour_end from = peer_detour_nearest(p->detour,
                                                     navigation_map_point(q->from_x, q->from_y)),
                          to = peer_detour_nearest(p->detour,
                                                   navigation_map_point(q->to_x, q->to_y));
    return (double)peer_detour_find(p->detour, &from, &to);
}

static double search(place *p, subject s, uint32_t i) {
    switch (s) {
    case OURS:
        return search_ours(p, &p->queries[i]);
    case DETOUR:
        return search_detour(p, &p->queries[i]);
    case DETOUR_KNOWN:
        return (double)peer_detour_find(p->detour, &p->ends[i][0], &p->ends[i][1]);
    default:
        return grid_search_octile(p->grid, &p->queries[i]);
    }
}

// --- Life cycle ----------------------------------------------------------------------------------

static void choose_queries(place *p) {
    const uint32_t count = p->map->queries.count;
    p->num_queries = count < MOST_QUERIES ? count : MOST_QUERIES;
    for (uint32_t i = 0; i < p->num_queries; ++i) {
        const navigation_map_query *const q =
            &p->map->queries.items[(uint64_t)i * count / p->num_queries];
        p->queries[i] = *q;
        p->ends[i][0] = peer_detour_nearest(p->detour, navigation_map_point(q->from_x, q->from_y));
        p->ends[i][1] = peer_detour_nearest(p->detour, navigation_map_point(q->to_x, q->to_y));
    }
}

static void begin(void) {
    navigation_maps_begin(ct_bench_maps_folder());
    const navigation_map_array *const maps = navigation_maps();
    b.num_places = maps->count < MOST_MAPS ? maps->count : MOST_MAPS;
    b.search = ct_navigation_search_create(ct_bench_heap());
    for (uint32_t i = 0; i < b.num_places; ++i) {
        place *const p = &b.places[i];
        *p = (place){.map = &maps->items[i]};
        p->mesh = ct_navigation_mesh_create(
            &(ct_navigation_mesh_desc){.allocator = ct_bench_heap(), .resource = p->map->resource});
        p->detour = navigation_map_detour(p->map);
        p->grid = grid_search_create(p->map);
        choose_queries(p);
    }
}

static void end(void) {
    for (uint32_t i = 0; i < b.num_places; ++i) {
        ct_navigation_mesh_destroy(b.places[i].mesh);
        peer_detour_destroy(b.places[i].detour);
        grid_search_destroy(b.places[i].grid);
    }
    ct_navigation_search_destroy(b.search);
    navigation_maps_end();
}

// --- Times ---------------------------------------------------------------------------------------

static double run(subject s) {
    static double us[MOST_QUERIES], medians[MOST_MAPS];
    for (uint32_t m = 0; m < b.num_places; ++m) {
        place *const p = &b.places[m];
        for (uint32_t i = 0; i < p->num_queries; ++i) {
            const double start_ns = ct_bench_now_ns();
            ct_bench_use((uint64_t)isfinite(search(p, s, i)));
            us[i] = (ct_bench_now_ns() - start_ns) / 1e3;
        }
        medians[m] = median_of(us, p->num_queries);
        if (p->times[s].count < MOST_RUNS)
            p->times[s].us[p->times[s].count++] = medians[m];
    }
    return median_of(medians, b.num_places);
}

static double run_ours(void) {
    return run(OURS);
}

static double run_detour(void) {
    return run(DETOUR);
}

static double run_detour_known(void) {
    return run(DETOUR_KNOWN);
}

static double run_grid(void) {
    return run(GRID);
}

static void end_times(void) {
    for (uint32_t m = 0; m < b.num_places; ++m) {
        place *const p = &b.places[m];
        fprintf(stderr, "%-20s", p->map->name);
        double own = 0;
        for (uint32_t s = 0; s < NUM_SUBJECTS; ++s) {
            static const char *const names[] = {"ours", "Detour", "Detour, polygons known",
                                                "grid A*"};
            if (p->times[s].count == 0)
                continue;
            const double us = median_of(p->times[s].us, p->times[s].count);
            own = s == OURS ? us : own;
            fprintf(stderr, "  %s %.4g us", names[s], us);
            if (s != OURS)
                fprintf(stderr, " (%.3f)", own / us);
        }
        fputc('\n', stderr);
    }
    end();
}

// --- Lengths -------------------------------------------------------------------------------------

typedef CT_ARRAY(double) number_array;

// Of all queries, ours and Detour's; some at any angle.
typedef struct lengths {
    number_array ours, detour, any_angle, detour_any_angle;
    double worst, detour_worst, worst_any_angle;
    uint32_t num_unlike, num_lost, num_detour_lost;
} lengths;

static void measure_any_angle(place *p, const navigation_map_query *q, double own, double detour,
                              lengths *l) {
    const double least = grid_search_any_angle(p->grid, q, own);
    ct_array_push(&l->any_angle, own / least);
    l->worst_any_angle = fmax(l->worst_any_angle, own / least);
    if (isfinite(detour))
        ct_array_push(&l->detour_any_angle, detour / least);
}

static void measure(place *p, lengths *l) {
    const uint32_t count = p->map->queries.count, some = NUM_ANY_ANGLE / b.num_places + 1;
    const uint32_t every = count / some ? count / some : 1;
    for (uint32_t i = 0; i < count; ++i) {
        const navigation_map_query *const q = &p->map->queries.items[i];
        const double own = search_ours(p, q), detour = search_detour(p, q);
        l->num_lost += !isfinite(own);
        l->num_detour_lost += !isfinite(detour);
        if (isfinite(own)) {
            ct_array_push(&l->ours, own / q->octile);
            l->worst = fmax(l->worst, own / q->octile);
        }
        if (isfinite(detour)) {
            ct_array_push(&l->detour, detour / q->octile);
            l->detour_worst = fmax(l->detour_worst, detour / q->octile);
        }
        if (i % every == every / 2 && isfinite(own)) {
            l->num_unlike += fabs(grid_search_octile(p->grid, q) - q->octile) > 0.01;
            measure_any_angle(p, q, own, detour, l);
        }
    }
}

static void print_lengths(const place *p, lengths *l) {
    fprintf(stderr,
            "%-20s %u queries, %u left out; %u not found, Detour %u, with %u sides that it cuts; "
            "%u of some that grid A* finds longer or shorter\n"
            "%-20s to octile %.4f, worst %.4f; Detour %.4f, worst %.4f; to any angle %.4f, worst "
            "%.4f; Detour %.4f\n",
            p->map->name, p->map->queries.count, p->map->num_left_out, l->num_lost,
            l->num_detour_lost, peer_detour_num_cut_sides(p->detour), l->num_unlike, "",
            median_of(l->ours.items, l->ours.count), l->worst,
            median_of(l->detour.items, l->detour.count), l->detour_worst,
            median_of(l->any_angle.items, l->any_angle.count), l->worst_any_angle,
            median_of(l->detour_any_angle.items, l->detour_any_angle.count));
}

static void begin_lengths(void) {
    if (b.has_lengths)
        return;
    b.has_lengths = true;
    begin();
    number_array all, any;
    ct_array_init(&all, ct_bench_heap());
    ct_array_init(&any, ct_bench_heap());
    for (uint32_t i = 0; i < b.num_places; ++i) {
        lengths l = {.worst = 0};
        number_array *const arrays[] = {&l.ours, &l.detour, &l.any_angle, &l.detour_any_angle};
        for (uint32_t k = 0; k < CT_COUNT_OF(arrays); ++k)
            ct_array_init(arrays[k], ct_bench_heap());
        measure(&b.places[i], &l);
        ct_array_push_many(&all, l.ours.items, l.ours.count);
        ct_array_push_many(&any, l.any_angle.items, l.any_angle.count);
        b.worst = fmax(b.worst, l.num_lost ? INFINITY : l.worst);
        print_lengths(&b.places[i], &l);
        for (uint32_t k = 0; k < CT_COUNT_OF(arrays); ++k)
            ct_array_free(arrays[k]);
    }
    b.to_octile = median_of(all.items, all.count);
    b.to_any_angle = median_of(any.items, any.count);
    ct_array_free(&all);
    ct_array_free(&any);
    end();
}

static double run_to_octile(void) {
    return b.to_octile;
}

static double run_worst(void) {
    return b.worst;
}

static double run_to_any_angle(void) {
    return b.to_any_angle;
}

static double run_one(void) {
    return 1;
}

// --- A thousand at once --------------------------------------------------------------------------

static void begin_thousand(void) {
    begin();
    b.tasks = ct_task_manager_create(
        &(ct_task_manager_desc){.allocator = ct_bench_heap(), .num_workers = 1});
}

static void end_thousand(void) {
    ct_task_manager_destroy(b.tasks);
    end();
}

static double run_thousand(ct_task_manager *tasks) {
    double ms = 0;
    for (uint32_t m = 0; m < b.num_places; ++m) {
        const place *const p = &b.places[m];
        ct_navigation_paths *const paths = ct_navigation_paths_create(&(ct_navigation_paths_desc){
            .allocator = ct_bench_heap(), .mesh = p->mesh, .tasks = tasks});
        const double start_ns = ct_bench_now_ns();
        for (uint32_t i = 0; i < NUM_AT_ONCE; ++i) {
            const ct_navigation_path_desc desc = desc_of(&p->queries[i % p->num_queries]);
            ct_navigation_paths_add(paths, &desc);
        }
        static ct_navigation_query answered[NUM_AT_ONCE];
        while (ct_navigation_paths_answered(paths, answered, NUM_AT_ONCE) < NUM_AT_ONCE)
            ct_navigation_paths_update(paths);
        ms += (ct_bench_now_ns() - start_ns) / 1e6;
        ct_navigation_paths_destroy(paths);
    }
    return ms / b.num_places;
}

static double run_with_worker(void) {
    return run_thousand(b.tasks);
}

static double run_without(void) {
    return run_thousand(NULL);
}

// --- The cases -----------------------------------------------------------------------------------

static const ct_bench_case cases[] = {
    {.workload = "navigation_paths",
     .subject = "median query",
     .peer = "Detour",
     .unit = "us",
     .goal = 0.5,
     .begin = begin,
     .end = end_times,
     .run_subject = run_ours,
     .run_peer = run_detour},
    {.workload = "navigation_paths",
     .subject = "median query",
     .peer = "Detour, polygons known",
     .unit = "us",
     .begin = begin,
     .end = end_times,
     .run_subject = run_ours,
     .run_peer = run_detour_known},
    {.workload = "navigation_paths",
     .subject = "median query",
     .peer = "A* over cells",
     .unit = "us",
     .num_runs = GRID_RUNS,
     .begin = begin,
     .end = end_times,
     .run_subject = run_ours,
     .run_peer = run_grid},
    {.workload = "navigation_lengths",
     .subject = "median",
     .peer = "of the scenario",
     .unit = "",
     .goal = 1,
     .num_runs = 1,
     .begin = begin_lengths,
     .run_subject = run_to_octile,
     .run_peer = run_one},
    {.workload = "navigation_lengths",
     .subject = "worst",
     .peer = "of the scenario",
     .unit = "",
     .goal = 1.1,
     .num_runs = 1,
     .begin = begin_lengths,
     .run_subject = run_worst,
     .run_peer = run_one},
    {.workload = "navigation_lengths",
     .subject = "median of 100",
     .peer = "at any angle",
     .unit = "",
     .num_runs = 1,
     .begin = begin_lengths,
     .run_subject = run_to_any_angle,
     .run_peer = run_one},
    {.workload = "navigation_thousand",
     .subject = "1,000 queries, a worker",
     .peer = "without tasks",
     .unit = "ms",
     .goal = 0.6,
     .begin = begin_thousand,
     .end = end_thousand,
     .run_subject = run_with_worker,
     .run_peer = run_without},
};
const ct_bench_group ct_bench_navigation_paths = {"navigation", cases, CT_COUNT_OF(cases)};
