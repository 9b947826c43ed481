// string_id.h: strings as numbers.
//
// 64-bit ids name types and resources (MurmurHash64A, seed 0); 32-bit ids name fields, components
// and parameters (MurmurHash2, seed 0). Both are Austin Appleby's published functions; `root_point`
// is 0x5e43bd96 in 32 bits. Bytes are read as little-endian on every machine. {0} means no id, and
// is the id of the empty string.
//
// Hashing is pure. Strings that messages must name later are registered where they enter the engine
// (files, Lua, the engine's own tables). The registry keeps the text of an id once; code that runs
// often never uses it. Literals are from "Static Hash Values" (Bitsquid blog, 2010-10-01).
#pragma once
#include "foundation/types.h"

// A 32-bit id.
typedef struct ct_string_id32 {
    uint32_t value;
} ct_string_id32;
// A 64-bit id; see ct_string_id32.
typedef struct ct_string_id64 {
    uint64_t value;
} ct_string_id64;

// Return the id of a zero-terminated string.
ct_string_id32 ct_string_id32_of(const char *text);
ct_string_id64 ct_string_id64_of(const char *text);

// Return the id of `length` bytes.
ct_string_id32 ct_string_id32_of_bytes(const void *bytes, uint64_t length);
ct_string_id64 ct_string_id64_of_bytes(const void *bytes, uint64_t length);

// --- Literals ------------------------------------------------------------------------------------

// `CT_ID32("root_point", 0x5e43bd96)`: an id that is known when the source is written. The `dev`
// build checks the number against the text each time; other builds have only the number.
// `cuttle hash --fix src` writes the right numbers into sources, and a test looks for wrong ones.
// Not for initialisers of static data.
#ifdef CT_BUILD_DEV
#define CT_ID32(text, id) ct_string_id32_checked("" text, (id), __FILE__, __LINE__)
#define CT_ID64(text, id) ct_string_id64_checked("" text, (id), __FILE__, __LINE__)
#else
#define CT_ID32(text, id) ((ct_string_id32){(id)})
#define CT_ID64(text, id) ((ct_string_id64){(id)})
#endif

// Implement the macros: end the program, naming `file` and `line`, when `id` is not the id of
// `text`.
ct_string_id32 ct_string_id32_checked(const char *text, uint32_t id, const char *file, int line);
ct_string_id64 ct_string_id64_checked(const char *text, uint64_t id, const char *file, int line);

// --- Names ---------------------------------------------------------------------------------------

// The most texts that the registry keeps for each width, so that no flood of strings uses up
// memory. Longer texts, and those with control characters, are not kept.
enum { CT_STRING_ID_MAX_NAMES = 1 << 17, CT_STRING_ID_MAX_NAME_BYTES = 255 };

// Starts the registry, with a proxy "string_ids" over `a`, and ends it. Call both on the main
// thread while no other thread uses ids. Before and after, nothing is kept and no id has a known
// text.
void ct_string_id_registry_init(ct_allocator *a);
void ct_string_id_registry_shutdown(void);

// Return the id like ct_string_id32_of, and keep the text. Two texts with one id are a warning
// (string_id_collision) that names both. Any thread; for a known text this is a lookup without a
// lock.
ct_string_id32 ct_string_id32_register(const char *text);
ct_string_id64 ct_string_id64_register(const char *text);
ct_string_id32 ct_string_id32_register_bytes(const char *text, uint64_t length);
ct_string_id64 ct_string_id64_register_bytes(const char *text, uint64_t length);

// Return the text of a registered id, borrowed until the registry ends; "#5e43bd96" for any other
// id, borrowed until this thread has asked for 8 more. For messages. Any thread.
const char *ct_string_id32_name(ct_string_id32 id);
const char *ct_string_id64_name(ct_string_id64 id);
