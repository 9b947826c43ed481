// database_store_row.h: what both stores have in common: in which table a row of the state is kept, and how a
// value is kept in columns.
//
// Tables: object_row (CREATE, DESTROY), value_row (CHANGE_KEY), element_row (ADD_TO_SET, REMOVE_FROM_SET), and
// removed_row for the rows of all types that do not live: they are not read when a state is loaded.
#pragma once
#include "database/store/database_store.h"

// The table in which a row is kept.
typedef enum ct_database_row_table {
    CT_DATABASE_ROW_TABLE_OBJECT,
    CT_DATABASE_ROW_TABLE_VALUE,
    CT_DATABASE_ROW_TABLE_ELEMENT,
    CT_DATABASE_ROW_TABLE_REMOVED,
} ct_database_row_table;

// Returns the table of a row.
ct_database_row_table ct_database_row_table_of(const ct_database_row *row);

// What is said of a row, in one column.
enum { CT_DATABASE_ROW_WINS = 1, CT_DATABASE_ROW_HAS_REMOVED = 2 };
uint32_t ct_database_row_flags(const ct_database_row *row);

// Sets the flags of a row that was read. Returns false when there are others.
bool ct_database_row_set_flags(ct_database_row *row, ct_database_row_table table, int64_t flags);

// Columns of a value: what is not a number or a bool is bytes. NULL has neither. A string is followed by a zero.
typedef struct ct_database_columns {
    ct_database_kind kind;
    double number; // BOOL: 0 or 1
    const void *bytes;
    uint32_t size_bytes;
    uint8_t blob[24]; // behind `bytes` of a blob
} ct_database_columns;

// Fills the columns; they point into the value and into themselves.
void ct_database_columns_of(const ct_database_value *value, ct_database_columns *columns);

// Makes a value of columns that come from a file or a server; it points at their bytes. Returns false with `error`
// when they are damaged. `kind` is checked, too.
bool ct_database_columns_value(const ct_database_columns *columns, ct_database_value *value,
                               ct_error *error);

// Returns whether a time that comes from a file or a server is in range.
bool ct_database_time_check(int64_t time);

// Returns the number of pieces of a blob, at least 1.
uint32_t ct_database_blob_num_pieces(uint64_t size_bytes);

// Returns the size of a piece.
uint32_t ct_database_blob_piece_bytes(uint64_t size_bytes, uint32_t piece);

// Returns the hash that goes with a branch in its table: of name and replica.
int64_t ct_database_branch_hash(const char *name, ct_guid replica);

// Returns the hash of a row, without its flags. That of several, in any order, is the sum of theirs.
uint64_t ct_database_row_hash(const ct_database_row *row);
