// bench_level.c: levels of 10,000 units spawned and destroyed, beside hand-written arrays.
//
// `level_spawn`: a level of 10,000 units, each a root with transform, mesh and debug name, in its
// place; `level_spawn_offset`: the same a kilometre away; `level_spawn_deep`: 1,000 units of 10
// entities each, that hang on each other three deep. `level_destroy`: ends the first level again.
// The level is a blob as the compiler writes it, loaded by a resource manager; the world is warm:
// it has had the level before. The renderer's commands go into a stream that nobody reads.
// The peer reads the same blob: it counts up ids, and fills arrays, which have their room, of poses,
// local and world matrices, names, meshes and the renderer's commands, parents first; it ends them
// by counting ids into a list of free ones and telling the renderer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "foundation/error.h"
#include "foundation/file.h"
#include "foundation/math_bulk.h"
#include "foundation/path.h"
#include "resource/blob_writer.h"
#include "resource/component_resource.h"
#include "stand_in_renderer.h"
#include "world/world.h"

enum { NUM = 10000, UNIT = 10, LEAST_RUNS = 31 };

static ct_resource_manager *resources;
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

static struct {
    uint32_t *entity, *free, *parent, num_free;
    ct_vec3 *position, *scale;
    ct_quat *rotation;
    ct_mat4 *local, *world;
    plain_mesh *mesh;
    plain_command *command;
    uint32_t *ended;
    ct_debug_name_data *name;
} plain;

// --- Writing the level ---------------------------------------------------------------------------

static uint32_t parent_of(uint32_t i, bool is_deep) {
    const uint32_t in_unit = i % UNIT;
    return is_deep && in_unit ? i - in_unit + (in_unit - 1) / 3 : CT_NO_PARENT;
}

static void fill_transform(void *out, uint32_t i, bool is_deep) {
    const float place = (float)(i % 100);
    *(ct_transform_data *)out =
        (ct_transform_data){{place, is_deep ? 1 : (float)i / 100, 0}, {0, 0, 0, 1}, {1, 1, 1}};
}

static void fill_mesh(void *out, uint32_t i, bool is_deep) {
    (void)is_deep;
    *(ct_mesh_data *)out = (ct_mesh_data){
        .mesh = {11 + i % 5}, .materials = {{22 + i % 7}}, .is_visible = 1, .casts_shadows = 1};
}

static void fill_name(void *out, uint32_t i, bool is_deep) {
    (void)is_deep;
    ct_debug_name_data *const data = out;
    memset(data, 0, sizeof(*data));
    snprintf(data->name, sizeof(data->name), "crate_%u", i);
}

static void write_type(ct_blob_writer *w, uint32_t at, const char *type, bool is_deep,
                       void (*fill)(void *out, uint32_t i, bool is_deep)) {
    const ct_schema *const schema = ct_component_type_named(type)->schema;
    uint32_t *const numbers = CT_NEW_ARRAY(ct_bench_heap(), uint32_t, NUM);
    char *const data = ct_alloc(ct_bench_heap(), (uint64_t)NUM * schema->size_bytes);
    for (uint32_t i = 0; i < NUM; ++i) {
        numbers[i] = i;
        fill(data + (uint64_t)i * schema->size_bytes, i, is_deep);
    }
    ct_blob_patch_u32(w, at, ct_string_id32_of(type).value);
    ct_blob_patch_u32(w, at + offsetof(ct_component_instances, instance_bytes), schema->size_bytes);
    const uint32_t owners = ct_blob_write_u32_array(w, numbers, NUM);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, entity_index), owners, NUM);
    const uint32_t ids = ct_blob_write_u32_array(w, numbers, NUM);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, ids), ids, NUM);
    const uint32_t instances = ct_blob_write_structs(w, schema, data, NUM);
    ct_blob_patch_array(w, at + offsetof(ct_component_instances, data), instances, NUM);
    ct_free(ct_bench_heap(), numbers);
    ct_free(ct_bench_heap(), data);
}

static void write_units(ct_blob_writer *w, bool is_deep) {
    const uint32_t step = is_deep ? UNIT : 1;
    ct_blob_writer_align(w, 8);
    ct_blob_patch_array(w, offsetof(ct_level_resource, units), ct_blob_writer_offset(w),
                        NUM / step);
    for (uint32_t i = 0; i < NUM; i += step) {
        ct_blob_write_u64(w, 33 + i % 5);
        ct_blob_write_u32(w, i);
        ct_blob_write_u32(w, i);
    }
}

static void write_level(ct_blob_writer *w, bool is_deep) {
    enum { NUM_TYPES = 3 };
    ct_blob_writer_init(w, ct_bench_heap(), CT_BYTE_ORDER_LITTLE, "level", CT_LEVEL_VERSION);
    ct_blob_write_zeroes(w, sizeof(ct_level_resource) - sizeof(ct_blob_header));
    const uint32_t at = offsetof(ct_level_resource, entities);
    ct_blob_patch_u32(w, at, NUM);
    uint32_t *const parents = CT_NEW_ARRAY(ct_bench_heap(), uint32_t, NUM);
    for (uint32_t i = 0; i < NUM; ++i)
        parents[i] = parent_of(i, is_deep);
    ct_blob_patch_array(w, at + offsetof(ct_entity_template, parents),
                        ct_blob_write_u32_array(w, parents, NUM), NUM);
    ct_free(ct_bench_heap(), parents);
    ct_blob_writer_align(w, 8);
    const uint32_t types = ct_blob_write_zeroes(w, NUM_TYPES * sizeof(ct_component_instances));
    ct_blob_patch_array(w, at + offsetof(ct_entity_template, component_types), types, NUM_TYPES);
    write_type(w, types, "transform", is_deep, fill_transform);
    write_type(w, types + sizeof(ct_component_instances), "mesh", is_deep, fill_mesh);
    write_type(w, types + 2 * sizeof(ct_component_instances), "debug_name", is_deep, fill_name);
    write_units(w, is_deep);
    ct_blob_writer_finish(w);
}

static void load_level(bool is_deep) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_blob_writer w;
    write_level(&w, is_deep);
    snprintf(folder, sizeof(folder), "/tmp/cuttle_bench_XXXXXX");
    CT_REQUIRE(mkdtemp(folder), "no folder for the level");
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

// --- Worlds --------------------------------------------------------------------------------------

static void *const *plain_arrays(void) {
    static void *all[13];
    void *const now[] = {plain.entity,   plain.free,  plain.parent, plain.position, plain.scale,
                         plain.rotation, plain.local, plain.world,  plain.mesh,     plain.command,
                         plain.ended,    plain.name,  NULL};
    memcpy(all, now, sizeof(all));
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
    plain.num_free = NUM;
    for (uint32_t i = 0; i < NUM; ++i)
        plain.free[i] = i + 1;
}

static void begin(bool is_deep) {
    load_level(is_deep);
    worlds = ct_world_system_create(&(ct_world_system_desc){
        .allocator = ct_bench_heap(), .resources = resources, .renderer = ct_stand_in_renderer()});
    world = ct_world_create(worlds);
    offset = ct_vec3_make(0, 0, 0);
    begin_plain();
}

static void begin_level(void) {
    begin(false);
}

static void begin_offset(void) {
    begin(false);
    offset = ct_vec3_make(1000, 0, 0);
}

static void begin_deep(void) {
    begin(true);
}

static void end(void) {
    ct_world_system_destroy(worlds);
    ct_resource_manager_destroy(resources);
    ct_stand_in_renderer_free();
    for (void *const *array = plain_arrays(); *array; ++array)
        ct_free(ct_bench_heap(), *array);
}

static void spawn(void) {
    ct_error error = {0};
    level = ct_world_spawn_level(world, "bench", offset, ct_quat_identity(), ct_vec3_make(1, 1, 1),
                                 &error);
    CT_REQUIRE(ct_level_is_alive(world, level), "%s", error.message);
}

// Until names, which end lazily, are gone too.
static void end_frames(void) {
    for (uint32_t frame = 0; frame < 100; ++frame)
        ct_world_advance(world, 1.0 / 60);
    ct_stand_in_renderer_end_frame();
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
    const ct_transform_data *const data = ct_blob_at(l, instances_of(l, 0)->data.offset);
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

static void plain_spawn(void) {
    const ct_level_resource *const l =
        ct_resource_manager_get(resources, "level", ct_string_id64_of("bench"));
    const ct_mesh_data *const meshes = ct_blob_at(l, instances_of(l, 1)->data.offset);
    for (uint32_t i = 0; i < NUM; ++i)
        plain.entity[i] = plain.free[--plain.num_free];
    plain_spawn_transforms(l);
    for (uint32_t i = 0; i < NUM; ++i) {
        const ct_mesh_data *const m = &meshes[i];
        plain.mesh[i] = (plain_mesh){m->mesh, m->materials[0], i, m->is_visible, m->casts_shadows};
        plain.command[i] = (plain_command){plain.world[i], 1, i, m->mesh, m->materials[0]};
    }
    memcpy(plain.name, ct_blob_at(l, instances_of(l, 2)->data.offset), sizeof(*plain.name) * NUM);
    ct_bench_use((uint64_t)(uintptr_t)plain.name);
}

static void plain_destroy(void) {
    for (uint32_t i = 0; i < NUM; ++i) {
        plain.free[plain.num_free++] = plain.entity[i];
        plain.ended[i] = plain.mesh[i].object;
    }
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

static const ct_bench_case cases[] = {
    {"level_spawn", "10,000 units", "arrays", "ms", 3, LEAST_RUNS, begin_level, end, run_spawn,
     plain_run_spawn},
    {"level_spawn_offset", "10,000 units, moved", "arrays", "ms", 3, LEAST_RUNS, begin_offset, end,
     run_spawn, plain_run_spawn},
    {"level_spawn_deep", "1,000 units of 10", "arrays", "ms", 3, LEAST_RUNS, begin_deep, end,
     run_spawn, plain_run_spawn},
    {"level_destroy", "10,000 units", "arrays", "ms", 0, LEAST_RUNS, begin_level, end, run_destroy,
     plain_run_destroy},
};

const ct_bench_group ct_bench_level = {"level", cases, CT_COUNT_OF(cases)};
