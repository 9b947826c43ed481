#include "script/debug/script_inspect.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "lua/debugger/lua_debugger.h"
#include "script/behaviour/script_behaviour_private.h"

static const char enabled_field[] = "enabled";

// --- Behaviours ----------------------------------------------------------------------------------

static ct_behaviours *behaviours_in(const ct_script *s, ct_world *world) {
    ct_behaviours *const b = ct_behaviours_in(world);
    return b && b->script == s ? b : NULL;
}

static uint32_t instance_at(const ct_behaviours *b, ct_entity e, uint32_t place) {
    uint32_t i = b ? ct_behaviour_first(b, e) : 0;
    for (; i && place > 0; --place)
        i = ct_behaviour_next(b, i);
    return i;
}

uint32_t ct_script_inspect_count(ct_script *s, ct_world *world, ct_entity e) {
    const ct_behaviours *const b = behaviours_in(s, world);
    uint32_t count = 0;
    for (uint32_t i = b ? ct_behaviour_first(b, e) : 0; i; i = ct_behaviour_next(b, i))
        ++count;
    return count;
}

const char *ct_script_inspect_name(ct_script *s, ct_world *world, ct_entity e, uint32_t place) {
    const ct_behaviours *const b = behaviours_in(s, world);
    const uint32_t i = instance_at(b, e, place);
    return i ? ct_behaviour_script_name(b, i) : "";
}

static uint32_t count_places(const ct_u32_array *places) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < places->count; ++i)
        count += places->items[i] != 0;
    return count;
}

uint32_t ct_script_inspect_scripts(ct_script *s, ct_world *world,
                                   void (*visit)(void *user,
                                                 const ct_script_inspect_script *script),
                                   void *user) {
    const ct_behaviours *const b = behaviours_in(s, world);
    for (uint32_t i = 0; b && i < b->behaviours.count; ++i) {
        const ct_behaviour *const of = b->behaviours.items[i];
        const ct_script_inspect_script script = {
            .name = of->name,
            .num_instances = count_places(&of->live) + count_places(&of->waiting),
            .has_failed = of->state == CT_BEHAVIOUR_STATE_FAILED};
        visit(user, &script);
    }
    return b ? b->num_failed : 0;
}

// The coroutine to call Lua's functions with: the main one is in the middle of a call while the state has stopped.
static lua_State *idle_state(const ct_script *s) {
    const ct_lua_debugger *const d = s->lua.debugger;
    return d && ct_lua_debugger_is_stopped(d) ? ct_lua_debugger_idle_coroutine(d) : s->lua.lua;
}

// Pushes the table of an instance, or nil for one that has not run.
static void push_self(lua_State *L, const ct_behaviours *b, uint32_t i) {
    if (b->self[i])
        ct_behaviours_push(L, b, b->self[i]);
    else
        lua_pushnil(L);
}

// --- Values --------------------------------------------------------------------------------------

static const struct {
    ct_value_kind kind;
    const char *name;
    uint32_t count;
} boxes[] = {{CT_VALUE_KIND_VECTOR2, "vector2", 2},
             {CT_VALUE_KIND_VECTOR3, "vector3", 3},
             {CT_VALUE_KIND_VECTOR4, "vector4", 4},
             {CT_VALUE_KIND_QUATERNION, "quaternion", 4}};

// Returns the floats of a box of vectors on top of the stack, and sets its row; NULL for other values.
static float *box_on_top(lua_State *L, uint32_t *row) {
    if (lua_type(L, -1) != LUA_TUSERDATA || !lua_getmetatable(L, -1))
        return NULL;
    const void *const metatable = lua_topointer(L, -1);
    lua_pop(L, 1);
    for (*row = 0; *row < CT_COUNT_OF(boxes); ++*row) {
        if (metatable == ct_lua_of(L)->box_metatables[boxes[*row].kind])
            return lua_touserdata(L, -1);
    }
    return NULL;
}

static void begin_field(ct_sjson_writer *w, const char *name, const char *kind, bool can_set) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", name);
    ct_sjson_member_string(w, "kind", kind);
    ct_sjson_member_bool(w, "can_set", can_set);
    ct_sjson_write_key(w, "value");
}

static void write_floats(ct_sjson_writer *w, const float *values, uint32_t count) {
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i)
        ct_sjson_write_number(w, (double)values[i]);
    ct_sjson_end_array(w);
}

static void write_text(ct_sjson_writer *w, lua_State *L) {
    size_t bytes;
    const char *const text = lua_tolstring(L, -1, &bytes);
    ct_sjson_write_string_bytes(
        w, text, bytes < CT_SCRIPT_INSPECT_MAX_TEXT ? (uint32_t)bytes : CT_SCRIPT_INSPECT_MAX_TEXT);
}

// Writes the value on top of the stack. A text that was cut cannot be set: the rest would be lost.
static void write_field(ct_sjson_writer *w, const char *name, lua_State *L) {
    uint32_t row = 0;
    const float *const box = box_on_top(L, &row);
    const int type = lua_type(L, -1);
    if (box) {
        begin_field(w, name, boxes[row].name, true);
        write_floats(w, box, boxes[row].count);
    } else if (type == LUA_TBOOLEAN) {
        begin_field(w, name, "boolean", true);
        ct_sjson_write_bool(w, lua_toboolean(L, -1));
    } else if (type == LUA_TNUMBER) {
        begin_field(w, name, "number", true);
        ct_sjson_write_number(w, lua_tonumber(L, -1));
    } else if (type == LUA_TSTRING) {
        begin_field(w, name, "text", lua_objlen(L, -1) <= CT_SCRIPT_INSPECT_MAX_TEXT);
        write_text(w, L);
    } else if (ct_value_kind_at(L, -1) == CT_VALUE_KIND_ENTITY) {
        begin_field(w, name, "entity", false);
        ct_sjson_write_number(w, (double)ct_entity_of_value(ct_value_at(L, -1)).id);
    } else {
        begin_field(w, name, "value", false);
        ct_sjson_write_string(w, ct_value_type_name(L, -1));
    }
    ct_sjson_end_object(w);
}

// --- Writing -------------------------------------------------------------------------------------

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Collects the keys of the table on top that are names; they live on in it.
static uint32_t collect_names(lua_State *L, const char **names) {
    uint32_t count = 0;
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        size_t bytes = 0;
        const char *const name =
            lua_type(L, -2) == LUA_TSTRING ? lua_tolstring(L, -2, &bytes) : NULL;
        if (name && strlen(name) == bytes && count < CT_SCRIPT_INSPECT_MAX_FIELDS)
            names[count++] = name;
        lua_pop(L, 1);
    }
    if (count > 0)
        qsort(names, count, sizeof(*names), compare_names);
    return count;
}

// What a protected call does: collecting garbage, which any allocation may do, can raise errors.
typedef struct inspect_call {
    ct_behaviours *behaviours;
    uint32_t instance;
    ct_sjson_writer *w;
    // To set:
    const char *field;
    const ct_sjson *doc;
    ct_sjson_value value;
    ct_error *error;
    bool is_set;
} inspect_call;

static int write_fields(lua_State *L) {
    const inspect_call *const call = lua_touserdata(L, 1);
    const char *names[CT_SCRIPT_INSPECT_MAX_FIELDS];
    push_self(L, call->behaviours, call->instance);
    const uint32_t count = lua_istable(L, -1) ? collect_names(L, names) : 0;
    for (uint32_t k = 0; k < count; ++k) {
        lua_pushstring(L, names[k]);
        lua_rawget(L, -2);
        if (strcmp(names[k], enabled_field) != 0)
            write_field(call->w, names[k], L);
        lua_pop(L, 1);
    }
    return 0;
}

void ct_script_inspect_write(ct_script *s, ct_world *world, ct_entity e, uint32_t place,
                             ct_sjson_writer *w) {
    ct_behaviours *const b = behaviours_in(s, world);
    const uint32_t i = instance_at(b, e, place);
    lua_State *const L = idle_state(s);
    if (!i)
        return;
    begin_field(w, enabled_field, "boolean", true);
    ct_sjson_write_bool(w, ct_behaviour_is_enabled(b, i));
    ct_sjson_end_object(w);
    inspect_call call = {.behaviours = b, .instance = i, .w = w};
    const ct_sjson_writer before = *w;
    const uint32_t length = w->out->length;
    if (lua_cpcall(L, write_fields, &call) == 0)
        return;
    lua_pop(L, 1); // then only what was there before is shown
    *w = before;
    w->out->length = length;
    w->out->text[length] = '\0';
}

// --- Setting -------------------------------------------------------------------------------------

static bool refuse(const ct_sjson *doc, ct_sjson_value value, const char *expected,
                   ct_error *error) {
    return ct_error_set(error, "\"value\" is %s; expected %s",
                        ct_sjson_type_name(ct_sjson_type_of(doc, value)), expected);
}

static bool set_box(float *box, uint32_t row, const ct_sjson *doc, ct_sjson_value value,
                    ct_error *error) {
    static const char *const expected[] = {NULL, NULL, "an array of 2 numbers",
                                           "an array of 3 numbers", "an array of 4 numbers"};
    const uint32_t count = boxes[row].count;
    float floats[4] = {0};
    ct_sjson_value item = ct_sjson_first(doc, value);
    if (ct_sjson_type_of(doc, value) != CT_SJSON_TYPE_ARRAY || ct_sjson_count(doc, value) != count)
        return refuse(doc, value, expected[count], error);
    for (uint32_t i = 0; i < count; ++i) {
        const double number = ct_sjson_number(doc, item, (double)NAN);
        if (!(fabs(number) <= (double)FLT_MAX))
            return refuse(doc, item, "numbers that floats can hold", error);
        floats[i] = (float)number;
        item = ct_sjson_next(doc, item);
    }
    memcpy(box, floats, sizeof(float) * count);
    return true;
}

// Sets the field on top of the stack, of the table below it, to a value of its kind.
static bool set_field(lua_State *L, const char *field, const ct_sjson *doc, ct_sjson_value value,
                      ct_error *error) {
    const int type = lua_type(L, -1);
    const ct_sjson_type given = ct_sjson_type_of(doc, value);
    uint32_t row = 0;
    float *const box = box_on_top(L, &row);
    if (box)
        return set_box(box, row, doc, value, error);
    if (type == LUA_TNIL)
        return ct_error_set(error, "the behaviour has no field \"%.64s\"", field);
    if (type != LUA_TBOOLEAN && type != LUA_TNUMBER && type != LUA_TSTRING)
        return ct_error_set(error, "the field \"%.64s\" is a %s, which cannot be set from here",
                            field, ct_value_type_name(L, -1));
    if (type == LUA_TBOOLEAN && given != CT_SJSON_TYPE_BOOL)
        return refuse(doc, value, "true or false", error);
    if (type == LUA_TNUMBER && given != CT_SJSON_TYPE_NUMBER)
        return refuse(doc, value, "a number", error);
    if (type == LUA_TSTRING && given != CT_SJSON_TYPE_STRING)
        return refuse(doc, value, "a string", error);
    lua_pushstring(L, field);
    if (type == LUA_TBOOLEAN)
        lua_pushboolean(L, ct_sjson_bool(doc, value, false));
    else if (type == LUA_TNUMBER)
        lua_pushnumber(L, ct_sjson_number(doc, value, 0));
    else
        lua_pushlstring(L, ct_sjson_string(doc, value, ""), ct_sjson_string_bytes(doc, value));
    lua_rawset(L, -4);
    return true;
}

static int set_protected(lua_State *L) {
    inspect_call *const call = lua_touserdata(L, 1);
    push_self(L, call->behaviours, call->instance);
    if (!lua_istable(L, -1)) {
        ct_error_set(call->error, "the behaviour has not run yet");
        return 0;
    }
    lua_pushstring(L, call->field);
    lua_rawget(L, -2);
    call->is_set = set_field(L, call->field, call->doc, call->value, call->error);
    return 0;
}

bool ct_script_inspect_set(ct_script *s, ct_world *world, ct_entity e, uint32_t place,
                           const char *field, const ct_sjson *doc, ct_sjson_value value,
                           ct_error *error) {
    ct_behaviours *const b = behaviours_in(s, world);
    const uint32_t i = instance_at(b, e, place);
    lua_State *const L = idle_state(s);
    if (!i)
        return ct_error_set(error, "the entity has no behaviour %u", place);
    if (strcmp(field, enabled_field) == 0) {
        if (ct_sjson_type_of(doc, value) != CT_SJSON_TYPE_BOOL)
            return refuse(doc, value, "true or false", error);
        ct_behaviour_enable(b, i, ct_sjson_bool(doc, value, false));
        return true;
    }
    inspect_call call = {
        .behaviours = b, .instance = i, .field = field, .doc = doc, .value = value, .error = error};
    if (lua_cpcall(L, set_protected, &call) != 0) {
        ct_error_set(error, "Lua could not set it: %.200s", lua_tostring(L, -1));
        lua_pop(L, 1);
        return false;
    }
    return call.is_set;
}
