// What plugins add to the compiler. The driver never runs their code: it copies their libraries to the cache
// folder, under names with the hash of their content, and has a worker load them and say what they add. That
// is kept beside the copies, with a key of what it is of.
#include "compiler/driver/compiler_run.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/string_builder.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/platform.h"
#include "resource/schema/setting_table.h"
#include "resource/types/component_resource.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DESCRIPTION_VERSION = 1, MAX_LOST = 4 };
#define FOLDER "plugins"
#define DESCRIPTION_FILE "description"

#ifdef CT_SANITIZE
static const double load_limit_seconds = 60;
#else
static const double load_limit_seconds = 10; // for `init` of all plugins
#endif

// A plugin of the settings.
typedef struct plugin_entry {
    const char *name;
    const char *library; // project path
    ct_sjson_value at;   // in the settings
    uint64_t hash;       // of the library's content
    const char *copy;    // absolute
} plugin_entry;

typedef struct plugin_list {
    ct_run *run;
    char folder[CT_PATH_BYTES]; // for copies
    plugin_entry items[CT_SETTING_MAX_PLUGINS];
    uint32_t count;
} plugin_list;

static void add_fault(ct_run *run, ct_sjson_value at, const char *message) {
    ct_compile_fault fault = {.file = CT_SETTINGS_SOURCE,
                              .message = ct_copy_string(run->allocator, message)};
    if (run->scan.settings && at.entry)
        ct_sjson_position(run->scan.settings, at, &fault.line, &fault.column);
    ct_array_push(&run->faults, fault);
}

// --- Libraries -----------------------------------------------------------------------------------

// What is of another form is told when the settings are compiled.
static void list_settings(plugin_list *list) {
    const ct_sjson *const doc = list->run->scan.settings;
    const ct_sjson_value plugins = ct_setting_find(doc, "plugins");
    if (!plugins.entry || ct_sjson_type_of(doc, plugins) != CT_SJSON_TYPE_OBJECT)
        return;
    for (ct_sjson_value v = ct_sjson_first(doc, plugins); v.entry; v = ct_sjson_next(doc, v)) {
        const ct_sjson_value at = ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_OBJECT
                                      ? ct_sjson_find(doc, v, CT_PLATFORM_HOST)
                                      : (ct_sjson_value){0};
        const char *const library = ct_sjson_string(doc, at, NULL);
        if (library && ct_path_is_canonical(library) && list->count < CT_SETTING_MAX_PLUGINS)
            list->items[list->count++] =
                (plugin_entry){.name = ct_sjson_key(doc, v), .library = library, .at = at};
    }
}

static void drop_entry(plugin_list *list, uint32_t i) {
    memmove(&list->items[i], &list->items[i + 1], sizeof(list->items[0]) * (list->count - i - 1));
    --list->count;
}

static bool copy_path(plugin_list *list, plugin_entry *entry) {
    char name[96], path[CT_PATH_BYTES];
    snprintf(name, sizeof(name), "%.31s-%016" PRIx64 ".so", entry->name, entry->hash);
    if (!ct_path_try_join(path, list->folder, name))
        return false;
    entry->copy = ct_copy_string(list->run->allocator, path);
    return true;
}

// Reads a library whose content is not known or not copied yet.
static bool read_library(plugin_list *list, plugin_entry *entry, const char *path,
                         const char *cache_name, ct_file_stamp stamp, ct_error *error) {
    ct_compiler *const c = list->run->compiler;
    uint64_t size_bytes = 0;
    const int64_t now_ns = ct_os_wall_time_ns();
    char *const data = ct_file_read(c->allocator, path, &size_bytes, error);
    if (!data)
        return false;
    entry->hash = ct_content_hash(data, size_bytes);
    ct_stat_cache_set(&c->cache, cache_name, stamp, entry->hash, now_ns);
    const bool result =
        (copy_path(list, entry) || ct_error_set(error, "the path of the project is too long")) &&
        ct_folder_create(list->folder, error) &&
        (ct_os_file_info(entry->copy).kind == CT_FILE_KIND_FILE ||
         ct_file_write(entry->copy, data, size_bytes, false, error));
    ct_free(c->allocator, data);
    return result;
}

// Finds the hash of a library and makes its copy. Returns false with `error`.
static bool take_library(plugin_list *list, plugin_entry *entry, ct_error *error) {
    ct_compiler *const c = list->run->compiler;
    char path[CT_PATH_BYTES], cache_name[CT_PATH_BYTES + 1];
    if (!ct_path_try_join(path, c->project_folder, entry->library))
        return ct_error_set(error, "the path of the library is too long");
    const ct_file_info info = ct_os_file_info(path);
    if (info.kind != CT_FILE_KIND_FILE)
        return ct_error_set(error,
                            "the library \"%.256s\" is not there: build the plugin, or remove this "
                            "line",
                            entry->library);
    snprintf(cache_name, sizeof(cache_name), ">%s", entry->library); // no file's path starts so
    const ct_file_stamp stamp = ct_file_stamp_of(&info);
    if (ct_stat_cache_find(&c->cache, cache_name, stamp, &entry->hash) && copy_path(list, entry) &&
        ct_os_file_info(entry->copy).kind == CT_FILE_KIND_FILE)
        return true;
    return read_library(list, entry, path, cache_name, stamp, error);
}

static void add_entry_fault(plugin_list *list, const plugin_entry *entry, const char *why) {
    char message[CT_ERROR_MESSAGE_BYTES];
    snprintf(message, sizeof(message), "the plugin \"%.31s\" is left out: %.900s", entry->name,
             why);
    add_fault(list->run, entry->at, message);
}

static void take_libraries(plugin_list *list) {
    for (uint32_t i = 0; i < list->count;) {
        ct_error error = {0};
        if (take_library(list, &list->items[i], &error)) {
            ++i;
            continue;
        }
        add_entry_fault(list, &list->items[i], error.message);
        drop_entry(list, i);
    }
}

// Of the libraries, and of what else decides what they add. Never 0.
static uint64_t key_of(const plugin_list *list) {
    ct_byte_array bytes;
    ct_array_init(&bytes, list->run->compiler->allocator);
    const uint64_t version = DESCRIPTION_VERSION;
    ct_array_push_many(&bytes, (const uint8_t *)&version, sizeof(version));
    ct_array_push_many(&bytes, (const uint8_t *)CT_VERSION_STRING, sizeof(CT_VERSION_STRING));
    for (uint32_t i = 0; i < list->count; ++i) {
        const plugin_entry *const entry = &list->items[i];
        ct_array_push_many(&bytes, (const uint8_t *)entry->name, (uint32_t)strlen(entry->name) + 1);
        ct_array_push_many(&bytes, (const uint8_t *)&entry->hash, sizeof(entry->hash));
    }
    const uint64_t key = ct_content_hash(bytes.items, bytes.count);
    ct_array_free(&bytes);
    return key ? key : 1;
}

// --- The worker's description --------------------------------------------------------------------

static const ct_compile_plugin *plugins_of(const plugin_list *list, uint32_t count) {
    ct_compile_plugin *const plugins = CT_NEW_ARRAY(list->run->allocator, ct_compile_plugin, count);
    for (uint32_t i = 0; i < count; ++i)
        plugins[i] = (ct_compile_plugin){list->items[i].name, list->items[i].copy};
    return plugins;
}

static bool submit(const plugin_list *list, uint32_t count, ct_error *error) {
    const ct_compiler *const c = list->run->compiler;
    const ct_compile_request request = {.type = CT_COMPILE_PLUGINS,
                                        .name = "",
                                        .path = CT_SETTINGS_SOURCE,
                                        .project_folder = c->project_folder,
                                        .core_folder = c->core_folder,
                                        .platform = c->platform,
                                        .source_platform = c->source_platform,
                                        .plugins = plugins_of(list, count),
                                        .num_plugins = count};
    const uint32_t job = 0;
    ct_byte_array message;
    ct_array_init(&message, c->allocator);
    ct_compile_request_write(&request, 1, &message);
    const bool result =
        ct_worker_pool_submit(c->pool, CT_WORKER_NEED_NEW, &job, 1, &message, error);
    ct_array_free(&message);
    return result;
}

// The answer's text, from the run's allocator. NULL with `error`, the answer's own.
static const char *read_text(ct_run *run, const ct_worker_outcome *outcome, ct_error *error) {
    ct_compile_answer answer;
    const char *text = NULL;
    *error = outcome->error;
    if (!outcome->has_answer || !ct_compile_answer_read(run->allocator, run->compiler->allocator,
                                                        &outcome->answer, &answer, error))
        return NULL;
    if (answer.errors.count > 0) {
        ct_error_set(error, "%s", answer.errors.items[0].message);
    } else {
        char *const copy = ct_alloc(run->allocator, (uint64_t)answer.blob.count + 1);
        memcpy(copy, answer.blob.items, answer.blob.count);
        copy[answer.blob.count] = 0;
        text = copy;
    }
    ct_compile_answer_free(&answer);
    return text;
}

// Has a new worker load the first `count` plugins. Returns NULL with `error`; `is_over` is set when it
// is not their fault.
static const char *ask(const plugin_list *list, uint32_t count, bool *is_over, ct_error *error) {
    ct_worker_pool *const pool = list->run->compiler->pool;
    *is_over = false;
    for (uint32_t i = 0; i < MAX_LOST; ++i) {
        ct_worker_outcome outcome;
        if (!submit(list, count, error) || !ct_worker_pool_next(pool, &outcome, error)) {
            *is_over = true;
            return NULL;
        }
        if (!outcome.is_lost)
            return read_text(list->run, &outcome, error);
    }
    ct_error_set(error, "the worker process ended again and again");
    return NULL;
}

// Leaves out the plugin at which the worker ends: the last of the fewest with which it does.
static bool leave_out_culprit(plugin_list *list, ct_error *cause) {
    ct_error error = {0};
    bool is_over = false;
    uint32_t count = 1;
    while (count < list->count && ask(list, count, &is_over, &error))
        ++count;
    if (is_over) {
        *cause = error;
        return false;
    }
    add_entry_fault(list, &list->items[count - 1],
                    count < list->count ? error.message : cause->message);
    drop_entry(list, count - 1);
    return true;
}

static const char *describe(plugin_list *list, ct_error *error) {
    ct_compiler *const c = list->run->compiler;
    const char *text = "";
    bool is_over = false;
    if (c->time_limit_seconds > load_limit_seconds)
        ct_worker_pool_set_time_limit(c->pool, load_limit_seconds);
    while (list->count > 0) {
        text = ask(list, list->count, &is_over, error);
        if (text || is_over || !leave_out_culprit(list, error))
            break;
        text = "";
    }
    ct_worker_pool_set_time_limit(c->pool, c->time_limit_seconds);
    return text;
}

// --- What is kept --------------------------------------------------------------------------------

static void keep(ct_compiler *c, uint64_t key, const char *text) {
    ct_free(c->allocator, c->plugin_description);
    c->plugin_key = key;
    c->plugin_description = ct_copy_string(c->allocator, text);
}

static bool description_path(const plugin_list *list, char path[CT_PATH_BYTES]) {
    return ct_path_try_join(path, list->folder, DESCRIPTION_FILE);
}

// The first line has the key, and the hash of what follows. Returns that, or NULL when it is damaged.
static const char *read_first_line(const char *text, uint64_t *key) {
    char *end = NULL;
    *key = strtoull(text, &end, 16);
    const uint64_t hash = strtoull(end, &end, 16);
    const bool is_whole = *end == '\n' && ct_content_hash(end + 1, strlen(end + 1)) == hash;
    return is_whole ? end + 1 : NULL;
}

static void read_kept(const plugin_list *list, uint64_t key) {
    ct_compiler *const c = list->run->compiler;
    char path[CT_PATH_BYTES];
    uint64_t size_bytes = 0;
    char *const text =
        description_path(list, path) ? ct_file_read(c->allocator, path, &size_bytes, NULL) : NULL;
    uint64_t found = 0;
    const char *const description = text ? read_first_line(text, &found) : NULL;
    // 0: of whatever libraries, while the settings are broken.
    if (description && found != 0 && (key == 0 || found == key))
        keep(c, found, description);
    ct_free(c->allocator, text);
}

static void write_kept(const plugin_list *list) {
    const ct_compiler *const c = list->run->compiler;
    char path[CT_PATH_BYTES];
    ct_string_builder text;
    ct_string_builder_init(&text, c->allocator);
    ct_string_builder_addf(&text, "%016" PRIx64 " %016" PRIx64 "\n%s", c->plugin_key,
                           ct_content_hash(c->plugin_description, strlen(c->plugin_description)),
                           c->plugin_description);
    if (description_path(list, path)) // without it the next process asks again
        ct_file_write(path, ct_string_builder_text(&text), text.length, false, NULL);
    ct_string_builder_free(&text);
}

static void visit_copy(void *user, const char *name) {
    const plugin_list *const list = user;
    char path[CT_PATH_BYTES];
    if (strcmp(name, DESCRIPTION_FILE) == 0 || !ct_path_try_join(path, list->folder, name))
        return;
    for (uint32_t i = 0; i < list->count; ++i)
        if (strcmp(ct_path_file_name(list->items[i].copy), name) == 0)
            return;
    ct_os_file_remove(path, NULL); // a worker that has it open keeps it
}

// --- Reading -------------------------------------------------------------------------------------

static uint64_t hash_of(const ct_sjson *doc, ct_sjson_value object) {
    return strtoull(ct_sjson_string(doc, ct_sjson_find(doc, object, "hash"), "0"), NULL, 16);
}

static int compare_types(const void *a, const void *b) {
    return strcmp(((const ct_compiler_type *)a)->name, ((const ct_compiler_type *)b)->name);
}

// The engine's types, and those that the description has.
static void set_types(ct_run *run, const ct_sjson *doc) {
    uint32_t num_engine;
    const ct_compiler_type *const engine = ct_compiler_types(&num_engine);
    const ct_sjson_value list =
        doc ? ct_sjson_find(doc, ct_sjson_root(doc), "types") : (ct_sjson_value){0};
    const uint32_t num_added = doc ? ct_sjson_count(doc, list) : 0;
    run->types = engine;
    run->num_types = num_engine;
    if (num_added == 0)
        return;
    ct_compiler_type *const types =
        CT_NEW_ARRAY(run->allocator, ct_compiler_type, num_engine + num_added);
    memcpy(types, engine, sizeof(*types) * num_engine);
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v)) {
        const ct_resource_type *const type = ct_resource_type_register(
            ct_sjson_string(doc, ct_sjson_find(doc, v, "name"), ""), NULL);
        if (type)
            types[run->num_types++] = (ct_compiler_type){
                .name = type->name,
                .version = (uint32_t)ct_sjson_number(doc, ct_sjson_find(doc, v, "version"), 0),
                .schema_hash = hash_of(doc, v)};
    }
    qsort(types + num_engine, run->num_types - num_engine, sizeof(*types), compare_types);
    run->types = types;
}

static void set_components(ct_run *run, const ct_sjson *doc) {
    const ct_sjson_value list = ct_sjson_find(doc, ct_sjson_root(doc), "components");
    ct_scan_component *const components =
        CT_NEW_ARRAY(run->allocator, ct_scan_component, ct_sjson_count(doc, list));
    run->scan.components = components;
    for (ct_sjson_value v = ct_sjson_first(doc, list); v.entry; v = ct_sjson_next(doc, v))
        components[run->scan.num_components++] = (ct_scan_component){
            ct_sjson_string(doc, ct_sjson_find(doc, v, "name"), ""), hash_of(doc, v)};
}

// The plugins that a worker loads without errors, and faults of the others.
static void set_plugins(plugin_list *list, const ct_sjson *doc) {
    ct_run *const run = list->run;
    const ct_sjson_value faults = ct_sjson_find(doc, ct_sjson_root(doc), "faults");
    for (ct_sjson_value v = ct_sjson_first(doc, faults); v.entry; v = ct_sjson_next(doc, v)) {
        const char *const name = ct_sjson_string(doc, ct_sjson_find(doc, v, "plugin"), "");
        for (uint32_t i = 0; i < list->count; ++i) {
            if (strcmp(list->items[i].name, name) != 0)
                continue;
            add_entry_fault(list, &list->items[i],
                            ct_sjson_string(doc, ct_sjson_find(doc, v, "message"), ""));
            drop_entry(list, i--);
        }
    }
    run->plugins = plugins_of(list, list->count);
    run->num_plugins = list->count;
}

static bool has_faults(const ct_run *run, const char *text) {
    ct_sjson *const doc =
        ct_sjson_parse(run->allocator, text, strlen(text), DESCRIPTION_FILE, NULL, NULL);
    return !doc || ct_sjson_count(doc, ct_sjson_find(doc, ct_sjson_root(doc), "faults")) > 0;
}

// --- All -----------------------------------------------------------------------------------------

// Describes the plugins, unless that is known.
static bool find_description(plugin_list *list, ct_error *error) {
    ct_run *const run = list->run;
    ct_compiler *const c = run->compiler;
    const uint64_t key = key_of(list);
    if (c->plugin_key != key)
        read_kept(list, key);
    if (c->plugin_key == key)
        return true;
    const uint32_t num_asked = list->count;
    const char *const text = describe(list, error);
    if (!text)
        return false;
    const bool is_whole = list->count == num_asked;
    keep(c, is_whole ? key : 0, text);
    if (is_whole &&
        !has_faults(run, text)) { // else it is asked again: what was wrong may be mended
        write_kept(list);
        ct_os_folder_list(list->folder, visit_copy, list, NULL);
    }
    return true;
}

// While the settings are broken, as before.
static bool take_former(plugin_list *list) {
    const ct_compiler *const c = list->run->compiler;
    if (!c->plugin_description)
        read_kept(list, 0);
    return c->plugin_description != NULL;
}

bool ct_run_read_plugins(ct_run *run, ct_error *error) {
    ct_compiler *const c = run->compiler;
    plugin_list *const list = CT_NEW(run->allocator, plugin_list);
    char cache_folder[CT_PATH_BYTES];
    *list = (plugin_list){.run = run};
    ct_path_folder(cache_folder, c->cache_path);
    set_types(run, NULL);
    list_settings(list);
    if ((list->count == 0 && !run->scan.are_settings_bad) ||
        !ct_path_try_join(list->folder, cache_folder, FOLDER))
        return true;
    if (run->scan.are_settings_bad) {
        if (!take_former(list))
            return true;
    } else {
        take_libraries(list);
        if (list->count > 0 && !find_description(list, error))
            return false;
        if (list->count == 0)
            return true;
    }
    const ct_sjson *const doc =
        ct_sjson_parse(run->allocator, c->plugin_description, strlen(c->plugin_description),
                       DESCRIPTION_FILE, NULL, NULL);
    if (!doc)
        return true;
    set_types(run, doc);
    set_components(run, doc);
    set_plugins(list, doc);
    return true;
}
