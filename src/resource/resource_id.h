// resource_id.h: how resources are named at run time.
//
// A resource is (type, name): the file textures/rose.texture is type "texture", name
// "textures/rose". Both are 64-bit string ids; {0, 0} is no resource.
#pragma once
#include "foundation/string/string_id.h"

enum { CT_RESOURCE_FILE_NAME_BYTES = 48, CT_RESOURCE_NAME_BYTES = 256 };

// The id of a resource, or of one of its variants. Pass it by value.
typedef struct ct_resource_id {
    ct_string_id64 type, name;
} ct_resource_id;

// Returns the id of the resource with this type and name.
ct_resource_id ct_resource_id_of(const char *type, const char *name);

// Returns whether two ids are the same.
static inline bool ct_resource_id_equal(ct_resource_id a, ct_resource_id b) {
    return a.type.value == b.type.value && a.name.value == b.name.value;
}

// Returns one number for both parts, as a key of hash maps. Two ids may have the same number.
static inline uint64_t ct_resource_id_key(ct_resource_id id) {
    return id.name.value ^ (id.type.value * 0x9e3779b97f4a7c15ull);
}

// Writes the file name of the compiled resource, `<type>-<name>` in hexadecimal.
void ct_resource_file_name(ct_resource_id id, char file_name[CT_RESOURCE_FILE_NAME_BYTES]);

// Writes the file name of the resource's stream, `<type>-<name>.stream`.
#define CT_RESOURCE_STREAM_SUFFIX ".stream"
void ct_resource_stream_name(ct_resource_id id, char file_name[CT_RESOURCE_FILE_NAME_BYTES]);

// Parses a file name that one of these two functions wrote. Sets `id`, and `is_stream` to whether
// it is a stream's. Returns false for every other name (upper case, another suffix, …), with both
// undefined.
bool ct_resource_file_name_read(const char *file_name, ct_resource_id *id, bool *is_stream);

// Returns whether a name is canonical: [a-z0-9_/-]+ without empty parts, shorter than
// CT_RESOURCE_NAME_BYTES.
bool ct_resource_name_is_canonical(const char *name);

// Writes to `suggestion` the canonical name nearest to `name` (lower case, `/` for `\`, parts `..`
// resolved, …). Returns false when `name` leads out of the project; the suggestion is still a valid
// name.
bool ct_resource_name_suggest(const char *name, char suggestion[CT_RESOURCE_NAME_BYTES]);

// Writes advice about a name that is not canonical, for the end of a message: `write "units/box"`,
// that names must stay inside the project, or that the name is empty. `project` is the project's
// absolute folder, which turns an absolute path into a name; NULL: unknown.
enum { CT_RESOURCE_ADVICE_BYTES = CT_RESOURCE_NAME_BYTES + 16 };
#define CT_RESOURCE_LEADS_OUT "it leads out of the project; names must stay inside"
#define CT_RESOURCE_EMPTY "it is empty"
void ct_resource_name_advise(const char *name, const char *project,
                             char advice[CT_RESOURCE_ADVICE_BYTES]);

// Returns the part of an absolute path after the folder `project`, or all of `path` when it is
// outside or `project` is NULL. Borrowed from `path`.
const char *ct_resource_name_inside(const char *path, const char *project);
