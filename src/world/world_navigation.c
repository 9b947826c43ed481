#include "world/world_navigation.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "foundation/profiler/profiler.h"
#include "world/world_private.h"

// --- Meshes of levels ----------------------------------------------------------------------------

static const ct_navigation_resource *find_resource(const ct_world *w, ct_string_id64 name) {
    return ct_resource_manager_get(w->system->resources, "navigation", name);
}

// Adds a mesh of each class that the level has no mesh of; false with `error` when it is tilted or scaled, or
// there are too many.
static bool add_classes(ct_world *w, ct_level level, ct_string_id64 name,
                        const ct_navigation_resource *resource, ct_error *error) {
    const ct_navigation_class *const classes = ct_blob_at(resource, resource->classes.offset);
    for (uint32_t i = 0; i < resource->classes.count; ++i) {
        if (ct_level_navigation(w, level, classes[i].name).id)
            continue;
        const ct_navigation_instance_desc desc = {.resource = resource,
                                                  .name = name,
                                                  .class_number = i,
                                                  .pose = ct_level_world_pose(w, level),
                                                  .user = level.id};
        if (!ct_navigation_world_add(ct_world_navigation(w), &desc, error).id)
            return false;
    }
    return true;
}

static void add_meshes(ct_world *w, ct_level level, ct_string_id64 name,
                       const ct_navigation_resource *resource) {
    ct_error error = {0};
    if (!add_classes(w, level, name, resource, &error))
        ct_log_warning("world", "level_navigation_refused",
                       "the level \"%s\" has no navigation: %s",
                       ct_string_id64_name(ct_level_resource_id(w, level)), error.message);
}

void ct_world_start_navigation(ct_world *w, void *navigation, ct_level level) {
    (void)navigation;
    const ct_string_id64 name = ct_world_level_navigation(w, level);
    if (!name.value)
        return;
    const ct_navigation_resource *const resource = find_resource(w, name);
    if (resource)
        add_meshes(w, level, name, resource);
    else
        ct_log_warning("world", "level_navigation_missing",
                       "the level \"%s\" has no navigation: \"%s\" is not loaded",
                       ct_string_id64_name(ct_level_resource_id(w, level)),
                       ct_string_id64_name(name));
}

void ct_world_end_navigation(ct_world *w, void *navigation, ct_level level) {
    (void)w;
    uint32_t count;
    const ct_navigation_instance *all = ct_navigation_world_instances(navigation, &count);
    for (uint32_t i = count; i-- > 0;) {
        if (ct_navigation_world_parts(navigation, all[i]).user != level.id)
            continue;
        ct_navigation_world_remove(navigation, all[i]);
        all = ct_navigation_world_instances(navigation, &count);
    }
}

ct_navigation_instance ct_level_navigation(const ct_world *w, ct_level level,
                                           ct_string_id32 class_name) {
    const ct_navigation_world *const n = ct_world_navigation(w);
    uint32_t count;
    const ct_navigation_instance *const all = ct_navigation_world_instances(n, &count);
    for (uint32_t i = 0; i < count && level.id; ++i) {
        const ct_navigation_parts parts = ct_navigation_world_parts(n, all[i]);
        if (parts.user == level.id &&
            (!class_name.value || parts.class_name.value == class_name.value))
            return all[i];
    }
    return (ct_navigation_instance){0};
}

// --- Meshes of no level --------------------------------------------------------------------------

// Returns the number of a class, or UINT32_MAX with `error`, which lists the classes there are.
static uint32_t find_class(const ct_navigation_resource *resource, ct_string_id64 name,
                           ct_string_id32 class_name, ct_error *error) {
    const ct_navigation_class *const classes = ct_blob_at(resource, resource->classes.offset);
    if (!class_name.value)
        return 0;
    char list[256] = "";
    uint32_t length = 0;
    for (uint32_t i = 0; i < resource->classes.count; ++i) {
        if (classes[i].name.value == class_name.value)
            return i;
        if (length < sizeof(list))
            length += (uint32_t)snprintf(
                list + length, sizeof(list) - length, "%s\"%s\"", length ? ", " : "",
                (const char *)ct_blob_at(resource, classes[i].name_text.offset));
    }
    ct_error_set(error, "\"%s\" has no class \"%s\"; expected %s", ct_string_id64_name(name),
                 ct_string_id32_name(class_name), list);
    return UINT32_MAX;
}

ct_navigation_instance ct_world_add_navigation(ct_world *w, ct_string_id64 resource,
                                               ct_string_id32 class_name, ct_mat4 pose,
                                               ct_error *error) {
    const ct_navigation_resource *const r = find_resource(w, resource);
    if (!r) {
        ct_error_set(error, "the navigation \"%s\" is not loaded", ct_string_id64_name(resource));
        return (ct_navigation_instance){0};
    }
    const uint32_t number = find_class(r, resource, class_name, error);
    if (number == UINT32_MAX)
        return (ct_navigation_instance){0};
    const ct_navigation_instance_desc desc = {
        .resource = r, .name = resource, .class_number = number, .pose = pose};
    return ct_navigation_world_add(ct_world_navigation(w), &desc, error);
}

// --- Resources and settings ----------------------------------------------------------------------

// Levels get the meshes of a blob that has come, or of classes that are new in it.
static void add_to_levels(ct_world *w, ct_string_id64 name, const ct_navigation_resource *r) {
    for (uint32_t i = 0; i < w->levels.count; ++i) {
        const ct_level_record *const record = &w->level_records.items[i];
        if (record->navigation.value == name.value && record->is_started && !record->is_ending)
            add_meshes(w, w->levels.items[i], name, r);
    }
}

static void online(void *user, ct_string_id64 name, const void *blob) {
    const ct_world_system *const s = user;
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        add_to_levels(s->worlds.items[i], name, blob);
}

static void offline(void *user, ct_string_id64 name, const void *blob) {
    const ct_world_system *const s = user;
    (void)blob;
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        ct_navigation_world_reload(ct_world_navigation(s->worlds.items[i]), name, NULL);
}

static void reload(void *user, ct_string_id64 name, const void *old_blob, const void *new_blob) {
    const ct_world_system *const s = user;
    (void)old_blob;
    for (uint32_t i = 0; i < s->worlds.count; ++i) {
        ct_navigation_world_reload(ct_world_navigation(s->worlds.items[i]), name, new_blob);
        add_to_levels(s->worlds.items[i], name, new_blob);
    }
}

void ct_world_system_watch_navigation(ct_world_system *s) {
    if (s->resources)
        ct_resource_manager_register(
            s->resources, "navigation",
            &(ct_resource_callbacks){
                .user = s, .online = online, .offline = offline, .reload = reload});
}

void ct_world_system_set_navigation(ct_world_system *s, ct_navigation_settings settings) {
    s->navigation_settings = settings;
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        ct_navigation_world_set_settings(ct_world_navigation(s->worlds.items[i]), settings);
}

// --- The step ------------------------------------------------------------------------------------

// Moves entities with movers by the velocities of their agents.
static void move_movers(ct_world *w, const ct_navigation_agent_view *view, float dt) {
    ct_mover_manager *const movers = ct_world_movers(w);
    if (!movers || !(dt > 0))
        return;
    for (uint32_t i = 0; i < view->count; ++i) {
        if (view->data[i].moves != CT_NAVIGATION_MOVES_MOVER ||
            view->states[i] == CT_NAVIGATION_ON_LINK) {
            view->falls[i] = 0;
            continue;
        }
        const ct_mover_instance mover = ct_mover_active(movers, view->entities[i]);
        if (!mover.index)
            continue;
        // A world without movers in use has no physics to ask.
        const ct_vec3 gravity =
            ct_bullet_world_gravity(ct_physics_world_bullet(ct_world_physics(w)));
        const bool is_down = ct_mover_contacts_of(movers, mover)->down;
        view->falls[i] = (is_down ? 0 : view->falls[i]) - gravity.z * dt;
        ct_vec3 offset = ct_vec3_scale(view->velocities[i], dt);
        offset.z = -view->falls[i] * dt;
        ct_mover_component_move(movers, mover, offset, dt);
    }
}

// Hands speeds on to state machines.
static void set_speed_variables(const ct_world *w, const ct_navigation_agent_view *view) {
    const ct_animation_manager *const animations = ct_world_animations(w);
    for (uint32_t i = 0; animations && i < view->count; ++i) {
        if (!view->data[i].speed_variable.value)
            continue;
        const ct_animation_instance a = ct_animation_lookup(animations, view->entities[i]);
        ct_state_machine *const machine = a.index ? ct_animation_machine(animations, a) : NULL;
        const uint32_t variable =
            machine ? ct_state_machine_find_variable(machine, view->data[i].speed_variable)
                    : UINT32_MAX;
        if (variable != UINT32_MAX)
            ct_state_machine_set_variable(machine, variable, ct_vec3_length(view->velocities[i]));
    }
}

static void count(const ct_navigation_world *n) {
    if (!ct_profiler_is_on())
        return;
    const ct_navigation_counts c = ct_navigation_world_counts(n);
    if (!c.instances)
        return;
    ct_profiler_counter("navigation agents", c.agents);
    ct_profiler_counter("navigation queries", c.queries);
    ct_profiler_counter("navigation obstacles", c.obstacles);
    ct_profiler_counter("navigation tiles waiting", c.waiting_tiles);
}

void ct_world_step_navigation(ct_world *w, void *navigation, double dt) {
    ct_navigation_agent_manager *const agents = ct_world_navigation_agents(w);
    ct_navigation_agent_before_step(agents, dt);
    ct_navigation_world_step(navigation, dt);
    ct_navigation_agent_after_step(agents, dt);
    const ct_navigation_agent_view view = ct_navigation_agent_all(agents);
    move_movers(w, &view, (float)dt);
    set_speed_variables(w, &view);
    count(navigation);
}
