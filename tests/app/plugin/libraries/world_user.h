// world_user.h: what world_user.c and the test that loads it share.
#pragma once
#include <cuttle/component_types.h>
#include <cuttle/components.h>
#include <cuttle/data.h>
#include <cuttle/log.h>
#include <cuttle/memory.h>
#include <cuttle/plugin.h>
#include <cuttle/poses.h>
#include <cuttle/world.h>

#define PROBE_API "probe"

// What is wrong with a library.
typedef enum world_user_fault {
    FAULT_NONE,
    FAULT_PHASE,          // its step has an unknown phase
    FAULT_NO_RUN,         // its step has no function
    FAULT_NO_STARTED,     // its observer has no world_started
    FAULT_OTHER_FIELD,    // its component has another field
    FAULT_BAD_FIELD,      // its component has a field of a wrong size
    FAULT_NO_COMPONENT,   // it has no component
    FAULT_ENGINE_NAME,    // its component is called like one of the engine's
    FAULT_TAKEN,          // it adds its step twice
    FAULT_INIT,           // it adds all, then its init fails
    FAULT_NO_OBSERVER,    // it has no observer
    FAULT_TYPE_AFTER_ALL, // it adds all, and a component that the engine refuses only then
    FAULT_STATIC_DATA,    // the data of its observer lies in the library
    FAULT_CRASH,          // its observer crashes when a world starts
    FAULT_COUNT,
} world_user_fault;

// What the library reports to the test, and does for it.
typedef struct probe {
    cuttle_plugin *self;
    uint32_t num_steps, num_started, num_ended, num_spawned, num_destroyed, num_levels,
        num_levels_destroyed;
    uint32_t num_reads;       // steps of "pose"
    uint32_t number;          // of the library that ran last
    bool spawns_when_reading; // or when units are destroyed
    bool has_spawned;
    char message[1024]; // of the last error
} probe;

typedef struct probe_api_1 {
    probe *shared;
} probe_api_1;

// A component.
typedef struct drift {
    float speed; // m/s
    float direction[3];
} drift;

// The data of the observer for each world.
typedef struct watch {
    uint32_t num_units;
    bool is_static; // in the library
} watch;
