#include "script/entity/api_data.h"

// Made with the first data.
typedef struct ct_script_data {
    ct_hash_map references; // from key to the reference of its table
    ct_u32_array dropped;   // references to give back to Lua
    uint32_t num_ending;    // entries of `references` that end with entities
} ct_script_data;

static const int64_t most_index = 1ll << 53;

static void drop(ct_script_data *store, uint64_t key) {
    const uint64_t reference = ct_hash_map_get(&store->references, key, 0);
    if (!reference)
        return;
    ct_hash_map_erase(&store->references, key);
    store->num_ending -= ct_data_key_is_of_entity(key);
    ct_array_push(&store->dropped, (uint32_t)reference);
}

static void entities_destroyed(void *user, const ct_entity *entities, uint32_t count) {
    ct_script_data *const store = user;
    for (uint32_t i = 0; i < count && store->num_ending; ++i) {
        drop(store, ct_data_key_of_entity(entities[i]));
        drop(store, ct_data_key_of_cameras(entities[i]));
    }
}

static ct_script_data *make_store(ct_script *s) {
    ct_script_data *const store = CT_NEW(s->lua.allocator, ct_script_data);
    ct_hash_map_init(&store->references, s->lua.allocator);
    ct_array_init(&store->dropped, s->lua.allocator);
    s->data = store;
    ct_entity_manager_add_callback(s->lua.entities, entities_destroyed, store);
    return store;
}

static void give_back(lua_State *L, ct_script_data *store) {
    while (store->dropped.count)
        luaL_unref(L, LUA_REGISTRYINDEX, (int)store->dropped.items[--store->dropped.count]);
}

void ct_script_drop_data(lua_State *L, uint64_t key) {
    ct_script_data *const store = ct_script_of(L)->data;
    if (store)
        drop(store, key);
}

void ct_script_collect_data(lua_State *L) {
    ct_script_data *const store = ct_script_of(L)->data;
    if (store)
        give_back(L, store);
}

void ct_script_data_shutdown(ct_script *s) {
    ct_script_data *const store = s->data;
    if (!store)
        return;
    ct_entity_manager_remove_callback(s->lua.entities, entities_destroyed, store);
    ct_hash_map_free(&store->references);
    ct_array_free(&store->dropped);
    ct_free_sized(s->lua.allocator, store, sizeof(*store));
    s->data = NULL;
}

// --- Reading and writing -------------------------------------------------------------------------

static void check_index(lua_State *L, int argument) {
    if (lua_type(L, argument) == LUA_TNUMBER)
        ct_check_integer(L, argument, -most_index, most_index);
    else if (lua_type(L, argument) != LUA_TSTRING)
        ct_argument_type_error(L, argument, "string or integer");
}

// Pushes the table of `key`, or nil.
static void push_root(lua_State *L, ct_script_data *store, uint64_t key) {
    const uint64_t reference = store ? ct_hash_map_get(&store->references, key, 0) : 0;
    if (reference)
        lua_rawgeti(L, LUA_REGISTRYINDEX, (int)reference);
    else
        lua_pushnil(L);
}

void ct_script_push_data(lua_State *L, uint64_t key) {
    push_root(L, ct_script_of(L)->data, key);
}

int ct_script_get_data(lua_State *L, uint64_t key, int first) {
    ct_script_data *const store = ct_script_of(L)->data;
    const int last = lua_gettop(L) > first ? lua_gettop(L) : first;
    for (int i = first; i <= last; ++i)
        check_index(L, i);
    if (store)
        give_back(L, store);
    push_root(L, store, key);
    for (int i = first; i <= last && !lua_isnil(L, -1); ++i) {
        if (!lua_istable(L, -1)) {
            lua_pushnil(L);
            break;
        }
        lua_pushvalue(L, i);
        lua_rawget(L, -2);
    }
    return 1;
}

int ct_script_has_data(lua_State *L, uint64_t key, int first) {
    ct_script_get_data(L, key, first);
    lua_pushboolean(L, !lua_isnil(L, -1));
    return 1;
}

static void push_new_root(lua_State *L, ct_script_data *store, uint64_t key) {
    push_root(L, store, key);
    if (!lua_isnil(L, -1))
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    const int reference = luaL_ref(L, LUA_REGISTRYINDEX);
    ct_hash_map_set(&store->references, key, (uint64_t)reference);
    store->num_ending += ct_data_key_is_of_entity(key);
}

// Replaces the table on top of the stack by its member at the index that `argument` holds, a new
// table when there is none.
static void descend(lua_State *L, int argument) {
    lua_pushvalue(L, argument);
    lua_rawget(L, -2);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, argument);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    } else if (!lua_istable(L, -1)) {
        ct_argument_error(L, argument, "expected an index of a table, got one of a %s",
                          ct_value_type_name(L, -1));
    }
    lua_remove(L, -2);
}

int ct_script_set_data(lua_State *L, uint64_t key, int first) {
    const int value = lua_gettop(L);
    check_index(L, first);
    if (value <= first)
        ct_function_error(L, "expected one or more indices and a value");
    for (int i = first; i < value; ++i)
        check_index(L, i);
    ct_script *const s = ct_script_of(L);
    ct_script_data *const store = s->data ? s->data : make_store(s);
    give_back(L, store);
    push_new_root(L, store, key);
    for (int i = first; i < value - 1; ++i)
        descend(L, i);
    lua_pushvalue(L, value - 1);
    lua_pushvalue(L, value);
    lua_rawset(L, -3);
    return 0;
}
