// sqlite_api.h: the functions of SQLite that the engine uses, found at run time: no program links it.
#pragma once
#include <sqlite3.h>

#include "foundation/types.h"

#define CT_SQLITE_FUNCTIONS(X)                                                                     \
    X(sqlite3_bind_blob64)                                                                         \
    X(sqlite3_bind_double)                                                                         \
    X(sqlite3_bind_int64)                                                                          \
    X(sqlite3_bind_null)                                                                           \
    X(sqlite3_bind_text64)                                                                         \
    X(sqlite3_busy_timeout)                                                                        \
    X(sqlite3_changes)                                                                             \
    X(sqlite3_close_v2)                                                                            \
    X(sqlite3_column_blob)                                                                         \
    X(sqlite3_column_bytes)                                                                        \
    X(sqlite3_column_count)                                                                        \
    X(sqlite3_column_double)                                                                       \
    X(sqlite3_column_int64)                                                                        \
    X(sqlite3_column_name)                                                                         \
    X(sqlite3_column_text)                                                                         \
    X(sqlite3_column_type)                                                                         \
    X(sqlite3_db_config)                                                                           \
    X(sqlite3_db_readonly)                                                                         \
    X(sqlite3_errmsg)                                                                              \
    X(sqlite3_exec)                                                                                \
    X(sqlite3_extended_result_codes)                                                               \
    X(sqlite3_finalize)                                                                            \
    X(sqlite3_free)                                                                                \
    X(sqlite3_get_autocommit)                                                                      \
    X(sqlite3_last_insert_rowid)                                                                   \
    X(sqlite3_libversion)                                                                          \
    X(sqlite3_libversion_number)                                                                   \
    X(sqlite3_open_v2)                                                                             \
    X(sqlite3_prepare_v3)                                                                          \
    X(sqlite3_reset)                                                                               \
    X(sqlite3_set_authorizer)                                                                      \
    X(sqlite3_step)                                                                                \
    X(sqlite3_stmt_readonly)

// SQLite's functions, loaded when a program opens its first database.
typedef struct ct_sqlite_api {
#define CT_SQLITE_POINTER(name) __typeof__(&name) name;
    CT_SQLITE_FUNCTIONS(CT_SQLITE_POINTER)
#undef CT_SQLITE_POINTER
} ct_sqlite_api;

// Loads SQLite, once for the life of the process. Returns NULL with an `error` that says what to install. The
// first call must have returned before another thread makes one.
const ct_sqlite_api *ct_sqlite_load(ct_error *error);
