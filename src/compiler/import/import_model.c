#include "compiler/import/import_model.h"

#include <math.h>
#include <string.h>

#include "compiler/import/import_ask.h"
#include "foundation/os/message.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"

const char *const ct_import_map_names[CT_IMPORT_NUM_MAPS] = {
    "base_color_map", "normal_map", "metallic_roughness_map", "emissive_map"};

// --- Reading -------------------------------------------------------------------------------------

typedef struct model_reader {
    ct_allocator *allocator;
    const ct_sjson *doc;
    ct_import_model *model;
    const uint8_t *binary; // what of it is not yet taken
    uint64_t binary_bytes;
    const char *problem; // the first; NULL while there is none
} model_reader;

static void refuse(model_reader *r, const char *problem) {
    r->problem = r->problem ? r->problem : problem;
}

static const char *string_of(model_reader *r, ct_sjson_value object, const char *key) {
    const char *const text = ct_sjson_string(r->doc, ct_sjson_find(r->doc, object, key), NULL);
    if (!text)
        refuse(r, key);
    return text ? text : "";
}

// A position in an array of `count`; CT_IMPORT_NONE where there is none, unless it is required.
static uint32_t index_of(model_reader *r, ct_sjson_value v, uint32_t count, const char *what) {
    const double number = ct_sjson_number(r->doc, v, -1);
    if (number >= 0 && number < count && number == floor(number))
        return (uint32_t)number;
    if (v.entry)
        refuse(r, what);
    return CT_IMPORT_NONE;
}

// Only finite numbers; an array of `count` of them.
static void check_numbers(model_reader *r, ct_sjson_value object, const char *key, uint32_t count) {
    const ct_sjson_value list = ct_sjson_find(r->doc, object, key);
    bool is_good = ct_sjson_type_of(r->doc, list) == CT_SJSON_TYPE_ARRAY &&
                   ct_sjson_count(r->doc, list) == count;
    for (ct_sjson_value v = ct_sjson_first(r->doc, list); v.entry; v = ct_sjson_next(r->doc, v))
        is_good = is_good && ct_sjson_type_of(r->doc, v) == CT_SJSON_TYPE_NUMBER;
    if (!is_good)
        refuse(r, key);
}

static void take_bytes(model_reader *r, ct_sjson_value object, const uint8_t **bytes,
                       uint64_t *size_bytes) {
    const double size = ct_sjson_number(r->doc, ct_sjson_find(r->doc, object, "size"), -1);
    if (!(size >= 0 && size <= (double)r->binary_bytes)) {
        refuse(r, "size");
        return;
    }
    *bytes = r->binary;
    *size_bytes = (uint64_t)size;
    r->binary += *size_bytes;
    r->binary_bytes -= *size_bytes;
}

static void read_node(model_reader *r, ct_sjson_value v, uint32_t i) {
    ct_import_node *const n = &r->model->nodes[i];
    n->name = string_of(r, v, "name");
    n->key = string_of(r, v, "key");
    n->parent = index_of(r, ct_sjson_find(r->doc, v, "parent"), i, "parent");
    n->pose = v;
    check_numbers(r, v, "position", 3);
    check_numbers(r, v, "rotation", 4);
    check_numbers(r, v, "scale", 3);
    n->is_joint = ct_sjson_bool(r->doc, ct_sjson_find(r->doc, v, "joint"), false);
    n->is_moved = ct_sjson_bool(r->doc, ct_sjson_find(r->doc, v, "moved"), false);
    if (n->is_joint && n->parent != CT_IMPORT_NONE && !r->model->nodes[n->parent].is_joint)
        refuse(r, "joint");
    const ct_sjson_value list = ct_sjson_find(r->doc, v, "parts");
    uint32_t *const parts = CT_NEW_ARRAY(r->allocator, uint32_t, ct_sjson_count(r->doc, list) + 1);
    for (ct_sjson_value p = ct_sjson_first(r->doc, list); p.entry; p = ct_sjson_next(r->doc, p)) {
        const uint32_t material = index_of(r, p, r->model->num_materials, "parts");
        if (material != CT_IMPORT_NONE && !r->model->materials[material].is_used)
            refuse(r, "parts");
        parts[n->num_parts++] = material;
    }
    n->parts = parts;
}

static void check_options(model_reader *r, ct_sjson_value list) {
    static const char *const known[] = {"vertex_color", "alpha_test", "transparent",
                                        "double_sided"};
    if (ct_sjson_type_of(r->doc, list) != CT_SJSON_TYPE_ARRAY)
        refuse(r, "options");
    for (ct_sjson_value v = ct_sjson_first(r->doc, list); v.entry; v = ct_sjson_next(r->doc, v)) {
        const char *const name = ct_sjson_string(r->doc, v, "");
        bool is_known = false;
        for (uint32_t i = 0; i < CT_COUNT_OF(known); ++i)
            is_known |= strcmp(known[i], name) == 0;
        if (!is_known)
            refuse(r, "options");
    }
}

static void read_material(model_reader *r, ct_sjson_value v, uint32_t i) {
    ct_import_material *const m = &r->model->materials[i];
    m->is_used = ct_sjson_type_of(r->doc, v) == CT_SJSON_TYPE_OBJECT;
    if (!m->is_used)
        return;
    m->name = string_of(r, v, "name");
    m->options = ct_sjson_find(r->doc, v, "options");
    check_options(r, m->options);
    m->parameters = ct_sjson_find(r->doc, v, "parameters");
    if (ct_sjson_type_of(r->doc, m->parameters) != CT_SJSON_TYPE_OBJECT)
        refuse(r, "parameters");
    const ct_sjson_value maps = ct_sjson_find(r->doc, v, "maps");
    for (uint32_t k = 0; k < CT_IMPORT_NUM_MAPS; ++k)
        m->maps[k] = index_of(r, ct_sjson_find(r->doc, maps, ct_import_map_names[k]),
                              r->model->num_images, ct_import_map_names[k]);
}

static void read_file(model_reader *r, ct_sjson_value v, uint32_t i) {
    ct_import_file *const f = &r->model->files[i];
    f->path = string_of(r, v, "path");
    if (!ct_path_is_canonical(f->path))
        refuse(r, "path");
    take_bytes(r, v, &f->bytes, &f->size_bytes);
}

// One of a texture's settings, which may have only this value; NULL where it is not given.
static const char *setting_of(model_reader *r, ct_sjson_value image, const char *key,
                              const char *only) {
    const ct_sjson_value v = ct_sjson_find(r->doc, image, key);
    if (v.entry && strcmp(ct_sjson_string(r->doc, v, ""), only) != 0)
        refuse(r, key);
    return v.entry ? only : NULL;
}

static void read_image(model_reader *r, ct_sjson_value v, uint32_t i) {
    static const char *const extensions[] = {"png", "jpg", "tga"};
    ct_import_image *const image = &r->model->images[i];
    image->key = string_of(r, v, "key");
    image->name = string_of(r, v, "name");
    image->extension = string_of(r, v, "extension");
    image->path = ct_sjson_string(r->doc, ct_sjson_find(r->doc, v, "path"), NULL);
    image->wrap = setting_of(r, v, "wrap", "clamp");
    image->filter = setting_of(r, v, "filter", "nearest");
    bool is_known = false;
    for (uint32_t k = 0; k < CT_COUNT_OF(extensions); ++k)
        is_known |= strcmp(extensions[k], image->extension) == 0;
    if (!is_known)
        refuse(r, "extension");
    take_bytes(r, v, &image->bytes, &image->size_bytes);
}

static void read_extra(model_reader *r, ct_sjson_value v, ct_import_extra *extra) {
    extra->value = v;
    extra->node = index_of(r, ct_sjson_find(r->doc, v, "node"), r->model->num_nodes, "node");
    if (extra->node == CT_IMPORT_NONE)
        refuse(r, "node");
    check_numbers(r, v, "position", 3);
    check_numbers(r, v, "rotation", 4);
}

static void read_camera(model_reader *r, ct_sjson_value v, uint32_t i) {
    read_extra(r, v, &r->model->cameras[i]);
}

static void read_light(model_reader *r, ct_sjson_value v, uint32_t i) {
    read_extra(r, v, &r->model->lights[i]);
}

static void read_clip(model_reader *r, ct_sjson_value v, uint32_t i) {
    ct_import_clip *const clip = &r->model->clips[i];
    clip->name = string_of(r, v, "name");
    clip->key = string_of(r, v, "key");
    clip->moves = ct_sjson_number(r->doc, ct_sjson_find(r->doc, v, "moves"), 0) > 0;
}

static void read_warning(model_reader *r, ct_sjson_value v, uint32_t i) {
    r->model->warnings[i] = ct_sjson_string(r->doc, v, "");
}

static void read_use(model_reader *r, ct_sjson_value v, uint32_t i) {
    r->model->uses[i] = ct_sjson_string(r->doc, v, "");
}

static ct_sjson_value list_of(model_reader *r, const char *key, uint32_t *count) {
    const ct_sjson_value list = ct_sjson_find(r->doc, ct_sjson_root(r->doc), key);
    if (ct_sjson_type_of(r->doc, list) != CT_SJSON_TYPE_ARRAY)
        refuse(r, key);
    *count = ct_sjson_count(r->doc, list);
    return list;
}

static void read_each(model_reader *r, ct_sjson_value list,
                      void (*read)(model_reader *r, ct_sjson_value v, uint32_t i)) {
    uint32_t i = 0;
    if (ct_sjson_type_of(r->doc, list) != CT_SJSON_TYPE_ARRAY)
        return;
    for (ct_sjson_value v = ct_sjson_first(r->doc, list); v.entry && !r->problem;
         v = ct_sjson_next(r->doc, v))
        read(r, v, i++);
}

static void read_lists(model_reader *r) {
    ct_import_model *const m = r->model;
    ct_allocator *const a = r->allocator;
    const ct_sjson_value nodes = list_of(r, "nodes", &m->num_nodes);
    const ct_sjson_value materials = list_of(r, "materials", &m->num_materials);
    const ct_sjson_value files = list_of(r, "files", &m->num_files);
    const ct_sjson_value images = list_of(r, "images", &m->num_images);
    const ct_sjson_value cameras = list_of(r, "cameras", &m->num_cameras);
    const ct_sjson_value lights = list_of(r, "lights", &m->num_lights);
    const ct_sjson_value clips = list_of(r, "clips", &m->num_clips);
    const ct_sjson_value warnings = list_of(r, "warnings", &m->num_warnings);
    const ct_sjson_value uses = list_of(r, "uses", &m->num_uses);
    m->nodes = CT_NEW_ARRAY(a, ct_import_node, m->num_nodes + 1);
    m->materials = CT_NEW_ARRAY(a, ct_import_material, m->num_materials + 1);
    m->files = CT_NEW_ARRAY(a, ct_import_file, m->num_files + 1);
    m->images = CT_NEW_ARRAY(a, ct_import_image, m->num_images + 1);
    m->cameras = CT_NEW_ARRAY(a, ct_import_extra, m->num_cameras + 1);
    m->lights = CT_NEW_ARRAY(a, ct_import_extra, m->num_lights + 1);
    m->clips = CT_NEW_ARRAY(a, ct_import_clip, m->num_clips + 1);
    m->warnings = CT_NEW_ARRAY(a, const char *, m->num_warnings + 1);
    m->uses = CT_NEW_ARRAY(a, const char *, m->num_uses + 1);
    read_each(r, materials, read_material);
    read_each(r, nodes, read_node);
    read_each(r, files, read_file); // before the images: the order of the binary
    read_each(r, images, read_image);
    read_each(r, cameras, read_camera);
    read_each(r, lights, read_light);
    read_each(r, clips, read_clip);
    read_each(r, warnings, read_warning);
    read_each(r, uses, read_use);
    if (m->num_files == 0)
        refuse(r, "files");
}

static bool read_message(model_reader *r, const ct_message *message, ct_error *error) {
    // Copied: the message goes with its reader.
    uint8_t *const binary = ct_alloc(r->allocator, message->binary_bytes + 1);
    if (message->binary_bytes > 0)
        memcpy(binary, message->binary, message->binary_bytes);
    r->binary = binary;
    r->binary_bytes = message->binary_bytes;
    r->doc = ct_sjson_parse(r->allocator, message->json, message->json_bytes, "description", NULL,
                            error);
    if (!r->doc)
        return false;
    r->model->doc = r->doc;
    read_lists(r);
    return !r->problem ||
           ct_error_set(error, "the description of the model is damaged at \"%s\"", r->problem);
}

bool ct_import_model_read(ct_allocator *a, const uint8_t *bytes, uint64_t size_bytes,
                          ct_import_model *model, ct_error *error) {
    *model = (ct_import_model){0};
    model_reader r = {.allocator = a, .model = model};
    ct_message_reader reader;
    ct_message message;
    ct_message_reader_init(&reader, a, CT_WORKER_MAX_MESSAGE_BYTES);
    ct_message_reader_add(&reader, bytes, size_bytes);
    const ct_message_result result = ct_message_reader_next(&reader, &message, error);
    bool is_good = result == CT_MESSAGE_RESULT_MESSAGE && read_message(&r, &message, error);
    if (result == CT_MESSAGE_RESULT_NONE)
        is_good = ct_error_set(error, "the description of the model is cut short");
    ct_message_reader_free(&reader);
    return is_good;
}

// --- Asking --------------------------------------------------------------------------------------

static bool check_file(const char *path, ct_import_error_array *errors) {
    const ct_file_kind kind = ct_os_file_info(path).kind;
    if (kind != CT_FILE_KIND_FILE)
        ct_import_add_error(
            errors, path, 0, 0,
            kind == CT_FILE_KIND_NONE
                ? "the file does not exist"
                : "this is not a file; expected a model: .gltf, .glb, .fbx, .obj or .bvh");
    return kind == CT_FILE_KIND_FILE;
}

bool ct_import_model_ask(ct_allocator *a, const ct_import_question *question,
                         ct_import_model *model, ct_import_error_array *errors) {
    char absolute[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    ct_error error = {0};
    if (!check_file(question->model, errors))
        return false;
    if (!ct_os_absolute_path(question->model, absolute, &error)) {
        ct_import_add_error(errors, question->model, 0, 0, error.message);
        return false;
    }
    ct_path_folder(folder, absolute);
    const bool is_inside = question->project != NULL;
    const ct_compile_request request = {.type = CT_COMPILE_IMPORT,
                                        .name = "",
                                        .path = is_inside ? question->path
                                                          : ct_path_file_name(absolute),
                                        .project_folder = is_inside ? question->project : folder,
                                        .platform = "",
                                        .up_axis = question->space.up_axis,
                                        .scale = question->space.scale,
                                        .images = is_inside ? question->known->items : NULL,
                                        .num_images = is_inside ? question->known->count : 0};
    ct_compile_answer answer;
    if (!ct_import_ask(a, question->worker_path, &request, absolute, &answer, errors))
        return false;
    const bool is_good =
        ct_import_model_read(a, answer.blob.items, answer.blob.count, model, &error);
    if (!is_good)
        ct_import_add_error(errors, absolute, 0, 0, error.message);
    ct_compile_answer_free(&answer);
    return is_good;
}
