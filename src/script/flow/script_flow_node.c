// Nodes in Lua: a call of their function with a table of inputs, and what it returns.
#include <string.h>

#include "foundation/error.h"
#include "script/flow/script_flow.h"

// A call of a node's function.
typedef struct node_call {
    ct_flow_call *call;
    const ct_flow_resource *graph;
    const ct_flow_used_type *type;
    const ct_flow_used_slot *slots;
    uint32_t event;      // that started it
    uint32_t events_out; // that go on, a bit each
} node_call;

static const char *function_of(const node_call *n) {
    return ct_blob_at(n->graph, n->type->function.offset);
}

static const char *name_of(const node_call *n, uint32_t slot) {
    return ct_blob_at(n->graph, n->slots[slot].name.offset);
}

static bool is_out(const ct_flow_used_slot *s) {
    return s->kind == CT_FLOW_SLOT_OUTPUT || s->kind == CT_FLOW_SLOT_EVENT_OUT;
}

// --- The function and its inputs -----------------------------------------------------------------

void ct_push_flow_function(lua_State *L, const char *name) {
    lua_pushvalue(L, LUA_GLOBALSINDEX);
    for (const char *part = name; *part;) {
        const size_t length = strcspn(part, ".");
        if (!lua_istable(L, -1))
            luaL_error(L, "the function \"%s\" does not exist", name);
        lua_pushlstring(L, part, length);
        lua_gettable(L, -2);
        lua_remove(L, -2);
        part += part[length] ? length + 1 : length;
    }
    if (lua_isnil(L, -1))
        luaL_error(L, "the function \"%s\" does not exist", name);
    if (!lua_isfunction(L, -1))
        luaL_error(L, "\"%s\" is a %s; expected a function", name, ct_value_type_name(L, -1));
}

static void push_inputs(lua_State *L, const node_call *n) {
    const ct_flow_call *const c = n->call;
    const ct_world *const world = ct_flow_call_world(c);
    uint32_t input = 0, event = 0;
    lua_createtable(L, 0, (int)n->type->num_inputs + 1);
    for (uint32_t i = 0; i < n->type->slots.count; ++i) {
        if (n->slots[i].kind == CT_FLOW_SLOT_INPUT) {
            const ct_flow_type type = ct_flow_input_type(c, input);
            ct_push_flow_value(L, world, type, ct_flow_input(c, input),
                               type == CT_FLOW_TYPE_STRING ? ct_flow_text(c, input) : NULL);
            lua_setfield(L, -2, name_of(n, i));
            ++input;
        } else if (n->slots[i].kind == CT_FLOW_SLOT_EVENT_IN && event++ == n->event) {
            lua_pushboolean(L, true);
            lua_setfield(L, -2, name_of(n, i));
        }
    }
}

// --- What it returns -----------------------------------------------------------------------------

// Raises the error that a node has no such output.
static int unknown_output(lua_State *L, const node_call *n, const char *name) {
    const char *names[2 * CT_FLOW_MAX_SLOTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->type->slots.count && count < CT_COUNT_OF(names); ++i)
        if (is_out(&n->slots[i]))
            names[count++] = name_of(n, i);
    const char *const nearest = ct_nearest_name(name, names, count);
    return luaL_error(L, "%s returned \"%s\", but the node has no such output or event out%s%s%s",
                      function_of(n), name, nearest ? "; did you mean \"" : "",
                      nearest ? nearest : "", nearest ? "\"?" : "");
}

static uint32_t find_out(const node_call *n, const char *name) {
    uint32_t i = 0;
    while (i < n->type->slots.count && !(is_out(&n->slots[i]) && strcmp(name_of(n, i), name) == 0))
        ++i;
    return i;
}

// Returns the string at `index`, in which there may be no zero byte.
static const char *check_name(lua_State *L, const node_call *n, int index) {
    const char *const name = ct_lua_name_at(L, index);
    if (!name)
        luaL_error(L, "%s returned a name with a zero byte; expected names of outputs",
                   function_of(n));
    return name;
}

// Raises an error unless all keys of the table at 1 are outputs.
static void check_keys(lua_State *L, const node_call *n) {
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L,
                       "%s returned a table with a key of the type %s; expected names of outputs",
                       function_of(n), ct_value_type_name(L, -2));
        const char *const name = check_name(L, n, -2);
        if (find_out(n, name) == n->type->slots.count)
            unknown_output(L, n, name);
    }
}

// Values of outputs, which are set when all are right.
typedef struct node_outputs {
    ct_flow_value values[CT_FLOW_MAX_SLOTS];
    const char *texts[CT_FLOW_MAX_SLOTS];
    bool are_given[CT_FLOW_MAX_SLOTS];
} node_outputs;

// Reads the output or event out at slot `i` from the table at 1.
static void read_out(lua_State *L, node_call *n, uint32_t i, node_outputs *outputs,
                     uint32_t *counts) {
    const uint32_t number = counts[n->slots[i].kind]++;
    const bool is_event = n->slots[i].kind == CT_FLOW_SLOT_EVENT_OUT;
    const ct_flow_type type = is_event ? CT_FLOW_TYPE_BOOL : (ct_flow_type)n->slots[i].type;
    ct_flow_value value;
    const char *text = NULL;
    lua_pushstring(L, name_of(n, i));
    lua_rawget(L, 1);
    if (!lua_isnil(L, -1)) {
        if (!ct_read_flow_value(L, -1, ct_flow_call_world(n->call), type, &value, &text))
            luaL_error(L, "%s: %s %s: expected %s, got %s", function_of(n),
                       is_event ? "event" : "output", name_of(n, i), ct_flow_value_in_lua(type),
                       ct_push_value_description(L, lua_gettop(L)));
        if (is_event) {
            n->events_out &= ~(1u << number);
            n->events_out |= value.is_true << number;
        } else {
            outputs->values[number] = value;
            outputs->texts[number] = text;
            outputs->are_given[number] = true;
        }
    }
    lua_pop(L, 1);
}

static void set_outputs(const node_call *n, const node_outputs *outputs) {
    for (uint32_t i = 0; i < n->type->num_outputs; ++i) {
        if (!outputs->are_given[i])
            continue;
        if (outputs->texts[i]) // it fits
            ct_flow_set_text(n->call, i, outputs->texts[i], (uint32_t)strlen(outputs->texts[i]));
        else
            *ct_flow_output(n->call, i) = outputs->values[i];
    }
}

static void read_table(lua_State *L, node_call *n) {
    node_outputs outputs = {0};
    uint32_t counts[CT_FLOW_SLOT_KIND_COUNT] = {0};
    check_keys(L, n);
    for (uint32_t i = 0; i < n->type->slots.count; ++i)
        if (is_out(&n->slots[i]))
            read_out(L, n, i, &outputs, counts);
    set_outputs(n, &outputs);
}

// The name of an event out.
static void read_event(lua_State *L, node_call *n) {
    const char *const name = check_name(L, n, 1);
    const uint32_t slot = find_out(n, name);
    uint32_t number = 0;
    if (slot == n->type->slots.count || n->slots[slot].kind != CT_FLOW_SLOT_EVENT_OUT)
        luaL_error(L, "%s returned \"%s\", which is no event out of the node", function_of(n),
                   name);
    for (uint32_t i = 0; i < slot; ++i)
        number += n->slots[i].kind == CT_FLOW_SLOT_EVENT_OUT;
    n->events_out = 1u << number;
}

static int call_function(lua_State *L) {
    node_call *const n = ct_lua_run_data(L);
    ct_push_flow_function(L, function_of(n));
    push_inputs(L, n);
    lua_call(L, 1, 1);
    // A node with one event out goes on there unless the function says otherwise.
    n->events_out = n->type->num_events_out == 1;
    if (lua_istable(L, 1))
        read_table(L, n);
    else if (lua_type(L, 1) == LUA_TSTRING)
        read_event(L, n);
    else if (!lua_isnil(L, 1))
        luaL_error(L,
                   "%s returned a %s; expected a table of outputs, the name of an event out, or "
                   "nothing",
                   function_of(n), ct_value_type_name(L, 1));
    return 0;
}

// --- The node ------------------------------------------------------------------------------------

bool ct_script_run_node(ct_script *s, ct_flow_call *c, lua_CFunction function, void *data) {
    const ct_flow_call *const outer = s->flow_call;
    s->flow_call = c;
    const bool is_good = ct_lua_run(&s->lua, function, data);
    s->flow_call = outer;
    if (is_good)
        return true;
    const char *const traceback = ct_string_builder_text(&s->lua.error_traceback);
    ct_flow_error(c, "%s%s%s", ct_string_builder_text(&s->lua.error_message),
                  traceback[0] ? "\n" : "", traceback);
    return false;
}

uint32_t ct_script_call_node(void *user, ct_flow_call *c, const ct_flow_used_type *type,
                             uint32_t event) {
    ct_script *const s = user;
    const ct_flow_resource *const graph = ct_flow_call_graph(c);
    node_call n = {.call = c,
                   .graph = graph,
                   .type = type,
                   .slots = ct_blob_at(graph, type->slots.offset),
                   .event = event};
    if (!ct_script_run_node(s, c, call_function, &n))
        return CT_FLOW_STOP;
    // Several events run in the order of the slots.
    for (uint32_t i = 0; n.events_out >> i; ++i) {
        if (!(n.events_out >> i & 1))
            continue;
        if (i == 31 || n.events_out >> i == 1)
            return i;
        if (!ct_flow_fire(c, i))
            return CT_FLOW_STOP;
    }
    return CT_FLOW_STOP;
}
