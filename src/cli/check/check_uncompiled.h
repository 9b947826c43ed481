// check_uncompiled.h: finds resources that cannot be checked because something they need has never
// compiled.
//
// The compiler already reports what does not compile; errors of resources that need it would only
// repeat that. A resource that failed, but has data from before, does not prevent checks.
#pragma once
#include "foundation/memory/allocator.h"
#include "resource/data_index.h"

// Returns true when the index has a resource that has never compiled.
bool ct_check_has_uncompiled(const ct_data_index *index);

// Returns a resource that has never compiled and that this variant of a resource (`name` has its
// properties) refers to at any depth, or holds when it is a package; the variant itself counts.
// Returns NULL when there is none. `data_folder` is the index's; memory for the search is from `a`.
const ct_data_index_entry *ct_check_find_uncompiled(const ct_data_index *index,
                                                    const char *data_folder, ct_allocator *a,
                                                    const char *type, const char *name);
