// bench.h: the description of a benchmark; bench_main.c runs it.
//
// A case pairs one of our workloads with a peer in the same process. The two run in turn, A B A B,
// so that both run under the same conditions: the speed of machines changes by a factor of two
// within minutes, and only the ratio of the two medians counts. Lower is better everywhere.
#pragma once
#include "foundation/memory/allocator.h"

enum { CT_BENCH_LEAST_RUNS = 15 };

typedef struct ct_bench_case {
    const char *workload; // "alloc_small"
    const char *subject;  // "pool, inline"
    const char *peer;     // "mimalloc"
    const char *unit;     // of what the two functions return: "ns", "ms", "bytes"
    double goal;          // highest ratio subject / peer that meets the goal; 0: no goal
    uint32_t num_runs;    // 0: CT_BENCH_LEAST_RUNS
    // Called before the first run and after the last; may be NULL.
    void (*begin)(void);
    void (*end)(void);
    // One run each; they return the figure (time for each operation, bytes, …).
    double (*run_subject)(void);
    double (*run_peer)(void);
} ct_bench_case;

typedef struct ct_bench_group {
    const char *name; // "alloc"
    const ct_bench_case *cases;
    uint32_t num_cases;
} ct_bench_group;

// Returns the current time in nanoseconds, for measuring differences.
double ct_bench_now_ns(void);

// Keeps the compiler from removing the code that computes `value`.
static inline void ct_bench_use(uint64_t value) {
    __asm__ volatile("" : : "r"(value) : "memory");
}

// Returns the allocator of the benchmarks' own systems (a proxy on the engine's heap).
ct_allocator *ct_bench_heap(void);

// Returns the data folder of the bundle given with `--bundle`, or NULL without one.
const char *ct_bench_bundle_folder(void);

// Returns the folder of maps given with `--maps`, or NULL without one.
const char *ct_bench_maps_folder(void);

// --- One group for each file; several files may share a group's name -----------------------------

extern const ct_bench_group ct_bench_alloc_mixed;
extern const ct_bench_group ct_bench_alloc_growth;
extern const ct_bench_group ct_bench_alloc_small;
extern const ct_bench_group ct_bench_task;
extern const ct_bench_group ct_bench_profiler;
extern const ct_bench_group ct_bench_sjson;
extern const ct_bench_group ct_bench_hash_map;
extern const ct_bench_group ct_bench_animation;
extern const ct_bench_group ct_bench_crowd;
extern const ct_bench_group ct_bench_archive;
extern const ct_bench_group ct_bench_broadphase;
extern const ct_bench_group ct_bench_culling;
extern const ct_bench_group ct_bench_bundle;
extern const ct_bench_group ct_bench_entity;
extern const ct_bench_group ct_bench_data;
extern const ct_bench_group ct_bench_scene_graph;
extern const ct_bench_group ct_bench_merge;
extern const ct_bench_group ct_bench_mover;
extern const ct_bench_group ct_bench_obscurance;
extern const ct_bench_group ct_bench_particles;
extern const ct_bench_group ct_bench_sound_mix;
extern const ct_bench_group ct_bench_sound_parameters;
extern const ct_bench_group ct_bench_physics;
extern const ct_bench_group ct_bench_physics_moving;
extern const ct_bench_group ct_bench_pipelines;
extern const ct_bench_group ct_bench_tag;
extern const ct_bench_group ct_bench_transform;
extern const ct_bench_group ct_bench_triggers;
extern const ct_bench_group ct_bench_velocity;
extern const ct_bench_group ct_bench_level;
extern const ct_bench_group ct_bench_save;
extern const ct_bench_group ct_bench_database;
extern const ct_bench_group ct_bench_sequence_alignment;
extern const ct_bench_group ct_bench_lua;
extern const ct_bench_group ct_bench_lua_threads;
extern const ct_bench_group ct_bench_debugger;
extern const ct_bench_group ct_bench_behaviour;
extern const ct_bench_group ct_bench_gui;
extern const ct_bench_group ct_bench_gui_distance;
extern const ct_bench_group ct_bench_gui_text;
extern const ct_bench_group ct_bench_widgets;
extern const ct_bench_group ct_bench_flow;
extern const ct_bench_group ct_bench_navigation_paths;
extern const ct_bench_group ct_bench_navigation_agents;
extern const ct_bench_group ct_bench_navigation_component;
extern const ct_bench_group ct_bench_navigation_build;
extern const ct_bench_group ct_bench_network_record;
extern const ct_bench_group ct_bench_network_moving;
extern const ct_bench_group ct_bench_network_server;
extern const ct_bench_group ct_bench_plugin;
