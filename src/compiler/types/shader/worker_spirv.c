#include "compiler/types/shader/worker_spirv.h"

#include <spirv_cross/spirv_cross_c.h>

#include "foundation/error.h"

typedef struct reflection {
    spvc_context context;
    spvc_compiler compiler;
    spvc_resources resources;
} reflection;

static bool open_reflection(const ct_worker_spirv *spirv, reflection *r, ct_error *error) {
    spvc_parsed_ir ir = NULL;
    if (spvc_context_create(&r->context) != SPVC_SUCCESS)
        return ct_error_set(error, "SPIRV-Cross cannot be started");
    if (spvc_context_parse_spirv(r->context, spirv->words, spirv->num_words, &ir) == SPVC_SUCCESS &&
        spvc_context_create_compiler(r->context, SPVC_BACKEND_NONE, ir,
                                     SPVC_CAPTURE_MODE_TAKE_OWNERSHIP,
                                     &r->compiler) == SPVC_SUCCESS &&
        spvc_compiler_create_shader_resources(r->compiler, &r->resources) == SPVC_SUCCESS)
        return true;
    ct_error_set(error, "the compiled shader cannot be reflected: %s",
                 spvc_context_get_last_error_string(r->context));
    spvc_context_destroy(r->context);
    return false;
}

static const spvc_reflected_resource *list_of(const reflection *r, spvc_resource_type type,
                                              size_t *count) {
    const spvc_reflected_resource *list = NULL;
    *count = 0;
    if (spvc_resources_get_resource_list_for_type(r->resources, type, &list, count) != SPVC_SUCCESS)
        *count = 0;
    return list;
}

// One 2D image.
static bool is_plain_image(spvc_type type) {
    return spvc_type_get_image_dimension(type) == SpvDim2D && !spvc_type_get_image_arrayed(type) &&
           !spvc_type_get_image_multisampled(type);
}

static ct_worker_binding_kind sampled_kind(spvc_type type) {
    const bool is_layered = spvc_type_get_image_arrayed(type);
    if (spvc_type_get_image_multisampled(type))
        return CT_WORKER_BINDING_KIND_OTHER;
    if (spvc_type_get_image_dimension(type) == SpvDimCube && !is_layered)
        return CT_WORKER_BINDING_KIND_SAMPLED_CUBE;
    if (spvc_type_get_image_dimension(type) != SpvDim2D)
        return CT_WORKER_BINDING_KIND_OTHER;
    return is_layered ? CT_WORKER_BINDING_KIND_SAMPLED_ARRAY : CT_WORKER_BINDING_KIND_SAMPLED_IMAGE;
}

static ct_worker_binding_kind kind_of(const reflection *r, spvc_resource_type resource_type,
                                      const spvc_reflected_resource *resource) {
    const spvc_type type = spvc_compiler_get_type_handle(r->compiler, resource->type_id);
    if (spvc_type_get_num_array_dimensions(type) != 0)
        return CT_WORKER_BINDING_KIND_OTHER;
    switch (resource_type) {
    case SPVC_RESOURCE_TYPE_UNIFORM_BUFFER:
        return CT_WORKER_BINDING_KIND_UNIFORM_BUFFER;
    case SPVC_RESOURCE_TYPE_STORAGE_BUFFER:
        return CT_WORKER_BINDING_KIND_STORAGE_BUFFER;
    case SPVC_RESOURCE_TYPE_SAMPLED_IMAGE:
        return sampled_kind(type);
    case SPVC_RESOURCE_TYPE_STORAGE_IMAGE:
        return is_plain_image(type) ? CT_WORKER_BINDING_KIND_STORAGE_IMAGE
                                    : CT_WORKER_BINDING_KIND_OTHER;
    default:
        return CT_WORKER_BINDING_KIND_OTHER;
    }
}

static void add_bindings(const reflection *r, ct_worker_interface *interface) {
    static const spvc_resource_type types[] = {
        SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, SPVC_RESOURCE_TYPE_SAMPLED_IMAGE,
        SPVC_RESOURCE_TYPE_STORAGE_BUFFER, SPVC_RESOURCE_TYPE_STORAGE_IMAGE,
        SPVC_RESOURCE_TYPE_SEPARATE_IMAGE, SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS,
        SPVC_RESOURCE_TYPE_SUBPASS_INPUT,  SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE,
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i) {
        size_t count;
        const spvc_reflected_resource *const list = list_of(r, types[i], &count);
        for (size_t k = 0; k < count; ++k) {
            const ct_worker_binding binding = {
                .set = spvc_compiler_get_decoration(r->compiler, list[k].id,
                                                    SpvDecorationDescriptorSet),
                .binding =
                    spvc_compiler_get_decoration(r->compiler, list[k].id, SpvDecorationBinding),
                .kind = kind_of(r, types[i], &list[k]),
            };
            ct_array_push(&interface->bindings, binding);
        }
    }
}

// How many locations a variable of this type takes.
static uint32_t location_count(spvc_type type) {
    uint32_t count = spvc_type_get_columns(type);
    for (unsigned i = 0; i < spvc_type_get_num_array_dimensions(type); ++i) {
        if (spvc_type_array_dimension_is_literal(type, i))
            count *= spvc_type_get_array_dimension(type, i);
    }
    return count;
}

static uint64_t locations(const reflection *r, spvc_resource_type type, uint64_t *integers) {
    uint64_t mask = 0;
    size_t count;
    const spvc_reflected_resource *const list = list_of(r, type, &count);
    for (size_t i = 0; i < count; ++i) {
        const spvc_type t = spvc_compiler_get_type_handle(r->compiler, list[i].type_id);
        if (spvc_type_get_basetype(t) == SPVC_BASETYPE_STRUCT)
            return UINT64_MAX;
        const uint32_t first =
            spvc_compiler_get_decoration(r->compiler, list[i].id, SpvDecorationLocation);
        const uint32_t end = first + location_count(t);
        const bool is_integer = spvc_type_get_basetype(t) != SPVC_BASETYPE_FP32;
        for (uint32_t location = first; location < end && location < 64; ++location) {
            mask |= 1ull << location;
            *integers |= is_integer ? 1ull << location : 0;
        }
    }
    return mask;
}

bool ct_worker_spirv_interface(ct_allocator *a, const ct_worker_spirv *spirv,
                               ct_worker_interface *interface, ct_error *error) {
    reflection r = {0};
    if (!open_reflection(spirv, &r, error))
        return false;
    *interface = (ct_worker_interface){0};
    ct_array_init(&interface->bindings, a);
    add_bindings(&r, interface);
    size_t num_push_constants = 0;
    list_of(&r, SPVC_RESOURCE_TYPE_PUSH_CONSTANT, &num_push_constants);
    interface->has_push_constants = num_push_constants != 0;
    uint64_t ignored = 0;
    interface->input_locations =
        locations(&r, SPVC_RESOURCE_TYPE_STAGE_INPUT, &interface->integer_locations);
    for (uint32_t i = 0; i < 3; ++i)
        interface->group_size[i] = spvc_compiler_get_execution_mode_argument_by_index(
            r.compiler, SpvExecutionModeLocalSize, i);
    interface->output_locations = locations(&r, SPVC_RESOURCE_TYPE_STAGE_OUTPUT, &ignored);
    spvc_context_destroy(r.context);
    return true;
}

static bool block_layout(const reflection *r, uint32_t count, uint32_t *offsets,
                         uint32_t *block_bytes) {
    size_t num_blocks, bytes = 0;
    const spvc_reflected_resource *const blocks =
        list_of(r, SPVC_RESOURCE_TYPE_UNIFORM_BUFFER, &num_blocks);
    if (num_blocks != 1)
        return false;
    const spvc_type type = spvc_compiler_get_type_handle(r->compiler, blocks[0].base_type_id);
    if (spvc_type_get_num_member_types(type) < count ||
        spvc_compiler_get_declared_struct_size(r->compiler, type, &bytes) != SPVC_SUCCESS)
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (spvc_compiler_type_struct_member_offset(r->compiler, type, i, &offsets[i]) !=
            SPVC_SUCCESS)
            return false;
    }
    *block_bytes = ((uint32_t)bytes + 15) / 16 * 16;
    return true;
}

bool ct_worker_spirv_block(const ct_worker_spirv *spirv, uint32_t count, uint32_t *offsets,
                           uint32_t *block_bytes, ct_error *error) {
    reflection r = {0};
    if (!open_reflection(spirv, &r, error))
        return false;
    const bool is_found = block_layout(&r, count, offsets, block_bytes);
    spvc_context_destroy(r.context);
    return is_found || ct_error_set(error, "the material block cannot be reflected");
}
