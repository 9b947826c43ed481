// state.h: the interface "state": data of a plugin that stays over reloads.
#ifndef CUTTLE_STATE_H
#define CUTTLE_STATE_H
#include <cuttle/schema.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_STATE_API "state"

// A state is a plain struct that its schema describes, in memory of the engine. Call it from `init`.
typedef struct cuttle_state_api_1 {
    // Returns the plugin's state with the schema's name: the same memory as before a reload while
    // schema version and size stay; else new memory, filled with the schema's defaults, into which
    // fields with the same name, type and size are copied, and then what `migrate` (NULL is fine)
    // does with the old struct. The old one stays as it was until the reload is complete. Returns
    // NULL with `error` when the schema is wrong or `migrate` returned false. The schema is copied.
    void *(*get)(cuttle_plugin *self, const cuttle_schema *schema,
                 bool (*migrate)(const void *old_state, uint32_t old_version, uint32_t old_bytes,
                                 void *state, cuttle_error *error),
                 cuttle_error *error);
} cuttle_state_api_1;

#ifdef __cplusplus
}
#endif
#endif
