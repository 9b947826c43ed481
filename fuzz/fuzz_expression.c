// Texts of expressions: what compiles stays inside its stack and gives a finite number; errors have
// words and a place in the text. The first bytes are the values of the variables.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "animation/machine/machine_expression.h"
#include "compiler/types/state_machine/worker_expression.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NUM_VARIABLES = 3 };

// A resource with one program.
typedef struct program {
    ct_state_machine_resource resource;
    ct_state_machine_expression expression;
    uint32_t words[CT_STATE_MACHINE_MAX_OPS];
    float constants[CT_STATE_MACHINE_MAX_OPS];
} program;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    return 0;
}

static void run(const ct_worker_expressions *e, const float *values) {
    static program p;
    CT_ASSERT(e->words.count > 0 && e->words.count <= CT_STATE_MACHINE_MAX_OPS, "%u operations",
              e->words.count);
    p.resource = (ct_state_machine_resource){.expressions = {offsetof(program, expression), 1},
                                             .words = {offsetof(program, words), e->words.count},
                                             .constants = {offsetof(program, constants), 1}};
    p.expression = (ct_state_machine_expression){0, e->words.count};
    memcpy(p.words, e->words.items, sizeof(uint32_t) * e->words.count);
    for (uint32_t i = 0; i < e->constants.count; ++i)
        p.constants[i] = e->constants.items[i];
    uint32_t depth = 0;
    for (uint32_t i = 0; i < e->words.count; ++i) {
        const uint32_t takes = ct_state_machine_op_takes(p.words[i] & 255);
        CT_ASSERT(depth >= takes, "operation %u takes from below the stack", i);
        depth += 1 - takes;
        CT_ASSERT(depth <= CT_STATE_MACHINE_MAX_STACK, "operation %u leaves the stack", i);
    }
    CT_ASSERT(depth == 1, "it leaves %u values", depth);
    CT_ASSERT(isfinite(ct_machine_expression(&p.resource, 0, values, 0)), "not finite%s", "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[NUM_VARIABLES] = {"x", "speed", "y"};
    float values[NUM_VARIABLES];
    if (size < sizeof(values))
        return 0;
    memcpy(values, data, sizeof(values));
    for (uint32_t i = 0; i < NUM_VARIABLES; ++i)
        values[i] = isfinite(values[i]) ? values[i] : 0;
    ct_worker_expressions e = {.variables = names, .num_variables = NUM_VARIABLES};
    ct_array_init(&e.words, ct_memory_heap());
    ct_array_init(&e.constants, ct_memory_heap());
    const char *const text = (const char *)data + sizeof(values);
    const uint32_t bytes = (uint32_t)(size - sizeof(values));
    ct_error error = {0};
    if (ct_worker_expression(&e, text, bytes, &error))
        run(&e, values);
    else
        CT_ASSERT(error.message[0] && error.column >= 1 && error.column <= bytes + 1,
                  "\"%s\" at column %u of %u", error.message, error.column, bytes);
    ct_array_free(&e.words);
    ct_array_free(&e.constants);
    return 0;
}
