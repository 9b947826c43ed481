// Sources of flow graphs: whatever text there is, the compiler makes a blob or says what is wrong with
// it. What it makes passes validation.
//
// Inputs start as sources that use much of the format. They may name the graphs "lamp" and "x" (the
// input itself), and the nodes of "door". An input that has the word `function` is a file of nodes.
#include <string.h>

#include "compiler/project_support.h"
#include "resource/blob/blob_walk.h"
#include "support/mutation.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static const char *folder;

// --- Where inputs start --------------------------------------------------------------------------

static const char lamp[] =
    "nodes = [ { id = \"in\" type = \"external_in_event\" inputs = { name = \"light\" } }\n"
    "  { id = \"out\" type = \"external_out_event\" inputs = { name = \"dark\" } }\n"
    "  { id = \"s\" type = \"external_input_numeric\" inputs = { name = \"seconds\" } }\n"
    "  { id = \"o\" type = \"external_output_numeric\" inputs = { name = \"half\" } }\n"
    "  { id = \"half\" type = \"numeric_multiplication\" inputs = { b = 0.5 } }\n"
    "  { id = \"wait\" type = \"delay\" } ]\n"
    "links = [ { id = \"1\" from = \"in\" out = \"out\" to = \"wait\" in = \"in\" }\n"
    "  { id = \"2\" from = \"wait\" out = \"out\" to = \"out\" in = \"in\" }\n"
    "  { id = \"3\" from = \"s\" out = \"numeric\" to = \"half\" in = \"a\" }\n"
    "  { id = \"4\" from = \"half\" out = \"value\" to = \"wait\" in = \"time\" }\n"
    "  { id = \"5\" from = \"half\" out = \"value\" to = \"o\" in = \"numeric\" } ]\n";

static const char graph[] =
    "variables = [ { id = \"1\" name = \"n\" type = \"number\" value = 3 }\n"
    "  { id = \"2\" name = \"label\" type = \"string\" value = \"x\" }\n"
    "  { id = \"3\" name = \"q\" type = \"quaternion\" value = [0 0 1 1] }\n"
    "  { id = \"4\" name = \"u\" type = \"unit\" } ]\n"
    "nodes = [ { id = \"a\" type = \"unit_spawned\" }\n"
    "  { id = \"b\" type = \"counter\" inputs = { increment = 0.1 } position = [1 2] }\n"
    "  { id = \"c\" type = \"graph\" graph = \"lamp\" inputs = { seconds = 1.5 } }\n"
    "  { id = \"d\" type = \"graph\" graph = \"lamp\" position = [0 100] }\n"
    "  { id = \"e\" type = \"level_unit\" inputs = { unit = \"lever\" } }\n"
    "  { id = \"f\" type = \"compare_objects\" inputs = { a = [1 2 3] } }\n"
    "  { id = \"g\" type = \"set_unit_variable\" inputs = { name = \"u\" } }\n"
    "  { id = \"h\" type = \"get_string_variable\" inputs = { name = \"label\" } }\n"
    "  { id = \"i\" type = \"print_to_screen\" inputs = { color = [1 0.5 0] } }\n"
    "  { id = \"j\" type = \"numeric_addition\" inputs = { a = 1 } }\n"
    "  { id = \"k\" type = \"external_output_numeric\" inputs = { name = \"sum\" } }\n"
    "  { id = \"l\" type = \"string_concatenate\" inputs = { b = \"!\" } }\n"
    "  { id = \"m\" type = \"lua\" nodes = \"door\" node = \"open_door\" inputs = { data = 3 } }\n"
    "  { id = \"n\" type = \"lua\" nodes = \"door\" node = \"score\" } ]\n"
    "links = [ { id = \"1\" from = \"a\" out = \"out\" to = \"b\" in = \"increase\" }\n"
    "  { id = \"2\" from = \"b\" out = \"changed\" to = \"c\" in = \"light\" }\n"
    "  { id = \"3\" from = \"b\" out = \"changed\" to = \"d\" in = \"light\" }\n"
    "  { id = \"4\" from = \"b\" out = \"value\" to = \"d\" in = \"seconds\" }\n"
    "  { id = \"5\" from = \"c\" out = \"dark\" to = \"f\" in = \"compare\" }\n"
    "  { id = \"6\" from = \"e\" out = \"unit\" to = \"f\" in = \"b\" }\n"
    "  { id = \"7\" from = \"f\" out = \"equal\" to = \"g\" in = \"set\" }\n"
    "  { id = \"8\" from = \"f\" out = \"unequal\" to = \"i\" in = \"in\" }\n"
    "  { id = \"9\" from = \"h\" out = \"string\" to = \"i\" in = \"label\" }\n"
    "  { id = \"10\" from = \"j\" out = \"value\" to = \"l\" in = \"a\" }\n"
    "  { id = \"11\" from = \"l\" out = \"value\" to = \"i\" in = \"text\" }\n"
    "  { id = \"12\" from = \"b\" out = \"value\" to = \"j\" in = \"b\" }\n"
    "  { id = \"14\" from = \"b\" out = \"changed\" to = \"m\" in = \"open\" }\n"
    "  { id = \"15\" from = \"n\" out = \"points\" to = \"m\" in = \"label\" }\n"
    "  { id = \"16\" from = \"m\" out = \"opened\" to = \"i\" in = \"in\" }\n"
    "  { id = \"13\" from = \"j\" out = \"value\" to = \"k\" in = \"numeric\" } ]\n"
    "groups = [ { id = \"1\" title = \"t\" size = [1 2] } ]\n"
    "comments = [ { id = \"1\" text = \"c\" } ]\n";

static const char door[] =
    "nodes = [ { id = \"1\" name = \"open_door\" function = \"Game.open_door\" menu = \"m\" doc = "
    "\"d\"\n"
    "  slots = [ { id = \"1\" name = \"open\" kind = \"event_in\" }\n"
    "  { id = \"2\" name = \"door\" type = \"unit\" unit = \"m\" doc = \"d\" }\n"
    "  { id = \"3\" name = \"speed\" kind = \"input\" type = \"number\" value = 2 }\n"
    "  { id = \"4\" name = \"turn\" type = \"quaternion\" value = [0 0 0 1] }\n"
    "  { id = \"5\" name = \"data\" type = \"any\" }\n"
    "  { id = \"6\" name = \"label\" type = \"string\" value = \"x\" }\n"
    "  { id = \"7\" name = \"opened\" kind = \"event_out\" }\n"
    "  { id = \"8\" name = \"label\" kind = \"output\" type = \"string\" } ] }\n"
    "  { id = \"2\" name = \"score\" function = \"score\"\n"
    "  slots = [ { id = \"1\" name = \"points\" kind = \"output\" type = \"number\" } ] } ]\n";

static const struct {
    const char *text;
    size_t size;
} seeds[] = {{lamp, sizeof(lamp) - 1}, {graph, sizeof(graph) - 1}, {door, sizeof(door) - 1}};

// Words of the format, which damage alone would not find.
static const char *const words[] = {"\"a\"",
                                    "\"b\"",
                                    "\"c\"",
                                    "\"d\"",
                                    "\"f\"",
                                    "\"j\"",
                                    "\"l\"",
                                    "\"in\"",
                                    "\"out\"",
                                    "\"value\"",
                                    "\"light\"",
                                    "\"dark\"",
                                    "\"half\"",
                                    "\"x\"",
                                    "\"lamp\"",
                                    "\"name\"",
                                    "\"n\"",
                                    "\"unit\"",
                                    "true",
                                    "null",
                                    "[]",
                                    "{}",
                                    "-1",
                                    "1e39",
                                    "[1 2 3]",
                                    "[0 0 0 1]",
                                    "\"graph\"",
                                    "\"external_in_event\"",
                                    "\"external_out_event\"",
                                    "\"external_input_string\"",
                                    "\"external_output_string\"",
                                    "\"numeric_to_string\"",
                                    "\"string_to_id\"",
                                    "\"numeric_division\"",
                                    "\"set_numeric_variable\"",
                                    "\"get_numeric_variable\"",
                                    "\"sequence\"",
                                    "\"level_update\"",
                                    "scope = \"global\"",
                                    "\"lua\"",
                                    "nodes = \"door\"",
                                    "node = \"score\"",
                                    "function = \"f\"",
                                    "kind = \"event_out\"",
                                    "kind = \"output\"",
                                    "type = \"number\"",
                                    NULL};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    ct_random random = ct_random_seeded(seed, 0);
    const uint32_t choice = ct_random_below(&random, 32);
    if (size < 8 || choice == 0) {
        const uint32_t i = ct_random_below(&random, CT_COUNT_OF(seeds));
        size = seeds[i].size < max_size ? seeds[i].size : max_size;
        memcpy(data, seeds[i].text, size);
    }
    return choice < 8 ? LLVMFuzzerMutate(data, size, max_size)
                      : test_mutate(&random, data, size, max_size, words);
}

// --- What is made of one -------------------------------------------------------------------------

static bool is_of_nodes(const uint8_t *data, size_t size) {
    return memmem(data, size, "function", 8) != NULL;
}

// Returns whether it compiled.
static bool compile(const void *data, size_t size) {
    const char *const type = is_of_nodes(data, size) ? "flow_nodes" : "flow";
    write_bytes(folder, type[4] ? "x.flow_nodes" : "x.flow", data, size);
    ct_compile_answer answer = compile_file(folder, type, "x");
    const uint32_t num_errors = answer.errors.count;
    for (uint32_t i = 0; i < num_errors; ++i)
        CT_ASSERT(answer.errors.items[i].message[0], "error %u has no message", i);
    CT_ASSERT((answer.blob.count > 0) == (num_errors == 0), "%u bytes, %u errors",
              answer.blob.count, num_errors);
    if (num_errors == 0)
        walk_blob(type, expect_blob(&answer, type));
    ct_compile_answer_free(&answer);
    return num_errors == 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    test_group_setup(NULL);
    folder = test_scratch_folder();
    write_bytes(folder, "lamp.flow", lamp, sizeof(lamp) - 1);
    write_bytes(folder, "door.flow_nodes", door, sizeof(door) - 1);
    for (uint32_t i = 0; i < CT_COUNT_OF(seeds); ++i)
        CT_ASSERT(compile(seeds[i].text, seeds[i].size), "seed %u", i);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0)
        compile(data, size);
    return 0;
}
