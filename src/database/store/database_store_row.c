#include "database/store/database_store_row.h"

#include <string.h>

#include "resource/blob/content_hash.h"

// --- Tables --------------------------------------------------------------------------------------

ct_database_row_table ct_database_row_table_of(const ct_database_row *row) {
    if (!row->lives)
        return CT_DATABASE_ROW_TABLE_REMOVED;
    switch (row->operation.type) {
    case CT_DATABASE_CREATE:
    case CT_DATABASE_DESTROY:
        return CT_DATABASE_ROW_TABLE_OBJECT;
    case CT_DATABASE_CHANGE_KEY:
        return CT_DATABASE_ROW_TABLE_VALUE;
    default:
        return CT_DATABASE_ROW_TABLE_ELEMENT;
    }
}

uint32_t ct_database_row_flags(const ct_database_row *row) {
    return (row->wins ? CT_DATABASE_ROW_WINS : 0) |
           (row->has_removed ? CT_DATABASE_ROW_HAS_REMOVED : 0);
}

bool ct_database_row_set_flags(ct_database_row *row, ct_database_row_table table, int64_t flags) {
    row->lives = table != CT_DATABASE_ROW_TABLE_REMOVED;
    row->wins = flags & CT_DATABASE_ROW_WINS;
    row->has_removed = flags & CT_DATABASE_ROW_HAS_REMOVED;
    return flags >= 0 && flags <= (CT_DATABASE_ROW_WINS | CT_DATABASE_ROW_HAS_REMOVED);
}

// --- Columns -------------------------------------------------------------------------------------

static void write_u64(uint8_t *bytes, uint64_t number) {
    for (uint32_t i = 0; i < 8; ++i)
        bytes[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t read_u64(const uint8_t *bytes) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < 8; ++i)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

void ct_database_columns_of(const ct_database_value *value, ct_database_columns *columns) {
    columns->kind = value->kind;
    columns->number = 0;
    columns->bytes = "";
    columns->size_bytes = 0;
    switch (value->kind) {
    case CT_DATABASE_BOOL:
        columns->number = value->truth;
        break;
    case CT_DATABASE_NUMBER:
        columns->number = value->number;
        break;
    case CT_DATABASE_STRING:
        columns->bytes = value->string.text;
        columns->size_bytes = value->string.length;
        break;
    case CT_DATABASE_BLOB:
        memcpy(columns->blob, value->blob.hash, 16);
        write_u64(columns->blob + 16, value->blob.size_bytes);
        columns->bytes = columns->blob;
        columns->size_bytes = sizeof(columns->blob);
        break;
    case CT_DATABASE_REFERENCE:
        columns->bytes = value->reference.bytes;
        columns->size_bytes = sizeof(value->reference);
        break;
    case CT_DATABASE_SET:
        columns->bytes = value->set.items;
        columns->size_bytes = value->set.count * (uint32_t)sizeof(ct_guid);
        break;
    default:
        break;
    }
}

// Returns the size that the bytes of a kind have; 0: any.
static uint32_t size_of_kind(ct_database_kind kind) {
    return kind == CT_DATABASE_BLOB ? 24 : kind == CT_DATABASE_REFERENCE ? sizeof(ct_guid) : 0;
}

bool ct_database_columns_value(const ct_database_columns *columns, ct_database_value *value,
                               ct_error *error) {
    if ((uint32_t)columns->kind >= CT_DATABASE_NUM_KINDS)
        return ct_error_set(error, "found the kind %u of a value; expected 0 to %d",
                            (uint32_t)columns->kind, CT_DATABASE_NUM_KINDS - 1);
    const uint32_t expected = size_of_kind(columns->kind);
    if ((expected && columns->size_bytes != expected) ||
        (columns->kind == CT_DATABASE_SET && columns->size_bytes % sizeof(ct_guid) != 0))
        return ct_error_set(error, "found a value of kind %s with %u bytes",
                            ct_database_kind_name(columns->kind), columns->size_bytes);
    *value = (ct_database_value){.kind = columns->kind};
    switch (columns->kind) {
    case CT_DATABASE_BOOL:
        value->truth = columns->number != 0;
        return true;
    case CT_DATABASE_NUMBER:
        value->number = columns->number;
        return true;
    case CT_DATABASE_STRING:
        value->string.text = columns->bytes;
        value->string.length = columns->size_bytes;
        break;
    case CT_DATABASE_BLOB:
        memcpy(value->blob.hash, columns->bytes, 16);
        value->blob.size_bytes = read_u64((const uint8_t *)columns->bytes + 16);
        break;
    case CT_DATABASE_REFERENCE:
        memcpy(&value->reference, columns->bytes, sizeof(value->reference));
        return true;
    case CT_DATABASE_SET:
        value->set.items = columns->bytes;
        value->set.count = columns->size_bytes / (uint32_t)sizeof(ct_guid);
        break;
    default:
        return true;
    }
    return ct_database_value_check(value, error);
}

bool ct_database_time_check(int64_t time) {
    return time > 0 && (uint64_t)time <= CT_DATABASE_MAX_TIME;
}

uint32_t ct_database_blob_num_pieces(uint64_t size_bytes) {
    return size_bytes == 0 ? 1 : (uint32_t)((size_bytes - 1) / CT_DATABASE_BLOB_PIECE_BYTES) + 1;
}

uint32_t ct_database_blob_piece_bytes(uint64_t size_bytes, uint32_t piece) {
    const uint64_t begin = (uint64_t)piece * CT_DATABASE_BLOB_PIECE_BYTES;
    const uint64_t left = begin < size_bytes ? size_bytes - begin : 0;
    return left < CT_DATABASE_BLOB_PIECE_BYTES ? (uint32_t)left : CT_DATABASE_BLOB_PIECE_BYTES;
}

bool ct_database_branch_check(const char *name, ct_error *error) {
    const uint64_t length = strlen(name);
    if (length == 0 || length > CT_DATABASE_MAX_BRANCH_BYTES)
        return ct_error_set(error, "found a branch name of %llu bytes; expected 1 to %d",
                            (unsigned long long)length, CT_DATABASE_MAX_BRANCH_BYTES);
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
    if (strspn(name, allowed) != length)
        return ct_error_set(
            error, "found the branch name \"%s\"; expected letters, digits, '-', '_', '.' and '/'",
            name);
    return true;
}

int64_t ct_database_branch_hash(const char *name, ct_guid replica) {
    uint8_t bytes[CT_DATABASE_MAX_BRANCH_BYTES + 1 + sizeof(ct_guid)] = {0};
    memcpy(bytes, replica.bytes, sizeof(replica));
    const uint64_t length = strnlen(name, CT_DATABASE_MAX_BRANCH_BYTES);
    memcpy(bytes + sizeof(replica), name, length);
    return (int64_t)ct_content_hash(bytes, sizeof(replica) + length);
}

uint64_t ct_database_row_hash(const ct_database_row *row) {
    struct {
        uint64_t time, number, key_hash, bytes_hash, bytes;
        ct_guid object, replica;
        uint32_t type, kind;
    } all = {
        .time = row->stamp.time,
        .replica = row->stamp.replica,
        .object = row->operation.object,
        .type = row->operation.type,
    };
    if (row->operation.key)
        all.key_hash = ct_content_hash(row->operation.key, row->operation.key_length);
    if (row->operation.type >= CT_DATABASE_CHANGE_KEY) {
        ct_database_columns columns;
        ct_database_columns_of(&row->operation.value, &columns);
        all.kind = columns.kind;
        memcpy(&all.number, &columns.number, sizeof(all.number));
        all.bytes = columns.size_bytes;
        all.bytes_hash = ct_content_hash(columns.bytes, columns.size_bytes);
    }
    return ct_content_hash(&all, sizeof(all));
}
