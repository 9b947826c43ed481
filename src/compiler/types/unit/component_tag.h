// component_tag.h: the bytes of tag components.
#pragma once
#include "compiler/types/unit/worker_template.h"

// Appends a ct_tag_data: the list of the last object that gives `tags` replaces all before it,
// since values of an array have no ids. As ct_component_compiler.write.
bool ct_component_write_tags(ct_template *t, const ct_template_component *component,
                             ct_blob_writer *w);
