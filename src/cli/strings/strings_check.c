#include "cli/strings/strings_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/strings/strings_uses.h"
#include "compiler/strings/strings_placeholders.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"
#include "project/project_setting.h"
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
    ++check->counts[f.kind];
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
    const ct_strings_file file = {
        .path = ct_copy_string(check->allocator, found->path), .platform = "", .words = ""};
    ct_array_push(&check->files, file);
    return true;
}

// Takes the name of a file apart. False with `error` when it is that of no variant.
static bool parse_name(const ct_strings_file *file, ct_source_name *parts, ct_error *error) {
    char stem[CT_PATH_BYTES];
    const size_t bytes = strlen(file->path) - strlen(".strings");
    snprintf(stem, sizeof(stem), "%.*s", (int)bytes, file->path);
    return ct_source_name_parse(stem, "strings", parts, error);
}

// Says which platform a file is for, and whether it is the default one there.
static void place_file(const ct_strings_check *check, ct_strings_file *file) {
    ct_source_name parts;
    ct_error error;
    file->is_default = strcmp(file->path + name_bytes(file->path), ".strings") == 0;
    if (!parse_name(file, &parts, &error))
        return;
    for (uint32_t i = 0; i < parts.num_properties && file->platform[0] == '\0'; ++i) {
        const char *const word = ct_source_name_property(&parts, i);
        if (ct_setting_has_platform(check->settings, word))
            file->platform = ct_copy_string(check->allocator, word);
    }
    file->is_default = parts.num_properties == (file->platform[0] != '\0');
}

// A file whose errors are being told.
typedef struct file_errors {
    ct_strings_check *check;
    const ct_strings_file *file;
    uint32_t group;
} file_errors;

static void add_broken(const file_errors *e, const char *file, uint32_t line, uint32_t column,
                       const char *message) {
    ct_strings_check_add(e->check, &(ct_strings_finding){.kind = CT_STRINGS_FINDING_BROKEN,
                                                         .group = e->group,
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
    ct_error error = {0};
    uint32_t count = 0;
    if (!parse_name(e->file, parts, &error)) {
        add_broken(e, e->file->path, 0, 0, error.message);
        return 0;
    }
    for (uint32_t i = 0; i < parts->num_properties; ++i) {
        if (!ct_setting_has_platform(e->check->settings, ct_source_name_property(parts, i)))
            properties[count++] = ct_source_name_property(parts, i);
    }
    return count;
}

// What is told apart from others of the same language by: the properties but the language.
static const char *words_of(const ct_strings_source_desc *desc, const ct_strings_source *source) {
    ct_string_builder words;
    ct_string_builder_init(&words, desc->allocator);
    for (uint32_t i = 0; i < desc->num_properties; ++i) {
        const char *const word = desc->properties[i];
        const char *const joint = ct_string_builder_text(&words)[0] != '\0' ? "." : "";
        if (strcmp(word, source->language.tag) != 0)
            ct_string_builder_addf(&words, "%s%s", joint, word);
    }
    return ct_string_builder_text(&words);
}

// A property that was meant for the language: nothing else is wrong with the file.
static void tell_mistake(const file_errors *e) {
    char message[CT_ERROR_MESSAGE_BYTES];
    uint32_t line, column;
    if (!e->file->source.mistaken)
        return;
    ct_strings_source_mistake(&e->file->source, message);
    ct_sjson_position(e->file->doc, ct_sjson_root(e->file->doc), &line, &column);
    add_broken(e, e->file->path, line, column, message);
}

static void read_file(ct_strings_check *check, ct_strings_file *file, uint32_t group) {
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    file_errors errors = {.check = check, .file = file, .group = group};
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
    file->words = words_of(&desc, &file->source);
    tell_mistake(&errors);
    file->source.mistaken = NULL; // its text ends with `parts`
    for (uint32_t i = 0; i < file->source.texts.count; ++i)
        ct_hash_map_set(&file->by_key, hash_of(file->source.texts.items[i].key), i);
}

// The text of a key in a file, or NULL.
static const ct_strings_source_text *find_text(const ct_strings_file *file, const char *key) {
    const uint64_t *const place = ct_hash_map_find(&file->by_key, hash_of(key));
    return place ? &file->source.texts.items[*place] : NULL;
}

bool ct_strings_has_before(const ct_strings_check *check, uint32_t first, uint32_t end,
                           const char *key) {
    for (uint32_t i = first; i < end; ++i) {
        if (check->files.items[i].doc && find_text(&check->files.items[i], key))
            return true;
    }
    return false;
}

// --- Resources -----------------------------------------------------------------------------------

static int compare_names(const ct_strings_file *a, const ct_strings_file *b) {
    const size_t a_bytes = name_bytes(a->path), b_bytes = name_bytes(b->path);
    const int order = memcmp(a->path, b->path, a_bytes < b_bytes ? a_bytes : b_bytes);
    return order ? order : (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

// By resource, by platform (those for none first), and the default file before its others.
static int compare_files(const void *x, const void *y) {
    const ct_strings_file *const a = x, *const b = y;
    const int by_name = compare_names(a, b);
    if (by_name)
        return by_name;
    const int by_platform = strcmp(a->platform, b->platform);
    if (by_platform)
        return by_platform;
    if (a->is_default != b->is_default)
        return a->is_default ? -1 : 1;
    return strcmp(a->path, b->path);
}

static void add_group(ct_strings_check *check, uint32_t first, bool is_new) {
    const ct_strings_file *const file = &check->files.items[first];
    char *const name = ct_copy_string(check->allocator, file->path);
    name[name_bytes(name)] = '\0';
    const ct_strings_group *const last =
        is_new ? NULL : &check->groups.items[check->groups.count - 1];
    const ct_strings_group group = {.name = name,
                                    .platform = file->platform,
                                    .first_of_resource = last ? last->first_of_resource : first,
                                    .first_file = first};
    ct_array_push(&check->groups, group);
    check->num_resources += is_new;
}

// Sorts the files and cuts them where the resource's name or the platform changes.
static void group_files(ct_strings_check *check) {
    const ct_strings_file *const files = check->files.items;
    for (uint32_t i = 0; i < check->files.count; ++i)
        place_file(check, &check->files.items[i]);
    if (check->files.count > 1)
        qsort(check->files.items, check->files.count, sizeof(*files), compare_files);
    for (uint32_t i = 0; i < check->files.count; ++i) {
        const bool is_new = i == 0 || compare_names(&files[i - 1], &files[i]) != 0;
        if (is_new || strcmp(files[i - 1].platform, files[i].platform) != 0)
            add_group(check, i, is_new);
        ++check->groups.items[check->groups.count - 1].num_files;
    }
}

// A comparison in hand: a text of a file, and the one of another file that it should be like.
typedef struct comparison {
    ct_strings_check *check;
    uint32_t group;
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
                            .group = c->group,
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
        add_difference(c, "has %s, which is not in %s", ct_string_builder_text(&extra),
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
            add_difference(c, "has no plural forms, but %s has; %s needs %s", c->model->path,
                           language->tag, names);
        return;
    }
    uint32_t lacking = 0;
    for (uint32_t i = 0; i < CT_PLURAL_COUNT; ++i)
        lacking |= (c->text->forms[i].entry == 0) << i;
    ct_plural_categories_text(lacking & language->common, names);
    if (lacking & language->common)
        add_difference(c, "has no plural forms for %s, which %s needs", names, language->tag);
}

// --- Keys ----------------------------------------------------------------------------------------

static void add_missing(ct_strings_check *check, uint32_t group, const ct_strings_file *file,
                        const ct_strings_file *model, const ct_strings_source_text *text) {
    char message[CT_ERROR_MESSAGE_BYTES];
    uint32_t line, column;
    ct_sjson_position(model->doc, text->at, &line, &column);
    snprintf(message, sizeof(message), "is missing; %s:%u has it", model->path, line);
    ct_strings_check_add(check, &(ct_strings_finding){.kind = CT_STRINGS_FINDING_MISSING,
                                                      .group = group,
                                                      .key = text->key,
                                                      .file = file->path,
                                                      .message = message});
}

// One key, as `model`, the first file that has it, says it, against the other files.
static void check_key(ct_strings_check *check, uint32_t group, uint32_t model_file,
                      const ct_strings_source_text *text) {
    const ct_strings_group *const g = &check->groups.items[group];
    const ct_strings_file *const model = &check->files.items[model_file];
    for (uint32_t i = 0; i < g->num_files; ++i) {
        const ct_strings_file *const file = &check->files.items[g->first_file + i];
        const ct_strings_source_text *const found = file->doc ? find_text(file, text->key) : NULL;
        const comparison c = {check, group, file, model, found, text};
        if (!file->doc)
            continue;
        if (!found) {
            // What is wrong in a file may well be this key.
            if (!file->is_broken)
                add_missing(check, group, file, model, text);
            continue;
        }
        if (file != model)
            compare_placeholders(&c);
        check_forms(&c);
    }
}

// Goes through the different keys of a group: those of its first file, then what the others have
// beyond them.
static void check_keys(ct_strings_check *check, uint32_t group) {
    ct_strings_group *const g = &check->groups.items[group];
    for (uint32_t i = g->first_file; i < g->first_file + g->num_files; ++i) {
        const ct_strings_file *const file = &check->files.items[i];
        for (uint32_t k = 0; file->doc && k < file->source.texts.count; ++k) {
            const ct_strings_source_text *const text = &file->source.texts.items[k];
            if (ct_strings_has_before(check, g->first_file, i, text->key))
                continue;
            ++g->num_keys;
            check_key(check, group, i, text);
        }
    }
}

// --- All -----------------------------------------------------------------------------------------

static int order_of(const ct_strings_finding *a, const ct_strings_finding *b) {
    const bool are_apart =
        (a->kind == CT_STRINGS_FINDING_UNKNOWN) != (b->kind == CT_STRINGS_FINDING_UNKNOWN);
    if (are_apart)
        return a->kind == CT_STRINGS_FINDING_UNKNOWN ? 1 : -1;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
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
    for (uint32_t i = 0; i < check->groups.count; ++i) {
        const ct_strings_group *const g = &check->groups.items[i];
        for (uint32_t k = 0; k < g->num_files; ++k)
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
    for (uint32_t i = 0; i < check->files.count; ++i)
        ct_sjson_free(check->files.items[i].doc);
    ct_sjson_free(check->settings);
    check->files.count = 0;
    check->settings = NULL;
}
