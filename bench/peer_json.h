// peer_json.h: simdjson's DOM and jansson, behind C.
//
// Each parses a whole text and visits every value. The digest is what bench_sjson.c computes of its
// own documents too, so that all are known to have read the same.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct peer_json_digest {
    double number_sum;
    uint64_t string_bytes, num_values;
} peer_json_digest;

#ifdef __cplusplus
extern "C" {
#endif

// Gives simdjson the text it is to parse: a copy, padded as it wants it, and a parser that keeps
// its memory from one parse to the next. NULL for one that ran out of memory.
void *peer_simdjson_create(const char *json, uint64_t bytes);
void peer_simdjson_destroy(void *peer);

// Parses and visits. Returns false when simdjson refuses the text.
bool peer_simdjson_run(void *peer, peer_json_digest *digest);

// Parses, visits and frees.
bool peer_jansson_run(const char *json, uint64_t bytes, peer_json_digest *digest);

#ifdef __cplusplus
}
#endif
