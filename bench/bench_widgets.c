// bench_widgets.c: what widgets in Lua cost in a frame: bench/widgets, which is compiled into its own
// `.cuttle` folder, over a renderer that only records. Beside a limit, and Dear ImGui with the same.
//
// `widgets_list`: a list of 100,000 rows scrolls by 77 units in each frame; 50 rows show.
// `widgets_kept`: 500 widgets that show and do not change: labels, buttons, check boxes, sliders and
// progress bars. `widgets_declared`: the same, but their tables are made again in each frame.
// A frame is the call of `update`, with its share of collecting garbage, and what the GUIs do at its
// end. Dear ImGui's is NewFrame to Render.
#include "bench.h"
#include "bench_project.h"
#include "foundation/error.h"
#include "peer_imgui.h"
#include "resource/types/package_resource.h"
#include "script/script_private.h"

#define PROJECT CT_BENCH_FOLDER "/widgets"
#define STEP (1.0 / 60)

enum {
    NUM_FRAMES = 20, // of which a run takes the mean
    NUM_WARM_UP = 200,
    NUM_RUNS = 31,
    WIDTH = 1920,
    HEIGHT = 1080,
};

static struct {
    ct_resource_manager *resources;
    ct_renderer *renderer;
    ct_world_system *worlds;
    ct_input *input;
    ct_actions *actions;
    ct_gui_system *guis;
    ct_script *script;
    ct_resource_package *core, *project;
    peer_imgui *imgui;
} b;

// --- A game --------------------------------------------------------------------------------------

static bool has_window(void *user) {
    (void)user;
    return false;
}

static double time_since_launch(void *user) {
    (void)user;
    return 0;
}

static void create_systems(const char *data_folder) {
    ct_allocator *const a = ct_bench_heap();
    b.resources = ct_resource_manager_create(
        &(ct_resource_manager_desc){.allocator = a, .data_folder = data_folder});
    b.renderer = ct_renderer_create_recorder(&(ct_renderer_desc){
        .allocator = a, .resources = b.resources, .width = WIDTH, .height = HEIGHT});
    b.input = ct_input_create(a);
    b.actions = ct_actions_create(&(ct_actions_desc){
        .allocator = a, .input = b.input, .resources = b.resources, .resource = "input/default"});
    b.guis = ct_gui_system_create(
        &(ct_gui_system_desc){.allocator = a, .renderer = b.renderer, .resources = b.resources});
    b.worlds = ct_world_system_create(
        &(ct_world_system_desc){.allocator = a, .resources = b.resources, .renderer = b.renderer});
    // The others are not called.
    const ct_script_host host = {.has_window = has_window, .time_since_launch = time_since_launch};
    b.script = ct_script_create(&(ct_script_desc){.allocator = a,
                                                  .worlds = b.worlds,
                                                  .input = b.input,
                                                  .actions = b.actions,
                                                  .gui = b.guis,
                                                  .host = &host});
}

static void run_frame(void) {
    ct_input_begin_frame(b.input);
    ct_actions_update(b.actions, STEP);
    if (!ct_script_update(b.script, STEP))
        ct_bench_fail(PROJECT, "its update failed");
    ct_gui_system_end_frame(b.guis);
}

static void use(const char *page) {
    lua_State *const L = ct_script_lua(b.script)->lua;
    lua_getglobal(L, "use");
    lua_pushstring(L, page);
    if (lua_pcall(L, 1, 0, 0))
        ct_bench_fail(PROJECT, lua_tostring(L, -1));
}

static double run_frames(void) {
    double ns = 0;
    for (uint32_t i = 0; i < NUM_FRAMES; ++i) {
        const double start_ns = ct_bench_now_ns();
        run_frame();
        ns += ct_bench_now_ns() - start_ns;
        ct_renderer_end_frame(b.renderer);
    }
    return ns / NUM_FRAMES * 1e-3;
}

static void begin(const char *page) {
    char data_folder[CT_PATH_BYTES];
    ct_bench_compile(PROJECT, data_folder);
    create_systems(data_folder);
    b.core = ct_bench_load(b.resources, CT_PACKAGE_CORE);
    b.project = ct_bench_load(b.resources, "all");
    if (!ct_script_boot(b.script, "main") || !ct_script_init(b.script))
        ct_bench_fail(PROJECT, "its script failed");
    use(page);
    b.imgui = peer_imgui_create();
    for (uint32_t i = 0; i < NUM_WARM_UP / NUM_FRAMES; ++i)
        run_frames();
}

static void end(void) {
    peer_imgui_destroy(b.imgui);
    ct_script_destroy(b.script);
    ct_resource_package_destroy(b.resources, b.project);
    ct_resource_package_destroy(b.resources, b.core);
    ct_world_system_destroy(b.worlds);
    ct_gui_system_destroy(b.guis);
    ct_actions_destroy(b.actions);
    ct_input_destroy(b.input);
    ct_renderer_destroy(b.renderer);
    ct_resource_manager_destroy(b.resources);
}

static void begin_list(void) {
    begin("list");
}

static void begin_kept(void) {
    begin("kept");
}

static void begin_declared(void) {
    begin("declared");
}

// --- Peers ---------------------------------------------------------------------------------------

static double limit_list(void) {
    return 1000;
}

static double limit_kept(void) {
    return 50;
}

static double time_peer(uint32_t (*draw)(peer_imgui *p)) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_FRAMES; ++i)
        ct_bench_use(draw(b.imgui));
    return (ct_bench_now_ns() - start_ns) / NUM_FRAMES * 1e-3;
}

static double run_peer_list(void) {
    return time_peer(peer_imgui_list);
}

static double run_peer_form(void) {
    return time_peer(peer_imgui_form);
}

static const ct_bench_case cases[] = {
    {"widgets_list", "100,000 rows scroll", "limit", "us", 1, NUM_RUNS, begin_list, end, run_frames,
     limit_list},
    {"widgets_list", "100,000 rows scroll", "Dear ImGui", "us", 0, NUM_RUNS, begin_list, end,
     run_frames, run_peer_list},
    {"widgets_kept", "500 unchanged", "limit", "us", 1, NUM_RUNS, begin_kept, end, run_frames,
     limit_kept},
    {"widgets_kept", "500 unchanged", "Dear ImGui", "us", 0, NUM_RUNS, begin_kept, end, run_frames,
     run_peer_form},
    {"widgets_declared", "500 declared", "Dear ImGui", "us", 0, NUM_RUNS, begin_declared, end,
     run_frames, run_peer_form},
};

const ct_bench_group ct_bench_widgets = {"widgets", cases, CT_COUNT_OF(cases)};
