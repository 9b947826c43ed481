// compiler.h: the interface "compiler": compile functions for a plugin's own resource types.
//
// Only the compiler's workers have it: get_api returns NULL in the game. Without a compile function the
// data of a resource is the struct that its type's schema reads.
//
//     static bool compile(cuttle_plugin *self, cuttle_compile *c, const void *source) {
//         const dialog_source *const s = source;
//         uint64_t size_bytes;
//         const char *const text = compiler->read(c, s->file, &size_bytes, compiler->root(c));
//         if (!text)
//             return false;
//         compiler->write(c, text, size_bytes, 1);
//         return true;
//     }
//
// A compile function sees files only through this interface: what it read or looked for decides when
// the resource is compiled again. It runs in a process of its own: a crash, or a call that takes longer
// than the compiler's time limit, is an error of that resource. It must make the same data of the same
// source on every machine.
#ifndef CUTTLE_COMPILER_H
#define CUTTLE_COMPILER_H
#include <cuttle/schema.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_COMPILER_API "compiler"

#if defined(__GNUC__)
#define CUTTLE_COMPILER_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define CUTTLE_COMPILER_PRINTF(text, first)
#endif

// One resource that is being compiled. Valid until the compile function returns, as is everything that
// the functions below return.
typedef struct cuttle_compile cuttle_compile;

// A value of a source file. {NULL, 0} is no value, and counts as null.
typedef struct cuttle_value {
    const void *document;
    uint32_t entry;
} cuttle_value;

// What a value is.
typedef enum cuttle_value_type {
    CUTTLE_VALUE_NULL = 0,
    CUTTLE_VALUE_BOOL = 1,
    CUTTLE_VALUE_NUMBER = 2,
    CUTTLE_VALUE_TEXT = 3,
    CUTTLE_VALUE_ARRAY = 4,
    CUTTLE_VALUE_OBJECT = 5,
} cuttle_value_type;

// The compile function of a resource type that the same plugin adds (cuttle/resource_types.h).
typedef struct cuttle_compiler_type {
    const char *name; // of the resource type; copied
    // Makes the data of one resource with `write`. `source` is the struct of the type's schema, read and
    // checked; NULL for a type without schema. Returns false after an error was reported; the data is
    // dropped then, as it is when any error was reported.
    bool (*compile)(cuttle_plugin *self, cuttle_compile *c, const void *source);
} cuttle_compiler_type;

// `at` is where in a source an error is shown; {NULL, 0}: at the source as a whole. Paths are project
// paths with extension ("dialogs/baker.csv"). One thread: that of the compile function.
typedef struct cuttle_compiler_api_1 {
    // Adds a compile function; call it from `init`. Returns false with `error` when it has none, or
    // there is one for this name.
    bool (*add)(cuttle_plugin *self, const cuttle_compiler_type *type, cuttle_error *error);

    // Return the resource's name ("dialogs/baker"), the path of its source, and the platform for
    // which data is made ("linux").
    const char *(*name)(cuttle_compile *c);
    const char *(*path)(cuttle_compile *c);
    const char *(*platform)(cuttle_compile *c);

    // Returns the source: an object.
    cuttle_value (*root)(cuttle_compile *c);
    // Reads an object by a schema into `out` (schema->size_bytes), as the engine does: defaults,
    // checks, references. Reports what is wrong, and returns false then. The schema's fields must be
    // as for a type's.
    bool (*read_schema)(cuttle_compile *c, const cuttle_schema *schema, cuttle_value object,
                        void *out);
    // Return what a value is, and what is in it: `otherwise` where the value is of another type.
    uint32_t (*type)(cuttle_value value); // cuttle_value_type
    bool (*boolean)(cuttle_value value, bool otherwise);
    double (*number)(cuttle_value value, double otherwise);
    const char *(*text)(cuttle_value value, const char *otherwise); // UTF-8, zero-terminated
    // Return a member of an object by its key; the number of elements or members; the first of them
    // and the next one after it; the key of a member (NULL in arrays).
    cuttle_value (*find)(cuttle_value object, const char *key);
    uint32_t (*count)(cuttle_value container);
    cuttle_value (*first)(cuttle_value container);
    cuttle_value (*next)(cuttle_value value);
    const char *(*key)(cuttle_value member);

    // Reads a file, followed by a zero byte, and sets `size_bytes`. Returns NULL after reporting an
    // error at `at` when it does not exist.
    const void *(*read)(cuttle_compile *c, const char *path, uint64_t *size_bytes, cuttle_value at);
    // Reads a file that need not exist: returns NULL then, without an error.
    const void *(*find_file)(cuttle_compile *c, const char *path, uint64_t *size_bytes);
    // Reads another source file; {NULL, 0} after reporting an error.
    cuttle_value (*read_source)(cuttle_compile *c, const char *path, cuttle_value at);
    // Returns a value of settings.config by its dotted path ("game.shops"); {NULL, 0}: it is not set.
    cuttle_value (*setting)(cuttle_compile *c, const char *path);

    // Notes that this resource needs another one, which must exist and is loaded with it.
    void (*reference)(cuttle_compile *c, const char *type, const char *name, cuttle_value at);
    // Reports an error at a value. Returns false.
    bool (*error)(cuttle_compile *c, cuttle_value at, const char *format, ...)
        CUTTLE_COMPILER_PRINTF(3, 4);
    // Reports an error in a file that the function has read by itself; `path` NULL is the source.
    // Line and column from 1; 0: unknown. Returns false.
    bool (*error_at)(cuttle_compile *c, const char *path, uint32_t line, uint32_t column,
                     const char *format, ...) CUTTLE_COMPILER_PRINTF(5, 6);
    // Reports a warning, which prevents nothing and repeats until it is mended.
    void (*warning)(cuttle_compile *c, cuttle_value at, const char *format, ...)
        CUTTLE_COMPILER_PRINTF(3, 4);

    // Returns memory that is freed after the compile function, aligned to 16; cleared.
    void *(*allocate)(cuttle_compile *c, uint64_t size_bytes);
    // Appends bytes to the data, with zeroes before them up to a multiple of `align` (1, 2, 4, 8 or
    // 16). Returns their offset from the start of the data; 0 after reporting an error when the data
    // becomes too large (about 1 GB) or `align` is wrong. NULL writes zeroes.
    uint32_t (*write)(cuttle_compile *c, const void *bytes, uint64_t size_bytes, uint32_t align);
    // Overwrites bytes of the data that were written before: for offsets that are known later. Returns
    // false after reporting an error when they lie outside.
    bool (*patch)(cuttle_compile *c, uint32_t offset, const void *bytes, uint64_t size_bytes);
} cuttle_compiler_api_1;

#ifdef __cplusplus
}
#endif
#endif
