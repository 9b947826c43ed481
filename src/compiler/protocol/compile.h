// compile.h: what a compile function gets and may do.
//
// A compile function runs in a worker process and turns one source into one blob, and bulk data
// that is read later, on demand, into a stream beside it. It sees files only through this
// interface, so that everything it read or looked for becomes part of the resource's key. It
// reports all errors it can find; when it returns false or reported any, the blob is dropped. Paths
// are project paths with extension; those under `core/` are in the core folder.
#pragma once
#include "resource/blob/blob_writer.h"
#include "resource/types/resource_types.h"

typedef struct ct_compile ct_compile;

// One resource of the project, for compile functions that need to know them all (packages).
typedef struct ct_compile_listed {
    const char *type, *name;
} ct_compile_listed;

// An image that a model names `key`, and its path below the folder of the request.
typedef struct ct_compile_image {
    const char *key, *path;
} ct_compile_image;

// The current job. Everything is borrowed until the compile function returns.
struct ct_compile {
    ct_allocator *allocator; // freed as a whole afterwards: nothing needs to be freed
    const char *type;        // "texture"
    const char *name;        // "textures/rose", whatever the variant
    const char *path;        // "textures/rose.texture"
    const char *text;        // the source, zero-terminated
    uint64_t text_bytes;
    const ct_sjson *doc;           // the source parsed; NULL for Lua
    const char *platform;          // destination: what the data is laid out for
    const char *source_platform;   // what variants are chosen for
    const char *const *properties; // of this variant, without the platform; sorted
    uint32_t num_properties;
    ct_blob_writer blob;              // header written; the function appends the rest after it
    ct_blob_writer stream;            // nothing written: no stream; offsets are from 0
    const char *project_folder;       // absolute; for advice on names only
    const ct_compile_listed *listing; // sorted; only for types that need it
    uint32_t num_listed;
};

// Returns true when the blob is complete.
typedef bool (*ct_compile_function)(ct_compile *c);

// Reads a whole file (followed by a zero byte). Returns NULL after reporting an error at `at` in
// `doc` when it does not exist or cannot be read. `doc` may be NULL: then the error has the
// source's path only.
const char *ct_compile_read(ct_compile *c, const char *path, uint64_t *size_bytes,
                            const ct_sjson *doc, ct_sjson_value at);

// Reads an optional file: returns NULL, without an error, when it does not exist or cannot be read.
// The lookup becomes part of the key all the same. `path` may hold any characters.
const char *ct_compile_find(ct_compile *c, const char *path, uint64_t *size_bytes);

// Reads and parses another SJSON file (an inherited unit, a material's shader). Returns NULL after
// reporting an error: at `at` in `doc` when the file is missing, else at the place in that file.
const ct_sjson *ct_compile_read_sjson(ct_compile *c, const char *path, const ct_sjson *doc,
                                      ct_sjson_value at);

// Reads the source of another resource as ct_compile_read_sjson does: the variant for the source
// platform if there is one, else one for all platforms; of these, the one with most of the
// properties of this resource. `name` is without properties.
const ct_sjson *ct_compile_read_resource(ct_compile *c, const char *type, const char *name,
                                         const ct_sjson *doc, ct_sjson_value at);

// Reads the resource that `doc` inherits as ct_compile_read_resource does. If it has the name of
// `doc` itself, reads the next variant in this order, so that a variant can be "as the one before,
// but for". Reports an error when no variant is left; the variant without properties gets itself.
const ct_sjson *ct_compile_read_base(ct_compile *c, const char *type, const char *name,
                                     const ct_sjson *doc, ct_sjson_value at);

// Returns the paths of all sources of a resource, sorted: of every variant, for every platform. The
// list becomes part of the key. Sets `count`; 0 when there is no source, which is not an error.
const char *const *ct_compile_list_variants(ct_compile *c, const char *type, const char *name,
                                            uint32_t *count);

// Notes that this resource depends on the component type `name`, of a plugin or unknown: it is compiled
// again when the type's schema changes, or when a plugin adds the type.
void ct_compile_component_type(ct_compile *c, const char *name);

// Returns a value of the project's settings.config by its dotted path ("textures.quality"), and
// sets `doc`. Returns {0} when there is none, or when the settings are broken (which is reported as
// an error). The resource is compiled again when this value changes, but not for other settings.
ct_sjson_value ct_compile_setting(ct_compile *c, const char *path, const ct_sjson **doc);

// Reports an error at a value. Returns false.
bool ct_compile_error(ct_compile *c, const ct_sjson *doc, ct_sjson_value at, const char *format,
                      ...) CT_PRINTF(4, 5);

// Reports an error at a place; `file` NULL is the source. Returns false.
bool ct_compile_error_at(ct_compile *c, const char *file, uint32_t line, uint32_t column,
                         const char *format, ...) CT_PRINTF(5, 6);

// Reports a warning at a value that is accepted, but hardly what the author meant: an option
// without effect, a wildcard that matches nothing. The warning repeats on every run until it is
// fixed, and prevents nothing. Do not warn of values that may be right.
void ct_compile_warning(ct_compile *c, const ct_sjson *doc, ct_sjson_value at, const char *format,
                        ...) CT_PRINTF(4, 5);

// Reports a warning as ct_compile_warning does, at a place; `file` NULL is the source.
void ct_compile_warning_at(ct_compile *c, const char *file, uint32_t line, uint32_t column,
                           const char *format, ...) CT_PRINTF(5, 6);

// Returns the number of errors reported so far.
uint32_t ct_compile_error_count(const ct_compile *c);

// Notes that this resource refers to (type, name) at a value; the driver checks that it exists.
void ct_compile_reference(ct_compile *c, const char *type, const char *name, const ct_sjson *doc,
                          ct_sjson_value at);

// Notes a reference as ct_compile_reference does, at a place in the source.
void ct_compile_reference_at(ct_compile *c, const char *type, const char *name, uint32_t line,
                             uint32_t column);

// Receives a reference of another resource, in place of the job's record.
typedef void (*ct_compile_other_reference)(void *user, const char *type, const char *name);

// From here to ct_compile_end_other, what is read belongs to other resources, which report for
// themselves: references go to `reference` (which may be NULL), and warnings are dropped. Errors and
// includes are those of this resource all the same. Does not nest.
void ct_compile_begin_other(ct_compile *c, ct_compile_other_reference reference, void *user);
void ct_compile_end_other(ct_compile *c);

// Returns the blob that the last compilation of this resource gave, as long as it is a whole one of
// today's layout and this machine's byte order; NULL: it has no such blob. It is no part of the key: the
// result must be the same with it and without.
const void *ct_compile_former(ct_compile *c);

// Returns a listener for ct_schema_read that reports errors and references of this job.
ct_schema_listener ct_compile_listener(ct_compile *c);

// Returns formatted text that lives until the compile function returns.
const char *ct_compile_text(ct_compile *c, const char *format, ...) CT_PRINTF(2, 3);
