// Instances: they come and go, take new blobs, and are updated.
#include "navigation/world/navigation_world_private.h"

#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math.h"

enum { DEFAULT_PATH_POLYGONS = 20000, DEFAULT_TILES = 2 };

// --- Life cycle ----------------------------------------------------------------------------------

ct_navigation_world *ct_navigation_world_create(const ct_navigation_world_desc *desc) {
    ct_navigation_world *const w = CT_NEW(desc->allocator, ct_navigation_world);
    w->allocator = desc->allocator;
    w->tasks = desc->tasks;
    w->settings = desc->settings;
    w->search = ct_navigation_search_create(w->allocator);
    ct_array_init(&w->instances, w->allocator);
    ct_array_init(&w->placed, w->allocator);
    ct_array_init(&w->slots, w->allocator);
    ct_array_init(&w->free_slots, w->allocator);
    ct_array_init(&w->movers, w->allocator);
    ct_array_init(&w->met, w->allocator);
    ct_array_push(&w->slots, (ct_navigation_instance_slot){0, 0});
    return w;
}

static void destroy_parts(ct_navigation_placed *p) {
    ct_navigation_agents_destroy(p->agents);
    ct_navigation_paths_destroy(p->paths);
    ct_navigation_mesh_destroy(p->mesh);
}

void ct_navigation_world_destroy(ct_navigation_world *w) {
    if (!w)
        return;
    for (uint32_t i = 0; i < w->placed.count; ++i)
        destroy_parts(&w->placed.items[i]);
    ct_navigation_search_destroy(w->search);
    ct_array_free(&w->instances);
    ct_array_free(&w->placed);
    ct_array_free(&w->slots);
    ct_array_free(&w->free_slots);
    ct_array_free(&w->movers);
    ct_array_free(&w->met);
    ct_free_sized(w->allocator, w, sizeof(*w));
}

void ct_navigation_world_set_settings(ct_navigation_world *w, ct_navigation_settings settings) {
    w->settings = settings;
}

// --- Instances -----------------------------------------------------------------------------------

static const ct_navigation_class *classes_of(const ct_navigation_resource *resource) {
    return ct_blob_at(resource, resource->classes.offset);
}

static void create_parts(ct_navigation_world *w, ct_navigation_placed *p,
                         const ct_navigation_resource *resource) {
    const ct_navigation_mesh_desc mesh = {.allocator = w->allocator,
                                          .resource = resource,
                                          .number = p->class_number,
                                          .has_no_tiles = !p->has_class};
    p->mesh = ct_navigation_mesh_create(&mesh);
    const ct_navigation_paths_desc paths = {
        .allocator = w->allocator, .mesh = p->mesh, .tasks = w->tasks};
    p->paths = ct_navigation_paths_create(&paths);
    const ct_navigation_agents_desc agents = {.allocator = w->allocator,
                                              .mesh = p->mesh,
                                              .paths = p->paths,
                                              .tasks = w->tasks,
                                              .number = p->id.id & CT_NAVIGATION_MAX_INSTANCES};
    p->agents = ct_navigation_agents_create(&agents);
    p->counted_version = 0;
}

static bool is_near(float a, float b) {
    return fabsf(a - b) <= 1e-3f; // false for NaN
}

// Takes the turn from a pose; false with `error` when it is scaled or tilted.
static bool take_turn(const ct_mat4 *pose, ct_navigation_turn *turn, ct_error *error) {
    const ct_vec3 x = {{pose->col[0].x, pose->col[0].y, pose->col[0].z}};
    const ct_vec3 y = {{pose->col[1].x, pose->col[1].y, pose->col[1].z}};
    const ct_vec3 z = {{pose->col[2].x, pose->col[2].y, pose->col[2].z}};
    if (!ct_mat4_is_finite(pose))
        return ct_error_set(error, "the pose of a navigation mesh is not finite");
    if (!is_near(ct_vec3_length(x), 1) || !is_near(ct_vec3_length(y), 1) ||
        !is_near(ct_vec3_length(z), 1))
        return ct_error_set(error,
                            "found a scale of (%g, %g, %g); expected a navigation mesh that is "
                            "not scaled",
                            (double)ct_vec3_length(x), (double)ct_vec3_length(y),
                            (double)ct_vec3_length(z));
    if (!is_near(z.z, 1) || !is_near(x.x * y.y - x.y * y.x, 1))
        return ct_error_set(error,
                            "found a z axis of (%g, %g, %g); expected a navigation mesh that is "
                            "only turned around z",
                            (double)z.x, (double)z.y, (double)z.z);
    const float length = sqrtf(x.x * x.x + x.y * x.y);
    *turn = (ct_navigation_turn){x.x / length, x.y / length, ct_mat4_position(*pose)};
    return true;
}

// Returns 0 when all are in use.
static uint32_t take_slot(ct_navigation_world *w) {
    if (w->free_slots.count)
        return w->free_slots.items[--w->free_slots.count];
    if (w->slots.count > CT_NAVIGATION_MAX_INSTANCES)
        return 0;
    ct_array_push(&w->slots, (ct_navigation_instance_slot){1, 0});
    return w->slots.count - 1;
}

ct_navigation_instance ct_navigation_world_add(ct_navigation_world *w,
                                               const ct_navigation_instance_desc *desc,
                                               ct_error *error) {
    const ct_navigation_resource *const resource = desc->resource;
    CT_ASSERT(desc->class_number < resource->classes.count, "class %u of %u", desc->class_number,
              resource->classes.count);
    ct_navigation_placed placed = {.name = desc->name, .user = desc->user};
    if (!take_turn(&desc->pose, &placed.turn, error))
        return (ct_navigation_instance){0};
    const uint32_t slot = take_slot(w);
    if (!slot) {
        ct_error_set(error, "there are %u navigation meshes in the world already, the most",
                     CT_NAVIGATION_MAX_INSTANCES);
        return (ct_navigation_instance){0};
    }
    const ct_navigation_class *const class = &classes_of(resource)[desc->class_number];
    placed.class_name = class->name;
    placed.class_id = class->id;
    placed.class_number = desc->class_number;
    placed.has_class = true;
    placed.id.id = w->slots.items[slot].generation << CT_NAVIGATION_INSTANCE_BITS | slot;
    create_parts(w, &placed, resource);
    ct_array_push(&w->instances, placed.id);
    ct_array_push(&w->placed, placed);
    w->slots.items[slot].place = w->placed.count;
    ++w->changes;
    return placed.id;
}

uint32_t ct_navigation_place_of(const ct_navigation_world *w, ct_navigation_instance i) {
    const uint32_t slot = i.id & CT_NAVIGATION_MAX_INSTANCES;
    if (!slot || slot >= w->slots.count ||
        w->slots.items[slot].generation != i.id >> CT_NAVIGATION_INSTANCE_BITS)
        return UINT32_MAX;
    return w->slots.items[slot].place - 1;
}

void ct_navigation_world_remove(ct_navigation_world *w, ct_navigation_instance i) {
    const uint32_t place = ct_navigation_place_of(w, i);
    if (place == UINT32_MAX)
        return;
    destroy_parts(&w->placed.items[place]);
    ct_array_erase(&w->placed, place, 1);
    ct_array_erase(&w->instances, place, 1);
    const uint32_t number = i.id & CT_NAVIGATION_MAX_INSTANCES;
    ct_navigation_instance_slot *const slot = &w->slots.items[number];
    slot->place = 0;
    const uint32_t generations = UINT32_MAX >> CT_NAVIGATION_INSTANCE_BITS;
    slot->generation = slot->generation == generations ? 1 : slot->generation + 1;
    ct_array_push(&w->free_slots, number);
    for (uint32_t k = place; k < w->placed.count; ++k)
        w->slots.items[w->placed.items[k].id.id & CT_NAVIGATION_MAX_INSTANCES].place = k + 1;
    ++w->changes;
}

bool ct_navigation_world_has(const ct_navigation_world *w, ct_navigation_instance i) {
    return ct_navigation_place_of(w, i) != UINT32_MAX;
}

uint32_t ct_navigation_world_changes(const ct_navigation_world *w) {
    return w->changes;
}

const ct_navigation_instance *ct_navigation_world_instances(const ct_navigation_world *w,
                                                            uint32_t *count) {
    *count = w->instances.count;
    return w->instances.items;
}

// --- Reload --------------------------------------------------------------------------------------

// The class with the instance's id, else with its name; UINT32_MAX: there is no such class.
static uint32_t find_class(const ct_navigation_placed *p, const ct_navigation_resource *resource) {
    const ct_navigation_class *const classes = classes_of(resource);
    for (uint32_t i = 0; i < resource->classes.count; ++i)
        if (classes[i].id.value == p->class_id.value)
            return i;
    for (uint32_t i = 0; i < resource->classes.count; ++i)
        if (classes[i].name.value == p->class_name.value)
            return i;
    return UINT32_MAX;
}

static void reload_placed(ct_navigation_world *w, ct_navigation_placed *p,
                          const ct_navigation_resource *resource) {
    const uint32_t number = find_class(p, resource);
    const bool has_class = number != UINT32_MAX;
    const bool is_same =
        has_class && p->has_class && classes_of(resource)[number].id.value == p->class_id.value;
    p->has_class = has_class;
    p->class_number = has_class ? number : 0;
    if (has_class) {
        p->class_name = classes_of(resource)[number].name;
        p->class_id = classes_of(resource)[number].id;
    }
    p->counted_version = 0;
    if (is_same) {
        ct_navigation_mesh_reload(p->mesh, resource);
        return;
    }
    destroy_parts(p);
    create_parts(w, p, resource);
    ++w->changes;
}

void ct_navigation_world_reload(ct_navigation_world *w, ct_string_id64 name,
                                const ct_navigation_resource *resource) {
    for (uint32_t i = w->placed.count; i-- > 0;) {
        ct_navigation_placed *const p = &w->placed.items[i];
        if (p->name.value != name.value)
            continue;
        if (resource)
            reload_placed(w, p, resource);
        else
            ct_navigation_world_remove(w, p->id);
    }
}

// --- Look-ups ------------------------------------------------------------------------------------

static const ct_navigation_placed *checked(const ct_navigation_world *w, ct_navigation_instance i) {
    const uint32_t place = ct_navigation_place_of(w, i);
    CT_ASSERT(place != UINT32_MAX, "the navigation mesh 0x%x is stale", i.id);
    return &w->placed.items[place];
}

ct_vec3 ct_navigation_turned_back(const ct_navigation_turn *t, ct_vec3 v) {
    return ct_vec3_make(v.x * t->cosine + v.y * t->sine, v.y * t->cosine - v.x * t->sine, v.z);
}

ct_vec3 ct_navigation_turned(const ct_navigation_turn *t, ct_vec3 v) {
    return ct_vec3_make(v.x * t->cosine - v.y * t->sine, v.y * t->cosine + v.x * t->sine, v.z);
}

static bool has_polygon_near(const ct_navigation_placed *p, ct_vec3 point) {
    const ct_navigation_class *const class = ct_navigation_mesh_class(p->mesh);
    const ct_vec3 reach = ct_vec3_make(2 * class->radius, 2 * class->radius, class->height);
    const ct_vec3 local = ct_navigation_turned_back(&p->turn, ct_vec3_sub(point, p->turn.position));
    return ct_navigation_nearest(p->mesh, NULL, local, reach, NULL) != 0;
}

ct_navigation_instance ct_navigation_world_find(const ct_navigation_world *w,
                                                ct_string_id32 class_name, ct_vec3 point) {
    ct_navigation_instance first = {0};
    for (uint32_t i = 0; i < w->placed.count; ++i) {
        const ct_navigation_placed *const p = &w->placed.items[i];
        const bool is_right =
            class_name.value ? p->class_name.value == class_name.value : p->class_number == 0;
        if (!p->has_class || !is_right)
            continue;
        if (has_polygon_near(p, point))
            return p->id;
        if (!first.id)
            first = p->id;
    }
    return first;
}

ct_navigation_parts ct_navigation_world_parts(const ct_navigation_world *w,
                                              ct_navigation_instance i) {
    const ct_navigation_placed *const p = checked(w, i);
    return (ct_navigation_parts){.mesh = p->mesh,
                                 .paths = p->paths,
                                 .agents = p->agents,
                                 .search = w->search,
                                 .name = p->name,
                                 .class_name = p->class_name,
                                 .user = p->user};
}

ct_mat4 ct_navigation_world_pose(const ct_navigation_world *w, ct_navigation_instance i) {
    const ct_navigation_turn *const t = &checked(w, i)->turn;
    ct_mat4 pose = ct_mat4_identity();
    pose.col[0].x = pose.col[1].y = t->cosine;
    pose.col[0].y = t->sine;
    pose.col[1].x = -t->sine;
    pose.col[3].x = t->position.x;
    pose.col[3].y = t->position.y;
    pose.col[3].z = t->position.z;
    return pose;
}

ct_vec3 ct_navigation_to_mesh(const ct_navigation_world *w, ct_navigation_instance i,
                              ct_vec3 point) {
    const ct_navigation_turn *const t = &checked(w, i)->turn;
    return ct_navigation_turned_back(t, ct_vec3_sub(point, t->position));
}

ct_vec3 ct_navigation_to_world(const ct_navigation_world *w, ct_navigation_instance i,
                               ct_vec3 point) {
    const ct_navigation_turn *const t = &checked(w, i)->turn;
    return ct_vec3_add(ct_navigation_turned(t, point), t->position);
}

ct_vec3 ct_navigation_turn_to_mesh(const ct_navigation_world *w, ct_navigation_instance i,
                                   ct_vec3 direction) {
    return ct_navigation_turned_back(&checked(w, i)->turn, direction);
}

ct_vec3 ct_navigation_turn_to_world(const ct_navigation_world *w, ct_navigation_instance i,
                                    ct_vec3 direction) {
    return ct_navigation_turned(&checked(w, i)->turn, direction);
}

// --- The step ------------------------------------------------------------------------------------

// Takes what was built since the last step.
static void end_tiles(ct_navigation_world *w) {
    for (uint32_t i = 0; i < w->placed.count; ++i)
        ct_navigation_mesh_end_update(w->placed.items[i].mesh);
}

// Tasks build the tiles until the next step. The instance that is first is another one in each step: none
// waits for ever.
static void begin_tiles(ct_navigation_world *w) {
    const uint32_t count = w->placed.count;
    uint32_t left = w->settings.tiles ? w->settings.tiles : DEFAULT_TILES;
    for (uint32_t k = 0; k < count && left; ++k) {
        ct_navigation_mesh *const mesh = w->placed.items[(w->step + k) % count].mesh;
        if (ct_navigation_mesh_num_waiting(mesh))
            left -= ct_navigation_mesh_begin_update(mesh, w->tasks, left);
    }
}

// Instances that have queries share the polygons evenly.
static void update_paths(ct_navigation_world *w) {
    const uint32_t all =
        w->settings.path_polygons ? w->settings.path_polygons : DEFAULT_PATH_POLYGONS;
    uint32_t num_searching = 0;
    for (uint32_t i = 0; i < w->placed.count; ++i)
        num_searching += ct_navigation_paths_count(w->placed.items[i].paths) != 0;
    const uint32_t share = num_searching ? all / num_searching : all;
    for (uint32_t i = 0; i < w->placed.count; ++i) {
        ct_navigation_paths_set_budget(w->placed.items[i].paths, share > 32 ? share : 32);
        ct_navigation_paths_update(w->placed.items[i].paths);
    }
}

void ct_navigation_world_step(ct_navigation_world *w, double dt) {
    if (!w->placed.count)
        return;
    ++w->step;
    end_tiles(w);
    update_paths(w);
    ct_navigation_world_meet(w);
    for (uint32_t i = 0; i < w->placed.count; ++i)
        ct_navigation_agents_update(w->placed.items[i].agents, dt);
    begin_tiles(w);
}

static void count_tiles(ct_navigation_placed *p) {
    uint32_t num_slots;
    const ct_navigation_tile *const tiles = ct_navigation_tiles(p->mesh, &num_slots);
    p->num_tiles = p->num_polygons = 0;
    for (uint32_t i = 1; i < num_slots; ++i) {
        p->num_tiles += tiles[i].version != 0;
        p->num_polygons += tiles[i].version ? tiles[i].num_faces : 0;
    }
    p->counted_version = ct_navigation_mesh_version(p->mesh);
}

ct_navigation_counts ct_navigation_world_counts(const ct_navigation_world *w) {
    ct_navigation_counts c = {.instances = w->placed.count};
    for (uint32_t i = 0; i < w->placed.count; ++i) {
        ct_navigation_placed *const p = &w->placed.items[i];
        if (p->counted_version != ct_navigation_mesh_version(p->mesh))
            count_tiles(p);
        c.tiles += p->num_tiles;
        c.polygons += p->num_polygons;
        c.obstacles += ct_navigation_mesh_num_obstacles(p->mesh);
        c.waiting_tiles += ct_navigation_mesh_num_waiting(p->mesh);
        c.queries += ct_navigation_paths_count(p->paths);
        c.agents += ct_navigation_agents_count(p->agents);
    }
    return c;
}
