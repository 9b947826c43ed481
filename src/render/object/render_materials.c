#include "render/object/render_materials.h"

#include <string.h>

#include "foundation/log.h"

void ct_render_materials_init(ct_render_materials *m, ct_render_context *c, ct_render_frames *f,
                              ct_render_shaders *s, ct_render_textures *t) {
    *m = (ct_render_materials){.context = c, .frames = f, .shaders = s, .textures = t};
    ct_hash_map_init(&m->index_of_name, c->allocator);
    ct_hash_map_init(&m->default_of_shader, c->allocator);
    ct_array_init(&m->items, c->allocator);
    ct_array_push(&m->items, (ct_render_material){0});
}

static void unbind(ct_render_context *c, ct_render_material *x) {
    ct_render_set_retire(c, &x->set);
    ct_free_sized(c->allocator, x->block, x->block_bytes);
    x->block = NULL;
    x->block_bytes = 0;
    x->is_usable = false;
    x->bound_version = 0;
    x->uploaded_frame = 0;
}

void ct_render_materials_drop(ct_render_materials *m) {
    for (uint32_t i = 1; i < m->items.count; ++i)
        unbind(m->context, &m->items.items[i]);
}

void ct_render_materials_shutdown(ct_render_materials *m) {
    ct_render_materials_drop(m);
    for (uint32_t i = 1; i < m->items.count; ++i) {
        ct_render_material *x = &m->items.items[i];
        ct_free(m->context->allocator, x->blob);
        ct_array_free(&x->overrides);
    }
    ct_array_free(&m->items);
    ct_hash_map_free(&m->index_of_name);
    ct_hash_map_free(&m->default_of_shader);
}

static uint32_t index_in(ct_render_materials *m, ct_hash_map *map, ct_string_id64 name) {
    if (!name.value)
        return 0;
    const uint32_t known = (uint32_t)ct_hash_map_get(map, name.value, 0);
    if (known)
        return known;
    ct_render_material x = {0};
    ct_array_init(&x.overrides, m->context->allocator);
    ct_array_push(&m->items, x);
    ct_hash_map_set(map, name.value, m->items.count - 1);
    return m->items.count - 1;
}

uint32_t ct_render_materials_index(ct_render_materials *m, ct_string_id64 name) {
    return index_in(m, &m->index_of_name, name);
}

uint32_t ct_render_materials_default(ct_render_materials *m, ct_string_id64 shader) {
    const uint32_t index = index_in(m, &m->default_of_shader, shader);
    if (index) {
        m->items.items[index].is_shader_default = true;
        m->items.items[index].shader_name = shader;
    }
    return index;
}

void ct_render_materials_set(ct_render_materials *m, ct_string_id64 name,
                             const ct_material_resource *blob) {
    ct_allocator *const a = m->context->allocator;
    const uint32_t index = ct_render_materials_index(m, name); // may move the items
    ct_render_material *const x = &m->items.items[index];
    ++m->version;
    unbind(m->context, x);
    ct_free(a, x->blob);
    x->blob = NULL;
    x->overrides.count = 0;
    x->told_slots = 0;
    if (!blob)
        return;
    x->blob = ct_alloc(a, blob->header.size_bytes);
    memcpy(x->blob, blob, blob->header.size_bytes);
    x->shader_name = blob->shader;
}

// --- Binding to the shader's layout --------------------------------------------------------------

// Writes values to the block where the shader has this parameter; names it does not know were
// reported by the compiler.
static void write_parameter(ct_render_material *x, const ct_shader_resource *shader,
                            ct_string_id32 name, const float *values, uint32_t count) {
    const ct_shader_parameter *const parameters = ct_blob_at(shader, shader->parameters.offset);
    for (uint32_t i = 0; i < shader->parameters.count; ++i) {
        if (parameters[i].name.value != name.value)
            continue;
        const uint32_t wanted = ct_shader_parameter_floats(parameters[i].type);
        memcpy(x->block + parameters[i].offset, values,
               sizeof(float) * (count < wanted ? count : wanted));
    }
}

static void bind_block(ct_allocator *a, ct_render_material *x, const ct_shader_resource *shader) {
    const ct_shader_parameter *const parameters = ct_blob_at(shader, shader->parameters.offset);
    x->block_bytes = shader->block_bytes;
    x->block = x->block_bytes ? ct_alloc_zero(a, x->block_bytes) : NULL;
    for (uint32_t i = 0; i < shader->parameters.count; ++i)
        write_parameter(x, shader, parameters[i].name, parameters[i].default_value,
                        CT_SHADER_MAX_FLOATS);
    if (x->blob) {
        const ct_material_parameter *const values = ct_blob_at(x->blob, x->blob->parameters.offset);
        for (uint32_t i = 0; i < x->blob->parameters.count; ++i)
            write_parameter(x, shader, values[i].name, values[i].value, values[i].num_floats);
    }
    for (uint32_t i = 0; i < x->overrides.count; ++i)
        if (x->overrides.items[i].num_values)
            write_parameter(x, shader, x->overrides.items[i].name, x->overrides.items[i].values,
                            x->overrides.items[i].num_values);
}

// A texture of another kind than the shader reads, once for each slot of what the material holds.
static void warn_of_kind(const ct_render_materials *m, ct_render_material *x, uint32_t slot,
                         const ct_shader_texture *wanted, ct_string_id64 name, uint32_t index) {
    static const char *const kinds[CT_TEXTURE_KIND_COUNT] = {
        [CT_TEXTURE_KIND_2D] = "2D",
        [CT_TEXTURE_KIND_ARRAY] = "array",
        [CT_TEXTURE_KIND_CUBE] = "cube",
    };
    if (x->told_slots & 1u << slot)
        return;
    x->told_slots |= 1u << slot;
    ct_log_warning("render", "texture_kind",
                   "the texture \"%s\" is of kind %s, but the shader \"%s\" expects kind "
                   "%s; another texture is drawn in its place",
                   ct_string_id64_name(name), kinds[m->textures->items.items[index].kind],
                   ct_string_id64_name(x->shader_name), kinds[wanted->kind]);
}

// The texture for a slot: set at run time, by the material, or the shader's default.
static const ct_render_texture *find_texture(const ct_render_materials *m, ct_render_material *x,
                                             uint32_t position, const ct_shader_texture *slot) {
    ct_string_id64 name = {0};
    if (x->blob) {
        const ct_material_texture *const textures = ct_blob_at(x->blob, x->blob->textures.offset);
        for (uint32_t i = 0; i < x->blob->textures.count; ++i)
            if (textures[i].name.value == slot->name.value)
                name = textures[i].texture;
    }
    for (uint32_t i = 0; i < x->overrides.count; ++i)
        if (!x->overrides.items[i].num_values &&
            x->overrides.items[i].name.value == slot->name.value)
            name = x->overrides.items[i].texture;
    const uint32_t index = ct_render_textures_index(m->textures, name);
    if (index && ct_render_textures_is_online(m->textures, index)) {
        if (m->textures->items.items[index].kind == slot->kind) {
            ct_render_textures_use(m->textures, index);
            return ct_render_textures_get(m->textures, index, slot->kind);
        }
        warn_of_kind(m, x, position, slot, name, index);
    }
    const uint32_t otherwise = ct_render_textures_index(m->textures, slot->default_texture);
    if (ct_render_textures_is_online(m->textures, otherwise) &&
        m->textures->items.items[otherwise].kind != slot->kind)
        warn_of_kind(m, x, position, slot, slot->default_texture, otherwise);
    ct_render_textures_use(m->textures, otherwise);
    return ct_render_textures_get(m->textures, otherwise, slot->kind);
}

static void bind_set(ct_render_materials *m, ct_render_material *x,
                     const ct_render_shader *shader) {
    ct_render_context *const c = m->context;
    const ct_shader_resource *const blob = shader->blob;
    if (!blob->block_bytes && !blob->textures.count)
        return;
    x->set = ct_render_set_create(c, shader->material_layout);
    if (blob->block_bytes)
        ct_render_set_write_buffer(c, &x->set, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
                                   m->frames->uniforms.handle, blob->block_bytes);
    const ct_shader_texture *const slots = ct_blob_at(blob, blob->textures.offset);
    for (uint32_t i = 0; i < blob->textures.count; ++i) {
        const ct_render_texture *const texture = find_texture(m, x, i, &slots[i]);
        ct_render_set_write_texture(c, &x->set, slots[i].binding, texture->image.view,
                                    texture->sampler, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    }
}

// The bits of the options that the material switches on and the shader has.
static uint32_t options_of(const ct_material_resource *material, const ct_shader_resource *shader) {
    if (!material)
        return 0;
    const ct_string_id32 *const wanted = ct_blob_at(material, material->options.offset);
    const ct_string_id32 *const known = ct_blob_at(shader, shader->options.offset);
    uint32_t bits = 0;
    for (uint32_t i = 0; i < material->options.count; ++i)
        for (uint32_t k = 0; k < shader->options.count; ++k)
            if (wanted[i].value == known[k].value)
                bits |= 1u << k;
    return bits;
}

static void bind(ct_render_materials *m, ct_render_material *x) {
    unbind(m->context, x);
    x->bound_version = m->context->version;
    x->shader = ct_render_shaders_index(m->shaders, x->shader_name);
    const ct_render_shader *const shader = &m->shaders->items.items[x->shader];
    if (!shader->blob)
        return;
    x->options = options_of(x->blob, shader->blob);
    bind_block(m->context->allocator, x, shader->blob);
    bind_set(m, x, shader);
    x->is_usable = true;
}

void ct_render_materials_override(ct_render_materials *m, ct_string_id64 name,
                                  const ct_render_override *value) {
    const uint32_t index = ct_render_materials_index(m, name); // may move the items
    ct_render_material *const x = &m->items.items[index];
    uint32_t i = 0;
    while (i < x->overrides.count && x->overrides.items[i].name.value != value->name.value)
        ++i;
    if (i < x->overrides.count)
        x->overrides.items[i] = *value;
    else
        ct_array_push(&x->overrides, *value);
    const bool is_bound = x->is_usable && x->bound_version == m->context->version;
    if (is_bound && value->num_values) {
        // A value alone needs no new descriptor set.
        write_parameter(x, m->shaders->items.items[x->shader].blob, value->name, value->values,
                        value->num_values);
        x->uploaded_frame = 0;
    } else {
        x->bound_version = 0;
        x->told_slots = 0;
    }
}

// --- Use -----------------------------------------------------------------------------------------

bool ct_render_materials_is_online(const ct_render_materials *m, uint32_t index) {
    const ct_render_material *const x = &m->items.items[index];
    return x->blob || x->is_shader_default;
}

const ct_shader_resource *ct_render_materials_variant(ct_render_materials *m, uint32_t index,
                                                      uint32_t *shader, uint32_t *options) {
    const ct_render_material *const x = &m->items.items[index];
    *shader = ct_render_shaders_index(m->shaders, x->shader_name);
    const ct_shader_resource *const blob = m->shaders->items.items[*shader].blob;
    if (!blob || !ct_render_materials_is_online(m, index))
        return NULL;
    *options = options_of(x->blob, blob);
    return blob;
}

static ct_render_material *bound(ct_render_materials *m, uint32_t index) {
    if (!ct_render_materials_is_online(m, index))
        return NULL;
    ct_render_material *const x = &m->items.items[index];
    if (x->bound_version != m->context->version)
        bind(m, x);
    return x->is_usable ? x : NULL;
}

const ct_render_material *ct_render_materials_bound(ct_render_materials *m, uint32_t index) {
    return bound(m, index);
}

const ct_render_material *ct_render_materials_ready(ct_render_materials *m, uint32_t index) {
    ct_render_material *x = bound(m, index);
    if (!x || !x->block_bytes)
        return x;
    if (x->uploaded_frame == m->context->frame && x->uploaded_buffer == m->frames->uniforms.handle)
        return x;
    uint32_t offset;
    void *const mapped = ct_render_frames_uniforms(m->frames, x->block_bytes, &offset);
    // The buffer may have been replaced just now, and with it the set.
    x = bound(m, index);
    memcpy(mapped, x->block, x->block_bytes);
    x->block_offset = offset;
    x->uploaded_frame = m->context->frame;
    x->uploaded_buffer = m->frames->uniforms.handle;
    return x;
}
