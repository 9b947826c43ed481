// What an environment keeps of navigation: meshes that Lua has seen, their last paths, fields.
#include "script/navigation/script_navigation_private.h"

struct ct_script_navigation *ct_script_navigation_of(ct_script *s) {
    if (!s->navigation) {
        ct_allocator *const a = s->lua.allocator;
        s->navigation = CT_NEW(a, struct ct_script_navigation);
        ct_array_init(&s->navigation->queries, a);
        ct_array_init(&s->navigation->meshes, a);
        ct_array_init(&s->navigation->fields, a);
        s->navigation->search = ct_navigation_search_create(a);
    }
    return s->navigation;
}

void ct_script_navigation_shutdown(ct_script *s) {
    struct ct_script_navigation *const n = s->navigation;
    if (!n)
        return;
    ct_array_free(&n->queries);
    ct_array_free(&n->meshes);
    ct_array_free(&n->fields);
    ct_navigation_search_destroy(n->search);
    ct_free_sized(s->lua.allocator, n, sizeof(*n));
    s->navigation = NULL;
}

// --- Meshes --------------------------------------------------------------------------------------

const ct_lua_object_type ct_type_navigation_mesh = {.name = "NavigationMesh",
                                                    .owner = CT_LUA_OWNER_OBJECT};

static ct_script_known_mesh *find_mesh(struct ct_script_navigation *n, const ct_world *world,
                                       ct_navigation_instance instance) {
    for (uint32_t i = 0; i < n->meshes.count; ++i) {
        ct_script_known_mesh *const known = &n->meshes.items[i];
        if (known->world == world && known->instance.id == instance.id)
            return known;
    }
    return NULL;
}

int ct_push_navigation_mesh(lua_State *L, ct_world *world, ct_navigation_instance instance) {
    if (!instance.id) {
        lua_pushnil(L);
        return 1;
    }
    struct ct_script_navigation *const n = ct_script_navigation_of(ct_script_of(L));
    if (!find_mesh(n, world, instance)) {
        ct_allocator *const a = ct_lua_of(L)->allocator;
        ct_check_object_room(L, &ct_type_navigation_mesh);
        ct_array_push(&n->meshes, (ct_script_known_mesh){.world = world, .instance = instance});
        ct_array_init(&n->meshes.items[n->meshes.count - 1].polygons, a);
        ct_array_init(&n->meshes.items[n->meshes.count - 1].corners, a);
    }
    ct_push_object(L, &ct_type_navigation_mesh, world, instance.id);
    return 1;
}

// Forgets mesh `i`; its handle ends.
static void forget_mesh(lua_State *L, struct ct_script_navigation *n, uint32_t i) {
    ct_script_known_mesh *const known = &n->meshes.items[i];
    void *const world = (void *)(uintptr_t)known->world; // only compared
    ct_release_object(ct_lua_of(L), &ct_type_navigation_mesh, world, known->instance.id);
    ct_array_free(&known->polygons);
    ct_array_free(&known->corners);
    ct_array_swap_erase(&n->meshes, i);
}

ct_script_navigation_mesh ct_check_navigation_mesh(lua_State *L, int argument) {
    uint64_t id;
    ct_world *const world = ct_check_object(L, argument, &ct_type_navigation_mesh, &id);
    ct_script_navigation_mesh m = {
        .world = world, .navigation = ct_world_navigation(world), .instance = {(uint32_t)id}};
    if (!ct_navigation_world_has(m.navigation, m.instance)) {
        ct_script_end_gone_meshes(L, world);
        ct_argument_type_error(L, argument, "NavigationMesh");
    }
    m.parts = ct_navigation_world_parts(m.navigation, m.instance);
    m.resource = ct_navigation_mesh_resource(m.parts.mesh);
    m.class = ct_navigation_mesh_class(m.parts.mesh);
    return m;
}

// --- Fields --------------------------------------------------------------------------------------

static void end_field(lua_State *L, void *object, uint64_t data) {
    (void)data;
    ct_script_field *const field = object;
    struct ct_script_navigation *const n = ct_script_of(L)->navigation;
    for (uint32_t i = 0; i < n->fields.count; ++i) {
        if (n->fields.items[i] != field)
            continue;
        ct_array_swap_erase(&n->fields, i);
        break;
    }
    ct_navigation_field_free(n->search, &field->field);
    ct_free_sized(ct_lua_of(L)->allocator, field, sizeof(*field));
}

const ct_lua_object_type ct_type_navigation_field = {
    .name = "NavigationField", .owner = CT_LUA_OWNER_DATA, .end = end_field};

void ct_script_end_gone_meshes(lua_State *L, const ct_world *world) {
    struct ct_script_navigation *const n = ct_script_of(L)->navigation;
    const ct_navigation_world *const navigation = ct_world_navigation(world);
    for (uint32_t i = n ? n->meshes.count : 0; i-- > 0;) {
        const ct_script_known_mesh *const known = &n->meshes.items[i];
        if (known->world == world && !ct_navigation_world_has(navigation, known->instance))
            forget_mesh(L, n, i);
    }
    for (uint32_t i = n ? n->fields.count : 0; i-- > 0;) {
        ct_script_field *const field = n->fields.items[i];
        if (field->world == world && !ct_navigation_world_has(navigation, field->instance))
            ct_end_object(L, &ct_type_navigation_field, field, (uint64_t)(uintptr_t)world);
    }
}

// --- Worlds --------------------------------------------------------------------------------------

void ct_script_end_navigation(lua_State *L, const ct_world *world) {
    struct ct_script_navigation *const n = ct_script_of(L)->navigation;
    if (!n)
        return;
    for (uint32_t i = n->meshes.count; i-- > 0;) {
        if (n->meshes.items[i].world == world)
            forget_mesh(L, n, i);
    }
    for (uint32_t i = 0; i < n->queries.count; ++i) {
        ct_script_path_query *const q = &n->queries.items[i];
        if (q->world != world || q->callback == LUA_NOREF)
            continue;
        luaL_unref(L, LUA_REGISTRYINDEX, q->callback);
        q->callback = LUA_NOREF;
        ++n->num_done;
    }
}

// --- The last path -------------------------------------------------------------------------------

void ct_script_keep_path(lua_State *L, const ct_script_navigation_mesh *m,
                         const ct_navigation_path *path) {
    ct_script_known_mesh *const known =
        find_mesh(ct_script_of(L)->navigation, m->world, m->instance);
    known->polygons.count = known->corners.count = 0;
    ct_array_push_many(&known->polygons, path->polygons, path->num_polygons);
    ct_array_push_many(&known->corners, path->corners, path->num_corners);
}

const ct_script_known_mesh *ct_script_kept_path(lua_State *L, const ct_script_navigation_mesh *m) {
    return find_mesh(ct_script_of(L)->navigation, m->world, m->instance);
}
