#include <string.h>

#include "foundation/log.h"
#include "plugin/plugin_private.h"

enum { MAX_STATE_BYTES = 64 << 20, MAX_STATE_FIELDS = 4096 };

// --- Schemas of our own --------------------------------------------------------------------------

static char *copy_text(ct_allocator *a, const char *text) {
    char *const copy = ct_alloc(a, strlen(text) + 1);
    strcpy(copy, text);
    return copy;
}

// Name, version, sizes, and of each field what is needed to find its bytes again.
static cuttle_schema copy_schema(ct_allocator *a, const cuttle_schema *schema) {
    cuttle_field *const fields = ct_alloc_zero(a, sizeof(*fields) * schema->num_fields);
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const cuttle_field *const f = &schema->fields[i];
        fields[i] = (cuttle_field){.name = copy_text(a, f->name),
                                   .type = f->type,
                                   .offset = f->offset,
                                   .size_bytes = f->size_bytes};
    }
    return (cuttle_schema){.name = copy_text(a, schema->name),
                           .version = schema->version,
                           .size_bytes = schema->size_bytes,
                           .num_fields = schema->num_fields,
                           .fields = fields};
}

static void free_schema(ct_allocator *a, cuttle_schema *schema) {
    for (uint32_t i = 0; i < schema->num_fields; ++i)
        ct_free(a, (void *)schema->fields[i].name);
    ct_free(a, (void *)schema->fields);
    ct_free(a, (void *)schema->name);
    *schema = (cuttle_schema){0};
}

static bool check_field(const cuttle_schema *schema, uint32_t index, ct_error *error) {
    const cuttle_field *const f = &schema->fields[index];
    if (!f->name || !f->name[0])
        return ct_error_set(error, "field %u of the state \"%.64s\" has no name", index,
                            schema->name);
    if (f->type < CUTTLE_FIELD_BOOL || f->type > CUTTLE_FIELD_PADDING)
        return ct_error_set(error, "the field %.64s of the state \"%.64s\" has the unknown type %u",
                            f->name, schema->name, f->type);
    return (f->offset <= schema->size_bytes && f->size_bytes <= schema->size_bytes - f->offset) ||
           ct_error_set(error, "the field %.64s of the state \"%.64s\" ends behind its %u bytes",
                        f->name, schema->name, schema->size_bytes);
}

static bool check_schema(const cuttle_schema *schema, ct_error *error) {
    if (!schema || !schema->name || !schema->name[0])
        return ct_error_set(error, "a state needs a schema with a name");
    if (schema->size_bytes == 0 || schema->size_bytes > MAX_STATE_BYTES ||
        schema->num_fields > MAX_STATE_FIELDS || (schema->num_fields > 0 && !schema->fields))
        return ct_error_set(
            error,
            "the state \"%.64s\" has %u bytes and %u fields; expected 1 to %d bytes "
            "and at most %d fields",
            schema->name, schema->size_bytes, schema->num_fields, MAX_STATE_BYTES,
            MAX_STATE_FIELDS);
    for (uint32_t i = 0; i < schema->num_fields; ++i)
        if (!check_field(schema, i, error))
            return false;
    return true;
}

// --- One state -----------------------------------------------------------------------------------

static void write_floats(uint8_t *at, const double *values, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const float value = (float)values[i];
        memcpy(at + i * sizeof(value), &value, sizeof(value));
    }
}

// The defaults of numbers and texts; all other bytes are 0.
static void fill_defaults(const cuttle_schema *schema, uint8_t *data) {
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const cuttle_field *const f = &schema->fields[i];
        uint8_t *const at = data + f->offset;
        const int32_t whole = (int32_t)f->default_value[0];
        if (f->type <= CUTTLE_FIELD_INT && f->size_bytes == sizeof(whole))
            memcpy(at, &whole, sizeof(whole));
        else if (f->type >= CUTTLE_FIELD_FLOAT && f->type <= CUTTLE_FIELD_COLOR &&
                 f->size_bytes <= 4 * sizeof(float))
            write_floats(at, f->default_value, f->size_bytes / sizeof(float));
        else if (f->type == CUTTLE_FIELD_TEXT && f->default_text && f->size_bytes > 0)
            strncpy((char *)at, f->default_text, f->size_bytes - 1);
    }
}

static const cuttle_field *find_field(const cuttle_schema *schema, const cuttle_field *like) {
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const cuttle_field *const f = &schema->fields[i];
        if (f->type == like->type && f->size_bytes == like->size_bytes &&
            strcmp(f->name, like->name) == 0)
            return f;
    }
    return NULL;
}

static void copy_fields(const cuttle_schema *from, const uint8_t *source, const cuttle_schema *to,
                        uint8_t *target) {
    for (uint32_t i = 0; i < to->num_fields; ++i) {
        const cuttle_field *const same = find_field(from, &to->fields[i]);
        if (same && same->type != CUTTLE_FIELD_PADDING)
            memcpy(target + to->fields[i].offset, source + same->offset, same->size_bytes);
    }
}

static ct_plugin_state *find_state(const ct_plugin *plugin, const char *name) {
    for (uint32_t i = 0; i < plugin->states.count; ++i)
        if (strcmp(plugin->states.items[i]->schema.name, name) == 0)
            return plugin->states.items[i];
    return NULL;
}

static ct_plugin_state *make_state(ct_plugin *plugin, const cuttle_schema *schema) {
    ct_allocator *const a = plugin->host->allocator;
    ct_plugin_state *const state = CT_NEW(a, ct_plugin_state);
    *state = (ct_plugin_state){.schema = copy_schema(a, schema),
                               .data = ct_alloc_zero(a, schema->size_bytes)};
    fill_defaults(schema, state->data);
    ct_array_push(&plugin->states, state);
    return state;
}

static void free_next(ct_plugin *plugin, ct_plugin_state *state) {
    ct_allocator *const a = plugin->host->allocator;
    free_schema(a, &state->next_schema);
    ct_free(a, state->next_data);
    state->next_data = NULL;
}

// Makes the data of another version from what is there.
static void *change_state(ct_plugin *plugin, ct_plugin_state *state, const cuttle_schema *schema,
                          bool (*migrate)(const void *, uint32_t, uint32_t, void *, cuttle_error *),
                          cuttle_error *error) {
    ct_allocator *const a = plugin->host->allocator;
    free_next(plugin, state);
    state->next_schema = copy_schema(a, schema);
    state->next_data = ct_alloc_zero(a, schema->size_bytes);
    fill_defaults(schema, state->next_data);
    copy_fields(&state->schema, state->data, &state->next_schema, state->next_data);
    if (!migrate || migrate(state->data, state->schema.version, state->schema.size_bytes,
                            state->next_data, error))
        return state->next_data;
    free_next(plugin, state);
    return NULL;
}

static bool is_same(const cuttle_schema *a, const cuttle_schema *b) {
    return a->version == b->version && a->size_bytes == b->size_bytes;
}

void *ct_plugin_state_get(ct_plugin *plugin, const cuttle_schema *schema,
                          bool (*migrate)(const void *, uint32_t, uint32_t, void *, cuttle_error *),
                          cuttle_error *error) {
    ct_error why = {0};
    if (!check_schema(schema, &why)) {
        ct_plugin_error_to(error, &why);
        return NULL;
    }
    ct_plugin_state *const state = find_state(plugin, schema->name);
    if (!state) {
        ct_plugin_state *const made = make_state(plugin, schema);
        made->is_new = plugin->is_staging;
        return made->data;
    }
    if (state->next_data && is_same(&state->next_schema, schema))
        return state->next_data;
    if (is_same(&state->schema, schema)) {
        free_next(plugin, state);
        if (plugin->is_staging) // fields may have other names or places
            state->next_schema = copy_schema(plugin->host->allocator, schema);
        return state->data;
    }
    if (plugin->is_staging)
        return change_state(plugin, state, schema, migrate, error);
    ct_error_set(&why,
                 "the state \"%.64s\" has version %u and %u bytes; another is for the next init",
                 schema->name, state->schema.version, state->schema.size_bytes);
    ct_plugin_error_to(error, &why);
    return NULL;
}

// --- All states of a plugin ----------------------------------------------------------------------

void ct_plugin_states_commit(ct_plugin *plugin) {
    ct_allocator *const a = plugin->host->allocator;
    for (uint32_t i = 0; i < plugin->states.count; ++i) {
        ct_plugin_state *const state = plugin->states.items[i];
        state->is_new = false;
        if (state->next_data) {
            ct_free(a, state->data);
            state->data = state->next_data;
            state->next_data = NULL;
        }
        if (state->next_schema.name) {
            free_schema(a, &state->schema);
            state->schema = state->next_schema;
            state->next_schema = (cuttle_schema){0};
        }
    }
}

static void free_state(ct_plugin *plugin, ct_plugin_state *state) {
    ct_allocator *const a = plugin->host->allocator;
    free_next(plugin, state);
    free_schema(a, &state->schema);
    ct_free(a, state->data);
    ct_free_sized(a, state, sizeof(*state));
}

void ct_plugin_states_drop(ct_plugin *plugin) {
    for (uint32_t i = plugin->states.count; i > 0; --i) {
        ct_plugin_state *const state = plugin->states.items[i - 1];
        if (state->is_new) {
            free_state(plugin, state);
            ct_array_swap_erase(&plugin->states, i - 1);
        } else {
            free_next(plugin, state);
        }
    }
}

void ct_plugin_states_free(ct_plugin *plugin) {
    for (uint32_t i = 0; i < plugin->states.count; ++i)
        free_state(plugin, plugin->states.items[i]);
    ct_array_free(&plugin->states);
}

static bool holds_any(const ct_plugin_library *library, const ct_plugin_state *state,
                      uint32_t *offset) {
    for (uint32_t at = 0; at + sizeof(void *) <= state->schema.size_bytes; at += sizeof(void *)) {
        const void *address;
        memcpy(&address, (const uint8_t *)state->data + at, sizeof(address));
        *offset = at;
        if (address && ct_plugin_library_holds(library, address))
            return true;
    }
    return false;
}

uint32_t ct_plugin_states_in_library(const ct_plugin *plugin, const ct_plugin *owner,
                                     const ct_plugin_library *library) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < plugin->states.count; ++i) {
        const ct_plugin_state *const state = plugin->states.items[i];
        uint32_t offset;
        if (!holds_any(library, state, &offset))
            continue;
        ct_log_error(
            "plugin", "plugin_keeps_old",
            "%s: the state \"%s\" still has an address in the old library of %s, at byte %u",
            plugin->name, state->schema.name, owner->name, offset);
        ++count;
    }
    return count;
}
