// worker_heights.h: the heights of a height field's picture.
#pragma once
#include "compiler/protocol/compile.h"
#include "resource/types/height_field_resource.h"

// Reads the picture that `source` names, which was read from c->doc. Sets all of `h` but `heights`, and
// `heights`, as the blob has them, from the job's allocator. Returns false after reporting an error.
bool ct_worker_heights_read(ct_compile *c, const ct_height_field_source *source,
                            ct_height_field_resource *h, float **heights);
