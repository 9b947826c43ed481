// strings_check.h: finds texts of a project that are missing or not used.
//
// Reads sources, not compiled data: all `.strings` files, and for their use the string literals of
// Lua and the strings of other SJSON sources. The files of one resource are its variants
// (`menu.strings`, `menu.fr.strings`). The files for one platform are a group, and so are the files
// without a platform. Each file of a group should have every key that another has.
#pragma once
#include "compiler/strings/strings_source.h"
#include "foundation/container/hash_map.h"

typedef enum ct_strings_finding_kind {
    CT_STRINGS_FINDING_NONE,
    CT_STRINGS_FINDING_BROKEN,    // a source that cannot be read, or what is wrong in it
    CT_STRINGS_FINDING_MISSING,   // a key that `file` does not have and another of its group has
    CT_STRINGS_FINDING_DIFFERENT, // placeholders, or plural forms that its language needs
    CT_STRINGS_FINDING_UNKNOWN,   // a key that a script looks up and no file has
    CT_STRINGS_FINDING_UNUSED,    // a key that no script and no other source mentions
    CT_STRINGS_FINDING_COUNT,
} ct_strings_finding_kind;

typedef struct ct_strings_finding {
    ct_strings_finding_kind kind;
    uint32_t group;        // position in the groups; of UNKNOWN the number of groups
    const char *key;       // "" for BROKEN
    const char *file;      // project path
    uint32_t line, column; // 0: unknown, or it is of the whole file
    const char *message;
} ct_strings_finding;

// One file and its texts.
typedef struct ct_strings_file {
    const char *path;
    const char *platform; // the word in its name; "" for all
    const char *words;    // the properties in its name that are not its language: "kids"; or ""
    ct_sjson *doc;        // NULL: not readable
    ct_strings_source source;
    ct_hash_map by_key; // from a key's hash to its place in the source's texts
    bool is_broken;     // something in it is wrong, and left out
    bool is_default;    // its name has no words but the resource's, a platform and the type
} ct_strings_file;

typedef struct ct_strings_group {
    const char *name;               // of the resource: "strings/menu"
    const char *platform;           // "": for those that have no files of their own
    uint32_t first_of_resource;     // its first file; the groups of a resource follow one another
    uint32_t first_file, num_files; // the default file first, then by path
    uint32_t num_keys;              // different ones
} ct_strings_group;

typedef struct ct_strings_check {
    ct_allocator *allocator; // a temp allocator: holds all strings
    ct_allocator *heap;
    const char *project;
    ct_sjson *settings;     // NULL: the settings cannot be read
    bool has_told_settings; // their errors were reported
    CT_ARRAY(ct_strings_file) files;
    CT_ARRAY(ct_strings_group) groups;
    CT_ARRAY(ct_strings_finding)
    findings; // in the order of kinds within a group's; UNKNOWN last
    uint32_t counts[CT_STRINGS_FINDING_COUNT];
    uint32_t num_resources;
} ct_strings_check;

// Checks the project in the folder `project`. Memory is from `scratch`, a temp allocator, and
// parsed sources from `heap`. Returns false with `error` when the folder cannot be read. Call
// ct_strings_check_free in any case.
bool ct_strings_check_run(ct_strings_check *check, ct_allocator *scratch, ct_allocator *heap,
                          const char *project, ct_error *error);

// Frees the parsed sources. The rest ends with the temp allocator.
void ct_strings_check_free(ct_strings_check *check);

// Returns "broken", "missing", "different", "unknown" or "unused".
const char *ct_strings_finding_name(ct_strings_finding_kind kind);

// Returns whether one of the files from `first` to before `end` has the key.
bool ct_strings_has_before(const ct_strings_check *check, uint32_t first, uint32_t end,
                           const char *key);

// Adds a finding, whose texts are copied, and counts it.
void ct_strings_check_add(ct_strings_check *check, const ct_strings_finding *finding);
