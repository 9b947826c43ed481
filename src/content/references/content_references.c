#include "content/references/content_references.h"

#include <stdio.h>
#include <string.h>

#include "content/references/lua_references.h"
#include "content/references/model_references.h"
#include "content/references/sjson_references.h"
#include "foundation/error.h"
#include "foundation/string/string_id.h"
#include "project/glsl_directive.h"
#include "resource/resource_variant.h"

const ct_resource_type *ct_content_type_of(const char *path) {
    return ct_resource_type_named(ct_path_extension(path));
}

void ct_content_resource_name(const char *path, const ct_resource_type *type,
                              char name[CT_PATH_BYTES]) {
    char stem[CT_PATH_BYTES];
    ct_source_name parts;
    ct_error ignored;
    const size_t length = strlen(path) - strlen(type->name) - 1;
    snprintf(stem, sizeof(stem), "%.*s", (int)length, path);
    const bool is_canonical = ct_source_name_parse(stem, type->name, &parts, &ignored);
    snprintf(name, CT_PATH_BYTES, "%s", is_canonical ? parts.name : stem);
}

uint64_t ct_content_name_key(const ct_resource_type *type, const char *name) {
    return ct_string_id64_of(name).value ^
           (type ? type->id.value * UINT64_C(0x9e3779b97f4a7c15) : 0);
}

uint64_t ct_content_file_key(const char *path) {
    const ct_resource_type *const type = ct_content_type_of(path);
    char name[CT_PATH_BYTES] = "";
    if (type)
        ct_content_resource_name(path, type, name);
    return ct_content_name_key(type, type ? name : path);
}

ct_content_kind ct_content_kind_of(const char *path) {
    static const struct {
        const char *extension;
        ct_content_kind kind;
    } kinds[] = {{"gltf", CT_CONTENT_KIND_GLTF},
                 {"glb", CT_CONTENT_KIND_GLB},
                 {"obj", CT_CONTENT_KIND_OBJ},
                 {"mtl", CT_CONTENT_KIND_MTL}};
    if (ct_content_type_of(path))
        return CT_CONTENT_KIND_SOURCE;
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        if (strcmp(ct_path_extension(path), kinds[i].extension) == 0)
            return kinds[i].kind;
    }
    return CT_CONTENT_KIND_NONE;
}

bool ct_content_kind_is_relative(ct_content_kind kind) {
    return kind == CT_CONTENT_KIND_GLTF || kind == CT_CONTENT_KIND_GLB ||
           kind == CT_CONTENT_KIND_OBJ || kind == CT_CONTENT_KIND_MTL;
}

static bool read_sjson(ct_allocator *a, const char *path, const char *text, uint64_t bytes,
                       ct_mentions *mentions, ct_error *error) {
    ct_sjson *const doc = ct_sjson_parse(a, text, bytes, path, NULL, error);
    if (!doc)
        return false;
    ct_sjson_references_find(&(ct_sjson_references_desc){.type = ct_content_type_of(path),
                                                         .path = path,
                                                         .doc = doc,
                                                         .text = text,
                                                         .bytes = bytes},
                             mentions);
    ct_sjson_free(doc);
    return true;
}

static void read_glsl(const char *text, uint64_t bytes, ct_mentions *mentions) {
    ct_glsl_reader lines = ct_glsl_reader_of(text, bytes, 1);
    ct_glsl_directive directive;
    while (ct_glsl_next_directive(&lines, &directive)) {
        uint32_t length = 0;
        const char *const path = ct_glsl_directive_is(&directive, "include")
                                     ? ct_glsl_included_path(&directive, &length)
                                     : NULL;
        const ct_mention m = {.kind = CT_MENTION_KIND_MEDIA,
                              .line = directive.line,
                              .column = path ? (uint32_t)(path - directive.start) + 1 : 0,
                              .begin = path ? (uint32_t)(path - text) : 0,
                              .end = path ? (uint32_t)(path - text) + length : 0};
        if (path)
            ct_mentions_add(mentions, &m, path, length);
    }
}

bool ct_content_references_read(ct_allocator *a, ct_content_kind kind, const char *path,
                                const char *text, uint64_t bytes, ct_mentions *mentions,
                                ct_error *error) {
    if (bytes >= UINT32_MAX)
        return ct_error_set(error, "%s has %llu bytes; expected less than 4 GiB", path,
                            (unsigned long long)bytes);
    switch (kind) {
    case CT_CONTENT_KIND_SOURCE:
        if (strcmp(ct_path_extension(path), "lua") != 0)
            return read_sjson(a, path, text, bytes, mentions, error);
        ct_lua_references_find(a, text, bytes, mentions);
        return true;
    case CT_CONTENT_KIND_GLSL:
        read_glsl(text, bytes, mentions);
        return true;
    case CT_CONTENT_KIND_GLTF:
        return ct_gltf_references_find(a, path, text, bytes, mentions, error);
    case CT_CONTENT_KIND_GLB:
        return ct_glb_references_find(a, path, text, bytes, mentions, error);
    case CT_CONTENT_KIND_OBJ:
        ct_obj_references_find(path, text, bytes, mentions);
        return true;
    case CT_CONTENT_KIND_MTL:
        ct_mtl_references_find(path, text, bytes, mentions);
        return true;
    case CT_CONTENT_KIND_NONE:
    case CT_NUM_CONTENT_KINDS:
        break;
    }
    return true;
}
