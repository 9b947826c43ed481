// world_user.c: a plugin of the tests: drifting units. NUMBER says which library it is, FAULT what is
// wrong with it.
#include "app/plugin/libraries/world_user.h"

#include <string.h>

static const cuttle_log_api_1 *logger;
static const cuttle_memory_api_1 *memory;
static const cuttle_world_api_1 *world;
static const cuttle_poses_api_1 *poses;
static const cuttle_components_api_1 *components;
static probe *shared;

// --- Component -----------------------------------------------------------------------------------

static const cuttle_field fields[] = {
    {.name = FAULT == FAULT_OTHER_FIELD ? "velocity" : "speed",
     .type = CUTTLE_FIELD_FLOAT,
     .offset = offsetof(drift, speed),
     .size_bytes = FAULT == FAULT_BAD_FIELD ? 8 : 4,
     .doc = "How fast it drifts.",
     .unit = "m/s",
     .least = 0,
     .most = 100,
     .default_value = {NUMBER == 2 ? 3 : 2}},
    {.name = "direction",
     .type = CUTTLE_FIELD_VECTOR3,
     .offset = offsetof(drift, direction),
     .size_bytes = 12,
     .doc = "Where to.",
     .default_value = {0, 1, 0}},
};

static const cuttle_schema schema = {.name = FAULT == FAULT_ENGINE_NAME ? "transform" : "drift",
                                     .doc = "Drifts.",
                                     .version = 1,
                                     .size_bytes = sizeof(drift),
                                     .num_fields = 2,
                                     .fields = fields};
static const cuttle_component_type type = {.schema = &schema, .is_single = true};

static const cuttle_schema light_schema = {
    .name = "light", .size_bytes = sizeof(drift), .num_fields = 2, .fields = fields};
static const cuttle_component_type light_type = {.schema = &light_schema, .is_single = true};

// --- Steps ---------------------------------------------------------------------------------------

static void run(cuttle_plugin *self, cuttle_world *w, double dt) {
    enum { BLOCK = 512 };
    cuttle_components *const c = components->find(self, w, "drift", NULL);
    cuttle_vector3 block[BLOCK];
    ++shared->num_steps;
    shared->number = NUMBER;
    const uint32_t count = c ? components->count(c) : 0;
    const cuttle_entity *const entities = c ? components->entities(c) : NULL;
    const float *const speed = c ? components->column(c, "speed", CUTTLE_FIELD_FLOAT, NULL) : NULL;
    const cuttle_vector3 *const direction =
        c ? components->column(c, "direction", CUTTLE_FIELD_VECTOR3, NULL) : NULL;
    for (uint32_t i = 0; i < count; i += BLOCK) {
        const uint32_t n = count - i < BLOCK ? count - i : BLOCK;
        poses->local_positions(self, w, entities + i, n, block);
        for (uint32_t k = 0; k < n; ++k) {
            const float d = speed[i + k] * (float)dt;
            block[k].x += direction[i + k].x * d;
            block[k].y += direction[i + k].y * d;
            block[k].z += direction[i + k].z * d;
        }
        poses->set_local_positions(self, w, entities + i, n, block);
    }
}

static void try_spawn(cuttle_plugin *self, cuttle_world *w) {
    cuttle_entity unit;
    cuttle_error error = {0};
    shared->has_spawned =
        world->spawn_units(self, w, "units/stone", NULL, NULL, NULL, 1, &unit, &error);
    memcpy(shared->message, error.message, sizeof(shared->message));
}

static void read_poses(cuttle_plugin *self, cuttle_world *w, double dt) {
    (void)dt;
    ++shared->num_reads;
    if (shared->spawns_when_reading)
        try_spawn(self, w);
}

static const cuttle_world_step step = {.name = "drift",
                                       .phase = FAULT == FAULT_PHASE ? "later"
                                                : NUMBER == 2        ? "react"
                                                                     : "simulate",
                                       .run = FAULT == FAULT_NO_RUN ? NULL : run};
static const cuttle_world_step reading = {.name = "look", .phase = "pose", .run = read_poses};

// --- Observer ------------------------------------------------------------------------------------

static void *world_started(cuttle_plugin *self, cuttle_world *w) {
    static watch own;
    watch *const data =
        FAULT == FAULT_STATIC_DATA ? &own : memory->allocate(self, sizeof(*data), 0);
    (void)w;
    if (FAULT == FAULT_CRASH) // a NULL that compilers do not see
        *(volatile int *)(uintptr_t)!shared->self = 1;
    *data = (watch){.is_static = FAULT == FAULT_STATIC_DATA};
    ++shared->num_started;
    return data;
}

static void world_ended(cuttle_plugin *self, cuttle_world *w, void *data) {
    ++shared->num_ended;
    if (!((const watch *)data)->is_static && world->is_alive(self, w))
        memory->free(self, data); // else the test finds that it leaks
}

static void units_spawned(cuttle_plugin *self, cuttle_world *w, void *data,
                          const cuttle_entity *units, uint32_t count) {
    (void)self, (void)w, (void)units;
    ((watch *)data)->num_units += count;
    shared->num_spawned += count;
}

static void units_destroyed(cuttle_plugin *self, cuttle_world *w, void *data,
                            const cuttle_entity *units, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        shared->num_destroyed += world->is_entity_alive(self, units[i]);
    ((watch *)data)->num_units -= count;
    if (shared->spawns_when_reading)
        try_spawn(self, w);
}

static void level_spawned(cuttle_plugin *self, cuttle_world *w, void *data, cuttle_level level) {
    (void)data;
    shared->num_levels += world->is_level_spawned(self, w, level);
}

static void level_destroyed(cuttle_plugin *self, cuttle_world *w, void *data, cuttle_level level) {
    (void)data;
    shared->num_levels_destroyed += world->is_level_alive(self, w, level);
}

static const cuttle_world_observer observer = {.name = "watch",
                                               .world_started =
                                                   FAULT == FAULT_NO_STARTED ? NULL : world_started,
                                               .world_ended = world_ended,
                                               .units_spawned = units_spawned,
                                               .units_destroyed = units_destroyed,
                                               .level_spawned = level_spawned,
                                               .level_destroyed = level_destroyed};

// --- The plugin ----------------------------------------------------------------------------------

static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    const cuttle_component_types_api_1 *const types = get_api(CUTTLE_COMPONENT_TYPES_API, 1);
    const probe_api_1 *const p = get_api(PROBE_API, 1);
    logger = get_api(CUTTLE_LOG_API, 1);
    memory = get_api(CUTTLE_MEMORY_API, 1);
    world = get_api(CUTTLE_WORLD_API, 1);
    poses = get_api(CUTTLE_POSES_API, 1);
    components = get_api(CUTTLE_COMPONENTS_API, 1);
    if (!logger || !memory || !world || !poses || !components || !types || !p)
        return false;
    shared = p->shared;
    shared->self = self;
    if (FAULT != FAULT_NO_COMPONENT && !types->add(self, &type, error))
        return false;
    if (!world->add_step(self, &step, error) || !world->add_step(self, &reading, error))
        return false;
    if (FAULT == FAULT_TAKEN && !world->add_step(self, &step, error))
        return false;
    if (FAULT != FAULT_NO_OBSERVER && !world->add_observer(self, &observer, error))
        return false;
    if (FAULT == FAULT_TYPE_AFTER_ALL && !types->add(self, &light_type, error))
        return false;
    return FAULT != FAULT_INIT || logger->set_error(error, "no wind today");
}

static const cuttle_plugin_api_1 plugin = {.name = "world_user", .init = init};

CUTTLE_EXPORT const void *cuttle_plugin_get_api(const char *name, uint32_t version) {
    return strcmp(name, CUTTLE_PLUGIN_API) == 0 && version == 1 ? &plugin : NULL;
}
