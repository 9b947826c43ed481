// Plans of `cuttle nodes`: any text is a plan, or has errors with places in it. The commands and
// the Lua of a plan can be made for each of its nodes. The first byte says how the rest is read: as
// text, or each byte as a piece of a plan.
#include "cli/nodes/nodes_plan.h"
#include "cli/nodes/nodes_words.h"

#include "foundation/memory/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expand(ct_allocator *a, const ct_nodes_plan *plan) {
    ct_nodes_values values = {.plan = plan,
                              .run = 1,
                              .seed = plan->seed,
                              .folder = "/f",
                              .project = "/p q",
                              .cuttle = "/c",
                              .server = "h:1"};
    for (; values.node < plan->nodes.count; ++values.node) {
        ct_string_array words;
        ct_string_builder lua;
        ct_array_init(&words, a);
        ct_string_builder_init(&lua, a);
        ct_nodes_add_command(&words, &values);
        for (uint32_t i = 0; i < plan->steps.count; ++i) {
            const ct_nodes_step *const step = &plan->steps.items[i];
            CT_ASSERT((step->on & ~ct_nodes_plan_all(plan)) == 0, "step %u: an unknown node", i);
            CT_ASSERT(step->kind != CT_NODES_STEP_KIND_REPEAT ||
                          (step->end > i + 1 && step->end <= plan->steps.count),
                      "step %u repeats no steps", i);
            if (step->lua)
                ct_nodes_add_lua(&lua, step->lua, &values);
        }
        ct_string_builder_free(&lua);
        ct_nodes_free_words(&words);
    }
}

static const char *const pieces[] = {
    "project = \".\" nodes = [ { id = \"a\" } { id = \"b\" } ] steps = [ ",
    "project = \"g\" ",
    "data = \"server\" ",
    "server = \"h:1\" ",
    "server_launch = [\"x\"] ",
    "runs = 3 ",
    "seed = 4294967295 ",
    "step_timeout = 1 ",
    "network_log = true ",
    "nodes = [ ",
    "steps = [ ",
    "] ",
    "} ",
    "{ ",
    "id = \"a\" ",
    "id = \"c\" ",
    "launch = [\"ssh\" \"$arguments\" \"$port $arguments$node\"] ",
    "options = [\"--size\" \"64x64\"] ",
    "arguments = [\"$seed\" \"$\" \"$index\"] ",
    "host = \"box\" ",
    "port = 64000 ",
    "detached = true ",
    "autostart = false ",
    "script = \"a = $seed\" ",
    "file = \"a.lua\" ",
    "wait = \"$node\" ",
    "assert = \"x\" ",
    "message = \"m\" ",
    "same = \"x\" ",
    "sleep = 1 ",
    "screenshot = \"p\" ",
    "start = \"all\" ",
    "stop = [\"a\" \"b\"] ",
    "kill = \"c\" ",
    "repeat = 2 steps = [ ",
    "on = [\"a\" 1] ",
    "on = \"b\" ",
    "timeout = 2 ",
    "-1 ",
    "\"\\u0000\" ",
};

static void add_pieces(ct_string_builder *text, const uint8_t *data, size_t size) {
    for (size_t i = 0; i < size && i < 4096; ++i)
        ct_string_builder_add(text, pieces[data[i] % CT_COUNT_OF(pieces)]);
}

static void check_text(ct_allocator *a, const char *text, size_t size) {
    ct_nodes_error_array errors;
    ct_array_init(&errors, a);
    ct_nodes_plan *const plan = ct_nodes_plan_parse(a, "nowhere/p.sjson", text, size, &errors);
    CT_ASSERT((plan != NULL) == (errors.count == 0), "a plan with %u errors", errors.count);
    for (uint32_t i = 0; i < errors.count; ++i)
        CT_ASSERT(errors.items[i].line > 0, "no line: %s", errors.items[i].message);
    if (plan)
        expand(a, plan);
    ct_nodes_plan_free(plan);
    ct_array_free(&errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ct_memory_init();
    ct_allocator *const a = ct_memory_heap();
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    if (size > 0 && data[0] % 2 == 0)
        ct_string_builder_add_bytes(&text, (const char *)data + 1, (uint32_t)size - 1);
    else if (size > 0)
        add_pieces(&text, data + 1, size - 1);
    check_text(a, ct_string_builder_text(&text), text.length);
    ct_string_builder_free(&text);
    ct_memory_shutdown(); // asserts that nothing is left
    return 0;
}
