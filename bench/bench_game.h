// bench_game.h: a game without data, worlds and Lua over a renderer that only records, for the
// benchmarks that run what games run. One at a time.
#pragma once
#include "script/script_private.h"

// Starts the game.
void ct_bench_game_start(void);

// Starts one whose resources are in a data folder, and which has flow graphs.
void ct_bench_game_start_in(const char *data_folder);

// Starts one whose resources are in a data folder, with worker threads and Lua states for jobs.
void ct_bench_game_start_jobs(const char *data_folder, uint32_t num_workers, uint32_t num_states);

// Ends all of it.
void ct_bench_game_stop(void);

ct_world_system *ct_bench_game_worlds(void);
ct_resource_manager *ct_bench_game_resources(void);
ct_flow_system *ct_bench_game_flow(void); // NULL without flow graphs
lua_State *ct_bench_game_lua(void);

// Whether Lua's functions are compiled; until told otherwise they are.
void ct_bench_game_set_jit(bool is_on);

// Writes the data file of the script `name` with this text to a data folder, for ct_bench_game_start_in and
// _start_jobs. Ends the program when it cannot.
void ct_bench_game_write_script(const char *data_folder, const char *name, const char *text);

// Loads a script of the data folder, so that `require` finds it. Ends the program when it cannot.
void ct_bench_game_load_script(const char *name);

// Runs `lua` as a chunk, which must not fail; what it returns becomes the global `name`, unless
// that is NULL.
void ct_bench_game_run(const char *lua, const char *name);

// The nanoseconds that one call of the global function `name` takes, which must not fail. No new
// frame begins: temporaries stay.
double ct_bench_game_time(const char *name);
