// component_tag.h: the bytes of tag components, and lists of tags in others.
#pragma once
#include "compiler/types/unit/worker_template.h"

typedef CT_ARRAY(const char *) ct_component_tags; // texts, borrowed from the source

// Adds the list `tags` of the last object that gives one, which replaces all before it, since values of
// an array have no ids. Reports tags that are no strings, have the id 0 or the id of another, and
// returns false then.
bool ct_component_read_tags(ct_template *t, const ct_template_component *component,
                            ct_component_tags *tags);

// Appends a ct_tag_data. As ct_component_compiler.write.
bool ct_component_write_tags(ct_template *t, const ct_template_component *component,
                             ct_blob_writer *w);
