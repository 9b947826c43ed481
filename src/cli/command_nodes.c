#include <stdio.h>

#include "cli/commands.h"
#include "cli/nodes/nodes_session.h"
#include "cli/prompt/console_token.h"

static const ct_command_option options[] = {
    {"runs", "K", "run the plan K times, in place of the plan's number"},
    {"seed", "S", "the seed of run 1, in place of the plan's; run I has S + I - 1"},
    {"only-run", "I", "run only number I"},
    {"keep", NULL, "keep the folders of runs that passed, too"},
    {"keep-going", NULL, "continue after a run that failed"},
    {"folder", "DIR", "folder for the runs (PROJECT/.cuttle/nodes/<time>)"},
    {"json", NULL, "print one JSON object to standard output at the end"},
    CT_CONSOLE_TOKEN_OPTIONS,
};

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_nodes, arguments, name);
}

// Applies the options to the plan, which borrows the token.
static bool read_options(ct_allocator *a, const ct_command_arguments *arguments,
                         ct_nodes_plan *plan, ct_console_token *token, uint32_t *only_run,
                         ct_error *error) {
    if (!ct_command_count("runs", option(arguments, "runs"), 1, CT_NODES_MAX_RUNS, &plan->num_runs,
                          error) ||
        !ct_command_count("seed", option(arguments, "seed"), 0, UINT32_MAX, &plan->seed, error) ||
        !ct_command_count("only-run", option(arguments, "only-run"), 1, CT_NODES_MAX_RUNS, only_run,
                          error) ||
        !ct_console_token_read(a, &ct_command_nodes, arguments, "token", token, error))
        return false;
    plan->token_file = option(arguments, "token-file");
    plan->token = token->text[0] != '\0' ? token->text : NULL;
    if (*only_run > plan->num_runs)
        return ct_error_set(error, "--only-run is %u, but there are only %u runs", *only_run,
                            plan->num_runs);
    return true;
}

static ct_exit run_plan(ct_allocator *a, const ct_command_arguments *arguments,
                        ct_nodes_plan *plan) {
    ct_error error = {0};
    ct_console_token token;
    ct_nodes_session_desc desc = {
        .allocator = a,
        .plan = plan,
        .keep = option(arguments, "keep") != NULL,
        .keep_going = option(arguments, "keep-going") != NULL,
        .folder = option(arguments, "folder"),
        .json = option(arguments, "json") != NULL,
    };
    if (!read_options(a, arguments, plan, &token, &desc.only_run, &error)) {
        fprintf(stderr, "cuttle nodes: %s\n", error.message);
        return CT_EXIT_USAGE;
    }
    return ct_nodes_session_run(&desc) ? CT_EXIT_OK : CT_EXIT_FAILED;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    ct_nodes_error_array errors;
    ct_array_init(&errors, a);
    ct_nodes_plan *const plan = ct_nodes_plan_read(a, arguments->operands[0], &errors);
    for (uint32_t i = 0; i < errors.count; ++i) {
        char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
        ct_error_format(&errors.items[i], text, sizeof(text));
        fprintf(stderr, "%s\n", text);
    }
    const ct_exit code = plan ? run_plan(a, arguments, plan) : CT_EXIT_FAILED;
    ct_nodes_plan_free(plan);
    ct_array_free(&errors);
    return code;
}

const ct_command ct_command_nodes = {
    .name = "nodes",
    .operands = "PLAN",
    .least_operands = 1,
    .most_operands = 1,
    .summary = "run a test with several engines, from a plan",
    .description =
        "Reads a plan (SJSON) that lists engines and steps: Lua to run on one, some or all of\n"
        "them, conditions to wait for, assertions, results that must be the same everywhere.\n"
        "Starts the engines on this machine, or elsewhere by any command, does the steps over\n"
        "their consoles, and ends the engines; as often as the plan says, each time with another\n"
        "seed. Stops at a run that fails: exits with 1, keeps its logs, pictures and crash\n"
        "reports, and prints the command that repeats just that run.\n"
        "See docs/nodes.md.\n"
        "Example: cuttle nodes tests/lobby.sjson --runs 500",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
