// blob_values.h: prints all values of a blob by its layout.
#pragma once
#include "blob_layout.h"

// Prints every number and string of `blob`, which its type's validation has taken. False with
// `error` when the layout leaves out members of a struct or bytes of the blob (what no part covers
// must be 0), or an array or string does not lie in the blob.
bool blob_values_print(const ct_blob_header *blob, const blob_layout *layout, ct_error *error);
