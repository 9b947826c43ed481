// bench_flow.c: what flow graphs cost, beside interpreted Lua by hand, and plain C.
//
// This file writes the graphs and compiles them into a folder beside the program. A run sends an event
// to one instance 500 times; times are for each of 100 nodes: the external event, then 33 times three,
// or 20 times five.
// - `flow_arithmetic`: a multiplication, an addition, and the action that sets a variable:
//   x = x * f + d. x, f and d are variables of the instance, which are no nodes of the program.
// - `flow_choices`: greater than and a branch that reads it; then a subtraction, a clamp and the action
//   that sets x: if x > d then x = clamp(x - d, 0, 100).
// - `flow_engine`: the local position of a unit, an addition, and the action that sets the position.
// Lua has the same as one function of as many statements for the event, over a table with the values.
// C has a loop that calls a function, which is not inline, for each node; for the engine, the functions
// of world_node.h that the nodes call.
//
// `flow_create`: 10,000 instances for 10,000 units of a graph of 50 nodes, after as many others have
// ended, beside memcpy of the dynamic data of one to 10,000 places side by side.
// `flow_create_blocks`: how many blocks all allocators gave out for that, beside 1.
// `flow_waiting`: the step of the row of Flow of a world with 10,000 such instances that wait, beside
// that of a world without instances. Also prints the difference.
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "bench_game.h"
#include "bench_project.h"
#include "flow/flow_private.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/memory/allocation_counts.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/string/string_builder.h"
#include "world/world_node.h"

enum {
    NUM_EVENTS = 500,
    NUM_NODES = 100,
    NUM_TIMES = 33, // of three nodes
    NUM_CHOICES = 20,
    NUM_SMALL = 50, // nodes of the graph of many instances
    NUM_INSTANCES = 10000,
    NUM_STEPS = 1000,
};

static struct {
    ct_flow_world *flow;
    const ct_flow_world *without; // of a world without instances
    ct_world *world;
    ct_entity unit;
    ct_flow_instance instance;
    ct_flow_instance instances[NUM_INSTANCES];
    ct_entity units[NUM_INSTANCES];
    uint8_t *copies; // of the dynamic data
    const ct_flow_graph *graph;
    uint64_t num_blocks;
    double waiting_ns, empty_ns;
} b;

// --- Sources of graphs ---------------------------------------------------------------------------

static ct_string_builder nodes, links; // of the source that is written

static void add_node(const char *id, uint32_t number, const char *type, const char *inputs) {
    ct_string_builder_addf(&nodes, "{ id = \"%s%u\" type = \"%s\" inputs = { %s } }\n", id, number,
                           type, inputs);
}

static void add_link(const char *from, uint32_t from_number, const char *out, const char *to,
                     uint32_t to_number, const char *in) {
    ct_string_builder_addf(&links,
                           "{ id = \"%s%u %s %u\" from = \"%s%u\" out = \"%s\" to = \"%s%u\" "
                           "in = \"%s\" }\n",
                           to, to_number, in, from_number, from, from_number, out, to, to_number,
                           in);
}

// The event, and the variables.
static void begin_source(void) {
    ct_string_builder_init(&nodes, ct_bench_heap());
    ct_string_builder_init(&links, ct_bench_heap());
    add_node("event", 0, "external_in_event", "name = \"event\"");
    add_node("x", 0, "get_numeric_variable", "name = \"x\"");
    add_node("f", 0, "get_numeric_variable", "name = \"f\"");
    add_node("d", 0, "get_numeric_variable", "name = \"d\"");
}

static void write_file(const char *folder, const char *name, const char *text) {
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(path, folder, name);
    if (!ct_file_write(path, text, strlen(text), false, &error))
        ct_bench_fail(name, error.message);
}

static void end_source(const char *folder, const char *name) {
    ct_string_builder text;
    ct_string_builder_init(&text, ct_bench_heap());
    ct_string_builder_addf(
        &text,
        "variables = [ { id = \"x\" name = \"x\" type = \"number\" value = 50 }\n"
        "{ id = \"f\" name = \"f\" type = \"number\" value = 0.999 }\n"
        "{ id = \"d\" name = \"d\" type = \"number\" value = 1e-9 } ]\n"
        "nodes = [\n%s]\nlinks = [\n%s]\n",
        ct_string_builder_text(&nodes), ct_string_builder_text(&links));
    write_file(folder, name, ct_string_builder_text(&text));
    ct_string_builder_free(&text);
    ct_string_builder_free(&nodes);
    ct_string_builder_free(&links);
}

// x = x * f + d, `times` times.
static void add_arithmetic(uint32_t times) {
    for (uint32_t i = 1; i <= times; ++i) {
        add_node("product", i, "numeric_multiplication", "");
        add_node("sum", i, "numeric_addition", "");
        add_node("set", i, "set_numeric_variable", "name = \"x\"");
        add_link("x", 0, "numeric", "product", i, "a");
        add_link("f", 0, "numeric", "product", i, "b");
        add_link("product", i, "value", "sum", i, "a");
        add_link("d", 0, "numeric", "sum", i, "b");
        add_link("sum", i, "value", "set", i, "numeric");
        add_link(i == 1 ? "event" : "set", i - 1, "out", "set", i, "set");
    }
}

static void write_arithmetic(const char *folder) {
    begin_source();
    add_arithmetic(NUM_TIMES);
    end_source(folder, "arithmetic.flow");
}

// if x > d then x = clamp(x - d, 0, 100).
static void write_choices(const char *folder) {
    begin_source();
    for (uint32_t i = 1; i <= NUM_CHOICES; ++i) {
        add_node("greater", i, "numeric_greater_than", "");
        add_node("branch", i, "branch", "");
        add_node("rest", i, "numeric_subtraction", "");
        add_node("clamp", i, "numeric_clamp", "max = 100");
        add_node("set", i, "set_numeric_variable", "name = \"x\"");
        add_link("x", 0, "numeric", "greater", i, "a");
        add_link("d", 0, "numeric", "greater", i, "b");
        add_link("greater", i, "value", "branch", i, "condition");
        add_link("x", 0, "numeric", "rest", i, "a");
        add_link("d", 0, "numeric", "rest", i, "b");
        add_link("rest", i, "value", "clamp", i, "numeric");
        add_link("clamp", i, "value", "set", i, "numeric");
        add_link("branch", i, "true", "set", i, "set");
        add_link(i == 1 ? "event" : "set", i - 1, "out", "branch", i, "in");
    }
    end_source(folder, "choices.flow");
}

static void write_engine(const char *folder) {
    begin_source();
    for (uint32_t i = 1; i <= NUM_TIMES; ++i) {
        add_node("position", i, "get_unit_local_position", "");
        add_node("sum", i, "vector_addition", "b = [0 0 0.001]");
        add_node("set", i, "set_unit_local_position", "");
        add_link("position", i, "position", "sum", i, "a");
        add_link("sum", i, "value", "set", i, "position");
        add_link(i == 1 ? "event" : "set", i - 1, "out", "set", i, "in");
    }
    end_source(folder, "engine.flow");
}

// 50 nodes: the event, a delay, and 16 times three.
static void write_waiting(const char *folder) {
    begin_source();
    add_arithmetic((NUM_SMALL - 2) / 3);
    add_node("delay", 0, "delay", "time = 1000000");
    add_link("event", 0, "out", "delay", 0, "in");
    end_source(folder, "waiting.flow");
}

// Writes and compiles the graphs beside this program.
static void compile(char data_folder[CT_PATH_BYTES]) {
    static bool is_compiled;
    static char data[CT_PATH_BYTES];
    if (!is_compiled) {
        char program[CT_PATH_BYTES], beside[CT_PATH_BYTES], folder[CT_PATH_BYTES];
        ct_error error = {0};
        ct_os_executable_path(program);
        ct_path_folder(beside, program);
        ct_path_join(folder, beside, "bench_flow");
        if (!ct_folder_create(folder, &error))
            ct_bench_fail(folder, error.message);
        write_file(folder, "settings.config", "boot_script = \"main\" boot_package = \"boot\"\n");
        write_file(folder, "main.lua", "return 1\n");
        write_file(folder, "boot.package", "lua = [\"main\"] flow = [\"*\"]\n");
        write_arithmetic(folder);
        write_choices(folder);
        write_engine(folder);
        write_waiting(folder);
        ct_bench_compile(folder, data);
    }
    is_compiled = true;
    strcpy(data_folder, data);
}

// --- A game --------------------------------------------------------------------------------------

// What Lua does for an event, as the graphs do.
static const char arithmetic_step[] = "self.x = self.x * self.f + self.d ";
static const char choices_step[] =
    "if self.x > self.d then self.x = max(0, min(100, self.x - self.d)) end ";
static const char engine_step[] =
    "Unit.set_local_position(unit, 1, Unit.local_position(unit, 1) + by) ";

static void make_lua(const char *step, uint32_t times) {
    ct_string_builder text;
    ct_string_builder_init(&text, ct_bench_heap());
    ct_string_builder_add(&text, "local min, max = math.min, math.max "
                                 "local self = { x = 50, f = 0.999, d = 1e-9, unit = U, "
                                 "by = Vector3Box(0, 0, 0.001) } "
                                 "local function event(self) local unit, by = self.unit, "
                                 "self.by:unbox() ");
    for (uint32_t i = 0; i < times; ++i)
        ct_string_builder_add(&text, step);
    ct_string_builder_addf(&text,
                           "end return function() for i = 1, %d do event(self) "
                           "Script.set_temp_count(1) end end",
                           NUM_EVENTS);
    ct_bench_game_run(ct_string_builder_text(&text), "events");
    ct_string_builder_free(&text);
}

static void begin_game(const char *graph) {
    char data_folder[CT_PATH_BYTES];
    ct_error error = {0};
    compile(data_folder);
    memset(&b, 0, sizeof(b));
    ct_bench_game_start_in(data_folder);
    ct_bench_game_set_jit(false);
    if (!ct_resource_manager_load_now(ct_bench_game_resources(), "flow", graph, &error))
        ct_bench_fail(graph, error.message);
    ct_bench_game_run("W = Application.new_world() U = EntityManager.create(W) "
                      "TransformComponent.create(EntityManager.transform_component(W), U)",
                      NULL);
    b.world = ct_world_system_world(ct_bench_game_worlds(), 0);
    b.flow = ct_flow_world_of(ct_bench_game_flow(), b.world);
    b.graph = ct_flow_find_graph(ct_bench_game_flow(), ct_string_id64_of(graph));
    ct_entity_create(ct_world_system_entities(ct_bench_game_worlds()), &b.unit, 1);
    ct_transform_create(ct_world_transforms(b.world), b.unit, ct_vec3_make(0, 0, 0),
                        ct_quat_identity(), ct_vec3_make(1, 1, 1));
    if (!ct_flow_create(b.flow, ct_string_id64_of(graph), &b.unit, (ct_level){0}, 1, &b.instance,
                        &error))
        ct_bench_fail(graph, error.message);
}

static void begin_events(const char *graph, const char *lua, uint32_t times) {
    begin_game(graph);
    make_lua(lua, times);
    const uint32_t num_nodes = b.graph->num_infos;
    if (num_nodes != NUM_NODES && num_nodes != NUM_NODES + 1)
        ct_bench_fail(graph, "it has not 100 nodes");
}

static void begin_arithmetic(void) {
    begin_events("arithmetic", arithmetic_step, NUM_TIMES);
}

static void begin_choices(void) {
    begin_events("choices", choices_step, NUM_CHOICES);
}

static void begin_engine(void) {
    begin_events("engine", engine_step, NUM_TIMES);
}

static void end_game(void) {
    if (b.copies)
        ct_free(ct_bench_heap(), b.copies);
    ct_bench_game_stop();
}

// --- Events --------------------------------------------------------------------------------------

static double run_events(void) {
    const ct_string_id32 kind = ct_string_id32_of("external_in_event");
    const ct_string_id32 key = ct_string_id32_of("event");
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_EVENTS; ++i)
        ct_flow_start(b.flow, b.instance, kind, key, NULL, NULL);
    return (ct_bench_now_ns() - start_ns) / (NUM_EVENTS * NUM_NODES);
}

static double run_lua(void) {
    return ct_bench_game_time("events") / (NUM_EVENTS * NUM_NODES);
}

// --- Plain C -------------------------------------------------------------------------------------

typedef struct numbers {
    double x, f, d;
} numbers;

__attribute__((noinline)) static double multiply(double a, double c) {
    __asm__ volatile("");
    return a * c;
}
__attribute__((noinline)) static double add(double a, double c) {
    __asm__ volatile("");
    return a + c;
}
__attribute__((noinline)) static double clamp(double n, double low, double high) {
    __asm__ volatile("");
    return n < low ? low : n > high ? high : n;
}
__attribute__((noinline)) static bool is_greater(double a, double c) {
    __asm__ volatile("");
    return a > c;
}
__attribute__((noinline)) static void set_x(numbers *n, double x) {
    __asm__ volatile("");
    n->x = x;
}

static double run_c_arithmetic(void) {
    numbers n = {50, 0.999, 1e-9};
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_EVENTS * NUM_TIMES; ++i)
        set_x(&n, add(multiply(n.x, n.f), n.d));
    ct_bench_use((uint64_t)n.x);
    return (ct_bench_now_ns() - start_ns) / (NUM_EVENTS * NUM_NODES);
}

static double run_c_choices(void) {
    numbers n = {50, 0.999, 1e-9};
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_EVENTS * NUM_CHOICES; ++i) {
        if (is_greater(n.x, n.d))
            set_x(&n, clamp(add(n.x, -n.d), 0, 100));
    }
    ct_bench_use((uint64_t)n.x);
    return (ct_bench_now_ns() - start_ns) / (NUM_EVENTS * NUM_NODES);
}

static double run_c_engine(void) {
    const ct_vec3 by = ct_vec3_make(0, 0, 0.001f);
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_EVENTS * NUM_TIMES; ++i) {
        const ct_vec3 p = ct_world_node_local_position(ct_world_node_of(b.world, b.unit, 0));
        ct_world_node_set_local_position(ct_world_node_of(b.world, b.unit, 0), ct_vec3_add(p, by));
    }
    return (ct_bench_now_ns() - start_ns) / (NUM_EVENTS * NUM_NODES);
}

// --- Many instances ------------------------------------------------------------------------------

static void create_all(void) {
    ct_error error = {0};
    if (!ct_flow_create(b.flow, b.graph->name, b.units, (ct_level){0}, NUM_INSTANCES, b.instances,
                        &error))
        ct_bench_fail("instances", error.message);
}

static uint64_t num_blocks_of_flow(void) {
    static ct_allocation_counts counts;
    ct_allocation_counts_take(&counts, NULL, 0);
    return counts.num_blocks;
}

static void begin_many(void) {
    begin_game("waiting");
    ct_entity_create(ct_world_system_entities(ct_bench_game_worlds()), b.units, NUM_INSTANCES);
    b.copies = ct_alloc(ct_bench_heap(), (uint64_t)NUM_INSTANCES * b.graph->dynamic_bytes);
    const uint64_t before = num_blocks_of_flow();
    create_all(); // makes the room
    fprintf(stderr, "flow_create: %u bytes an instance, %llu blocks allocated for the first %d\n",
            b.graph->dynamic_bytes, (unsigned long long)(num_blocks_of_flow() - before),
            (int)NUM_INSTANCES);
}

static double run_create(void) {
    ct_flow_destroy(b.flow, b.instances, NUM_INSTANCES);
    const uint64_t before = num_blocks_of_flow();
    const double start_ns = ct_bench_now_ns();
    create_all();
    const double ns = ct_bench_now_ns() - start_ns;
    b.num_blocks = num_blocks_of_flow() - before;
    return ns / NUM_INSTANCES;
}

static double run_copies(void) {
    const uint32_t bytes = b.graph->dynamic_bytes;
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_INSTANCES; ++i)
        memcpy(b.copies + (uint64_t)i * bytes, b.graph->template, bytes);
    ct_bench_use(b.copies[bytes]);
    return (ct_bench_now_ns() - start_ns) / NUM_INSTANCES;
}

static double run_create_blocks(void) {
    run_create();
    return (double)b.num_blocks;
}

static double run_one_block(void) {
    return 1;
}

// --- Waiting -------------------------------------------------------------------------------------

static void begin_waiting(void) {
    begin_many();
    for (uint32_t i = 0; i < NUM_INSTANCES; ++i)
        ct_flow_start(b.flow, b.instances[i], ct_string_id32_of("external_in_event"),
                      ct_string_id32_of("event"), NULL, NULL);
    if (b.flow->waiting.count < NUM_INSTANCES)
        ct_bench_fail("waiting", "nothing waits");
}

static double steps_of(const ct_flow_world *w) {
    const ct_world_step step = ct_flow_row.steps[0];
    const double start_ns = ct_bench_now_ns();
    for (uint32_t i = 0; i < NUM_STEPS; ++i)
        step.run(w->world, (void *)w, 1.0 / 60);
    return (ct_bench_now_ns() - start_ns) / NUM_STEPS;
}

static double run_waiting(void) {
    return b.waiting_ns = steps_of(b.flow);
}

static double run_without(void) {
    if (!b.without)
        b.without = ct_flow_world_of(ct_bench_game_flow(), ct_world_create(ct_bench_game_worlds()));
    return b.empty_ns = steps_of(b.without);
}

static void end_waiting(void) {
    fprintf(stderr, "flow_waiting: %d that wait cost %.1f ns a step more than none\n",
            (int)NUM_INSTANCES, b.waiting_ns - b.empty_ns);
    end_game();
}

static const ct_bench_case cases[] = {
    {"flow_arithmetic", "100 nodes", "interpreted Lua", "ns", 1, 31, begin_arithmetic, end_game,
     run_events, run_lua},
    {"flow_arithmetic", "100 nodes", "C calls", "ns", 0, 31, begin_arithmetic, end_game, run_events,
     run_c_arithmetic},
    {"flow_choices", "100 nodes", "interpreted Lua", "ns", 1, 31, begin_choices, end_game,
     run_events, run_lua},
    {"flow_choices", "100 nodes", "C calls", "ns", 0, 31, begin_choices, end_game, run_events,
     run_c_choices},
    {"flow_engine", "100 nodes", "interpreted Lua", "ns", 0.5, 31, begin_engine, end_game,
     run_events, run_lua},
    {"flow_engine", "100 nodes", "C calls", "ns", 0, 31, begin_engine, end_game, run_events,
     run_c_engine},
    {"flow_create", "10,000 instances", "memcpy", "ns", 3, 31, begin_many, end_game, run_create,
     run_copies},
    {"flow_create_blocks", "for 10,000 instances", "1", "blocks", 0.5, 5, begin_many, end_game,
     run_create_blocks, run_one_block},
    {"flow_waiting", "10,000 wait, a step", "none wait", "ns", 1.2, 31, begin_waiting, end_waiting,
     run_waiting, run_without},
};

const ct_bench_group ct_bench_flow = {"flow", cases, CT_COUNT_OF(cases)};
