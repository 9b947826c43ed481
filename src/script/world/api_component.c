#include "script/world/api_component.h"

#include "script/api_check.h"

ct_script_instance ct_check_component_instance(lua_State *L, int argument,
                                               const ct_script_component *c) {
    const char *const name = c->type.name;
    ct_script_instance i;
    uint32_t number;
    i.entity = ct_check_component(L, argument, &c->type, &number);
    i.world = ct_world_of(ct_script_of(L)->worlds, i.entity);
    if (!i.world)
        ct_argument_error(L, argument, "expected a %s in a world, got one without a world", name);
    i.index = c->with_number(i.world, i.entity, number);
    if (!i.index)
        ct_argument_error(L, argument, "expected %s, got a destroyed %s", name, name);
    return i;
}

int ct_push_component_instance(lua_State *L, int argument, const ct_script_component *c,
                               const ct_world *w, ct_entity e, uint32_t instance) {
    const uint32_t number = c->number(w, instance) % CT_MAX_COMPONENT_HANDLES;
    if (c->with_number(w, e, number) != instance)
        return ct_argument_error(L, argument, "scripts can use only %d %s of an entity",
                                 CT_MAX_COMPONENT_HANDLES, c->nouns);
    ct_push_component(L, &c->type, e, number);
    return 1;
}

uint32_t ct_find_component(const ct_script_component *c, const ct_world *w, ct_entity e,
                           uint32_t name, uint32_t *place) {
    uint32_t at = 0, i = c->first(w, e);
    for (; i && c->name(w, i) != name; i = c->next(w, i))
        ++at;
    if (place)
        *place = at;
    return i;
}

int ct_no_such_component(lua_State *L, const char *what) {
    if (lua_type(L, 2) == LUA_TSTRING)
        return ct_argument_error(L, 2, "the unit has no %s \"%s\"", what, lua_tostring(L, 2));
    return ct_argument_error(L, 2, "the unit has no %s with the id %s", what,
                             ct_string_id32_name(ct_check_id32(L, 2)));
}

// --- Functions of Unit ---------------------------------------------------------------------------

static uint32_t count_of(const ct_script_component *c, const ct_world *w, ct_entity e) {
    uint32_t count = 0;
    for (uint32_t i = c->first(w, e); i; i = c->next(w, i))
        ++count;
    return count;
}

int ct_unit_num_components(lua_State *L, const ct_script_component *c) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushnumber(L, count_of(c, world, e));
    return 1;
}

// The instance at the place, from 1, that argument 2 says.
static uint32_t check_place(lua_State *L, const ct_script_component *c, const ct_world *w,
                            ct_entity e) {
    const uint32_t count = count_of(c, w, e);
    if (count == 0)
        ct_argument_error(L, 1, "expected a unit with a %s, got one without", c->noun);
    int64_t place = ct_check_integer(L, 2, 1, count);
    uint32_t i = c->first(w, e);
    while (--place)
        i = c->next(w, i);
    return i;
}

int ct_unit_component(lua_State *L, const ct_script_component *c) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    const uint32_t i = lua_type(L, 2) == LUA_TNUMBER
                           ? check_place(L, c, world, e)
                           : ct_find_component(c, world, e, ct_check_id32(L, 2).value, NULL);
    return i ? ct_push_component_instance(L, 2, c, world, e, i) : ct_no_such_component(L, c->noun);
}

int ct_unit_has_component(lua_State *L, const ct_script_component *c) {
    ct_world *world;
    const ct_entity e = ct_check_unit(L, 1, &world);
    lua_pushboolean(L, ct_find_component(c, world, e, ct_check_id32(L, 2).value, NULL) != 0);
    return 1;
}
