// What nodes of Flow call in Lua: global functions, and strings of Lua.
#include "script/flow/script_flow.h"

#include <string.h>

// A call of Lua from a node.
typedef struct flow_lua_call {
    ct_flow_call *call;
    const char *text;      // name of a function, or Lua
    uint32_t first, count; // inputs that become arguments
    bool is_name;
} flow_lua_call;

static void push_input(lua_State *L, const ct_flow_call *c, uint32_t number) {
    const ct_flow_type type = ct_flow_input_type(c, number);
    ct_push_flow_value(L, ct_flow_call_world(c), type, ct_flow_input(c, number),
                       type == CT_FLOW_TYPE_STRING ? ct_flow_text(c, number) : NULL);
}

static int call(lua_State *L) {
    const flow_lua_call *const r = ct_lua_run_data(L);
    if (r->is_name)
        ct_push_flow_function(L, r->text);
    else if (luaL_loadbuffer(L, r->text, strlen(r->text), "=flow"))
        return lua_error(L);
    // Those behind the last one that is given are left out.
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->count; ++i)
        if (ct_flow_input_type(r->call, r->first + i) != CT_FLOW_TYPE_EVENT)
            count = i + 1;
    for (uint32_t i = 0; i < count; ++i)
        push_input(L, r->call, r->first + i);
    lua_call(L, (int)count, 0);
    return 0;
}

static void run(ct_script *s, const flow_lua_call *r) {
    ct_script_run_node(s, r->call, call, (void *)(uintptr_t)r);
}

static void call_global(void *user, ct_flow_call *c, const char *function, uint32_t first,
                        uint32_t count) {
    run(user, &(flow_lua_call){c, function, first, count, true});
}

static void run_string(void *user, ct_flow_call *c, const char *text, uint32_t first,
                       uint32_t count) {
    run(user, &(flow_lua_call){c, text, first, count, false});
}

static void quit(void *user, int exit_code) {
    const ct_script *const s = user;
    s->host.quit(s->host.user, exit_code);
}

static void print_to_screen(void *user, ct_vec3 color, const char *text) {
    const ct_script *const s = user;
    s->host.print_to_screen(s->host.user, color, text);
}

static double time_since_launch(void *user) {
    const ct_script *const s = user;
    return s->host.time_since_launch(s->host.user);
}

void ct_check_no_flow_event(lua_State *L, int argument, const ct_world *w) {
    const ct_flow_system *const flow = ct_script_of(L)->flow;
    if (flow && ct_flow_is_running(ct_flow_world_of(flow, w)))
        ct_argument_error(L, argument, "flow graphs of this world are running");
}

void ct_script_connect_flow(ct_script *s, ct_flow_system *flow) {
    s->flow = flow;
    const ct_flow_lua lua = {.user = s,
                             .call_node = ct_script_call_node,
                             .call_global = call_global,
                             .run_string = run_string,
                             .unit_event = ct_script_send_unit_event,
                             .level_event = ct_script_send_level_event,
                             .print_to_screen = print_to_screen,
                             .quit = quit,
                             .time_since_launch = time_since_launch};
    ct_flow_system_set_lua(flow, &lua);
}
