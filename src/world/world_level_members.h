// world_level_members.h: the volumes, splines and markers of spawned levels, in world space.
//
// They are there from the moment a level is spawned until it is destroyed, also while its units are
// spawned gradually. They are copies, placed by the pose of the level: when the level or a mesh is
// reloaded they stay as they are, like the units of the level, until it is spawned again. Scales
// multiply axis by axis, as those of units do; splines are moved point by point.
//
// Names and purposes are 32-bit ids of their texts. A system that has volumes of its own (fog,
// reverb) picks them by purpose when ct_world_row's level_spawned is called. Update thread.
#pragma once
#include "resource/types/level/level_members.h"
#include "spatial/spline.h"
#include "spatial/volume.h"
#include "world/world.h"

// What members of all kinds have: the first member of each.
typedef struct ct_world_member {
    ct_string_id32 id, name, purpose; // purpose 0: none
    const char *name_text, *purpose_text;
} ct_world_member;

// A volume. The pose and the size are for systems that make shapes of their own; `shape` answers
// questions.
typedef struct ct_world_volume {
    ct_world_member member;
    ct_volume shape;
    ct_quat rotation;
    ct_vec3 position, scale;
    ct_vec3 half_size;   // unscaled, of boxes; of spheres the radius, three times
    uint32_t type;       // ct_level_volume_type
    ct_string_id64 mesh; // of mesh volumes
    // What cameras inside have (world_environment.h), or 0; it fades away so many metres outside.
    ct_string_id64 environment;
    float environment_fade, environment_weight;
    int32_t environment_priority;
    float reverb, reverb_fade; // as in ct_level_volume (world_sound.h)
} ct_world_volume;

// A spline.
typedef struct ct_world_spline {
    ct_world_member member;
    ct_spline curve;
    const ct_vec3 *points; // those that the level's author placed
    uint32_t num_points;
} ct_world_spline;

// A marker.
typedef struct ct_world_marker {
    ct_world_member member;
    ct_quat rotation;
    ct_vec3 position;
} ct_world_marker;

// The kinds of members, and what structs they are.
typedef enum ct_level_member_kind {
    CT_LEVEL_MEMBER_VOLUME, // ct_world_volume
    CT_LEVEL_MEMBER_SPLINE, // ct_world_spline
    CT_LEVEL_MEMBER_MARKER, // ct_world_marker
    CT_LEVEL_MEMBER_COUNT,
} ct_level_member_kind;

// All members of one kind: an array of their structs.
typedef struct ct_level_member_list {
    const void *items;
    uint32_t count, item_bytes;
} ct_level_member_list;

// Returns all members of one kind of a level, in source order; none for a level that has ended.
// Borrowed until the level is destroyed, or starts over because it was reloaded while it was
// spawned gradually.
ct_level_member_list ct_level_members_of(const ct_world *w, ct_level level,
                                         ct_level_member_kind kind);

// Returns the struct of the member with this name, or NULL. Linear. Borrowed as above.
const void *ct_level_find_member(const ct_world *w, ct_level level, ct_level_member_kind kind,
                                 ct_string_id32 name);

// Receives a line in world space, with a linear colour.
typedef void (*ct_level_line)(void *user, ct_vec4 color, ct_vec3 from, ct_vec3 to);

// Calls `line` with lines that show all members of a level, for debugging: volumes in yellow
// (ct_volume_lines), splines in cyan (CT_SPLINE_STEPS lines for each piece), markers as the three
// axes of their poses, half a metre long in red, green and blue.
void ct_level_member_lines(const ct_world *w, ct_level level, ct_level_line line, void *user);
