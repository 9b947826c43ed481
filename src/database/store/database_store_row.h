// database_store_row.h: what both stores have in common: in which table a row of the state is kept, and how a
// value is kept in columns.
//
// Tables: object_row (CREATE, DESTROY), value_row (CHANGE_KEY), element_row (ADD_TO_SET, REMOVE_FROM_SET), and
// removed_row for those of all types that only hide something: they are not read when a state is loaded.
#pragma once
#include "database/store/database_store.h"

typedef enum ct_database_row_table {
    CT_DATABASE_ROW_TABLE_OBJECT,
    CT_DATABASE_ROW_TABLE_VALUE,
    CT_DATABASE_ROW_TABLE_ELEMENT,
    CT_DATABASE_ROW_TABLE_REMOVED,
} ct_database_row_table;

// Where a row is kept. The row of a value or of a CREATE wins when it is what readers see; an element's when it
// counts: it is newer than the value.
typedef struct ct_database_row_place {
    ct_database_row_table table;
    bool wins;
} ct_database_row_place;

// Sorts the rows of one key: values first, then elements by GUID; each by stamp.
void ct_database_rows_sort(ct_database_row *rows, uint32_t count);

// Returns how many rows of sorted elements, from the first one on, are of the same element.
uint32_t ct_database_rows_same_element(const ct_database_row *rows, uint32_t count);

// Fills `places` for all rows of one key of an object (or all its CREATE and DESTROY rows), sorted.
void ct_database_row_places(const ct_database_row *rows, uint32_t count,
                            ct_database_row_place *places);

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

// Returns the hash of a row. That of several, in any order, is the sum of theirs.
uint64_t ct_database_row_hash(const ct_database_row *row);
