#include "sound/media/sound_media.h"

#include <string.h>

#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"
#include "sound/media/sound_vorbis.h"

// What the Vorbis of a blob was decoded to.
typedef struct decoded {
    const ct_sound_resource *resource;
    int16_t *samples;
} decoded;

struct ct_sound_media_table {
    ct_allocator *allocator;
    ct_resource_manager *resources; // NULL: sounds come by ct_sound_media_set
    ct_sound_media_changed *changed;
    void *user;
    ct_hash_map media;         // name to ct_sound_media *
    ct_mutex mutex;            // guards `decoded`
    CT_ARRAY(decoded) decoded; // of blobs that are loaded, online or not
};

// --- Samples -------------------------------------------------------------------------------------

static bool is_vorbis(const ct_sound_resource *r) {
    return r->codec == CT_SOUND_CODEC_VORBIS;
}

// Fills `samples`, which are zero, from the blob. Returns how many frames could be decoded, all or
// with `error`.
static uint32_t decode(ct_allocator *a, const ct_sound_resource *r, int16_t *samples,
                       ct_error *error) {
    const ct_sound_chunk *const chunks = ct_blob_at(r, r->chunks.offset);
    const uint8_t *const data = ct_blob_at(r, r->data.offset);
    ct_sound_vorbis *const v = ct_sound_vorbis_create(a, r, error);
    uint32_t num_done = 0;
    for (uint32_t i = 0; v && i < r->chunks.count; ++i) {
        const ct_sound_chunk c = chunks[i];
        int16_t *const frames = samples + (uint64_t)num_done * r->num_channels;
        if (!ct_sound_vorbis_decode(v, data + c.offset, c.bytes, c.num_frames, frames, error)) {
            memset(frames, 0, (uint64_t)c.num_frames * r->num_channels * sizeof(int16_t));
            break;
        }
        num_done += c.num_frames;
    }
    ct_sound_vorbis_destroy(v);
    return num_done;
}

// Decodes what cannot be played as it is in the blob. Any thread.
static void prepare(ct_sound_media_table *t, ct_string_id64 name, const ct_sound_resource *r) {
    if (ct_sound_resource_is_streamed(r) || !is_vorbis(r))
        return;
    const uint64_t num_samples = (uint64_t)r->num_frames * r->num_channels;
    const decoded d = {r, CT_NEW_ARRAY(t->allocator, int16_t, num_samples)};
    ct_error error = {0};
    const uint32_t num_done = decode(t->allocator, r, d.samples, &error);
    if (num_done < r->num_frames)
        ct_log_error("sound", "sound_not_decoded", "sound \"%s\" is silent from frame %u on: %s",
                     ct_string_id64_name(name), num_done, error.message);
    ct_mutex_lock(&t->mutex);
    ct_array_push(&t->decoded, d);
    ct_mutex_unlock(&t->mutex);
}

// Frees what was decoded of a blob. Any thread.
static void forget(ct_sound_media_table *t, const ct_sound_resource *r) {
    ct_mutex_lock(&t->mutex);
    for (uint32_t i = 0; i < t->decoded.count; ++i) {
        if (t->decoded.items[i].resource == r) {
            ct_free(t->allocator, t->decoded.items[i].samples);
            ct_array_swap_erase(&t->decoded, i);
            break;
        }
    }
    ct_mutex_unlock(&t->mutex);
}

static const int16_t *find_samples(ct_sound_media_table *t, const ct_sound_resource *r) {
    const int16_t *samples = NULL;
    if (ct_sound_resource_is_streamed(r))
        return NULL;
    if (!is_vorbis(r))
        return ct_blob_at(r, r->data.offset);
    ct_mutex_lock(&t->mutex);
    for (uint32_t i = 0; i < t->decoded.count; ++i) {
        if (t->decoded.items[i].resource == r)
            samples = t->decoded.items[i].samples;
    }
    ct_mutex_unlock(&t->mutex);
    CT_ASSERT(samples, "a sound comes online before it is decoded");
    return samples;
}

// --- The table -----------------------------------------------------------------------------------

static ct_sound_media *make_media(ct_sound_media_table *t, ct_string_id64 name,
                                  const ct_sound_resource *r,
                                  const ct_resource_stream_reader *reader) {
    ct_sound_media *const m = CT_NEW(t->allocator, ct_sound_media);
    *m = (ct_sound_media){.name = name,
                          .resource = r,
                          .samples = find_samples(t, r),
                          .reader = *reader,
                          .num_frames = r->num_frames,
                          .rate = r->rate,
                          .num_channels = r->num_channels,
                          .gain = r->gain};
    if (r->flags & CT_SOUND_LOOPS) {
        m->loop_begin = r->loop_begin;
        m->loop_end = r->loop_end;
    }
    return m;
}

// Puts `m` (NULL: nothing) in the place of the sound of this name, and lets everyone know.
static void replace(ct_sound_media_table *t, ct_string_id64 name, ct_sound_media *m) {
    ct_sound_media *const old =
        (ct_sound_media *)(uintptr_t)ct_hash_map_get(&t->media, name.value, 0);
    if (m)
        ct_hash_map_set(&t->media, name.value, (uintptr_t)m);
    else
        ct_hash_map_erase(&t->media, name.value);
    if (old && t->changed)
        t->changed(t->user, old, m);
    ct_free(t->allocator, old);
}

const ct_sound_media *ct_sound_media_get(const ct_sound_media_table *t, ct_string_id64 name) {
    return (const ct_sound_media *)(uintptr_t)ct_hash_map_get(&t->media, name.value, 0);
}

void ct_sound_media_set(ct_sound_media_table *t, ct_string_id64 name,
                        const ct_sound_resource *resource) {
    const ct_sound_media *const old = ct_sound_media_get(t, name);
    const ct_sound_resource *const old_resource = old ? old->resource : NULL;
    ct_sound_media *m = NULL;
    CT_ASSERT(!old || old_resource != resource, "a sound must not replace itself");
    if (resource) {
        const ct_resource_stream_reader reader = {
            .memory = ct_blob_at(resource, (uint32_t)resource->header.size_bytes),
            .bytes = resource->stream.bytes};
        prepare(t, name, resource);
        m = make_media(t, name, resource, &reader);
    }
    replace(t, name, m);
    if (old_resource)
        forget(t, old_resource);
}

// --- Resources -----------------------------------------------------------------------------------

static void load(void *user, ct_string_id64 name, const void *blob) {
    prepare(user, name, blob);
}

static void unload(void *user, ct_string_id64 name, const void *blob) {
    (void)name;
    forget(user, blob);
}

static void online(void *user, ct_string_id64 name, const void *blob) {
    ct_sound_media_table *const t = user;
    const ct_resource_stream_reader reader =
        ct_resource_manager_stream_reader(t->resources, "sound", name);
    replace(t, name, make_media(t, name, blob, &reader));
}

static void offline(void *user, ct_string_id64 name, const void *blob) {
    (void)blob;
    replace(user, name, NULL);
}

static void reload(void *user, ct_string_id64 name, const void *old_blob, const void *new_blob) {
    (void)old_blob;
    online(user, name, new_blob);
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_sound_media_table *ct_sound_media_create(ct_allocator *a, ct_resource_manager *resources,
                                            ct_sound_media_changed *changed, void *user) {
    ct_sound_media_table *const t = CT_NEW(a, ct_sound_media_table);
    t->allocator = a;
    t->resources = resources;
    t->changed = changed;
    t->user = user;
    ct_hash_map_init(&t->media, a);
    ct_array_init(&t->decoded, a);
    ct_mutex_init(&t->mutex);
    const ct_resource_callbacks callbacks = {.user = t,
                                             .load = load,
                                             .unload = unload,
                                             .online = online,
                                             .offline = offline,
                                             .reload = reload};
    if (resources)
        ct_resource_manager_register(resources, "sound", &callbacks);
    return t;
}

void ct_sound_media_destroy(ct_sound_media_table *t) {
    if (!t)
        return;
    if (t->resources)
        ct_resource_manager_unregister(t->resources, t);
    uint32_t cursor = 0;
    for (const ct_hash_map_entry *e; (e = ct_hash_map_next(&t->media, &cursor));)
        ct_free(t->allocator, (void *)(uintptr_t)e->value);
    for (uint32_t i = 0; i < t->decoded.count; ++i)
        ct_free(t->allocator, t->decoded.items[i].samples);
    ct_hash_map_free(&t->media);
    ct_array_free(&t->decoded);
    ct_mutex_shutdown(&t->mutex);
    ct_free(t->allocator, t);
}
