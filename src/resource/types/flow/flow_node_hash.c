#include "resource/types/flow/flow_node_hash.h"

#include <string.h>

#include "foundation/string/string_id.h"

static uint64_t add_number(uint64_t hash, uint64_t number) {
    const uint64_t both[] = {hash, number};
    return ct_string_id64_of_bytes(both, sizeof(both)).value;
}

// NULL is not the same as "".
static uint64_t add_text(uint64_t hash, const char *text) {
    return add_number(hash, text ? ct_string_id64_of(text).value + 1 : 0);
}

static uint64_t add_slot(uint64_t hash, const ct_flow_slot *s) {
    hash = add_text(hash, s->name);
    hash = add_number(hash, (uint64_t)s->kind | (uint64_t)s->type << 8 |
                                (uint64_t)s->is_constant << 16 | (uint64_t)s->is_required << 17);
    for (uint32_t i = 0; i < CT_COUNT_OF(s->default_value); ++i) {
        uint64_t bits;
        memcpy(&bits, &s->default_value[i], sizeof(bits));
        hash = add_number(hash, bits);
    }
    hash = add_text(hash, s->default_text);
    hash = add_text(hash, s->reference);
    for (const char *const *name = s->names; name && *name; ++name)
        hash = add_text(hash, *name);
    return add_text(hash, NULL);
}

static uint64_t add_node(uint64_t hash, const ct_flow_node_type *node) {
    hash = add_text(hash, node->name);
    hash = add_number(
        hash, (uint64_t)node->kind | (uint64_t)node->role << 8 | (uint64_t)node->is_foldable << 16 |
                  (uint64_t)node->is_polled << 17 | (uint64_t)node->state_bytes << 32);
    for (const ct_flow_slot *s = node->slots; s && s->name; ++s)
        hash = add_slot(hash, s);
    return add_text(hash, NULL);
}

uint64_t ct_flow_hash_of_tables(const ct_flow_node_table *tables, uint32_t count) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t n = 0; n < tables[i].num_nodes; ++n)
            hash = add_node(hash, &tables[i].nodes[n]);
    return hash;
}

uint64_t ct_flow_node_hash(void) {
    uint32_t count;
    const ct_flow_node_table *const tables = ct_flow_node_tables(&count);
    return ct_flow_hash_of_tables(tables, count);
}
