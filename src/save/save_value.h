// save_value.h: the values of a saved table, as bytes.
//
// A value is a byte that names its type, and what follows from it; a table is a count and then so many
// keys and values. There are no pointers and no padding. What reads has checked the bytes once
// (ct_save_value_check) and then needs no checks. In this machine's byte order. Any thread.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"

enum { CT_SAVE_MAX_DEPTH = 100 }; // of tables within tables

// The type of a value: its first byte. CT_SAVE_BOXED may be added to the types with numbers of the
// engine: the value is in a box then (Vector3Box).
typedef enum ct_save_value_type {
    CT_SAVE_NIL,
    CT_SAVE_FALSE,
    CT_SAVE_TRUE,
    CT_SAVE_NUMBER,     // double
    CT_SAVE_STRING,     // uint32_t bytes, then these
    CT_SAVE_TABLE,      // uint32_t count, then so many keys and values
    CT_SAVE_WORLD,      // uint32_t number of the section among those of worlds
    CT_SAVE_VECTOR2,    // float[2]
    CT_SAVE_VECTOR3,    // float[3]
    CT_SAVE_VECTOR4,    // float[4]
    CT_SAVE_QUATERNION, // float[4]
    CT_SAVE_MATRIX4X4,  // float[16]
    CT_SAVE_ID32,       // uint32_t
    CT_SAVE_ID64,       // uint64_t
    CT_SAVE_NUM_TYPES,
    CT_SAVE_BOXED = 64,
} ct_save_value_type;

// --- Writing -------------------------------------------------------------------------------------

// Append a value. Strings may have any bytes.
void ct_save_add_type(ct_byte_array *out, uint32_t type);
void ct_save_add_number(ct_byte_array *out, double number);
void ct_save_add_string(ct_byte_array *out, const char *text, uint32_t bytes);

// Appends a value of a type with a fixed size: `data` has that many bytes.
void ct_save_add_fixed(ct_byte_array *out, uint32_t type, const void *data);

// Begins a table, whose keys and values follow; returns what the end needs. The end sets their number.
uint32_t ct_save_begin_table(ct_byte_array *out);
void ct_save_end_table(ct_byte_array *out, uint32_t begin, uint32_t count);

// --- Reading -------------------------------------------------------------------------------------

// Returns the bytes behind the type of a type with a fixed size; 0 for others. Ignores CT_SAVE_BOXED.
uint32_t ct_save_fixed_bytes(uint32_t type);

// Returns the name of a type as Lua has it: "Vector3"; "table".
const char *ct_save_type_name(uint32_t type);

// Checks that `size_bytes` at `data` are one whole value whose worlds are below `num_worlds` and whose
// keys are neither nil nor NaN. Returns false with `error`.
bool ct_save_value_check(const void *data, uint64_t size_bytes, uint32_t num_worlds,
                         ct_error *error);

// A place in checked bytes.
typedef struct ct_save_reader {
    const uint8_t *at;
} ct_save_reader;

// A value that was read: its type (without CT_SAVE_BOXED), and what follows from that. A table's keys
// and values are read next.
typedef struct ct_save_value {
    uint32_t type;
    bool is_boxed;
    uint32_t count;   // of a table: keys; of a string: bytes; of a world: its number
    double number;    // of a number
    const char *text; // of a string: its bytes, without a zero at the end
    float floats[16]; // of types with floats
    uint64_t id;      // of ids
} ct_save_value;

// Reads the next value. Borrowed from the bytes.
ct_save_value ct_save_read(ct_save_reader *r);

// Moves past the next value with all that is in it.
void ct_save_skip(ct_save_reader *r);

// Finds the value of a text key of a table at the start of checked bytes. Returns false when there is no
// such key, or no table.
bool ct_save_find(const void *data, const char *key, ct_save_value *value);

// Writes the next value as SJSON or JSON. Tables whose keys are 1 to n in this order become arrays,
// others objects; values of the engine become an object with their type's name as key.
struct ct_sjson_writer;
void ct_save_print(ct_save_reader *r, struct ct_sjson_writer *w);
