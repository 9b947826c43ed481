#include "compiler/driver/compiler_run.h"
#include "foundation/string/string_builder.h"
#include "project/source_component.h"
#include "resource/blob/content_hash.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Says in words what compiler_plan.c decided by comparing, for one resource.

static void add_line(ct_run *run, const char *format, ...) CT_PRINTF(2, 3);

static void add_line(ct_run *run, const char *format, ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ct_string_array *const lines = &run->compiler->report.explanation;
    ct_array_push(lines, ct_copy_string(lines->allocator, text));
}

// --- The resource --------------------------------------------------------------------------------

// What was asked for as a path from the project.
static const char *asked_path(const ct_run *run) {
    const char *const path = run->compiler->explained;
    const char *const project = run->compiler->project_folder;
    const size_t length = strlen(project);
    if (strncmp(path, project, length) == 0 && path[length] == '/')
        return path + length + 1;
    return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

static bool is_named(const ct_run_resource *resource, const char *path) {
    const size_t length = strlen(resource->name);
    return strncmp(resource->name, path, length) == 0 && path[length] == '.' &&
           strcmp(path + length + 1, resource->type->name) == 0;
}

// The one with this source, or where there is no such file the one of this name.
static ct_run_resource *find_resource(ct_run *run) {
    const char *const path = asked_path(run);
    const bool is_file = ct_scan_has(&run->scan, path);
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        ct_run_resource *const resource = &run->resources.items[i];
        if (is_file ? strcmp(resource->source, path) == 0 : is_named(resource, path))
            return resource;
    }
    return NULL;
}

// The source nearest to what was asked for, or NULL: first one of the name that was given without
// its type.
static const char *nearest_source(ct_run *run) {
    const char **const sources = CT_NEW_ARRAY(run->allocator, const char *, run->resources.count);
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        sources[i] = run->resources.items[i].source;
        if (strcmp(run->resources.items[i].name, asked_path(run)) == 0)
            return sources[i];
    }
    return ct_nearest_name(asked_path(run), sources, run->resources.count);
}

// A source that is there, but not for this platform.
static bool is_of_other_platform(const ct_run *run, const char *path) {
    return ct_scan_has(&run->scan, path) && ct_run_type_named(run, ct_path_extension(path));
}

// --- Reasons -------------------------------------------------------------------------------------

// What came of a file that the last compilation read or looked for.
static const char *change_of(uint64_t before, uint64_t now, bool is_there) {
    if (now == 0 && is_there)
        return before == 0 ? "exists, but cannot be read" : "can no longer be read";
    if (before == now)
        return now == 0 ? "does not exist, as before" : "has not changed";
    if (before == 0)
        return "can be read now, but could not be before";
    return now == 0 ? "is gone" : "has changed";
}

static const char *change_of_setting(uint64_t before, uint64_t now) {
    if (before == now)
        return now == 0 ? "is not set, as before" : "has not changed";
    return before == 0 ? "is set now" : now == 0 ? "is no longer set" : "has changed";
}

static bool is_setting(const char *path) {
    return strncmp(path, CT_SETTING_PREFIX, strlen(CT_SETTING_PREFIX)) == 0;
}

static bool is_component(const char *path) {
    return strncmp(path, CT_SOURCE_COMPONENT, strlen(CT_SOURCE_COMPONENT)) == 0;
}

static const char *change_of_component(uint64_t before, uint64_t now) {
    if (before == now)
        return now == 0 ? "is added by no plugin, as before" : "has not changed";
    return before == 0 ? "is added by a plugin now" : "is no longer added by a plugin";
}

// True when one of them is not as it was.
static bool explain_includes(ct_run *run, const ct_run_resource *resource) {
    const ct_data_index_include *const includes =
        ct_blob_at(run->old_index, resource->old->includes.offset);
    bool has_changed = false;
    for (uint32_t i = 0; i < resource->old->includes.count; ++i) {
        const char *const path = ct_blob_at(run->old_index, includes[i].path.offset);
        const uint64_t now = ct_scan_hash(&run->scan, path);
        const uint64_t before = includes[i].content_hash;
        if (before != 0 && now != 0 && before != now)
            add_line(run, "%s has changed (%016" PRIx64 ", now %016" PRIx64 ")", path, before, now);
        else
            add_line(run, "%s %s", path,
                     is_setting(path) ? change_of_setting(before, now)
                     : is_component(path)
                         ? change_of_component(before, now)
                         : change_of(before, now, ct_scan_was_found(&run->scan, path)));
        has_changed |= now != before;
    }
    return has_changed;
}

static void explain_data(ct_run *run, const ct_run_resource *resource) {
    if (resource->old->data_hash == 0)
        add_line(run, "it has no data yet");
    else if (resource->data_hash == 0)
        add_line(run, "its data file %s",
                 ct_run_data_file_of(run, resource, CT_RUN_FILE_KIND_DATA)
                     ? "does not match the index"
                     : "is missing");
    else
        add_line(run, "its data file exists");
}

// When files and data are as they were, its key tells that something else is not.
static void explain_key(ct_run *run, const ct_run_resource *resource) {
    if (resource->type->needs_listing)
        add_line(run, "the list of the project's resources has changed, or the version of the "
                      "compile function or of the data's layout");
    else
        add_line(run, "the version of the compile function or of the data's layout has changed, or "
                      "a setting that it reads");
}

static void explain_failure(ct_run *run, const ct_run_resource *resource) {
    const ct_data_index_error *const errors =
        ct_blob_at(run->old_index, resource->old->errors.offset);
    add_line(run, "its last compilation failed and is retried until it succeeds: %s",
             (const char *)ct_blob_at(run->old_index, errors[0].message.offset));
}

void ct_run_explain(ct_run *run) {
    if (!run->compiler->explained)
        return;
    const ct_run_resource *const resource = find_resource(run);
    if (!resource)
        return;
    if (!resource->old) {
        add_line(run, "it is new: the index of compiled data does not list it");
        return;
    }
    const char *const old_source = ct_blob_at(run->old_index, resource->old->source.offset);
    const bool has_moved = strcmp(old_source, resource->source) != 0;
    if (has_moved)
        add_line(run, "its source was %s before: another variant for the platform", old_source);
    const bool has_changed = explain_includes(run, resource) || has_moved;
    explain_data(run, resource);
    if (resource->old->errors.count > 0)
        explain_failure(run, resource);
    else if (resource->must_compile && !has_changed && resource->data_hash != 0)
        explain_key(run, resource);
    else if (!resource->must_compile)
        add_line(run, "versions, platform%s have not changed",
                 resource->type->needs_listing ? " and the list of resources" : " and settings");
}

// --- Outcome -------------------------------------------------------------------------------------

static const char *outcome_of(const ct_run_resource *resource) {
    if (resource->record.errors.count > 0)
        return resource->data_hash != 0 ? "failed and keeps its last good data"
                                        : "failed and has no data";
    if (!resource->must_compile)
        return "is up to date";
    return resource->is_data_written ? "was compiled" : "was compiled, to the same data";
}

void ct_run_explain_outcome(ct_run *run) {
    if (!run->compiler->explained)
        return;
    const ct_run_resource *const resource = find_resource(run);
    const char *const nearest = resource ? NULL : nearest_source(run);
    if (resource)
        add_line(run, "%s %s", resource->source, outcome_of(resource));
    else if (is_of_other_platform(run, asked_path(run)))
        add_line(run,
                 "%s is not compiled for %s: it is for another platform, or for all platforms "
                 "while a variant for this one exists",
                 asked_path(run), run->compiler->source_platform);
    else if (nearest)
        add_line(run, "there is no resource \"%s\" (did you mean \"%s\"?)", asked_path(run),
                 nearest);
    else
        add_line(run, "there is no resource \"%s\"", asked_path(run));
    ct_string_array *const lines = &run->compiler->report.explanation;
    char *const first = lines->items[lines->count - 1];
    memmove(lines->items + 1, lines->items, (lines->count - 1) * sizeof(*lines->items));
    lines->items[0] = first;
}
