// content_move_set.h: which files get other paths, and what names become of it.
#pragma once
#include "content/move/content_move_names.h"
#include "foundation/container/hash_map.h"

typedef struct ct_move_file {
    const char *from, *to; // `to` NULL: it goes
    bool is_done;          // it lies at `to` already: others have renamed it
} ct_move_file;

// What mentions of `from` are to say; `type` NULL: a media file's path.
typedef struct ct_move_name {
    const ct_resource_type *type;
    const char *from, *to; // `to` NULL: nothing, it goes
    uint32_t before;       // not 0: only in files whose content is older than this revision of the
                           // index of references
} ct_move_name;

// {0} with its allocator, a temp allocator, set is an empty one.
typedef struct ct_move_set {
    ct_allocator *allocator;
    CT_ARRAY(ct_move_file) files;
    CT_ARRAY(ct_move_name) names;
    ct_hash_map by_file; // of `from`: to position + 1
    ct_hash_map by_name; // of type and name
    ct_hash_map by_text; // of the name alone: one of them
} ct_move_set;

// Makes an empty set; `a` is a temp allocator, and nothing is freed.
void ct_move_set_init(ct_move_set *set, ct_allocator *a);

// Adds a file; its new path is copied. Valid until the next is added.
ct_move_file *ct_move_set_add_file(ct_move_set *set, const char *from, const char *to);

// Adds a name, unless it is there already; copied. Valid until the next is added.
ct_move_name *ct_move_set_add_name(ct_move_set *set, const ct_resource_type *type, const char *from,
                                   const char *to);

// Adds a file with the name under which it is mentioned: a source's resource, or its path. `from`
// and `to` are what files lie under: the part of the path that changes. `to` NULL: the file goes.
void ct_move_set_add(ct_move_set *set, const char *path, const char *from, const char *to);

// Return the entry of a file, of a name, or of a name of any type; NULL when there is none.
const ct_move_file *ct_move_set_file(const ct_move_set *set, const char *path);
const ct_move_name *ct_move_set_name(const ct_move_set *set, const ct_resource_type *type,
                                     const char *name);
const ct_move_name *ct_move_set_any_name(const ct_move_set *set, const char *name);
