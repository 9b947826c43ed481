#include "database/database_commit.h"

#include <string.h>

#include "database/database_bytes.h"
#include "database/database_keys.h"
#include "foundation/string/utf8.h"
#include "resource/blob/content_hash.h"

// A commit is: magic, version, size of all (64 bits), time, replica, previous, since, the numbers of replicas seen, keys and
// operations, the lengths of author and message; author and message; times and replicas seen; keys; operations;
// the hash of all that. Texts are followed by a zero. An operation is a byte of HEAD_ flags, the object
// unless it is that of the operation before, the number of the key (in the order of first use), and the value. Such
// numbers and lengths are written 7 bits a byte, lowest first.
enum {
    MAGIC = 0x43445443, // "CTDC"
    HEADER_BYTES = 76,  // 16 and then what read_header reads
    CHECKSUM_BYTES = 8,
    SEEN_BYTES = 24,
    HEAD_TYPE_BITS = 3,
    HEAD_KIND_BITS = 3, // CHANGE_KEY: the value's kind
    HEAD_SAME_OBJECT = 1 << 6,
    HEAD_TRUTH = 1 << 7, // of a bool
};

void ct_database_commit_init(ct_database_commit *commit, ct_allocator *a) {
    *commit = (ct_database_commit){.author = "", .message = ""};
    ct_database_vector_init(&commit->seen, a);
    ct_database_operations_init(&commit->operations, a);
}

void ct_database_commit_free(ct_database_commit *commit) {
    ct_allocator *const a = commit->seen.stamps.allocator;
    ct_database_vector_free(&commit->seen);
    ct_database_operations_free(&commit->operations);
    ct_database_bytes_destroy(commit->bytes);
    ct_database_commit_init(commit, a);
}

// --- Checks of both ways -----------------------------------------------------------------------------

static bool check_text(const char *what, const char *text, uint64_t length, uint32_t most,
                       ct_error *error) {
    if (length > most)
        return ct_error_set(error, "the %s of a commit has %llu bytes; expected at most %u", what,
                            (unsigned long long)length, most);
    return length == 0 || ct_utf8_is_valid(text, length) ||
           ct_error_set(error, "the %s of a commit is not UTF-8", what);
}

static bool check_stamp(ct_database_stamp stamp, ct_error *error) {
    if (stamp.time == 0 || stamp.time > CT_DATABASE_MAX_TIME)
        return ct_error_set(error, "found the time 0x%016llx of a commit; expected one to 3999",
                            (unsigned long long)stamp.time);
    return !ct_guid_is_none(stamp.replica) ||
           ct_error_set(error, "a commit of the replica with the GUID of zeros; expected another");
}

static bool check_seen(const ct_database_commit *commit, ct_error *error) {
    const ct_database_stamp *const seen = commit->seen.stamps.items;
    for (uint32_t i = 0; i < commit->seen.stamps.count; ++i) {
        if (seen[i].time == 0 || seen[i].time >= commit->stamp.time)
            return ct_error_set(error,
                                "a commit of the time 0x%016llx has seen one of 0x%016llx; "
                                "expected times before its own",
                                (unsigned long long)commit->stamp.time,
                                (unsigned long long)seen[i].time);
        if (ct_guid_is_none(seen[i].replica) ||
            (i > 0 && ct_guid_compare(seen[i - 1].replica, seen[i].replica) >= 0))
            return ct_error_set(error, "replica %u that a commit has seen is out of order", i);
    }
    return true;
}

static bool check_order(const ct_database_commit *commit, ct_error *error) {
    const uint64_t time = commit->stamp.time, previous = commit->previous, since = commit->since;
    return (previous < time && since <= previous) ||
           ct_error_set(
               error,
               "a commit of the time 0x%016llx follows one of 0x%016llx and was made with those "
               "since 0x%016llx; expected times before its own",
               (unsigned long long)time, (unsigned long long)previous, (unsigned long long)since);
}

static bool check_count(uint32_t count, ct_error *error) {
    return count <= CT_DATABASE_MAX_OPERATIONS ||
           ct_error_set(error, "a commit has %u operations; expected at most %d", count,
                        CT_DATABASE_MAX_OPERATIONS);
}

static bool check_commit(const ct_database_commit *commit, ct_error *error) {
    ct_error inner = {0};
    if (!check_stamp(commit->stamp, error) || !check_order(commit, error) ||
        !check_seen(commit, error) ||
        !check_text("author", commit->author, strlen(commit->author), CT_DATABASE_MAX_NAME_BYTES,
                    error) ||
        !check_text("message", commit->message, strlen(commit->message),
                    CT_DATABASE_MAX_MESSAGE_BYTES, error) ||
        !check_count(commit->operations.list.count, error))
        return false;
    for (uint32_t i = 0; i < commit->operations.list.count; ++i)
        if (!ct_database_operation_check(&commit->operations.list.items[i], &inner))
            return ct_error_set(error, "operation %u of a commit: %.800s", i + 1, inner.message);
    return true;
}

// --- Writing -----------------------------------------------------------------------------------------

static void add(ct_byte_array *out, const void *bytes, uint64_t count) {
    if (count > 0)
        ct_array_push_many(out, (const uint8_t *)bytes, count);
}

static void add_number(ct_byte_array *out, uint64_t number, uint32_t bytes) {
    uint8_t little[8];
    for (uint32_t i = 0; i < bytes; ++i)
        little[i] = (uint8_t)(number >> 8 * i);
    add(out, little, bytes);
}

static void add_packed(ct_byte_array *out, uint32_t number) {
    for (; number >= 128; number >>= 7)
        ct_array_push(out, (uint8_t)(number | 128));
    ct_array_push(out, (uint8_t)number);
}

static void add_text(ct_byte_array *out, const char *text, uint32_t length) {
    add(out, text, length);
    ct_array_push(out, 0);
}

static void add_value(ct_byte_array *out, const ct_database_value *value) {
    uint64_t bits;
    switch (value->kind) {
    case CT_DATABASE_NUMBER:
        memcpy(&bits, &value->number, sizeof(bits));
        add_number(out, bits, 8);
        break;
    case CT_DATABASE_STRING:
        add_packed(out, value->string.length);
        add_text(out, value->string.text, value->string.length);
        break;
    case CT_DATABASE_BLOB:
        add(out, value->blob.hash, sizeof(value->blob.hash));
        add_number(out, value->blob.size_bytes, 8);
        break;
    case CT_DATABASE_REFERENCE:
        add(out, value->reference.bytes, sizeof(value->reference));
        break;
    case CT_DATABASE_SET:
        add_packed(out, value->set.count);
        add(out, value->set.items, sizeof(ct_guid) * (uint64_t)value->set.count);
        break;
    default:
        break;
    }
}

// Appends an operation. `object` is that of the one before, NULL at first.
static void add_operation(ct_byte_array *out, const ct_database_operation *operation,
                          const ct_guid *object, uint32_t key) {
    uint32_t head = operation->type;
    if (object && ct_guid_is_equal(*object, operation->object))
        head |= HEAD_SAME_OBJECT;
    if (operation->type == CT_DATABASE_CHANGE_KEY) {
        head |= (uint32_t)operation->value.kind << HEAD_TYPE_BITS;
        if (operation->value.kind == CT_DATABASE_BOOL && operation->value.truth)
            head |= HEAD_TRUTH;
    }
    ct_array_push(out, (uint8_t)head);
    if (!(head & HEAD_SAME_OBJECT))
        add(out, operation->object.bytes, sizeof(ct_guid));
    if (operation->type >= CT_DATABASE_CHANGE_KEY) {
        add_packed(out, key);
        add_value(out, &operation->value);
    }
}

// Returns at least as many bytes as an operation takes.
static uint64_t most_bytes(const ct_database_operation *operation) {
    const ct_database_value *const value = &operation->value;
    const uint64_t more = operation->type != CT_DATABASE_CHANGE_KEY ? 0
                          : value->kind == CT_DATABASE_STRING       ? value->string.length
                          : value->kind == CT_DATABASE_SET
                              ? sizeof(ct_guid) * (uint64_t)value->set.count
                              : 0;
    return more + 64;
}

static bool refuse_size(ct_error *error) {
    return ct_error_set(error,
                        "the commit takes more than %d MiB; commit part of the changes at a time",
                        CT_DATABASE_MAX_COMMIT_BYTES >> 20);
}

// Appends all behind the header.
static bool add_rest(const ct_database_commit *commit, const ct_database_keys *keys,
                     const ct_u32_array *numbers, uint32_t begin, ct_byte_array *out,
                     ct_error *error) {
    const ct_database_operation *const list = commit->operations.list.items;
    add_text(out, commit->author, (uint32_t)strlen(commit->author));
    add_text(out, commit->message, (uint32_t)strlen(commit->message));
    for (uint32_t i = 0; i < commit->seen.stamps.count; ++i) {
        add_number(out, commit->seen.stamps.items[i].time, 8);
        add(out, commit->seen.stamps.items[i].replica.bytes, sizeof(ct_guid));
    }
    for (uint32_t i = 1; i < keys->list.count; ++i) {
        add_packed(out, keys->list.items[i].length);
        add_text(out, keys->list.items[i].text, keys->list.items[i].length);
    }
    for (uint32_t i = 0; i < commit->operations.list.count; ++i) {
        if (out->count - begin + most_bytes(&list[i]) > CT_DATABASE_MAX_COMMIT_BYTES)
            return refuse_size(error);
        add_operation(out, &list[i], i > 0 ? &list[i - 1].object : NULL, numbers->items[i]);
    }
    return true;
}

static void add_header(const ct_database_commit *commit, uint32_t num_keys, ct_byte_array *out) {
    add_number(out, MAGIC, 4);
    add_number(out, CT_DATABASE_COMMIT_VERSION, 4);
    add_number(out, 0, 8);
    add_number(out, commit->stamp.time, 8);
    add(out, commit->stamp.replica.bytes, sizeof(ct_guid));
    add_number(out, commit->previous, 8);
    add_number(out, commit->since, 8);
    add_number(out, commit->seen.stamps.count, 4);
    add_number(out, num_keys, 4);
    add_number(out, commit->operations.list.count, 4);
    add_number(out, strlen(commit->author), 4);
    add_number(out, strlen(commit->message), 4);
}

// Collects the keys, and the number of each operation's.
static void collect_keys(const ct_database_operations *operations, ct_database_keys *keys,
                         ct_u32_array *numbers) {
    ct_array_reserve(numbers, operations->list.count);
    for (uint32_t i = 0; i < operations->list.count; ++i) {
        const ct_database_operation *const operation = &operations->list.items[i];
        const bool has_key = operation->type >= CT_DATABASE_CHANGE_KEY;
        const uint32_t number =
            has_key ? ct_database_keys_add(keys, operation->key, operation->key_length) - 1 : 0;
        ct_array_push(numbers, number);
    }
}

bool ct_database_commit_encode(const ct_database_commit *commit, ct_byte_array *out,
                               ct_error *error) {
    ct_allocator *const a = out->allocator;
    const uint32_t begin = out->count;
    if (!check_commit(commit, error))
        return false;
    const uint64_t seen_bytes = (uint64_t)commit->seen.stamps.count * SEEN_BYTES;
    if (seen_bytes > CT_DATABASE_MAX_COMMIT_BYTES / 2)
        return refuse_size(error);
    ct_database_keys keys;
    ct_u32_array numbers;
    ct_database_keys_init(&keys, a);
    ct_array_init(&numbers, a);
    collect_keys(&commit->operations, &keys, &numbers);
    add_header(commit, keys.list.count - 1, out);
    const bool is_written = add_rest(commit, &keys, &numbers, begin, out, error);
    ct_database_keys_free(&keys);
    ct_array_free(&numbers);
    if (!is_written) {
        out->count = begin;
        return false;
    }
    const uint64_t size = out->count - begin + CHECKSUM_BYTES;
    for (uint32_t i = 0; i < 8; ++i)
        out->items[begin + 8 + i] = (uint8_t)(size >> 8 * i);
    add_number(out, ct_content_hash(out->items + begin, size - CHECKSUM_BYTES), 8);
    return true;
}

// --- Reading -----------------------------------------------------------------------------------------

typedef struct reader {
    const uint8_t *bytes;
    uint64_t at, end;
    ct_error *error;
} reader;

static bool refuse(const reader *r, const char *what) {
    return ct_error_set(r->error, "byte %llu of a commit: %s", (unsigned long long)r->at, what);
}

static uint64_t number_at(const uint8_t *bytes, uint32_t count) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < count; ++i)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

static uint64_t read_number(reader *r, uint32_t bytes) {
    r->at += bytes;
    return number_at(r->bytes + r->at - bytes, bytes);
}

static bool has_bytes(const reader *r, uint64_t count) {
    return count <= r->end - r->at || refuse(r, "the commit ends within what begins here");
}

static bool read_packed(reader *r, uint32_t *number) {
    *number = 0;
    for (uint32_t shift = 0;; shift += 7) {
        if (!has_bytes(r, 1))
            return false;
        const uint8_t byte = r->bytes[r->at];
        if ((shift == 28 && byte > 15) || (shift > 0 && byte == 0))
            return refuse(r, "a number is too large, or longer than it need be");
        ++r->at;
        *number |= (uint32_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
}

static bool read_guid(reader *r, ct_guid *guid) {
    if (!has_bytes(r, sizeof(*guid)))
        return false;
    memcpy(guid->bytes, r->bytes + r->at, sizeof(*guid));
    r->at += sizeof(*guid);
    return true;
}

// Reads a text of `length` bytes and the zero behind it; it stays where it is.
static bool read_text(reader *r, uint32_t length, const char **text) {
    if (!has_bytes(r, (uint64_t)length + 1))
        return false;
    *text = (const char *)r->bytes + r->at;
    r->at += length;
    if (r->bytes[r->at] != 0)
        return refuse(r, "expected the zero behind a text");
    ++r->at;
    return true;
}

static bool read_value(reader *r, ct_database_value *value) {
    switch (value->kind) {
    case CT_DATABASE_NUMBER:
        if (!has_bytes(r, 8))
            return false;
        const uint64_t bits = read_number(r, 8);
        memcpy(&value->number, &bits, sizeof(bits));
        return true;
    case CT_DATABASE_STRING:
        return read_packed(r, &value->string.length) &&
               read_text(r, value->string.length, &value->string.text);
    case CT_DATABASE_BLOB:
        if (!has_bytes(r, sizeof(value->blob.hash) + 8))
            return false;
        memcpy(value->blob.hash, r->bytes + r->at, sizeof(value->blob.hash));
        r->at += sizeof(value->blob.hash);
        value->blob.size_bytes = read_number(r, 8);
        return true;
    case CT_DATABASE_REFERENCE:
        return read_guid(r, &value->reference);
    case CT_DATABASE_SET:
        if (!read_packed(r, &value->set.count) ||
            !has_bytes(r, sizeof(ct_guid) * (uint64_t)value->set.count))
            return false;
        value->set.items = (const ct_guid *)(const void *)(r->bytes + r->at);
        r->at += sizeof(ct_guid) * (uint64_t)value->set.count;
        return true;
    default:
        return true;
    }
}

// Splits the first byte of an operation. What it says must be what writing would say.
static bool read_head(reader *r, ct_database_operation *operation, bool *is_same) {
    if (!has_bytes(r, 1))
        return false;
    const uint32_t head = r->bytes[r->at], type = head & ((1 << HEAD_TYPE_BITS) - 1);
    const uint32_t kind = head >> HEAD_TYPE_BITS & ((1 << HEAD_KIND_BITS) - 1);
    *operation = (ct_database_operation){.type = (ct_database_operation_type)type};
    operation->value.kind = (ct_database_kind)kind;
    *is_same = (head & HEAD_SAME_OBJECT) != 0;
    if (type >= CT_DATABASE_NUM_OPERATION_TYPES || kind >= CT_DATABASE_NUM_KINDS)
        return refuse(r, "no operation begins with this byte");
    if ((type != CT_DATABASE_CHANGE_KEY && kind != 0) ||
        ((head & HEAD_TRUTH) && kind != CT_DATABASE_BOOL))
        return refuse(r, "an operation has marks of another type");
    if (type > CT_DATABASE_CHANGE_KEY)
        operation->value.kind = CT_DATABASE_REFERENCE;
    if (kind == CT_DATABASE_BOOL)
        operation->value.truth = (head & HEAD_TRUTH) != 0;
    ++r->at;
    return true;
}

// What reading operations knows: the keys, how many of them were used, and the object of the operation before.
typedef struct operation_reader {
    const ct_database_key *keys;
    uint32_t num_keys, num_used;
    const ct_guid *object;
} operation_reader;

static bool read_operation(reader *r, operation_reader *state, ct_database_operation *operation) {
    ct_error inner = {0};
    uint32_t key;
    bool is_same;
    const uint64_t begin = r->at;
    if (!read_head(r, operation, &is_same))
        return false;
    if (is_same && !state->object)
        return refuse(r, "the first operation has no object");
    if (is_same)
        operation->object = *state->object;
    else if (!read_guid(r, &operation->object))
        return false;
    else if (state->object && ct_guid_is_equal(*state->object, operation->object))
        return refuse(r, "the object before this byte is written twice");
    if (operation->type >= CT_DATABASE_CHANGE_KEY) {
        if (!read_packed(r, &key))
            return false;
        if (key >= state->num_keys || key > state->num_used)
            return refuse(r, "the number of the key before this byte is too large");
        state->num_used += key == state->num_used;
        operation->key = state->keys[key].text;
        operation->key_length = state->keys[key].length;
        if (!read_value(r, &operation->value))
            return false;
    }
    if (ct_database_operation_check(operation, &inner))
        return true;
    r->at = begin;
    return refuse(r, inner.message);
}

// The numbers of the header that say what follows.
typedef struct counts {
    uint32_t seen, keys, operations, author_bytes, message_bytes;
} counts;

static bool read_header(reader *r, ct_database_commit *commit, counts *found) {
    r->at = 16;
    commit->stamp.time = read_number(r, 8);
    read_guid(r, &commit->stamp.replica);
    commit->previous = read_number(r, 8);
    commit->since = read_number(r, 8);
    found->seen = (uint32_t)read_number(r, 4);
    found->keys = (uint32_t)read_number(r, 4);
    found->operations = (uint32_t)read_number(r, 4);
    found->author_bytes = (uint32_t)read_number(r, 4);
    found->message_bytes = (uint32_t)read_number(r, 4);
    return check_stamp(commit->stamp, r->error) && check_order(commit, r->error) &&
           check_count(found->operations, r->error);
}

static bool read_names(reader *r, ct_database_commit *commit, const counts *found) {
    if (!read_text(r, found->author_bytes, &commit->author) ||
        !read_text(r, found->message_bytes, &commit->message))
        return false;
    if (strlen(commit->author) != found->author_bytes ||
        strlen(commit->message) != found->message_bytes)
        return refuse(r, "author or message has a zero in it");
    return check_text("author", commit->author, found->author_bytes, CT_DATABASE_MAX_NAME_BYTES,
                      r->error) &&
           check_text("message", commit->message, found->message_bytes,
                      CT_DATABASE_MAX_MESSAGE_BYTES, r->error);
}

static bool read_seen(reader *r, ct_database_commit *commit, const counts *found) {
    if (!has_bytes(r, (uint64_t)found->seen * SEEN_BYTES))
        return false;
    ct_array_reserve(&commit->seen.stamps, found->seen);
    for (uint32_t i = 0; i < found->seen; ++i) {
        ct_database_stamp stamp = {.time = read_number(r, 8)};
        read_guid(r, &stamp.replica);
        ct_array_push(&commit->seen.stamps, stamp);
    }
    return check_seen(commit, r->error);
}

static bool read_keys(reader *r, ct_database_keys *keys, const counts *found) {
    ct_error inner = {0};
    for (uint32_t i = 0; i < found->keys; ++i) {
        const uint64_t begin = r->at;
        uint32_t length;
        const char *text;
        if (!read_packed(r, &length) || !read_text(r, length, &text))
            return false;
        const bool is_good = ct_database_key_check(text, length, &inner);
        if (is_good && ct_database_keys_add(keys, text, length) == i + 1)
            continue;
        r->at = begin;
        return refuse(r, is_good ? "a key is written twice" : inner.message);
    }
    return true;
}

static bool read_operations(reader *r, ct_database_commit *commit, const ct_database_keys *keys,
                            const counts *found) {
    operation_reader state = {.keys = keys->list.items + 1, .num_keys = found->keys};
    ct_guid object;
    for (uint32_t i = 0; i < found->operations; ++i) {
        ct_database_operation operation;
        if (!read_operation(r, &state, &operation))
            return false;
        object = operation.object;
        state.object = &object;
        ct_array_push(&commit->operations.list, operation);
    }
    if (state.num_used != found->keys)
        return refuse(r, "the commit has keys that no operation uses");
    return r->at == r->end || refuse(r, "found bytes behind the last operation");
}

// Checks what says whether these are all the bytes that were written.
static bool check_whole(const uint8_t *bytes, uint64_t size_bytes, ct_error *error) {
    if (size_bytes < HEADER_BYTES + CHECKSUM_BYTES || number_at(bytes, 4) != MAGIC)
        return ct_error_set(error, "found %llu bytes that are no commit of a database",
                            (unsigned long long)size_bytes);
    if (size_bytes > CT_DATABASE_MAX_COMMIT_BYTES || number_at(bytes + 8, 8) != size_bytes)
        return ct_error_set(error, "a commit has %llu bytes; expected %llu: it was cut off",
                            (unsigned long long)size_bytes,
                            (unsigned long long)number_at(bytes + 8, 8));
    if (number_at(bytes + size_bytes - CHECKSUM_BYTES, 8) !=
        ct_content_hash(bytes, size_bytes - CHECKSUM_BYTES))
        return ct_error_set(error, "a commit of %llu bytes is damaged: its checksum is another one",
                            (unsigned long long)size_bytes);
    const uint32_t version = (uint32_t)number_at(bytes + 4, 4);
    return version == CT_DATABASE_COMMIT_VERSION ||
           ct_error_set(error,
                        "a commit has version %u; expected %d: a later version of Cuttle wrote it",
                        version, CT_DATABASE_COMMIT_VERSION);
}

bool ct_database_commit_decode(ct_database_commit *commit, const void *bytes, uint64_t size_bytes,
                               ct_error *error) {
    ct_allocator *const a = commit->seen.stamps.allocator;
    ct_database_commit_free(commit);
    if (!check_whole(bytes, size_bytes, error))
        return false;
    commit->bytes = ct_database_bytes_create(a);
    uint8_t *const copy = ct_database_bytes_take(commit->bytes, size_bytes);
    memcpy(copy, bytes, size_bytes);
    reader r = {.bytes = copy, .end = size_bytes - CHECKSUM_BYTES, .error = error};
    ct_database_keys keys;
    counts found;
    ct_database_keys_init(&keys, a);
    bool is_read = read_header(&r, commit, &found) && read_names(&r, commit, &found) &&
                   read_seen(&r, commit, &found);
    const uint64_t at_keys = r.at;
    is_read = is_read && read_keys(&r, &keys, &found);
    if (is_read) { // the keys of the copy go with the commit, those of `keys` do not
        r.at = at_keys;
        for (uint32_t i = 0; i < found.keys; ++i) {
            uint32_t length = 0;
            read_packed(&r, &length);
            read_text(&r, length, &keys.list.items[i + 1].text);
        }
        is_read = read_operations(&r, commit, &keys, &found);
    }
    ct_database_keys_free(&keys);
    if (!is_read)
        ct_database_commit_free(commit);
    return is_read;
}
