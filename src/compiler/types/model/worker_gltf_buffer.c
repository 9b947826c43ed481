#include "compiler/types/model/worker_gltf_buffer.h"

#include <string.h>
#include <strings.h>

#include <meshoptimizer.h>

// Of what is decompressed, so that a small file cannot ask for all memory.
static const uint64_t max_decoded = 1u << 30;
static const uint64_t most_bytes = UINT32_MAX;

// --- Data URIs -----------------------------------------------------------------------------------

bool ct_gltf_is_data_uri(const char *uri) {
    return strncasecmp(uri, "data:", 5) == 0;
}

// The six bits of a character of base64 (RFC 4648, in either alphabet); -1 for another.
static int base64_bits(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

bool ct_gltf_data_uri(const ct_gltf_file *g, const char *uri, ct_gltf_bytes *bytes) {
    const char *const comma = strchr(uri, ',');
    static const char mark[] = ";base64";
    const uint64_t mark_bytes = strlen(mark);
    if (!comma || (uint64_t)(comma - uri) < mark_bytes ||
        strncasecmp(comma - mark_bytes, mark, mark_bytes) != 0)
        return false;
    const char *const text = comma + 1;
    char *const out = ct_alloc(g->c->allocator, strlen(text) / 4 * 3 + 4);
    uint64_t count = 0;
    uint32_t pending = 0, num_bits = 0;
    const char *p = text;
    for (; *p && *p != '='; ++p) {
        const int bits = base64_bits(*p);
        if (bits < 0)
            return false;
        pending = (pending << 6 | (uint32_t)bits) & 0xffff;
        num_bits += 6;
        if (num_bits >= 8) {
            num_bits -= 8;
            out[count++] = (char)(pending >> num_bits);
        }
    }
    *bytes = (ct_gltf_bytes){.bytes = out, .size_bytes = count};
    return strspn(p, "=") == strlen(p);
}

// --- Buffers -------------------------------------------------------------------------------------

static bool read_file(ct_gltf_file *g, const char *uri, ct_gltf_bytes *bytes) {
    const ct_worker_model_file *const file =
        ct_worker_model_file_beside(g->files, g->scene->path, uri);
    if (!file)
        return false;
    *bytes = (ct_gltf_bytes){.bytes = file->bytes, .size_bytes = file->size_bytes};
    return true;
}

// The bytes of a buffer, as many as it says it has.
static bool read_buffer(ct_gltf_file *g, uint32_t index, ct_gltf_bytes *bytes) {
    *bytes = g->buffers[index];
    if (bytes->bytes)
        return true;
    const ct_sjson_value buffer = ct_gltf_item(g, CT_GLTF_LIST_BUFFERS, index);
    const char *uri = NULL;
    uint64_t size_bytes = 0;
    if (!ct_gltf_string(g, buffer, "uri", &uri) ||
        !ct_gltf_whole(g, buffer, "byteLength", most_bytes, &size_bytes))
        return false;
    if (uri && ct_gltf_is_data_uri(uri)) {
        if (!ct_gltf_data_uri(g, uri, bytes))
            return ct_gltf_error(g, ct_sjson_find(g->doc, buffer, "uri"),
                                 "the data of buffer %u is damaged; expected base64", index);
    } else if (uri) {
        if (!read_file(g, uri, bytes))
            return false;
    } else if (index == 0 && g->is_binary && g->chunk.bytes) {
        *bytes = g->chunk;
    } else {
        return ct_gltf_error(g, buffer, "buffer %u has no data; expected a uri%s", index,
                             index == 0 ? ", or in a .glb a BIN chunk" : "");
    }
    if (bytes->size_bytes < size_bytes)
        return ct_gltf_error(g, buffer, "buffer %u has %llu bytes; expected %llu", index,
                             (unsigned long long)bytes->size_bytes, (unsigned long long)size_bytes);
    bytes->size_bytes = size_bytes;
    g->buffers[index] = *bytes;
    return true;
}

// The part of a buffer that `object` (a view, or its compressed form) names.
static bool read_slice(ct_gltf_file *g, ct_sjson_value object, uint32_t view,
                       ct_gltf_bytes *bytes) {
    uint32_t buffer = 0;
    uint64_t offset = 0, length = 0;
    if (!ct_gltf_index(g, object, "buffer", CT_GLTF_LIST_BUFFERS, &buffer) ||
        !ct_gltf_whole(g, object, "byteOffset", most_bytes, &offset) ||
        !ct_gltf_whole(g, object, "byteLength", most_bytes, &length))
        return false;
    if (buffer == CT_GLTF_NONE)
        return ct_gltf_error(g, object, "buffer view %u has no buffer", view);
    ct_gltf_bytes whole;
    if (!read_buffer(g, buffer, &whole))
        return false;
    if (offset > whole.size_bytes || length > whole.size_bytes - offset)
        return ct_gltf_error(
            g, object, "buffer view %u ends at byte %llu of buffer %u, which has %llu", view,
            (unsigned long long)(offset + length), buffer, (unsigned long long)whole.size_bytes);
    *bytes = (ct_gltf_bytes){.bytes = whole.bytes + offset, .size_bytes = length};
    return true;
}

// --- Compressed views ----------------------------------------------------------------------------

static bool decompress(const char *mode, void *out, uint64_t count, uint64_t stride,
                       const ct_gltf_bytes *from) {
    const unsigned char *const bytes = (const unsigned char *)from->bytes;
    if (strcmp(mode, "ATTRIBUTES") == 0)
        return stride % 4 == 0 && stride <= 256 &&
               meshopt_decodeVertexBuffer(out, count, stride, bytes, from->size_bytes) == 0;
    if (stride != 2 && stride != 4)
        return false;
    if (strcmp(mode, "TRIANGLES") == 0)
        return count % 3 == 0 &&
               meshopt_decodeIndexBuffer(out, count, stride, bytes, from->size_bytes) == 0;
    return strcmp(mode, "INDICES") == 0 &&
           meshopt_decodeIndexSequence(out, count, stride, bytes, from->size_bytes) == 0;
}

static bool apply_filter(const char *filter, void *out, uint64_t count, uint64_t stride) {
    if (strcmp(filter, "NONE") == 0)
        return true;
    if (strcmp(filter, "OCTAHEDRAL") == 0 && (stride == 4 || stride == 8))
        meshopt_decodeFilterOct(out, count, stride);
    else if (strcmp(filter, "QUATERNION") == 0 && stride == 8)
        meshopt_decodeFilterQuat(out, count, stride);
    else if (strcmp(filter, "EXPONENTIAL") == 0 && stride % 4 == 0)
        meshopt_decodeFilterExp(out, count, stride);
    else
        return false;
    return true;
}

// The view that an extension of it holds compressed.
static bool read_compressed(ct_gltf_file *g, ct_sjson_value extension, uint32_t view,
                            ct_gltf_bytes *bytes) {
    uint64_t count = 0, stride = 0;
    const char *mode = "", *filter = "NONE";
    ct_gltf_bytes from;
    if (!ct_gltf_whole(g, extension, "count", most_bytes, &count) ||
        !ct_gltf_whole(g, extension, "byteStride", 256, &stride) ||
        !ct_gltf_string(g, extension, "mode", &mode) ||
        !ct_gltf_string(g, extension, "filter", &filter) || !read_slice(g, extension, view, &from))
        return false;
    g->num_decoded += count * stride;
    if (g->num_decoded > max_decoded)
        return ct_gltf_error(g, extension, "its compressed data is larger than %llu bytes",
                             (unsigned long long)max_decoded);
    void *const out = ct_alloc(g->c->allocator, count * stride + 1);
    if (!decompress(mode, out, count, stride, &from) || !apply_filter(filter, out, count, stride))
        return ct_gltf_error(g, extension, "the compressed data of buffer view %u is damaged",
                             view);
    *bytes = (ct_gltf_bytes){.bytes = out, .size_bytes = count * stride};
    return true;
}

// --- Views ---------------------------------------------------------------------------------------

bool ct_gltf_view(ct_gltf_file *g, uint32_t view, ct_gltf_bytes *bytes) {
    *bytes = g->views[view];
    if (bytes->bytes)
        return true;
    const ct_sjson_value value = ct_gltf_item(g, CT_GLTF_LIST_BUFFER_VIEWS, view);
    const ct_sjson_value compressed = ct_gltf_extension(g, value, "EXT_meshopt_compression");
    const bool is_read = compressed.entry ? read_compressed(g, compressed, view, bytes)
                                          : read_slice(g, value, view, bytes);
    if (is_read)
        g->views[view] = *bytes;
    return is_read;
}

bool ct_gltf_view_stride(const ct_gltf_file *g, uint32_t view, uint64_t *stride) {
    *stride = 0;
    return ct_gltf_whole(g, ct_gltf_item(g, CT_GLTF_LIST_BUFFER_VIEWS, view), "byteStride", 252,
                         stride);
}
