#include "database/database_text.h"

#include <math.h>
#include <string.h>

#include "database/database_bytes.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_number.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/hex.h"

static const uint64_t nan_bits = UINT64_C(0x7ff8000000000000);
static const char nan_prefix[] = "nan:";

enum { HASH_DIGITS = 32, NAN_DIGITS = 16 };

// --- Writing -----------------------------------------------------------------------------------------

static void write_guid(ct_guid guid, ct_string_builder *out) {
    char text[CT_GUID_TEXT_BYTES + 2];
    text[0] = '"';
    ct_guid_format(guid, text + 1);
    text[CT_GUID_TEXT_BYTES] = '"';
    ct_string_builder_add_bytes(out, text, CT_GUID_TEXT_BYTES + 1);
}

static void write_number(double number, ct_string_builder *out) {
    char text[CT_SJSON_NUMBER_BYTES];
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    if (isfinite(number))
        ct_string_builder_add_bytes(out, text, ct_sjson_number_format(number, text));
    else if (isinf(number))
        ct_string_builder_add(out, number < 0 ? "{\"number\":\"-inf\"}" : "{\"number\":\"inf\"}");
    else if (bits == nan_bits)
        ct_string_builder_add(out, "{\"number\":\"nan\"}");
    else
        ct_string_builder_addf(out, "{\"number\":\"%s%016llx\"}", nan_prefix,
                               (unsigned long long)bits);
}

static void write_set(const ct_database_value *value, ct_string_builder *out) {
    ct_string_builder_add(out, "{\"set\":[");
    for (uint32_t i = 0; i < value->set.count; ++i) {
        if (i > 0)
            ct_string_builder_add_char(out, ',');
        write_guid(value->set.items[i], out);
    }
    ct_string_builder_add(out, "]}");
}

static void write_blob(const ct_database_blob *blob, ct_string_builder *out) {
    ct_string_builder_add(out, "{\"blob\":\"");
    for (uint32_t i = 0; i < sizeof(blob->hash); ++i)
        ct_string_builder_addf(out, "%02x", blob->hash[i]);
    ct_string_builder_addf(out, "\",\"bytes\":%llu}", (unsigned long long)blob->size_bytes);
}

void ct_database_value_write(const ct_database_value *value, ct_string_builder *out) {
    switch (value->kind) {
    case CT_DATABASE_BOOL:
        ct_string_builder_add(out, value->truth ? "true" : "false");
        break;
    case CT_DATABASE_NUMBER:
        write_number(value->number, out);
        break;
    case CT_DATABASE_STRING:
        ct_sjson_add_string(out, value->string.text, value->string.length);
        break;
    case CT_DATABASE_BLOB:
        write_blob(&value->blob, out);
        break;
    case CT_DATABASE_REFERENCE:
        ct_string_builder_add(out, "{\"reference\":");
        write_guid(value->reference, out);
        ct_string_builder_add_char(out, '}');
        break;
    case CT_DATABASE_SET:
        write_set(value, out);
        break;
    default:
        ct_string_builder_add(out, "null");
    }
}

void ct_database_operation_write(const ct_database_operation *operation, ct_string_builder *out) {
    ct_string_builder_addf(
        out, "{\"op\":\"%s\",\"object\":", ct_database_operation_name(operation->type));
    write_guid(operation->object, out);
    if (operation->type >= CT_DATABASE_CHANGE_KEY) {
        ct_string_builder_add(out, ",\"key\":");
        ct_sjson_add_string(out, operation->key, operation->key_length);
    }
    if (operation->type == CT_DATABASE_CHANGE_KEY) {
        ct_string_builder_add(out, ",\"value\":");
        ct_database_value_write(&operation->value, out);
    } else if (operation->type > CT_DATABASE_CHANGE_KEY) {
        ct_string_builder_add(out, ",\"element\":");
        write_guid(operation->value.reference, out);
    }
    ct_string_builder_add_char(out, '}');
}

// --- Reading values ------------------------------------------------------------------------------------

// A document and where what is read goes.
typedef struct reader {
    const ct_sjson *doc;
    ct_database_operations *out; // keeps the bytes
    ct_error *error;
} reader;

static ct_database_bytes *bytes_of(ct_database_operations *operations) {
    if (!operations->bytes)
        operations->bytes = ct_database_bytes_create(operations->list.allocator);
    return operations->bytes;
}

// Fails at a value with a message that another function made.
static bool refuse(const reader *r, ct_sjson_value at, const ct_error *inner) {
    return ct_sjson_error(r->doc, at, r->error, "%s", inner->message);
}

static bool read_guid(const reader *r, ct_sjson_value from, ct_guid *guid) {
    const char *const text = ct_sjson_string(r->doc, from, NULL);
    ct_error inner = {0};
    if (!text)
        return ct_sjson_error(r->doc, from, r->error, "found %s; expected a GUID in quotes",
                              ct_sjson_type_name(ct_sjson_type_of(r->doc, from)));
    return ct_guid_parse(text, ct_sjson_string_bytes(r->doc, from), guid, &inner) ||
           refuse(r, from, &inner);
}

static bool read_set(const reader *r, ct_sjson_value from, ct_database_value *value) {
    if (ct_sjson_type_of(r->doc, from) != CT_SJSON_TYPE_ARRAY)
        return ct_sjson_error(r->doc, from, r->error, "found %s; expected an array of GUIDs",
                              ct_sjson_type_name(ct_sjson_type_of(r->doc, from)));
    const uint32_t count = ct_sjson_count(r->doc, from);
    ct_guid *const items =
        ct_database_bytes_take(bytes_of(r->out), sizeof(ct_guid) * (uint64_t)count);
    uint32_t i = 0;
    for (ct_sjson_value v = ct_sjson_first(r->doc, from); v.entry; v = ct_sjson_next(r->doc, v))
        if (!read_guid(r, v, &items[i++]))
            return false;
    ct_database_set_sort(items, count);
    *value = (ct_database_value){.kind = CT_DATABASE_SET, .set = {items, count}};
    ct_error inner = {0};
    return ct_database_value_check(value, &inner) || refuse(r, from, &inner);
}

static bool read_blob(const reader *r, ct_sjson_value object, ct_sjson_value from,
                      ct_database_value *value) {
    const char *const text = ct_sjson_string(r->doc, from, "");
    value->kind = CT_DATABASE_BLOB;
    if (ct_sjson_string_bytes(r->doc, from) != HASH_DIGITS ||
        !ct_hex_read(text, HASH_DIGITS / 2, value->blob.hash))
        return ct_sjson_error(r->doc, from, r->error,
                              "the hash of a blob is no text of %d hexadecimal digits",
                              HASH_DIGITS);
    const ct_sjson_value size = ct_sjson_find(r->doc, object, "bytes");
    const double bytes = ct_sjson_number(r->doc, size, -1);
    if (!(bytes >= 0 && bytes <= 0x1p53 && bytes == floor(bytes)))
        return ct_sjson_error(r->doc, size.entry ? size : object, r->error,
                              "expected the size of the blob: \"bytes\":12");
    value->blob.size_bytes = (uint64_t)bytes;
    return true;
}

// A number that JSON cannot write.
static bool read_special(const reader *r, ct_sjson_value from, ct_database_value *value) {
    const char *const text = ct_sjson_string(r->doc, from, "");
    uint8_t bytes[8];
    uint64_t bits = nan_bits;
    value->kind = CT_DATABASE_NUMBER;
    value->number = strcmp(text, "-inf") == 0 ? -(double)INFINITY : (double)INFINITY;
    if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0)
        return true;
    const bool has_bits = strncmp(text, nan_prefix, strlen(nan_prefix)) == 0 &&
                          strlen(text) == strlen(nan_prefix) + NAN_DIGITS &&
                          ct_hex_read(text + strlen(nan_prefix), NAN_DIGITS / 2, bytes);
    if (has_bits) {
        bits = 0;
        for (uint32_t i = 0; i < sizeof(bytes); ++i)
            bits = bits << 8 | bytes[i];
    }
    memcpy(&value->number, &bits, sizeof(bits));
    return ((has_bits || strcmp(text, "nan") == 0) && isnan(value->number)) ||
           ct_sjson_error(r->doc, from, r->error,
                          "a number in an object is \"nan\", \"inf\", \"-inf\" or \"nan:\" with 16 "
                          "hexadecimal digits of a NaN");
}

static bool read_object(const reader *r, ct_sjson_value from, ct_database_value *value) {
    const ct_sjson_value first = ct_sjson_first(r->doc, from);
    const uint32_t count = ct_sjson_count(r->doc, from);
    const ct_sjson_value blob = ct_sjson_find(r->doc, from, "blob");
    if (blob.entry && count <= 2)
        return read_blob(r, from, blob, value);
    const char *const key = count == 1 ? ct_sjson_key(r->doc, first) : "";
    value->kind = CT_DATABASE_REFERENCE;
    if (strcmp(key, "reference") == 0)
        return read_guid(r, first, &value->reference);
    if (strcmp(key, "set") == 0)
        return read_set(r, first, value);
    if (strcmp(key, "number") == 0)
        return read_special(r, first, value);
    return ct_sjson_error(
        r->doc, from, r->error,
        "expected one of {\"reference\":\"GUID\"}, {\"set\":[\"GUID\",...]}, "
        "{\"blob\":\"32 hexadecimal digits\",\"bytes\":12}, {\"number\":\"nan\"}");
}

static bool read_string(const reader *r, ct_sjson_value from, ct_database_value *value) {
    const uint32_t length = ct_sjson_string_bytes(r->doc, from);
    ct_error inner = {0};
    *value = (ct_database_value){.kind = CT_DATABASE_STRING,
                                 .string = {ct_sjson_string(r->doc, from, ""), length}};
    if (!ct_database_value_check(value, &inner))
        return refuse(r, from, &inner);
    value->string.text = ct_database_bytes_text(bytes_of(r->out), value->string.text, length);
    return true;
}

static bool read_value(const reader *r, ct_sjson_value from, ct_database_value *value) {
    *value = (ct_database_value){0};
    switch (ct_sjson_type_of(r->doc, from)) {
    case CT_SJSON_TYPE_NULL:
        return true;
    case CT_SJSON_TYPE_BOOL:
        value->kind = CT_DATABASE_BOOL;
        value->truth = ct_sjson_bool(r->doc, from, false);
        return true;
    case CT_SJSON_TYPE_NUMBER:
        value->kind = CT_DATABASE_NUMBER;
        value->number = ct_sjson_number(r->doc, from, 0);
        return true;
    case CT_SJSON_TYPE_STRING:
        return read_string(r, from, value);
    case CT_SJSON_TYPE_OBJECT:
        return read_object(r, from, value);
    default:
        return ct_sjson_error(
            r->doc, from, r->error,
            "found %s; expected a value: for a set write {\"set\":[\"GUID\",...]}",
            ct_sjson_type_name(ct_sjson_type_of(r->doc, from)));
    }
}

bool ct_database_value_read(const char *text, uint64_t length, ct_database_operations *out,
                            ct_database_value *value, ct_error *error) {
    CT_TEMP_ALLOCATOR(temp, out->list.allocator);
    ct_database_value found;
    ct_sjson *const doc = ct_sjson_parse_value(temp, text, length, NULL, NULL, error);
    const bool is_read = doc && read_value(&(reader){doc, out, error}, ct_sjson_root(doc), &found);
    ct_sjson_free(doc);
    if (is_read)
        *value = found;
    return is_read;
}

// --- Reading operations --------------------------------------------------------------------------------

static const char *const members[] = {"op", "object", "key", "value", "element"};

enum { OP, OBJECT, KEY, VALUE, ELEMENT };

// Which members an operation has beside "op" and "object".
static bool has_member(ct_database_operation_type type, uint32_t member) {
    switch (member) {
    case KEY:
        return type >= CT_DATABASE_CHANGE_KEY;
    case VALUE:
        return type == CT_DATABASE_CHANGE_KEY;
    case ELEMENT:
        return type > CT_DATABASE_CHANGE_KEY;
    default:
        return true;
    }
}

// Finds the members of the root, which has no others.
static bool find_members(const reader *r, ct_sjson_value found[CT_COUNT_OF(members)]) {
    const ct_sjson_value root = ct_sjson_root(r->doc);
    if (ct_sjson_type_of(r->doc, root) != CT_SJSON_TYPE_OBJECT)
        return ct_sjson_error(
            r->doc, root, r->error,
            "found %s; expected an operation: {\"op\":\"create\",\"object\":\"GUID\"}",
            ct_sjson_type_name(ct_sjson_type_of(r->doc, root)));
    memset(found, 0, sizeof(*found) * CT_COUNT_OF(members));
    for (ct_sjson_value v = ct_sjson_first(r->doc, root); v.entry; v = ct_sjson_next(r->doc, v)) {
        uint32_t i = 0;
        while (i < CT_COUNT_OF(members) && strcmp(members[i], ct_sjson_key(r->doc, v)) != 0)
            ++i;
        if (i == CT_COUNT_OF(members))
            return ct_sjson_error(r->doc, v, r->error,
                                  "unknown member \"%.60s\"; expected \"op\", \"object\", \"key\", "
                                  "\"value\" or \"element\"",
                                  ct_sjson_key(r->doc, v));
        found[i] = v;
    }
    return true;
}

static bool read_type(const reader *r, ct_sjson_value from, ct_database_operation_type *type) {
    const char *const name = ct_sjson_string(r->doc, from, "");
    for (uint32_t i = 0; i < CT_DATABASE_NUM_OPERATION_TYPES; ++i) {
        *type = (ct_database_operation_type)i;
        if (strcmp(name, ct_database_operation_name(*type)) == 0)
            return true;
    }
    return ct_sjson_error(r->doc, from.entry ? from : ct_sjson_root(r->doc), r->error,
                          "found the \"op\" \"%.60s\"; expected \"create\", \"destroy\", "
                          "\"change_key\", \"add_to_set\" or \"remove_from_set\"",
                          name);
}

static bool read_key(const reader *r, ct_sjson_value from, ct_database_operation *operation) {
    operation->key = ct_sjson_string(r->doc, from, NULL);
    operation->key_length = ct_sjson_string_bytes(r->doc, from);
    ct_error inner = {0};
    if (!operation->key)
        return ct_sjson_error(r->doc, from, r->error, "found %s; expected a key in quotes",
                              ct_sjson_type_name(ct_sjson_type_of(r->doc, from)));
    return ct_database_key_check(operation->key, operation->key_length, &inner) ||
           refuse(r, from, &inner);
}

static bool read_operation(const reader *r) {
    ct_sjson_value found[CT_COUNT_OF(members)];
    ct_database_operation operation = {0};
    ct_error inner = {0};
    if (!find_members(r, found) || !read_type(r, found[OP], &operation.type))
        return false;
    const char *const name = ct_database_operation_name(operation.type);
    for (uint32_t i = OBJECT; i < CT_COUNT_OF(members); ++i)
        if (has_member(operation.type, i) != (found[i].entry != 0))
            return ct_sjson_error(r->doc, found[i].entry ? found[i] : ct_sjson_root(r->doc),
                                  r->error, found[i].entry ? "%s has no \"%s\"" : "%s needs \"%s\"",
                                  name, members[i]);
    if (!read_guid(r, found[OBJECT], &operation.object) ||
        (found[KEY].entry && !read_key(r, found[KEY], &operation)) ||
        (found[VALUE].entry && !read_value(r, found[VALUE], &operation.value)))
        return false;
    if (found[ELEMENT].entry) {
        operation.value.kind = CT_DATABASE_REFERENCE;
        if (!read_guid(r, found[ELEMENT], &operation.value.reference))
            return false;
    }
    if (!ct_database_operation_check(&operation, &inner))
        return refuse(r, ct_sjson_root(r->doc), &inner);
    // The value's bytes are kept already.
    if (operation.key)
        operation.key =
            ct_database_bytes_text(bytes_of(r->out), operation.key, operation.key_length);
    ct_array_push(&r->out->list, operation);
    return true;
}

static bool read_line(const char *text, uint64_t length, const char *file,
                      ct_database_operations *out, ct_error *error) {
    CT_TEMP_ALLOCATOR(temp, out->list.allocator);
    ct_sjson *const doc = ct_sjson_parse_value(temp, text, length, file, NULL, error);
    const bool is_read = doc && read_operation(&(reader){doc, out, error});
    ct_sjson_free(doc);
    return is_read;
}

bool ct_database_operation_read(const char *text, uint64_t length, ct_database_operations *out,
                                ct_error *error) {
    return read_line(text, length, NULL, out, error);
}

static bool is_blank(const char *text, uint64_t length) {
    for (uint64_t i = 0; i < length; ++i)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
            return false;
    return true;
}

bool ct_database_operations_read(const char *text, uint64_t length, const char *file,
                                 ct_database_operations *out, ct_error *error) {
    const uint32_t count = out->list.count;
    uint32_t line = 1;
    for (uint64_t at = 0; at < length; ++line) {
        const char *const end = memchr(text + at, '\n', length - at);
        const uint64_t bytes = end ? (uint64_t)(end - text) - at : length - at;
        if (!is_blank(text + at, bytes) && !read_line(text + at, bytes, file, out, error)) {
            if (error)
                error->line = line;
            out->list.count = count;
            return false;
        }
        at += bytes + 1;
    }
    return true;
}
