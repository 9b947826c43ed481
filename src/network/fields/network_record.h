// network_record.h: the words of game objects and messages: values in and out, coding of changes.
//
// A record's words are those of its record type (network_config_resource.h), `num_words` of them,
// in an array that the caller has. Coding works on words and widths alone: it is the same for all
// kinds of values. Words that a coder reads from outside are always in range, as a word has only
// the bits of its width; what else a value asks for (a length, an index of a lookup, the last value
// of an integer) ct_network_record_check checks. Pure; any thread.
#pragma once
#include "network/fields/network_bits.h"
#include "resource/types/network/network_value.h"

// Sets a field, or element `element` of a field that is an array (elements come behind a set
// `count`, which the value of the array itself sets; new elements have the default of their type).
// Numbers are clamped to the range of the type and rounded to its nearest step. Returns false with
// `error`, which names the field, for numbers that are not finite, strings that are too long or not
// UTF-8, values of another kind, and elements behind the count. `element` is UINT32_MAX for the
// field itself.
bool ct_network_record_set(const ct_network_config_resource *config,
                           const ct_network_record_type *record, uint32_t field, uint32_t element,
                           const ct_network_value *value, uint32_t *words, ct_error *error);

// Reads a field, or an element of it that is below the array's count (else it is a bug). What was
// set and is read is the nearest step; a value that is read and set again gives the same words.
ct_network_value ct_network_record_get(const ct_network_config_resource *config,
                                       const ct_network_record_type *record, uint32_t field,
                                       uint32_t element, const uint32_t *words);

// Checks words that came from outside. Returns false when a value is outside of what its type has.
bool ct_network_record_check(const ct_network_config_resource *config,
                             const ct_network_record_type *record, const uint32_t *words);

// Writes the words of a record as changes against `base` (as many words): a bit for each field that
// says whether it changed; of a field that changed, 3 bits for one of eight sizes, and the difference
// of each word in that size; the largest are the words themselves. Of strings and arrays only the
// words within the length. Equal records: a single bit, about 4 ns.
void ct_network_record_write(const ct_network_config_resource *config,
                             const ct_network_record_type *record, const uint32_t *base,
                             const uint32_t *words, ct_bit_writer *w);

// Returns a bit for each field that differs between `base` and `words`, the first is the lowest, and
// writes to `bits`, by field, how many bits ct_network_record_write takes for each of these.
uint64_t ct_network_record_measure(const ct_network_config_resource *config,
                                   const ct_network_record_type *record, const uint32_t *base,
                                   const uint32_t *words, uint16_t bits[CT_NETWORK_MAX_FIELDS]);

// Reads what ct_network_record_write wrote against an equal `base` into `words` (may be `base`).
// Words behind the length of strings and arrays become 0. Check `r` and the record afterwards.
void ct_network_record_read(const ct_network_config_resource *config,
                            const ct_network_record_type *record, const uint32_t *base,
                            uint32_t *words, ct_bit_reader *r);

// Returns whether ct_network_record_extrapolate moves any field of a type.
bool ct_network_record_moves(const ct_network_config_resource *config,
                             const ct_network_record_type *record);

// Moves a record on evenly: `words` (may be `base`) becomes `base` plus what changed from `older` to
// it, scaled by ticks / older_ticks. Numbers of quantised floats and vectors go in a straight line,
// within their range; rotations turn on around the same axis, if they turned by less than half a
// turn, for at most 4 times `older_ticks`; other fields stay those of `base`. `older_ticks` is the
// time from `older` to `base`, `ticks` that from `base` on; both 1 to 65535 (`ticks` may be 0).
// Integers only: both ends of a connection get the same words, so that what is moved on can be the
// base of ct_network_record_write. Motion without forces takes fewer bits that way, jumps more.
// All three records must be valid (ct_network_record_check). About 100 ns for a body.
void ct_network_record_extrapolate(const ct_network_config_resource *config,
                                   const ct_network_record_type *record, const uint32_t *older,
                                   uint32_t older_ticks, const uint32_t *base, uint32_t ticks,
                                   uint32_t *words);

// Returns a number for words that are the same on all nodes: XXH3-64 of them.
uint64_t ct_network_record_hash(const ct_network_record_type *record, const uint32_t *words);
