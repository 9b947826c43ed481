#include "database/database_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "database/database_bytes.h"
#include "foundation/string/utf8.h"

enum { MAX_QUOTED_BYTES = 40 };

// --- Values ----------------------------------------------------------------------------------------

static bool are_numbers_equal(double a, double b) {
    return (a == 0 && b == 0) || memcmp(&a, &b, sizeof(a)) == 0;
}

bool ct_database_value_is_equal(const ct_database_value *a, const ct_database_value *b) {
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case CT_DATABASE_BOOL:
        return a->truth == b->truth;
    case CT_DATABASE_NUMBER:
        return are_numbers_equal(a->number, b->number);
    case CT_DATABASE_STRING:
        return a->string.length == b->string.length &&
               (a->string.length == 0 ||
                memcmp(a->string.text, b->string.text, a->string.length) == 0);
    case CT_DATABASE_BLOB:
        return a->blob.size_bytes == b->blob.size_bytes &&
               memcmp(a->blob.hash, b->blob.hash, sizeof(a->blob.hash)) == 0;
    case CT_DATABASE_REFERENCE:
        return ct_guid_is_equal(a->reference, b->reference);
    case CT_DATABASE_SET:
        return a->set.count == b->set.count &&
               (a->set.count == 0 ||
                memcmp(a->set.items, b->set.items, sizeof(ct_guid) * a->set.count) == 0);
    default:
        return true;
    }
}

// Returns the first byte that is not UTF-8; `length` when all are.
static uint64_t first_bad_byte(const char *text, uint64_t length) {
    uint64_t at = 0;
    while (at < length) {
        const uint32_t bytes = ct_utf8_length(text + at, length - at);
        if (bytes == 0)
            return at;
        at += bytes;
    }
    return length;
}

static bool check_string(const char *text, uint32_t length, ct_error *error) {
    if (length > CT_DATABASE_MAX_STRING_BYTES)
        return ct_error_set(error,
                            "a string has %u bytes; expected at most %d: use a blob for more",
                            length, CT_DATABASE_MAX_STRING_BYTES);
    if (length == 0 || ct_utf8_is_valid(text, length))
        return true;
    const uint64_t at = first_bad_byte(text, length);
    return ct_error_set(error,
                        "byte %llu of a string is 0x%02x; expected UTF-8: use a blob for bytes",
                        (unsigned long long)at + 1, (unsigned char)text[at]);
}

static bool check_set(const ct_guid *items, uint32_t count, ct_error *error) {
    for (uint32_t i = 1; i < count; ++i) {
        const int order = ct_guid_compare(items[i - 1], items[i]);
        if (order < 0)
            continue;
        char text[CT_GUID_TEXT_BYTES];
        ct_guid_format(items[i], text);
        return ct_error_set(error,
                            order == 0 ? "a set has the element %s twice; expected it once"
                                       : "the element %s of a set comes after a larger one; "
                                         "expected them in ascending order",
                            text);
    }
    return true;
}

bool ct_database_value_check(const ct_database_value *value, ct_error *error) {
    if ((uint32_t)value->kind >= CT_DATABASE_NUM_KINDS)
        return ct_error_set(error, "found the kind %u of a value; expected 0 to %d",
                            (uint32_t)value->kind, CT_DATABASE_NUM_KINDS - 1);
    if (value->kind == CT_DATABASE_STRING)
        return check_string(value->string.text, value->string.length, error);
    if (value->kind == CT_DATABASE_SET)
        return check_set(value->set.items, value->set.count, error);
    return true;
}

// Writes the start of a key as one line to `text` of 4 * MAX_QUOTED_BYTES + 4.
static void quote_key(const char *key, uint64_t length, char *text) {
    const uint64_t bytes = length < MAX_QUOTED_BYTES ? length : MAX_QUOTED_BYTES;
    const uint32_t room = 4 * MAX_QUOTED_BYTES + 1;
    const uint64_t taken = ct_utf8_write_printable_lines(text, room, key, bytes);
    for (char *c = text; *c; ++c)
        if (*c == '\n' || *c == '\t')
            *c = ' ';
    if (taken < length)
        strcat(text, "...");
}

bool ct_database_key_check(const char *key, uint64_t length, ct_error *error) {
    char text[4 * MAX_QUOTED_BYTES + 8];
    if (length == 0)
        return ct_error_set(error, "found an empty key; expected 1 to %d bytes",
                            CT_DATABASE_MAX_KEY_BYTES);
    if (length > CT_DATABASE_MAX_KEY_BYTES) {
        quote_key(key, length, text);
        return ct_error_set(error, "the key \"%s\" has %llu bytes; expected at most %d", text,
                            (unsigned long long)length, CT_DATABASE_MAX_KEY_BYTES);
    }
    for (uint64_t at = 0; at < length;) {
        const uint32_t bytes = ct_utf8_length(key + at, length - at);
        const uint32_t character = bytes ? ct_utf8_decode(key + at) : 0;
        if (character < 0x20 || (character >= 0x7f && character < 0xa0)) {
            quote_key(key, length, text);
            return ct_error_set(error, "byte %llu of the key \"%s\" is 0x%02x; expected UTF-8 %s",
                                (unsigned long long)at + 1, text, (unsigned char)key[at],
                                "without control characters");
        }
        at += bytes;
    }
    return true;
}

// --- Operations ------------------------------------------------------------------------------------

bool ct_database_operation_check(const ct_database_operation *operation, ct_error *error) {
    const ct_database_operation_type type = operation->type;
    if ((uint32_t)type >= CT_DATABASE_NUM_OPERATION_TYPES)
        return ct_error_set(error, "found the operation %u; expected 0 to %d", (uint32_t)type,
                            CT_DATABASE_NUM_OPERATION_TYPES - 1);
    if (type == CT_DATABASE_CREATE || type == CT_DATABASE_DESTROY)
        return !ct_guid_is_none(operation->object) ||
               ct_error_set(error,
                            "%s of the object with the GUID of zeros; that is the root, which "
                            "always exists",
                            ct_database_operation_name(type));
    if (!ct_database_key_check(operation->key ? operation->key : "", operation->key_length, error))
        return false;
    if (type != CT_DATABASE_CHANGE_KEY && operation->value.kind != CT_DATABASE_REFERENCE)
        return ct_error_set(error, "%s with a value of another kind; expected the element's GUID",
                            ct_database_operation_name(type));
    return ct_database_value_check(&operation->value, error);
}

void ct_database_operations_init(ct_database_operations *operations, ct_allocator *a) {
    ct_array_init(&operations->list, a);
    operations->bytes = NULL;
}

void ct_database_operations_free(ct_database_operations *operations) {
    ct_array_free(&operations->list);
    ct_database_bytes_destroy(operations->bytes);
    operations->bytes = NULL;
}

void ct_database_operations_clear(ct_database_operations *operations) {
    operations->list.count = 0;
    ct_database_bytes_destroy(operations->bytes);
    operations->bytes = NULL;
}

// Returns the bytes of a key that are kept: mostly those of the operation before.
static const char *keep_key(ct_database_operations *operations, const char *key, uint32_t length) {
    if (operations->list.count > 0) {
        const ct_database_operation *const last =
            &operations->list.items[operations->list.count - 1];
        if (last->key && last->key_length == length && memcmp(last->key, key, length) == 0)
            return last->key;
    }
    return ct_database_bytes_text(operations->bytes, key, length);
}

static void keep_value(ct_database_operations *operations, ct_database_value *value) {
    if (value->kind == CT_DATABASE_STRING) {
        value->string.text =
            ct_database_bytes_text(operations->bytes, value->string.text, value->string.length);
    } else if (value->kind == CT_DATABASE_SET && value->set.count > 0) {
        const uint64_t bytes = sizeof(ct_guid) * (uint64_t)value->set.count;
        ct_guid *const items = ct_database_bytes_take(operations->bytes, bytes);
        memcpy(items, value->set.items, bytes);
        value->set.items = items;
    }
}

void ct_database_operations_push(ct_database_operations *operations,
                                 const ct_database_operation *operation) {
    ct_database_operation copy = *operation;
    if (!operations->bytes)
        operations->bytes = ct_database_bytes_create(operations->list.allocator);
    if (copy.type < CT_DATABASE_CHANGE_KEY) {
        copy.key = NULL;
        copy.key_length = 0;
        copy.value = (ct_database_value){0};
    } else {
        copy.key = keep_key(operations, copy.key, copy.key_length);
        keep_value(operations, &copy.value);
    }
    ct_array_push(&operations->list, copy);
}

const char *ct_database_operation_name(ct_database_operation_type type) {
    static const char *const names[] = {"create", "destroy", "change_key", "add_to_set",
                                        "remove_from_set"};
    _Static_assert(CT_COUNT_OF(names) == CT_DATABASE_NUM_OPERATION_TYPES, "a name each");
    return (uint32_t)type < CT_COUNT_OF(names) ? names[type] : "unknown";
}

const char *ct_database_kind_name(ct_database_kind kind) {
    static const char *const names[] = {"null", "bool",      "number", "string",
                                        "blob", "reference", "set"};
    _Static_assert(CT_COUNT_OF(names) == CT_DATABASE_NUM_KINDS, "a name each");
    return (uint32_t)kind < CT_COUNT_OF(names) ? names[kind] : "unknown";
}

static int compare_elements(const void *a, const void *b) {
    return ct_guid_compare(*(const ct_guid *)a, *(const ct_guid *)b);
}

void ct_database_set_sort(ct_guid *elements, uint32_t count) {
    if (count > 1)
        qsort(elements, count, sizeof(*elements), compare_elements);
}
