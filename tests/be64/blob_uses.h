// blob_uses.h: prints what the loaders' own functions make of a blob, as systems ask them.
#pragma once
#include "resource/blob/blob.h"

// Prints what the functions of the type's header say of `blob`, which has been validated. Nothing
// for types whose headers have none.
void blob_uses_print(const char *type, const ct_blob_header *blob);
