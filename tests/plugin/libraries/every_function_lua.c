// every_function_lua.c: Lua, in calls of scripts and from a script.
#include "every_function.h"

#include <math.h>

enum { NUM_RAISING = 22 };

// Raise errors, each in a call of its own.
static int raise(lua_State *L, void *user) {
    switch (*(const int *)user) {
    case 0:
        return (int)lua->check_number(L, 99);
    case 1:
        return (int)lua->check_number_in(L, 99, 0, 1);
    case 2:
        return (int)lua->check_integer(L, 99, 0, 1);
    case 3:
        return lua->check_boolean(L, 99);
    case 4:
        return lua->check_string(L, 99, NULL) != NULL;
    case 5:
        return (int)lua->check_vector2(L, 99).x;
    case 6:
        return (int)lua->check_vector3(L, 99).x;
    case 7:
        return (int)lua->check_vector4(L, 99).x;
    case 8:
        return (int)lua->check_quaternion(L, 99).x;
    case 9:
        return (int)lua->check_matrix(L, 99).m[0];
    case 10:
        return (int)lua->check_unit(L, 99, NULL).id;
    case 11:
        return lua->check_world(L, 99) != NULL;
    case 12:
        return lua->error(L, "%s", "an error");
    case 13:
        return lua->argument_error(L, 1, "%s", "an error");
    case 14:
        return lua->argument_error(L, 99, "%s", "an error");
    case 15:
        lua->push_member(L, 99, "x");
        return 0;
    case 16:
        lua->push_item(L, 99, 1);
        return 0;
    case 17:
        lua->push_nil(L);
        lua->set_member(L, 99, "x");
        return 0;
    case 18:
        lua->push_nil(L);
        lua->set_item(L, 99, 1);
        return 0;
    case 19:
        lua->push_number(L, 1);
        return (int)lua->check_number_in(L, -1, 2, 3);
    case 20:
        lua->push_number(L, NAN);
        return (int)lua->check_number(L, -1);
    default:
        lua->push_unit(L, others[4]);
        return (int)lua->check_unit(L, -1, NULL).id;
    }
}

static int push_all(lua_State *L, void *user) {
    (void)user;
    const int before = lua->count(L);
    if (lua->plugin(L) != me)
        logger->error(me, "every_accepted", "another plugin runs in a call of scripts");
    lua->push_nil(L);
    lua->push_boolean(L, true);
    lua->push_number(L, 1);
    lua->push_string(L, "text", 4);
    lua->push_vector2(L, (cuttle_vector2){1, 2});
    lua->push_vector3(L, middle);
    lua->push_vector4(L, (cuttle_vector4){1, 2, 3, 4});
    lua->push_quaternion(L, unturned);
    lua->push_matrix(L, &unmoved);
    lua->push_unit(L, units[0]);
    lua->push_unit(L, others[0]);
    lua->push_table(L, 1, 1);
    lua->push_number(L, 5);
    lua->set_member(L, -2, "five");
    lua->push_copy(L, -2);
    lua->set_item(L, -2, 1);
    lua->push_member(L, -1, "five");
    lua->push_item(L, -2, 1);
    lua->num_items(L, -3);
    lua->num_items(L, 99);
    return lua->count(L) - before;
}

static void take_all(lua_State *L, int count, void *user) {
    (void)user;
    if (lua->plugin(L) != me)
        logger->error(me, "every_accepted", "another plugin runs in a call of scripts");
    for (int i = 0; i <= count + 2; ++i) {
        const int at = i <= count ? i : 99;
        lua->type(L, at > 0 ? at : 99);
        lua->to_number(L, at > 0 ? at : 99);
        lua->to_boolean(L, at > 0 ? at : 99);
        lua->to_string(L, at > 0 ? at : 99, NULL);
    }
    lua->pop(L, count);
}

// From scripts: Every.values(world, unit) checks what is there.
static int values(lua_State *L) {
    if (lua->plugin(L) != me)
        return CUTTLE_LUA_ERROR;
    cuttle_world *w;
    lua->check_world(L, 1);
    lua->check_unit(L, 2, &w);
    lua->check_number(L, 3);
    lua->check_number_in(L, 3, 0, 10);
    lua->check_integer(L, 3, 0, 10);
    lua->check_boolean(L, 4);
    lua->check_string(L, 5, NULL);
    lua->check_vector2(L, 6);
    lua->check_vector3(L, 7);
    lua->check_vector4(L, 8);
    lua->check_quaternion(L, 9);
    lua->check_matrix(L, 10);
    call_everything("lua");
    const int count = push_all(L, NULL);
    lua->pop(L, count);
    lua->push_number(L, w == lua->check_world(L, 1));
    return 1;
}

static const cuttle_lua_function functions[] = {
    {"values", values, "(values: any*) -> any*", "Checks values."}};
const cuttle_lua_module every_module = {"Every", "Calls everything.", functions, 1};

void call_lua(void) {
    const cuttle_lua_function wrong[] = {{"no name", values, "() -> nil", "A."},
                                         {NULL, values, "() -> nil", "A."},
                                         {"a", NULL, "() -> nil", "A."},
                                         {"a", values, "no", "A."},
                                         {"a", values, NULL, "A."},
                                         {"a", values, "() -> nil", NULL}};
    const cuttle_lua_module bad[] = {{NULL, "A.", functions, 1},
                                     {"Unit", "A.", functions, 1},
                                     {"No name", "A.", functions, 1},
                                     {"Every2", "A.", NULL, 1}};
    bool is_wrong = lua->add_module(me, NULL, &why) ||
                    lua->add_function(me, NULL, &functions[0], &why) ||
                    lua->add_function(me, "Every", NULL, &why) ||
                    lua->add_function(me, "Unit", &functions[0], &why);
    for (uint32_t i = 0; i < COUNT(wrong); ++i)
        is_wrong |= lua->add_function(me, "Every", &wrong[i], &why);
    for (uint32_t i = 0; i < COUNT(bad); ++i)
        is_wrong |= lua->add_module(me, &bad[i], NULL);
    if (is_wrong)
        logger->error(me, "every_accepted", "a wrong function or module");
    for (int i = 0; i < NUM_RAISING; ++i)
        lua->call(me, "tostring", raise, NULL, &i);
    lua->call(me, "select", push_all, take_all, NULL);
    lua->call(me, "tostring", push_all, take_all, NULL);
    lua->call(me, "nothing.at.all", push_all, take_all, NULL);
    lua->call(me, NULL, push_all, take_all, NULL);
    lua->call(me, "Every.values", push_all, take_all, NULL);
}
