// resource_variant.h: variants of a resource: names with properties, and the choice among variants.
//
// The source `ui/buttons.fr.x360.texture` is a variant of texture "ui/buttons" with the properties
// `fr` and `x360`. Each property appears once, in alphabetical order, so that a variant has only
// one name. The compiler chooses by platform. The remaining properties make the variant's data
// name, "ui/buttons.fr", whose hash names its compiled data. The default variant's data name is the
// name itself. At run time, an order of preference picks one. From "Platform Specific Resources"
// (Bitsquid blog, 2011-12-22).
#pragma once
#include "resource/resource_id.h"

enum { CT_VARIANT_MAX_PROPERTIES = 8, CT_PREFERENCE_MAX_PROPERTIES = 32 };

// --- Names of sources ----------------------------------------------------------------------------

// A source's project path split into name and properties; owns its text.
typedef struct ct_source_name {
    char name[CT_RESOURCE_NAME_BYTES]; // "ui/buttons"
    char properties_text[CT_RESOURCE_NAME_BYTES];
    uint16_t property_offsets[CT_VARIANT_MAX_PROPERTIES]; // in properties_text
    uint32_t num_properties;
} ct_source_name;

// Returns property `i` (below num_properties); borrowed from `parts`.
static inline const char *ct_source_name_property(const ct_source_name *parts, uint32_t i) {
    return parts->properties_text + parts->property_offsets[i];
}

// Splits the path `name[.property…]` (without the type). Returns false with `error`, which says
// what to write instead, when it is not the canonical name of a variant: characters other than
// [a-z0-9_-] and `/`, repeated or unordered properties, too many properties, or too long. `type` is
// for the message.
bool ct_source_name_parse(const char *path, const char *type, ct_source_name *parts,
                          ct_error *error);

// Returns whether a text can be a property: [a-z0-9_-]+.
bool ct_property_is_canonical(const char *text);

// Writes the data name: the name, then the properties except `left_out` (NULL: all properties),
// separated by dots.
void ct_source_name_data_name(const ct_source_name *parts, const char *left_out,
                              char data_name[CT_RESOURCE_NAME_BYTES]);

// Returns the length of the name in a data name: the part before the first property.
uint32_t ct_data_name_base_length(const char *data_name);

// --- Preference ----------------------------------------------------------------------------------

// The properties that the game prefers, the most preferred first. {0} prefers the default variants.
typedef struct ct_preference_order {
    ct_string_id64 properties[CT_PREFERENCE_MAX_PROPERTIES];
    uint32_t count;
} ct_preference_order;

// Returns the rank of a variant with these properties. 0: it has a property that is not preferred.
// Otherwise higher is better; the default variant has 1. An earlier preference outweighs all later
// ones.
uint64_t ct_preference_rank(const ct_preference_order *order, const ct_string_id64 *properties,
                            uint32_t count);
