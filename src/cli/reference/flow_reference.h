// flow_reference.h: the reference of Flow's nodes, from the tables of src/resource/types/flow.
#pragma once
#include "cli/flow/project_nodes.h"
#include "foundation/string/string_builder.h"

// Appends a node as text: a line for it, and two for each slot.
void ct_flow_reference_text(ct_string_builder *out, const ct_flow_node_type *node);

// Appends all nodes as one page of Markdown, by menu.
void ct_flow_reference_markdown(ct_string_builder *out);

// Appends the same as JSON: { version, modules = [{ name, nodes = [{ name, menu, doc, kind,
// is_foldable, slots = [{ name, kind, type, doc, default, unit, is_constant, is_required,
// reference, values }] }] }] }. Members that say nothing are left out. Files of the project (may be empty)
// follow as modules whose nodes have a `function`, too.
void ct_flow_reference_json(ct_string_builder *out, const ct_project_nodes *files);
