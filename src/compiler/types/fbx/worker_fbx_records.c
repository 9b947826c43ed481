#include "compiler/types/fbx/worker_fbx_records.h"

#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"

// By which Assimp tells binary files; two blanks, a zero byte and two more bytes follow.
static const char binary_magic[] = "Kaydara FBX Binary";
enum { MAGIC_BYTES = sizeof(binary_magic) - 1, VERSION_AT = MAGIC_BYTES + 5 };

// What is being read: the records that are open, outermost first.
typedef struct reader {
    ct_worker_fbx_records *out;
    const char *bytes;
    uint64_t size_bytes;
    uint32_t open[CT_WORKER_FBX_MAX_NESTING];
    uint64_t limits[CT_WORKER_FBX_MAX_NESTING]; // of binary files: where open records end
    uint32_t depth;
    uint32_t word_bytes; // of binary offsets: 4, from version 7500 on 8
} reader;

static void push_record(reader *r, const char *name, uint64_t name_bytes) {
    const uint32_t index = r->out->items.count;
    const ct_worker_fbx_record record = {.name = name,
                                         .name_bytes = (uint32_t)name_bytes,
                                         .first_value = r->out->values.count,
                                         .end = index + 1};
    ct_array_push(&r->out->items, record);
}

// Adds a value to the record pushed last, if it keeps more.
static void push_value(reader *r, char type, const char *bytes, uint64_t num_bytes) {
    ct_worker_fbx_record *const record = &r->out->items.items[r->out->items.count - 1];
    const ct_worker_fbx_value value = {
        .bytes = bytes, .num_bytes = (uint32_t)num_bytes, .type = type};
    if (record->num_values == CT_WORKER_FBX_MAX_VALUES || num_bytes > UINT32_MAX)
        return;
    ++record->num_values;
    ct_array_push(&r->out->values, value);
}

// The record pushed last holds what comes. False when it would be too deep.
static bool open_record(reader *r) {
    if (r->depth == CT_WORKER_FBX_MAX_NESTING)
        return false;
    r->open[r->depth++] = r->out->items.count - 1;
    return true;
}

static void close_record(reader *r) {
    r->out->items.items[r->open[--r->depth]].end = r->out->items.count;
}

static bool fail_nesting(const reader *r, const char *at, ct_error *error) {
    uint32_t line = 1;
    for (const char *p = r->bytes; r->word_bytes == 0 && p < at; ++p)
        line += *p == '\n';
    return ct_error_set_at(error, NULL, r->word_bytes == 0 ? line : 0, 0,
                           "its records are nested more than %u deep", CT_WORKER_FBX_MAX_NESTING);
}

// --- Binary files --------------------------------------------------------------------------------

// Where one record's parts are.
typedef struct binary_record {
    uint64_t end, num_values, values, children;
} binary_record;

static uint64_t little_endian(const char *bytes, uint32_t count) {
    const uint8_t *const p = (const uint8_t *)bytes;
    uint64_t value = 0;
    for (uint32_t i = count; i-- > 0;)
        value = value << 8 | p[i];
    return value;
}

// Reads the record at `at`, which ends at `limit` or before. False at the end, and for nonsense.
static bool read_binary_record(reader *r, uint64_t at, uint64_t limit, binary_record *out) {
    const uint32_t word = r->word_bytes;
    if (at > limit || limit - at < 3 * word + 1)
        return false;
    const char *const p = r->bytes + at;
    const uint32_t name_bytes = (uint8_t)p[3 * word];
    const uint64_t values_bytes = little_endian(p + 2 * word, word);
    out->end = little_endian(p, word);
    out->num_values = little_endian(p + word, word);
    out->values = at + 3 * word + 1 + name_bytes;
    if (out->end <= at || out->end > limit || out->values > out->end ||
        values_bytes > out->end - out->values)
        return false;
    out->children = out->values + values_bytes;
    push_record(r, p + 3 * word + 1, name_bytes);
    return true;
}

static uint32_t bytes_of_type(char type) {
    return type == 'C' || type == 'B'   ? 1
           : type == 'Y'                ? 2
           : type == 'I' || type == 'F' ? 4
           : type == 'D' || type == 'L' ? 8
                                        : 0;
}

// Takes values up to the first that is an array, or nonsense.
static void read_binary_values(reader *r, const binary_record *record) {
    uint64_t at = record->values;
    for (uint64_t i = 0; i < record->num_values && i < CT_WORKER_FBX_MAX_VALUES; ++i) {
        const uint64_t left = record->children - at;
        const char type = left > 0 ? r->bytes[at] : 0;
        uint64_t num_bytes = bytes_of_type(type), head = 1;
        if ((type == 'S' || type == 'R') && left >= 5) {
            num_bytes = little_endian(r->bytes + at + 1, 4);
            head = 5;
        }
        if ((num_bytes == 0 && head == 1) || left < head || num_bytes > left - head)
            return;
        push_value(r, type, r->bytes + at + head, num_bytes);
        at += head + num_bytes;
    }
}

static bool read_binary(reader *r, ct_error *error) {
    uint64_t at = VERSION_AT + 4;
    binary_record record;
    if (r->size_bytes < at)
        return true;
    r->word_bytes = little_endian(r->bytes + VERSION_AT, 4) >= 7500 ? 8 : 4;
    for (;;) {
        const uint64_t limit = r->depth > 0 ? r->limits[r->depth - 1] : r->size_bytes;
        if (!read_binary_record(r, at, limit, &record)) {
            if (r->depth == 0)
                return true;
            close_record(r);
            at = limit;
            continue;
        }
        read_binary_values(r, &record);
        at = record.end;
        if (record.children == record.end)
            continue;
        if (!open_record(r))
            return fail_nesting(r, NULL, error);
        r->limits[r->depth - 1] = record.end;
        at = record.children;
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

static void push_token(reader *r, token t) {
    if (*t.begin != '"') {
        push_value(r, 't', t.begin, (uint64_t)(t.end - t.begin));
        return;
    }
    const bool is_closed = t.end - t.begin >= 2 && t.end[-1] == '"';
    push_value(r, 'S', t.begin + 1, (uint64_t)(t.end - t.begin) - 1 - is_closed);
}

// Reads what stands behind the name of a record. Returns where the next name or brace is.
static const char *read_text_values(reader *r, const char *p) {
    for (p = skip_blanks(p); *p && !strchr(":{}", *p);) {
        token value;
        const char *const after = skip_blanks(read_token(p, &value));
        if (*after == ':')
            break; // not a value, but the next name
        push_token(r, value);
        p = *after == ',' ? skip_blanks(after + 1) : after; // commas at line ends may be missing
    }
    return p;
}

static bool read_text(reader *r, ct_error *error) {
    for (const char *p = skip_blanks(r->bytes); *p; p = skip_blanks(p)) {
        if (*p == '{') {
            if (r->out->items.count == 0)
                push_record(r, p, 0);
            if (!open_record(r))
                return fail_nesting(r, p, error);
        } else if (*p == '}' && r->depth > 0) {
            close_record(r);
        }
        if (strchr(",:{}", *p)) {
            ++p;
            continue;
        }
        token name;
        p = skip_blanks(read_token(p, &name));
        if (*p != ':')
            continue;
        push_record(r, name.begin, (uint64_t)(name.end - name.begin));
        p = read_text_values(r, p + 1);
    }
    while (r->depth > 0)
        close_record(r);
    return true;
}

bool ct_worker_fbx_records_read(ct_allocator *a, const char *bytes, uint64_t size_bytes,
                                ct_worker_fbx_records *records, ct_error *error) {
    reader r = {.out = records, .bytes = bytes, .size_bytes = size_bytes};
    ct_array_init(&records->items, a);
    ct_array_init(&records->values, a);
    if (size_bytes >= MAGIC_BYTES && memcmp(bytes, binary_magic, MAGIC_BYTES) == 0)
        return read_binary(&r, error);
    return read_text(&r, error);
}

// --- What is in them -----------------------------------------------------------------------------

bool ct_worker_fbx_is_named(const ct_worker_fbx_record *record, const char *name) {
    return record->name_bytes == strlen(name) && memcmp(record->name, name, strlen(name)) == 0;
}

uint32_t ct_worker_fbx_find_record(const ct_worker_fbx_records *records, uint32_t first,
                                   uint32_t end, const char *name) {
    for (uint32_t i = first; i < end; i = records->items.items[i].end) {
        if (ct_worker_fbx_is_named(&records->items.items[i], name))
            return i;
    }
    return end;
}

ct_worker_fbx_value ct_worker_fbx_value_of(const ct_worker_fbx_records *records,
                                           const ct_worker_fbx_record *record, uint32_t i) {
    return i < record->num_values ? records->values.items[record->first_value + i]
                                  : (ct_worker_fbx_value){.bytes = ""};
}

bool ct_worker_fbx_is_string(ct_worker_fbx_value value, const char *text) {
    return value.type == 'S' && value.num_bytes == strlen(text) &&
           memcmp(value.bytes, text, value.num_bytes) == 0;
}

bool ct_worker_fbx_number_of(ct_worker_fbx_value value, double *number) {
    const uint64_t bits =
        bytes_of_type(value.type) ? little_endian(value.bytes, value.num_bytes) : 0;
    char *end;
    switch (value.type) {
    case 'C':
    case 'B':
        *number = (uint8_t)bits;
        return true;
    case 'Y':
        *number = (int16_t)bits;
        return true;
    case 'I':
        *number = (int32_t)bits;
        return true;
    case 'L':
        *number = (double)(int64_t)bits;
        return true;
    case 'F': {
        const uint32_t low = (uint32_t)bits;
        float single;
        memcpy(&single, &low, sizeof(single));
        *number = (double)single;
        return true;
    }
    case 'D':
        memcpy(number, &bits, sizeof(bits));
        return true;
    case 't': // what may follow ends the number
        *number = strtod(value.bytes, &end);
        return value.num_bytes > 0 && end != value.bytes;
    default:
        return false;
    }
}

bool ct_worker_fbx_id_of(ct_worker_fbx_value value, uint64_t *id) {
    *id = value.type == 'L' ? little_endian(value.bytes, 8) : 0;
    if (value.type != 't')
        return value.type == 'L';
    for (const char *p = value.bytes; p < value.bytes + value.num_bytes; ++p) {
        if (*p < '0' || *p > '9')
            return true;
        const uint64_t next = *id * 10 + (uint64_t)(*p - '0');
        if (next < *id) {
            *id = 0;
            return true;
        }
        *id = next;
    }
    return true;
}

// As Assimp has it: a property without a name is none.
bool ct_worker_fbx_link_of(const ct_worker_fbx_records *records, const ct_worker_fbx_record *record,
                           uint64_t *child, uint64_t *parent) {
    const ct_worker_fbx_value kind = ct_worker_fbx_value_of(records, record, 0);
    return record->num_values >= 3 && kind.type == 'S' && !ct_worker_fbx_is_string(kind, "PP") &&
           (!ct_worker_fbx_is_string(kind, "OP") ||
            ct_worker_fbx_is_string(ct_worker_fbx_value_of(records, record, 3), "")) &&
           ct_worker_fbx_id_of(ct_worker_fbx_value_of(records, record, 1), child) &&
           ct_worker_fbx_id_of(ct_worker_fbx_value_of(records, record, 2), parent);
}
