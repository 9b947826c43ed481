// id_literals.h: checks and corrects the numbers in CT_ID32("root_point", 0x5e43bd96) in C sources.
#pragma once
#include "foundation/types.h"

// A scan, with its counts so far.
typedef struct ct_id_literals {
    ct_allocator *allocator;
    bool fixes; // writes the right numbers into the files
    // Called for every wrong literal that is not corrected, with its place. Borrowed for the call.
    void (*report)(void *user, const ct_error *error);
    void *user;
    uint32_t num_files, num_literals, num_wrong, num_fixed;
} ct_id_literals;

// Scans a file, or all .c, .h, .cpp, .hpp and .inl files below a folder, and adds to the counts.
// With `fixes`, a file with wrong numbers is written whole or not at all. Returns false with
// `error` when something cannot be read or written.
bool ct_id_literals_scan(ct_id_literals *l, const char *path, ct_error *error);
