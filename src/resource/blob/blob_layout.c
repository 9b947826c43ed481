#include "resource/blob/blob_layout.h"

#include <string.h>

#include "foundation/error.h"

const ct_blob_layout ct_blob_u8_layout = CT_BLOB_ALL_NUMBERS(uint8_t, 1);
const ct_blob_layout ct_blob_u16_layout = CT_BLOB_ALL_NUMBERS(uint16_t, 2);
const ct_blob_layout ct_blob_u32_layout = CT_BLOB_ALL_NUMBERS(uint32_t, 4);
const ct_blob_layout ct_blob_u64_layout = CT_BLOB_ALL_NUMBERS(uint64_t, 8);

static const ct_blob_part one_byte = {.name = "", .number_bytes = 1, .size_bytes = 1};
const ct_blob_layout ct_blob_pixels_layout = {.name = "pixels",
                                              .size_bytes = 1,
                                              .align_bytes = CT_BLOB_ALIGN,
                                              .num_parts = 1,
                                              .parts = &one_byte};

const ct_blob_layout ct_blob_string_layout = CT_BLOB_STRUCT(
    ct_blob_string,
    {.name = "", .kind = CT_BLOB_PART_STRING, .size_bytes = (uint32_t)sizeof(ct_blob_string)});
const ct_blob_layout ct_blob_stream_layout =
    CT_BLOB_STRUCT(ct_blob_stream, CT_BLOB_NUMBERS(8, ct_blob_stream, hash, hash),
                   CT_BLOB_NUMBERS(4, ct_blob_stream, bytes, padding));
const ct_blob_layout ct_blob_resource_id_layout = CT_BLOB_ALL_NUMBERS(ct_resource_id, 8);

// --- Schemas -------------------------------------------------------------------------------------

// Returns the size of the numbers of a field; 0 when it cannot be stored in a blob.
static uint32_t number_bytes(ct_field_type type) {
    switch (type) {
    case CT_FIELD_TYPE_BOOL:
    case CT_FIELD_TYPE_INT:
    case CT_FIELD_TYPE_FLOAT:
    case CT_FIELD_TYPE_VECTOR2:
    case CT_FIELD_TYPE_VECTOR3:
    case CT_FIELD_TYPE_VECTOR4:
    case CT_FIELD_TYPE_QUATERNION:
    case CT_FIELD_TYPE_COLOR:
    case CT_FIELD_TYPE_ENUM:
    case CT_FIELD_TYPE_NAME:
    case CT_FIELD_TYPE_INDEX:
        return 4;
    case CT_FIELD_TYPE_REFERENCE:
    case CT_FIELD_TYPE_REFERENCES:
        return 8;
    case CT_FIELD_TYPE_TEXT:
        return 1;
    default:
        return 0;
    }
}

ct_blob_part ct_blob_part_of_field(const ct_field *field) {
    return (ct_blob_part){.name = field->name,
                          .kind = CT_BLOB_PART_NUMBERS,
                          .offset = field->offset,
                          .size_bytes = field->size_bytes,
                          .number_bytes = number_bytes(field->type)};
}

// --- The check -----------------------------------------------------------------------------------

typedef struct check {
    const ct_blob_header *blob;
    const ct_blob_layout *layout; // of the whole blob
    ct_error *error;              // may be NULL
} check;

static bool check_struct(const check *c, const ct_blob_layout *layout, const void *at);

// Puts the path to a member before the error about it. Returns false.
__attribute__((cold, noinline)) static bool lead_to(ct_error *error, const char *name, uint32_t i) {
    char message[CT_ERROR_MESSAGE_BYTES];
    if (!error)
        return false;
    memcpy(message, error->message, sizeof(message));
    return ct_error_set(error, "%s[%u]%s%s", name, i, message[0] == ':' ? "" : ".", message);
}

// Returns whether structs of this layout have members that point elsewhere.
static bool has_offsets(const ct_blob_layout *layout) {
    for (uint32_t i = 0; i < layout->num_parts; ++i) {
        const ct_blob_part *const part = &layout->parts[i];
        if (part->kind == CT_BLOB_PART_STRUCTS ? has_offsets(part->layout)
                                               : part->kind != CT_BLOB_PART_NUMBERS)
            return true;
    }
    return false;
}

// The bytes of the blob's stream.
static uint32_t stream_bytes(const check *c) {
    for (uint32_t i = 0; i < c->layout->num_parts; ++i) {
        const ct_blob_part *const part = &c->layout->parts[i];
        if (part->layout == &ct_blob_stream_layout)
            return ((const ct_blob_stream *)ct_blob_at(c->blob, part->offset))->bytes;
    }
    return 0;
}

// Checks bytes in the stream, which is addressed as if it followed the blob.
static bool check_streamed(const check *c, ct_blob_array array, const char *name) {
    const uint64_t first = c->blob->size_bytes, end = first + stream_bytes(c);
    return (array.offset % CT_BLOB_ALIGN == 0 && (uint64_t)array.offset + array.count <= end) ||
           ct_error_set(
               c->error, "%s: %u bytes at offset %u are not in the stream, expected %llu to %llu",
               name, array.count, array.offset, (unsigned long long)first, (unsigned long long)end);
}

static bool check_stream(const check *c, const ct_blob_stream *stream) {
    return (stream->bytes % CT_BLOB_ALIGN == 0 &&
            c->blob->size_bytes + stream->bytes <= UINT32_MAX) ||
           ct_error_set(c->error, "the stream has %u bytes, expected a multiple of %d below 4 GiB",
                        stream->bytes, (int)CT_BLOB_ALIGN);
}

static bool check_array(const check *c, const ct_blob_part *part, const void *owner,
                        ct_blob_array array) {
    ct_blob_layout own;
    const ct_blob_layout *const of =
        part->choose ? part->choose(c->blob, owner, &own, c->error) : part->layout;
    if (!of)
        return false;
    if (part->is_streamed && array.offset >= c->blob->size_bytes)
        return check_streamed(c, array, part->name);
    if (!ct_blob_check_array(c->blob, array, of->size_bytes, of->align_bytes, part->name, c->error))
        return false;
    const char *const items = ct_blob_at(c->blob, array.offset);
    for (uint32_t i = 0; i < array.count && (i > 0 || has_offsets(of)); ++i) {
        if (!check_struct(c, of, items + (uint64_t)i * of->size_bytes))
            return lead_to(c->error, part->name, i);
    }
    return true;
}

static bool check_string(const check *c, const ct_blob_part *part, ct_blob_string string) {
    return (part->is_optional && string.offset == 0 && string.bytes == 0) ||
           ct_blob_check_string(c->blob, string, part->name, c->error);
}

// Members of structs in place are named as if they were the owner's own.
static bool check_in_place(const check *c, const ct_blob_part *part, const char *at) {
    if (part->layout == &ct_blob_stream_layout)
        return check_stream(c, (const ct_blob_stream *)(const void *)at);
    for (uint32_t i = 0; i < part->size_bytes; i += part->layout->size_bytes) {
        if (!check_struct(c, part->layout, at + i))
            return false;
    }
    return true;
}

static bool check_part(const check *c, const ct_blob_part *part, const void *owner) {
    const void *const at = (const char *)owner + part->offset;
    switch (part->kind) {
    case CT_BLOB_PART_STRING:
        return check_string(c, part, *(const ct_blob_string *)at);
    case CT_BLOB_PART_STRUCTS:
        return check_in_place(c, part, at);
    case CT_BLOB_PART_ARRAY:
        return check_array(c, part, owner, *(const ct_blob_array *)at);
    default:
        return true;
    }
}

static bool check_struct(const check *c, const ct_blob_layout *layout, const void *at) {
    for (uint32_t i = 0; i < layout->num_parts; ++i) {
        if (!check_part(c, &layout->parts[i], at))
            return false;
    }
    return true;
}

bool ct_blob_check_layout(const ct_blob_layout *layout, const void *blob, ct_error *error) {
    const check c = {.blob = blob, .layout = layout, .error = error};
    if (c.blob->size_bytes < layout->size_bytes)
        return ct_error_set(error, "too small for %s", layout->name);
    return check_struct(&c, layout, blob);
}
