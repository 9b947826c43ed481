// string_id.h: strings as numbers.
//
// 64-bit ids name types and resources (MurmurHash64A, seed 0); 32-bit ids name fields, components,
// parameters (MurmurHash2, seed 0). Both are Austin Appleby's published functions; `root_point`
// is 0x5e43bd96 in 32 bits. Bytes are read as little-endian on every machine. {0} is none, and the
// id of the empty string.
//
// Hashing is pure. What messages shall name later is registered where strings come in (files, Lua,
// the engine's own tables): the registry keeps the text of an id once and is never asked by what
// runs often. Literals are from "Static Hash Values" (Bitsquid blog, 2010-10-01).
#pragma once
#include "foundation/types.h"

// The ids: one of 32 and one of 64 bits.
typedef struct ct_string_id32 {
    uint32_t value;
} ct_string_id32;
// See ct_string_id32.
typedef struct ct_string_id64 {
    uint64_t value;
} ct_string_id64;

// The id of a zero-terminated string.
ct_string_id32 ct_string_id32_of(const char *text);
ct_string_id64 ct_string_id64_of(const char *text);

// The id of `length` bytes.
ct_string_id32 ct_string_id32_of_bytes(const void *bytes, uint64_t length);
ct_string_id64 ct_string_id64_of_bytes(const void *bytes, uint64_t length);

// --- Literals ------------------------------------------------------------------------------------

// `CT_ID32("root_point", 0x5e43bd96)`: an id that is known when the source is written. `dev` checks
// the number against the text each time; other builds only have the number. `cuttle hash --fix src`
// writes the right numbers into sources, and a test looks for wrong ones. Not for initialisers of
// static data.
#ifdef CT_BUILD_DEV
#define CT_ID32(text, id) ct_string_id32_checked("" text, (id), __FILE__, __LINE__)
#define CT_ID64(text, id) ct_string_id64_checked("" text, (id), __FILE__, __LINE__)
#else
#define CT_ID32(text, id) ((ct_string_id32){(id)})
#define CT_ID64(text, id) ((ct_string_id64){(id)})
#endif

// Behind the macros: ends the program, naming `file` and `line`, when `id` is not that of `text`.
ct_string_id32 ct_string_id32_checked(const char *text, uint32_t id, const char *file, int line);
ct_string_id64 ct_string_id64_checked(const char *text, uint64_t id, const char *file, int line);

// --- Names ---------------------------------------------------------------------------------------

// The most that is kept of each width, so that no flood of strings takes all memory. Longer texts,
// and those with control characters, are not kept.
enum { CT_STRING_ID_MAX_NAMES = 1 << 17, CT_STRING_ID_MAX_NAME_BYTES = 255 };

// Starts the registry, with a proxy "string_ids" over `a`, and ends it; on the main thread, while
// no other uses ids. Before and after nothing is kept and nothing is known.
void ct_string_id_registry_init(ct_allocator *a);
void ct_string_id_registry_shutdown(void);

// As ct_string_id32_of, and keeps the text. Two texts with one id are a warning
// (string_id_collision) that names both. Any thread; for a text that is known a lookup without a
// lock.
ct_string_id32 ct_string_id32_register(const char *text);
ct_string_id64 ct_string_id64_register(const char *text);
ct_string_id32 ct_string_id32_register_bytes(const char *text, uint64_t length);
ct_string_id64 ct_string_id64_register_bytes(const char *text, uint64_t length);

// The text of a registered id, borrowed until the registry ends; "#5e43bd96" for any other,
// borrowed until this thread has asked for 8 more. For messages. Any thread.
const char *ct_string_id32_name(ct_string_id32 id);
const char *ct_string_id64_name(ct_string_id64 id);
