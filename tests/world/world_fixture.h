// world_fixture.h: a world system over a real resource manager and a renderer that
// only records, and units and
// levels written for it. Include once in a program.
#pragma once
#include "world/recorder.h"

#include <stdio.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/file.h"
#include "resource/blob/blob_writer.h"
#include "resource/types/component/navigation_agent_data.h"
#include "resource/types/unit_resource.h"
#include "world/world.h"

// One entity of a template that a test writes.
typedef struct template_entity {
    uint32_t parent; // or CT_NO_PARENT
    ct_vec3 position;
    const char *name;    // NULL: no debug name
    uint32_t num_meshes; // all of mesh 111, or on nodes meshes/crate
    bool no_transform, has_camera, has_light;
    uint32_t num_nodes; // of its scene graph: a chain, each a metre along x; what is drawn, seen
                        // with and shines is on the last; named n1, n2 and so on
} template_entity;

// Instances that each entity has of each component type that the test registered, with the schema's
// defaults.
static uint32_t num_registered_instances;

typedef struct world_fixture {
    ct_allocator *allocator;
    ct_resource_manager *resources;
    ct_animation_system *animation;
    ct_physics_system *physics;
    ct_particle_system *particles;
    ct_sound_system *sound; // without an output
    ct_world_system *system;
    ct_world *world;
    const char *folder;
} world_fixture;

// Of animation and worlds; NULL: all runs on the test's thread.
static ct_task_manager *world_tasks;

// Makes a world over what lies in the fixture's folder.
static inline void begin_world(world_fixture *f) {
    f->resources = ct_resource_manager_create(&(ct_resource_manager_desc){f->allocator, f->folder});
    start_recorder(f->resources);
    f->animation = ct_animation_system_create(f->allocator, f->resources, world_tasks);
    f->physics = ct_physics_system_create(f->allocator, f->resources);
    f->particles = ct_particle_system_create(&(ct_particle_system_desc){.allocator = f->allocator,
                                                                        .resources = f->resources,
                                                                        .renderer = recorder,
                                                                        .tasks = world_tasks});
    f->sound =
        ct_sound_system_create(&(ct_sound_system_desc){.allocator = f->allocator,
                                                       .resources = f->resources,
                                                       .buses = ct_string_id64_of("sounds/buses")});
    f->system = ct_world_system_create(&(ct_world_system_desc){.allocator = f->allocator,
                                                               .resources = f->resources,
                                                               .renderer = recorder,
                                                               .animation = f->animation,
                                                               .physics = f->physics,
                                                               .particles = f->particles,
                                                               .sound = f->sound,
                                                               .tasks = world_tasks});
    f->world = ct_world_create(f->system);
}

// Ends it, in two parts: what hears of resources that go offline ends between them. Nothing may be
// left in the renderer.
static inline void end_world_resources(world_fixture *f) {
    ct_world_system_destroy(f->system);
    ct_resource_manager_end_all(f->resources); // the renderer hears what goes offline
}
static inline void end_world_renderer(world_fixture *f) {
    ct_animation_system_destroy(f->animation);
    ct_physics_system_destroy(f->physics);
    ct_particle_system_destroy(f->particles);
    ct_sound_system_destroy(f->sound);
    stop_recorder();
    ct_resource_manager_destroy(f->resources);
}
static inline void end_world(world_fixture *f) {
    end_world_resources(f);
    end_world_renderer(f);
}

static inline world_fixture start_world(void) {
    world_fixture f = {.folder = test_scratch_folder()};
    f.allocator = ct_proxy_allocator_create(test_heap(), "world_fixture");
    begin_world(&f);
    return f;
}

// Ends everything; nothing may be left of memory.
static inline void stop_world(world_fixture *f) {
    end_world(f);
    ct_proxy_allocator_destroy(f->allocator); // asserts that it is empty
}

// --- Writing templates ---------------------------------------------------------------------------

// The behaviour of which all entities of templates that are written have one instance, or NULL.
static const char *template_script;

// The graph of which all entities of templates that are written have a component, or NULL.
static const char *template_flow;
// The graph of levels that are written; {0}: none.
static ct_string_id64 level_flow;
// The navigation of levels that are written; {0}: none.
static ct_string_id64 level_navigation;

// The agent that all entities of templates that are written have, or NULL.
static const ct_navigation_agent_data *template_agent;

typedef struct template_writer {
    ct_blob_writer w;
    uint32_t parents, types; // fields of the template
} template_writer;

static inline void begin_template(template_writer *t, const char *type, uint32_t version,
                                  uint32_t num_entities) {
    ct_blob_writer_init(&t->w, test_heap(), CT_BYTE_ORDER_LITTLE, type, version);
    ct_blob_write_u32(&t->w, num_entities);
    ct_blob_write_u32(&t->w, 0);
    t->parents = ct_blob_write_array_field(&t->w);
    t->types = ct_blob_write_array_field(&t->w);
}

// How many instances of component type `type` (by its position in spawn order) an entity has.
static inline uint32_t num_instances(const template_entity *e, const char *type) {
    if (strcmp(type, "transform") == 0)
        return !e->no_transform;
    if (strcmp(type, "scene_graph") == 0)
        return e->num_nodes;
    if (strcmp(type, "mesh") == 0)
        return e->num_meshes;
    if (strcmp(type, "camera") == 0)
        return e->has_camera;
    if (strcmp(type, "light") == 0)
        return e->has_light;
    if (strcmp(type, "debug_name") == 0)
        return e->name != NULL;
    if (strcmp(type, "script") == 0)
        return template_script != NULL;
    if (strcmp(type, "flow") == 0)
        return template_flow != NULL;
    if (strcmp(type, "navigation_agent") == 0)
        return template_agent != NULL;
    return ct_component_type_is_registered(ct_component_type_named(type)) ? num_registered_instances
                                                                          : 0;
}

static inline ct_string_id32 node_name(uint32_t number) {
    char text[16] = "";
    if (number)
        snprintf(text, sizeof(text), "n%u", number);
    return number ? ct_string_id32_of(text) : (ct_string_id32){0};
}

// Fills `out` with instance `number`, from 1, of the entity's.
static inline void fill_instance(void *out, const ct_component_type *type, const template_entity *e,
                                 uint32_t number) {
    union {
        ct_transform_data transform;
        ct_scene_graph_node_data node;
        ct_mesh_data mesh;
        ct_camera_data camera;
        ct_light_data light;
        ct_debug_name_data name;
        ct_script_component_data script;
        ct_flow_component_data flow;
        ct_navigation_agent_data agent;
    } data;
    ct_schema_defaults(type->instance_schema, &data);
    if (strcmp(type->name, "transform") == 0)
        memcpy(data.transform.position, &e->position, sizeof(data.transform.position));
    if (strcmp(type->name, "scene_graph") == 0) {
        data.node.name = node_name(number);
        data.node.parent_name = node_name(number - 1);
        data.node.parent = number - 1;
        data.node.position[0] = 1;
    }
    if (strcmp(type->name, "mesh") == 0) {
        data.mesh.mesh.value = e->num_nodes ? ct_string_id64_of("meshes/crate").value : 111;
        data.mesh.node = node_name(e->num_nodes);
    }
    if (strcmp(type->name, "camera") == 0)
        data.camera.node = node_name(e->num_nodes);
    if (strcmp(type->name, "light") == 0)
        data.light.node = node_name(e->num_nodes);
    if (strcmp(type->name, "debug_name") == 0)
        snprintf(data.name.name, sizeof(data.name.name), "%s", e->name);
    if (strcmp(type->name, "script") == 0)
        data.script.script = ct_string_id64_of(template_script);
    if (strcmp(type->name, "flow") == 0)
        data.flow.graph = ct_string_id64_of(template_flow);
    if (strcmp(type->name, "navigation_agent") == 0)
        data.agent = *template_agent;
    memcpy(out, &data, type->instance_schema->size_bytes);
}

// Appends a type's arrays and patches its three fields at `fields`. Ids count from 1.
static inline void write_type(ct_blob_writer *w, const ct_component_type *type,
                              const template_entity *entities, uint32_t count, uint32_t fields) {
    const uint32_t instance_bytes = type->instance_schema->size_bytes;
    uint32_t owners[256], ids[256], n = 0;
    char *data = ct_alloc(test_heap(), 256 * (uint64_t)instance_bytes);
    for (uint32_t e = 0; e < count; ++e) {
        for (uint32_t k = 0; k < num_instances(&entities[e], type->name); ++k) {
            fill_instance(data + (size_t)n * instance_bytes, type, &entities[e], k + 1);
            owners[n] = e;
            ids[n] = n + 1;
            ++n;
        }
    }
    ct_blob_patch_array(w, fields, ct_blob_write_u32_array(w, owners, n), n);
    ct_blob_patch_array(w, fields + 8, ct_blob_write_u32_array(w, ids, n), n);
    const uint32_t at = ct_blob_write_structs(w, type->instance_schema, data, n);
    ct_blob_patch_array(w, fields + 16, at, n);
    ct_free(test_heap(), data);
}

// Those of varying size are none of these templates', and worlds without Lua know no behaviours, and
// others no graphs.
static inline bool is_written(const ct_component_type *type) {
    return type->instance_schema && (template_script || strcmp(type->name, "script") != 0) &&
           (template_flow || strcmp(type->name, "flow") != 0);
}

static inline void write_template(template_writer *t, const template_entity *entities,
                                  uint32_t count) {
    ct_blob_writer *w = &t->w;
    uint32_t parents[256], num_types;
    for (uint32_t i = 0; i < count; ++i)
        parents[i] = entities[i].parent;
    ct_blob_patch_array(w, t->parents, ct_blob_write_u32_array(w, parents, count), count);
    const ct_component_type *types = ct_component_types(&num_types);
    ct_blob_writer_align(w, 8);
    const uint32_t first = ct_blob_writer_offset(w);
    uint32_t num_written = 0;
    for (uint32_t i = 0; i <= num_types; ++i) {
        // The last is of a type that this program does not know.
        const bool is_known = i < num_types;
        if (is_known && !is_written(&types[i]))
            continue;
        ct_blob_write_u32(w, is_known ? ct_string_id32_of(types[i].name).value : 0xdeadbeef);
        ct_blob_write_u32(w, is_known ? types[i].instance_schema->size_bytes : 4);
        ct_blob_write_zeroes(w, 5 * sizeof(ct_blob_array));
        ++num_written;
    }
    ct_blob_patch_array(w, t->types, first, num_written);
    uint32_t at = first;
    for (uint32_t i = 0; i < num_types; ++i) {
        if (!is_written(&types[i]))
            continue;
        write_type(w, &types[i], entities, count,
                   at + offsetof(ct_component_instances, entity_index));
        at += (uint32_t)sizeof(ct_component_instances);
    }
}

static inline void finish_template(template_writer *t, world_fixture *f, const char *type,
                                   const char *name) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[2048];
    ct_error error = {0};
    ct_blob_writer_finish(&t->w);
    ct_resource_file_name(ct_resource_id_of(type, name), file_name);
    snprintf(path, sizeof(path), "%s/%s", f->folder, file_name);
    if (!ct_file_write(path, t->w.bytes.items, t->w.bytes.count, false, &error))
        fail_msg("%s", error.message);
    ct_blob_writer_free(&t->w);
    if (!ct_resource_manager_load_now(f->resources, type, name, &error))
        fail_msg("%s", error.message);
}

// Writes and loads a unit.
static inline void load_unit(world_fixture *f, const char *name, const template_entity *entities,
                             uint32_t count) {
    template_writer t;
    begin_template(&t, "unit", CT_UNIT_VERSION, count);
    write_template(&t, entities, count);
    finish_template(&t, f, "unit", name);
}

// Writes and loads a level of units.
static inline void load_level(world_fixture *f, const char *name, const template_entity *entities,
                              uint32_t count, const ct_level_unit *units, uint32_t num_units,
                              ct_string_id64 script) {
    template_writer t;
    begin_template(&t, "level", CT_LEVEL_VERSION, count);
    const uint32_t units_field = ct_blob_write_array_field(&t.w);
    ct_blob_write_u64(&t.w, script.value);
    ct_blob_write_u64(&t.w, level_flow.value);
    ct_blob_write_u64(&t.w, level_navigation.value);
    for (uint32_t i = 0; i < 3; ++i) // volumes, splines, markers
        ct_blob_write_array_field(&t.w);
    write_template(&t, entities, count);
    ct_blob_writer_align(&t.w, 8);
    ct_blob_patch_array(&t.w, units_field, ct_blob_writer_offset(&t.w), num_units);
    for (uint32_t i = 0; i < num_units; ++i) {
        ct_blob_write_u64(&t.w, units[i].unit.value);
        ct_blob_write_u32(&t.w, units[i].id.value);
        ct_blob_write_u32(&t.w, units[i].root);
    }
    finish_template(&t, f, "level", name);
}

// --- Short forms ---------------------------------------------------------------------------------

static inline ct_entity spawn_at(world_fixture *f, const char *name, float x, float y, float z) {
    const ct_vec3 position = {{x, y, z}};
    ct_entity root;
    ct_error error = {0};
    if (!ct_world_spawn_units(f->world, name, &position, NULL, NULL, 1, &root, &error))
        fail_msg("%s", error.message);
    return root;
}

static inline bool is_alive(const world_fixture *f, ct_entity e) {
    return ct_entity_is_alive(ct_world_system_entities(f->system), e);
}

// Makes entities, and ends them, until one has the id of `e`, which is dead; that one lives.
static inline void reuse_id(ct_world *w, ct_entity e) {
    ct_entity last = {0};
    for (uint32_t i = 0; i < 1000000 && last.id != e.id; ++i) {
        ct_world_destroy_units(w, &last, 1); // none at first
        last = ct_world_create_entity(w);
    }
    assert_int_equal(last.id, e.id);
}

static inline ct_transform transform_of(const ct_world *w, ct_entity e) {
    return ct_transform_lookup(ct_world_transforms(w), e);
}

static inline ct_entity child_of(const ct_world *w, ct_entity e, uint32_t number) {
    ct_transform_manager *m = ct_world_transforms(w);
    ct_transform t = ct_transform_first_child(m, transform_of(w, e));
    while (number-- && t.index)
        t = ct_transform_next_sibling(m, t);
    return t.index ? ct_transform_entity(m, t) : (ct_entity){0};
}

static inline void assert_world_position(const ct_world *w, ct_entity e, float x, float y,
                                         float z) {
    const ct_transform t = transform_of(w, e);
    assert_int_not_equal(t.index, 0);
    const ct_vec3 p = ct_mat4_position(*ct_transform_world(ct_world_transforms(w), t));
    if (!(ct_vec3_length(ct_vec3_sub(p, ct_vec3_make(x, y, z))) < 1e-4f))
        fail_msg("(%g %g %g) is not (%g %g %g)", (double)p.x, (double)p.y, (double)p.z, (double)x,
                 (double)y, (double)z);
}
