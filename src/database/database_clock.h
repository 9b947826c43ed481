// database_clock.h: times of commits, and vectors of what a replica has seen.
//
// Hybrid logical clocks: Kulkarni and others, "Logical Physical Clocks" (2014). A time is milliseconds since
// 1970 in the upper 48 bits and a counter in the lower 16; the counter runs over into the milliseconds.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/string/guid.h"

// The highest time that is taken from outside: the start of the year 4000. It leaves room to count on from.
#define CT_DATABASE_MAX_TIME ((uint64_t)64060588800000 << 16)

// When and by which replica a commit was made. No two commits have the same. Ordered by time, then replica;
// the order never puts a commit before one that its author had seen.
typedef struct ct_database_stamp {
    uint64_t time; // 0: before everything
    ct_guid replica;
} ct_database_stamp;

// Returns a number less than, equal to or greater than 0.
int ct_database_stamp_compare(ct_database_stamp a, ct_database_stamp b);

// Returns the time of the next commit: the wall clock (ct_os_wall_time_ns, given by the caller), but at
// least 1 more than `last`, the highest time that the replica has seen. A wall clock before 1970 or after
// CT_DATABASE_MAX_TIME counts as `last`.
uint64_t ct_database_time_next(uint64_t last, int64_t wall_ns);

// Milliseconds since 1970 of a time.
static inline int64_t ct_database_time_milliseconds(uint64_t time) {
    return (int64_t)(time >> 16);
}

// Writes a time as 2026-11-30T14:20:11.123Z-0007, the last being the counter in hexadecimal digits, to `text`
// of CT_DATABASE_TIME_TEXT_BYTES. Parse takes exactly that, also without the counter (then 0), and
// returns false with `error` for anything else.
enum { CT_DATABASE_TIME_TEXT_BYTES = 40 };
void ct_database_time_format(uint64_t time, char *text);
bool ct_database_time_parse(const char *text, uint64_t length, uint64_t *time, ct_error *error);

// For each replica the time of its last commit that is known: all earlier ones of it are known, too. Sorted by
// replica; stamps with time 0 are left out.
typedef struct ct_database_vector {
    CT_ARRAY(ct_database_stamp) stamps;
} ct_database_vector;

// Make an empty vector; free it; replace one by a copy of another (which may be the same).
void ct_database_vector_init(ct_database_vector *vector, ct_allocator *a);
void ct_database_vector_free(ct_database_vector *vector);
void ct_database_vector_copy(ct_database_vector *to, const ct_database_vector *from);

// Returns the time for a replica; 0 when it has no entry. Logarithmic.
uint64_t ct_database_vector_time(const ct_database_vector *vector, ct_guid replica);

// Returns whether the commit with this stamp is known.
bool ct_database_vector_has(const ct_database_vector *vector, ct_database_stamp stamp);

// Raises the entry of the stamp's replica to its time, when that is higher.
void ct_database_vector_add(ct_database_vector *vector, ct_database_stamp stamp);

// Raises all entries to those of `other`.
void ct_database_vector_join(ct_database_vector *vector, const ct_database_vector *other);

// Returns whether `vector` knows all that `other` knows.
bool ct_database_vector_covers(const ct_database_vector *vector, const ct_database_vector *other);

// Returns the highest time in it; 0 when it is empty.
uint64_t ct_database_vector_last(const ct_database_vector *vector);
