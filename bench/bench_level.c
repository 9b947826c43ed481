// bench_level.c: levels of 10,000 units spawned and destroyed, beside hand-written arrays.
//
// `level_spawn`: a level of 10,000 units, each a root with transform, mesh, data, tags and debug
// name, in its place; `level_spawn_kinds`: of 35 kinds of meshes, which stand in the blob once;
// `level_spawn_offset`: the first a kilometre away; `level_spawn_deep`: 1,000 units of 10 entities
// each, that hang on each other three deep. `level_destroy`: ends the first level again.
// The level is a blob as the compiler writes it (level_blob.h), loaded by a resource manager; the
// world is warm: it has had the level before. The renderer's commands go into a stream that nobody
// reads. The peer reads the same blob: it counts up ids, and fills arrays, which have their room,
// of poses, local and world matrices, names, meshes, data and the renderer's commands, parents
// first, and a list of entities for each tag; it ends them by counting ids into a list of free
// ones, emptying the lists and telling the renderer. Beside that, both may take so long and no
// longer: a second peer is that time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "foundation/error.h"
#include "foundation/math/math_bulk.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "level_blob.h"
#include "resource/types/component/tag_data.h"
#include "resource/types/component_resource.h"
#include "world/world.h"

enum { NUM = CT_BENCH_LEVEL_ENTITIES, LEAST_RUNS = 31 };

static ct_resource_manager *resources;
static ct_renderer *renderer;
static ct_world_system *worlds;
static ct_world *world;
static ct_level level;
static char folder[64];
static ct_vec3 offset;

typedef struct plain_mesh {
    ct_string_id64 mesh, material;
    uint32_t object, is_visible, casts_shadows;
} plain_mesh;

typedef struct plain_command {
    ct_mat4 pose;
    uint32_t world, object;
    ct_string_id64 mesh, material;
} plain_command;

typedef struct plain_data {
    float values[CT_BENCH_LEVEL_VALUES];
} plain_data;

static struct {
    uint32_t *entity, *free, *parent, num_free;
    ct_vec3 *position, *scale;
    ct_quat *rotation;
    ct_mat4 *local, *world;
    plain_mesh *mesh;
    plain_command *command;
    uint32_t *ended;
    ct_debug_name_data *name;
    plain_data *data;
    uint32_t *tagged[CT_BENCH_LEVEL_TAGS], num_tagged[CT_BENCH_LEVEL_TAGS];
} plain;

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

static void *const *plain_arrays(void) {
    static void *all[14 + CT_BENCH_LEVEL_TAGS];
    void *const now[] = {plain.entity,   plain.free,  plain.parent, plain.position, plain.scale,
                         plain.rotation, plain.local, plain.world,  plain.mesh,     plain.command,
                         plain.ended,    plain.name,  plain.data};
    memcpy(all, now, sizeof(now));
    memcpy(all + CT_COUNT_OF(now), plain.tagged, sizeof(plain.tagged));
    return all;
}

static void begin_plain(void) {
    ct_allocator *const a = ct_bench_heap();
    plain.entity = CT_NEW_ARRAY(a, uint32_t, NUM);
    plain.free = CT_NEW_ARRAY(a, uint32_t, NUM);
    plain.parent = CT_NEW_ARRAY(a, uint32_t, NUM);
    plain.position = CT_NEW_ARRAY(a, ct_vec3, NUM);
    plain.scale = CT_NEW_ARRAY(a, ct_vec3, NUM);
    plain.rotation = CT_NEW_ARRAY(a, ct_quat, NUM);
    plain.local = ct_alloc_aligned(a, sizeof(ct_mat4) * NUM, 64);
    plain.world = ct_alloc_aligned(a, sizeof(ct_mat4) * NUM, 64);
    plain.mesh = CT_NEW_ARRAY(a, plain_mesh, NUM);
    plain.command = CT_NEW_ARRAY(a, plain_command, NUM);
    plain.ended = CT_NEW_ARRAY(a, uint32_t, NUM);
    plain.name = CT_NEW_ARRAY(a, ct_debug_name_data, NUM);
    plain.data = CT_NEW_ARRAY(a, plain_data, NUM);
    for (uint32_t t = 0; t < CT_BENCH_LEVEL_TAGS; ++t)
        plain.tagged[t] = CT_NEW_ARRAY(a, uint32_t, NUM);
    plain.num_free = NUM;
    for (uint32_t i = 0; i < NUM; ++i)
        plain.free[i] = i + 1;
}

static void begin(ct_bench_level_form form) {
    load_level(form);
    renderer = ct_renderer_create_recorder(
        &(ct_renderer_desc){.allocator = ct_bench_heap(), .resources = resources});
    worlds = ct_world_system_create(&(ct_world_system_desc){
        .allocator = ct_bench_heap(), .resources = resources, .renderer = renderer});
    world = ct_world_create(worlds);
    offset = ct_vec3_make(0, 0, 0);
    begin_plain();
}

static void begin_level(void) {
    begin(CT_BENCH_LEVEL_FORM_FLAT);
}

static void begin_kinds(void) {
    begin(CT_BENCH_LEVEL_FORM_KINDS);
}

static void begin_offset(void) {
    begin(CT_BENCH_LEVEL_FORM_FLAT);
    offset = ct_vec3_make(1000, 0, 0);
}

static void begin_deep(void) {
    begin(CT_BENCH_LEVEL_FORM_DEEP);
}

static void end(void) {
    ct_world_system_destroy(worlds);
    ct_renderer_destroy(renderer);
    ct_resource_manager_destroy(resources);
    for (void *const *array = plain_arrays(); *array; ++array)
        ct_free(ct_bench_heap(), *array);
}

static void spawn(void) {
    ct_error error = {0};
    level = ct_world_spawn_level(world, "bench", offset, ct_quat_identity(), ct_vec3_make(1, 1, 1),
                                 &error);
    CT_REQUIRE(ct_level_is_alive(world, level), "%s", error.message);
}

// Until names, data and tags, which end lazily, are gone too.
static void end_frames(void) {
    for (uint32_t frame = 0; frame < 100; ++frame)
        ct_world_advance(world, 1.0 / 60);
    ct_renderer_end_frame(renderer);
}

static double run_spawn(void) {
    const double start_ns = ct_bench_now_ns();
    spawn();
    const double ns = ct_bench_now_ns() - start_ns;
    ct_world_advance(world, 1.0 / 60);
    ct_world_destroy_level(world, level);
    end_frames();
    return ns * 1e-6;
}

static double run_destroy(void) {
    spawn();
    ct_world_advance(world, 1.0 / 60);
    const double start_ns = ct_bench_now_ns();
    ct_world_destroy_level(world, level);
    const double ns = ct_bench_now_ns() - start_ns;
    end_frames();
    return ns * 1e-6;
}

// --- By hand -------------------------------------------------------------------------------------

static const ct_component_instances *instances_of(const ct_level_resource *l, uint32_t number) {
    return (const ct_component_instances *)ct_blob_at(l, l->entities.component_types.offset) +
           number;
}

static void plain_spawn_transforms(const ct_level_resource *l) {
    const uint32_t *const parents = ct_blob_at(l, l->entities.parents.offset);
    const ct_transform_data *const data =
        ct_blob_at(l, instances_of(l, CT_BENCH_LEVEL_TYPE_TRANSFORM)->data.offset);
    for (uint32_t i = 0; i < NUM; ++i) {
        memcpy(&plain.position[i], data[i].position, sizeof(plain.position[i]));
        memcpy(&plain.rotation[i], data[i].rotation, sizeof(plain.rotation[i]));
        memcpy(&plain.scale[i], data[i].scale, sizeof(plain.scale[i]));
        plain.parent[i] = parents[i];
        if (parents[i] == CT_NO_PARENT)
            plain.position[i] = ct_vec3_add(plain.position[i], offset);
    }
    ct_mat4_compose_many(plain.position, plain.rotation, plain.scale, plain.local, NUM);
    for (uint32_t i = 0; i < NUM; ++i) {
        if (parents[i] == CT_NO_PARENT)
            plain.world[i] = plain.local[i];
        else
            ct_mat4_mul_to(&plain.world[i], &plain.world[parents[i]], &plain.local[i]);
    }
}

// The values, which stand behind counts, keys and types.
static void plain_spawn_data(const ct_level_resource *l) {
    const ct_component_instances *const instances = instances_of(l, CT_BENCH_LEVEL_TYPE_DATA);
    const char *const data = ct_blob_at(l, instances->data.offset);
    const uint32_t *const offsets = ct_blob_at(l, instances->offsets.offset);
    for (uint32_t i = 0; i < NUM; ++i) {
        const char *const values = data + offsets[i] + CT_BENCH_LEVEL_VALUES_AT;
        memcpy(&plain.data[i], values, sizeof(plain_data));
    }
}

static void plain_spawn_tags(const ct_level_resource *l) {
    const ct_component_instances *const instances = instances_of(l, CT_BENCH_LEVEL_TYPE_TAG);
    const char *const data = ct_blob_at(l, instances->data.offset);
    const uint32_t *const offsets = ct_blob_at(l, instances->offsets.offset);
    const uint32_t *const data_index = ct_blob_at(l, instances->data_index.offset);
    uint32_t tags[CT_BENCH_LEVEL_TAGS];
    for (uint32_t t = 0; t < CT_BENCH_LEVEL_TAGS; ++t)
        tags[t] = ct_string_id32_of(ct_bench_level_tags[t]).value;
    for (uint32_t i = 0; i < NUM; ++i) {
        const ct_tag_data *const of = (const ct_tag_data *)(data + offsets[data_index[i]]);
        for (uint32_t k = 0, t = 0; k < of->num_tags; ++k) { // in the order of all tags
            while (tags[t] != of->tags[k].value)
                ++t;
            plain.tagged[t][plain.num_tagged[t]++] = plain.entity[i];
        }
    }
}

static void plain_spawn(void) {
    const ct_level_resource *const l =
        ct_resource_manager_get(resources, "level", ct_string_id64_of("bench"));
    const ct_component_instances *const mesh_instances = instances_of(l, CT_BENCH_LEVEL_TYPE_MESH);
    const ct_mesh_data *const meshes = ct_blob_at(l, mesh_instances->data.offset);
    const ct_blob_array shared = mesh_instances->data_index;
    const uint32_t *const data_index = shared.count ? ct_blob_at(l, shared.offset) : NULL;
    for (uint32_t i = 0; i < NUM; ++i)
        plain.entity[i] = plain.free[--plain.num_free];
    plain_spawn_transforms(l);
    for (uint32_t i = 0; i < NUM; ++i) {
        const ct_mesh_data *const m = &meshes[data_index ? data_index[i] : i];
        plain.mesh[i] = (plain_mesh){m->mesh, m->materials[0], i, m->is_visible, m->casts_shadows};
        plain.command[i] = (plain_command){plain.world[i], 1, i, m->mesh, m->materials[0]};
    }
    const ct_component_instances *const names = instances_of(l, CT_BENCH_LEVEL_TYPE_DEBUG_NAME);
    memcpy(plain.name, ct_blob_at(l, names->data.offset), sizeof(*plain.name) * NUM);
    plain_spawn_data(l);
    plain_spawn_tags(l);
    ct_bench_use((uint64_t)(uintptr_t)plain.name);
}

static void plain_destroy(void) {
    for (uint32_t i = 0; i < NUM; ++i) {
        plain.free[plain.num_free++] = plain.entity[i];
        plain.ended[i] = plain.mesh[i].object;
    }
    memset(plain.num_tagged, 0, sizeof(plain.num_tagged));
    ct_bench_use((uint64_t)(uintptr_t)plain.ended);
}

static double plain_run_spawn(void) {
    const double start_ns = ct_bench_now_ns();
    plain_spawn();
    const double ns = ct_bench_now_ns() - start_ns;
    plain_destroy();
    return ns * 1e-6;
}

static double plain_run_destroy(void) {
    plain_spawn();
    const double start_ns = ct_bench_now_ns();
    plain_destroy();
    return (ct_bench_now_ns() - start_ns) * 1e-6;
}

static double most_spawn(void) {
    return 2;
}

static double most_destroy(void) {
    return 1;
}

static const ct_bench_case cases[] = {
    {"level_spawn", "10,000 units", "arrays", "ms", 3, LEAST_RUNS, begin_level, end, run_spawn,
     plain_run_spawn},
    {"level_spawn_kinds", "10,000 units, 35 kinds", "arrays", "ms", 3, LEAST_RUNS, begin_kinds, end,
     run_spawn, plain_run_spawn},
    {"level_spawn_offset", "10,000 units, moved", "arrays", "ms", 3, LEAST_RUNS, begin_offset, end,
     run_spawn, plain_run_spawn},
    {"level_spawn_deep", "1,000 units of 10", "arrays", "ms", 3, LEAST_RUNS, begin_deep, end,
     run_spawn, plain_run_spawn},
    {"level_spawn", "10,000 units", "the most it may take", "ms", 1, LEAST_RUNS, begin_level, end,
     run_spawn, most_spawn},
    {"level_destroy", "10,000 units", "arrays", "ms", 0, LEAST_RUNS, begin_level, end, run_destroy,
     plain_run_destroy},
    {"level_destroy", "10,000 units", "the most it may take", "ms", 1, LEAST_RUNS, begin_level, end,
     run_destroy, most_destroy},
};

const ct_bench_group ct_bench_level = {"level", cases, CT_COUNT_OF(cases)};
