// every_function.c: a plugin that calls every function of every interface in every phase of its life,
// with what is right and with what is wrong where a header promises a check. Compiled with the headers
// of each frozen version (abi/vN). What has raised Lua errors, or has no result here, is in the Lua
// module Every. Logs "every function in PHASE" after each phase.
#include "every_function.h"

#include <math.h>

cuttle_plugin *me;
const cuttle_app_api_1 *app;
const cuttle_compiler_api_1 *compiler;
const cuttle_component_types_api_1 *component_types;
const cuttle_components_api_1 *components;
const cuttle_console_api_1 *console;
const cuttle_data_api_1 *data;
const cuttle_input_api_1 *input;
const cuttle_log_api_1 *logger;
const cuttle_lua_api_1 *lua;
const cuttle_memory_api_1 *memory;
const cuttle_navigation_api_1 *navigation;
const cuttle_network_api_1 *network;
const cuttle_physics_api_1 *physics;
const cuttle_poses_api_1 *poses;
const cuttle_profiler_api_1 *profiler;
const cuttle_renderer_api_1 *renderer;
const cuttle_resource_types_api_1 *resource_types;
const cuttle_sound_api_1 *sound;
const cuttle_state_api_1 *state;
const cuttle_tasks_api_1 *tasks;
const cuttle_world_api_1 *world;
const char *phase;
cuttle_world *live;
cuttle_entity units[NUM_UNITS];
cuttle_error why;

static cuttle_get_api ask;
static bool is_busy; // functions of this plugin that are called by its calls do not begin again

// --- What the plugin adds ------------------------------------------------------------------------

static const cuttle_field fields[] = {
    {.name = "strength",
     .type = CUTTLE_FIELD_FLOAT,
     .offset = offsetof(thing, strength),
     .size_bytes = 4,
     .doc = "How strong it is.",
     .most = 10,
     .default_value = {3}},
    {.name = "number",
     .type = CUTTLE_FIELD_INT,
     .offset = offsetof(thing, number),
     .size_bytes = 4,
     .doc = "A number."},
};
const cuttle_schema thing_schema = {.name = "every",
                                    .doc = "A thing.",
                                    .version = 1,
                                    .size_bytes = sizeof(thing),
                                    .num_fields = COUNT(fields),
                                    .fields = fields};
static const cuttle_schema other_version = {.name = "every",
                                            .doc = "A thing.",
                                            .version = 2,
                                            .size_bytes = sizeof(thing),
                                            .num_fields = COUNT(fields),
                                            .fields = fields};
static const cuttle_field bad_fields[] = {{.name = "x", .type = 99, .offset = 0, .size_bytes = 4},
                                          {.name = "x", .type = 3, .offset = 8, .size_bytes = 40},
                                          {.name = NULL, .type = 3}};
static cuttle_schema bad_schemas[] = {{.name = NULL}, {.name = ""},  {.name = "x"},
                                      {.name = "x"},  {.name = "x"}, {.name = "no x"}};

static void *world_started(cuttle_plugin *self, cuttle_world *w) {
    (void)self, (void)w;
    call_everything("world_started");
    return NULL;
}

static void world_ended(cuttle_plugin *self, cuttle_world *w, void *own) {
    (void)self, (void)w, (void)own;
    call_everything("world_ended");
}

static void units_spawned(cuttle_plugin *self, cuttle_world *w, void *own, const cuttle_entity *all,
                          uint32_t count) {
    (void)self, (void)w, (void)own, (void)all, (void)count;
    call_everything("units_spawned");
}

static void units_destroyed(cuttle_plugin *self, cuttle_world *w, void *own,
                            const cuttle_entity *all, uint32_t count) {
    (void)self, (void)w, (void)own, (void)all, (void)count;
    call_everything("units_destroyed");
}

static void level_changed(cuttle_plugin *self, cuttle_world *w, void *own, cuttle_level level) {
    (void)self, (void)w, (void)own, (void)level;
    call_everything("level_changed");
}

static const cuttle_world_observer observer = {"every",       world_started,   world_ended,
                                               units_spawned, units_destroyed, level_changed,
                                               level_changed};

#define STEP(phase)                                                                                \
    static void phase(cuttle_plugin *self, cuttle_world *w, double dt) {                           \
        (void)self, (void)w, (void)dt;                                                             \
        call_everything(#phase);                                                                   \
    }
STEP(animate)
STEP(simulate)
STEP(react)
STEP(pose)
STEP(send)

static const cuttle_world_step steps[] = {{"every animate", "animate", animate},
                                          {"every simulate", "simulate", simulate},
                                          {"every react", "react", react},
                                          {"every pose", "pose", pose},
                                          {"every send", "send", send}};

static bool command(cuttle_plugin *self, uint32_t count, const char *const *arguments,
                    cuttle_console_answer *answer, cuttle_error *reason) {
    (void)self, (void)count, (void)arguments, (void)reason;
    call_everything("command");
    console->print(answer, "%s", "called");
    console->print(answer, "%s", "");
    return true;
}

static const cuttle_console_command commands[] = {
    {"", "calls everything", 0, 0, command}, {NULL, NULL, 0, 0, NULL}, {"", "", 2, 1, command}};

static bool validate(cuttle_plugin *self, const void *bytes, uint64_t size, cuttle_error *reason) {
    (void)self, (void)bytes, (void)size, (void)reason;
    call_everything("validate");
    return true;
}

static void loaded(cuttle_plugin *self, cuttle_id64 name, const void *bytes, uint64_t size) {
    (void)self, (void)name, (void)bytes, (void)size;
    call_everything("loaded");
}

static void unloaded(cuttle_plugin *self, cuttle_id64 name, const void *bytes, uint64_t size) {
    (void)self, (void)name, (void)bytes, (void)size;
    call_everything("unloaded");
}

static const cuttle_resource_type resource_type = {
    .name = "every", .version = 1, .validate = validate, .loaded = loaded, .unloaded = unloaded};

static void receive(cuttle_plugin *self, uint64_t sender, const cuttle_network_value *values,
                    uint32_t count) {
    (void)self, (void)sender, (void)values, (void)count;
    call_everything("receive");
}

const cuttle_network_receiver every_receiver = {receive};

// --- In every program ----------------------------------------------------------------------------

static void call_log(void) {
    cuttle_error own = {.message = "a message"};
    logger->debug(me, "%d", 1);
    logger->info(me, "%d", 1);
    logger->warning(me, "every_warning", "%d", 1);
    logger->error(me, "every_error", "%s", "");
    logger->report(me, &own);
    logger->set_error(&own, "%s", "too long");
    logger->set_error(NULL, "%s", "too long");
    const uint32_t entered = logger->enter("calling", "every function");
    logger->leave(entered);
}

static void call_memory(void) {
    char *p = memory->allocate(me, 100, 64);
    p[99] = 1;
    p = memory->reallocate(me, p, 100, 1000);
    p[999] = 1;
    p = memory->reallocate(me, p, 1000, 10);
    memory->free(me, p);
    memory->free(me, NULL);
    memory->free(me, memory->allocate(me, 0, 0));
    memory->free(me, memory->reallocate(me, NULL, 0, 10));
    memory->live_bytes(me);
}

static void call_profiler(void) {
    const bool entered = profiler->enter("every function");
    profiler->counter("every_function", 1);
    profiler->counter("every_function", NAN);
    profiler->leave(entered);
}

static void call_state(void) {
    const cuttle_schema *const wrong[] = {
        NULL, &bad_schemas[0], &bad_schemas[1], &bad_schemas[2], &bad_schemas[3], &bad_schemas[4]};
    for (uint32_t i = 0; i < COUNT(wrong); ++i)
        if (state->get(me, wrong[i], NULL, &why))
            logger->error(me, "every_accepted", "the wrong schema %u of a state", i);
    thing *const own = state->get(me, &thing_schema, NULL, &why);
    if (own)
        ++own->number;
    state->get(me, &other_version, NULL, NULL);
}

// What the headers promise for any thread.
static void call_on_any_thread(void) {
    call_log();
    call_memory();
    call_profiler();
    if (world) {
        world->id32("name");
        world->id64("name");
    }
}

static void run(void *user) {
    (void)user;
    call_on_any_thread();
}

static void run_range(void *user, uint32_t begin, uint32_t end) {
    (void)user;
    for (uint32_t i = begin; i < end; ++i)
        call_on_any_thread();
}

// Work adds more of it.
static void run_nested(void *user) {
    run(user);
    const cuttle_task task = tasks->add(me, "every function", run, user, (cuttle_task){0});
    tasks->is_done(me, task);
    tasks->parallel_for(me, "every function", 4, 1, run_range, user);
}

static void call_tasks(void) {
    tasks->parallel_for(me, "every function", 4, 1, run_range, NULL);
    tasks->parallel_for(me, "every function", 0, 0, run_range, NULL);
    tasks->parallel_for(me, "every function", 2, 0, run_range, NULL);
    const cuttle_task first = tasks->add(me, "every function", run, NULL, (cuttle_task){0});
    const cuttle_task second = tasks->add(me, "every function", run, NULL, first);
    tasks->wait(me, second);
    tasks->wait(me, (cuttle_task){0});
    tasks->wait(me, tasks->add(me, "every function", run_nested, NULL, second));
    if (!tasks->is_done(me, first) || !tasks->is_done(me, (cuttle_task){0}))
        logger->error(me, "every_accepted", "a task is not done");
}

static void call_types(void) {
    cuttle_component_type types[] = {
        {NULL, false},           {&bad_schemas[1], true},  {&bad_schemas[2], true},
        {&bad_schemas[3], true}, {&bad_schemas[4], false}, {&bad_schemas[5], false}};
    cuttle_resource_type resources[] = {{.name = NULL},
                                        {.name = "No name"},
                                        {.name = "texture"},
                                        {.name = "other", .schema = &bad_schemas[2]}};
    bool is_wrong = component_types->add(me, NULL, &why);
    for (uint32_t i = 0; i < COUNT(types); ++i)
        is_wrong |= component_types->add(me, &types[i], &why);
    is_wrong |= resource_types->add(me, NULL, &why);
    for (uint32_t i = 0; i < COUNT(resources); ++i)
        is_wrong |= resource_types->add(me, &resources[i], &why);
    if (is_wrong)
        logger->error(me, "every_accepted", "a wrong type");
    resource_types->get(me, NULL, (cuttle_id64){1}, NULL);
    resource_types->get(me, "nothing", (cuttle_id64){1}, NULL);
    resource_types->get(me, "every", resource_types->name_id("nothing"), &(uint64_t){0});
    resource_types->name_id(NULL);
}

// --- In the game ---------------------------------------------------------------------------------

static void call_app(void) {
    app->project_folder(me);
    app->data_folder(me);
    app->frame(me);
    app->time(me);
    app->is_paused(me);
    if (strcmp(phase, "shutdown") == 0)
        app->quit(me, 0);
}

static void call_console(void) {
    static unsigned number;
    char name[32];
    snprintf(name, sizeof(name), "more%u", number++);
    bool is_wrong = console->add_command(me, NULL, &commands[0], &why);
    is_wrong |= console->add_command(me, "two words", &commands[0], &why);
    is_wrong |= console->add_command(me, "wrong", &commands[1], &why);
    is_wrong |= console->add_command(me, "wrong", &commands[2], &why);
    is_wrong |= console->add_command(me, "wrong", NULL, NULL);
    is_wrong |= console->send(me, "{ no json");
    is_wrong |= console->send(me, NULL);
    if (is_wrong)
        logger->error(me, "every_accepted", "a wrong command");
    if (number < 20)
        console->add_command(me, name, &commands[0], &why);
    console->send(me, "{ type = \"every\" }");
}

static void call_world_of(cuttle_world *w) {
    cuttle_level levels[MOST];
    cuttle_entity found[MOST];
    world->is_alive(me, w);
    world->time(me, w);
    world->delta_time(me, w);
    world->state_hash(me, w);
    world->observer_data(me, w, "every");
    world->observer_data(me, w, "nothing");
    world->units(me, w, found, MOST);
    world->units(me, w, NULL, 0);
    world->units_of_resource(me, w, world->id64("units/cube"), found, MOST);
    world->units_of_resource(me, w, (cuttle_id64){0}, NULL, 0);
    world->unit_by_id(me, w, world->id32("camera"));
    world->unit_by_name(me, w, "nothing");
    world->unit_by_name(me, w, NULL);
    world->levels(me, w, levels, MOST);
    world->levels(me, w, NULL, 0);
    world->level_units(me, w, (cuttle_level){0xffffffff}, found, MOST);
    world->is_level_alive(me, w, (cuttle_level){12345});
    world->is_level_spawned(me, w, (cuttle_level){0});
    world->destroy_level(me, w, (cuttle_level){0xffffffff});
    world->destroy(me, w, others, COUNT(others));
    world->destroy(me, w, NULL, 0);
    if (world->spawn_units(me, w, "units/nothing", NULL, NULL, NULL, 1, found, &why) ||
        world->spawn_units(me, w, NULL, NULL, NULL, NULL, 1, found, &why) ||
        world->spawn_units(me, w, "units/cube", &nowhere, NULL, NULL, 1, found, &why) ||
        world->spawn_units(me, w, "units/cube", NULL, &no_turn, NULL, 1, found, &why) ||
        world->spawn_units(me, w, "units/cube", NULL, NULL, &nowhere, 1, found, NULL) ||
        world->spawn_units(me, w, "units/cube", NULL, NULL, NULL, 1u << 31, found, &why) ||
        world->create_entities(me, w, 0xffffffff, found, &why) ||
        world->spawn_level(me, w, "levels/nothing", NULL, NULL, NULL, &why).id ||
        world->spawn_level(me, w, NULL, NULL, NULL, NULL, &why).id ||
        world->spawn_level(me, w, "levels/start", &nowhere, NULL, NULL, &why).id)
        logger->error(me, "every_accepted", "something wrong was spawned in %s", phase);
}

// Steps and observers of the phase's own, which stay until the plugin ends.
static void add_more(void) {
    static char names[16][32];
    static uint32_t num_names;
    if (num_names + 2 > COUNT(names) || strncmp(phase, "more", 4) == 0)
        return;
    char *const name = names[num_names++], *const other = names[num_names++];
    snprintf(name, sizeof(names[0]), "more %u", num_names);
    snprintf(other, sizeof(names[0]), "more %u", num_names + 1);
    const cuttle_world_step step = {name, "react", simulate};
    const cuttle_world_observer more = {other, world_started, NULL, NULL, NULL, NULL, NULL};
    world->add_step(me, &step, &why);
    world->add_observer(me, &more, &why);
}

static void call_world(void) {
    const cuttle_world_step wrong[] = {{NULL, "react", simulate},
                                       {"", "react", simulate},
                                       {"wrong", "react", NULL},
                                       {"wrong", "nothing", simulate},
                                       {"wrong", NULL, simulate}};
    const cuttle_world_observer no_name = {NULL, world_started, NULL, NULL, NULL, NULL, NULL};
    const cuttle_world_observer no_start = {"wrong", NULL, NULL, NULL, NULL, NULL, NULL};
    cuttle_world *all[MOST];
    bool is_wrong = world->add_step(me, NULL, &why) || world->add_observer(me, NULL, &why) ||
                    world->add_observer(me, &no_name, &why) ||
                    world->add_observer(me, &no_start, NULL);
    for (uint32_t i = 0; i < COUNT(wrong); ++i)
        is_wrong |= world->add_step(me, &wrong[i], &why);
    if (is_wrong)
        logger->error(me, "every_accepted", "a wrong step or observer");
    add_more();
    world->worlds(me, NULL, 0);
    live = world->worlds(me, all, MOST) > 0 ? all[0] : NULL;
    call_world_of(live);
    for (uint32_t i = 0; i < COUNT(ended); ++i)
        call_world_of(ended[i]);
    for (uint32_t i = 0; i < COUNT(others); ++i) {
        world->is_entity_alive(me, others[i]);
        world->world_of(me, others[i]);
        world->unit_of(me, others[i]);
        world->unit_resource(me, others[i]);
        world->debug_name(me, others[i]);
        world->level_of(me, others[i]);
    }
    world->id32(NULL);
    world->id64(NULL);
}

// `units` are two cubes, two entities and what is dead.
static void spawn(void) {
    const cuttle_vector3 at[2] = {{0, 0, 5}, {0, 3, 5}}, size[2] = {{1, 1, 1}, {1, 1, 1}};
    const cuttle_quaternion turn[2] = {unturned, unturned};
    memset(units, 0, sizeof(units));
    if (world->spawn_units(me, live, "units/every", at, turn, size, 2, units, &why) &&
        world->create_entities(me, live, 2, units + 2, &why) &&
        world->is_entity_alive(me, units[0]) && world->world_of(me, units[0]) == live &&
        world->unit_of(me, units[0]).id == units[0].id)
        logger->info(me, "units in %s", phase);
    memcpy(units + 4, others, 3 * sizeof(units[0]));
}

static void call_level(void) {
    const cuttle_level level =
        world->spawn_level(me, live, "levels/start", &middle, &unturned, NULL, &why);
    cuttle_entity found[MOST];
    if (level.id == 0)
        return;
    if (world->is_level_alive(me, live, level))
        logger->info(me, "a level in %s", phase);
    world->is_level_spawned(me, live, level);
    if (world->level_units(me, live, level, found, MOST) > 0)
        world->level_of(me, found[0]);
    world->destroy_level(me, live, level);
    world->destroy_level(me, live, level);
}

// --- Phases --------------------------------------------------------------------------------------

static void call_game(void) {
    call_app();
    call_console();
    call_world();
    spawn();
    call_level();
    call_systems();
    call_lua();
    if (live)
        world->destroy(me, live, units, MOST);
}

// Once in each phase, as this takes a while.
void call_everything(const char *name) {
    static char done[512] = " ";
    char word[64];
    snprintf(word, sizeof(word), " %s ", name);
    if (is_busy || strstr(done, word) || strlen(done) + strlen(word) >= sizeof(done))
        return;
    is_busy = true;
    strcat(done, word + 1);
    phase = name;
    call_on_any_thread();
    call_state();
    call_tasks();
    call_types();
    if (app)
        call_game();
    if (ask(NULL, 1) || ask("nothing", 1) || ask(CUTTLE_LOG_API, 99) || ask(CUTTLE_PLUGIN_API, 1))
        logger->error(me, "every_accepted", "an interface that there is not");
    logger->info(me, "every function in %s", name);
    is_busy = false;
}

static void get_interfaces(cuttle_get_api get_api) {
    ask = get_api;
    app = get_api(CUTTLE_APP_API, 1);
    compiler = get_api(CUTTLE_COMPILER_API, 1);
    component_types = get_api(CUTTLE_COMPONENT_TYPES_API, 1);
    components = get_api(CUTTLE_COMPONENTS_API, 1);
    console = get_api(CUTTLE_CONSOLE_API, 1);
    data = get_api(CUTTLE_DATA_API, 1);
    input = get_api(CUTTLE_INPUT_API, 1);
    logger = get_api(CUTTLE_LOG_API, 1);
    lua = get_api(CUTTLE_LUA_API, 1);
    memory = get_api(CUTTLE_MEMORY_API, 1);
    navigation = get_api(CUTTLE_NAVIGATION_API, 1);
    network = get_api(CUTTLE_NETWORK_API, 1);
    physics = get_api(CUTTLE_PHYSICS_API, 1);
    poses = get_api(CUTTLE_POSES_API, 1);
    profiler = get_api(CUTTLE_PROFILER_API, 1);
    renderer = get_api(CUTTLE_RENDERER_API, 1);
    resource_types = get_api(CUTTLE_RESOURCE_TYPES_API, 1);
    sound = get_api(CUTTLE_SOUND_API, 1);
    state = get_api(CUTTLE_STATE_API, 1);
    tasks = get_api(CUTTLE_TASKS_API, 1);
    world = get_api(CUTTLE_WORLD_API, 1);
}

static bool add_to_game(cuttle_error *reason) {
    for (uint32_t i = 0; i < COUNT(steps); ++i)
        if (!world->add_step(me, &steps[i], reason))
            return false;
    return world->add_observer(me, &observer, reason) &&
           console->add_command(me, "all", &commands[0], reason) &&
           lua->add_module(me, &every_module, reason) &&
           network->add_receiver(me, "every", &every_receiver, reason);
}

static const cuttle_compiler_type compiler_type = {"every", compile_every};

static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *reason) {
    static const cuttle_component_type type = {&thing_schema, true};
    static uint32_t wrong_counts[] = {0, 0, 0, 1, 1, 0};
    me = self;
    for (uint32_t i = 0; i < COUNT(bad_schemas); ++i) {
        bad_schemas[i].num_fields = wrong_counts[i];
        bad_schemas[i].size_bytes = i == 2 ? 0 : 16;
        bad_schemas[i].fields = i == 3 ? bad_fields : i == 4 ? bad_fields + 1 : fields;
    }
    get_interfaces(get_api);
    if (!component_types->add(self, &type, reason) ||
        !resource_types->add(self, &resource_type, reason))
        return false;
    if (compiler) {
        const cuttle_compiler_type wrong = {"wrong", NULL};
        if (compiler->add(self, &wrong, &why))
            return logger->set_error(reason, "a type without a compile function was accepted");
        return compiler->add(self, &compiler_type, reason);
    }
    if (!add_to_game(reason))
        return false;
    call_everything("init");
    return true;
}

static void start(cuttle_plugin *self) {
    (void)self;
    call_everything("start");
}

static void end(cuttle_plugin *self) {
    (void)self;
    call_everything("end");
}

static void update(cuttle_plugin *self, double dt) {
    (void)self, (void)dt;
    call_everything("update");
}

static void render(cuttle_plugin *self) {
    (void)self;
    call_everything("render");
}

static void reloaded(cuttle_plugin *self) {
    (void)self;
    call_everything("reloaded");
}

static void shut_down(cuttle_plugin *self, bool is_replaced) {
    (void)self;
    call_everything(is_replaced ? "replaced" : "shutdown");
}

static const cuttle_plugin_api_1 plugin = {.name = "every",
                                           .init = init,
                                           .reloaded = reloaded,
                                           .start = start,
                                           .end = end,
                                           .update = update,
                                           .render = render,
                                           .shutdown = shut_down};

CUTTLE_EXPORT const void *cuttle_plugin_get_api(const char *name, uint32_t version) {
    return strcmp(name, CUTTLE_PLUGIN_API) == 0 && version == 1 ? &plugin : NULL;
}
