// worker_describe_images.h: a part of describing a model: the images its materials name.
#pragma once
#include "compiler/types/model/worker_model_files.h"
#include "compiler/types/model/worker_scene.h"

#define CT_WORKER_DESCRIBE_NO_IMAGE UINT32_MAX

// An image, found by its path, beside the model or inside it.
typedef struct ct_worker_described_image {
    const char *key;       // the material's name for it, by which it is found again
    const char *name;      // its file name without extension, or one made up; any characters
    const char *extension; // "png", "jpg", "tga", by its content
    const char *path;      // from the folder of the request; NULL: inside the model
    const char *bytes;
    uint64_t size_bytes;
    ct_worker_map_wrap wrap; // of the first map that uses it; REPEAT or CLAMP
    bool is_nearest;
} ct_worker_described_image;

typedef struct ct_worker_describe_images {
    ct_compile *c;
    const ct_worker_scene *scene;
    const ct_worker_model_files *files; // that the model needed: materials may be elsewhere
    const ct_compile_image *known;      // where images were at the last import; NULL: unknown
    uint32_t num_known;
    CT_ARRAY(ct_worker_described_image) items;
    ct_string_array warnings; // what could not be imported, once each; from c->allocator
} ct_worker_describe_images;

// Starts without images; `known` is set by the caller. It borrows the job, scene and files; memory
// is the job's.
void ct_worker_describe_images_init(ct_worker_describe_images *images, ct_compile *c,
                                    const ct_worker_scene *scene,
                                    const ct_worker_model_files *files);

// Returns the position in `items` of the image of a map; reads it when this is the first time.
// Returns CT_WORKER_DESCRIBE_NO_IMAGE, with a warning, when the image does not exist or cannot
// become a texture. Warns when textures do not support the map's sampling, or when it differs from
// that of the first map.
uint32_t ct_worker_describe_image(ct_worker_describe_images *images, const ct_worker_map *map);

// Returns true when no pixel of the image at this position in `items` has a notable colour, false
// for one that cannot be decoded. Costs the decoding.
bool ct_worker_describe_is_grey(const ct_worker_describe_images *images, uint32_t image);

// Adds a warning unless it was added before.
void ct_worker_describe_warn(ct_worker_describe_images *images, const char *text);
