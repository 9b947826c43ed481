// bench_save.c: worlds of 10,000 units saved and loaded, in processor time of the one thread that they use.
//
// The level is that of bench_level.c: each unit is a root with transform, mesh, data, tags and debug
// name. `save_world`: the update thread's share, which copies the state into one buffer, at most 5 ms.
// `load_world`: gives a world that has the level the saved state, in which all units are elsewhere, beside
// spawning the level; `load_world_same`: nothing has changed. `save_pack`: what the service thread does
// with the bytes before it writes: packing and hashes, beside copying them. `save_read_back`: what it does
// then, before it renames: it reads what it made, with all checks, beside making it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "level_blob.h"
#include "save/save_file.h"
#include "save/save_value.h"
#include "world/save/world_save.h"
#include "world/world.h"

enum { NUM = CT_BENCH_LEVEL_ENTITIES, LEAST_RUNS = 31 };

// Milliseconds of the processor that this thread has used: other programs of the machine do not count.
static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static ct_resource_manager *resources;
static ct_renderer *renderer;
static ct_world_system *worlds;
static ct_world *world, *other;
static ct_level level;
static char folder[64];
static ct_byte_array saved, file;
static ct_entity *units;

// --- Worlds --------------------------------------------------------------------------------------

static void load_level(ct_bench_level_form form) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_blob_writer w;
    ct_bench_level_write(&w, form);
    snprintf(folder, sizeof(folder), "/tmp/cuttle_bench_XXXXXX");
    CT_REQUIRE(mkdtemp(folder), "cannot make a folder for the level");
    ct_resource_file_name(ct_resource_id_of("level", "bench"), file_name);
    ct_path_join(path, folder, file_name);
    resources = ct_resource_manager_create(
        &(ct_resource_manager_desc){.allocator = ct_bench_heap(), .data_folder = folder});
    const bool is_there = ct_file_write(path, w.bytes.items, w.bytes.count, false, &error) &&
                          ct_resource_manager_load_now(resources, "level", "bench", &error);
    CT_REQUIRE(is_there, "%s", error.message);
    ct_blob_writer_free(&w);
    ct_folder_remove(folder, NULL);
}

static void spawn(ct_world *w) {
    ct_error error = {0};
    level = ct_world_spawn_level(w, "bench", ct_vec3_make(0, 0, 0), ct_quat_identity(),
                                 ct_vec3_make(1, 1, 1), &error);
    CT_REQUIRE(ct_level_is_alive(w, level), "%s", error.message);
}

static void move(ct_world *w, float by) {
    uint32_t count;
    ct_transform_manager *const m = ct_world_transforms(w);
    const ct_entity *const roots = ct_world_units(w, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_transform t = ct_transform_lookup(m, roots[i]);
        const ct_vec3 p = ct_transform_local_position(m, t);
        ct_transform_set_local_position(m, t, ct_vec3_make(p.x + by, p.y, p.z));
    }
}

static void begin(void) {
    load_level(CT_BENCH_LEVEL_FORM_FLAT);
    renderer = ct_renderer_create_recorder(
        &(ct_renderer_desc){.allocator = ct_bench_heap(), .resources = resources});
    worlds = ct_world_system_create(&(ct_world_system_desc){
        .allocator = ct_bench_heap(), .resources = resources, .renderer = renderer});
    world = ct_world_create(worlds);
    other = ct_world_create(worlds);
    spawn(world);
    ct_world_advance(world, 1.0 / 60);
    ct_array_init(&saved, ct_bench_heap());
    ct_array_init(&file, ct_bench_heap());
    ct_world_save(world, NULL, 0, &saved);
    units = CT_NEW_ARRAY(ct_bench_heap(), ct_entity, NUM);
}

static void end(void) {
    ct_free(ct_bench_heap(), units);
    ct_array_free(&saved);
    ct_array_free(&file);
    ct_world_system_destroy(worlds);
    ct_renderer_destroy(renderer);
    ct_resource_manager_destroy(resources);
}

static void end_frame(ct_world *w) {
    ct_world_advance(w, 1.0 / 60);
    ct_renderer_end_frame(renderer);
}

// --- Cases ---------------------------------------------------------------------------------------

static double run_save(void) {
    ct_byte_array bytes;
    ct_array_init(&bytes, ct_bench_heap());
    const double start_ms = now_ms();
    ct_world_save(world, NULL, 0, &bytes);
    const double ms = now_ms() - start_ms;
    ct_array_free(&bytes);
    return ms;
}

static double most_save(void) {
    return 5;
}

static double load(void) {
    ct_error error = {0};
    const double start_ms = now_ms();
    const bool is_loaded =
        ct_world_load(world, &(ct_world_load_desc){.bytes = saved.items, .units = units}, &error);
    const double ms = now_ms() - start_ms;
    CT_REQUIRE(is_loaded, "%s", error.message);
    end_frame(world);
    return ms;
}

static double run_load(void) {
    move(world, 1);
    end_frame(world);
    return load();
}

static double run_spawn(void) {
    const double start_ms = now_ms();
    spawn(other);
    const double ms = now_ms() - start_ms;
    end_frame(other);
    ct_world_destroy_level(other, level);
    for (uint32_t i = 0; i < 100; ++i)
        end_frame(other);
    return ms;
}

static double run_pack(void) {
    const ct_save_section section = {CT_SAVE_SECTION_WORLD, 1, saved.items, saved.count};
    ct_error error = {0};
    const double start_ms = now_ms();
    file.count = 0;
    CT_REQUIRE(ct_save_file_write(&section, 1, &file, &error), "%s", error.message);
    return now_ms() - start_ms;
}

// A file of the world with the least that every file has.
static void make_file(void) {
    static const uint8_t info[] = {CT_SAVE_TABLE, 0, 0, 0, 0}, data[] = {CT_SAVE_TRUE};
    const ct_save_section sections[] = {{CT_SAVE_SECTION_INFO, 1, info, sizeof(info)},
                                        {CT_SAVE_SECTION_DATA, 1, data, sizeof(data)},
                                        {CT_SAVE_SECTION_WORLD, 1, saved.items, saved.count}};
    ct_error error = {0};
    file.count = 0;
    CT_REQUIRE(ct_save_file_write(sections, CT_COUNT_OF(sections), &file, &error), "%s",
               error.message);
}

static void begin_file(void) {
    begin();
    make_file();
}

static double run_read_back(void) {
    ct_error error = {0};
    const double start_ms = now_ms();
    ct_save_file *const read =
        ct_save_file_read(ct_bench_heap(), file.items, file.count, false, &error);
    CT_REQUIRE(read, "%s", error.message);
    ct_save_file_free(read);
    return now_ms() - start_ms;
}

static double run_make_file(void) {
    const double start_ms = now_ms();
    make_file();
    return now_ms() - start_ms;
}

static double run_copy(void) {
    const double start_ms = now_ms();
    file.count = 0;
    ct_array_push_many(&file, saved.items, saved.count);
    ct_bench_use((uint64_t)(uintptr_t)file.items);
    return now_ms() - start_ms;
}

static const ct_bench_case cases[] = {
    {"save_world", "10,000 units", "the most it may take", "ms", 1, LEAST_RUNS, begin, end,
     run_save, most_save},
    {"load_world", "10,000 units, all moved", "spawning the level", "ms", 1.5, LEAST_RUNS, begin,
     end, run_load, run_spawn},
    {"load_world_same", "10,000 units", "spawning the level", "ms", 1.5, LEAST_RUNS, begin, end,
     load, run_spawn},
    {"save_pack", "10,000 units", "copying", "ms", 0, LEAST_RUNS, begin, end, run_pack, run_copy},
    {"save_read_back", "10,000 units", "packing", "ms", 0, LEAST_RUNS, begin_file, end,
     run_read_back, run_make_file},
};

const ct_bench_group ct_bench_save = {"save", cases, CT_COUNT_OF(cases)};
