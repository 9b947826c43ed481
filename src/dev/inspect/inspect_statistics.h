// inspect_statistics.h: figures of the systems as tables with named columns.
//
// A table is a row of `ct_inspect_tables`: a name and a function that writes its rows. Update thread.
#pragma once
#include "dev/protocol/protocol_request.h"

enum { CT_INSPECT_MAX_ROWS = 1000 }; // of a table

typedef struct ct_inspect_table {
    const char *name; // "physics"
    const char *summary;
    const char *const *columns;           // NULL-terminated
    void (*write)(ct_console_request *r); // an array for each row, into the open array
} ct_inspect_table;

extern const ct_inspect_table ct_inspect_tables[];
extern const uint32_t ct_inspect_num_tables;
