// Compiles network configs: reads types, objects and messages, the inherited ones first, into a
// description, which network_config_write.h checks as a whole and writes. Values of fields are read in
// worker_network_values.c.
#include <string.h>

#include "compiler/protocol/compiler_bases.h"
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/network_config/worker_network_values.h"
#include "resource/types/network/network_config_source.h"
#include "resource/types/network/network_config_write.h"

enum { MAX_CONFIGS = 8 }; // that inherit each other

// A member of `types`, `objects` or `messages`, and the source that it is in.
typedef struct entry {
    const ct_sjson *doc;
    ct_sjson_value at;
} entry;

typedef CT_ARRAY(entry) entries;

typedef struct config_builder {
    ct_compile *c;
    ct_schema_listener listener;
    ct_network_config_source sources[MAX_CONFIGS]; // the config, the one that it inherits, …
    const ct_sjson *doc;                           // the one being read
    // What there is, and what has been read of it, in the same order.
    entries type_entries, message_entries, object_entries;
    CT_ARRAY(ct_network_type_desc) types;
    CT_ARRAY(const char *) type_names; // with the predefined ones, for suggestions
    CT_ARRAY(ct_network_record_desc) messages, objects;
} config_builder;

static const char *const predefined[] = {"bool", "id", "peer", "object"};

// --- Types ---------------------------------------------------------------------------------------

static uint32_t kind_named(const char *name) {
    for (uint32_t i = 0; i < CT_NETWORK_KINDS; ++i) {
        if (strcmp(ct_network_kind_name(i), name) == 0)
            return i;
    }
    return UINT32_MAX;
}

static bool read_kind(config_builder *b, const ct_network_type_source *s, uint32_t *kind) {
    const char *names[CT_NETWORK_KINDS];
    *kind = kind_named(s->type);
    if (*kind != UINT32_MAX)
        return true;
    for (uint32_t i = 0; i < CT_NETWORK_KINDS; ++i)
        names[i] = ct_network_kind_name(i);
    const char *const nearest = ct_nearest_name(s->type, names, CT_NETWORK_KINDS);
    if (nearest)
        return ct_compile_error(b->c, b->doc, s->type_value,
                                "unknown type \"%.64s\"; did you mean \"%s\"?", s->type, nearest);
    return ct_compile_error(b->c, b->doc, s->type_value,
                            "unknown type \"%.64s\"; write bool, integer, float, vector2, vector3, "
                            "rotation, string, id, peer, object, lookup or array",
                            s->type);
}

enum { MIN = 1, MAX = 2, BITS = 4, VALUES = 8, OF = 16 };

// The members that a kind has, and those that it cannot be without.
static const struct {
    uint8_t allowed, required;
    const char *text;
} members[CT_NETWORK_KINDS] = {
    [CT_NETWORK_BOOL] = {0, 0, "no others"},
    [CT_NETWORK_INTEGER] = {MIN | MAX, MIN | MAX, "min and max"},
    [CT_NETWORK_FLOAT] = {MIN | MAX | BITS, 0, "min, max and bits"},
    [CT_NETWORK_VECTOR2] = {MIN | MAX | BITS, 0, "min, max and bits"},
    [CT_NETWORK_VECTOR3] = {MIN | MAX | BITS, 0, "min, max and bits"},
    [CT_NETWORK_ROTATION] = {BITS, 0, "bits"},
    [CT_NETWORK_STRING] = {MAX, MAX, "max"},
    [CT_NETWORK_ID] = {0, 0, "no others"},
    [CT_NETWORK_PEER] = {0, 0, "no others"},
    [CT_NETWORK_OBJECT] = {0, 0, "no others"},
    [CT_NETWORK_LOOKUP] = {VALUES, VALUES, "values"},
    [CT_NETWORK_ARRAY] = {OF | MAX, OF | MAX, "of and max"},
};

static bool check_members(config_builder *b, const ct_network_type_source *s, uint32_t kind) {
    const struct {
        uint8_t bit;
        const char *name;
        ct_sjson_value value;
    } all[] = {{MIN, "min", s->min},
               {MAX, "max", s->max},
               {BITS, "bits", s->bits},
               {VALUES, "values", s->values},
               {OF, "of", s->of_value}};
    bool is_good = true;
    for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i) {
        if (all[i].value.entry && !(members[kind].allowed & all[i].bit))
            is_good = ct_compile_error(b->c, b->doc, all[i].value,
                                       "found %s, but a type of kind %s has %s", all[i].name,
                                       ct_network_kind_name(kind), members[kind].text);
        if (!all[i].value.entry && members[kind].required & all[i].bit)
            is_good = ct_compile_error(b->c, b->doc, s->type_value,
                                       "missing %s: a type of kind %s has %s", all[i].name,
                                       ct_network_kind_name(kind), members[kind].text);
    }
    return is_good;
}

static bool read_integer_range(config_builder *b, const ct_network_type_source *s,
                               ct_network_type_desc *t) {
    return ct_worker_network_integer(b->c, b->doc, s->min, "min", INT32_MIN, INT32_MAX,
                                     &t->first) &&
           ct_worker_network_integer(b->c, b->doc, s->max, "max", INT32_MIN, INT32_MAX, &t->last);
}

// Without a range, floats are exact.
static bool read_float_range(config_builder *b, const ct_network_type_source *s,
                             ct_network_type_desc *t, uint32_t num_parts) {
    int32_t bits = CT_NETWORK_EXACT_BITS;
    const bool has_range = s->min.entry && s->max.entry;
    if (!has_range && (s->min.entry || s->max.entry))
        return ct_compile_error(b->c, b->doc, s->min.entry ? s->min : s->max,
                                "found %s without %s; write both, or none of them for exact floats",
                                s->min.entry ? "min" : "max", s->min.entry ? "max" : "min");
    if (has_range && !s->bits.entry)
        return ct_compile_error(b->c, b->doc, s->type_value,
                                "missing bits: write how many bits a number takes, %d to %d",
                                CT_NETWORK_LEAST_BITS, CT_NETWORK_MOST_BITS);
    if (s->bits.entry && !ct_worker_network_integer(b->c, b->doc, s->bits, "bits", 1, 32, &bits))
        return false;
    t->bits = (uint32_t)bits;
    if (!has_range)
        return bits == CT_NETWORK_EXACT_BITS ||
               ct_compile_error(b->c, b->doc, s->bits,
                                "found %d bits without min and max; write the range, or %d bits "
                                "for exact floats",
                                (int)bits, CT_NETWORK_EXACT_BITS);
    return ct_worker_network_parts(b->c, b->doc, s->min, "min", num_parts, true, t->min) &&
           ct_worker_network_parts(b->c, b->doc, s->max, "max", num_parts, true, t->max);
}

static bool read_lookups(config_builder *b, const ct_network_type_source *s,
                         ct_network_type_desc *t) {
    const ct_sjson *const doc = b->doc;
    if (ct_sjson_type_of(doc, s->values) != CT_SJSON_TYPE_ARRAY ||
        ct_sjson_count(doc, s->values) == 0)
        return ct_compile_error(b->c, doc, s->values,
                                "values: expected an array of names like [\"red\", \"blue\"]");
    const char **const names =
        CT_NEW_ARRAY(b->c->allocator, const char *, ct_sjson_count(doc, s->values));
    t->lookups = names;
    for (ct_sjson_value v = ct_sjson_first(doc, s->values); v.entry; v = ct_sjson_next(doc, v)) {
        if (ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_STRING || ct_sjson_string_bytes(doc, v) == 0)
            return ct_compile_error(b->c, doc, v, "values: expected a name like \"red\"");
        const char *const name = ct_sjson_string(doc, v, "");
        for (uint32_t i = 0; i < t->num_lookups; ++i) {
            if (strcmp(names[i], name) == 0)
                return ct_compile_error(b->c, doc, v, "values: \"%.64s\" is there twice", name);
        }
        names[t->num_lookups++] = name;
    }
    return true;
}

static bool read_max(config_builder *b, const ct_network_type_source *s, ct_network_type_desc *t,
                     int32_t most) {
    int32_t max = 0;
    if (!ct_worker_network_integer(b->c, b->doc, s->max, "max", 1, most, &max))
        return false;
    t->max_count = (uint32_t)max;
    return true;
}

static bool read_details(config_builder *b, const ct_network_type_source *s,
                         ct_network_type_desc *t) {
    int32_t bits = 10;
    switch (t->kind) {
    case CT_NETWORK_INTEGER:
        return read_integer_range(b, s, t);
    case CT_NETWORK_FLOAT:
        return read_float_range(b, s, t, 1);
    case CT_NETWORK_VECTOR2:
        return read_float_range(b, s, t, 2);
    case CT_NETWORK_VECTOR3:
        return read_float_range(b, s, t, 3);
    case CT_NETWORK_ROTATION:
        if (s->bits.entry &&
            !ct_worker_network_integer(b->c, b->doc, s->bits, "bits", CT_NETWORK_LEAST_BITS,
                                       CT_NETWORK_MOST_ROTATION_BITS, &bits))
            return false;
        t->bits = (uint32_t)bits;
        return true;
    case CT_NETWORK_STRING:
        return read_max(b, s, t, CT_NETWORK_MAX_STRING_BYTES);
    case CT_NETWORK_LOOKUP:
        return read_lookups(b, s, t);
    case CT_NETWORK_ARRAY:
        t->element = s->of;
        return read_max(b, s, t, CT_NETWORK_MAX_WORDS - 1);
    default:
        return true;
    }
}

static void read_type(config_builder *b, ct_sjson_value at) {
    ct_network_type_source s;
    ct_network_type_desc t = {.name = ct_sjson_key(b->doc, at)};
    if (ct_schema_read(&ct_network_type_schema, b->doc, at, &s, &b->listener) &&
        read_kind(b, &s, &t.kind) && check_members(b, &s, t.kind))
        read_details(b, &s, &t);
    ct_array_push(&b->types, t);
    ct_array_push(&b->type_names, t.name);
}

// Returns the kind of a type that is defined or predefined; UINT32_MAX after an error.
static uint32_t find_kind(config_builder *b, const char *name, ct_sjson_value at) {
    for (uint32_t i = 0; i < b->types.count; ++i) {
        if (strcmp(b->types.items[i].name, name) == 0)
            return b->types.items[i].kind;
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(predefined); ++i) {
        if (strcmp(predefined[i], name) == 0)
            return kind_named(name);
    }
    const char *const nearest = ct_nearest_name(name, b->type_names.items, b->type_names.count);
    if (nearest)
        ct_compile_error(b->c, b->doc, at, "unknown type \"%.64s\"; did you mean \"%s\"?", name,
                         nearest);
    else
        ct_compile_error(b->c, b->doc, at,
                         "unknown type \"%.64s\"; describe it in `types`, or write bool, id, peer "
                         "or object",
                         name);
    return UINT32_MAX;
}

static void check_elements(config_builder *b) {
    for (uint32_t i = 0; i < b->types.count; ++i) {
        const entry *const e = &b->type_entries.items[i];
        b->doc = e->doc;
        if (b->types.items[i].element)
            find_kind(b, b->types.items[i].element, ct_sjson_find(e->doc, e->at, "of"));
    }
}

// --- Records -------------------------------------------------------------------------------------

static const ct_network_type_desc *find_type(const config_builder *b, const char *name) {
    for (uint32_t i = 0; i < b->types.count; ++i) {
        if (strcmp(b->types.items[i].name, name) == 0)
            return &b->types.items[i];
    }
    return NULL;
}

static void read_field(config_builder *b, ct_sjson_value at, ct_network_field_desc *f) {
    const ct_sjson *const doc = b->doc;
    ct_network_field_source s = {.type_value = at};
    f->name = ct_sjson_key(doc, at);
    const ct_sjson_type found = ct_sjson_type_of(doc, at);
    if (found == CT_SJSON_TYPE_STRING) {
        s.type = ct_sjson_string(doc, at, "");
    } else if (found != CT_SJSON_TYPE_OBJECT) {
        ct_compile_error(
            b->c, doc, at,
            "%.64s: found %s, expected the name of a type, or { type = …  default = … }", f->name,
            ct_sjson_type_name(found));
        return;
    } else if (!ct_schema_read(&ct_network_field_schema, doc, at, &s, &b->listener)) {
        return;
    }
    f->type = s.type;
    const uint32_t kind = find_kind(b, s.type, s.type_value);
    if (kind != UINT32_MAX && s.default_value.entry)
        f->has_value = ct_worker_network_value(b->c, b->doc, s.default_value, kind,
                                               find_type(b, s.type), &f->value);
}

static void read_fields(config_builder *b, ct_sjson_value map, ct_network_record_desc *r) {
    const ct_sjson *const doc = b->doc;
    const uint32_t count = map.entry ? ct_sjson_count(doc, map) : 0;
    ct_network_field_desc *const fields =
        CT_NEW_ARRAY(b->c->allocator, ct_network_field_desc, (uint64_t)count + 1);
    memset(fields, 0, sizeof(*fields) * count);
    r->fields = fields;
    if (count == 0)
        return;
    for (ct_sjson_value v = ct_sjson_first(doc, map); v.entry; v = ct_sjson_next(doc, v))
        read_field(b, v, &fields[r->num_fields++]);
}

static void read_object(config_builder *b, ct_sjson_value at) {
    ct_network_object_source s;
    ct_network_relevance_source relevance = {.position = NULL};
    ct_network_record_desc r = {.name = ct_sjson_key(b->doc, at)};
    if (ct_schema_read(&ct_network_object_schema, b->doc, at, &s, &b->listener)) {
        read_fields(b, s.fields, &r);
        if (s.relevance.entry)
            ct_schema_read(&ct_network_relevance_schema, b->doc, s.relevance, &relevance,
                           &b->listener);
        r.position = relevance.position;
        r.distance = relevance.distance;
        r.priority = s.priority;
        r.rate = s.rate;
        r.is_shared = s.shared;
    }
    ct_array_push(&b->objects, r);
}

// Methods that Network.update calls for something else (script_network_events.c): a peer could send
// what looks like them.
static const char *const methods[] = {"peer_asks",
                                      "peer_joined",
                                      "peer_left",
                                      "game_object_sync_done",
                                      "game_object_created",
                                      "game_object_destroyed",
                                      "game_object_migrated_to_me",
                                      "game_object_migrated_away",
                                      "game_object_migration_refused",
                                      "fields_updated",
                                      "game_session_migrated",
                                      "game_session_disconnect",
                                      "connection_broken"};

static void check_message_name(config_builder *b, ct_sjson_value at) {
    for (uint32_t i = 0; i < CT_COUNT_OF(methods); ++i)
        if (strcmp(methods[i], ct_sjson_key(b->doc, at)) == 0)
            ct_compile_error(b->c, b->doc, at,
                             "Network.update calls the method %s for something else; give the "
                             "message another name",
                             methods[i]);
}

static void read_message(config_builder *b, ct_sjson_value at) {
    check_message_name(b, at);
    ct_network_message_source s;
    ct_network_record_desc r = {.name = ct_sjson_key(b->doc, at)};
    if (ct_schema_read(&ct_network_message_schema, b->doc, at, &s, &b->listener)) {
        read_fields(b, s.arguments, &r);
        r.is_reliable = s.reliable;
        r.priority = s.priority;
        if (s.reliable && s.priority_value.entry)
            ct_compile_error(b->c, b->doc, s.priority_value,
                             "priority: reliable messages have none, as they go in the order in "
                             "which they are sent; remove it, or write reliable = false");
    }
    ct_array_push(&b->messages, r);
}

// --- What is inherited ---------------------------------------------------------------------------

static bool read_link(void *user, const ct_sjson *doc, uint32_t place, ct_sjson_value *base) {
    config_builder *const b = user;
    ct_network_config_source *const source = &b->sources[place];
    if (!ct_schema_read(&ct_network_config_schema, doc, ct_sjson_root(doc), source, &b->listener))
        return false;
    if (source->inherit.value)
        *base = source->inherit_value;
    return true;
}

// Adds the members of a map; one of the same name is replaced.
static void add_entries(entries *list, const ct_sjson *doc, ct_sjson_value map) {
    if (!map.entry)
        return;
    const uint32_t num_inherited = list->count;
    for (ct_sjson_value v = ct_sjson_first(doc, map); v.entry; v = ct_sjson_next(doc, v)) {
        uint32_t i = 0;
        while (i < num_inherited && strcmp(ct_sjson_key(list->items[i].doc, list->items[i].at),
                                           ct_sjson_key(doc, v)) != 0)
            ++i;
        if (i < num_inherited)
            list->items[i] = (entry){doc, v};
        else
            ct_array_push(list, (entry){doc, v});
    }
}

// --- The whole -----------------------------------------------------------------------------------

static void read_entries(config_builder *b, const entries *list,
                         void (*read)(config_builder *b, ct_sjson_value at)) {
    for (uint32_t i = 0; i < list->count; ++i) {
        b->doc = list->items[i].doc;
        read(b, list->items[i].at);
    }
}

static void read_all(config_builder *b, const ct_compile_chain *chain) {
    for (uint32_t i = chain->count; i-- > 0;) {
        add_entries(&b->type_entries, chain->docs[i], b->sources[i].types);
        add_entries(&b->object_entries, chain->docs[i], b->sources[i].objects);
        add_entries(&b->message_entries, chain->docs[i], b->sources[i].messages);
    }
    read_entries(b, &b->type_entries, read_type);
    ct_array_push_many(&b->type_names, predefined, CT_COUNT_OF(predefined));
    check_elements(b);
    read_entries(b, &b->object_entries, read_object);
    read_entries(b, &b->message_entries, read_message);
}

// Where in the sources an error of the description is.
static entry find_place(const config_builder *b, const ct_network_config_place *p) {
    const entry nowhere = {b->c->doc, ct_sjson_root(b->c->doc)};
    if (p->list == CT_NETWORK_PLACE_TYPE)
        return p->index < b->type_entries.count ? b->type_entries.items[p->index] : nowhere;
    if (p->list == CT_NETWORK_PLACE_NOWHERE)
        return nowhere;
    const bool is_message = p->list == CT_NETWORK_PLACE_MESSAGE;
    entry e = is_message ? b->message_entries.items[p->index] : b->object_entries.items[p->index];
    if (p->field == UINT32_MAX)
        return e;
    e.at = ct_sjson_first(e.doc, ct_sjson_find(e.doc, e.at, is_message ? "arguments" : "fields"));
    for (uint32_t i = 0; i < p->field; ++i)
        e.at = ct_sjson_next(e.doc, e.at);
    return e;
}

bool ct_compile_network_config(ct_compile *c) {
    config_builder b = {.c = c, .listener = ct_compile_listener(c), .doc = c->doc};
    const ct_compile_chain_desc chain_desc = {.type = "network_config",
                                              .circle = "a network config cannot inherit itself",
                                              .too_deep = "network configs inherit each other",
                                              .most = MAX_CONFIGS,
                                              .read = read_link,
                                              .user = &b};
    ct_compile_chain chain;
    ct_array_init(&b.type_entries, c->allocator);
    ct_array_init(&b.message_entries, c->allocator);
    ct_array_init(&b.object_entries, c->allocator);
    ct_array_init(&b.types, c->allocator);
    ct_array_init(&b.type_names, c->allocator);
    ct_array_init(&b.messages, c->allocator);
    ct_array_init(&b.objects, c->allocator);
    if (!ct_compile_read_chain(c, &chain_desc, &chain))
        return false;
    read_all(&b, &chain);
    if (ct_compile_error_count(c) > 0)
        return false;
    const ct_network_config_desc desc = {
        .types = b.types.items,
        .messages = b.messages.items,
        .objects = b.objects.items,
        .num_types = b.types.count,
        .num_messages = b.messages.count,
        .num_objects = b.objects.count,
    };
    ct_error error = {0};
    ct_network_config_place place;
    if (ct_network_config_write(&desc, c->allocator, &c->blob, &place, &error))
        return true;
    const entry e = find_place(&b, &place);
    const char *const name = ct_sjson_key(e.doc, e.at);
    return ct_compile_error(c, e.doc, e.at, "%.64s%s%s", name ? name : "", name ? ": " : "",
                            error.message);
}
