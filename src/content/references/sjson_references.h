// sjson_references.h: what an SJSON source mentions, by its type's schema.
#pragma once
#include "content/move/content_mentions.h"
#include "foundation/sjson/sjson.h"

// A source that was parsed, beside the text it was parsed from.
typedef struct ct_sjson_references_desc {
    const ct_resource_type *type;
    const char *path; // project path: settings.config is a config of its own kind
    const ct_sjson *doc;
    const char *text;
    uint64_t bytes;
} ct_sjson_references_desc;

// Appends the mentions of the source in the order of the text. Types without a schema have none,
// but configs: their texts that could be names are likely ones.
void ct_sjson_references_find(const ct_sjson_references_desc *desc, ct_mentions *mentions);

// Where the content of the string `v` of `doc` lies in the text, between its quotes.
void ct_sjson_references_span(const ct_sjson *doc, const char *text, uint64_t bytes,
                              ct_sjson_value v, uint32_t *begin, uint32_t *end);
