// check_uncompiled.h: what cannot be checked because something it needs has never compiled.
//
// That is told where it does not compile; the errors of whatever needs it would say the same again.
// What failed, but has data from before, keeps nothing from being checked.
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/data_index.h"

// True when there is something that has never compiled.
bool ct_check_has_uncompiled(const ct_data_index *index);

// Something that has never compiled, and that this variant of a resource (`name` has its
// properties) refers to at whatever depth, or holds when it is a package; itself included. NULL
// when there is none. `data_folder` is the index's; memory for the search comes from `a`.
const ct_data_index_entry *ct_check_find_uncompiled(const ct_data_index *index,
                                                    const char *data_folder, ct_allocator *a,
                                                    const char *type, const char *name);
