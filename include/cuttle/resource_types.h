// resource_types.h: the interface "resource_types": resources of a plugin's own.
//
// A type named "dialog" makes the project's files `*.dialog` its sources. The compiler reads each,
// checks it by the type's schema, and stores what comes of it: the struct that was read, or the bytes
// that the type's compile function makes (cuttle/compiler.h). Packages list such resources as any
// others, and the game loads, unloads and reloads them with their packages. Add the type in the game
// and in the compiler, where the functions below are not called, and `get` returns NULL.
#ifndef CUTTLE_RESOURCE_TYPES_H
#define CUTTLE_RESOURCE_TYPES_H
#include <cuttle/schema.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_RESOURCE_TYPES_API "resource_types"

enum { CUTTLE_RESOURCE_DATA_ALIGN = 16 };

// The functions may be NULL. They run on the update thread. `data` is the `size_bytes` bytes of one
// resource, aligned to CUTTLE_RESOURCE_DATA_ALIGN; constant, and valid until `unloaded` or `reloaded`
// has returned. `name` is the hash of the resource's name ("shops/baker").
typedef struct cuttle_resource_type {
    // 2 to 31 of a-z, 0-9 and _, beginning with a letter: of the type, and what its sources end with.
    const char *name;
    // Of the data: raise it when the compile function makes other data of the same source. All
    // resources of the type are then compiled again. Data of another version is refused.
    uint32_t version;
    // Of the source; or NULL: its compile function reads it value by value. Its name is that of the
    // type. Fields have types that sources can give (not BYTES). Copied.
    const cuttle_schema *schema;
    // Checks data that may be damaged, before anything else gets it: offsets, counts, enums. The
    // engine has checked size, version and checksum. Returns false with `error` to refuse it.
    bool (*validate)(cuttle_plugin *self, const void *data, uint64_t size_bytes,
                     cuttle_error *error);
    // The resource came with its package; those of the boot package before the plugin's `start`.
    void (*loaded)(cuttle_plugin *self, cuttle_id64 name, const void *data, uint64_t size_bytes);
    // It goes, also when the game ends.
    void (*unloaded)(cuttle_plugin *self, cuttle_id64 name, const void *data, uint64_t size_bytes);
    // Its source was saved: `data` takes the place of `old_data`. NULL: `unloaded`, then `loaded`.
    void (*reloaded)(cuttle_plugin *self, cuttle_id64 name, const void *old_data,
                     uint64_t old_size_bytes, const void *data, uint64_t size_bytes);
} cuttle_resource_type;

// Update thread.
typedef struct cuttle_resource_types_api_1 {
    // Adds a type; call it from `init`. The desc is copied, but not what its functions use. Returns
    // false with `error` when the name or the schema is wrong, or the engine or another plugin has a
    // type with this name.
    bool (*add)(cuttle_plugin *self, const cuttle_resource_type *type, cuttle_error *error);
    // Returns the hash that names of resources have; 0 for NULL and "".
    cuttle_id64 (*name_id)(const char *name);
    // Returns the data of a loaded resource of a type that this or another plugin has added, and sets
    // `size_bytes` (NULL is fine); NULL: it is not loaded, or was refused. Valid until its package is
    // unloaded or it is reloaded: ask again each time.
    const void *(*get)(cuttle_plugin *self, const char *type, cuttle_id64 name,
                       uint64_t *size_bytes);
} cuttle_resource_types_api_1;

#ifdef __cplusplus
}
#endif
#endif
