// bench_main.c: `cuttle_bench [--list] [--json] [--runs N] [--bundle DIR] [--maps DIR] [NAME…]`: NAME is
// a workload or a group. Workloads of bundles need the data folder of a bundle. Those of paths use the
// `.map` files of a folder, and without one a map that they make.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "foundation/crash/crash.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson_writer.h"

static const ct_bench_group *const groups[] = {
    &ct_bench_alloc_mixed,
    &ct_bench_alloc_growth,
    &ct_bench_alloc_small,
    &ct_bench_task,
    &ct_bench_profiler,
    &ct_bench_sjson,
    &ct_bench_hash_map,
    &ct_bench_scene_graph,
    &ct_bench_animation,
    &ct_bench_crowd,
    &ct_bench_physics,
    &ct_bench_archive,
    &ct_bench_broadphase,
    &ct_bench_bundle,
    &ct_bench_entity,
    &ct_bench_data,
    &ct_bench_transform,
    &ct_bench_velocity,
    &ct_bench_merge,
    &ct_bench_sequence_alignment,
    &ct_bench_level,
    &ct_bench_save,
    &ct_bench_database,
    &ct_bench_lua,
    &ct_bench_lua_threads,
    &ct_bench_debugger,
    &ct_bench_culling,
    &ct_bench_tag,
    &ct_bench_behaviour,
    &ct_bench_gui,
    &ct_bench_gui_distance,
    &ct_bench_gui_text,
    &ct_bench_mover,
    &ct_bench_obscurance,
    &ct_bench_physics_moving,
    &ct_bench_pipelines,
    &ct_bench_particles,
    &ct_bench_sound_parameters,
    &ct_bench_sound_mix,
    &ct_bench_widgets,
    &ct_bench_triggers,
    &ct_bench_flow,
    &ct_bench_navigation_paths,
    &ct_bench_navigation_agents,
    &ct_bench_navigation_component,
    &ct_bench_navigation_build,
    &ct_bench_network_record,
    &ct_bench_network_moving,
    &ct_bench_network_server,
    &ct_bench_plugin,
};

enum { MAX_RUNS = 1001 };

typedef struct settings {
    bool lists, json;
    uint32_t num_runs; // 0: the number of the case
    const char *const *names;
    uint32_t num_names;
} settings;

// The figures of one side, sorted.
typedef struct figures {
    double values[MAX_RUNS];
    uint32_t count;
} figures;

static ct_allocator *heap;
static const char *bundle_folder, *maps_folder;

double ct_bench_now_ns(void) {
    return (double)ct_os_time_ns();
}

ct_allocator *ct_bench_heap(void) {
    return heap;
}

const char *ct_bench_bundle_folder(void) {
    return bundle_folder;
}

const char *ct_bench_maps_folder(void) {
    return maps_folder;
}

static void add_figure(figures *f, double value) {
    uint32_t at = f->count++;
    for (; at > 0 && f->values[at - 1] > value; --at)
        f->values[at] = f->values[at - 1];
    f->values[at] = value;
}

static double median(const figures *f) {
    const uint32_t middle = f->count / 2;
    return f->count % 2 ? f->values[middle] : (f->values[middle - 1] + f->values[middle]) / 2;
}

static void print_json(const ct_bench_case *c, const figures *subject, const figures *peer) {
    ct_string_builder text;
    ct_string_builder_init(&text, heap);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "workload", c->workload);
    ct_sjson_member_string(&w, "subject", c->subject);
    ct_sjson_member_string(&w, "unit", c->unit);
    ct_sjson_member_number(&w, "median", median(subject));
    ct_sjson_member_number(&w, "min", subject->values[0]);
    ct_sjson_member_number(&w, "max", subject->values[subject->count - 1]);
    ct_sjson_member_string(&w, "peer", c->peer);
    ct_sjson_member_number(&w, "peer_median", median(peer));
    ct_sjson_member_number(&w, "ratio", median(subject) / median(peer));
    ct_sjson_member_number(&w, "goal", c->goal);
    ct_sjson_member_number(&w, "n", subject->count);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}

static void print_line(const ct_bench_case *c, const figures *subject, const figures *peer) {
    const double ratio = median(subject) / median(peer);
    printf("%-16s %-28s %10.4g %-5s (%.4g to %.4g)  %-18s %10.4g  ratio %.3f", c->workload,
           c->subject, median(subject), c->unit, subject->values[0],
           subject->values[subject->count - 1], c->peer, median(peer), ratio);
    if (c->goal > 0)
        printf("  goal %.2f %s", c->goal, ratio <= c->goal ? "met" : "MISSED");
    putchar('\n');
}

static void run_case(const ct_bench_case *c, const settings *s) {
    static figures subject, peer;
    subject.count = peer.count = 0;
    uint32_t num_runs = s->num_runs ? s->num_runs : c->num_runs;
    if (num_runs == 0)
        num_runs = CT_BENCH_LEAST_RUNS;
    if (c->begin)
        c->begin();
    // One warm-up round that does not count: caches, page faults, lazy binding.
    c->run_subject();
    c->run_peer();
    for (uint32_t i = 0; i < num_runs; ++i) {
        add_figure(&subject, c->run_subject());
        add_figure(&peer, c->run_peer());
    }
    if (c->end)
        c->end();
    (s->json ? print_json : print_line)(c, &subject, &peer);
    fflush(stdout);
}

static bool is_named(const settings *s, const ct_bench_group *g, const ct_bench_case *c) {
    for (uint32_t i = 0; i < s->num_names; ++i) {
        if (strcmp(s->names[i], c->workload) == 0 || strcmp(s->names[i], g->name) == 0)
            return true;
    }
    return s->num_names == 0;
}

static bool is_of(const ct_bench_group *g, const char *name) {
    bool result = strcmp(name, g->name) == 0;
    for (uint32_t i = 0; i < g->num_cases; ++i)
        result |= strcmp(name, g->cases[i].workload) == 0;
    return result;
}

static bool is_known(const char *name) {
    for (uint32_t g = 0; g < CT_COUNT_OF(groups); ++g)
        if (is_of(groups[g], name))
            return true;
    return false;
}

static void run_cases(const settings *s) {
    for (uint32_t g = 0; g < CT_COUNT_OF(groups); ++g) {
        for (uint32_t i = 0; i < groups[g]->num_cases; ++i) {
            const ct_bench_case *const c = &groups[g]->cases[i];
            if (!is_named(s, groups[g], c))
                continue;
            if (s->lists)
                printf("%-10s %-16s %-28s peer %-18s goal %.2f\n", groups[g]->name, c->workload,
                       c->subject, c->peer, c->goal);
            else if (bundle_folder || groups[g] != &ct_bench_bundle)
                run_case(c, s);
        }
    }
}

// Returns false after printing what is wrong. Names are moved to the front of `argv`.
static bool read_arguments(int argc, char **argv, settings *s) {
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--list") == 0) {
            s->lists = true;
        } else if (strcmp(argv[i], "--json") == 0) {
            s->json = true;
        } else if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
            const int runs = atoi(argv[++i]);
            if (runs < 1 || runs > MAX_RUNS) {
                fprintf(stderr, "cuttle_bench: --runs is \"%s\"; expected 1 to %d\n", argv[i],
                        MAX_RUNS);
                return false;
            }
            s->num_runs = (uint32_t)runs;
        } else if (strcmp(argv[i], "--bundle") == 0 && i + 1 < argc) {
            bundle_folder = argv[++i];
        } else if (strcmp(argv[i], "--maps") == 0 && i + 1 < argc) {
            maps_folder = argv[++i];
        } else if (is_known(argv[i])) {
            argv[s->num_names++] = argv[i];
        } else {
            fprintf(stderr,
                    "cuttle_bench: unknown workload or group \"%s\"; --list shows all\n"
                    "usage: cuttle_bench [--list] [--json] [--runs N] [--bundle DIR] [--maps DIR] "
                    "[NAME…]\n",
                    argv[i]);
            return false;
        }
    }
    s->names = (const char *const *)argv;
    for (uint32_t i = 0; i < s->num_names && !bundle_folder && !s->lists; ++i) {
        if (!is_of(&ct_bench_bundle, s->names[i]))
            continue;
        fprintf(stderr, "cuttle_bench: \"%s\" needs --bundle DIR, the data folder of a bundle\n",
                s->names[i]);
        return false;
    }
    return true;
}

int main(int argc, char **argv) {
    settings s = {0};
    if (!read_arguments(argc, argv, &s))
        return 2;
    ct_memory_init();
    ct_log_init(ct_memory_heap());
    ct_crash_init();
    heap = ct_proxy_allocator_create(ct_memory_heap(), "bench");
    run_cases(&s);
    ct_proxy_allocator_destroy(heap);
    ct_log_shutdown();
    ct_memory_shutdown();
    // Not `return`: TBB's exit handler faults where a second C library was opened beside it.
    fflush(stdout);
    _Exit(0);
}
