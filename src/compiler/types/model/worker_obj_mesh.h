// worker_obj_mesh.h: what an OBJ model has, and how it becomes nodes and meshes of a scene.
//
// The vertices of all objects lie in three lists; faces name them by corner. Each object or group
// is a node, and a mesh for each material that its faces have (a part).
#pragma once
#include "compiler/types/model/worker_obj_warnings.h"
#include "compiler/types/model/worker_scene.h"

enum { CT_WORKER_OBJ_MAX_TRIANGLES = 1 << 24 };

// A position or a normal.
typedef struct ct_worker_obj_vector {
    float at[3];
} ct_worker_obj_vector;

// Texture coordinates.
typedef struct ct_worker_obj_uv {
    float at[2]; // from the top left
} ct_worker_obj_uv;

// The colour of a position.
typedef struct ct_worker_obj_color {
    float at[4]; // sRGB and opacity; opacity -1: none was given
} ct_worker_obj_color;

// Positions in the lists, from 1; 0: none.
typedef struct ct_worker_obj_corner {
    uint32_t position, uv, normal;
} ct_worker_obj_corner;

// Faces of one object with one material.
typedef struct ct_worker_obj_part {
    uint32_t material; // as its reader counts them; of the scene when they are known
    uint32_t next;     // part of the object, + 1; 0: none
    CT_ARRAY(ct_worker_obj_corner) corners;
    ct_u32_array sizes; // of the faces, in corners
    bool has_uvs, has_normals, has_points_or_lines;
} ct_worker_obj_part;

// An object or a group.
typedef struct ct_worker_obj_object {
    const char *name;
    uint32_t first_part, last_part; // + 1; 0: none
} ct_worker_obj_object;

// A face that may be too large to be cut.
typedef struct ct_worker_obj_large_face {
    uint32_t part, first_corner, line;
} ct_worker_obj_large_face;

// A whole file.
typedef struct ct_worker_obj_model {
    CT_ARRAY(ct_worker_obj_vector) positions;
    CT_ARRAY(ct_worker_obj_vector) normals;
    CT_ARRAY(ct_worker_obj_uv) uvs;
    CT_ARRAY(ct_worker_obj_color) colors; // of the first positions; the others have none
    CT_ARRAY(ct_worker_obj_object) objects;
    CT_ARRAY(ct_worker_obj_part) parts;
    CT_ARRAY(ct_worker_obj_large_face) large_faces;
    bool has_color_above_1, has_color_below_0;
    bool has_broken_color; // one that is no whole number from 0 to 255
} ct_worker_obj_model;

// Makes an empty model.
void ct_worker_obj_model_init(ct_worker_obj_model *m, ct_allocator *a);

// Adds an empty part to an object.
void ct_worker_obj_add_part(ct_compile *c, ct_worker_obj_model *m, uint32_t object,
                            uint32_t material);

// Makes a face of the last `count` corners (at least 3) of a part.
void ct_worker_obj_end_face(ct_worker_obj_model *m, uint32_t part, uint32_t count, uint32_t line);

// Appends a node for each object and a mesh for each part to the scene, and empties the parts. All
// corners are in range, but for texture coordinates and normals when there are none at all. False
// after reporting a face that cannot be cut.
bool ct_worker_obj_build(ct_compile *c, ct_worker_obj_model *m, ct_worker_obj_warnings *warnings,
                         ct_worker_scene *scene);
