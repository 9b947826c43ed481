#include "bench_game.h"

#include <luajit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "foundation/error.h"
#include "foundation/task/task.h"
#include "render/renderer.h"
#include "resource/blob/blob_writer.h"
#include "resource/types/lua_resource.h"

static ct_resource_manager *resources;
static ct_renderer *renderer;
static ct_world_system *worlds;
static ct_input *input;
static ct_flow_system *flow;
static ct_script *script;
static ct_task_manager *tasks; // of ct_bench_game_start_jobs
static uint32_t num_worker_states;

static void fail(const char *what, const char *message) {
    fprintf(stderr, "cuttle_bench: %s: %s\n", what, message);
    exit(1);
}

static void start(const char *data_folder, bool has_flow) {
    ct_allocator *const a = ct_bench_heap();
    resources = ct_resource_manager_create(
        &(ct_resource_manager_desc){.allocator = a, .data_folder = data_folder});
    renderer =
        ct_renderer_create_recorder(&(ct_renderer_desc){.allocator = a, .resources = resources});
    worlds = ct_world_system_create(&(ct_world_system_desc){
        .allocator = a, .resources = resources, .renderer = renderer, .tasks = tasks});
    input = ct_input_create(a);
    flow = has_flow ? ct_flow_system_create(&(ct_flow_system_desc){
                          .allocator = a, .resources = resources, .worlds = worlds, .input = input})
                    : NULL;
    const ct_script_host host = {0}; // whatever would ask it is not called
    script = ct_script_create(&(ct_script_desc){.allocator = a,
                                                .worlds = worlds,
                                                .input = input,
                                                .flow = flow,
                                                .host = &host,
                                                .num_worker_states = num_worker_states});
}

void ct_bench_game_start(void) {
    start(".", false);
}

void ct_bench_game_start_in(const char *data_folder) {
    start(data_folder, true);
}

void ct_bench_game_start_jobs(const char *data_folder, uint32_t num_workers, uint32_t num_states) {
    tasks = ct_task_manager_create(
        &(ct_task_manager_desc){.allocator = ct_bench_heap(), .num_workers = num_workers});
    ct_task_register_thread(tasks, 1);
    num_worker_states = num_states;
    start(data_folder, false);
}

void ct_bench_game_stop(void) {
    ct_script_destroy(script);
    ct_world_system_destroy(worlds);
    ct_resource_manager_end_all(resources);
    ct_flow_system_destroy(flow);
    ct_input_destroy(input);
    ct_renderer_destroy(renderer);
    ct_resource_manager_destroy(resources);
    if (tasks)
        ct_task_manager_destroy(tasks);
    tasks = NULL;
    num_worker_states = 0;
}

ct_world_system *ct_bench_game_worlds(void) {
    return worlds;
}

ct_resource_manager *ct_bench_game_resources(void) {
    return resources;
}

ct_flow_system *ct_bench_game_flow(void) {
    return flow;
}

lua_State *ct_bench_game_lua(void) {
    return script->lua.lua;
}

void ct_bench_game_set_jit(bool is_on) {
    luaJIT_setmode(script->lua.lua, 0,
                   LUAJIT_MODE_ENGINE | (is_on ? LUAJIT_MODE_ON : LUAJIT_MODE_OFF));
    luaJIT_setmode(script->lua.lua, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_FLUSH);
}

void ct_bench_game_run(const char *lua, const char *name) {
    lua_State *const L = script->lua.lua;
    if (luaL_loadstring(L, lua) || lua_pcall(L, 0, 1, 0))
        fail("cannot run a chunk of Lua", lua_tostring(L, -1));
    if (name)
        lua_setglobal(L, name);
    else
        lua_pop(L, 1);
}

double ct_bench_game_time(const char *name) {
    lua_State *const L = script->lua.lua;
    lua_getglobal(L, name);
    const double start_ns = ct_bench_now_ns();
    if (lua_pcall(L, 0, 0, 0))
        fail(name, lua_tostring(L, -1));
    return ct_bench_now_ns() - start_ns;
}

// --- Scripts -------------------------------------------------------------------------------------

void ct_bench_game_write_script(const char *data_folder, const char *name, const char *text) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], file[256], source[128];
    ct_blob_writer w;
    ct_blob_writer_init(&w, ct_bench_heap(), CT_BYTE_ORDER_LITTLE, "lua", CT_LUA_VERSION);
    const uint32_t path = ct_blob_write_array_field(&w), body = ct_blob_write_array_field(&w);
    const int length = snprintf(source, sizeof(source), "%s.lua", name);
    ct_blob_patch_string(&w, path, source, (uint32_t)length);
    ct_blob_patch_string(&w, body, text, (uint32_t)strlen(text));
    ct_blob_writer_finish(&w);
    ct_resource_file_name(ct_resource_id_of("lua", name), file_name);
    snprintf(file, sizeof(file), "%s/%s", data_folder, file_name);
    FILE *const out = fopen(file, "wb");
    if (!out || fwrite(w.bytes.items, w.bytes.count, 1, out) != 1 || fclose(out) != 0)
        fail(file, "cannot be written");
    ct_blob_writer_free(&w);
}

void ct_bench_game_load_script(const char *name) {
    ct_error error = {0};
    if (!ct_resource_manager_load_now(ct_bench_game_resources(), "lua", name, &error))
        fail(name, error.message);
}
