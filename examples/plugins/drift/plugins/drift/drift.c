// drift.c: a component with a system of its own: things that drift in a current.
//
// In units the component is `drift`; in Lua the module is Drift; in Flow the node "gust" calls
// Drift.gust. Debug lines show every eighth of them. The current, and memory for positions, are in a
// state, so all goes on when this file is compiled again while the game runs:
//
//     cc -std=c11 -O2 -Wall -shared -fPIC -g $(cuttle plugin --cflags) plugins/drift/drift.c -o plugins/drift/drift.so -lm
#include <cuttle/component_types.h>
#include <cuttle/components.h>
#include <cuttle/log.h>
#include <cuttle/lua.h>
#include <cuttle/memory.h>
#include <cuttle/plugin.h>
#include <cuttle/poses.h>
#include <cuttle/renderer.h>
#include <cuttle/state.h>
#include <cuttle/tasks.h>
#include <cuttle/world.h>

#include <math.h>
#include <string.h>

enum { GRAIN = 2048, SHOWN = 8, MAX_COUNT = 1000000, MAX_WORLDS = 8, MAX_LINES = 16384 };

static const float RADIUS = 30.0f; // metres, of the sea
static const float SWIRL = 0.15f;  // turns around the middle, radians a second

static const cuttle_components_api_1 *components;
static const cuttle_log_api_1 *logger;
static const cuttle_lua_api_1 *lua;
static const cuttle_memory_api_1 *memory;
static const cuttle_poses_api_1 *poses;
static const cuttle_renderer_api_1 *renderer;
static const cuttle_tasks_api_1 *tasks;
static const cuttle_world_api_1 *world;

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// --- The component -------------------------------------------------------------------------------

typedef struct drift {
    float speed;    // of its own, metres a second
    float phase;    // radians: where it is in its own circle
    float color[4]; // of its line
} drift;

static const cuttle_field drift_fields[] = {
    {.name = "speed",
     .type = CUTTLE_FIELD_FLOAT,
     .offset = offsetof(drift, speed),
     .size_bytes = sizeof(float),
     .doc = "How fast it moves by itself.",
     .unit = "m/s",
     .least = 0,
     .most = 100,
     .default_value = {0.5}},
    {.name = "phase",
     .type = CUTTLE_FIELD_FLOAT,
     .offset = offsetof(drift, phase),
     .size_bytes = sizeof(float),
     .doc = "Where it is in its own circle.",
     .unit = "rad"},
    {.name = "color",
     .type = CUTTLE_FIELD_COLOR,
     .offset = offsetof(drift, color),
     .size_bytes = 4 * sizeof(float),
     .doc = "The colour of its line.",
     .default_value = {1, 1, 1, 1}},
};

static const cuttle_schema drift_schema = {.name = "drift",
                                           .doc = "Drifts in the current of the plugin drift.",
                                           .version = 1,
                                           .size_bytes = sizeof(drift),
                                           .num_fields = COUNT_OF(drift_fields),
                                           .fields = drift_fields};

static const cuttle_component_type drift_type = {.schema = &drift_schema, .is_single = true};

// --- State: stays over reloads -------------------------------------------------------------------

typedef struct sea_state {
    cuttle_vector3 current; // metres a second
    uint32_t capacity;      // of positions
    cuttle_vector3 *positions;
} sea_state;

static const cuttle_field sea_fields[] = {
    {.name = "current",
     .type = CUTTLE_FIELD_VECTOR3,
     .offset = offsetof(sea_state, current),
     .size_bytes = sizeof(cuttle_vector3),
     .default_value = {2, 0, 0}},
    {.name = "capacity",
     .type = CUTTLE_FIELD_INT,
     .offset = offsetof(sea_state, capacity),
     .size_bytes = sizeof(uint32_t)},
    {.name = "positions",
     .type = CUTTLE_FIELD_BYTES,
     .offset = offsetof(sea_state, positions),
     .size_bytes = sizeof(cuttle_vector3 *)},
};

static const cuttle_schema sea_schema = {.name = "sea",
                                         .version = 1,
                                         .size_bytes = sizeof(sea_state),
                                         .num_fields = COUNT_OF(sea_fields),
                                         .fields = sea_fields};

static sea_state *sea;

// Returns room for the positions of `count` things; memory is the plugin's, and stays over reloads.
static cuttle_vector3 *need_positions(cuttle_plugin *self, uint32_t count) {
    if (count > sea->capacity) {
        memory->free(self, sea->positions);
        sea->positions = memory->allocate(self, sizeof(*sea->positions) * (uint64_t)count, 0);
        sea->capacity = count;
    }
    return sea->positions;
}

// --- The system ----------------------------------------------------------------------------------

typedef struct moving {
    cuttle_vector3 *positions;
    float *phases;
    const float *speeds;
    float dt;
} moving;

// Runs on all threads, each for a part.
static void move_some(void *data, uint32_t begin, uint32_t end) {
    const moving *const m = data;
    for (uint32_t i = begin; i < end; ++i) {
        cuttle_vector3 p = m->positions[i];
        m->phases[i] += m->dt;
        const float x = sea->current.x - SWIRL * p.y + m->speeds[i] * cosf(m->phases[i]);
        const float y = sea->current.y + SWIRL * p.x + m->speeds[i] * sinf(m->phases[i]);
        const float z = sea->current.z + 0.3f * m->speeds[i] * sinf(0.7f * m->phases[i]);
        p.x += x * m->dt;
        p.y += y * m->dt;
        p.z += z * m->dt;
        // What leaves the sea comes back on the other side.
        if (p.x * p.x + p.y * p.y + p.z * p.z > RADIUS * RADIUS)
            p = (cuttle_vector3){-0.98f * p.x, -0.98f * p.y, -0.98f * p.z};
        m->positions[i] = p;
    }
}

static void step_drift(cuttle_plugin *self, cuttle_world *w, double dt) {
    cuttle_components *const all = components->find(self, w, "drift", NULL);
    const uint32_t count = all ? components->count(all) : 0;
    if (count == 0)
        return;
    moving m = {.positions = need_positions(self, count),
                .phases = components->column(all, "phase", CUTTLE_FIELD_FLOAT, NULL),
                .speeds = components->column(all, "speed", CUTTLE_FIELD_FLOAT, NULL),
                .dt = (float)dt};
    const cuttle_entity *const entities = components->entities(all);
    poses->local_positions(self, w, entities, count, m.positions);
    tasks->parallel_for(self, "drift", count, GRAIN, move_some, &m);
    poses->set_local_positions(self, w, entities, count, m.positions);
}

static const cuttle_world_step step = {.name = "drift", .phase = "simulate", .run = step_drift};

// --- Debug drawing -------------------------------------------------------------------------------

static void draw_world(cuttle_plugin *self, cuttle_world *w) {
    static cuttle_line lines[MAX_LINES];
    cuttle_components *const all = components->find(self, w, "drift", NULL);
    const uint32_t count = all ? components->count(all) : 0;
    if (count == 0)
        return;
    cuttle_vector3 *const positions = need_positions(self, count);
    const cuttle_color *const colors = components->column(all, "color", CUTTLE_FIELD_COLOR, NULL);
    const float *const phases = components->column(all, "phase", CUTTLE_FIELD_FLOAT, NULL);
    poses->world_positions(self, w, components->entities(all), count, positions);
    uint32_t num_lines = 0;
    for (uint32_t i = 0; i < count && num_lines < MAX_LINES; i += SHOWN) {
        const cuttle_vector3 p = positions[i];
        const cuttle_vector3 tail = {p.x - 0.4f * cosf(phases[i]), p.y - 0.4f * sinf(phases[i]),
                                     p.z};
        lines[num_lines++] = (cuttle_line){tail, p, colors[i]};
    }
    renderer->lines(self, w, lines, num_lines);
    renderer->sphere(self, w, (cuttle_vector3){0, 0, 0}, RADIUS,
                     (cuttle_color){0.1f, 0.2f, 0.4f, 1});
}

static void render(cuttle_plugin *self) {
    cuttle_world *worlds[MAX_WORLDS];
    uint32_t count = world->worlds(self, worlds, MAX_WORLDS);
    count = count < MAX_WORLDS ? count : MAX_WORLDS;
    for (uint32_t i = 0; i < count; ++i)
        draw_world(self, worlds[i]);
}

// --- Lua -----------------------------------------------------------------------------------------

// Numbers from 0 to 1 that look random, the same in each run.
static float scatter(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / 16777216.0f;
}

static cuttle_vector3 random_place(uint32_t *state) {
    for (;;) {
        const cuttle_vector3 p = {2 * scatter(state) - 1, 2 * scatter(state) - 1,
                                  0.5f * (2 * scatter(state) - 1)};
        if (p.x * p.x + p.y * p.y + p.z * p.z < 1)
            return (cuttle_vector3){RADIUS * p.x, RADIUS * p.y, RADIUS * p.z};
    }
}

static int spawn(lua_State *L) {
    cuttle_world *const w = lua->check_world(L, 1);
    const uint32_t count = (uint32_t)lua->check_integer(L, 2, 1, MAX_COUNT);
    cuttle_plugin *const self = lua->plugin(L);
    cuttle_vector3 *const places = need_positions(self, count);
    uint32_t random = 1;
    for (uint32_t i = 0; i < count; ++i)
        places[i] = random_place(&random);
    cuttle_entity *const units = memory->allocate(self, sizeof(*units) * (uint64_t)count, 0);
    cuttle_error error = {0};
    const bool is_spawned =
        world->spawn_units(self, w, "units/plankton", places, NULL, NULL, count, units, &error);
    cuttle_components *const all = components->find(self, w, "drift", NULL);
    float *const phases = all ? components->column(all, "phase", CUTTLE_FIELD_FLOAT, NULL) : NULL;
    for (uint32_t i = 0; i < count && is_spawned; ++i)
        phases[components->row(all, units[i])] = 6.2832f * scatter(&random);
    memory->free(self, units); // before an error of Lua leaves this function
    return is_spawned ? 0 : lua->error(L, "%s", error.message);
}

static int count_all(lua_State *L) {
    cuttle_world *const w = lua->check_world(L, 1);
    cuttle_components *const all = components->find(lua->plugin(L), w, "drift", NULL);
    lua->push_number(L, all ? components->count(all) : 0);
    return 1;
}

static int current(lua_State *L) {
    lua->push_vector3(L, sea->current);
    return 1;
}

static int set_current(lua_State *L) {
    sea->current = lua->check_vector3(L, 1);
    return 0;
}

// The node of Flow: gets its inputs in a table, and returns its outputs in one.
static int gust(lua_State *L) {
    lua->push_member(L, 1, "angle");
    const float angle = (float)lua->to_number(L, -1);
    const cuttle_vector3 c = sea->current;
    sea->current = (cuttle_vector3){c.x * cosf(angle) - c.y * sinf(angle),
                                    c.x * sinf(angle) + c.y * cosf(angle), c.z};
    lua->push_table(L, 0, 1);
    lua->push_vector3(L, sea->current);
    lua->set_member(L, -2, "current");
    return 1;
}

static const cuttle_lua_function functions[] = {
    {"count", count_all, "(world: World) -> integer", "How many things drift in a world."},
    {"current", current, "() -> Vector3", "The current, in metres a second."},
    {"gust", gust, "(inputs: table) -> table", "The node of Flow that turns the current."},
    {"set_current", set_current, "(current: Vector3) -> nil", "Sets the current."},
    {"spawn", spawn, "(world: World, count: integer) -> nil", "Spawns plankton all over the sea."},
};

static const cuttle_lua_module module = {"Drift", "Things that drift in a current.", functions,
                                         COUNT_OF(functions)};

// --- The plugin ----------------------------------------------------------------------------------

static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    const cuttle_component_types_api_1 *const types = get_api(CUTTLE_COMPONENT_TYPES_API, 1);
    const cuttle_state_api_1 *const states = get_api(CUTTLE_STATE_API, 1);
    if (!types || !types->add(self, &drift_type, error))
        return false;
    components = get_api(CUTTLE_COMPONENTS_API, 1);
    if (!components)
        return true; // the compiler: it needs to know the component, no more
    logger = get_api(CUTTLE_LOG_API, 1);
    lua = get_api(CUTTLE_LUA_API, 1);
    memory = get_api(CUTTLE_MEMORY_API, 1);
    poses = get_api(CUTTLE_POSES_API, 1);
    renderer = get_api(CUTTLE_RENDERER_API, 1);
    tasks = get_api(CUTTLE_TASKS_API, 1);
    world = get_api(CUTTLE_WORLD_API, 1);
    sea = states->get(self, &sea_schema, NULL, error);
    return sea && world->add_step(self, &step, error) && lua->add_module(self, &module, error);
}

static void start(cuttle_plugin *self) {
    logger->info(self, "the current is %.1f m/s",
                 (double)sqrtf(sea->current.x * sea->current.x + sea->current.y * sea->current.y));
}

static void end(cuttle_plugin *self) {
    memory->free(self, sea->positions);
    sea->positions = NULL;
    sea->capacity = 0;
}

static const cuttle_plugin_api_1 plugin = {
    .name = "drift", .init = init, .start = start, .end = end, .render = render};

CUTTLE_EXPORT const void *cuttle_plugin_get_api(const char *name, uint32_t version) {
    return strcmp(name, CUTTLE_PLUGIN_API) == 0 && version == 1 ? &plugin : NULL;
}
