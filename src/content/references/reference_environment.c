#include "content/references/reference_environment.h"

#include <string.h>

#include "content/references/known_modules.h"
#include "foundation/container/array.h"
#include "resource/blob/content_hash.h"
#include "resource/schema/setting_table.h"
#include "resource/types/flow/flow_node_types.h"
#include "resource/types/resource_types.h"

enum {
    WALKER_VERSION = 2, // counts up when the same text gives other mentions
    MAX_SCHEMAS = 256,
};

typedef struct hasher {
    uint64_t hash;
    const ct_schema *seen[MAX_SCHEMAS];
    uint32_t num_seen;
} hasher;

static void add_number(hasher *h, uint64_t number) {
    const uint64_t pair[2] = {h->hash, number};
    h->hash = ct_content_hash(pair, sizeof(pair));
}

static void add_text(hasher *h, const char *text) {
    add_number(h, text ? ct_content_hash(text, strlen(text)) : 0);
}

// Each schema once: placed units hold placed units.
static bool is_new(hasher *h, const ct_schema *schema) {
    for (uint32_t i = 0; i < h->num_seen; ++i) {
        if (h->seen[i] == schema)
            return false;
    }
    CT_ASSERT(h->num_seen < MAX_SCHEMAS, "more than %d schemas", (int)MAX_SCHEMAS);
    h->seen[h->num_seen++] = schema;
    return true;
}

static void add_schema(hasher *h, const ct_schema *schema) {
    if (!schema || !is_new(h, schema))
        return;
    add_text(h, schema->name);
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const ct_field *const f = &schema->fields[i];
        add_text(h, f->name);
        add_text(h, f->degrees_name);
        add_text(h, f->reference_type);
        add_number(h, (uint64_t)f->type << 32 | f->element_type);
        add_number(h, f->flags);
        add_schema(h, f->schema);
        for (uint32_t k = 0; f->schemas && f->schemas[k]; ++k)
            add_schema(h, f->schemas[k]);
    }
}

static void add_types(hasher *h) {
    uint32_t count = 0;
    const ct_resource_type *const types = ct_resource_types(&count);
    for (uint32_t i = 0; i < count; ++i) {
        add_text(h, types[i].name);
        add_schema(h, types[i].schema);
    }
    const ct_setting_resource *const settings = ct_setting_resources(&count);
    for (uint32_t i = 0; i < count; ++i) {
        add_text(h, settings[i].path);
        add_text(h, settings[i].type);
    }
}

// Inputs of nodes that name resources.
static void add_nodes(hasher *h) {
    uint32_t count = 0;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&count);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < tables[i].num_nodes; ++k) {
            const ct_flow_slot *slot = tables[i].nodes[k].slots;
            for (; slot && slot->name; ++slot) {
                if (!slot->reference)
                    continue;
                add_text(h, tables[i].nodes[k].name);
                add_text(h, slot->name);
                add_text(h, slot->reference);
            }
        }
    }
}

static void add_functions(hasher *h) {
    uint32_t count = 0;
    const ct_lua_module *const *const modules = ct_known_modules(&count);
    for (uint32_t i = 0; i < count; ++i) {
        add_text(h, modules[i]->name);
        add_text(h, modules[i]->call_signature);
        for (uint32_t k = 0; k < modules[i]->num_functions; ++k) {
            add_text(h, modules[i]->functions[k].name);
            add_text(h, modules[i]->functions[k].signature);
        }
    }
}

uint64_t ct_reference_environment(void) {
    hasher h = {.hash = WALKER_VERSION};
    add_types(&h);
    add_nodes(&h);
    add_functions(&h);
    return h.hash;
}
