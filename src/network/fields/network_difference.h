// network_difference.h: what differs between the network configs of two nodes, in words.
//
// Nodes whose configs have another `hash` exchange summaries: name, hash and a description of each
// type, message, object and field. Pure; any thread.
#pragma once
#include "resource/types/network_config_resource.h"

enum {
    CT_NETWORK_SUMMARY_BYTES = 64 * 1024, // the most that a summary takes
    CT_NETWORK_DIFFERENCE_BYTES = 1024,   // enough for any message
};

// Writes the summary of a config to `bytes`, which holds `capacity`. What does not fit is left out,
// and marked so. Returns its size, 0 when `capacity` is less than a few bytes.
uint32_t ct_network_config_summary(const ct_network_config_resource *config, void *bytes,
                                   uint32_t capacity);

// Reads the summary of another node's config and writes the first difference from `config` to
// `text`, zero-terminated and without control characters: `object "ball": field "speed" is float
// 0..10 of 8 bits here, and is not there`. "" when there is no difference in what the summary has.
// Returns false with `error` when the bytes are no summary. Takes time of the product of both
// sizes: some milliseconds for the largest.
bool ct_network_config_difference(const ct_network_config_resource *config, const void *summary,
                                  uint32_t size, char text[CT_NETWORK_DIFFERENCE_BYTES],
                                  ct_error *error);
