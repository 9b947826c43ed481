// worker_fbx_objects.h: the objects of an FBX file, how they are connected, and their properties.
//
// Objects are numbered; 0 is the scene. Where the file contradicts itself, what Assimp takes
// counts: of objects of one id the last in the order of their kinds, of properties of one name the
// first.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/fbx/worker_fbx_records.h"
#include "foundation/container/hash_map.h"

#define CT_WORKER_FBX_NO_OBJECT UINT32_MAX

// An object.
typedef struct ct_worker_fbx_object {
    uint32_t record;                // of the scene that of all objects
    uint32_t first_link, last_link; // to the models below it; + 1, 0: there are none
    uint32_t num_models;            // below it
    uint32_t attribute;             // the first camera or light connected to it
    bool is_model;
} ct_worker_fbx_object;

// A model below an object.
typedef struct ct_worker_fbx_link {
    uint32_t model, next; // the next link of the same parent, + 1
} ct_worker_fbx_link;

typedef CT_ARRAY(ct_worker_fbx_object) ct_worker_fbx_object_array;
typedef CT_ARRAY(ct_worker_fbx_link) ct_worker_fbx_link_array;

// All objects; borrows the records.
typedef struct ct_worker_fbx_objects {
    const ct_worker_fbx_records *records;
    ct_worker_fbx_object_array items;
    ct_worker_fbx_link_array links; // in the order of the file
    ct_hash_map number_of_id;
} ct_worker_fbx_objects;

// A property to look for: of one number, or three.
typedef struct ct_worker_fbx_property {
    const char *name;
    uint32_t num_numbers;
} ct_worker_fbx_property;

enum { CT_WORKER_FBX_MAX_PROPERTIES = 32 };

// Finds the objects and their connections.
void ct_worker_fbx_objects_read(ct_allocator *a, const ct_worker_fbx_records *records,
                                ct_worker_fbx_objects *objects);

// Returns true when the object's record has this name ("Geometry").
bool ct_worker_fbx_object_is(const ct_worker_fbx_objects *objects, uint32_t object,
                             const char *type);

// Returns the class of an object ("Mesh"): "" without.
const char *ct_worker_fbx_object_class(ct_compile *c, const ct_worker_fbx_objects *objects,
                                       uint32_t object);

// Returns the name of an object, without its kind; "" without.
const char *ct_worker_fbx_object_name(ct_compile *c, const ct_worker_fbx_objects *objects,
                                      uint32_t object);

// Reads the properties in the record, which may be an object's. Those that it has not stay as they
// are in `values`, which has one place for each property: of one number the first of the three. At
// most CT_WORKER_FBX_MAX_PROPERTIES.
void ct_worker_fbx_read_properties(const ct_worker_fbx_records *records, uint32_t record,
                                   const ct_worker_fbx_property *properties, uint32_t count,
                                   float (*values)[3]);

// The same of the template that the file has for objects of this type ("Model") and kind
// ("FbxNode"): what they have that do not say otherwise.
void ct_worker_fbx_read_template(const ct_worker_fbx_records *records, const char *type,
                                 const char *kind, const ct_worker_fbx_property *properties,
                                 uint32_t count, float (*values)[3]);
