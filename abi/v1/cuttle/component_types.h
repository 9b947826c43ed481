// component_types.h: the interface "component_types": components of a plugin's own, for units.
//
// Game and compiler have it: the compiler reads units with the type's schema, the game keeps the components
// of each world in a table (cuttle/components.h). A plugin that adds a type must therefore be able to
// do so in the compiler, where most other interfaces are missing.
#ifndef CUTTLE_COMPONENT_TYPES_H
#define CUTTLE_COMPONENT_TYPES_H
#include <cuttle/schema.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_COMPONENT_TYPES_API "component_types"

typedef struct cuttle_component_type {
    // The component's name, which units give as `type`, and its data. Fields have types that sources
    // can give (not BYTES).
    const cuttle_schema *schema;
    bool is_single; // an entity has at most one
} cuttle_component_type;

// Call it from `init`. The type stays for as long as the game runs: a reload may change documentation,
// ranges and defaults, but not the fields of a type, and not take it away, while worlds exist.
typedef struct cuttle_component_types_api_1 {
    // Adds a type. Returns false with `error` when the schema is wrong, or the engine or another
    // plugin has a component with this name.
    bool (*add)(cuttle_plugin *self, const cuttle_component_type *type, cuttle_error *error);
} cuttle_component_types_api_1;

#ifdef __cplusplus
}
#endif
#endif
