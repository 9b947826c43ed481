#include "physics/physics_system.h"

#include <string.h>

#include "foundation/memory/proxy_allocator.h"
#include "physics/physics_system_private.h"

// --- The physics resource ------------------------------------------------------------------------

// What counts while no resource is loaded: a resource with one material and one filter.
typedef struct default_physics {
    ct_physics_resource resource;
    ct_physics_material material;
    ct_physics_filter filter;
    char name[8];
} default_physics;

static ct_physics_resource *make_defaults(ct_allocator *a) {
    default_physics *const d = CT_NEW(a, default_physics);
    const ct_string_id32 name = ct_string_id32_of("default");
    const ct_blob_string text = {offsetof(default_physics, name), 7};
    memcpy(d->name, "default", 8);
    d->material = (ct_physics_material){.name_text = text,
                                        .name = name,
                                        .friction = 0.5f,
                                        .density = 1000,
                                        .rolling_friction = 0.01f};
    d->filter = (ct_physics_filter){.name_text = text, .name = name, .collides = UINT32_MAX};
    d->resource = (ct_physics_resource){
        .gravity = {0, 0, -9.82f},
        .step = 1.0f / 60,
        .max_steps = 4,
        .solver_iterations = 10,
        .sleep_linear = 0.8f,
        .sleep_angular = 1,
        .rest_distance = 0.02f,
        .materials = {offsetof(default_physics, material), 1},
        .filters = {offsetof(default_physics, filter), 1},
    };
    return &d->resource;
}

const ct_physics_resource *ct_physics_system_resource(const ct_physics_system *s) {
    const ct_physics_resource *const loaded =
        ct_resource_manager_get(s->resources, "physics", s->name);
    return loaded ? loaded : s->defaults;
}

void ct_physics_system_use(ct_physics_system *s, ct_string_id64 name) {
    s->name = name;
    for (uint32_t i = 0; i < s->watchers.count; ++i)
        s->watchers.items[i].changed(s->watchers.items[i].user, true, false);
}

// --- Changes -------------------------------------------------------------------------------------

static void settle(void *user) {
    ct_physics_system *const s = user;
    const bool has_physics = s->has_new_physics, has_shapes = s->has_new_shapes;
    s->has_new_physics = s->has_new_shapes = false;
    for (uint32_t i = 0; (has_physics || has_shapes) && i < s->watchers.count; ++i)
        s->watchers.items[i].changed(s->watchers.items[i].user, has_physics, has_shapes);
}

// Messages name what is not there any more, too: so the texts are kept.
static void register_names(const ct_physics_resource *r) {
    const ct_physics_material *const materials = ct_blob_at(r, r->materials.offset);
    const ct_physics_filter *const filters = ct_blob_at(r, r->filters.offset);
    const ct_physics_template *const templates = ct_blob_at(r, r->templates.offset);
    for (uint32_t i = 0; i < r->materials.count; ++i)
        ct_string_id32_register(ct_blob_at(r, materials[i].name_text.offset));
    for (uint32_t i = 0; i < r->filters.count; ++i)
        ct_string_id32_register(ct_blob_at(r, filters[i].name_text.offset));
    for (uint32_t i = 0; i < r->templates.count; ++i)
        ct_string_id32_register(ct_blob_at(r, templates[i].name_text.offset));
}

static void physics_online(void *user, ct_string_id64 name, const void *blob) {
    register_names(blob);
    ct_physics_system *const s = user;
    s->has_new_physics |= name.value == s->name.value;
}

static void physics_offline(void *user, ct_string_id64 name, const void *blob) {
    (void)blob;
    ct_physics_system *const s = user;
    if (name.value != s->name.value)
        return;
    // It is still there, but it is the defaults that worlds must look up.
    s->name = (ct_string_id64){0};
    s->has_new_physics = true;
    settle(s);
    s->name = name;
}

static void physics_reload(void *user, ct_string_id64 name, const void *old, const void *blob) {
    (void)old;
    physics_online(user, name, blob);
}

// Worlds look again for what they wait for, too: so any mesh that arrives counts.
static void shapes_online(void *user, ct_string_id64 name, const void *blob) {
    (void)name, (void)blob;
    ((ct_physics_system *)user)->has_new_shapes = true;
}

static void shapes_offline(void *user, ct_string_id64 name, const void *blob) {
    (void)blob;
    ct_physics_system *const s = user;
    s->has_new_shapes |= ct_physics_shapes_forget(s, name);
    // Now, while the data is still there; but nothing new may be made of it.
    s->leaving = name;
    settle(s);
    s->leaving = (ct_string_id64){0};
}

static void shapes_reload(void *user, ct_string_id64 name, const void *old, const void *blob) {
    (void)old, (void)blob;
    ct_physics_system *const s = user;
    ct_physics_shapes_forget(s, name);
    s->has_new_shapes = true;
}

void ct_physics_system_watch(ct_physics_system *s, const ct_physics_watcher *watcher) {
    settle(s); // the new one has looked up what is there: it must not hear of it as of a change
    ct_array_push(&s->watchers, *watcher);
}

void ct_physics_system_unwatch(ct_physics_system *s, const void *user) {
    for (uint32_t i = 0; i < s->watchers.count; ++i) {
        if (s->watchers.items[i].user == user) {
            ct_array_erase(&s->watchers, i, 1);
            return;
        }
    }
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_physics_system *ct_physics_system_create(ct_allocator *a, ct_resource_manager *resources) {
    ct_physics_system *const s = CT_NEW(a, ct_physics_system);
    s->backing = a;
    s->allocator = ct_proxy_allocator_create(a, "physics");
    s->resources = resources;
    s->defaults = make_defaults(s->allocator);
    ct_hash_map_init(&s->shapes, s->allocator);
    ct_array_init(&s->watchers, s->allocator);
    ct_bullet_init(a);
    const ct_resource_callbacks physics = {.user = s,
                                           .online = physics_online,
                                           .offline = physics_offline,
                                           .reload = physics_reload,
                                           .settled = settle};
    const ct_resource_callbacks shapes = {.user = s,
                                          .online = shapes_online,
                                          .offline = shapes_offline,
                                          .reload = shapes_reload,
                                          .settled = settle};
    ct_resource_manager_register(resources, "physics", &physics);
    ct_resource_manager_register(resources, "mesh", &shapes);
    ct_resource_manager_register(resources, "height_field", &shapes);
    return s;
}

void ct_physics_system_destroy(ct_physics_system *s) {
    if (!s)
        return;
    CT_ASSERT(s->watchers.count == 0, "%u worlds still have physics", s->watchers.count);
    ct_hash_map_free(&s->shapes);
    ct_array_free(&s->watchers);
    ct_free(s->allocator, s->defaults);
    ct_bullet_quit();
    ct_allocator *const backing = s->backing;
    ct_proxy_allocator_destroy(s->allocator);
    ct_free(backing, s);
}
