// Compiles environments: puts together what their parents and they say, and checks names and values
// against the settings of their render config.
#include <stdlib.h>
#include <string.h>

#include "compiler/protocol/compiler_circle.h"
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/render_config/worker_render_config.h"
#include "resource/types/environment_resource.h"

enum { MAX_PARENTS = 32 };

static const char default_config[] = "core/rendering/renderer";

// The environment, its parent, the parent's, …
typedef struct ancestry {
    const ct_sjson *docs[MAX_PARENTS + 1];
    ct_environment_source sources[MAX_PARENTS + 1];
    uint32_t count;
} ancestry;

typedef struct environment_builder {
    ct_compile *c;
    ct_worker_render_config *config;           // its settings only
    const ct_worker_setting **values;          // of the config's settings; NULL: not said
    const char *names[CT_RENDER_MAX_SETTINGS]; // of those that environments may set
    uint32_t num_names;
} environment_builder;

// --- Parents -------------------------------------------------------------------------------------

// Reports that the ancestors from `first` on lead back to it. Returns false.
static bool report_circle(ct_compile *c, const ancestry *a, uint32_t first) {
    const char *names[MAX_PARENTS + 1];
    for (uint32_t i = first; i < a->count; ++i)
        names[i] = ct_circle_name(c->allocator, ct_sjson_file(a->docs[i]));
    uint32_t closing = 0;
    const char *const way = ct_circle_way(c->allocator, names + first, a->count - first, &closing);
    return ct_compile_error(c, a->docs[first + closing], a->sources[first + closing].parent_value,
                            "an environment cannot be its own parent: %s", way);
}

static bool add_source(ct_compile *c, ancestry *a, const ct_sjson *doc) {
    const ct_schema_listener listener = ct_compile_listener(c);
    a->docs[a->count++] = doc;
    return ct_schema_read(&ct_environment_schema, doc, ct_sjson_root(doc),
                          &a->sources[a->count - 1], &listener);
}

// False after an error.
static bool add_parent(ct_compile *c, ancestry *a) {
    const ct_sjson *const doc = a->docs[a->count - 1];
    const ct_sjson_value at = a->sources[a->count - 1].parent_value;
    const ct_sjson *const parent =
        ct_compile_read_base(c, "environment", ct_sjson_string(doc, at, ""), doc, at);
    if (!parent)
        return false;
    for (uint32_t i = 0; i < a->count; ++i) {
        if (a->docs[i] == parent)
            return report_circle(c, a, i);
    }
    if (a->count > MAX_PARENTS)
        return ct_compile_error(c, doc, at, "found more than %d parents of an environment",
                                MAX_PARENTS);
    return add_source(c, a, parent);
}

static bool read_ancestry(ct_compile *c, ancestry *a) {
    bool is_fine = add_source(c, a, c->doc);
    while (is_fine && a->sources[a->count - 1].parent.value)
        is_fine = add_parent(c, a);
    return is_fine;
}

// --- Values --------------------------------------------------------------------------------------

// Reads the settings of the config that the environment, or the nearest parent, names. False after
// an error.
static bool read_config(environment_builder *b, const ancestry *a) {
    ct_compile *const c = b->c;
    const ct_sjson *doc = c->doc;
    ct_sjson_value at = ct_sjson_root(c->doc);
    const char *name = default_config;
    uint32_t i = 0;
    while (i < a->count && a->sources[i].render_config.value == 0)
        ++i;
    if (i < a->count) {
        doc = a->docs[i];
        at = a->sources[i].render_config_value;
        name = ct_sjson_string(doc, at, "");
    }
    const ct_sjson *const config = ct_compile_read_resource(c, "render_config", name, doc, at);
    b->config = config ? ct_worker_render_read_settings(c, config) : NULL;
    if (!b->config)
        return false;
    b->values =
        CT_NEW_ARRAY(c->allocator, const ct_worker_setting *, b->config->settings.count + 1);
    for (uint32_t k = 0; k < b->config->settings.count; ++k) {
        if (b->config->settings.items[k].setting.is_environment)
            b->names[b->num_names++] = b->config->settings.items[k].name;
    }
    return true;
}

static void report_unknown(environment_builder *b, ct_sjson_value v, const char *name) {
    const char *const config = ct_sjson_file(b->config->docs[b->config->num_docs - 1]);
    const char *const nearest = ct_nearest_name(name, b->names, b->num_names);
    if (nearest)
        ct_worker_render_error(b->config, v, "%s has no setting \"%.64s\"; did you mean \"%s\"?",
                               config, name, nearest);
    else
        ct_worker_render_error(b->config, v, "%s has no setting \"%.64s\"%s%s", config, name,
                               b->num_names ? "; the first that environments may set is "
                                            : "; it has none that environments may set",
                               b->num_names ? b->names[0] : "");
}

static void read_value(environment_builder *b, ct_sjson_value v) {
    ct_worker_render_config *const r = b->config;
    const char *const name = ct_sjson_key(r->doc, v);
    uint32_t i = 0;
    while (i < r->settings.count && strcmp(r->settings.items[i].name, name) != 0)
        ++i;
    if (i == r->settings.count) {
        report_unknown(b, v, name);
        return;
    }
    if (!r->settings.items[i].setting.is_environment) {
        ct_worker_render_error(r, v,
                               "environments may not set \"%s\": write environment = true in its "
                               "declaration, %s = { … }, in the settings of %s",
                               name, name, ct_sjson_file(r->settings.items[i].doc));
        return;
    }
    b->values[i] = NULL;
    if (ct_sjson_type_of(r->doc, v) == CT_SJSON_TYPE_NULL)
        return;
    ct_worker_setting *const value = CT_NEW(b->c->allocator, ct_worker_setting);
    *value = r->settings.items[i];
    ct_worker_render_setting_value(r, v, value);
    b->values[i] = value;
}

static int compare_values(const void *a, const void *b) {
    const ct_string_id32 x = ((const ct_environment_value *)a)->name;
    const ct_string_id32 y = ((const ct_environment_value *)b)->name;
    return (x.value > y.value) - (x.value < y.value);
}

// --- Writing -------------------------------------------------------------------------------------

static void write_environment(const environment_builder *b) {
    ct_blob_writer *const w = &b->c->blob;
    const uint32_t num_settings = b->config->settings.count;
    ct_environment_value *const values =
        CT_NEW_ARRAY(b->c->allocator, ct_environment_value, num_settings + 1);
    ct_environment_resource e = {.values = {0}};
    uint32_t count = 0;
    ct_blob_begin(w, &ct_environment_layout);
    for (uint32_t i = 0; i < num_settings; ++i)
        count += b->values[i] != NULL;
    e.values = ct_blob_reserve_items(w, &ct_environment_value_layout, count);
    count = 0;
    for (uint32_t i = 0; i < num_settings; ++i) {
        const ct_worker_setting *const s = b->values[i];
        if (!s)
            continue;
        ct_environment_value *const value = &values[count++];
        value->name_text = ct_blob_write_string(w, s->name, strlen(s->name));
        value->name = ct_string_id32_of(s->name);
        value->type = s->setting.type;
        memcpy(value->value, s->setting.default_value, sizeof(value->value));
    }
    qsort(values, count, sizeof(*values), compare_values);
    ct_blob_fill_items(w, &ct_environment_value_layout, e.values, values);
    ct_blob_end(w, &ct_environment_layout, &e);
}

bool ct_compile_environment(ct_compile *c) {
    environment_builder b = {.c = c};
    ancestry *const a = CT_NEW(c->allocator, ancestry);
    if (!read_ancestry(c, a) || !read_config(&b, a))
        return false;
    for (uint32_t i = a->count; i-- > 0;) {
        b.config->doc = a->docs[i];
        for (ct_sjson_value v = ct_sjson_first(a->docs[i], a->sources[i].values); v.entry;
             v = ct_sjson_next(a->docs[i], v))
            read_value(&b, v);
    }
    if (ct_compile_error_count(c) > 0)
        return false;
    write_environment(&b);
    return true;
}
