#include "compiler/import/import_sources.h"

#include <stdio.h>
#include <string.h>

#include "compiler/import/import_character.h"
#include "compiler/import/import_unit.h"
#include "foundation/container/hash_map.h"
#include "foundation/os/path.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/string_id.h"

enum { MAX_STEM_BYTES = 100 };

static const char *text_of(ct_allocator *a, const char *first, const char *second) {
    ct_string_builder b;
    ct_string_builder_init(&b, a);
    ct_string_builder_addf(&b, "%s%s", first, second);
    return b.text;
}

const char *ct_import_valid_name(ct_allocator *a, const char *name, const char *otherwise) {
    ct_string_builder b;
    ct_string_builder_init(&b, a);
    bool is_gap = true; // no `_` at the start, and never two
    for (const char *p = name; *p && b.length < MAX_STEM_BYTES; ++p) {
        const char c = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
        const bool is_good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        if (is_good)
            ct_string_builder_add_char(&b, c);
        else if (!is_gap)
            ct_string_builder_add_char(&b, '_');
        is_gap = !is_good;
    }
    while (b.length > 0 && b.text[b.length - 1] == '_')
        b.text[--b.length] = 0;
    return b.length > 0 ? b.text : otherwise;
}

// --- The list ------------------------------------------------------------------------------------

uint32_t ct_import_sources_add(ct_import_sources *s, const char *kind, const char *key,
                               const char *stem, const char *extension, uint32_t position) {
    const ct_import_output output = {.key = text_of(s->allocator, kind, key),
                                     .stem = stem,
                                     .extension = extension,
                                     .position = position};
    ct_array_push(&s->outputs, output);
    return s->outputs.count - 1;
}

static uint32_t *indices(ct_import_sources *s, uint32_t count) {
    uint32_t *const items = CT_NEW_ARRAY(s->allocator, uint32_t, count + 1);
    memset(items, 0xff, ((uint64_t)count + 1) * sizeof(*items));
    return items;
}

static void list_files(ct_import_sources *s) {
    for (uint32_t i = 0; i < s->model->num_files && !s->is_in_place; ++i) {
        const ct_import_file *const f = &s->model->files[i];
        const uint32_t at = ct_import_sources_add(s, "file ", f->path, f->path, "", i);
        ct_import_output *const o = &s->outputs.items[at];
        o->is_fixed = true;
        o->bytes = f->bytes;
        o->size_bytes = f->size_bytes;
    }
}

static void list_images(ct_import_sources *s) {
    s->first_image = s->outputs.count;
    for (uint32_t i = 0; i < s->model->num_images; ++i) {
        const ct_import_image *const image = &s->model->images[i];
        const char *const stem = ct_import_valid_name(s->allocator, image->name, "image");
        const uint32_t at =
            ct_import_sources_add(s, "image ", image->key, stem, image->extension, i);
        ct_import_output *const o = &s->outputs.items[at];
        o->bytes = image->bytes;
        o->size_bytes = image->size_bytes;
        if (s->is_in_place && image->path && ct_path_is_canonical(image->path))
            o->found = image->path;
    }
}

static bool holds_color(uint32_t map) {
    return strcmp(ct_import_map_names[map], "base_color_map") == 0 ||
           strcmp(ct_import_map_names[map], "emissive_map") == 0;
}

static void list_textures(ct_import_sources *s) {
    const ct_import_model *const m = s->model;
    for (uint32_t i = 0; i < m->num_materials; ++i) {
        for (uint32_t k = 0; k < CT_IMPORT_NUM_MAPS && m->materials[i].is_used; ++k) {
            const uint32_t image = m->materials[i].maps[k];
            const bool is_color = holds_color(k);
            uint32_t *const texture = is_color ? s->color_texture_of : s->data_texture_of;
            if (image == CT_IMPORT_NONE || texture[image] != CT_IMPORT_NONE)
                continue;
            const char *const stem =
                ct_import_valid_name(s->allocator, m->images[image].name, "image");
            texture[image] = ct_import_sources_add(s, is_color ? "texture color " : "texture data ",
                                                   m->images[image].key, stem, "texture", image);
        }
    }
}

// A key for the second and further materials of one name.
static const char *material_key(const ct_import_sources *s, const char *name, ct_hash_map *known) {
    const uint64_t id = ct_string_id64_of(name).value;
    const uint64_t count = ct_hash_map_get(known, id, 0) + 1;
    ct_hash_map_set(known, id, count);
    char number[24] = "";
    if (count > 1)
        snprintf(number, sizeof(number), "#%llu", (unsigned long long)count);
    return text_of(s->allocator, name, number);
}

static void list_materials(ct_import_sources *s) {
    ct_hash_map known = {.allocator = s->allocator};
    for (uint32_t i = 0; i < s->model->num_materials; ++i) {
        const ct_import_material *const m = &s->model->materials[i];
        if (!m->is_used)
            continue;
        const char *const stem = ct_import_valid_name(s->allocator, m->name, "material");
        const char *const key = material_key(s, m->name, &known);
        s->material_of[i] = ct_import_sources_add(s, "material ", key, stem, "material", i);
    }
}

static void list_meshes(ct_import_sources *s) {
    for (uint32_t i = 0; i < s->model->num_nodes; ++i) {
        const ct_import_node *const n = &s->model->nodes[i];
        if (n->num_parts == 0)
            continue;
        const char *const stem = ct_import_valid_name(s->allocator, n->name, "mesh");
        s->mesh_of_node[i] = ct_import_sources_add(s, "mesh ", n->key, stem, "mesh", i);
    }
}

void ct_import_sources_list(ct_allocator *a, const ct_import_model *model, const char *folder,
                            const char *model_name, const char *model_path, const char *skeleton,
                            ct_import_sources *sources) {
    ct_import_sources *s = sources;
    *s = (ct_import_sources){.allocator = a,
                             .model = model,
                             .folder = folder,
                             .id_space = "",
                             .model_name = model_name,
                             .model_path = model_path ? model_path : "",
                             .is_in_place = model_path != NULL,
                             .skeleton = skeleton,
                             .unit = CT_IMPORT_NONE,
                             .own_skeleton = CT_IMPORT_NONE,
                             .machine = CT_IMPORT_NONE};
    ct_array_init(&s->outputs, a);
    ct_array_init(&s->warnings, a);
    s->mesh_of_node = indices(s, model->num_nodes);
    s->material_of = indices(s, model->num_materials);
    s->color_texture_of = indices(s, model->num_images);
    s->data_texture_of = indices(s, model->num_images);
    list_files(s);
    if (!skeleton) {
        list_images(s);
        list_textures(s);
        list_materials(s);
        list_meshes(s);
    }
    ct_import_character_list(s);
    if (skeleton)
        return;
    s->unit = ct_import_sources_add(s, "unit", "", model_name, "unit", 0);
}

// --- Their text ----------------------------------------------------------------------------------

const char *ct_import_sources_name(const ct_import_sources *s, uint32_t output) {
    const char *const path = s->outputs.items[output].path;
    char *const name = ct_copy_string(s->allocator, path);
    name[strlen(name) - strlen(ct_path_extension(name)) - 1] = 0;
    return name;
}

// True when a material has the image as its map `k`.
static bool is_used_as(const ct_import_model *m, uint32_t image, const char *map) {
    for (uint32_t i = 0; i < m->num_materials; ++i) {
        for (uint32_t k = 0; k < CT_IMPORT_NUM_MAPS && m->materials[i].is_used; ++k) {
            if (m->materials[i].maps[k] == image && strcmp(ct_import_map_names[k], map) == 0)
                return true;
        }
    }
    return false;
}

// Of numbers that are not colours: normals, unless another map reads the image too.
static const char *data_category(const ct_import_sources *s, uint32_t image) {
    const bool is_normal = is_used_as(s->model, image, "normal_map") &&
                           !is_used_as(s->model, image, "metallic_roughness_map");
    return is_normal ? "normal" : "data";
}

static void write_texture(const ct_import_sources *s, const ct_import_output *o,
                          ct_sjson_writer *w) {
    const ct_import_image *const image = &s->model->images[o->position];
    ct_sjson_member_string(w, "source", s->outputs.items[s->first_image + o->position].path);
    if (strncmp(o->key, "texture data ", 13) == 0)
        ct_sjson_member_string(w, "category", data_category(s, o->position));
    if (image->filter)
        ct_sjson_member_string(w, "filter", image->filter);
    if (image->wrap)
        ct_sjson_member_string(w, "wrap", image->wrap);
}

static void write_options(const ct_sjson *doc, const ct_import_material *m, ct_sjson_writer *w) {
    bool has_any = ct_sjson_count(doc, m->options) > 0;
    for (uint32_t k = 0; k < CT_IMPORT_NUM_MAPS; ++k)
        has_any |= m->maps[k] != CT_IMPORT_NONE;
    if (!has_any)
        return;
    ct_sjson_write_key(w, "options");
    ct_sjson_begin_array(w);
    for (uint32_t k = 0; k < CT_IMPORT_NUM_MAPS; ++k) {
        if (m->maps[k] != CT_IMPORT_NONE)
            ct_sjson_write_string(w, ct_import_map_names[k]);
    }
    for (ct_sjson_value v = ct_sjson_first(doc, m->options); v.entry; v = ct_sjson_next(doc, v))
        ct_sjson_write_value(w, doc, v);
    ct_sjson_end_array(w);
}

static void write_material(const ct_import_sources *s, const ct_import_output *o,
                           ct_sjson_writer *w) {
    const ct_import_material *const m = &s->model->materials[o->position];
    ct_sjson_member_string(w, "shader", "core/shaders/pbr");
    write_options(s->model->doc, m, w);
    if (ct_sjson_count(s->model->doc, m->parameters) > 0) {
        ct_sjson_write_key(w, "parameters");
        ct_sjson_write_value(w, s->model->doc, m->parameters);
    }
    bool has_any = false;
    for (uint32_t k = 0; k < CT_IMPORT_NUM_MAPS; ++k) {
        const uint32_t image = m->maps[k];
        if (image == CT_IMPORT_NONE)
            continue;
        if (!has_any) {
            ct_sjson_write_key(w, "textures");
            ct_sjson_begin_object(w);
        }
        has_any = true;
        const uint32_t texture =
            holds_color(k) ? s->color_texture_of[image] : s->data_texture_of[image];
        ct_sjson_member_string(w, ct_import_map_names[k], ct_import_sources_name(s, texture));
    }
    if (has_any)
        ct_sjson_end_object(w);
}

void ct_import_space_write(const ct_import_space *space, ct_sjson_writer *w) {
    if (space->up_axis && strcmp(space->up_axis, "file") != 0)
        ct_sjson_member_string(w, "up_axis", space->up_axis);
    if (space->scale > 0 && space->scale != 1)
        ct_sjson_member_number(w, "scale", space->scale);
}

static void write_mesh(const ct_import_sources *s, const ct_import_output *o, ct_sjson_writer *w) {
    ct_sjson_member_string(w, "source", s->model_path);
    ct_sjson_member_string(w, "node", s->model->nodes[o->position].key);
    ct_sjson_member_bool(w, "children", false);
    ct_import_space_write(&s->space, w);
}

static void write_source(ct_import_sources *s, ct_import_output *o) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, s->allocator);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_SJSON);
    ct_sjson_begin_object(&w);
    if (strcmp(o->extension, "texture") == 0)
        write_texture(s, o, &w);
    else if (strcmp(o->extension, "material") == 0)
        write_material(s, o, &w);
    else if (strcmp(o->extension, "mesh") == 0)
        write_mesh(s, o, &w);
    else if (strcmp(o->extension, "skeleton") == 0)
        ct_import_skeleton_write(s, &w);
    else if (strcmp(o->extension, "animation") == 0)
        ct_import_animation_write(s, o, &w);
    else if (strcmp(o->extension, "state_machine") == 0)
        ct_import_machine_write(s, &w);
    else
        ct_import_unit_write(s, &w);
    ct_sjson_end_object(&w);
    ct_error error = {0};
    o->text = text.text;
    o->source = ct_sjson_parse(s->allocator, text.text, text.length, o->path, NULL, &error);
    CT_ASSERT(o->source, "%s is not valid: %s", o->path, error.message);
}

void ct_import_sources_write(ct_import_sources *s) {
    for (uint32_t i = 0; i < s->outputs.count; ++i) {
        ct_import_output *const o = &s->outputs.items[i];
        if (!o->bytes)
            write_source(s, o);
    }
}
