// blob_values.h: prints all values of a blob by its layout.
#pragma once
#include "resource/blob/blob_layout.h"

// Prints every number and string of `blob`, which its type's validation has taken. False with
// `error` when the layout leaves out bytes of the blob: what nothing leads to must be 0.
bool blob_values_print(const ct_blob_header *blob, const ct_blob_layout *layout, ct_error *error);
