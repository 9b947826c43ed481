#include "compiler/plugin/worker_plugins.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/plugin/worker_interfaces.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/sjson/sjson_writer.h"
#include "plugin/plugin_description.h"
#include "resource/blob/content_hash.h"
#include "resource/schema/setting_table.h"

// A plugin that could not be loaded.
typedef struct plugin_fault {
    char name[CT_PLUGIN_NAME_BYTES];
    char message[CT_ERROR_MESSAGE_BYTES];
} plugin_fault;

// The plugins that are loaded, or were to be.
static struct {
    ct_allocator *allocator; // NULL: none were asked for yet
    ct_plugin_host *host;
    char *key; // names and libraries
    CT_ARRAY(plugin_fault) faults;
} set;

ct_allocator *ct_worker_plugins_allocator(void) {
    return set.allocator;
}

// --- Loading -------------------------------------------------------------------------------------

static void note_left_out(void *user, const ct_plugin_entry *entry, const ct_error *error) {
    (void)user;
    plugin_fault fault;
    snprintf(fault.name, sizeof(fault.name), "%s", entry->name);
    snprintf(fault.message, sizeof(fault.message), "%s", error->message);
    ct_array_push(&set.faults, fault);
}

static const ct_plugin_interface *interfaces_of(uint32_t *count) {
    static const ct_plugin_interface interfaces[] = {
        {CUTTLE_COMPONENT_TYPES_API, 1, &ct_worker_component_types_api_1},
        {CUTTLE_RESOURCE_TYPES_API, 1, &ct_worker_resource_types_api_1},
        {CUTTLE_COMPILER_API, 1, &ct_worker_compiler_api_1},
    };
    *count = CT_COUNT_OF(interfaces);
    return interfaces;
}

static char *key_of(ct_allocator *a, const ct_compile_plugin *plugins, uint32_t count) {
    ct_string_builder key;
    ct_string_builder_init(&key, a);
    for (uint32_t i = 0; i < count; ++i)
        ct_string_builder_addf(&key, "%s\n%s\n", plugins[i].name, plugins[i].library);
    return key.text;
}

static void load(const ct_compile_plugin *plugins, uint32_t count) {
    ct_plugin_entry entries[CT_SETTING_MAX_PLUGINS];
    ct_plugin_host_desc desc = {.allocator = set.allocator, .left_out = note_left_out};
    count = count < CT_SETTING_MAX_PLUGINS ? count : CT_SETTING_MAX_PLUGINS;
    for (uint32_t i = 0; i < count; ++i)
        entries[i] = (ct_plugin_entry){plugins[i].name, plugins[i].library};
    desc.interfaces = interfaces_of(&desc.num_interfaces);
    set.host = ct_plugin_host_create(&desc);
    ct_plugin_host_load(set.host, entries, count);
}

void ct_worker_plugins_use(ct_allocator *a, const ct_compile_plugin *plugins, uint32_t count) {
    if (count == 0 && !set.allocator)
        return;
    char *const key = key_of(a, plugins, count);
    if (set.key && key && strcmp(set.key, key) == 0) {
        ct_free(a, key);
        return;
    }
    ct_worker_plugins_end();
    if (count == 0) {
        ct_free(a, key);
        return;
    }
    set.allocator = a;
    set.key = key;
    ct_array_init(&set.faults, a);
    load(plugins, count);
}

void ct_worker_plugins_end(void) {
    if (!set.allocator)
        return;
    ct_plugin_host_destroy(set.host);
    ct_array_free(&set.faults);
    ct_free(set.allocator, set.key);
    memset(&set, 0, sizeof(set));
}

// --- What they add -------------------------------------------------------------------------------

uint64_t ct_worker_plugins_component(const char *name) {
    const ct_plugin_addition *const a =
        set.host ? ct_plugin_host_addition(set.host, &ct_worker_component_kind, name) : NULL;
    return a ? ((const ct_worker_component_type *)a->user)->hash : 0;
}

const ct_worker_resource_type *ct_worker_plugins_type(const char *name) {
    const ct_plugin_addition *const a =
        set.host ? ct_plugin_host_addition(set.host, &ct_worker_resource_kind, name) : NULL;
    return a ? a->user : NULL;
}

bool ct_worker_plugins_has_type(const char *name) {
    return ct_worker_plugins_type(name) != NULL;
}

const ct_plugin_addition *ct_worker_plugins_compiler(const char *name) {
    return set.host ? ct_plugin_host_addition(set.host, &ct_worker_compiler_kind, name) : NULL;
}

// --- Description ---------------------------------------------------------------------------------

static void write_hash(ct_sjson_writer *w, uint64_t hash) {
    char text[20];
    snprintf(text, sizeof(text), "%016" PRIx64, hash);
    ct_sjson_member_string(w, "hash", text);
}

static void begin_addition(ct_sjson_writer *w, const ct_plugin_addition *a) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", a->name);
    ct_sjson_member_string(w, "plugin", ct_plugin_name(a->plugin));
}

static void write_types(ct_sjson_writer *w) {
    ct_sjson_write_key(w, "types");
    ct_sjson_begin_array(w);
    const ct_plugin_addition *a = NULL;
    while ((a = ct_plugin_host_next_addition(set.host, &ct_worker_resource_kind, a))) {
        begin_addition(w, a);
        ct_sjson_member_number(w, "version", ((const cuttle_resource_type *)a->desc)->version);
        // A compile function makes other data than the schema alone.
        write_hash(w, ((const ct_worker_resource_type *)a->user)->hash * 2 +
                          (ct_worker_plugins_compiler(a->name) != NULL));
        if (((const cuttle_resource_type *)a->desc)->schema)
            ct_plugin_description_write_schema(w, ((const cuttle_resource_type *)a->desc)->schema);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_components(ct_sjson_writer *w) {
    ct_sjson_write_key(w, "components");
    ct_sjson_begin_array(w);
    const ct_plugin_addition *a = NULL;
    while ((a = ct_plugin_host_next_addition(set.host, &ct_worker_component_kind, a))) {
        begin_addition(w, a);
        write_hash(w, ((const ct_worker_component_type *)a->user)->hash);
        ct_plugin_description_write_schema(w, ((const cuttle_component_type *)a->desc)->schema);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_fault(ct_sjson_writer *w, const char *plugin, const char *message) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "plugin", plugin);
    ct_sjson_member_string(w, "message", message);
    ct_sjson_end_object(w);
}

// A type that could never be compiled, and compile functions of types that are not there.
static void write_type_faults(ct_sjson_writer *w) {
    char message[CT_ERROR_MESSAGE_BYTES];
    const ct_plugin_addition *a = NULL;
    while ((a = ct_plugin_host_next_addition(set.host, &ct_worker_resource_kind, a))) {
        const ct_worker_resource_type *const type = a->user;
        if (type->schema || ct_worker_plugins_compiler(a->name))
            continue;
        snprintf(
            message, sizeof(message),
            "its resource type \"%s\" needs a schema or a compile function (cuttle/compiler.h)",
            a->name);
        write_fault(w, ct_plugin_name(a->plugin), message);
    }
    for (a = NULL; (a = ct_plugin_host_next_addition(set.host, &ct_worker_compiler_kind, a));) {
        const ct_worker_resource_type *const type = ct_worker_plugins_type(a->name);
        if (type && type->addition->plugin == a->plugin)
            continue;
        snprintf(message, sizeof(message),
                 "it adds a compile function for \"%s\", but no resource type of this name",
                 a->name);
        write_fault(w, ct_plugin_name(a->plugin), message);
    }
}

static void write_faults(ct_sjson_writer *w) {
    ct_sjson_write_key(w, "faults");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < set.faults.count; ++i)
        write_fault(w, set.faults.items[i].name, set.faults.items[i].message);
    if (set.host)
        write_type_faults(w);
    ct_sjson_end_array(w);
}

void ct_worker_plugins_describe(ct_byte_array *out) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, out->allocator);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    if (set.host) {
        write_types(&w);
        write_components(&w);
    }
    write_faults(&w);
    ct_sjson_end_object(&w);
    ct_array_push_many(out, (const uint8_t *)ct_string_builder_text(&text), text.length);
    ct_string_builder_free(&text);
}
