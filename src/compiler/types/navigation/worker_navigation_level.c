// The shapes of a level's units. The level is read as its own compile function reads it, to a template
// of entities; what is walked on is in the components of these.
#include <string.h>

#include "compiler/types/navigation/worker_navigation.h"
#include "compiler/types/navigation/worker_navigation_shapes.h"
#include "compiler/types/unit/worker_level_units.h"
#include "foundation/math/math.h"
#include "resource/types/component/tag_data.h"
#include "resource/types/physics_resource.h"

// An entity, as far as it matters here.
typedef struct entity {
    ct_mat4 pose;
    bool is_excluded; // has the tag that excludes, or is attached to one that has it
    bool draws;       // has the tag of meshes, or is attached to one that has it
    uint32_t first_node, num_nodes;
    uint32_t first_mesh; // instance + 1; 0: it has no mesh component
} entity;

typedef struct reader {
    ct_worker_navigation *n;
    ct_compile *c;
    const ct_sjson *level;
    ct_template t;
    entity *entities;
    ct_allocator *allocator;
    bool has_physics; // the next two were read
    const ct_sjson *physics;
    ct_sjson_value templates;
} reader;

// --- The level -----------------------------------------------------------------------------------

static void note_name(void *user, const char *type, const char *name) {
    reader *const r = user;
    if (strcmp(type, "mesh") == 0 || strcmp(type, "height_field") == 0)
        ct_hash_map_set(&r->n->names, ct_resource_id_key(ct_resource_id_of(type, name)),
                        (uintptr_t)ct_copy_string(r->allocator, name));
}

// Numbers are in this machine's byte order here, whatever the destination's is.
static bool read_template(reader *r) {
    ct_compile *const c = r->c;
    const ct_sjson *const own = c->doc;
    const ct_byte_order order = c->blob.order;
    const ct_schema_listener listener = ct_compile_listener(c);
    const uint32_t num_errors = ct_compile_error_count(c);
    ct_level_source source = {0};
    ct_worker_level_units units;
    ct_array_init(&units, c->allocator);
    c->doc = r->level;
    c->blob.order = CT_BYTE_ORDER_LITTLE;
    ct_schema_read(&ct_level_schema, c->doc, ct_sjson_root(c->doc), &source, &listener);
    ct_template_init(&r->t, c);
    ct_worker_level_place_units(&r->t, source.units, &units);
    ct_worker_level_members_read(&r->t, &source, &r->n->members);
    c->doc = own;
    c->blob.order = order;
    return ct_compile_error_count(c) == num_errors;
}

static const ct_template_instances *instances_of(const reader *r, const char *type) {
    uint32_t count = 0;
    return &r->t.instances[ct_component_type_named(type) - ct_component_types(&count)];
}

// --- Entities ------------------------------------------------------------------------------------

static ct_mat4 pose_of(const float position[3], const float rotation[4], const float scale[3]) {
    return ct_mat4_compose(ct_vec3_make(position[0], position[1], position[2]),
                           (ct_quat){{rotation[0], rotation[1], rotation[2], rotation[3]}},
                           ct_vec3_make(scale[0], scale[1], scale[2]));
}

// Sets a mark of the entities that have a tag.
static void mark_tagged(reader *r, const char *tag, bool excludes) {
    const ct_template_instances *const tags = instances_of(r, "tag");
    if (!tag || !*tag)
        return;
    const uint32_t id = ct_string_id32_of(tag).value;
    for (uint32_t i = 0; i < tags->entities.count; ++i) {
        const ct_tag_data *const data =
            (const void *)(tags->varying.bytes.items + tags->offsets.items[i]);
        entity *const e = &r->entities[tags->entities.items[i]];
        for (uint32_t k = 0; k < data->num_tags; ++k) {
            if (data->tags[k].value == id)
                *(excludes ? &e->is_excluded : &e->draws) = true;
        }
    }
}

static void place_entities(reader *r) {
    const uint32_t count = r->t.parents.count;
    const ct_template_instances *const transforms = instances_of(r, "transform");
    r->entities = CT_NEW_ARRAY(r->allocator, entity, count + 1);
    for (uint32_t i = 0; i < count; ++i)
        r->entities[i].pose = ct_mat4_identity();
    for (uint32_t i = 0; i < transforms->entities.count; ++i) {
        const ct_transform_data *const data =
            (const ct_transform_data *)(const void *)transforms->data.items + i;
        r->entities[transforms->entities.items[i]].pose =
            pose_of(data->position, data->rotation, data->scale);
    }
    mark_tagged(r, r->n->source.mesh_tag, false);
    mark_tagged(r, r->n->source.excluded_tag, true);
    for (uint32_t i = 0; i < count; ++i) { // parents first
        const uint32_t parent = r->t.parents.items[i];
        if (parent == CT_NO_PARENT)
            continue;
        const entity *const above = &r->entities[parent];
        r->entities[i].pose = ct_mat4_mul(above->pose, r->entities[i].pose);
        r->entities[i].is_excluded |= above->is_excluded;
        r->entities[i].draws |= above->draws;
    }
}

static void find_parts(reader *r) {
    const ct_template_instances *const nodes = instances_of(r, "scene_graph");
    const ct_template_instances *const meshes = instances_of(r, "mesh");
    for (uint32_t i = nodes->entities.count; i-- > 0;) {
        r->entities[nodes->entities.items[i]].first_node = i;
        ++r->entities[nodes->entities.items[i]].num_nodes;
    }
    for (uint32_t i = meshes->entities.count; i-- > 0;)
        r->entities[meshes->entities.items[i]].first_mesh = i + 1;
}

// The pose of a node of an entity; 0 is the entity itself.
static ct_mat4 node_pose(const reader *r, uint32_t number, ct_string_id32 node) {
    const entity *const e = &r->entities[number];
    const ct_scene_graph_node_data *const nodes =
        (const ct_scene_graph_node_data *)(const void *)instances_of(r, "scene_graph")->data.items +
        e->first_node;
    uint32_t i = 0;
    while (node.value && i < e->num_nodes && nodes[i].name.value != node.value)
        ++i;
    if (!node.value || i == e->num_nodes)
        return e->pose;
    ct_mat4 pose = ct_mat4_identity();
    for (uint32_t k = i + 1; k > 0; k = nodes[k - 1].parent) {
        const ct_scene_graph_node_data *const d = &nodes[k - 1];
        pose = ct_mat4_mul(pose_of(d->position, d->rotation, d->scale), pose);
    }
    return ct_mat4_mul(e->pose, pose);
}

// --- Actors --------------------------------------------------------------------------------------

static void read_physics(reader *r) {
    const ct_sjson *settings = NULL;
    const ct_sjson_value setting = ct_compile_setting(r->c, "physics", &settings);
    const char *const name =
        setting.entry ? ct_sjson_string(settings, setting, "") : "core/physics/default";
    r->has_physics = true;
    r->physics =
        *name ? ct_compile_read_resource(r->c, "physics", name, r->c->doc, r->n->source.level_value)
              : NULL;
    r->templates = (ct_sjson_value){0};
    if (r->physics)
        r->templates = ct_sjson_find(r->physics, ct_sjson_root(r->physics), "templates");
}

// Reads the members that the template of an actor gives. False when there is no such template, which
// is reported by the unit.
static bool find_template(reader *r, ct_string_id32 wanted, ct_actor_data *base) {
    const ct_schema *const schema = &ct_actor_head_schema;
    if (!r->has_physics)
        read_physics(r);
    if (!r->physics)
        return false;
    ct_sjson_value v = ct_sjson_first(r->physics, r->templates);
    while (v.entry &&
           ct_string_id32_of(ct_sjson_string(r->physics, ct_sjson_find(r->physics, v, "name"), ""))
                   .value != wanted.value)
        v = ct_sjson_next(r->physics, v);
    const ct_sjson_value object = ct_sjson_find(r->physics, v, "actor");
    const ct_schema_listener silent = {0};
    if (!v.entry || !ct_schema_read(schema, r->physics, object, base, &silent))
        return false;
    base->given = 0;
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        if (ct_field_member(&schema->fields[i], r->physics, object).entry)
            base->given |= 1u << i;
    }
    return true;
}

static void apply_template(reader *r, const ct_actor_data *actor, ct_actor_data *out) {
    ct_actor_data base = {0};
    const bool has_base =
        actor->template_name.value && find_template(r, actor->template_name, &base);
    ct_actor_data_combine(has_base ? &base : NULL, actor, out);
}

static void add_mesh_shapes(reader *r, ct_string_id64 id, ct_string_id32 part,
                            const ct_mat4 *pose) {
    const ct_worker_navigation_mesh *const mesh = ct_worker_navigation_mesh_of(r->n, id);
    for (uint32_t i = 0; mesh && i < mesh->shapes.count; ++i) {
        const ct_worker_navigation_mesh_shape *const shape = &mesh->shapes.items[i];
        if (!part.value || part.value == shape->name.value)
            ct_worker_navigation_add_triangles(r->n, &shape->triangles, shape->is_solid, pose);
    }
}

static void add_shape(reader *r, const ct_actor_shape_data *shape, const ct_mat4 *node) {
    static const float one[3] = {1, 1, 1};
    const ct_mat4 pose = ct_mat4_mul(*node, pose_of(shape->position, shape->rotation, one));
    if (shape->type == CT_ACTOR_SHAPE_MESH) {
        add_mesh_shapes(r, shape->resource, shape->part, &pose);
    } else if (shape->type == CT_ACTOR_SHAPE_HEIGHT_FIELD) {
        const char *const name =
            ct_worker_navigation_name_of(r->n, "height_field", shape->resource);
        if (name)
            ct_worker_navigation_add_heights(r->n, name, &pose);
    } else {
        ct_worker_navigation_add_simple(r->n, shape, &pose);
    }
}

static void add_actor(reader *r, uint32_t number, const ct_actor_data *actor) {
    const entity *const e = &r->entities[number];
    const ct_actor_shape_data *const shapes = ct_actor_shapes(actor);
    ct_actor_data whole;
    apply_template(r, actor, &whole);
    if (whole.body != CT_ACTOR_STATIC || !whole.is_collision_enabled)
        return;
    const ct_mat4 pose = node_pose(r, number, actor->node);
    for (uint32_t i = 0; i < actor->num_shapes; ++i)
        add_shape(r, &shapes[i], &pose);
    if (actor->num_shapes == 0 && e->first_mesh > 0) {
        const ct_mesh_data *const meshes =
            (const ct_mesh_data *)(const void *)instances_of(r, "mesh")->data.items;
        add_mesh_shapes(r, meshes[e->first_mesh - 1].mesh, (ct_string_id32){0}, &pose);
    }
}

static void add_actors(reader *r) {
    const ct_template_instances *const actors = instances_of(r, "actor");
    for (uint32_t i = 0; i < actors->entities.count && r->n->source.uses_actors; ++i) {
        const uint32_t number = actors->entities.items[i];
        if (!r->entities[number].is_excluded)
            add_actor(r, number,
                      (const void *)(actors->varying.bytes.items + actors->offsets.items[i]));
    }
}

static void add_drawn(reader *r) {
    const ct_template_instances *const meshes = instances_of(r, "mesh");
    for (uint32_t i = 0; i < meshes->entities.count; ++i) {
        const uint32_t number = meshes->entities.items[i];
        const ct_mesh_data *const data = (const ct_mesh_data *)(const void *)meshes->data.items + i;
        if (r->entities[number].is_excluded || !r->entities[number].draws)
            continue;
        const ct_worker_navigation_mesh *const mesh =
            ct_worker_navigation_mesh_of(r->n, data->mesh);
        const ct_mat4 pose = node_pose(r, number, data->node);
        if (mesh)
            ct_worker_navigation_add_triangles(r->n, &mesh->drawn, false, &pose);
    }
}

// --- The whole -----------------------------------------------------------------------------------

bool ct_worker_navigation_read_level(ct_worker_navigation *n) {
    ct_compile *const c = n->compile;
    reader r = {.n = n, .c = c, .allocator = c->allocator};
    const uint32_t num_errors = ct_compile_error_count(c);
    r.level = ct_compile_read_resource(c, "level", n->level, c->doc, n->source.level_value);
    if (!r.level)
        return false;
    ct_compile_begin_other(c, note_name, &r);
    if (read_template(&r)) {
        place_entities(&r);
        find_parts(&r);
        add_actors(&r);
        add_drawn(&r);
    }
    ct_compile_end_other(c);
    return ct_compile_error_count(c) == num_errors;
}
