// worker_libraries.c: Assimp and SPIRV-Cross, found when they are first called.
//
// Linked, they take most of the time in which a worker starts, and most workers never meet a model
// or a shader. So cuttle-worker does not link them: the functions that we use are defined here and
// hand each call on. Whoever calls one includes the library's own header.
#include <assimp/cimport.h>
#include <assimp/material.h>
#include <spirv_cross/spirv_cross_c.h>

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

typedef struct import_library {
    const char *name, *package;
    void *library; // NULL: not opened yet
} import_library;

static import_library assimp = {.name = "libassimp.so.5", .package = "libassimp5"};
static import_library spirv_cross = {.name = "libspirv-cross-c-shared.so.0",
                                     .package = "libspirv-cross-c-shared0"};

// Sets `function`, a pointer to a function, to that of the library.
static void find_function(import_library *l, const char *name, void *function) {
    if (!l->library)
        l->library = ct_library_open(l->name);
    CT_REQUIRE(l->library, "%s is missing; install the package %s", l->name, l->package);
    void *const symbol = ct_library_symbol(l->library, name);
    CT_REQUIRE(symbol, "%s has no %s; install the package %s", l->name, name, l->package);
    memcpy(function, &symbol, sizeof(symbol));
}

#define FORWARD(library, type, name, parameters, arguments)                                        \
    type name parameters {                                                                         \
        static type(*function) parameters;                                                         \
        if (!function)                                                                             \
            find_function(&(library), #name, (void *)&function);                                   \
        return function arguments;                                                                 \
    }

#define FORWARD_VOID(library, name, parameters, arguments)                                         \
    void name parameters {                                                                         \
        static void(*function) parameters;                                                         \
        if (!function)                                                                             \
            find_function(&(library), #name, (void *)&function);                                   \
        function arguments;                                                                        \
    }

// --- Assimp --------------------------------------------------------------------------------------

FORWARD(assimp, const struct aiScene *, aiImportFileExWithProperties,
        (const char *path, unsigned int flags, struct aiFileIO *files,
         const struct aiPropertyStore *properties),
        (path, flags, files, properties))
FORWARD(assimp, const struct aiScene *, aiApplyPostProcessing,
        (const struct aiScene *scene, unsigned int flags), (scene, flags))
FORWARD_VOID(assimp, aiReleaseImport, (const struct aiScene *scene), (scene))
FORWARD(assimp, const char *, aiGetErrorString, (void), ())
FORWARD_VOID(assimp, aiAttachLogStream, (const struct aiLogStream *stream), (stream))
FORWARD(assimp, enum aiReturn, aiDetachLogStream, (const struct aiLogStream *stream), (stream))
FORWARD(assimp, struct aiPropertyStore *, aiCreatePropertyStore, (void), ())
FORWARD_VOID(assimp, aiReleasePropertyStore, (struct aiPropertyStore * properties), (properties))
FORWARD_VOID(assimp, aiSetImportPropertyInteger,
             (struct aiPropertyStore * properties, const char *name, int value),
             (properties, name, value))
FORWARD(assimp, enum aiReturn, aiGetMaterialColor,
        (const struct aiMaterial *material, const char *key, unsigned int type, unsigned int index,
         struct aiColor4D *color),
        (material, key, type, index, color))
FORWARD(assimp, enum aiReturn, aiGetMaterialFloatArray,
        (const struct aiMaterial *material, const char *key, unsigned int type, unsigned int index,
         ai_real *values, unsigned int *count),
        (material, key, type, index, values, count))
FORWARD(assimp, enum aiReturn, aiGetMaterialIntegerArray,
        (const struct aiMaterial *material, const char *key, unsigned int type, unsigned int index,
         int *values, unsigned int *count),
        (material, key, type, index, values, count))
FORWARD(assimp, enum aiReturn, aiGetMaterialString,
        (const struct aiMaterial *material, const char *key, unsigned int type, unsigned int index,
         struct aiString *text),
        (material, key, type, index, text))
FORWARD(assimp, enum aiReturn, aiGetMaterialUVTransform,
        (const struct aiMaterial *material, const char *key, unsigned int type, unsigned int index,
         struct aiUVTransform *transform),
        (material, key, type, index, transform))

// --- SPIRV-Cross ---------------------------------------------------------------------------------

FORWARD(spirv_cross, spvc_result, spvc_context_create, (spvc_context * context), (context))
FORWARD_VOID(spirv_cross, spvc_context_destroy, (spvc_context context), (context))
FORWARD(spirv_cross, const char *, spvc_context_get_last_error_string, (spvc_context context),
        (context))
FORWARD(spirv_cross, spvc_result, spvc_context_parse_spirv,
        (spvc_context context, const SpvId *words, size_t count, spvc_parsed_ir *ir),
        (context, words, count, ir))
FORWARD(spirv_cross, spvc_result, spvc_context_create_compiler,
        (spvc_context context, spvc_backend backend, spvc_parsed_ir ir, spvc_capture_mode mode,
         spvc_compiler *compiler),
        (context, backend, ir, mode, compiler))
FORWARD(spirv_cross, spvc_result, spvc_compiler_create_shader_resources,
        (spvc_compiler compiler, spvc_resources *resources), (compiler, resources))
FORWARD(spirv_cross, spvc_result, spvc_resources_get_resource_list_for_type,
        (spvc_resources resources, spvc_resource_type type, const spvc_reflected_resource **list,
         size_t *count),
        (resources, type, list, count))
FORWARD(spirv_cross, spvc_result, spvc_compiler_get_declared_struct_size,
        (spvc_compiler compiler, spvc_type type, size_t *bytes), (compiler, type, bytes))
FORWARD(spirv_cross, spvc_result, spvc_compiler_type_struct_member_offset,
        (spvc_compiler compiler, spvc_type type, unsigned index, unsigned *offset),
        (compiler, type, index, offset))
FORWARD(spirv_cross, unsigned, spvc_compiler_get_decoration,
        (spvc_compiler compiler, SpvId id, SpvDecoration decoration), (compiler, id, decoration))
FORWARD(spirv_cross, unsigned, spvc_compiler_get_execution_mode_argument_by_index,
        (spvc_compiler compiler, SpvExecutionMode mode, unsigned index), (compiler, mode, index))
FORWARD(spirv_cross, spvc_type, spvc_compiler_get_type_handle,
        (spvc_compiler compiler, spvc_type_id id), (compiler, id))
FORWARD(spirv_cross, spvc_basetype, spvc_type_get_basetype, (spvc_type type), (type))
FORWARD(spirv_cross, unsigned, spvc_type_get_columns, (spvc_type type), (type))
FORWARD(spirv_cross, unsigned, spvc_type_get_num_array_dimensions, (spvc_type type), (type))
FORWARD(spirv_cross, spvc_bool, spvc_type_array_dimension_is_literal,
        (spvc_type type, unsigned dimension), (type, dimension))
FORWARD(spirv_cross, SpvId, spvc_type_get_array_dimension, (spvc_type type, unsigned dimension),
        (type, dimension))
FORWARD(spirv_cross, unsigned, spvc_type_get_num_member_types, (spvc_type type), (type))
FORWARD(spirv_cross, SpvDim, spvc_type_get_image_dimension, (spvc_type type), (type))
FORWARD(spirv_cross, spvc_bool, spvc_type_get_image_arrayed, (spvc_type type), (type))
FORWARD(spirv_cross, spvc_bool, spvc_type_get_image_multisampled, (spvc_type type), (type))
