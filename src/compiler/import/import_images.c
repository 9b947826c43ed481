#include "compiler/import/import_images.h"

#include <stdio.h>
#include <string.h>

#include "foundation/os/path.h"
#include "foundation/string/string_id.h"

static const char image_prefix[] = "image ";
static const char *const texture_prefixes[] = {"texture color ", "texture data "};

// What follows `prefix`; NULL: the text starts otherwise.
static const char *after(const char *text, const char *prefix) {
    const size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static void add(ct_import_known_images *known, ct_hash_map *by_key, const char *key,
                const char *path) {
    const uint64_t id = ct_string_id64_of(key).value;
    if (!path || !ct_path_is_canonical(path) || ct_hash_map_find(by_key, id))
        return;
    ct_hash_map_set(by_key, id, 1);
    ct_array_push(known, (ct_compile_image){key, path});
}

ct_import_known_images ct_import_images_known(ct_allocator *a, const ct_import_record *record) {
    ct_import_known_images known;
    ct_hash_map by_key = {.allocator = a};
    ct_array_init(&known, a);
    for (uint32_t i = 0; i < record->files.count; ++i) {
        const char *key = after(record->files.items[i].key, image_prefix);
        if (key)
            add(&known, &by_key, key, record->files.items[i].path);
    }
    // Records of before have no images that were there already, but the textures made of them.
    for (uint32_t i = 0; i < record->files.count * 2; ++i) {
        const ct_import_record_file *const file = &record->files.items[i / 2];
        const char *const key = after(file->key, texture_prefixes[i % 2]);
        const ct_sjson_value source = ct_sjson_find(record->doc, file->wrote, "source");
        if (key)
            add(&known, &by_key, key, ct_sjson_string(record->doc, source, NULL));
    }
    return known;
}

static bool has_path(const ct_import_image *image, const char *path) {
    return image->path && strcmp(image->path, path) == 0;
}

// The known image of this key; CT_IMPORT_NONE: there is none.
static uint32_t known_named(const ct_import_known_images *known, const char *key) {
    for (uint32_t i = 0; i < known->count; ++i)
        if (strcmp(known->items[i].key, key) == 0)
            return i;
    return CT_IMPORT_NONE;
}

// Which image of the model is which of those known, both ways; CT_IMPORT_NONE: none.
typedef struct matching {
    uint32_t *known_of, *image_of;
} matching;

static void match(matching *m, uint32_t image, uint32_t known) {
    if (m->known_of[image] == CT_IMPORT_NONE && m->image_of[known] == CT_IMPORT_NONE) {
        m->known_of[image] = known;
        m->image_of[known] = image;
    }
}

// By path; of several at one path those first that are called as before.
static void match_paths(matching *m, const ct_import_known_images *known,
                        const ct_import_model *model) {
    for (uint32_t i = 0; i < model->num_images; ++i) {
        const uint32_t same = known_named(known, model->images[i].key);
        if (same != CT_IMPORT_NONE && has_path(&model->images[i], known->items[same].path))
            match(m, i, same);
    }
    for (uint32_t i = 0; i < model->num_images; ++i)
        for (uint32_t k = 0; k < known->count; ++k)
            if (has_path(&model->images[i], known->items[k].path))
                match(m, i, k);
}

// A key like `key` that none of those known has.
static const char *free_key(ct_allocator *a, const ct_import_known_images *known, const char *key) {
    const size_t bytes = strlen(key) + 16;
    char *const numbered = ct_alloc(a, bytes);
    uint32_t number = 2;
    do
        snprintf(numbered, bytes, "%s#%u", key, number++);
    while (known_named(known, numbered) != CT_IMPORT_NONE);
    return numbered;
}

static uint32_t *none_of(ct_allocator *a, uint32_t count) {
    uint32_t *const items = CT_NEW_ARRAY(a, uint32_t, count + 1);
    memset(items, 0xff, ((uint64_t)count + 1) * sizeof(*items));
    return items;
}

void ct_import_images_match(ct_allocator *a, const ct_import_known_images *known,
                            ct_import_model *model) {
    matching m = {none_of(a, model->num_images), none_of(a, known->count)};
    match_paths(&m, known, model);
    for (uint32_t i = 0; i < model->num_images; ++i) {
        ct_import_image *const image = &model->images[i];
        const uint32_t same = known_named(known, image->key);
        if (m.known_of[i] != CT_IMPORT_NONE)
            image->key = known->items[m.known_of[i]].key;
        else if (same != CT_IMPORT_NONE && m.image_of[same] != CT_IMPORT_NONE)
            image->key = free_key(a, known, image->key);
    }
}
