// Checks blobs of flow graphs, which run without checks, and dynamic data from outside.
//
// The dynamic data is checked as the compiler lays it out, without gaps: so it is known of every place
// what it holds. Types of slots are those of the engine's tables. A type that they do not have (a
// graph that is older than the engine) is checked by its numbers only: no instance can be made of it.
#include <string.h>

#include "foundation/error.h"
#include "resource/types/flow/flow_resource.h"

typedef ct_flow_resource flow;

typedef struct flow_checker {
    const flow *r;
    const ct_flow_used_type *types;
    const ct_flow_node_info *infos;
    const uint32_t *program, *links, *pures, *words;
    const uint8_t *texts;
    const ct_flow_variable *variables;
    uint32_t first_unit, end_of_units; // in the dynamic data
    uint32_t next_pures, next_links;   // where the next list starts
} flow_checker;

static flow_checker checker_of(const flow *r) {
    return (flow_checker){
        .r = r,
        .types = ct_blob_at(r, r->types.offset),
        .infos = ct_blob_at(r, r->infos.offset),
        .program = ct_blob_at(r, r->program.offset),
        .links = ct_blob_at(r, r->links.offset),
        .pures = ct_blob_at(r, r->pures.offset),
        .words = ct_blob_at(r, r->words.offset),
        .texts = ct_blob_at(r, r->texts.offset),
        .variables = ct_blob_at(r, r->variables.offset),
    };
}

static uint32_t size_of(ct_flow_type type) {
    return CT_FLOW_VALUE_BYTES + (type == CT_FLOW_TYPE_STRING ? CT_FLOW_STRING_BYTES : 0);
}

static const ct_flow_node *node_at(const flow_checker *k, uint32_t info) {
    return (const ct_flow_node *)(k->program + k->infos[info].node);
}

static bool is_value_type(uint32_t type) {
    return type > CT_FLOW_TYPE_EVENT && type < CT_FLOW_TYPE_ANY;
}

// --- Types ---------------------------------------------------------------------------------------

// The description of a type in the engine's tables; NULL when it does not exist, or it is one of Lua.
static const ct_flow_node_type *table_type(const flow_checker *k, uint32_t type) {
    const ct_flow_used_type *const t = &k->types[type];
    return t->function.offset ? NULL : ct_flow_find_node_type(ct_blob_at(k->r, t->name.offset));
}

static uint32_t role_of(const flow_checker *k, uint32_t type) {
    const ct_flow_node_type *const t = table_type(k, type);
    return t ? t->role : CT_FLOW_ROLE_NONE;
}

// The type of a slot; COUNT when it is not known.
static ct_flow_type slot_type(const flow_checker *k, uint32_t type, ct_flow_slot_kind kind,
                              uint32_t number) {
    const ct_flow_used_type *const t = &k->types[type];
    const ct_flow_used_slot *const slots = ct_blob_at(k->r, t->slots.offset);
    const ct_flow_node_type *const known = table_type(k, type);
    if (known)
        return (ct_flow_type)ct_flow_slot_at(known, kind, number)->type;
    for (uint32_t i = 0; i < t->slots.count; ++i) {
        if (slots[i].kind == (uint32_t)kind && number-- == 0)
            return (ct_flow_type)slots[i].type;
    }
    return CT_FLOW_TYPE_COUNT;
}

bool ct_flow_check_slots(const void *blob, ct_blob_array array, const char *owners, uint32_t owner,
                         uint32_t counts[CT_FLOW_SLOT_KIND_COUNT], ct_error *error) {
    const ct_flow_used_slot *const slots = ct_blob_at(blob, array.offset);
    memset(counts, 0, CT_FLOW_SLOT_KIND_COUNT * sizeof(counts[0]));
    for (uint32_t s = 0; s < array.count; ++s) {
        if (slots[s].kind >= CT_FLOW_SLOT_KIND_COUNT || slots[s].type >= CT_FLOW_TYPE_COUNT)
            return ct_error_set(error, "%s[%u].slots[%u]: found kind %u, type %u", owners, owner, s,
                                slots[s].kind, slots[s].type);
        const bool is_value =
            slots[s].kind == CT_FLOW_SLOT_INPUT || slots[s].kind == CT_FLOW_SLOT_OUTPUT;
        if (is_value != (slots[s].type != CT_FLOW_TYPE_EVENT) ||
            (slots[s].kind == CT_FLOW_SLOT_OUTPUT && slots[s].type == CT_FLOW_TYPE_ANY))
            return ct_error_set(error, "%s[%u].slots[%u]: found type %u in kind %u", owners, owner,
                                s, slots[s].type, slots[s].kind);
        if (++counts[slots[s].kind] > CT_FLOW_MAX_SLOTS)
            return ct_error_set(error, "%s[%u].slots: found more than %d of kind %u", owners, owner,
                                (int)CT_FLOW_MAX_SLOTS, slots[s].kind);
    }
    return true;
}

static bool check_lua_slots(const flow_checker *k, uint32_t i, ct_error *error) {
    const ct_flow_used_type *const t = &k->types[i];
    uint32_t counts[CT_FLOW_SLOT_KIND_COUNT];
    if (!ct_flow_check_slots(k->r, t->slots, "types", i, counts, error))
        return false;
    if (counts[CT_FLOW_SLOT_INPUT] != t->num_inputs ||
        counts[CT_FLOW_SLOT_OUTPUT] != t->num_outputs ||
        counts[CT_FLOW_SLOT_EVENT_IN] != t->num_events_in ||
        counts[CT_FLOW_SLOT_EVENT_OUT] != t->num_events_out)
        return ct_error_set(error, "types[%u].slots: their numbers are not those of the type", i);
    return true;
}

static bool check_type(const flow_checker *k, uint32_t i, ct_error *error) {
    const ct_flow_used_type *const t = &k->types[i];
    if (t->num_inputs > CT_FLOW_MAX_SLOTS || t->num_outputs > CT_FLOW_MAX_SLOTS ||
        t->num_events_in > CT_FLOW_MAX_SLOTS || t->num_events_out > CT_FLOW_MAX_SLOTS ||
        t->state_bytes > CT_FLOW_MAX_STATE_BYTES)
        return ct_error_set(error, "types[%u]: found %u + %u + %u + %u slots, %u bytes of state", i,
                            t->num_inputs, t->num_outputs, t->num_events_in, t->num_events_out,
                            t->state_bytes);
    if (t->function.offset)
        return check_lua_slots(k, i, error);
    if (t->slots.count)
        return ct_error_set(error, "types[%u].slots: found %u, expected none without a function", i,
                            t->slots.count);
    const ct_flow_node_type *const known = table_type(k, i);
    if (known && (t->num_inputs != ct_flow_count_slots(known, CT_FLOW_SLOT_INPUT) ||
                  t->num_outputs != ct_flow_count_slots(known, CT_FLOW_SLOT_OUTPUT) ||
                  t->num_events_in != ct_flow_count_slots(known, CT_FLOW_SLOT_EVENT_IN) ||
                  t->num_events_out != ct_flow_count_slots(known, CT_FLOW_SLOT_EVENT_OUT) ||
                  t->state_bytes != known->state_bytes))
        return ct_error_set(error,
                            "types[%u]: the node type %.64s of this engine has other slots; "
                            "compile the graph again",
                            i, known->name);
    return true;
}

static bool check_types(const flow_checker *k, ct_error *error) {
    for (uint32_t i = 0; i < k->r->types.count; ++i) {
        if (!check_type(k, i, error))
            return false;
    }
    return true;
}

// --- Variables and units -------------------------------------------------------------------------

static bool check_variable(flow_checker *k, uint32_t i, ct_error *error) {
    const ct_flow_variable *const v = &k->variables[i];
    const uint32_t most =
        CT_FLOW_VARIABLE_INPUT | CT_FLOW_VARIABLE_OUTPUT | CT_FLOW_VARIABLE_SHARED;
    if (!is_value_type(v->type) || v->flags > most ||
        (v->flags & CT_FLOW_VARIABLE_SHARED && !(v->flags & CT_FLOW_VARIABLE_OUTPUT)))
        return ct_error_set(error, "variables[%u]: found type %u, flags %u", i, v->type, v->flags);
    if (v->name.value != ct_string_id32_of(ct_blob_at(k->r, v->name_text.offset)).value)
        return ct_error_set(error, "variables[%u].name: its id does not match its text", i);
    if (i && v->name.value <= k->variables[i - 1].name.value)
        return ct_error_set(error, "variables[%u].name: found %08x, expected them to rise", i,
                            v->name.value);
    if (v->flags & CT_FLOW_VARIABLE_SHARED)
        return true; // checked when all places are known
    const uint32_t size = size_of((ct_flow_type)v->type);
    if (v->offset != k->first_unit || k->first_unit + size > k->r->dynamic_bytes)
        return ct_error_set(error, "variables[%u].offset: found %u, expected %u of %u", i,
                            v->offset, k->first_unit, k->r->dynamic_bytes);
    k->first_unit += size;
    return true;
}

static bool check_variables(flow_checker *k, ct_error *error) {
    k->first_unit = CT_FLOW_ZEROS + CT_FLOW_VALUE_BYTES;
    for (uint32_t i = 0; i < k->r->variables.count; ++i) {
        if (!check_variable(k, i, error))
            return false;
    }
    return true;
}

// Initial values of units come last and follow the variables.
static bool check_units(flow_checker *k, ct_error *error) {
    const ct_flow_initial *const initials = ct_blob_at(k->r, k->r->initials.offset);
    k->end_of_units = k->first_unit;
    for (uint32_t i = 0; i < k->r->initials.count; ++i) {
        if (!initials[i].level_unit) {
            if (k->end_of_units != k->first_unit)
                return ct_error_set(error, "initials[%u]: found a value behind units", i);
            continue;
        }
        if (initials[i].offset != k->end_of_units || initials[i].type != CT_FLOW_TYPE_UNIT ||
            initials[i].place != 0 || k->end_of_units + CT_FLOW_VALUE_BYTES > k->r->dynamic_bytes)
            return ct_error_set(error, "initials[%u]: found a unit at %u, expected %u of %u", i,
                                initials[i].offset, k->end_of_units, k->r->dynamic_bytes);
        k->end_of_units += CT_FLOW_VALUE_BYTES;
    }
    return true;
}

// --- The program: where nodes are ----------------------------------------------------------------

static uint32_t num_outputs_of(const flow_checker *k, uint32_t type) {
    return k->types[type].num_outputs + (role_of(k, type) == CT_FLOW_ROLE_SET_VARIABLE);
}

// Checks the head of a node, which starts at word `at`; sets where the next one starts.
static bool check_head(const flow_checker *k, uint32_t i, uint32_t *at, uint32_t *first_byte,
                       ct_error *error) {
    const uint32_t num_words = k->r->program.count;
    const uint32_t head = sizeof(ct_flow_node) / sizeof(uint32_t);
    const ct_flow_node_info *const info = &k->infos[i];
    if (info->node != *at || num_words - *at < head)
        return ct_error_set(error, "infos[%u].node: found %u, expected %u of %u words", i,
                            info->node, *at, num_words);
    const ct_flow_node *const n = node_at(k, i);
    if (n->type >= k->r->types.count || n->info != i)
        return ct_error_set(error, "node %u: found type %u of %u, info %u", i, n->type,
                            k->r->types.count, n->info);
    const ct_flow_used_type *const t = &k->types[n->type];
    if (n->first_output != 2 * t->num_inputs ||
        n->first_event != n->first_output + num_outputs_of(k, n->type) ||
        n->num_slots != n->first_event + t->num_events_out || n->num_slots > num_words - *at - head)
        return ct_error_set(error, "node %u: found slots up to %u, %u, %u", i, n->first_output,
                            n->first_event, n->num_slots);
    if (info->first_byte != *first_byte || info->num_bytes > k->r->dynamic_bytes - *first_byte ||
        info->num_bytes % CT_FLOW_VALUE_BYTES)
        return ct_error_set(error, "infos[%u]: found %u bytes at %u, expected them at %u of %u", i,
                            info->num_bytes, info->first_byte, *first_byte, k->r->dynamic_bytes);
    *at += head + n->num_slots;
    *first_byte += info->num_bytes;
    return true;
}

static bool check_heads(const flow_checker *k, ct_error *error) {
    uint32_t at = 0;
    uint32_t first_byte = k->end_of_units;
    if (k->r->infos.count > CT_FLOW_MAX_NODES)
        return ct_error_set(error, "infos: found %u, expected at most %d", k->r->infos.count,
                            (int)CT_FLOW_MAX_NODES);
    for (uint32_t i = 0; i < k->r->infos.count; ++i) {
        if (!check_head(k, i, &at, &first_byte, error))
            return false;
    }
    if (at != k->r->program.count)
        return ct_error_set(error, "program: found %u words, but its nodes have %u",
                            k->r->program.count, at);
    return first_byte == k->r->dynamic_bytes ||
           ct_error_set(error, "dynamic_bytes: found %u, but its places have %u",
                        k->r->dynamic_bytes, first_byte);
}

// The number of the node that starts at a word of the program; NONE.
static uint32_t find_node(const flow_checker *k, uint32_t at) {
    uint32_t first = 0, end = k->r->infos.count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (k->infos[middle].node == at)
            return middle;
        if (k->infos[middle].node < at)
            first = middle + 1;
        else
            end = middle;
    }
    return CT_FLOW_NONE;
}

// The node that has a byte of the dynamic data; NONE.
static uint32_t find_owner(const flow_checker *k, uint32_t offset) {
    uint32_t first = 0, end = k->r->infos.count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        const ct_flow_node_info *const info = &k->infos[middle];
        if (offset >= info->first_byte && offset - info->first_byte < info->num_bytes)
            return middle;
        if (info->first_byte <= offset)
            first = middle + 1;
        else
            end = middle;
    }
    return CT_FLOW_NONE;
}

// --- Places --------------------------------------------------------------------------------------

static bool is_unit(uint32_t type) {
    return type == CT_FLOW_TYPE_UNIT || type == CT_FLOW_TYPE_ENTITY;
}

static bool fits(uint32_t found, uint32_t expected) {
    return found == expected || found == CT_FLOW_TYPE_COUNT ||
           (is_unit(found) && is_unit(expected));
}

// Whether a place in the dynamic data has values of a type.
static bool has_type(const flow_checker *k, uint32_t offset, uint32_t type) {
    if (offset == 0)
        return is_unit(type);
    if (offset == CT_FLOW_ZEROS)
        return true;
    if (offset >= k->first_unit && offset < k->end_of_units)
        return is_unit(type) && offset % CT_FLOW_VALUE_BYTES == 0;
    if (offset < k->first_unit) {
        for (uint32_t i = 0; i < k->r->variables.count; ++i) {
            const ct_flow_variable *const v = &k->variables[i];
            if (v->offset == offset && !(v->flags & CT_FLOW_VARIABLE_SHARED))
                return fits(v->type, type);
        }
        return false;
    }
    const uint32_t owner = find_owner(k, offset);
    if (owner == CT_FLOW_NONE)
        return false;
    const ct_flow_node *const n = node_at(k, owner);
    for (uint32_t i = 0; i < k->types[n->type].num_outputs; ++i) {
        if (n->slots[n->first_output + i] == offset)
            return fits((uint32_t)slot_type(k, n->type, CT_FLOW_SLOT_OUTPUT, i), type);
    }
    return false;
}

static bool is_text(const flow_checker *k, uint32_t start, uint32_t length) {
    return start < k->r->texts.count && length < k->r->texts.count - start &&
           k->texts[start + length] == 0;
}

// Whether a constant of a type is at a place.
static bool is_constant(const flow_checker *k, uint32_t place, uint32_t type) {
    const uint32_t offset = place & 0x3fffffff;
    const uint32_t first = offset / 4;
    if (place >> 30 == CT_FLOW_REGION_NUMBERS)
        return (type == CT_FLOW_TYPE_NUMBER || type == CT_FLOW_TYPE_ID) && offset % 8 == 0 &&
               offset / 8 < k->r->numbers.count;
    static const uint8_t num_words[CT_FLOW_TYPE_COUNT] = {[CT_FLOW_TYPE_BOOL] = 1,
                                                          [CT_FLOW_TYPE_VECTOR3] = 3,
                                                          [CT_FLOW_TYPE_QUATERNION] = 4,
                                                          [CT_FLOW_TYPE_STRING] = 2};
    const uint32_t count = num_words[type];
    if (place >> 30 != CT_FLOW_REGION_WORDS || count == 0 || offset % 4 ||
        first > k->r->words.count || k->r->words.count - first < count)
        return false;
    if (type == CT_FLOW_TYPE_BOOL)
        return k->words[first] <= 1;
    return type != CT_FLOW_TYPE_STRING || is_text(k, k->words[first], k->words[first + 1]);
}

// --- The program: slots --------------------------------------------------------------------------

static bool check_inputs(const flow_checker *k, uint32_t i, ct_error *error) {
    const ct_flow_node *const n = node_at(k, i);
    for (uint32_t s = 0; s < k->types[n->type].num_inputs; ++s) {
        const uint32_t place = n->slots[2 * s];
        const uint32_t type = n->slots[2 * s + 1];
        const uint32_t declared = (uint32_t)slot_type(k, n->type, CT_FLOW_SLOT_INPUT, s);
        const bool is_any = declared == CT_FLOW_TYPE_ANY || declared == CT_FLOW_TYPE_COUNT;
        if (is_any && type == CT_FLOW_TYPE_EVENT && place == CT_FLOW_ZEROS)
            continue;
        if (!is_value_type(type) || (!is_any && type != declared))
            return ct_error_set(error, "node %u: found type %u in input %u, expected %u", i, type,
                                s, declared);
        const bool is_good = place >> 30 == CT_FLOW_REGION_DYNAMIC ? has_type(k, place, type)
                                                                   : is_constant(k, place, type);
        if (!is_good)
            return ct_error_set(error, "node %u: input %u: there is no %s at %08x", i, s,
                                ct_flow_type_name((ct_flow_type)type), place);
    }
    return true;
}

// The place that a node writes besides its outputs: that of a variable of the type of its input.
static bool check_set_variable(const flow_checker *k, uint32_t i, ct_error *error) {
    const ct_flow_node *const n = node_at(k, i);
    const uint32_t offset = n->slots[n->first_event - 1];
    const ct_flow_node_type *const t = table_type(k, n->type);
    uint32_t type = CT_FLOW_TYPE_COUNT;
    for (const ct_flow_slot *s = t->slots; s && s->name; ++s) {
        if (s->kind == CT_FLOW_SLOT_INPUT && !s->is_constant) {
            type = s->type;
            break;
        }
    }
    for (uint32_t v = 0; v < k->r->variables.count; ++v) {
        if (k->variables[v].offset == offset && k->variables[v].type == type &&
            !(k->variables[v].flags & CT_FLOW_VARIABLE_SHARED))
            return true;
    }
    return ct_error_set(error, "node %u: found no variable of its type at %u", i, offset);
}

static bool check_outputs(const flow_checker *k, uint32_t i, ct_error *error) {
    const ct_flow_node *const n = node_at(k, i);
    const ct_flow_used_type *const t = &k->types[n->type];
    const ct_flow_node_info *const info = &k->infos[i];
    uint32_t end = info->first_byte;
    if (n->state != (t->state_bytes ? end : 0))
        return ct_error_set(error, "node %u: found its state at %u, expected %u", i, n->state,
                            t->state_bytes ? end : 0);
    end += (t->state_bytes + CT_FLOW_VALUE_BYTES - 1) / CT_FLOW_VALUE_BYTES * CT_FLOW_VALUE_BYTES;
    for (uint32_t s = 0; s < t->num_outputs; ++s) {
        const uint32_t offset = n->slots[n->first_output + s];
        const ct_flow_type type = slot_type(k, n->type, CT_FLOW_SLOT_OUTPUT, s);
        // The size of an output whose type is not known is where the next one starts.
        const bool is_known = type != CT_FLOW_TYPE_COUNT;
        if (is_known ? offset != end : offset < end || offset % CT_FLOW_VALUE_BYTES)
            return ct_error_set(error, "node %u: found output %u at %u, expected %u", i, s, offset,
                                end);
        end = offset + size_of(is_known ? type : CT_FLOW_TYPE_NUMBER);
        if (end < offset || end > info->first_byte + info->num_bytes)
            return ct_error_set(error, "node %u: output %u ends behind the node", i, s);
    }
    return role_of(k, n->type) != CT_FLOW_ROLE_SET_VARIABLE || check_set_variable(k, i, error);
}

// Lists follow each other in the order of the program.
static bool check_pures(flow_checker *k, uint32_t i, ct_error *error) {
    const ct_flow_node *const n = node_at(k, i);
    if (n->pures == CT_FLOW_NONE)
        return true;
    if (n->pures != k->next_pures || n->pures >= k->r->pures.count ||
        k->pures[n->pures] > k->r->pures.count - n->pures - 1)
        return ct_error_set(error, "node %u: found pure nodes at %u, expected %u of %u", i,
                            n->pures, k->next_pures, k->r->pures.count);
    k->next_pures += 1 + k->pures[n->pures];
    for (uint32_t p = n->pures + 1; p < k->next_pures; ++p) {
        const uint32_t other = find_node(k, k->pures[p]);
        if (other == CT_FLOW_NONE || other == i ||
            k->types[node_at(k, other)->type].num_events_in > 0)
            return ct_error_set(error, "pures[%u]: found no pure node at %u", p, k->pures[p]);
    }
    return true;
}

static bool check_links(flow_checker *k, uint32_t i, uint32_t list, ct_error *error) {
    if (list == CT_FLOW_NONE)
        return true;
    if (list != k->next_links || list >= k->r->links.count ||
        k->links[list] > (k->r->links.count - list - 1) / 2)
        return ct_error_set(error, "node %u: found links at %u, expected %u of %u", i, list,
                            k->next_links, k->r->links.count);
    k->next_links += 1 + 2 * k->links[list];
    for (uint32_t p = list + 1; p < k->next_links; p += 2) {
        const uint32_t to = find_node(k, k->links[p]);
        if (to == CT_FLOW_NONE || k->links[p + 1] >= k->types[node_at(k, to)->type].num_events_in)
            return ct_error_set(error, "links[%u]: found no event %u of a node at %u", p,
                                k->links[p + 1], k->links[p]);
    }
    return true;
}

static bool check_node(flow_checker *k, uint32_t i, ct_error *error) {
    const ct_flow_node *const n = node_at(k, i);
    if (!check_outputs(k, i, error) || !check_inputs(k, i, error) || !check_pures(k, i, error))
        return false;
    for (uint32_t s = n->first_event; s < n->num_slots; ++s) {
        if (!check_links(k, i, n->slots[s], error))
            return false;
    }
    return true;
}

static bool check_nodes(flow_checker *k, ct_error *error) {
    for (uint32_t i = 0; i < k->r->infos.count; ++i) {
        if (!check_node(k, i, error))
            return false;
    }
    if (k->next_pures != k->r->pures.count)
        return ct_error_set(error, "pures: found %u words, but nodes use %u", k->r->pures.count,
                            k->next_pures);
    return k->next_links == k->r->links.count ||
           ct_error_set(error, "links: found %u words, but nodes use %u", k->r->links.count,
                        k->next_links);
}

// --- The rest ------------------------------------------------------------------------------------

static bool check_shared(const flow_checker *k, ct_error *error) {
    for (uint32_t i = 0; i < k->r->variables.count; ++i) {
        const ct_flow_variable *const v = &k->variables[i];
        if (v->flags & CT_FLOW_VARIABLE_SHARED && !has_type(k, v->offset, v->type))
            return ct_error_set(error, "variables[%u].offset: there is no %s at %u", i,
                                ct_flow_type_name((ct_flow_type)v->type), v->offset);
    }
    return true;
}

static bool check_initials(const flow_checker *k, ct_error *error) {
    const ct_flow_initial *const initials = ct_blob_at(k->r, k->r->initials.offset);
    for (uint32_t i = 0; i < k->r->initials.count && !initials[i].level_unit; ++i) {
        const ct_flow_initial *const v = &initials[i];
        if (!is_value_type(v->type) || v->offset <= CT_FLOW_ZEROS || v->offset >= k->first_unit ||
            !has_type(k, v->offset, v->type) || !is_constant(k, v->place, v->type))
            return ct_error_set(error, "initials[%u]: found type %u, %08x at %u", i, v->type,
                                v->place, v->offset);
    }
    return true;
}

static bool check_entries(const flow_checker *k, ct_error *error) {
    const ct_flow_entry *const entries = ct_blob_at(k->r, k->r->entries.offset);
    for (uint32_t i = 0; i < k->r->entries.count; ++i) {
        const ct_flow_entry *const e = &entries[i];
        const uint32_t node = find_node(k, e->node);
        if (node == CT_FLOW_NONE || e->event > k->types[node_at(k, node)->type].num_events_in)
            return ct_error_set(error, "entries[%u]: found no event %u of a node at %u", i,
                                e->event, e->node);
        if (i && (e->kind.value < entries[i - 1].kind.value ||
                  (e->kind.value == entries[i - 1].kind.value &&
                   e->key.value < entries[i - 1].key.value)))
            return ct_error_set(error,
                                "entries[%u]: found kind %08x, key %08x, expected them to "
                                "rise",
                                i, e->kind.value, e->key.value);
    }
    return true;
}

static bool check_numbers(const flow_checker *k, ct_error *error) {
    const flow *const r = k->r;
    if (r->dynamic_bytes < CT_FLOW_ZEROS + CT_FLOW_VALUE_BYTES ||
        r->dynamic_bytes > CT_FLOW_MAX_DYNAMIC_BYTES || r->dynamic_bytes % CT_FLOW_VALUE_BYTES)
        return ct_error_set(error, "dynamic_bytes: found %u", r->dynamic_bytes);
    if (r->flags > CT_FLOW_UPDATES)
        return ct_error_set(error, "flags: found %u", r->flags);
    return (r->texts.count && k->texts[0] == 0 && k->texts[r->texts.count - 1] == 0) ||
           ct_error_set(error, "texts: expected an empty text first, and a zero at the end");
}

bool ct_flow_validate(const void *blob, ct_error *error) {
    if (!ct_blob_check_layout(&ct_flow_layout, blob, error))
        return false;
    flow_checker k = checker_of(blob);
    return check_numbers(&k, error) && check_types(&k, error) && check_variables(&k, error) &&
           check_units(&k, error) && check_heads(&k, error) && check_nodes(&k, error) &&
           check_shared(&k, error) && check_initials(&k, error) && check_entries(&k, error);
}

// --- Dynamic data --------------------------------------------------------------------------------

static bool check_text(const flow_checker *k, const uint8_t *data, uint32_t offset,
                       ct_error *error) {
    ct_flow_string s;
    memcpy(&s, data + offset, sizeof(s));
    const uint32_t start = offset + CT_FLOW_VALUE_BYTES;
    const bool is_good = s.start & CT_FLOW_STRING_IS_DYNAMIC
                             ? (s.start & ~CT_FLOW_STRING_IS_DYNAMIC) == start &&
                                   s.length < CT_FLOW_STRING_BYTES && data[start + s.length] == 0
                             : is_text(k, s.start, s.length);
    return is_good || ct_error_set(error, "found no text at byte %u: %u bytes at %08x", offset,
                                   s.length, s.start);
}

bool ct_flow_check_data(const ct_flow_resource *r, const void *data, ct_error *error) {
    const flow_checker k = checker_of(r);
    for (uint32_t i = 0; i < r->variables.count; ++i) {
        if (k.variables[i].type == CT_FLOW_TYPE_STRING &&
            !(k.variables[i].flags & CT_FLOW_VARIABLE_SHARED) &&
            !check_text(&k, data, k.variables[i].offset, error))
            return false;
    }
    for (uint32_t i = 0; i < r->infos.count; ++i) {
        const ct_flow_node *const n = node_at(&k, i);
        for (uint32_t s = 0; s < k.types[n->type].num_outputs; ++s) {
            if (slot_type(&k, n->type, CT_FLOW_SLOT_OUTPUT, s) == CT_FLOW_TYPE_STRING &&
                !check_text(&k, data, n->slots[n->first_output + s], error))
                return false;
        }
    }
    return true;
}
