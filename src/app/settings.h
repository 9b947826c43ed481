// settings.h: the values of the project's `settings.config`, with defaults.
//
// One table (resource/schema/setting_table.h) lists every setting with its type and range; the
// compiler checks the source against it. Another (settings.c) maps each setting to its member here.
// A value of a wrong type or out of range is an error. A project keeps its own settings below
// `game`; those below `render_settings` are for the render config (app_render_settings.h).
#pragma once
#include "foundation/task/task.h"
#include "foundation/time_step.h"
#include "resource/schema/setting_table.h"
#include "resource/types/config_resource.h"

// The level of a class of tasks: tasks = { priorities = { render_cull = "high" } }.
typedef struct ct_settings_priority {
    const char *name;
    ct_task_priority level;
} ct_settings_priority;

// A plugin for this platform: plugins = { swarm = { linux = "plugins/swarm/swarm.so" } }.
typedef struct ct_settings_plugin {
    const char *name;    // borrowed from the config
    const char *library; // path in the project, or in the game's folder
} ct_settings_plugin;

// Strings are borrowed from the config.
typedef struct ct_settings {
    const char *boot_script;   // resource of type lua; required
    const char *boot_package;  // resource of type package; required
    const char *render_config; // resource of type render_config
    const char *language;      // of strings that do not name theirs; for the compiler
    const char *input;         // resource of type input; "": no actions
    const char *fallback_font; // resource of type font, for characters that a font does not have
    const char *physics;       // resource of type physics
    const char *title;
    const char
        *user_folder; // name of the user's folder of the game; "": by the project, or the title
    uint32_t width, height; // pixels
    bool is_resizable;
    double max_frame_rate; // Hz; 0: the display's in a window; headless 60, or
                           // no limit for a given number of frames
    ct_time_step time_step;
    bool has_workers;
    uint32_t num_workers; // when has_workers; else by the number of cores
    ct_settings_priority priorities[CT_SETTING_MAX_PRIORITIES];
    uint32_t num_priorities;
    ct_settings_plugin plugins[CT_SETTING_MAX_PLUGINS];
    uint32_t num_plugins;
    bool is_streaming;                   // else streams are loaded with their data
    uint64_t streaming_bytes_per_second; // of reads in the background; 0: no limit
    uint32_t particle_budget;            // particles of a world at the same time
    uint32_t particle_gpu_threshold;     // emitters with as many run on the GPU; 0: none
    uint32_t navigation_path_polygons;   // that queries look at in a step; 0: 20,000
    uint32_t navigation_tiles;           // built again in a step; 0: 2
    const char *network_address;         // IPv4, where the game receives; "0.0.0.0": all networks
    const char *network_password;        // "": none
    bool is_network_plain;               // packets are not sealed, to look at them
    uint32_t network_bandwidth;          // bytes a second to each peer; 0: no limit
    const char *web_hosts[CT_SETTING_MAX_HOSTS]; // that the game may ask (web/web_rules.h)
    uint32_t num_web_hosts;
    const char *sound_buses; // resource of type sound_bus
    bool has_sound_output;   // else nothing is heard
    uint32_t sound_voices;   // that are heard at the same time
    const char *overlay_key; // as ct_setting_key_named reads it
    bool is_lua_unsafe;
    double lua_time_limit_seconds;       // of one call; 0: no limit
    bool stops_long_lua_calls;           // else they are only reported
    uint32_t lua_memory_limit_mb;        // MiB
    uint32_t lua_worker_states;          // of LuaThreads; 0: as many as worker threads, at least 1
    uint32_t lua_worker_memory_limit_mb; // MiB, of each
} ct_settings;

// Reads the settings. Strings are borrowed from `config`. Returns false with an `error` that names
// what is missing or wrong.
bool ct_settings_read(const ct_config_resource *config, ct_settings *settings, ct_error *error);
