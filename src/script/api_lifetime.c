#include "script/api_lifetime.h"

#include "script/entity/api_data.h"

void ct_check_object_room(lua_State *L) {
    const struct ct_script *const s = ct_script_of(L);
    if (!s->first_free_object && s->objects.count == CT_MAX_OBJECTS)
        ct_function_error(L, "there are %d engine objects known to Lua, which is the most",
                          CT_MAX_OBJECTS - 1);
}

static uint64_t data_of(const ct_world *world) {
    return (uint64_t)(uintptr_t)world;
}

void ct_script_end_level(lua_State *L, ct_world *world, ct_level level) {
    ct_world_destroy_level(world, level);
    ct_script_drop_data(L, ct_data_key_of_level(level));
    ct_release_object(ct_script_of(L), CT_OBJECT_KIND_LEVEL, world, level.id);
}

void ct_script_end_line_object(lua_State *L, ct_line_object *lines, const ct_world *world) {
    ct_release_object(ct_script_of(L), CT_OBJECT_KIND_LINE_OBJECT, lines, data_of(world));
    ct_line_object_destroy(lines);
}

void ct_script_end_viewport(lua_State *L, ct_script_viewport *viewport, const ct_world *world) {
    ct_release_object(ct_script_of(L), CT_OBJECT_KIND_VIEWPORT, viewport, data_of(world));
    ct_script_drop_data(L, ct_data_key_of_object(viewport));
    ct_free_sized(ct_script_of(L)->allocator, viewport, sizeof(*viewport));
}

void ct_script_end_package(lua_State *L, ct_script_package *package) {
    struct ct_script *const s = ct_script_of(L);
    ct_release_object(s, CT_OBJECT_KIND_PACKAGE, package, 0);
    ct_resource_package_destroy(s->resources, package->package);
    ct_free_sized(s->allocator, package, sizeof(*package));
}

void ct_script_end_broadphase(lua_State *L, ct_script_broadphase *broadphase) {
    struct ct_script *const s = ct_script_of(L);
    ct_release_object(s, CT_OBJECT_KIND_BROADPHASE, broadphase, 0);
    ct_broadphase_destroy(broadphase->broadphase);
    ct_array_free(&broadphase->found);
    ct_array_free(&broadphase->hits);
    ct_array_free(&broadphase->halves);
    ct_array_free(&broadphase->items);
    ct_array_free(&broadphase->boxes);
    ct_free_sized(s->allocator, broadphase, sizeof(*broadphase));
}

// Ends what stands in `slot` when it belongs to `world`.
static void end_belonging(lua_State *L, ct_script_object slot, ct_world *world) {
    switch ((ct_object_kind)slot.kind) {
    case CT_OBJECT_KIND_LINE_OBJECT:
        if (slot.data == data_of(world))
            ct_script_end_line_object(L, slot.object, world);
        break;
    case CT_OBJECT_KIND_VIEWPORT:
        if (slot.data == data_of(world))
            ct_script_end_viewport(L, slot.object, world);
        break;
    case CT_OBJECT_KIND_LEVEL:
        if (slot.object == world)
            ct_script_end_level(L, world, (ct_level){(uint32_t)slot.data});
        break;
    case CT_OBJECT_KIND_TRANSFORM_COMPONENT:
    case CT_OBJECT_KIND_SCENE_GRAPH_COMPONENT:
    case CT_OBJECT_KIND_UNIT_COMPONENT:
    case CT_OBJECT_KIND_MESH_COMPONENT:
    case CT_OBJECT_KIND_SCRIPT_COMPONENT:
        if (slot.object == world)
            ct_release_object(ct_script_of(L), (ct_object_kind)slot.kind, world, slot.data);
        break;
    default:
        break;
    }
}

void ct_script_end_world(lua_State *L, ct_world *world) {
    struct ct_script *const s = ct_script_of(L);
    for (uint32_t i = 1; i < s->objects.count; ++i)
        end_belonging(L, s->objects.items[i], world);
    ct_release_object(s, CT_OBJECT_KIND_WORLD, world, 0);
    ct_script_drop_data(L, ct_data_key_of_object(world));
    ct_world_destroy(world);
}

void ct_script_api_shutdown(struct ct_script *s) {
    lua_State *const L = s->lua;
    while (ct_world_system_num_worlds(s->worlds))
        ct_script_end_world(L, ct_world_system_world(s->worlds, 0));
    for (uint32_t i = 1; i < s->objects.count; ++i) {
        if (s->objects.items[i].kind == CT_OBJECT_KIND_PACKAGE)
            ct_script_end_package(L, s->objects.items[i].object);
        else if (s->objects.items[i].kind == CT_OBJECT_KIND_BROADPHASE)
            ct_script_end_broadphase(L, s->objects.items[i].object);
    }
    ct_script_end_transfer_watches(s);
    ct_script_data_shutdown(s);
}
