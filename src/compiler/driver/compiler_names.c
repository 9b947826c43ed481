#include "compiler/driver/compiler_run.h"
#include "foundation/error.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/platform.h"
#include "resource/resource_variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_fault(ct_run *run, const char *file, uint32_t line, uint32_t column,
                      const char *message) {
    ct_array_push(&run->faults,
                  (ct_compile_fault){.file = file,
                                     .line = line,
                                     .column = column,
                                     .message = ct_copy_string(run->allocator, message)});
}

// --- Platforms -----------------------------------------------------------------------------------

static bool is_platform_text(const char *text) {
    const size_t length = strlen(text);
    return length > 0 && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-") == length;
}

static void add_bad_platform(ct_run *run, ct_sjson_value at, const char *what) {
    uint32_t line = 0, column = 0;
    ct_sjson_position(run->scan.settings, at, &line, &column);
    add_fault(run, CT_SETTINGS_SOURCE, line, column, what);
}

static bool is_platform(const ct_run *run, const char *word) {
    for (uint32_t i = 0; i < run->platform_words.count; ++i)
        if (strcmp(run->platform_words.items[i], word) == 0)
            return true;
    return false;
}

// While the settings are broken, as of the last run.
static void take_old_platforms(ct_run *run) {
    const ct_data_index *const index = run->old_index;
    const ct_blob_string *const words = index ? ct_blob_at(index, index->platforms.offset) : NULL;
    for (uint32_t i = 0; index && i < index->platforms.count; ++i)
        ct_array_push(&run->platform_words, ct_blob_at(index, words[i].offset));
}

// The words that settings.config calls platforms.
static void read_platforms(ct_run *run) {
    const ct_sjson *const doc = run->scan.settings;
    const ct_sjson_value list = ct_setting_find(doc, "platforms");
    if (!list.entry)
        return;
    if (ct_sjson_type_of(doc, list) != CT_SJSON_TYPE_ARRAY) {
        add_bad_platform(run, list, "platforms is not an array; expected an array of words");
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v)) {
        const char *const word = ct_sjson_string(doc, v, "");
        if (is_platform_text(word) && !is_platform(run, word))
            ct_array_push(&run->platform_words, word);
        else if (!is_platform(run, word))
            add_bad_platform(run, v, "not a platform name; expected a word of a-z, 0-9, _ and -");
    }
}

bool ct_run_check_platform(ct_run *run, ct_error *error) {
    uint32_t count = 0;
    const ct_platform *const platforms = ct_platforms(&count);
    for (uint32_t i = 0; i < count; ++i)
        ct_array_push(&run->platform_words, platforms[i].name);
    if (run->scan.are_settings_bad)
        take_old_platforms(run);
    else
        read_platforms(run);
    return ct_setting_check_source_platform(run->compiler->source_platform,
                                            run->platform_words.items, run->platform_words.count,
                                            error);
}

// --- Sources -------------------------------------------------------------------------------------

// The platform among a source's properties: NULL when there is none. False after a fault when there
// are two.
static bool find_platform(ct_run *run, const ct_source_name *parts, const char *path,
                          const char **platform) {
    *platform = NULL;
    for (uint32_t i = 0; i < parts->num_properties; ++i) {
        if (!is_platform(run, ct_source_name_property(parts, i)))
            continue;
        if (*platform) {
            char message[CT_ERROR_MESSAGE_BYTES];
            snprintf(message, sizeof(message),
                     "the name has two platforms, \"%s\" and \"%s\"; a source is for one platform "
                     "or for all",
                     *platform, ct_source_name_property(parts, i));
            add_fault(run, path, 0, 0, message);
            return false;
        }
        *platform = ct_source_name_property(parts, i);
    }
    return true;
}

// Sets what a resource has of its properties: id and name of the variant among it.
static void set_properties(ct_run *run, ct_run_resource *resource, const ct_source_name *parts) {
    char data_name[CT_RESOURCE_NAME_BYTES];
    ct_source_name_data_name(parts, resource->platform, data_name);
    resource->id = ct_resource_id_of(resource->type->name, data_name);
    resource->name = ct_copy_string(run->allocator, data_name);
    const char **const properties =
        CT_NEW_ARRAY(run->allocator, const char *, parts->num_properties);
    for (uint32_t i = 0; i < parts->num_properties; ++i)
        if (!resource->platform ||
            strcmp(ct_source_name_property(parts, i), resource->platform) != 0)
            properties[resource->num_properties++] =
                ct_copy_string(run->allocator, ct_source_name_property(parts, i));
    resource->properties = properties;
}

// True for a source that differs from another one only in the case of its letters: it is told so,
// since on some machines they are one file.
static bool is_told_for_case(ct_run *run, const char *path) {
    char lower[CT_PATH_BYTES], message[CT_ERROR_MESSAGE_BYTES];
    snprintf(lower, sizeof(lower), "%s", path);
    for (char *c = lower; *c; ++c)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    if (strcmp(lower, path) == 0 || !ct_scan_has(&run->scan, lower))
        return false;
    snprintf(message, sizeof(message),
             "\"%.400s\" and \"%.400s\" differ only in case: rename this one with only a-z, 0-9, "
             "_, - and /",
             path, lower);
    add_fault(run, path, 0, 0, message);
    return true;
}

static void add_resource(ct_run *run, const ct_compiler_type *type, uint32_t file) {
    const char *const path = run->scan.files.items[file].path;
    char stem[CT_PATH_BYTES];
    const size_t stem_length = strlen(path) - strlen(type->name) - 1;
    memcpy(stem, path, stem_length);
    stem[stem_length] = 0;
    ct_source_name parts;
    ct_error error = {0};
    const char *platform = NULL;
    if (!ct_source_name_parse(stem, type->name, &parts, &error)) {
        if (!is_told_for_case(run, path))
            add_fault(run, path, 0, 0, error.message);
        return;
    }
    if (!find_platform(run, &parts, path, &platform))
        return;
    ct_run_resource resource = {
        .base = ct_resource_id_of(type->name, parts.name),
        .type = type,
        .base_name = ct_copy_string(run->allocator, parts.name),
        .platform = platform ? ct_copy_string(run->allocator, platform) : NULL,
        .source = path,
        .file = file,
    };
    resource.id = resource.base;
    resource.name = resource.base_name;
    if (parts.num_properties > 0)
        set_properties(run, &resource, &parts);
    ct_compile_answer_init(&resource.record, run->allocator);
    ct_array_push(&run->resources, resource);
}

// The next file of a type from `i` on, or `end`.
static uint32_t next_of_type(const ct_run *run, const ct_resource_type *type, uint32_t i,
                             uint32_t end) {
    while (i < end && run->scan.files.items[i].type != type)
        ++i;
    return i;
}

// In the order of paths, which those of the project and those of core have each.
static void add_resources_of(ct_run *run, const ct_compiler_type *type) {
    const ct_resource_type *const of = ct_resource_type_named(type->name);
    const uint32_t project_end = run->scan.num_project, end = run->scan.num_found;
    const ct_scan_file *const files = run->scan.files.items;
    uint32_t i = next_of_type(run, of, 0, project_end);
    uint32_t k = next_of_type(run, of, project_end, end);
    while (i < project_end || k < end) {
        if (k == end || (i < project_end && strcmp(files[i].path, files[k].path) < 0)) {
            add_resource(run, type, i);
            i = next_of_type(run, of, i + 1, project_end);
        } else {
            add_resource(run, type, k);
            k = next_of_type(run, of, k + 1, end);
        }
    }
}

// By type, then path. Files of no type are media, or not for us.
static void add_resources(ct_run *run) {
    ct_array_reserve(&run->resources, run->scan.num_found);
    for (uint32_t i = 0; i < run->num_types; ++i)
        add_resources_of(run, &run->types[i]);
}

// --- Selection -----------------------------------------------------------------------------------

static int compare_resources(const void *a, const void *b) {
    const ct_run_resource *x = a, *y = b;
    int order = x->type == y->type ? 0 : strcmp(x->type->name, y->type->name);
    order = order ? order : strcmp(x->base_name, y->base_name);
    order = order ? order : strcmp(x->name, y->name);
    return order ? order : strcmp(x->source, y->source);
}

// The order of paths is nearly that of names, so that this is rarely needed.
static void sort_resources(ct_run *run) {
    const ct_run_resource *const items = run->resources.items;
    uint32_t i = 1;
    while (i < run->resources.count && compare_resources(&items[i - 1], &items[i]) < 0)
        ++i;
    if (i < run->resources.count)
        qsort(run->resources.items, run->resources.count, sizeof(*items), compare_resources);
}

static bool is_same_base(const ct_run_resource *x, const ct_run_resource *y) {
    return x->type == y->type && strcmp(x->base_name, y->base_name) == 0;
}

static bool is_for_source_platform(const ct_run *run, const ct_run_resource *resource) {
    return resource->platform && strcmp(resource->platform, run->compiler->source_platform) == 0;
}

// Of each resource keeps the variants for the platform, or where there are none those for all.
static void choose_platform(ct_run *run) {
    uint32_t kept = 0, end = 0;
    for (uint32_t first = 0; first < run->resources.count; first = end) {
        const ct_run_resource *const items = run->resources.items;
        bool has_platform = false;
        for (end = first; end < run->resources.count && is_same_base(&items[first], &items[end]);
             ++end)
            has_platform |= is_for_source_platform(run, &items[end]);
        const uint32_t kept_before = kept;
        const ct_run_resource one = items[first];
        for (uint32_t i = first; i < end; ++i) {
            const ct_run_resource resource = run->resources.items[i];
            if (has_platform ? is_for_source_platform(run, &resource) : !resource.platform)
                run->resources.items[kept++] = resource;
        }
        if (kept == kept_before) // others may ask where it is
            ct_array_push(&run->elsewhere, one);
    }
    run->resources.count = kept;
}

// The resource that has the hash of another name, or NULL.
static const char *find_clash(const ct_run *run, const ct_run_resource *resource) {
    const uint64_t by_id = ct_hash_map_get(&run->by_id, ct_resource_id_key(resource->id), 0);
    if (by_id > 0)
        return run->resources.items[by_id - 1].source;
    const uint64_t by_base = ct_hash_map_get(&run->by_base, ct_resource_id_key(resource->base), 0);
    if (by_base > 0 && !is_same_base(&run->resources.items[by_base - 1], resource))
        return run->resources.items[by_base - 1].source;
    return NULL;
}

// Finds resources by id; the second of two with the same one is a fault.
static void index_resources(ct_run *run) {
    uint32_t kept = 0;
    ct_hash_map_reserve(&run->by_id, run->resources.count);
    ct_hash_map_reserve(&run->by_base, run->resources.count);
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        const ct_run_resource resource = run->resources.items[i];
        const char *const clash = find_clash(run, &resource);
        if (clash) {
            char message[CT_ERROR_MESSAGE_BYTES];
            snprintf(message, sizeof(message),
                     "this name has the same hash as \"%s\": rename one of them", clash);
            add_fault(run, resource.source, 0, 0, message);
            continue;
        }
        run->resources.items[kept++] = resource;
        ct_hash_map_set(&run->by_id, ct_resource_id_key(resource.id), kept);
        if (!ct_hash_map_find(&run->by_base, ct_resource_id_key(resource.base)))
            ct_hash_map_set(&run->by_base, ct_resource_id_key(resource.base), kept);
    }
    run->resources.count = kept;
}

// --- Listing -------------------------------------------------------------------------------------

// Each resource once, whatever its variants.
static void make_listing(ct_run *run) {
    ct_byte_array text;
    ct_array_init(&text, run->compiler->allocator);
    run->listing = CT_NEW_ARRAY(run->allocator, ct_compile_listed, run->resources.count);
    run->num_listed = 0;
    for (uint32_t i = 0; i < run->resources.count; ++i) {
        const ct_run_resource *const resource = &run->resources.items[i];
        if (i > 0 && is_same_base(&run->resources.items[i - 1], resource))
            continue;
        const ct_compile_listed listed = {resource->type->name, resource->base_name};
        run->listing[run->num_listed++] = listed;
        ct_array_push_many(&text, (const uint8_t *)listed.name, (uint32_t)strlen(listed.name) + 1);
        ct_array_push_many(&text, (const uint8_t *)listed.type, (uint32_t)strlen(listed.type) + 1);
    }
    run->listing_hash = ct_content_hash(text.items, text.count);
    ct_array_free(&text);
}

void ct_run_find_resources(ct_run *run) {
    if (run->scan.has_core_folder)
        add_fault(run, "core", 0, 0,
                  "the project's own folder \"core\" cannot be used, because core/ is the engine's "
                  "folder: rename it");
    add_resources(run);
    sort_resources(run);
    choose_platform(run);
    index_resources(run);
    make_listing(run);
}
