// component_reference.h: the reference of units, levels and their components, from the schemas.
#pragma once
#include "foundation/string/string_builder.h"
#include "resource/types/component_resource.h"

// Appends a component type as text: a line for it, and two for each field.
void ct_component_reference_text(ct_string_builder *out, const ct_component_type *type);

// Appends all types, and what units and levels consist of, as one page of Markdown.
void ct_component_reference_markdown(ct_string_builder *out);

// Appends the same as JSON: { version, components = [{ name, doc, fields = [{ name, type, doc,
// unit, least, most, default, is_required, reference, values, fields }] }], unit, level }.
void ct_component_reference_json(ct_string_builder *out);
