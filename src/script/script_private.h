// script_private.h: shared by the bindings: the Lua machine and the objects that its modules work
// on.
#pragma once
#include "lua/lua_machine.h"
#include "script/script.h"

typedef enum ct_script_user_settings {
    CT_SCRIPT_USER_SETTINGS_NONE, // not asked for yet
    CT_SCRIPT_USER_SETTINGS_LOADED,
    CT_SCRIPT_USER_SETTINGS_BROKEN, // the file cannot be read
} ct_script_user_settings;

// A package in a watch of PackageTransferWatcher.
typedef struct ct_script_chunk {
    char *name;
    uint32_t watch;
    bool was_loaded;               // when it was last looked at
    ct_resource_progress expected; // what it would load in the variants that are wanted
} ct_script_chunk;

// A character whose state machine is logged.
typedef struct ct_script_logged_character {
    ct_entity entity;
    ct_string_id32 states[16]; // of its layers when they were last looked at
} ct_script_logged_character;

struct ct_script {
    ct_lua lua; // first: ct_script_of
    ct_world_system *worlds;
    ct_allocator *backing; // what the struct itself came from
    ct_input *input;
    ct_actions *actions;
    ct_gui_system *gui;            // or NULL
    ct_flow_system *flow;          // or NULL: worlds have no row for it
    const ct_flow_call *flow_call; // of the node that calls Lua now; NULL: none does
    ct_script_host host;
    const ct_lua_module **modules; // the engine's and those of the desc

    char *boot_name;
    bool is_booted;         // the boot script ran to its end
    bool has_boot_failed;   // a reload tries again
    bool has_changes;       // scripts were swapped since they last ran again
    bool has_news;          // scripts came
    bool is_init_due;       // the game asked for init, which has not run to its end
    double collect_seconds; // at least so long garbage is collected in each frame

    CT_ARRAY(ct_script_chunk) chunks;
    uint32_t last_watch;
    ct_hash_map missing_texts; // hashes of keys of strings that were warned of
    CT_ARRAY(ct_script_logged_character) logged_characters;
    ct_script_user_settings user_settings;
    char *user_folder;                       // of FileSystem; NULL before initialize
    struct ct_script_data *data;             // that is kept with units and the like; NULL: none yet
    struct ct_script_physics *physics;       // numbers of worlds in actors; NULL: none yet
    struct ct_script_navigation *navigation; // meshes and paths that wait; NULL: none yet
    struct ct_script_units *units;           // synchronizer and replays; NULL: none yet
    struct ct_script_network *network;       // what Network has made, and with what options
    struct ct_script_web *web;               // clients of Http and WebSocket
    struct ct_script_saves *saves;           // saved games; NULL: none yet
    struct ct_script_plugins *plugins;       // modules of plugins; NULL: none yet
    struct ct_script_threads *threads;       // states that run jobs; NULL: none yet
    struct {
        uint32_t num_worker_states;
        uint64_t worker_memory_limit_bytes;
        double time_limit_seconds;
        bool stops_long_calls;
    } threads_desc;                    // of these states, from the desc
    ct_script_debug_hooks debug_hooks; // zero: no debugger is attached
};

// Returns the environment that runs `L`. Cheap (ct_lua_of).
static inline ct_script *ct_script_of(lua_State *L) {
    return (ct_script *)(void *)ct_lua_of(L);
}

// Registers with the resource manager for reloads of scripts (script_reload.c).
void ct_script_register_reloads(ct_script *s);

// Runs the boot script, and init when it is due. Logs errors and then returns false.
bool ct_script_run_boot(ct_script *s);

// Calls a global function, if there is one. Logs errors and then returns false.
bool ct_script_call_global(ct_script *s, const char *name, const double *argument);

// Gives boxes their metatables (math/api_boxes.c).
void ct_script_open_boxes(lua_State *L);
