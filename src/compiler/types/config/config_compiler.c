// Compiles configs: any SJSON document, as a flat array of nodes, level by level, so that the
// children of a container stand together. In settings.config, which is one, names of resources are
// references.
#include "compiler/protocol/compiler_types.h"
#include "project/project_setting.h"
#include "resource/resource_id.h"
#include "resource/schema/setting_table.h"
#include "resource/types/config_resource.h"

#include <string.h>

typedef struct queued_node {
    ct_sjson_value value;
    uint32_t first_child;
} queued_node;

typedef CT_ARRAY(queued_node) queued_node_array;

// All values of the document, breadth first.
static void queue_nodes(const ct_sjson *doc, queued_node_array *nodes) {
    ct_array_push(nodes, (queued_node){.value = ct_sjson_root(doc)});
    for (uint32_t i = 0; i < nodes->count; ++i) {
        const ct_sjson_value parent = nodes->items[i].value;
        if (ct_sjson_count(doc, parent) > 0)
            nodes->items[i].first_child = nodes->count;
        for (ct_sjson_value v = ct_sjson_first(doc, parent); v.entry; v = ct_sjson_next(doc, v))
            ct_array_push(nodes, (queued_node){.value = v});
    }
}

static double number_of(const ct_sjson *doc, ct_sjson_value v) {
    if (ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_BOOL)
        return ct_sjson_bool(doc, v, false) ? 1 : 0;
    return ct_sjson_number(doc, v, 0);
}

// Appends the strings of a node, too.
static ct_config_node make_node(ct_blob_writer *w, const ct_sjson *doc, const queued_node *from) {
    const char *const key = ct_sjson_key(doc, from->value);
    ct_config_node node = {.type = ct_sjson_type_of(doc, from->value),
                           .first = from->first_child,
                           .count = ct_sjson_count(doc, from->value),
                           .number = number_of(doc, from->value)};
    if (key)
        node.key = ct_blob_write_string(w, key, strlen(key));
    if (node.type == CT_SJSON_TYPE_STRING)
        node.text = ct_blob_write_string(w, ct_sjson_string(doc, from->value, ""),
                                         ct_sjson_string_bytes(doc, from->value));
    return node;
}

static void write_nodes(ct_compile *c, const queued_node_array *queued) {
    ct_blob_writer *const w = &c->blob;
    ct_config_node *const nodes = CT_NEW_ARRAY(c->allocator, ct_config_node, queued->count);
    ct_config_resource r = {.nodes = {0}};
    ct_blob_begin(w, &ct_config_layout);
    r.nodes = ct_blob_reserve_items(w, &ct_config_node_layout, queued->count);
    for (uint32_t i = 0; i < queued->count; ++i)
        nodes[i] = make_node(w, c->doc, &queued->items[i]);
    ct_blob_fill_items(w, &ct_config_node_layout, r.nodes, nodes);
    ct_blob_end(w, &ct_config_layout, &r);
}

// --- Settings ------------------------------------------------------------------------------------

// That what the settings name is there is checked here, where the places are known.
static void refer_to_resource(ct_compile *c, const ct_setting_resource *s) {
    const ct_sjson_value v = ct_setting_find(c->doc, s->path);
    const char *const name = ct_sjson_string(c->doc, v, NULL);
    char advice[CT_RESOURCE_ADVICE_BYTES];
    if (!v.entry && s->missing)
        ct_compile_error_at(c, NULL, 1, 1, "%s", s->missing);
    if (!v.entry || (name && name[0] == 0 && s->may_be_empty))
        return;
    if (!name)
        return; // told as a setting of a wrong type
    if (!ct_resource_name_is_canonical(name)) {
        ct_resource_name_advise(name, c->project_folder, advice);
        ct_compile_error(c, c->doc, v,
                         "%s: \"%.256s\" is not the name of a resource ([a-z0-9_/-], from the "
                         "project's root, no extension): %s",
                         s->path, name, advice);
    } else {
        ct_compile_reference(c, s->type, name, c->doc, v);
    }
}

static void refer_to_resources(ct_compile *c) {
    uint32_t count = 0;
    const ct_setting_resource *const resources = ct_setting_resources(&count);
    for (uint32_t i = 0; i < count; ++i)
        refer_to_resource(c, &resources[i]);
}

static void check_member(ct_compile *c, ct_sjson_value v, const char *path);

static void check_members(ct_compile *c, ct_sjson_value object, const char *prefix) {
    for (ct_sjson_value v = ct_sjson_first(c->doc, object); v.entry; v = ct_sjson_next(c->doc, v))
        check_member(
            c, v,
            ct_compile_text(c, "%s%s%s", prefix, *prefix ? "." : "", ct_sjson_key(c->doc, v)));
}

static void check_hosts(ct_compile *c, ct_sjson_value list, const char *path) {
    const uint32_t count = ct_sjson_count(c->doc, list);
    if (count > CT_SETTING_MAX_HOSTS)
        ct_compile_error(c, c->doc, list, "%s has %u hosts; expected at most %d", path, count,
                         (int)CT_SETTING_MAX_HOSTS);
    for (ct_sjson_value v = ct_sjson_first(c->doc, list); v.entry; v = ct_sjson_next(c->doc, v)) {
        const ct_setting_value value = {ct_sjson_type_of(c->doc, v), ct_sjson_number(c->doc, v, 0),
                                        ct_sjson_string(c->doc, v, NULL)};
        ct_error error = {0};
        if (!ct_setting_check_host(path, &value, &error))
            ct_compile_error(c, c->doc, v, "%s", error.message);
    }
}

static void check_member(ct_compile *c, ct_sjson_value v, const char *path) {
    const ct_setting_row *const row = ct_setting_row_of(path);
    const char *const nearest = row ? NULL : ct_setting_nearest(path);
    const ct_setting_value value = {ct_sjson_type_of(c->doc, v), ct_sjson_number(c->doc, v, 0),
                                    ct_sjson_string(c->doc, v, NULL)};
    ct_error error = {0};
    if (nearest)
        ct_compile_warning(c, c->doc, v, "there is no setting %.128s (did you mean %s?)", path,
                           nearest);
    else if (!row)
        ct_compile_warning(c, c->doc, v,
                           "there is no setting %.128s; a project's own settings belong in `game`",
                           path);
    else if (!ct_setting_check(row, path, &value, &error))
        ct_compile_error(c, c->doc, v, "%s", error.message);
    else if (row->kind == CT_SETTING_KIND_LEVELS &&
             ct_sjson_count(c->doc, v) > CT_SETTING_MAX_PRIORITIES)
        ct_compile_error(c, c->doc, v, "%s has %u members; expected at most %d", path,
                         ct_sjson_count(c->doc, v), CT_SETTING_MAX_PRIORITIES);
    else if (row->kind == CT_SETTING_KIND_HOSTS)
        check_hosts(c, v, path);
    else if (ct_setting_has_members(row))
        check_members(c, v, path);
}

// What is read while compiling is settings.config's; a variant for a platform cannot change it.
static void check_variant(ct_compile *c) {
    static const char *const paths[] = {"platforms", "language", "textures.quality",
                                        "textures.max_size"};
    for (uint32_t i = 0; i < CT_COUNT_OF(paths); ++i) {
        const ct_sjson *doc = NULL;
        const ct_sjson_value own = ct_setting_find(c->doc, paths[i]);
        const ct_sjson_value of_all =
            own.entry ? ct_compile_setting(c, paths[i], &doc) : (ct_sjson_value){0};
        if (own.entry && ct_setting_hash(c->doc, own) != ct_setting_hash(doc, of_all))
            ct_compile_warning(c, c->doc, own,
                               "%s has no effect here: the compiler reads it only from %s",
                               paths[i], CT_SETTINGS_SOURCE);
    }
}

// The settings are read when the engine starts, before Lua can prefer any property.
static void warn_of_late_variant(ct_compile *c) {
    ct_compile_warning(
        c, c->doc, ct_sjson_root(c->doc),
        "this variant of the settings is not read at the start, when no property is preferred yet: "
        "only its render_settings and game apply, after Application.reload_variants");
}

static bool is_settings(const ct_compile *c) {
    return strcmp(c->name, "settings") == 0;
}

bool ct_compile_config(ct_compile *c) {
    if (is_settings(c)) {
        refer_to_resources(c);
        check_members(c, ct_sjson_root(c->doc), "");
    }
    if (is_settings(c) && strcmp(c->path, CT_SETTINGS_SOURCE) != 0)
        check_variant(c);
    if (is_settings(c) && c->num_properties > 0)
        warn_of_late_variant(c);
    queued_node_array nodes;
    ct_array_init(&nodes, c->allocator);
    queue_nodes(c->doc, &nodes);
    write_nodes(c, &nodes);
    return true;
}
