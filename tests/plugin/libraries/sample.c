// sample.c: a plugin of the tests, compiled several times: NUMBER says which, and FAULT what is wrong
// with it (fault.h).
#include <cuttle/log.h>
#include <cuttle/memory.h>
#include <cuttle/plugin.h>
#include <cuttle/state.h>
#include <cuttle/tasks.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/libraries/sample.h"

#ifndef NAME
#define NAME "sample"
#endif
#ifndef NEEDS
#define NEEDS NULL
#endif
#ifndef SPEED
#define SPEED 2.5
#endif
#ifndef HAS_STATE
#define HAS_STATE 1
#endif
#ifndef STATE_VERSION
#define STATE_VERSION 1
#endif

static const sample_adder_api_1 *adder;
static const cuttle_log_api_1 *logger;
static sample_state *state;
static const char *const needs[] = {NEEDS, NULL};
static const sample_number_api_1 *needed; // of the plugin "sample", for those that need it

static int number(void) {
    return NUMBER;
}

// --- State ---------------------------------------------------------------------------------------

#define FIELD(member, field_type, ...)                                                             \
    {                                                                                              \
        .name = #member, .type = field_type, .offset = offsetof(sample_state, member),             \
        .size_bytes = sizeof(((sample_state *)0)->member), __VA_ARGS__                             \
    }

static const cuttle_field fields[] = {
    FIELD(num_updates, CUTTLE_FIELD_INT, .default_value = {0}),
    FIELD(speed, CUTTLE_FIELD_FLOAT, .default_value = {SPEED}),
    FIELD(address, CUTTLE_FIELD_BYTES),
#if STATE_VERSION > 1
    FIELD(added, CUTTLE_FIELD_INT, .default_value = {77}),
#endif
};

static const cuttle_schema schema = {
    .name = "sample",
    .version = STATE_VERSION,
    .size_bytes = sizeof(sample_state),
    .num_fields = sizeof(fields) / sizeof(fields[0]),
    .fields = fields,
};

static bool migrate(const void *old_state, uint32_t old_version, uint32_t old_bytes,
                    void *new_state, cuttle_error *error) {
    (void)old_bytes, (void)error;
    const sample_state *const old = old_state;
    sample_state *const now = new_state;
    if (FAULT == FAULT_MIGRATE)
        return logger->set_error(error, "no way from version %u", old_version);
    now->migrated = old->num_updates;
    return true;
}

// --- The plugin ----------------------------------------------------------------------------------

static void end_badly(void) {
    if (FAULT == FAULT_SEGV)
        *(volatile int *)(uintptr_t)(FAULT - FAULT_SEGV) = 1;
    if (FAULT == FAULT_ABORT)
        abort();
    if (FAULT == FAULT_EXIT)
        exit(3);
    if (FAULT == FAULT_QUICK_EXIT)
        _exit(4);
}

static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
    logger = get_api(CUTTLE_LOG_API, 1);
    const cuttle_state_api_1 *const states = get_api(CUTTLE_STATE_API, 1);
    const cuttle_memory_api_1 *const memory = get_api(CUTTLE_MEMORY_API, 1);
    adder = get_api(SAMPLE_ADDER_API, 1);
    if (get_api(CUTTLE_LOG_API, 99) || get_api("nonsense", 1) || !adder)
        return logger->set_error(error, "wrong interfaces");
    if (FAULT == FAULT_LEAK || FAULT == FAULT_FALSE)
        memory->allocate(self, 100, 0);
    end_badly();
    if (FAULT == FAULT_FAIL)
        logger->fail(self, "broken %d", 12);
    needed = needs[0] ? get_api("number of sample", 1) : NULL;
    state = HAS_STATE ? states->get(self, &schema, migrate, error) : NULL;
    if (!state && HAS_STATE)
        return false;
    sample_addition main_addition = {.kind_fault = FAULT, .number = number};
    if (!adder->add(self, "main", &main_addition, error))
        return false;
    if (FAULT == FAULT_TWICE && !adder->add(self, "main", &main_addition, error))
        return false;
    if (NUMBER >= 2 && NUMBER <= 4 && !adder->add(self, "second", &main_addition, error))
        return false;
    if (FAULT == FAULT_FALSE)
        return logger->set_error(error, "refused for a test");
    return FAULT != FAULT_SILENT;
}

static void reloaded(cuttle_plugin *self) {
    (void)self;
    adder->event(NAME, "reloaded", NUMBER);
}

static void start(cuttle_plugin *self) {
    (void)self;
    adder->event(NAME, "start", NUMBER);
}

static void end(cuttle_plugin *self) {
    (void)self;
    adder->event(NAME, "end", NUMBER);
}

static void update(cuttle_plugin *self, double dt) {
    (void)self;
    if (!state)
        return;
    state->num_updates += 1;
    if (state->speed == 8.0f)
        adder->event(NAME, "speed", 8);
    if (FAULT == FAULT_KEEP)
        *(int (**)(void))state->address = number;
    adder->event(NAME, "update", (int)(dt * 1000));
}

static void shut_down(cuttle_plugin *self, bool is_replaced) {
    (void)self, (void)is_replaced;
    if (needed)
        adder->event(NAME, "calls", needed->number());
    adder->event(NAME, "shutdown", NUMBER);
}

static const cuttle_plugin_api_1 plugin = {
    .name = FAULT == FAULT_NAME ? "other" : NAME,
    .needs = needs,
    .init = FAULT == FAULT_NO_INIT ? NULL : init,
    .reloaded = reloaded,
    .start = start,
    .end = end,
    .update = update,
    .shutdown = shut_down,
};

static const sample_number_api_1 own = {number};

#if FAULT == FAULT_NO_EXPORT
#define cuttle_plugin_get_api another_name
CUTTLE_EXPORT const void *another_name(const char *name, uint32_t version);
#endif

CUTTLE_EXPORT const void *cuttle_plugin_get_api(const char *name, uint32_t version) {
    if (FAULT == FAULT_OTHER_VERSION)
        return NULL;
    if (version == 1 && strcmp(name, CUTTLE_PLUGIN_API) == 0)
        return &plugin;
    return version == 1 && strcmp(name, "number of " NAME) == 0 ? &own : NULL;
}

#if FAULT == FAULT_MISSING_SYMBOL
void there_is_no_such_function(void);
CUTTLE_EXPORT void use_it(void);
void use_it(void) {
    there_is_no_such_function();
}
#endif
