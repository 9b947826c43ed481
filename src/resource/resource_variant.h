// resource_variant.h: variants of one resource: names with properties, and which one is wanted.
//
// The source `ui/buttons.fr.x360.texture` is a variant of texture "ui/buttons" with the properties
// `fr` and `x360`. Properties stand once each and in alphabetical order, so that a variant has one
// name. Platforms are chosen by the compiler; what is left is the variant's data name,
// "ui/buttons.fr", whose hash names its compiled data. The default variant's is the name itself.
// At run time an order of preference picks one. From "Platform Specific Resources" (Bitsquid blog,
// 2011-12-22).
#pragma once
#include "resource/resource_id.h"

enum { CT_VARIANT_MAX_PROPERTIES = 8, CT_PREFERENCE_MAX_PROPERTIES = 32 };

// --- Names of sources ----------------------------------------------------------------------------

// A source's project path in parts; owns its text.
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

// Takes the path `name[.property…]` (without the type) apart. False with `error`, which says what
// to write instead, when it is not the canonical name of a variant: other characters than
// [a-z0-9_-] and `/`, properties twice or out of order, too many, too long. `type` is for the
// message.
bool ct_source_name_parse(const char *path, const char *type, ct_source_name *parts,
                          ct_error *error);

// True for the word of a property: [a-z0-9_-]+.
bool ct_property_is_canonical(const char *text);

// Writes the data name: the name, then the properties but `left_out` (NULL: none), dot-separated.
void ct_source_name_data_name(const ct_source_name *parts, const char *left_out,
                              char data_name[CT_RESOURCE_NAME_BYTES]);

// The length of the name in a data name: what stands before the first property.
uint32_t ct_data_name_base_length(const char *data_name);

// --- Preference ----------------------------------------------------------------------------------

// What the game prefers, most wanted first. {0} prefers the default variants.
typedef struct ct_preference_order {
    ct_string_id64 properties[CT_PREFERENCE_MAX_PROPERTIES];
    uint32_t count;
} ct_preference_order;

// How much a variant with these properties is wanted: 0 when one of them is not preferred, else
// more the better; the default variant has 1. An earlier preference outweighs all later ones.
uint64_t ct_preference_rank(const ct_preference_order *order, const ct_string_id64 *properties,
                            uint32_t count);
