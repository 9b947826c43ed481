// types.h: the types that the interfaces of plugins share.
//
// Plain C11 (and C++11), without other headers than the standard's. World space: metres, right-handed,
// Z up, Y forward; angles in radians; quaternions x y z w; matrices of four columns.
#ifndef CUTTLE_TYPES_H
#define CUTTLE_TYPES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A plugin, as the engine sees it. The engine gives it to `init`; it is the same after a reload, and
// ends with the plugin.
typedef struct cuttle_plugin cuttle_plugin;

// Returns the functions of version `version` of the interface `name`, or NULL when there is no such
// interface or version in this program. Both engine and plugins have such a function. Structs of the
// engine live as long as the plugin; one of another plugin until that is reloaded: name it in `needs`, and
// both are reloaded together. Update thread.
typedef const void *(*cuttle_get_api)(const char *name, uint32_t version);

// What is wrong with some input. A zeroed one is no error; `file` may be empty, `line` and `column` are
// from 1, or 0 for unknown.
typedef struct cuttle_error {
    char message[1024]; // UTF-8, zero-terminated
    char file[512];
    uint32_t line, column;
} cuttle_error;

// Points, directions and sizes.
typedef struct cuttle_vector2 {
    float x, y;
} cuttle_vector2;

// A point or direction in space.
typedef struct cuttle_vector3 {
    float x, y, z;
} cuttle_vector3;

// Four numbers.
typedef struct cuttle_vector4 {
    float x, y, z, w;
} cuttle_vector4;

// A rotation, of length 1.
typedef struct cuttle_quaternion {
    float x, y, z, w;
} cuttle_quaternion;

// Four columns: right, forward, up (each with w = 0) and position (w = 1). Element (row, column) is
// m[4 * column + row].
typedef struct cuttle_matrix4 {
    float m[16];
} cuttle_matrix4;

// Linear red, green, blue and opacity, 0 to 1; light may be brighter.
typedef struct cuttle_color {
    float r, g, b, a;
} cuttle_color;

// The hash of a name (MurmurHash64A, seed 0), as resources have it; 0 is no name.
typedef struct cuttle_id64 {
    uint64_t value;
} cuttle_id64;

// The hash of a name (MurmurHash2, seed 0); 0 is no name.
typedef struct cuttle_id32 {
    uint32_t value;
} cuttle_id32;

// An entity; a unit is its root's entity. {0} is no entity. An entity that has ended is not used
// again for a long time: functions see that it is dead.
typedef struct cuttle_entity {
    uint32_t id;
} cuttle_entity;

// A world: entities, units and levels that are updated and drawn together. Borrowed until the world
// ends.
typedef struct cuttle_world cuttle_world;

#ifdef __cplusplus
}
#endif
#endif
