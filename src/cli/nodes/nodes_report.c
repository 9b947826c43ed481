#include "cli/nodes/nodes_report.h"

#include <math.h>

#include "cli/shell_word.h"
#include "foundation/sjson/sjson_writer.h"

static const char *const result_names[] = {"passed", "failed", "interrupted"};

void ct_nodes_records_add(ct_nodes_record_array *records, uint32_t run, uint32_t seed,
                          const ct_nodes_outcome *outcome, const char *folder, const char *replay) {
    ct_allocator *const a = records->allocator;
    const ct_nodes_record record = {
        .run = run,
        .seed = seed,
        .result = outcome->result,
        .seconds = outcome->seconds,
        .folder = ct_copy_string(a, folder),
        .line = outcome->line,
        .step = ct_copy_string(a, outcome->step),
        .node = ct_copy_string(a, outcome->node),
        .message = ct_copy_string(a, ct_string_builder_text(&outcome->message)),
        .details = ct_copy_string(a, ct_string_builder_text(&outcome->details)),
        .replay = ct_copy_string(a, replay),
    };
    ct_array_push(records, record);
}

void ct_nodes_records_free(ct_nodes_record_array *records) {
    ct_allocator *const a = records->allocator;
    for (uint32_t i = 0; i < records->count; ++i) {
        const ct_nodes_record *const r = &records->items[i];
        const char *const owned[] = {r->folder,  r->step,    r->node,
                                     r->message, r->details, r->replay};
        for (uint32_t k = 0; k < CT_COUNT_OF(owned); ++k)
            ct_free(a, (void *)(uintptr_t)owned[k]);
    }
    ct_array_free(records);
}

void ct_nodes_add_replay(ct_string_builder *out, const ct_nodes_plan *plan, uint32_t run) {
    ct_string_builder_add(out, "cuttle nodes ");
    ct_shell_word_add(out, plan->path);
    ct_string_builder_addf(out, " --runs %u --seed %u --only-run %u", plan->num_runs, plan->seed,
                           run);
    if (plan->token_file) {
        ct_string_builder_add(out, " --token-file ");
        ct_shell_word_add(out, plan->token_file);
    } else if (plan->token) {
        ct_string_builder_add(out, " --token TOKEN"); // logs are no place for it
    }
}

void ct_nodes_add_failure(ct_string_builder *out, const ct_nodes_plan *plan,
                          const ct_nodes_record *record) {
    ct_string_builder_add(out, plan->path);
    if (record->line != 0)
        ct_string_builder_addf(out, ":%u", record->line);
    ct_string_builder_addf(out, ": error: %s%s%s%s%s\n", record->step,
                           record->node[0] != '\0' ? (record->step[0] ? " on " : "on ") : "",
                           record->node, record->step[0] || record->node[0] ? ": " : "",
                           record->message);
    ct_string_builder_add(out, record->details);
    ct_string_builder_addf(out, "Logs are in %s\nTo repeat this run: %s\n", record->folder,
                           record->replay);
}

// Whole milliseconds: more would be noise.
static void member_seconds(ct_sjson_writer *w, double seconds) {
    ct_sjson_member_number(w, "seconds", round(seconds * 1000) / 1000);
}

static void write_record(ct_sjson_writer *w, const ct_nodes_record *record) {
    ct_sjson_begin_object(w);
    ct_sjson_member_number(w, "run", record->run);
    ct_sjson_member_number(w, "seed", record->seed);
    ct_sjson_member_string(w, "result", result_names[record->result]);
    member_seconds(w, record->seconds);
    if (record->folder[0] != '\0')
        ct_sjson_member_string(w, "folder", record->folder);
    if (record->result != CT_NODES_RESULT_PASSED) {
        ct_sjson_write_key(w, "failure");
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "line", record->line);
        ct_sjson_member_string(w, "step", record->step);
        ct_sjson_member_string(w, "node", record->node);
        ct_sjson_member_string(w, "message", record->message);
        ct_sjson_member_string(w, "details", record->details);
        ct_sjson_member_string(w, "replay", record->replay);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_object(w);
}

void ct_nodes_add_json(ct_string_builder *out, const ct_nodes_plan *plan,
                       const ct_nodes_record_array *records, double seconds) {
    uint32_t num_passed = 0;
    for (uint32_t i = 0; i < records->count; ++i)
        num_passed += records->items[i].result == CT_NODES_RESULT_PASSED;
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "plan", plan->path);
    ct_sjson_member_number(&w, "num_passed", num_passed);
    ct_sjson_member_number(&w, "num_failed", records->count - num_passed);
    member_seconds(&w, seconds);
    ct_sjson_write_key(&w, "runs");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < records->count; ++i)
        write_record(&w, &records->items[i]);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
}
