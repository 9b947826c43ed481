// tag_data.h: the tags of an entity as templates hold them: ids, and the texts that they are of.
//
// The ids are what is spawned; the texts are for messages and tools, which want to name a tag that
// no script mentions.
#pragma once
#include "foundation/error.h"
#include "foundation/string/string_id.h"

typedef struct ct_tag_data {
    uint32_t num_tags;
    ct_string_id32 tags[]; // no two are the same, none is 0
    // then as many zero-terminated texts, in this order
} ct_tag_data;

// Checks the bytes of one component: that all of it is inside, and that ids are those of the texts.
// False with `error`, which may be NULL.
bool ct_tag_data_check(const void *bytes, uint32_t size_bytes, ct_error *error);

// The text of tag `i`. Walks over those before it.
const char *ct_tag_data_text(const ct_tag_data *data, uint32_t i);
