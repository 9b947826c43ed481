#include "cli/check/check_findings.h"

#include <stdio.h>
#include <string.h>

#include "foundation/sjson/sjson_writer.h"

static const char *const kind_names[] = {"compile", "logged", "crash", "hang", "warning"};

static char *copy(ct_allocator *a, const char *text) {
    return ct_copy_string(a, text ? text : "");
}

void ct_findings_add(ct_finding_array *findings, const ct_finding *finding) {
    ct_allocator *const a = findings->allocator;
    ct_finding own = *finding;
    own.what = copy(a, finding->what);
    own.name = copy(a, finding->name);
    own.system = copy(a, finding->system);
    own.message = copy(a, finding->message);
    own.file = copy(a, finding->file);
    own.report = copy(a, finding->report);
    ct_array_push(findings, own);
}

uint32_t ct_findings_num_errors(const ct_finding_array *findings) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < findings->count; ++i)
        count += findings->items[i].kind != CT_FINDING_KIND_WARNING;
    return count;
}

void ct_findings_print(const ct_finding_array *findings, uint32_t first) {
    for (uint32_t i = first; i < findings->count; ++i) {
        ct_string_builder line;
        ct_string_builder_init(&line, findings->allocator);
        ct_finding_write_text(&findings->items[i], &line);
        fprintf(stderr, "%s\n", ct_string_builder_text(&line));
        ct_string_builder_free(&line);
    }
}

void ct_findings_move(ct_finding_array *findings, ct_finding_array *from) {
    ct_array_push_many(findings, from->items, from->count);
    from->count = 0;
}

void ct_findings_free(ct_finding_array *findings) {
    for (uint32_t i = 0; i < findings->count; ++i) {
        const ct_finding *const f = &findings->items[i];
        const char *const texts[] = {f->what, f->name, f->system, f->message, f->file, f->report};
        for (uint32_t t = 0; t < CT_COUNT_OF(texts); ++t)
            ct_free(findings->allocator, (void *)(uintptr_t)texts[t]);
    }
    ct_array_free(findings);
}

void ct_finding_write_text(const ct_finding *f, ct_string_builder *out) {
    if (f->kind == CT_FINDING_KIND_COMPILE) {
        ct_error error = {0};
        char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
        ct_error_set_at(&error, f->file, f->line, f->column, "%s", f->message);
        ct_error_format(&error, text, sizeof(text));
        ct_string_builder_add(out, text);
        return;
    }
    ct_string_builder_addf(out, "%s%s%s: ", f->what, f->name[0] != '\0' ? " " : "", f->name);
    if (strcmp(f->what, "engine") != 0)
        ct_string_builder_addf(out, "frame %u: ", f->frame);
    if (f->kind == CT_FINDING_KIND_WARNING)
        ct_string_builder_add(out, "warning: ");
    if (f->system[0] != '\0')
        ct_string_builder_addf(out, "[%s] ", f->system);
    ct_string_builder_add(out, f->message);
    if (f->report[0] != '\0')
        ct_string_builder_addf(out, " (%s)", f->report);
}

static void write_finding(ct_sjson_writer *w, const ct_finding *f) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "kind", kind_names[f->kind]);
    ct_sjson_member_string(w, "what", f->what);
    ct_sjson_member_string(w, "name", f->name);
    ct_sjson_member_number(w, "frame", f->frame);
    ct_sjson_member_string(w, "system", f->system);
    ct_sjson_member_string(w, "message", f->message);
    if (f->kind == CT_FINDING_KIND_COMPILE) {
        ct_sjson_member_string(w, "file", f->file);
        ct_sjson_member_number(w, "line", f->line);
        ct_sjson_member_number(w, "column", f->column);
    }
    if (f->report[0] != '\0')
        ct_sjson_member_string(w, "report", f->report);
    ct_sjson_end_object(w);
}

static void write_findings(ct_sjson_writer *w, const ct_finding_array *findings, bool warnings) {
    ct_sjson_write_key(w, warnings ? "warnings" : "errors");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < findings->count; ++i) {
        if ((findings->items[i].kind == CT_FINDING_KIND_WARNING) == warnings)
            write_finding(w, &findings->items[i]);
    }
    ct_sjson_end_array(w);
}

void ct_findings_write_json(const ct_finding_array *findings, const ct_check_counts *counts,
                            ct_string_builder *out) {
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_number(&w, "packages", counts->packages);
    ct_sjson_member_number(&w, "levels", counts->levels);
    ct_sjson_member_number(&w, "units", counts->units);
    ct_sjson_member_number(&w, "games", counts->games);
    ct_sjson_member_number(&w, "frames", counts->frames);
    ct_sjson_member_number(&w, "seconds", counts->seconds);
    write_findings(&w, findings, false);
    write_findings(&w, findings, true);
    ct_sjson_end_object(&w);
}
