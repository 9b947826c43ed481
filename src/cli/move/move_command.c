#include "cli/move/move_command.h"

#include <stdio.h>
#include <string.h>

#include "cli/core_folder.h"
#include "cli/move/move_outcome.h"
#include "cli/project_compile.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/os.h"
#include "foundation/string/string_builder.h"

static void print_json(ct_allocator *a, const ct_move_outcome *o) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_move_outcome_write(&w, o);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
}

static void tell(ct_allocator *a, const ct_move_command *command, const ct_move_outcome *o) {
    ct_move_outcome_print_notes(o);
    ct_move_outcome_print_errors(o);
    if (command->is_json)
        print_json(a, o);
    else if (o->plan->errors.count == 0 && command->is_dry_run)
        ct_move_outcome_print_diff(a, o);
    else if (o->plan->errors.count == 0)
        ct_move_outcome_print_changes(o);
}

static ct_exit plan_and_run(ct_allocator *scratch, ct_allocator *heap,
                            const ct_move_command *command, const ct_source_roots *roots) {
    ct_move_plan plan;
    ct_move_outcome o = {.command = command->name,
                         .project = command->project,
                         .plan = &plan,
                         .is_forced = command->is_forced};
    const ct_move_desc desc = {.allocator = scratch,
                               .heap = heap,
                               .roots = *roots,
                               .kind = command->kind,
                               .from = command->from,
                               .to = command->to,
                               .referrers = command->referrers,
                               .num_referrers = command->num_referrers,
                               .is_locked = !command->is_dry_run,
                               .is_forced = command->is_forced};
    ct_array_init(&o.report, scratch);
    if (ct_move_plan_make(&plan, &desc) && !command->is_dry_run)
        ct_move_outcome_run(&o);
    tell(scratch, command, &o);
    const ct_exit result = plan.errors.count == 0 ? CT_EXIT_OK : CT_EXIT_FAILED;
    ct_move_plan_free(&plan);
    return result;
}

ct_exit ct_move_command_run(ct_allocator *a, const ct_move_command *command) {
    CT_TEMP_ALLOCATOR(scratch, a);
    ct_move_project project;
    ct_error error = {0};
    if (!ct_move_project_open(&project, command->project, !command->is_dry_run, &error)) {
        fprintf(stderr, "cuttle %s: %s\n", command->name, error.message);
        if (command->is_json)
            ct_project_print_failure_json(scratch, &error);
        return CT_EXIT_FAILED;
    }
    const ct_exit result = plan_and_run(scratch, a, command, &project.roots);
    ct_project_lock_release(&project.lock);
    return result;
}

bool ct_move_command_referrers(ct_allocator *a, const ct_move_command *command,
                               const ct_command_arguments *arguments, uint32_t first,
                               const char *option, const char *value, ct_move_command *result) {
    const uint32_t num_operands = arguments->num_operands;
    *result = *command;
    if (!value && num_operands > first) {
        fprintf(stderr, "cuttle %s: unexpected argument \"%s\"; write referrers after --%s\n",
                command->name, arguments->operands[first], option);
        return false;
    }
    if (!value)
        return true;
    const char **const referrers = CT_NEW_ARRAY(a, const char *, num_operands - first + 1);
    referrers[0] = value;
    for (uint32_t i = first; i < num_operands; ++i)
        referrers[i - first + 1] = arguments->operands[i];
    result->referrers = referrers;
    result->num_referrers = num_operands - first + 1;
    return true;
}
