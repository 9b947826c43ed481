// Compiles textures: decodes images, makes their mips and writes them in the format that the
// category asks for.
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/texture/worker_texture_blocks.h"
#include "compiler/types/texture/worker_texture_levels.h"
#include "compiler/types/texture/worker_texture_source.h"
#include "foundation/memory/allocator.h"
#include "resource/blob/content_hash.h"

// The texture as it comes out.
typedef struct chain {
    uint32_t format, quality;
    uint32_t width, height, num_mips;
    uint32_t num_halved; // how often the images are halved first
    ct_worker_texels texels;
    uint32_t num_streamed;                   // mips from full size on
    uint32_t pixels_at[CT_TEXTURE_MAX_MIPS]; // offsets in the blob, or in the stream
    ct_texture_resource blob;
} chain;

static uint32_t mip_width(const chain *t, uint32_t mip) {
    return t->width >> mip ? t->width >> mip : 1;
}

static uint32_t mip_height(const chain *t, uint32_t mip) {
    return t->height >> mip ? t->height >> mip : 1;
}

static uint64_t layer_bytes(const chain *t, uint32_t mip) {
    return ct_texture_layer_bytes(t->format, mip_width(t, mip), mip_height(t, mip));
}

static bool has_alpha(const ct_worker_texture_source *s, const ct_worker_image *images) {
    for (uint32_t i = 0; i < s->num_layers; ++i) {
        const uint64_t bytes = (uint64_t)images[i].width * images[i].height * 4;
        for (uint64_t k = 3; k < bytes; k += 4) {
            if (images[i].pixels[k] != 255)
                return true;
        }
    }
    return false;
}

static uint32_t format_of(const ct_worker_texture_source *s, const ct_worker_image *images) {
    const bool is_compressed = s->quality != CT_TEXTURE_QUALITY_UNCOMPRESSED;
    const uint32_t pixels = s->is_srgb ? CT_TEXTURE_FORMAT_RGBA8_SRGB : CT_TEXTURE_FORMAT_RGBA8;
    switch (s->fields.category) {
    case CT_TEXTURE_CATEGORY_NORMAL:
        return is_compressed ? CT_TEXTURE_FORMAT_BC5 : CT_TEXTURE_FORMAT_RG8;
    case CT_TEXTURE_CATEGORY_MASK:
        return is_compressed ? CT_TEXTURE_FORMAT_BC4 : CT_TEXTURE_FORMAT_R8;
    case CT_TEXTURE_CATEGORY_GUI:
        return pixels;
    default:
        if (!is_compressed)
            return pixels;
        if (has_alpha(s, images))
            return s->is_srgb ? CT_TEXTURE_FORMAT_BC3_SRGB : CT_TEXTURE_FORMAT_BC3;
        return s->is_srgb ? CT_TEXTURE_FORMAT_BC1_SRGB : CT_TEXTURE_FORMAT_BC1;
    }
}

// A texture comes online with mips up to this size; the others go to the stream when they are
// so many bytes.
enum { RESIDENT_SIZE = 64, LEAST_STREAM_BYTES = 65536 };

static uint32_t num_streamed(const ct_worker_texture_source *s, const chain *t) {
    uint32_t count = 0;
    uint64_t bytes = 0;
    while (count + 1 < t->num_mips &&
           (mip_width(t, count) > RESIDENT_SIZE || mip_height(t, count) > RESIDENT_SIZE))
        bytes += layer_bytes(t, count++) * s->num_layers;
    return bytes >= LEAST_STREAM_BYTES ? count : 0;
}

static void lay_out(const ct_worker_texture_source *s, const ct_worker_image *images, chain *t) {
    *t = (chain){.format = format_of(s, images),
                 .quality = s->quality,
                 .width = images[0].width,
                 .height = images[0].height};
    while (t->width > s->max_size || t->height > s->max_size) {
        t->width = ct_texture_half_size(t->width);
        t->height = ct_texture_half_size(t->height);
        ++t->num_halved;
    }
    t->num_mips = s->has_mips ? ct_texture_full_chain(t->width, t->height) : 1;
    t->num_streamed = num_streamed(s, t);
    ct_worker_texels_init(&t->texels, s->is_srgb, s->fields.category == CT_TEXTURE_CATEGORY_NORMAL,
                          s->fields.premultiply_alpha);
}

// Makes room for the pixels of a mip in blob or stream; returns where.
static uint32_t reserve(ct_compile *c, const chain *t, uint32_t mip, uint64_t bytes) {
    ct_blob_writer *const w = mip < t->num_streamed ? &c->stream : &c->blob;
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    const uint32_t at = ct_blob_write_zeroes(w, bytes);
    ct_blob_writer_align(w, CT_BLOB_ALIGN);
    return at;
}

// Makes room for everything, and writes all but the pixels and what the blob says of the stream.
static void write_fields(ct_compile *c, const ct_worker_texture_source *s, chain *t) {
    ct_blob_writer *const w = &c->blob;
    ct_texture_mip mips[CT_TEXTURE_MAX_MIPS];
    t->blob = (ct_texture_resource){.format = t->format,
                                    .filter = s->fields.filter,
                                    .wrap = s->fields.wrap,
                                    .kind = s->kind,
                                    .width = t->width,
                                    .height = t->height,
                                    .num_layers = s->num_layers,
                                    .num_streamed = t->num_streamed};
    ct_blob_begin(w, &ct_texture_layout);
    t->blob.mips = ct_blob_reserve_items(w, &ct_texture_mip_layout, t->num_mips);
    for (uint32_t i = t->num_mips; i-- > 0;) {
        const uint64_t bytes = layer_bytes(t, i) * s->num_layers;
        t->pixels_at[i] = reserve(c, t, i, bytes);
        // The stream is as if it followed the blob, which ends here when the first of it comes.
        const uint32_t before = i < t->num_streamed ? ct_blob_writer_offset(w) : 0;
        mips[i] = (ct_texture_mip){.width = mip_width(t, i),
                                   .height = mip_height(t, i),
                                   .pixels = {before + t->pixels_at[i], (uint32_t)bytes}};
    }
    ct_blob_fill_items(w, &ct_texture_mip_layout, t->blob.mips, mips);
}

static void halve(ct_allocator *a, const ct_worker_texels *texels, ct_worker_level *l) {
    const ct_worker_level next = ct_worker_level_half(a, l, texels);
    ct_free(a, l->floats);
    *l = next;
}

static uint8_t *pixels_of(ct_compile *c, const chain *t, uint32_t mip) {
    return (mip < t->num_streamed ? c->stream : c->blob).bytes.items + t->pixels_at[mip];
}

static void write_layer(ct_compile *c, const chain *t, const ct_worker_image *image,
                        uint32_t layer) {
    ct_worker_level l = {.width = image->width, .height = image->height, .bytes = image->pixels};
    for (uint32_t i = 0; i < t->num_halved; ++i)
        halve(c->allocator, &t->texels, &l);
    for (uint32_t i = 0; i < t->num_mips; ++i) {
        if (i > 0)
            halve(c->allocator, &t->texels, &l);
        ct_worker_texture_encode(c->allocator, &l, &t->texels, t->format, t->quality,
                                 pixels_of(c, t, i) + layer_bytes(t, i) * layer);
    }
    ct_free(c->allocator, l.floats);
}

// All mips and layers must fit into an answer, which images alone may do and their sum not.
static bool check_bytes(ct_compile *c, const ct_worker_texture_source *s, const chain *t) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < t->num_mips; ++i)
        bytes +=
            (layer_bytes(t, i) * s->num_layers + CT_BLOB_ALIGN - 1) / CT_BLOB_ALIGN * CT_BLOB_ALIGN;
    return bytes <= CT_WORKER_IMAGE_MAX_BYTES ||
           ct_compile_error(c, c->doc, s->at[0],
                            "%u images of %u x %u pixels take %llu bytes%s; the limit is %d",
                            s->num_layers, t->width, t->height, (unsigned long long)bytes,
                            s->has_mips ? " with mips" : "", CT_WORKER_IMAGE_MAX_BYTES);
}

// The stream is known now.
static void end_blob(ct_compile *c, ct_texture_resource *blob) {
    const ct_byte_array *const stream = &c->stream.bytes;
    blob->stream.bytes = stream->count;
    if (stream->count > 0)
        blob->stream.hash = ct_content_hash(stream->items, stream->count);
    ct_blob_end(&c->blob, &ct_texture_layout, blob);
}

bool ct_compile_texture(ct_compile *c) {
    ct_worker_texture_source source;
    ct_worker_image images[CT_TEXTURE_MAX_LAYERS];
    chain t;
    if (!ct_worker_texture_source_read(c, &source) ||
        !ct_worker_texture_source_load(c, &source, images))
        return false;
    lay_out(&source, images, &t);
    if (!check_bytes(c, &source, &t))
        return false;
    write_fields(c, &source, &t);
    for (uint32_t i = 0; i < source.num_layers; ++i) {
        write_layer(c, &t, &images[i], i);
        ct_free(c->allocator, images[i].pixels);
    }
    end_blob(c, &t.blob);
    return true;
}
