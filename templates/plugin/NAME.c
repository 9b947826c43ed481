// @NAME@.c: a plugin. It adds a function to Lua and a command to the console, and counts frames in a
// state that survives reloads.
//
// Compile it while the game runs, and the new code is there at once:
//
//     cc -std=c11 -Wall -shared -fPIC -g $(cuttle plugin --cflags) plugins/@NAME@/@NAME@.c -o plugins/@NAME@/@NAME@.so
//
// What else there is: the headers in include/cuttle.
#include <cuttle/console.h>
#include <cuttle/log.h>
#include <cuttle/lua.h>
#include <cuttle/plugin.h>
#include <cuttle/state.h>

#include <string.h>

static const cuttle_console_api_1 *console;
static const cuttle_log_api_1 *logger;
static const cuttle_lua_api_1 *lua;

// --- State: stays when the plugin is reloaded ----------------------------------------------------

typedef struct @NAME@_state {
    int32_t num_updates;
    float seconds;
} @NAME@_state;

static @NAME@_state *state;

static const cuttle_field fields[] = {
    {.name = "num_updates",
     .type = CUTTLE_FIELD_INT,
     .offset = offsetof(@NAME@_state, num_updates),
     .size_bytes = sizeof(int32_t)},
    {.name = "seconds",
     .type = CUTTLE_FIELD_FLOAT,
     .offset = offsetof(@NAME@_state, seconds),
     .size_bytes = sizeof(float)},
};

// Raise the version when a field changes its meaning; new fields are added without that.
static const cuttle_schema schema = {.name = "@NAME@",
                                     .version = 1,
                                     .size_bytes = sizeof(@NAME@_state),
                                     .num_fields = sizeof(fields) / sizeof(fields[0]),
                                     .fields = fields};

// --- Lua: @MODULE@.add(1, 2) ---------------------------------------------------------------------

static int add(lua_State *L) {
    const double a = lua->check_number(L, 1);
    const double b = lua->check_number(L, 2);
    lua->push_number(L, a + b);
    return 1; // results
}

static const cuttle_lua_function functions[] = {
    {"add", add, "(a: number, b: number) -> number", "The sum of two numbers."},
};

static const cuttle_lua_module module = {"@MODULE@", "Functions of the plugin @NAME@.", functions,
                                         sizeof(functions) / sizeof(functions[0])};

// --- Console: cuttle console plugin @NAME@ count -------------------------------------------------

static bool count(cuttle_plugin *self, uint32_t num_arguments, const char *const *arguments,
                  cuttle_console_answer *answer, cuttle_error *error) {
    (void)self, (void)num_arguments, (void)arguments, (void)error;
    console->print(answer, "%d updates in %.1f s", (int)state->num_updates, (double)state->seconds);
    return true;
}

static const cuttle_console_command count_command = {
    .usage = "", .summary = "show how many updates there were", .run = count};

// --- The plugin ----------------------------------------------------------------------------------

// Asks for interfaces, and adds things. An interface that this program does not have is NULL: the
// compiler, which loads plugins for their types, has no Lua.
static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    console = get_api(CUTTLE_CONSOLE_API, 1);
    logger = get_api(CUTTLE_LOG_API, 1);
    lua = get_api(CUTTLE_LUA_API, 1);
    const cuttle_state_api_1 *const states = get_api(CUTTLE_STATE_API, 1);
    state = states ? states->get(self, &schema, NULL, error) : NULL;
    if (!state)
        return false;
    return (!lua || lua->add_module(self, &module, error)) &&
           (!console || console->add_command(self, "count", &count_command, error));
}

static void start(cuttle_plugin *self) {
    logger->info(self, "Hello.");
}

static void update(cuttle_plugin *self, double dt) {
    (void)self;
    state->num_updates += 1;
    state->seconds += (float)dt;
}

static const cuttle_plugin_api_1 plugin = {
    .name = "@NAME@",
    .init = init,
    .start = start,
    .update = update,
};

CUTTLE_EXPORT const void *cuttle_plugin_get_api(const char *name, uint32_t version) {
    return strcmp(name, CUTTLE_PLUGIN_API) == 0 && version == 1 ? &plugin : NULL;
}
