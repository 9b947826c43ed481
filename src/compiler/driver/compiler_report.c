#include "compiler/driver/compiler_chain.h"
#include "compiler/driver/compiler_missing.h"
#include "resource/blob/content_hash.h"

#include <stdio.h>
#include <string.h>

// What a run tells its caller: counts, errors with who leads to them, and warnings.

typedef struct reporter {
    ct_run *run;
    ct_hash_map told;     // hashes of errors and warnings
    ct_chain_graph graph; // once has_graph
    bool has_graph;
    bool passes_unit_circles; // they were told already
    ct_missing_files missing;
} reporter;

static const uint32_t no_resource = UINT32_MAX;

static void clear_explanation(ct_compile_report *report) {
    for (uint32_t i = 0; i < report->explanation.count; ++i)
        ct_free(report->explanation.allocator, report->explanation.items[i]);
    report->explanation.count = 0;
}

void ct_compile_report_clear(ct_compile_report *report) {
    for (uint32_t i = 0; i < report->chain_names.count; ++i)
        ct_free(report->chain_names.allocator, report->chain_names.items[i]);
    clear_explanation(report);
    report->num_compiled = report->num_up_to_date = report->num_failed = 0;
    report->errors.count = report->chains.count = report->chain_names.count = 0;
    report->warnings.count = 0;
    report->changed.count = report->removed.count = 0;
}

static ct_chain_graph *graph_of(reporter *r) {
    if (!r->has_graph)
        ct_chain_graph_init(&r->graph, r->run);
    r->has_graph = true;
    return &r->graph;
}

// The chain of an error of resource `at`, or of the one whose source the error stands in.
static ct_compile_chain chain_of(reporter *r, const char *file, uint32_t at) {
    ct_compile_report *report = &r->run->compiler->report;
    ct_compile_chain chain = {.first = report->chain_names.count};
    if (at == no_resource)
        return chain;
    ct_chain_graph *const graph = graph_of(r);
    const ct_run_resource *const resource = &r->run->resources.items[at];
    const uint32_t owner = ct_chain_graph_owner(graph, file, no_resource);
    if (owner != no_resource)
        at = owner;
    chain.count = ct_chain_graph_names(graph, at, r->run->compiler->allocator, &report->chain_names,
                                       &chain.num_others);
    // The file of nobody, as GLSL is: whose error it is must be told.
    if (chain.count == 0 && owner == no_resource && strcmp(file, resource->source) != 0) {
        ct_array_push(&report->chain_names,
                      ct_chain_graph_name(graph, at, r->run->compiler->allocator));
        chain.count = 1;
    }
    return chain;
}

// One broken file that several resources include is told once: true the first time.
static bool is_new(reporter *r, const ct_compile_fault *fault) {
    const uint64_t key = ct_content_hash(fault->message, strlen(fault->message)) * 3 +
                         ct_content_hash(fault->file, strlen(fault->file)) * 5 +
                         ((uint64_t)fault->line << 32 | fault->column);
    if (ct_hash_map_find(&r->told, key))
        return false;
    ct_hash_map_set(&r->told, key, 1);
    return true;
}

static ct_error error_of(const ct_compile_fault *fault) {
    ct_error error = {0};
    ct_error_set_at(&error, fault->file, fault->line, fault->column, "%s", fault->message);
    return error;
}

static void report_fault(reporter *r, const ct_compile_fault *fault, uint32_t at) {
    if (!is_new(r, fault))
        return;
    ct_compile_fault told = *fault;
    told.message = ct_missing_files_guess(&r->missing, fault->message);
    ct_array_push(&r->run->compiler->report.errors, error_of(&told));
    ct_array_push(&r->run->compiler->report.chains, chain_of(r, fault->file, at));
}

static void report_warning(reporter *r, const ct_compile_fault *fault) {
    if (is_new(r, fault))
        ct_array_push(&r->run->compiler->report.warnings, error_of(fault));
}

// Those of what is up to date stand in the old index only.
static void report_warnings(reporter *r, const ct_run_resource *resource) {
    const uint32_t num_old = resource->has_record ? 0 : resource->old->warnings.count;
    for (uint32_t i = 0; i < num_old; ++i) {
        const ct_compile_fault fault = ct_run_old_warning(r->run, resource->old, i);
        report_warning(r, &fault);
    }
    for (uint32_t i = 0; resource->has_record && i < resource->record.warnings.count; ++i)
        report_warning(r, &resource->record.warnings.items[i]);
}

static bool is_unit_circle(const ct_compile_fault *fault) {
    return strncmp(fault->message, CT_COMPILE_UNIT_CIRCLE, strlen(CT_COMPILE_UNIT_CIRCLE)) == 0;
}

static bool has_properties(const char *path) {
    const char *const first = strchr(ct_path_file_name(path), '.');
    return first && strchr(first + 1, '.');
}

// Units that inherit and contain each other in a circle fail one and all, and those who inherit or
// place one of them. Each meets the circle by a way of its own; told are the circles themselves, by
// the references as they stand in the sources. References do not say which variant they lead to, so
// where variants are among the units the ways are told as they were met.
static void report_unit_circles(reporter *r) {
    ct_run *run = r->run;
    bool *is_member = CT_NEW_ARRAY(run->allocator, bool, run->resources.count), has_any = false;
    bool has_variant = false;
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        const ct_run_resource *const resource = &run->resources.items[i];
        if (strcmp(resource->type->name, "unit") != 0)
            continue;
        for (uint32_t k = 0; k < resource->record.errors.count; ++k)
            is_member[i] |= is_unit_circle(&resource->record.errors.items[k]);
        has_any |= is_member[i];
        has_variant |= is_member[i] && has_properties(resource->source);
    }
    if (!has_any || has_variant)
        return;
    ct_compile_fault_array circles;
    ct_array_init(&circles, run->allocator);
    ct_chain_graph_circles(graph_of(r), is_member, CT_COMPILE_UNIT_CIRCLE, &circles);
    for (uint32_t i = 0; i < circles.count; ++i)
        report_fault(r, &circles.items[i],
                     ct_chain_graph_owner(&r->graph, circles.items[i].file, no_resource));
    r->passes_unit_circles = circles.count > 0;
}

static void report_resource(reporter *r, uint32_t at) {
    ct_compile_report *const report = &r->run->compiler->report;
    const ct_run_resource *const resource = &r->run->resources.items[at];
    for (uint32_t k = 0; k < resource->record.errors.count; ++k)
        if (!r->passes_unit_circles || !is_unit_circle(&resource->record.errors.items[k]))
            report_fault(r, &resource->record.errors.items[k], at);
    report_warnings(r, resource);
    if (resource->record.errors.count > 0)
        ++report->num_failed;
    else if (resource->must_compile ||
             ct_hash_map_find(r->run->done_before, ct_resource_id_key(resource->id)))
        ++report->num_compiled;
    else
        ++report->num_up_to_date;
    if (resource->is_data_written)
        ct_array_push(&report->changed, resource->base);
}

void ct_run_report_round(ct_run *run) {
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        const ct_run_resource *resource = &run->resources.items[i];
        if (resource->must_compile && resource->record.errors.count == 0)
            ct_hash_map_set(run->done_before, ct_resource_id_key(resource->id), 1);
        if (resource->is_data_written)
            ct_array_push(&run->compiler->report.changed, resource->base);
    }
    clear_explanation(&run->compiler->report); // the next round tells
}

void ct_run_report(ct_run *run) {
    ct_compile_report *const report = &run->compiler->report;
    reporter r = {.run = run, .told.allocator = run->allocator};
    ct_missing_files_init(&r.missing, &run->scan, run->allocator);
    report->num_failed = run->faults.count;
    for (uint32_t i = 0; i < run->faults.count; ++i)
        report_fault(&r, &run->faults.items[i], no_resource);
    report_unit_circles(&r);
    for (uint32_t i = 0; i < run->resources.count; ++i)
        report_resource(&r, i);
}

// --- Text ----------------------------------------------------------------------------------------

enum { MAX_NAMES = 8 }; // of a chain in a message; those in the middle of longer ones are left out

void ct_compile_report_error(const ct_compile_report *report, uint32_t i, ct_error *error) {
    *error = report->errors.items[i];
    const ct_compile_chain *chain = &report->chains.items[i];
    const char *const message = report->errors.items[i].message;
    uint32_t used = 0;
    error->message[0] = 0;
    for (uint32_t k = 0; k < chain->count && used + 1 < CT_ERROR_MESSAGE_BYTES; ++k) {
        const bool is_cut = chain->count > MAX_NAMES && k == MAX_NAMES / 2;
        if (is_cut)
            k = chain->count - MAX_NAMES / 2;
        used +=
            (uint32_t)snprintf(error->message + used, CT_ERROR_MESSAGE_BYTES - used, "%s%s",
                               is_cut ? "...: " : "", report->chain_names.items[chain->first + k]);
        if (used + 1 < CT_ERROR_MESSAGE_BYTES && k + 2 == chain->count && chain->num_others > 0)
            used += (uint32_t)snprintf(error->message + used, CT_ERROR_MESSAGE_BYTES - used,
                                       " and %u other resource%s", chain->num_others,
                                       chain->num_others == 1 ? "" : "s");
        if (used + 1 < CT_ERROR_MESSAGE_BYTES)
            used += (uint32_t)snprintf(error->message + used, CT_ERROR_MESSAGE_BYTES - used, ": ");
    }
    if (used + 1 < CT_ERROR_MESSAGE_BYTES)
        snprintf(error->message + used, CT_ERROR_MESSAGE_BYTES - used, "%s", message);
}
