// commands.h: one entry for each subcommand, in its own file command_<name>.c.
#pragma once
#include "cli/command.h"

extern const ct_command ct_command_check;
extern const ct_command ct_command_compile;
extern const ct_command ct_command_components;
extern const ct_command ct_command_console;
extern const ct_command ct_command_db;
extern const ct_command ct_command_debug;
extern const ct_command ct_command_deps;
extern const ct_command ct_command_diff;
extern const ct_command ct_command_flow;
extern const ct_command ct_command_flow_nodes;
extern const ct_command ct_command_font;
extern const ct_command ct_command_hash;
extern const ct_command ct_command_help;
extern const ct_command ct_command_ids;
extern const ct_command ct_command_import;
extern const ct_command ct_command_lua_api;
extern const ct_command ct_command_merge;
extern const ct_command ct_command_navigation;
extern const ct_command ct_command_network;
extern const ct_command ct_command_new;
extern const ct_command ct_command_nodes;
extern const ct_command ct_command_packages;
extern const ct_command ct_command_plugin;
extern const ct_command ct_command_protocol;
extern const ct_command ct_command_run;
extern const ct_command ct_command_sjson;
extern const ct_command ct_command_strings;
extern const ct_command ct_command_animation;
extern const ct_command ct_command_bundle;
extern const ct_command ct_command_cp;
extern const ct_command ct_command_mv;
extern const ct_command ct_command_replace;
extern const ct_command ct_command_rm;
extern const ct_command ct_command_serve;
extern const ct_command ct_command_save;
extern const ct_command ct_command_sound;
extern const ct_command ct_command_version;
