// tag_data.h: the tags of an entity in templates: ids and their texts.
//
// The ids are spawned. The texts are for messages and tools, which need to name tags that no script
// mentions.
#pragma once
#include "foundation/error.h"
#include "foundation/string/string_id.h"

typedef struct ct_tag_data {
    uint32_t num_tags;
    ct_string_id32 tags[]; // all different, none 0
    // followed by as many zero-terminated texts, in this order
} ct_tag_data;

// Checks the bytes of one component: that everything is inside, and that the ids match the texts.
// Returns false with `error`, which may be NULL.
bool ct_tag_data_check(const void *bytes, uint32_t size_bytes, ct_error *error);

// Returns the text of tag `i`. Scans the texts before it.
const char *ct_tag_data_text(const ct_tag_data *data, uint32_t i);
