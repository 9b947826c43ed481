// obj_case.h: an OBJ model, read to a scene that is printed as text, for tests of its reader.
//
// The mesh type of this program is another than the compiler's: it reads the scene of `a.obj`, and
// prints it. The table below takes the place of the one in the library.
#pragma once
#include "compiler/compile_case.h"
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/model/worker_model_files.h"
#include "compiler/types/model/worker_obj.h"
#include "foundation/string/string_builder.h"

static ct_string_builder obj_text; // of the last scene, its errors included

static inline void print_floats(const char *name, const float *values, uint32_t count,
                                uint32_t step) {
    ct_string_builder_addf(&obj_text, " %s", name);
    for (uint32_t i = 0; i < count * step; ++i)
        ct_string_builder_addf(&obj_text, "%c%.6g", i % step == 0 ? ' ' : ',',
                               (double)values[i] + 0.0);
    ct_string_builder_add(&obj_text, "\n");
}

static inline void print_mesh(const ct_worker_scene *scene, const ct_worker_mesh *mesh) {
    ct_string_builder_addf(&obj_text, "mesh \"%s\" of \"%s\"%s\n", mesh->name,
                           scene->materials.items[mesh->material].name,
                           mesh->has_points_or_lines ? " with points or lines" : "");
    print_floats("positions", (const float *)mesh->positions, mesh->num_vertices, 3);
    if (mesh->normals)
        print_floats("normals", (const float *)mesh->normals, mesh->num_vertices, 3);
    if (mesh->uv[0])
        print_floats("uvs", (const float *)mesh->uv[0], mesh->num_vertices, 2);
    if (mesh->colors)
        print_floats("colors", (const float *)mesh->colors, mesh->num_vertices, 4);
    ct_string_builder_add(&obj_text, " indices");
    for (uint32_t i = 0; i < mesh->num_indices; ++i)
        ct_string_builder_addf(&obj_text, "%s%u", i % 3 == 0 ? " " : ",", mesh->indices[i]);
    ct_string_builder_add(&obj_text, "\n");
}

static inline void print_material(const ct_worker_material *m) {
    static const char *const surfaces[] = {"opaque", "masked", "blended"};
    static const char *const maps[] = {"base", "normal", "metal", "emissive"};
    ct_string_builder_addf(
        &obj_text,
        "material \"%s\" %s color %.4g,%.4g,%.4g,%.4g metal %.4g rough %.4g light "
        "%.4g,%.4g,%.4g by %.4g\n",
        m->name, surfaces[m->surface], (double)m->base_color[0], (double)m->base_color[1],
        (double)m->base_color[2], (double)m->base_color[3], (double)m->metallic,
        (double)m->roughness, (double)m->emissive[0], (double)m->emissive[1],
        (double)m->emissive[2], (double)m->emissive_intensity);
    for (uint32_t i = 0; i < CT_WORKER_MAP_KIND_COUNT; ++i) {
        const ct_worker_map *const map = &m->maps[i];
        if (map->image)
            ct_string_builder_addf(&obj_text, " %s map \"%s\" scale %g,%g offset %g,%g%s%s\n",
                                   maps[i], map->image, (double)map->uv_scale[0],
                                   (double)map->uv_scale[1], (double)map->uv_offset[0],
                                   (double)map->uv_offset[1],
                                   map->wrap[1] == CT_WORKER_MAP_WRAP_CLAMP ? " clamped" : "",
                                   map->may_be_heights ? " maybe heights" : "");
    }
    if (m->normal_strength != 1)
        ct_string_builder_addf(&obj_text, " strength %g\n", (double)m->normal_strength);
    for (uint32_t i = 0; i < m->warnings.count; ++i)
        ct_string_builder_addf(&obj_text, " warning: %s\n", m->warnings.items[i]);
}

static inline void print_scene(const ct_worker_scene *scene) {
    for (uint32_t i = 0; i < scene->nodes.count; ++i) {
        const ct_worker_scene_node *const node = &scene->nodes.items[i];
        ct_string_builder_addf(&obj_text, "node \"%s\"\n", node->name);
        for (uint32_t k = 0; k < node->num_meshes; ++k)
            print_mesh(scene, &scene->meshes.items[scene->node_meshes.items[node->first_mesh + k]]);
    }
    for (uint32_t i = 0; i < scene->materials.count; ++i)
        print_material(&scene->materials.items[i]);
    for (uint32_t i = 0; i < scene->warnings.count; ++i)
        ct_string_builder_addf(&obj_text, "warning: %s\n", scene->warnings.items[i]);
}

static inline bool read_scene(ct_compile *c) {
    ct_worker_model_files files;
    const ct_sjson_value at = {0};
    ct_worker_model_files_init(&files, c, at, false);
    files.may_lack_others = true;
    ct_worker_scene scene = {.path = "a.obj"};
    ct_array_init(&scene.nodes, c->allocator);
    ct_array_init(&scene.node_meshes, c->allocator);
    ct_array_init(&scene.meshes, c->allocator);
    ct_array_init(&scene.materials, c->allocator);
    ct_array_init(&scene.images, c->allocator);
    ct_array_init(&scene.cameras, c->allocator);
    ct_array_init(&scene.lights, c->allocator);
    ct_array_init(&scene.warnings, c->allocator);
    const ct_worker_model_file *const file = ct_worker_model_file_at(&files, scene.path);
    if (!file || !ct_worker_obj_read(c, &files, file, at, &scene))
        return false;
    print_scene(&scene);
    return true;
}

static const ct_compiler_type obj_type = {.name = "mesh", .version = 1, .function = read_scene};

const ct_compiler_type *ct_compiler_types(uint32_t *count) {
    *count = 1;
    return &obj_type;
}

const ct_compiler_type *ct_compiler_type_named(const char *name) {
    return strcmp(name, obj_type.name) == 0 ? &obj_type : NULL;
}

// Reads a.obj of these bytes, beside what files the case has. The text is good until the next.
static inline const char *read_obj_bytes(compile_case *t, const char *bytes, uint64_t size) {
    compile_case_file(t, "a.obj", bytes, size);
    compile_case_text(t, "a.mesh", "source = \"a.obj\"");
    ct_string_builder_free(&obj_text);
    ct_string_builder_init(&obj_text, test_heap());
    compile_case_run(t, "mesh", "a");
    for (uint32_t i = 0; i < t->answer.errors.count; ++i) {
        const ct_compile_fault *const e = &t->answer.errors.items[i];
        ct_string_builder_addf(&obj_text, "error: %s:%u:%u: %s\n", e->file, e->line, e->column,
                               e->message);
    }
    return ct_string_builder_text(&obj_text);
}

// As read_obj_bytes, of a text and no other file.
static inline const char *read_obj(const char *text) {
    compile_case t = compile_case_make();
    const char *const result = read_obj_bytes(&t, text, strlen(text));
    compile_case_free(&t);
    return result;
}

// As read_obj, with the library a.mtl beside it.
static inline const char *read_obj_with(const char *library, const char *text) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.mtl", library);
    const char *const result = read_obj_bytes(&t, text, strlen(text));
    compile_case_free(&t);
    return result;
}

static inline void expect_in(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("expected\n%s\nin\n%s", part, text);
}

static inline void expect_not_in(const char *text, const char *part) {
    if (strstr(text, part))
        fail_msg("did not expect\n%s\nin\n%s", part, text);
}

static inline int free_obj_text(void **state) {
    ct_string_builder_free(&obj_text);
    return test_group_teardown(state);
}
