#include "compiler/types/model/worker_fbx.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/types/model/worker_scene.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"

// A scene's nodes, and as much again for each of what hangs below them: geometry, materials, ...
enum {
    MAX_CONNECTIONS = 64 * CT_WORKER_SCENE_MAX_NODES,
    MAX_DEPTH = 4 * CT_WORKER_SCENE_MAX_DEPTH
};

// By which Assimp tells binary files; two blanks, a zero byte and two more bytes follow.
static const char binary_magic[] = "Kaydara FBX Binary";
enum { MAGIC_BYTES = sizeof(binary_magic) - 1, VERSION_AT = MAGIC_BYTES + 5 };

typedef struct connection {
    uint64_t child, parent; // ids of objects; 0 is the scene
} connection;

typedef CT_ARRAY(connection) connection_array;

// --- Binary files --------------------------------------------------------------------------------

typedef struct binary_reader {
    const uint8_t *bytes;
    uint64_t size_bytes;
    uint32_t word_bytes; // of offsets: 4, from version 7500 on 8
} binary_reader;

// One node record: its name, properties and children.
typedef struct record {
    uint64_t end, num_properties, properties, children;
    const char *name;
    uint32_t name_bytes;
} record;

static uint64_t little_endian(const uint8_t *p, uint32_t count) {
    uint64_t value = 0;
    for (uint32_t i = count; i-- > 0;)
        value = value << 8 | p[i];
    return value;
}

// Reads the record at `at`, which ends at `limit` or before. False at the end, and for nonsense.
static bool read_record(const binary_reader *r, uint64_t at, uint64_t limit, record *out) {
    const uint32_t word = r->word_bytes;
    if (at > limit || limit - at < 3 * word + 1)
        return false;
    const uint8_t *const p = r->bytes + at;
    out->end = little_endian(p, word);
    out->num_properties = little_endian(p + word, word);
    const uint64_t properties_bytes = little_endian(p + 2 * word, word);
    out->name_bytes = p[3 * word];
    out->properties = at + 3 * word + 1 + out->name_bytes;
    out->name = (const char *)p + 3 * word + 1;
    if (out->end <= at || out->end > limit || out->properties > out->end ||
        properties_bytes > out->end - out->properties)
        return false;
    out->children = out->properties + properties_bytes;
    return true;
}

static bool is_named(const record *r, const char *name) {
    return r->name_bytes == strlen(name) && memcmp(r->name, name, r->name_bytes) == 0;
}

static bool is_string(const uint8_t *p, const char *text) {
    return p[0] == 'S' && little_endian(p + 1, 4) == strlen(text) &&
           memcmp(p + 5, text, strlen(text)) == 0;
}

// A connection between objects: properties "OO", child, parent, or "OP" with a property "" behind.
static void take_record(const binary_reader *r, const record *c, connection_array *out) {
    enum { KIND_BYTES = 5 + 2, ID_BYTES = 1 + 8, LEAST_BYTES = KIND_BYTES + 2 * ID_BYTES };
    const uint8_t *const p = r->bytes + c->properties;
    const uint64_t available = c->children - c->properties;
    if (!is_named(c, "C") || c->num_properties < 3 || available < LEAST_BYTES ||
        p[KIND_BYTES] != 'L' || p[KIND_BYTES + ID_BYTES] != 'L')
        return;
    if (is_string(p, "OO") ||
        (is_string(p, "OP") && available >= LEAST_BYTES + 5 && is_string(p + LEAST_BYTES, "")))
        ct_array_push(out, (connection){.child = little_endian(p + KIND_BYTES + 1, 8),
                                        .parent = little_endian(p + KIND_BYTES + ID_BYTES + 1, 8)});
}

static void read_binary(const char *bytes, uint64_t size_bytes, connection_array *out) {
    const uint64_t first = VERSION_AT + 4;
    binary_reader r = {.bytes = (const uint8_t *)bytes, .size_bytes = size_bytes};
    if (size_bytes < first)
        return;
    r.word_bytes = little_endian(r.bytes + VERSION_AT, 4) >= 7500 ? 8 : 4;
    record top, c;
    for (uint64_t at = first; read_record(&r, at, size_bytes, &top); at = top.end) {
        if (!is_named(&top, "Connections"))
            continue;
        for (uint64_t i = top.children; read_record(&r, i, top.end, &c); i = c.end)
            take_record(&r, &c, out);
    }
}

// --- Text files ----------------------------------------------------------------------------------

// As Assimp's tokenizer: values stand between commas, over lines, with comments from `;` on.
typedef struct token {
    const char *begin, *end;
} token;

static const char *skip_blanks(const char *p) {
    for (;;) {
        p += strspn(p, " \t\r\n\f\v");
        if (*p != ';')
            return p;
        p += strcspn(p, "\r\n");
    }
}

// Reads the name or value at `p`, a string with its quotes; returns its end.
static const char *read_token(const char *p, token *out) {
    out->begin = p;
    if (*p == '"') {
        p += 1 + strcspn(p + 1, "\"");
        p += *p == '"';
    } else {
        p += strcspn(p, " \t\r\n\f\v,:;{}\"");
    }
    out->end = p;
    return p;
}

static bool is_text(token t, const char *text) {
    return (size_t)(t.end - t.begin) == strlen(text) && strncmp(t.begin, text, strlen(text)) == 0;
}

// The number that a value begins with, 0 for one that is too large: as Assimp reads ids.
static uint64_t leading_number(token t) {
    uint64_t value = 0;
    for (const char *p = t.begin; p < t.end && *p >= '0' && *p <= '9'; ++p) {
        const uint64_t next = value * 10 + (uint64_t)(*p - '0');
        if (next < value)
            return 0;
        value = next;
    }
    return value;
}

// What stands behind `C:`, such as `"OO",12,0`. Returns where the next name begins.
static const char *read_connection(const char *p, connection_array *out) {
    enum { MAX_VALUES = 4 };
    token values[MAX_VALUES] = {{0}}, value;
    uint32_t count = 0;
    for (p = skip_blanks(p); *p && !strchr(":{}", *p);) {
        const char *const after = skip_blanks(read_token(p, &value));
        if (*after == ':')
            break; // not a value, but the next name
        if (count < MAX_VALUES)
            values[count++] = value;
        p = *after == ',' ? skip_blanks(after + 1) : after; // commas at line ends may be missing
        if (after == value.begin)
            break;
    }
    // One to a property without a name connects objects, too.
    const bool is_empty_property = is_text(values[0], "\"OP\"") && is_text(values[3], "\"\"");
    if (count >= 3 && (is_text(values[0], "\"OO\"") || is_empty_property))
        ct_array_push(out, (connection){.child = leading_number(values[1]),
                                        .parent = leading_number(values[2])});
    return p;
}

// Takes every C for a connection, wherever it stands. `text` is zero-terminated.
static void read_text(const char *text, connection_array *out) {
    for (const char *p = skip_blanks(text); *p; p = skip_blanks(p)) {
        token name;
        if (strchr(",:{}", *p)) {
            ++p;
            continue;
        }
        p = skip_blanks(read_token(p, &name));
        if (*p == ':' && is_text(name, "C"))
            p = read_connection(p + 1, out);
    }
}

// --- The check -----------------------------------------------------------------------------------

// Objects by small numbers, with a list of the parents of each.
typedef struct object_graph {
    ct_hash_map number_of_id; // from 1
    uint32_t *num_children;   // not yet done, by number
    uint32_t *depth;          // below the longest line of children that is done
    uint32_t *first;          // of its connections as child, counting from 1; 0: none
    uint32_t *next;           // connection of the same child
    uint32_t *parents;        // by connection
    uint32_t num_objects;
} object_graph;

static uint32_t number_of(object_graph *g, uint64_t id) {
    const uint64_t known = ct_hash_map_get(&g->number_of_id, id, 0);
    if (known)
        return (uint32_t)known;
    ct_hash_map_set(&g->number_of_id, id, ++g->num_objects);
    return g->num_objects;
}

static void build_graph(ct_allocator *a, const connection_array *list, object_graph *g) {
    const uint32_t most = 2 * list->count + 1;
    ct_hash_map_init(&g->number_of_id, a);
    g->num_children = CT_NEW_ARRAY(a, uint32_t, most);
    g->depth = CT_NEW_ARRAY(a, uint32_t, most);
    g->first = CT_NEW_ARRAY(a, uint32_t, most);
    g->next = CT_NEW_ARRAY(a, uint32_t, list->count + 1);
    g->parents = CT_NEW_ARRAY(a, uint32_t, list->count + 1);
    for (uint32_t i = 0; i < list->count; ++i) {
        const uint32_t child = number_of(g, list->items[i].child);
        const uint32_t parent = number_of(g, list->items[i].parent);
        g->parents[i + 1] = parent;
        g->next[i + 1] = g->first[child];
        g->first[child] = i + 1;
        ++g->num_children[parent];
    }
}

// Takes objects without children off, until none is left (Kahn 1962): what stays is in a circle.
// Returns the number taken; `deepest` is set to the longest line.
static uint32_t take_leaves(ct_allocator *a, object_graph *g, uint32_t *deepest) {
    ct_u32_array done;
    ct_array_init(&done, a);
    for (uint32_t i = 1; i <= g->num_objects; ++i) {
        if (g->num_children[i] == 0)
            ct_array_push(&done, i);
    }
    for (uint32_t i = 0; i < done.count; ++i) {
        const uint32_t child = done.items[i];
        *deepest = g->depth[child] > *deepest ? g->depth[child] : *deepest;
        for (uint32_t c = g->first[child]; c != 0; c = g->next[c]) {
            const uint32_t parent = g->parents[c];
            if (g->depth[parent] <= g->depth[child])
                g->depth[parent] = g->depth[child] + 1;
            if (--g->num_children[parent] == 0)
                ct_array_push(&done, parent);
        }
    }
    return done.count;
}

bool ct_worker_fbx_check(ct_allocator *a, const char *bytes, uint64_t size_bytes, ct_error *error) {
    connection_array list;
    ct_array_init(&list, a);
    if (size_bytes >= MAGIC_BYTES && memcmp(bytes, binary_magic, MAGIC_BYTES) == 0)
        read_binary(bytes, size_bytes, &list);
    else
        read_text(bytes, &list);
    if (list.count > MAX_CONNECTIONS)
        return ct_error_set(error, "found %u connections between objects, expected at most %u",
                            list.count, MAX_CONNECTIONS);
    object_graph g = {0};
    uint32_t deepest = 0;
    build_graph(a, &list, &g);
    if (take_leaves(a, &g, &deepest) < g.num_objects)
        return ct_error_set(error, "its objects are connected in a circle");
    return deepest <= MAX_DEPTH ||
           ct_error_set(error, "its objects are connected %u deep, expected at most %u", deepest,
                        MAX_DEPTH);
}
