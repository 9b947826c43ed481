#include "compiler/types/model/worker_gltf_accessor.h"

#include <string.h>

#include "compiler/types/model/worker_gltf_buffer.h"
#include "foundation/error.h"

enum {
    COMPONENT_BYTE = 5120,
    COMPONENT_UNSIGNED_BYTE,
    COMPONENT_SHORT,
    COMPONENT_UNSIGNED_SHORT,
    COMPONENT_UNSIGNED_INT = 5125,
    COMPONENT_FLOAT,
    MAX_ELEMENTS = 3 << 24, // as many as a mesh has corners
};
static const uint64_t max_numbers = 1u << 28; // of all accessors of a file

// Where elements lie: `count` of them, the first at `first`.
typedef struct elements {
    const char *first; // NULL: all are zero
    uint64_t stride;
    uint32_t count, num_components, component_type;
    bool is_normalized;
} elements;

static uint32_t component_bytes(uint64_t type) {
    switch (type) {
    case COMPONENT_BYTE:
    case COMPONENT_UNSIGNED_BYTE:
        return 1;
    case COMPONENT_SHORT:
    case COMPONENT_UNSIGNED_SHORT:
        return 2;
    case COMPONENT_UNSIGNED_INT:
    case COMPONENT_FLOAT:
        return 4;
    default:
        return 0;
    }
}

static uint32_t components_of(const char *type) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i) {
        if (strcmp(type, types[i]) == 0)
            return i + 1;
    }
    return strcmp(type, "MAT4") == 0 ? 16 : 0;
}

// --- Layout --------------------------------------------------------------------------------------

// Sets `first` to where `count` elements lie in the view that `object` names.
static bool find_elements(ct_gltf_file *g, ct_sjson_value object, const char *what, uint64_t count,
                          uint64_t element_bytes, uint64_t *stride, const char **first) {
    uint32_t view = 0;
    uint64_t offset = 0;
    ct_gltf_bytes bytes;
    *first = NULL;
    if (!ct_gltf_index(g, object, "bufferView", CT_GLTF_LIST_BUFFER_VIEWS, &view) ||
        !ct_gltf_whole(g, object, "byteOffset", UINT32_MAX, &offset))
        return false;
    if (view == CT_GLTF_NONE)
        return true;
    if (!ct_gltf_view(g, view, &bytes) || !ct_gltf_view_stride(g, view, stride))
        return false;
    *stride = *stride ? *stride : element_bytes;
    if (*stride < element_bytes)
        return ct_gltf_error(g, object,
                             "%s: its elements have %llu bytes, but the stride of buffer view %u "
                             "is %llu",
                             what, (unsigned long long)element_bytes, view,
                             (unsigned long long)*stride);
    const uint64_t end = count == 0 ? offset : offset + *stride * (count - 1) + element_bytes;
    if (end > bytes.size_bytes)
        return ct_gltf_error(g, object, "%s ends at byte %llu of buffer view %u, which has %llu",
                             what, (unsigned long long)end, view,
                             (unsigned long long)bytes.size_bytes);
    *first = bytes.bytes + offset;
    return true;
}

bool ct_gltf_accessor_count(const ct_gltf_file *g, uint32_t accessor, uint32_t *count) {
    uint64_t number = 0;
    if (!ct_gltf_whole(g, ct_gltf_item(g, CT_GLTF_LIST_ACCESSORS, accessor), "count", MAX_ELEMENTS,
                       &number))
        return false;
    *count = (uint32_t)number;
    return true;
}

static bool open_accessor(ct_gltf_file *g, uint32_t accessor, elements *e) {
    const ct_sjson_value value = ct_gltf_item(g, CT_GLTF_LIST_ACCESSORS, accessor);
    const char *const what = ct_compile_text(g->c, "accessor %u", accessor), *type = "";
    uint64_t component_type = 0;
    *e = (elements){0};
    if (!ct_gltf_accessor_count(g, accessor, &e->count) ||
        !ct_gltf_whole(g, value, "componentType", UINT32_MAX, &component_type) ||
        !ct_gltf_string(g, value, "type", &type) ||
        !ct_gltf_bool(g, value, "normalized", &e->is_normalized))
        return false;
    e->component_type = (uint32_t)component_type;
    e->num_components = components_of(type);
    const uint32_t bytes = component_bytes(component_type);
    if (bytes == 0 || e->num_components == 0)
        return ct_gltf_error(
            g, value,
            "%s has type \"%s\" of component type %u; expected SCALAR, VEC2, VEC3, "
            "VEC4 or MAT4 of 5120 to 5123, 5125 or 5126",
            what, type, e->component_type);
    if (e->is_normalized && bytes == 4) {
        ct_gltf_warn(g,
                     "%s is normalized, but its components are not 8-bit or 16-bit integers; it is "
                     "read without normalizing",
                     what);
        e->is_normalized = false;
    }
    return find_elements(g, value, what, e->count, (uint64_t)bytes * e->num_components, &e->stride,
                         &e->first);
}

// --- Components ----------------------------------------------------------------------------------

static float signed_unit(float value, float most) {
    return value < -most ? -1.0f : value / most;
}

static uint32_t load_unsigned(const char *at, uint32_t bytes) {
    const uint8_t *const p = (const uint8_t *)at;
    uint32_t value = 0;
    for (uint32_t i = bytes; i-- > 0;)
        value = value << 8 | p[i];
    return value;
}

static float load_float(const char *at, uint32_t type, bool is_normalized) {
    const uint32_t bits = load_unsigned(at, component_bytes(type));
    float value;
    switch (type) {
    case COMPONENT_BYTE:
        value = (float)(int8_t)bits;
        return is_normalized ? signed_unit(value, 127) : value;
    case COMPONENT_UNSIGNED_BYTE:
        return is_normalized ? (float)bits / 255 : (float)bits;
    case COMPONENT_SHORT:
        value = (float)(int16_t)bits;
        return is_normalized ? signed_unit(value, 32767) : value;
    case COMPONENT_UNSIGNED_SHORT:
        return is_normalized ? (float)bits / 65535 : (float)bits;
    case COMPONENT_UNSIGNED_INT:
        return (float)bits;
    default:
        memcpy(&value, &bits, sizeof(value));
        return value;
    }
}

static void load_element(const elements *e, const char *at, float *out) {
    const uint32_t bytes = component_bytes(e->component_type);
    for (uint32_t i = 0; i < e->num_components; ++i)
        out[i] = load_float(at + (uint64_t)i * bytes, e->component_type, e->is_normalized);
}

// --- Sparse elements -----------------------------------------------------------------------------

// Where the elements of a sparse accessor lie that differ, and which they are.
typedef struct sparse {
    const char *indices, *values;
    uint64_t index_stride, value_stride;
    uint32_t count, index_bytes;
} sparse;

// `s->count` is 0 for an accessor that is not sparse.
static bool open_sparse(ct_gltf_file *g, uint32_t accessor, const elements *e, sparse *s) {
    ct_sjson_value value, indices, values;
    uint64_t count = 0, type = 0;
    *s = (sparse){0};
    if (!ct_gltf_object(g, ct_gltf_item(g, CT_GLTF_LIST_ACCESSORS, accessor), "sparse", &value))
        return false;
    if (!value.entry)
        return true;
    const char *const what = ct_compile_text(g->c, "the sparse part of accessor %u", accessor);
    if (!ct_gltf_whole(g, value, "count", e->count, &count) ||
        !ct_gltf_object(g, value, "indices", &indices) ||
        !ct_gltf_object(g, value, "values", &values) ||
        !ct_gltf_whole(g, indices, "componentType", UINT32_MAX, &type))
        return false;
    s->count = (uint32_t)count;
    s->index_bytes = component_bytes(type);
    if (type != COMPONENT_UNSIGNED_BYTE && type != COMPONENT_UNSIGNED_SHORT &&
        type != COMPONENT_UNSIGNED_INT)
        return ct_gltf_error(g, value,
                             "%s has indices of component type %llu; expected 5121, 5123 "
                             "or 5125",
                             what, (unsigned long long)type);
    const uint64_t element_bytes = (uint64_t)component_bytes(e->component_type) * e->num_components;
    if (!find_elements(g, indices, what, count, s->index_bytes, &s->index_stride, &s->indices) ||
        !find_elements(g, values, what, count, element_bytes, &s->value_stride, &s->values))
        return false;
    return (s->indices && s->values) || count == 0 ||
           ct_gltf_error(g, value, "%s has no buffer views for its indices and values", what);
}

static bool read_sparse(ct_gltf_file *g, uint32_t accessor, const elements *e, float *out) {
    sparse s;
    if (!open_sparse(g, accessor, e, &s))
        return false;
    for (uint32_t i = 0; i < s.count; ++i) {
        const uint32_t index = load_unsigned(s.indices + i * s.index_stride, s.index_bytes);
        if (index >= e->count)
            return ct_gltf_error(
                g, ct_gltf_item(g, CT_GLTF_LIST_ACCESSORS, accessor),
                "the sparse part of accessor %u replaces element %u, but the accessor has only %u",
                accessor, index, e->count);
        load_element(e, s.values + i * s.value_stride, out + (uint64_t)index * e->num_components);
    }
    return true;
}

// --- Reading -------------------------------------------------------------------------------------

// Makes room for what an accessor holds: a small file may name the same bytes in many accessors.
static bool make_room(ct_gltf_file *g, uint32_t accessor, uint64_t count) {
    g->num_numbers += count;
    return g->num_numbers <= max_numbers ||
           ct_gltf_error(g, ct_gltf_item(g, CT_GLTF_LIST_ACCESSORS, accessor),
                         "its accessors have too many elements; expected at most %llu numbers",
                         (unsigned long long)max_numbers);
}

bool ct_gltf_read_floats(ct_gltf_file *g, uint32_t accessor, ct_gltf_floats *floats) {
    *floats = g->floats[accessor];
    if (floats->values)
        return true;
    elements e;
    if (!open_accessor(g, accessor, &e))
        return false;
    const uint64_t count = (uint64_t)e.count * e.num_components;
    if (!make_room(g, accessor, count))
        return false;
    float *const values = CT_NEW_ARRAY(g->c->allocator, float, count + 1);
    for (uint32_t i = 0; e.first && i < e.count; ++i)
        load_element(&e, e.first + i * e.stride, values + (uint64_t)i * e.num_components);
    if (!read_sparse(g, accessor, &e, values))
        return false;
    *floats = (ct_gltf_floats){.values = values, .num_components = e.num_components};
    g->floats[accessor] = *floats;
    return true;
}

bool ct_gltf_read_indices(ct_gltf_file *g, uint32_t accessor, const uint32_t **indices,
                          uint32_t *count) {
    elements e;
    if (!open_accessor(g, accessor, &e))
        return false;
    const ct_sjson_value value = ct_gltf_item(g, CT_GLTF_LIST_ACCESSORS, accessor);
    if (e.num_components != 1 || e.is_normalized ||
        (e.component_type != COMPONENT_UNSIGNED_BYTE &&
         e.component_type != COMPONENT_UNSIGNED_SHORT &&
         e.component_type != COMPONENT_UNSIGNED_INT))
        return ct_gltf_error(g, value,
                             "accessor %u holds indices; expected SCALAR of component type 5121, "
                             "5123 or 5125, not normalized",
                             accessor);
    sparse s;
    if (!open_sparse(g, accessor, &e, &s) || !make_room(g, accessor, e.count))
        return false;
    const uint32_t bytes = component_bytes(e.component_type);
    uint32_t *const out = CT_NEW_ARRAY(g->c->allocator, uint32_t, (uint64_t)e.count + 1);
    for (uint32_t i = 0; e.first && i < e.count; ++i)
        out[i] = load_unsigned(e.first + i * e.stride, bytes);
    for (uint32_t i = 0; i < s.count; ++i) {
        const uint32_t index = load_unsigned(s.indices + i * s.index_stride, s.index_bytes);
        if (index >= e.count)
            return ct_gltf_error(
                g, value,
                "the sparse part of accessor %u replaces element %u, but the accessor has only %u",
                accessor, index, e.count);
        out[index] = load_unsigned(s.values + i * s.value_stride, bytes);
    }
    *indices = out;
    *count = e.count;
    return true;
}
