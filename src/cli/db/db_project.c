#include <stdio.h>

#include "cli/db/db_call.h"

bool ct_db_import(ct_db_call *call, ct_error *error) {
    (void)call;
    return ct_error_set(error, "not there yet");
}

bool ct_db_export(ct_db_call *call, ct_error *error) {
    (void)call;
    return ct_error_set(error, "not there yet");
}
