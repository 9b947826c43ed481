#include "cli/strings_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/strings_uses.h"
#include "compiler/compiler_setting.h"
#include "compiler/strings_placeholders.h"
#include "foundation/error.h"
#include "foundation/file.h"
#include "foundation/path.h"
#include "foundation/string_builder.h"
#include "resource/resource_variant.h"

const char *ct_strings_finding_name(ct_strings_finding_kind kind) {
    static const char *const names[CT_STRINGS_FINDING_COUNT] = {
        [CT_STRINGS_FINDING_NONE] = "none",       [CT_STRINGS_FINDING_BROKEN] = "broken",
        [CT_STRINGS_FINDING_MISSING] = "missing", [CT_STRINGS_FINDING_DIFFERENT] = "different",
        [CT_STRINGS_FINDING_UNKNOWN] = "unknown", [CT_STRINGS_FINDING_UNUSED] = "unused",
    };
    return names[kind];
}

void ct_strings_check_add(ct_strings_check *check, const ct_strings_finding *finding) {
    ct_strings_finding f = *finding;
    f.key = ct_copy_string(check->allocator, f.key);
    f.file = ct_copy_string(check->allocator, f.file);
    f.message = ct_copy_string(check->allocator, f.message);
    ct_array_push(&check->findings, f);
    check->counts[f.kind]++;
}

// --- Files ---------------------------------------------------------------------------------------

// The length of the resource's name in a path: to the first dot of the file's name.
static size_t name_bytes(const char *path) {
    const char *const file = ct_path_file_name(path);
    return (size_t)(file - path) + strcspn(file, ".");
}

static bool visit(void *user, const ct_found_file *found) {
    ct_strings_check *const check = user;
    const bool is_core = strncmp(found->path, "core/", 5) == 0;
    if (is_core || strcmp(ct_path_extension(found->path), "strings") != 0)
        return true;
    const char *const path = ct_copy_string(check->allocator, found->path);
    const ct_strings_file file = {.path = path,
                                  .is_default = strcmp(path + name_bytes(path), ".strings") == 0};
    ct_array_push(&check->files, file);
    return true;
}

// A file whose errors are being told.
typedef struct file_errors {
    ct_strings_check *check;
    const ct_strings_file *file;
    uint32_t resource;
} file_errors;

static void add_broken(const file_errors *e, const char *file, uint32_t line, uint32_t column,
                       const char *message) {
    ct_strings_check_add(e->check, &(ct_strings_finding){.kind = CT_STRINGS_FINDING_BROKEN,
                                                         .resource = e->resource,
                                                         .key = "",
                                                         .file = file,
                                                         .line = line,
                                                         .column = column,
                                                         .message = message});
}

// What is wrong in the settings is told once, whichever files ask for it.
static void report(void *user, const ct_sjson *doc, ct_sjson_value at, const char *message) {
    file_errors *const e = user;
    const bool is_of_settings = doc == e->check->settings;
    uint32_t line, column;
    ct_sjson_position(doc, at, &line, &column);
    if (!is_of_settings || !e->check->has_told_settings)
        add_broken(e, ct_sjson_file(doc), line, column, message);
    e->check->has_told_settings |= is_of_settings;
}

static ct_sjson_value default_language(void *user, const ct_sjson **settings) {
    *settings = ((const file_errors *)user)->check->settings;
    return ct_setting_find(*settings, "language");
}

static uint64_t hash_of(const char *key) {
    return ct_string_id64_of(key).value;
}

// Collects the properties of a file, borrowed from `parts`, but for its platform. Returns how many.
static uint32_t find_properties(const file_errors *e, ct_source_name *parts,
                                const char *properties[CT_VARIANT_MAX_PROPERTIES]) {
    char stem[CT_PATH_BYTES];
    ct_error error = {0};
    uint32_t count = 0;
    const size_t bytes = strlen(e->file->path) - strlen(".strings");
    snprintf(stem, sizeof(stem), "%.*s", (int)bytes, e->file->path);
    if (!ct_source_name_parse(stem, "strings", parts, &error)) {
        add_broken(e, e->file->path, 0, 0, error.message);
        return 0;
    }
    for (uint32_t i = 0; i < parts->num_properties; i++) {
        if (!ct_setting_has_platform(e->check->settings, ct_source_name_property(parts, i)))
            properties[count++] = ct_source_name_property(parts, i);
    }
    return count;
}

static void read_file(ct_strings_check *check, ct_strings_file *file, uint32_t resource) {
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    file_errors errors = {.check = check, .file = file, .resource = resource};
    ct_hash_map_init(&file->by_key, check->allocator);
    if (ct_path_try_join(path, check->project, file->path))
        file->doc = ct_sjson_read(check->heap, path, file->path, &error);
    if (!file->doc) {
        add_broken(&errors, file->path, error.line, error.column, error.message);
        return;
    }
    ct_source_name parts;
    const char *properties[CT_VARIANT_MAX_PROPERTIES];
    const ct_strings_source_desc desc = {.allocator = check->allocator,
                                         .doc = file->doc,
                                         .properties = properties,
                                         .num_properties =
                                             find_properties(&errors, &parts, properties),
                                         .default_language = default_language,
                                         .report = report,
                                         .user = &errors};
    file->is_broken = !ct_strings_source_read(&desc, &file->source);
    for (uint32_t i = 0; i < file->source.texts.count; i++)
        ct_hash_map_set(&file->by_key, hash_of(file->source.texts.items[i].key), i);
}

// The text of a key in a file, or NULL.
static const ct_strings_source_text *find_text(const ct_strings_file *file, const char *key) {
    const uint64_t *const place = ct_hash_map_find(&file->by_key, hash_of(key));
    return place ? &file->source.texts.items[*place] : NULL;
}

bool ct_strings_has_before(const ct_strings_check *check, const ct_strings_group *group,
                           uint32_t end, const char *key) {
    for (uint32_t i = group->first_file; i < end; i++) {
        if (check->files.items[i].doc && find_text(&check->files.items[i], key))
            return true;
    }
    return false;
}

// --- Resources -----------------------------------------------------------------------------------

// Moves the default file of a group, when it has one, before its others.
static void put_default_first(ct_strings_check *check, const ct_strings_group *group) {
    ct_strings_file *const files = check->files.items + group->first_file;
    for (uint32_t i = 1; i < group->num_files; i++) {
        const ct_strings_file file = files[i];
        if (!file.is_default)
            continue;
        memmove(files + 1, files, i * sizeof(*files));
        files[0] = file;
        return;
    }
}

// Cuts the files, sorted by path, where the resource's name changes.
static void group_files(ct_strings_check *check) {
    for (uint32_t i = 0; i < check->files.count; i++) {
        const char *const path = check->files.items[i].path;
        const size_t bytes = name_bytes(path);
        ct_strings_group *const last =
            check->groups.count > 0 ? &check->groups.items[check->groups.count - 1] : NULL;
        if (last && strlen(last->name) == bytes && memcmp(last->name, path, bytes) == 0) {
            last->num_files++;
            continue;
        }
        char *const name = ct_copy_string(check->allocator, path);
        name[bytes] = '\0';
        const ct_strings_group group = {.name = name, .first_file = i, .num_files = 1};
        ct_array_push(&check->groups, group);
    }
}

// A comparison in hand: a text of a file, and the one of another file that it should be like.
typedef struct comparison {
    ct_strings_check *check;
    uint32_t resource;
    const ct_strings_file *file, *model;
    const ct_strings_source_text *text, *model_text;
} comparison;

CT_PRINTF(2, 3)
static void add_difference(const comparison *c, const char *format, ...) {
    char message[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    ct_strings_finding f = {.kind = CT_STRINGS_FINDING_DIFFERENT,
                            .resource = c->resource,
                            .key = c->text->key,
                            .file = c->file->path,
                            .message = message};
    ct_sjson_position(c->file->doc, c->text->at, &f.line, &f.column);
    ct_strings_check_add(c->check, &f);
}

// --- Placeholders and plural forms ---------------------------------------------------------------

static void compare_placeholders(const comparison *c) {
    const ct_strings_placed_text text = {c->file->doc, c->text};
    const ct_strings_placed_text model = {c->model->doc, c->model_text};
    ct_string_builder lacking, extra;
    ct_string_builder_init(&lacking, c->check->allocator);
    ct_string_builder_init(&extra, c->check->allocator);
    if (ct_strings_placeholders_beyond(model, text, &lacking))
        add_difference(c, "has no %s, which %s has", ct_string_builder_text(&lacking),
                       c->model->path);
    if (ct_strings_placeholders_beyond(text, model, &extra))
        add_difference(c, "has %s, which %s has not", ct_string_builder_text(&extra),
                       c->model->path);
}

// That a text with plural forms has those that its language needs for small numbers, and one
// without has them where the other language's has them.
static void check_forms(const comparison *c) {
    const ct_plural_language *const language = &c->file->source.language;
    char names[CT_PLURAL_CATEGORIES_BYTES];
    if (!c->text->is_plural) {
        ct_plural_categories_text(language->common, names);
        if (c->model_text->is_plural && language->common != 1u << CT_PLURAL_OTHER)
            add_difference(c, "has no plural forms, as %s has; %s needs %s", c->model->path,
                           language->tag, names);
        return;
    }
    uint32_t lacking = 0;
    for (uint32_t i = 0; i < CT_PLURAL_COUNT; i++)
        lacking |= (c->text->forms[i].entry == 0) << i;
    ct_plural_categories_text(lacking & language->common, names);
    if (lacking & language->common)
        add_difference(c, "lacks the plural forms for %s, which %s needs", names, language->tag);
}

// --- Keys ----------------------------------------------------------------------------------------

static void add_missing(ct_strings_check *check, uint32_t resource, const ct_strings_file *file,
                        const ct_strings_file *model, const ct_strings_source_text *text) {
    char message[CT_ERROR_MESSAGE_BYTES];
    uint32_t line, column;
    ct_sjson_position(model->doc, text->at, &line, &column);
    snprintf(message, sizeof(message), "is missing; %s:%u has it", model->path, line);
    ct_strings_check_add(check, &(ct_strings_finding){.kind = CT_STRINGS_FINDING_MISSING,
                                                      .resource = resource,
                                                      .key = text->key,
                                                      .file = file->path,
                                                      .message = message});
}

// One key, as `model`, the first file that has it, says it, against the other files.
static void check_key(ct_strings_check *check, uint32_t resource, uint32_t model_file,
                      const ct_strings_source_text *text) {
    const ct_strings_group *const g = &check->groups.items[resource];
    const ct_strings_file *const model = &check->files.items[model_file];
    for (uint32_t i = 0; i < g->num_files; i++) {
        const ct_strings_file *const file = &check->files.items[g->first_file + i];
        const ct_strings_source_text *const found = file->doc ? find_text(file, text->key) : NULL;
        const comparison c = {check, resource, file, model, found, text};
        if (!file->doc)
            continue;
        if (!found) {
            // What is wrong in a file may well be this key.
            if (!file->is_broken)
                add_missing(check, resource, file, model, text);
            continue;
        }
        if (file != model)
            compare_placeholders(&c);
        check_forms(&c);
    }
}

// Goes through the different keys of a resource: those of its first file, then what the others have
// beyond them.
static void check_keys(ct_strings_check *check, uint32_t resource) {
    ct_strings_group *const g = &check->groups.items[resource];
    for (uint32_t i = g->first_file; i < g->first_file + g->num_files; i++) {
        const ct_strings_file *const file = &check->files.items[i];
        for (uint32_t k = 0; file->doc && k < file->source.texts.count; k++) {
            const ct_strings_source_text *const text = &file->source.texts.items[k];
            if (ct_strings_has_before(check, g, i, text->key))
                continue;
            g->num_keys++;
            check_key(check, resource, i, text);
        }
    }
}

// --- All -----------------------------------------------------------------------------------------

static int order_of(const ct_strings_finding *a, const ct_strings_finding *b) {
    const bool are_apart =
        (a->kind == CT_STRINGS_FINDING_UNKNOWN) != (b->kind == CT_STRINGS_FINDING_UNKNOWN);
    if (are_apart)
        return a->kind == CT_STRINGS_FINDING_UNKNOWN ? 1 : -1;
    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    if (a->kind != b->kind)
        return (int)a->kind - (int)b->kind;
    const int by_file = strcmp(a->file, b->file);
    if (by_file)
        return by_file;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    const int by_key = strcmp(a->key, b->key);
    return by_key ? by_key : strcmp(a->message, b->message);
}

static int compare_findings(const void *a, const void *b) {
    return order_of(a, b);
}

bool ct_strings_check_run(ct_strings_check *check, ct_allocator *scratch, ct_allocator *heap,
                          const char *project, ct_error *error) {
    char settings[CT_PATH_BYTES];
    memset(check, 0, sizeof(*check));
    check->allocator = scratch;
    check->heap = heap;
    check->project = project;
    ct_array_init(&check->files, scratch);
    ct_array_init(&check->groups, scratch);
    ct_array_init(&check->findings, scratch);
    if (!ct_folder_walk(project, visit, check, error))
        return false;
    if (ct_path_try_join(settings, project, "settings.config"))
        check->settings = ct_sjson_read(heap, settings, "settings.config", NULL);
    group_files(check);
    for (uint32_t i = 0; i < check->groups.count; i++) {
        const ct_strings_group *const g = &check->groups.items[i];
        put_default_first(check, g);
        for (uint32_t k = 0; k < g->num_files; k++)
            read_file(check, &check->files.items[g->first_file + k], i);
        check_keys(check, i);
    }
    if (!ct_strings_uses_check(check, error))
        return false;
    if (check->findings.count > 0)
        qsort(check->findings.items, check->findings.count, sizeof(ct_strings_finding),
              compare_findings);
    return true;
}

void ct_strings_check_free(ct_strings_check *check) {
    for (uint32_t i = 0; i < check->files.count; i++)
        ct_sjson_free(check->files.items[i].doc);
    ct_sjson_free(check->settings);
    check->files.count = 0;
    check->settings = NULL;
}
