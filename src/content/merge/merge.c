#include "content/merge/merge.h"

#include <string.h>

#include "content/json_check.h"
#include "content/merge/merge_apply.h"
#include "content/merge/merge_report.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "resource/blob/content_hash.h"

// A text while it is in memory.
typedef struct loaded_text {
    const char *text; // NULL: it is not
    uint64_t size_bytes;
    uint64_t hash; // 0: not known yet
} loaded_text;

// A merge under way.
typedef struct merger {
    ct_allocator *allocator;
    const ct_merge_desc *desc;
    loaded_text texts[CT_MERGE_NUM_SIDES];
    ct_sjson *tapes[CT_MERGE_NUM_SIDES];
} merger;

// --- Texts ---------------------------------------------------------------------------------------

static const ct_merge_text *given(const merger *m, ct_merge_side side) {
    const ct_merge_text *const texts[] = {
        [CT_MERGE_BASE] = &m->desc->base,
        [CT_MERGE_THEIRS] = &m->desc->theirs,
        [CT_MERGE_MINE] = &m->desc->mine,
    };
    return texts[side];
}

// Brings a text to memory, where it may be already.
static bool load(merger *m, ct_merge_side side, ct_error *error) {
    const ct_merge_text *const from = given(m, side);
    loaded_text *const t = &m->texts[side];
    if (t->text)
        return true;
    const loaded_text before = *t;
    t->text = from->text ? from->text : "";
    t->size_bytes = from->size_bytes;
    if (from->is_on_disk)
        t->text = ct_file_read_input(m->allocator, from->file, &t->size_bytes, error);
    if (!t->text)
        return false;
    t->hash = ct_content_hash(t->text, t->size_bytes);
    return before.hash == 0 || (t->hash == before.hash && t->size_bytes == before.size_bytes) ||
           ct_error_set_at(error, from->file, 0, 0, "the file changed while it was merged");
}

static void unload(merger *m, ct_merge_side side) {
    if (given(m, side)->is_on_disk)
        ct_free(m->allocator, (void *)(uintptr_t)m->texts[side].text);
    m->texts[side].text = NULL;
}

static bool read_side(merger *m, ct_merge_side side, ct_error *error) {
    if (!load(m, side, error))
        return false;
    const loaded_text *const t = &m->texts[side];
    const char *const file = given(m, side)->file;
    const ct_sjson_limits limits = {.takes_array = true};
    m->tapes[side] = ct_sjson_parse(m->allocator, t->text, t->size_bytes, file, &limits, error);
    const bool is_absent = side == CT_MERGE_BASE && t->size_bytes == 0; // git's, of a new file
    const bool ok = m->tapes[side] && (!m->desc->is_json || is_absent ||
                                       ct_json_check(t->text, t->size_bytes, file, error));
    unload(m, side);
    return ok;
}

// Reads the tapes. Names the side that was wrong in `wrong_side`.
static bool read_sides(merger *m, const char **wrong_side, ct_error *error) {
    static const char *const names[] = {"base", "theirs", "mine"};
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i) {
        *wrong_side = names[i];
        if (!read_side(m, (ct_merge_side)i, error))
            return false;
    }
    *wrong_side = "";
    return true;
}

// --- The result ----------------------------------------------------------------------------------

// Appends a side's text as it is.
static bool add_side(merger *m, ct_merge_side side, ct_string_builder *result, ct_error *error) {
    if (!load(m, side, error))
        return false;
    ct_string_builder_add_bytes(result, m->texts[side].text, (uint32_t)m->texts[side].size_bytes);
    return true;
}

// Makes a document of a side whose tape is no longer needed otherwise. It borrows the text.
static ct_sjson_document *outline(merger *m, const ct_merge_plan *plan, ct_merge_side side,
                                  ct_error *error) {
    if (!load(m, side, error))
        return NULL;
    const loaded_text *const t = &m->texts[side];
    ct_sjson *const tape = m->tapes[side];
    m->tapes[side] = NULL;
    return ct_merge_outline(plan, side, tape, t->text, t->size_bytes);
}

static bool is_json_still(const merger *m, const ct_string_builder *result, uint32_t begin,
                          ct_error *error) {
    return !m->desc->is_json ||
           ct_json_check(result->text + begin, result->length - begin, m->desc->mine.file, error);
}

// Frees what only the plan needed, and makes its edits.
static bool apply(merger *m, const ct_merge_plan *plan, ct_string_builder *result,
                  ct_error *error) {
    const uint32_t begin = result->length;
    ct_sjson_free(m->tapes[CT_MERGE_BASE]);
    m->tapes[CT_MERGE_BASE] = NULL;
    ct_sjson_document *const theirs = outline(m, plan, CT_MERGE_THEIRS, error);
    ct_sjson_document *const mine = theirs ? outline(m, plan, CT_MERGE_MINE, error) : NULL;
    if (mine) { // it is about to be edited
        ct_sjson_document_own_text(mine);
        unload(m, CT_MERGE_MINE);
    }
    if (mine && m->desc->is_json)
        ct_sjson_document_prefer_json(mine);
    const bool ok = mine && ct_merge_apply(plan, theirs, mine, error);
    ct_sjson_document_free(theirs);
    if (ok)
        ct_sjson_document_write(mine, result);
    ct_sjson_document_free(mine);
    CT_ASSERT(!ok || is_json_still(m, result, begin, error), "%s:%u:%u: %s", error->file,
              error->line, error->column, error->message);
    return ok;
}

// True when mine's root is replaced as a whole, by theirs.
static bool has_their_root(const merger *m, const ct_merge_plan *plan) {
    return plan->edits.count == 1 && plan->edits.items[0].kind == CT_MERGE_EDIT_KIND_SET &&
           plan->edits.items[0].mine == ct_sjson_root(m->tapes[CT_MERGE_MINE]).entry;
}

static bool merge(merger *m, ct_string_builder *result, ct_string_builder *report,
                  ct_merge_summary *summary, ct_error *error) {
    *summary = (ct_merge_summary){0};
    if (!read_sides(m, &summary->wrong_side, error))
        return false;
    ct_merge_plan plan;
    const ct_sjson *const docs[] = {m->tapes[0], m->tapes[1], m->tapes[2]};
    ct_merge_plan_make(&plan, m->allocator, docs, m->desc->path);
    const uint32_t report_begin = report ? report->length : 0;
    if (report)
        ct_merge_write_report(&plan, m->desc, report);
    summary->num_edits = plan.edits.count;
    summary->num_decisions = plan.decisions.count;
    bool ok = true;
    const loaded_text *const base = &m->texts[CT_MERGE_BASE], *const mine =
                                                                  &m->texts[CT_MERGE_MINE];
    if ((mine->hash == base->hash && mine->size_bytes == base->size_bytes) ||
        has_their_root(m, &plan))
        ok = add_side(m, CT_MERGE_THEIRS, result, error);
    else if (plan.edits.count == 0)
        ok = add_side(m, CT_MERGE_MINE, result, error);
    else
        ok = apply(m, &plan, result, error);
    if (!ok && report)
        report->length = report_begin;
    ct_merge_plan_free(&plan);
    return ok;
}

bool ct_merge_texts(ct_allocator *a, const ct_merge_desc *desc, ct_string_builder *result,
                    ct_string_builder *report, ct_merge_summary *summary, ct_error *error) {
    merger m = {.allocator = a, .desc = desc};
    const bool ok = merge(&m, result, report, summary, error);
    for (uint32_t i = 0; i < CT_MERGE_NUM_SIDES; ++i) {
        ct_sjson_free(m.tapes[i]);
        unload(&m, (ct_merge_side)i);
    }
    return ok;
}
