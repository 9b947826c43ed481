#include "content/merge/merge_report.h"

#include "content/diff/diff_text.h"
#include "foundation/sjson/sjson_writer.h"

static const char *const kind_names[] = {
    [CT_MERGE_DECISION_KIND_NONE] = "none",         [CT_MERGE_DECISION_KIND_CHANGED] = "changed",
    [CT_MERGE_DECISION_KIND_REPLACED] = "replaced", [CT_MERGE_DECISION_KIND_ADDED] = "added",
    [CT_MERGE_DECISION_KIND_REMOVED] = "removed",   [CT_MERGE_DECISION_KIND_ELEMENTS] = "elements",
    [CT_MERGE_DECISION_KIND_ORDER] = "order",       [CT_MERGE_DECISION_KIND_BY_ORDER] = "by_order",
};

static const char *const side_names[] = {
    [CT_MERGE_BASE] = "base",
    [CT_MERGE_THEIRS] = "theirs",
    [CT_MERGE_MINE] = "mine",
};

static void write_path(ct_sjson_writer *w, const ct_merge_plan *plan, uint32_t step,
                       ct_string_builder *scratch) {
    ct_string_builder_clear(scratch);
    ct_diff_write_path(&plan->paths, step, scratch);
    ct_sjson_member_string(w, "path", ct_string_builder_text(scratch));
}

static void write_values(ct_sjson_writer *w, const ct_merge_plan *plan,
                         const ct_merge_decision *d) {
    const bool is_order = d->kind == CT_MERGE_DECISION_KIND_ORDER;
    const bool is_run = d->kind == CT_MERGE_DECISION_KIND_ELEMENTS || is_order;
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i) {
        ct_sjson_value v = d->values[i];
        if (!v.entry)
            continue;
        ct_sjson_write_key(w, side_names[i]);
        if (!is_run) {
            ct_sjson_write_value(w, plan->docs[i], v);
            continue;
        }
        ct_sjson_begin_array(w);
        for (uint32_t k = 0; k < d->counts[i]; ++k, v = ct_sjson_next(plan->docs[i], v)) {
            const ct_content_value element = {plan->docs[i], v};
            const ct_content_value shown =
                is_order ? ct_array_element_id(element, d->id_key) : element;
            ct_sjson_write_value(w, shown.doc, shown.value);
        }
        ct_sjson_end_array(w);
    }
}

static void write_decision(ct_sjson_writer *w, const ct_merge_plan *plan,
                           const ct_merge_decision *d, ct_string_builder *scratch) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "kind", kind_names[d->kind]);
    write_path(w, plan, d->step, scratch);
    if (d->kind == CT_MERGE_DECISION_KIND_BY_ORDER) {
        ct_sjson_member_string(w, "in", side_names[d->taken]);
        ct_sjson_member_string(w, "because", ct_array_fault_text(d->fault));
    } else {
        ct_sjson_member_string(w, "taken", side_names[d->taken]);
        write_values(w, plan, d);
    }
    ct_sjson_end_object(w);
}

void ct_merge_write_report(const ct_merge_plan *plan, const ct_merge_desc *desc,
                           ct_string_builder *out) {
    ct_sjson_writer w;
    ct_string_builder scratch;
    ct_string_builder_init(&scratch, plan->allocator);
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "base", desc->base.file);
    ct_sjson_member_string(&w, "theirs", desc->theirs.file);
    ct_sjson_member_string(&w, "mine", desc->mine.file);
    if (desc->path)
        ct_sjson_member_string(&w, "path", desc->path);
    ct_sjson_member_number(&w, "edits", plan->edits.count);
    ct_sjson_write_key(&w, "decisions");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < plan->decisions.count; ++i)
        write_decision(&w, plan, &plan->decisions.items[i], &scratch);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    ct_string_builder_free(&scratch);
}
