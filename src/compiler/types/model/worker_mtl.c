#include "compiler/types/model/worker_mtl.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/path.h"

enum { MAX_MATERIAL_WARNINGS = 24, MAX_TEXT_BYTES = 256 };

// The maps that have a use, or are compared with one that has.
typedef enum map_slot {
    MAP_BASE,
    MAP_AMBIENT,
    MAP_EMISSIVE,
    MAP_NORMAL,
    MAP_BUMP, // normals or heights
    MAP_OPACITY,
    MAP_METALLIC,
    MAP_ROUGHNESS,
    MAP_COUNT,
    MAP_NONE = MAP_COUNT,
} map_slot;

typedef enum value_slot {
    VALUE_KA,
    VALUE_KD,
    VALUE_KS,
    VALUE_KE,
    VALUE_TF,
    NUM_COLORS,
    VALUE_NS = NUM_COLORS,
    VALUE_D,
    VALUE_TR,
    VALUE_NI,
    VALUE_ILLUM,
    VALUE_SHARPNESS,
    VALUE_PR,
    VALUE_PM,
    VALUE_PS,
    VALUE_PC,
    VALUE_PCR,
    VALUE_ANISO,
    VALUE_ANISOR,
    VALUE_COUNT,
} value_slot;

static const char *const value_names[VALUE_COUNT] = {
    [VALUE_KA] = "Ka",
    [VALUE_KD] = "Kd",
    [VALUE_KS] = "Ks",
    [VALUE_KE] = "Ke",
    [VALUE_TF] = "Tf",
    [VALUE_NS] = "Ns",
    [VALUE_D] = "d",
    [VALUE_TR] = "Tr",
    [VALUE_NI] = "Ni",
    [VALUE_ILLUM] = "illum",
    [VALUE_SHARPNESS] = "sharpness",
    [VALUE_PR] = "Pr",
    [VALUE_PM] = "Pm",
    [VALUE_PS] = "Ps",
    [VALUE_PC] = "Pc",
    [VALUE_PCR] = "Pcr",
    [VALUE_ANISO] = "aniso",
    [VALUE_ANISOR] = "anisor",
};

// Values of other models of light. What every file has (Ka, Ks, Ni, illum) says nothing.
static const struct {
    value_slot slot;
    const char *what;
} left_out[] = {
    {VALUE_PS, "sheen"},
    {VALUE_PC, "a clear coat"},
    {VALUE_PCR, "a clear coat's roughness"},
    {VALUE_ANISO, "anisotropy"},
    {VALUE_ANISOR, "an anisotropy's rotation"},
};

// One map as the file has it. `image` is NULL without.
typedef struct map_draft {
    ct_worker_map map;
    float strength; // -bm
} map_draft;

// A material as far as it was read.
typedef struct draft {
    const char *name; // NULL: none yet
    float values[VALUE_COUNT][3];
    bool has[VALUE_COUNT];
    map_draft maps[MAP_COUNT];
    ct_string_array warnings;
} draft;

typedef struct mtl_reader {
    ct_worker_mtl *m;
    const char *path;
    ct_obj_text text;
    ct_obj_span statement;
    draft draft;
} mtl_reader;

CT_PRINTF(2, 3) static void warn(mtl_reader *r, const char *format, ...) {
    ct_string_array *const warnings = &r->draft.warnings;
    char text[MAX_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    for (uint32_t i = 0; i < warnings->count; ++i) {
        if (strcmp(warnings->items[i], text) == 0)
            return;
    }
    if (warnings->count < MAX_MATERIAL_WARNINGS)
        ct_array_push(warnings, ct_copy_string(r->m->c->allocator, text));
}

// Warns of a statement, whose name stands between `before` and `behind`.
static void warn_of_value(mtl_reader *r, const char *before, const char *behind) {
    char quote[CT_WORKER_OBJ_QUOTE_BYTES];
    warn(r, "%s%s%s", before, ct_worker_obj_quote(r->statement, quote), behind);
}

// --- Values --------------------------------------------------------------------------------------

// Reads up to `max` finite numbers, and warns of what else there is. Returns how many.
static uint32_t read_numbers(mtl_reader *r, uint32_t max, float *values) {
    uint32_t count = 0;
    float value = 0;
    ct_obj_number found = ct_obj_text_number(&r->text, &value);
    for (; found == CT_OBJ_NUMBER_FOUND && count < max;
         found = ct_obj_text_number(&r->text, &value)) {
        if (!isfinite(value)) {
            warn_of_value(r, "its ", " has a value that is not finite, which is left out");
            return 0;
        }
        values[count++] = value;
    }
    if (count == 0)
        warn_of_value(r, "its ", " has no number; it is left out");
    else if (found != CT_OBJ_NUMBER_NONE)
        warn_of_value(r, "its ", " has extra values, which are left out");
    return count;
}

static void read_color(mtl_reader *r, value_slot slot) {
    ct_obj_text first = r->text;
    ct_obj_span word;
    float color[3];
    if (ct_obj_text_word(&first, &word) &&
        (ct_obj_is_word(word, "spectral") || ct_obj_is_word(word, "xyz"))) {
        warn_of_value(r, "its ", " is not RGB; it is left out");
        return;
    }
    const uint32_t count = read_numbers(r, 3, color);
    if (count == 0)
        return;
    if (count == 2)
        warn_of_value(r, "its ", " has two numbers; the third is set to the first");
    const float values[3] = {color[0], count > 1 ? color[1] : color[0],
                             count > 2 ? color[2] : color[0]};
    memcpy(r->draft.values[slot], values, sizeof(values));
    r->draft.has[slot] = true;
}

static void read_value(mtl_reader *r, value_slot slot) {
    if (r->draft.has[slot])
        warn_of_value(r, "its ", " is repeated; the last one is used");
    if (slot < NUM_COLORS) {
        read_color(r, slot);
        return;
    }
    ct_obj_text first = r->text;
    ct_obj_span word;
    if (slot == VALUE_D && ct_obj_text_word(&first, &word) && ct_obj_is_word(word, "-halo")) {
        r->text = first;
        warn(r, "its opacity depends on the angle (-halo), which is left out");
    }
    r->draft.has[slot] |= read_numbers(r, 1, r->draft.values[slot]) > 0;
}

// --- Maps ----------------------------------------------------------------------------------------

static const struct {
    const char *statement;
    map_slot slot;
    const char *what; // of those that are left out
} map_statements[] = {
    {"map_Kd", MAP_BASE, NULL},
    {"map_Ka", MAP_AMBIENT, NULL},
    {"map_Ke", MAP_EMISSIVE, NULL},
    {"map_emissive", MAP_EMISSIVE, NULL},
    {"norm", MAP_NORMAL, NULL},
    {"map_Kn", MAP_NORMAL, NULL},
    {"map_Bump", MAP_BUMP, NULL},
    {"bump", MAP_BUMP, NULL},
    {"map_d", MAP_OPACITY, NULL},
    {"map_Pr", MAP_ROUGHNESS, NULL},
    {"map_Pm", MAP_METALLIC, NULL},
    {"map_Ks", MAP_NONE, "specular colour"},
    {"map_Ns", MAP_NONE, "shininess"},
    {"disp", MAP_NONE, "displacement"},
    {"map_disp", MAP_NONE, "displacement"},
    {"refl", MAP_NONE, "reflection"},
    {"map_refl", MAP_NONE, "reflection"},
    {"map_Ps", MAP_NONE, "sheen"},
    {"decal", MAP_NONE, "decals"},
};

static bool is_off(ct_obj_span word) {
    return ct_obj_is_word(word, "off");
}

// Takes an option of a map. Returns false when it asks for what the engine does not have.
static bool take_option(const ct_obj_option *o, map_slot slot, map_draft *d) {
    const float *const n = o->numbers;
    const uint32_t count = o->num_numbers;
    for (uint32_t i = 0; i < count; ++i) {
        if (!isfinite(n[i]))
            return false;
    }
    switch (o->kind) {
    case CT_OBJ_OPTION_S:
        for (uint32_t i = 0; i < 2 && i < count; ++i)
            d->map.uv_scale[i] = n[i];
        return count > 0;
    case CT_OBJ_OPTION_O:
        for (uint32_t i = 0; i < 2 && i < count; ++i)
            d->map.uv_offset[i] = n[i];
        return count > 0;
    case CT_OBJ_OPTION_CLAMP:
        if (ct_obj_is_word(o->word, "on"))
            d->map.wrap[0] = d->map.wrap[1] = CT_WORKER_MAP_WRAP_CLAMP;
        return o->word.end > o->word.begin;
    case CT_OBJ_OPTION_BM:
        d->strength = count > 0 ? n[0] : 1;
        return count > 0 && (slot == MAP_BUMP || slot == MAP_NORMAL || n[0] == 1);
    case CT_OBJ_OPTION_MM:
        return (count < 1 || n[0] == 0) && (count < 2 || n[1] == 1);
    case CT_OBJ_OPTION_T:
        return (count < 1 || n[0] == 0) && (count < 2 || n[1] == 0) && (count < 3 || n[2] == 0);
    case CT_OBJ_OPTION_BOOST:
        return count < 1 || n[0] == 0;
    case CT_OBJ_OPTION_BLENDU:
    case CT_OBJ_OPTION_BLENDV:
        return ct_obj_is_word(o->word, "on");
    case CT_OBJ_OPTION_CC:
        return is_off(o->word);
    case CT_OBJ_OPTION_IMFCHAN:
        return ct_obj_is_word(o->word, slot == MAP_OPACITY ? "m" : "l");
    default:
        return false;
    }
}

static void read_options(mtl_reader *r, map_slot slot, map_draft *d) {
    char quote[CT_WORKER_OBJ_QUOTE_BYTES];
    ct_obj_option option;
    while (ct_obj_text_option(&r->text, &option)) {
        if (!take_option(&option, slot, d))
            warn(r, "\"%s\" of its %s is left out", option.name,
                 ct_worker_obj_quote(r->statement, quote));
    }
}

// Of images the first row is at the top, of MTL's coordinates at the bottom.
static void turn_over(ct_worker_map *map) {
    map->uv_offset[1] = 1 - map->uv_scale[1] - map->uv_offset[1];
    for (uint32_t i = 0; i < 2; ++i) {
        if (map->wrap[i] == CT_WORKER_MAP_WRAP_REPEAT)
            map->uv_offset[i] -= floorf(map->uv_offset[i]);
    }
}

static void read_map(mtl_reader *r) {
    uint32_t i = 0;
    while (i < CT_COUNT_OF(map_statements) &&
           !ct_obj_is_word(r->statement, map_statements[i].statement))
        ++i;
    if (i == CT_COUNT_OF(map_statements)) {
        warn_of_value(r, "it has ", ", which is left out");
        return;
    }
    const map_slot slot = map_statements[i].slot;
    if (slot == MAP_NONE) {
        warn(r, "it has a map of %s, which is left out", map_statements[i].what);
        return;
    }
    map_draft d = {.map = ct_worker_scene_map(NULL), .strength = 1};
    read_options(r, slot, &d);
    const ct_obj_span name = ct_obj_text_file(&r->text);
    read_options(r, slot, &d);
    char image[CT_PATH_BYTES];
    ct_obj_span_copy(name, image, sizeof(image));
    if (name.end == name.begin || name.end - name.begin >= CT_PATH_BYTES) {
        warn_of_value(r, "its ",
                      name.end == name.begin ? " has no file name; it is left out"
                                             : " has a name that is too long; it is left out");
        return;
    }
    d.map.image = ct_copy_string(r->m->c->allocator, image);
    turn_over(&d.map);
    const char *const before = r->draft.maps[slot].map.image;
    if (before && strcmp(before, image) != 0)
        warn_of_value(r, "its ", " is repeated; the last one is used");
    r->draft.maps[slot] = d;
}

// --- Materials -----------------------------------------------------------------------------------

static const char *image_of(const draft *d, map_slot slot) {
    return d->maps[slot].map.image;
}

static bool is_same_image(const draft *d, map_slot a, map_slot b) {
    return image_of(d, a) && image_of(d, b) && strcmp(image_of(d, a), image_of(d, b)) == 0;
}

static float number_of(const draft *d, value_slot slot, float otherwise) {
    return d->has[slot] ? d->values[slot][0] : otherwise;
}

static float cut(mtl_reader *r, float value, const char *what) {
    if (value < 0 || value > 1)
        warn(r, "its %s is %g; it is clamped to 0 to 1", what, (double)value);
    return fminf(fmaxf(value, 0), 1);
}

static float opacity_of(mtl_reader *r) {
    const draft *const d = &r->draft;
    const float transparency = number_of(d, VALUE_TR, 0);
    if (d->has[VALUE_D] && d->has[VALUE_TR] &&
        fabsf(d->values[VALUE_D][0] - (1 - transparency)) > 0.01f)
        warn(r, "its \"d\" and \"Tr\" do not agree (their sum should be 1); \"d\" is used");
    const float opacity = cut(r, number_of(d, VALUE_D, 1 - transparency), "opacity");
    if (opacity == 0) // exporters that mean something else by it
        warn(r, "its opacity is 0, which is left out; it is drawn opaque");
    return opacity == 0 ? 1 : opacity;
}

static void set_surface(mtl_reader *r, ct_worker_material *material) {
    const draft *const d = &r->draft;
    const float opacity = opacity_of(r);
    const bool has_own_map = image_of(d, MAP_OPACITY) && !is_same_image(d, MAP_OPACITY, MAP_BASE);
    material->base_color[3] = opacity;
    if (opacity < 1)
        material->surface = CT_WORKER_SURFACE_BLENDED;
    else if (is_same_image(d, MAP_OPACITY, MAP_BASE))
        material->surface = CT_WORKER_SURFACE_MASKED;
    if (has_own_map)
        warn(r,
             "its map of opacity is a separate image, but must be the alpha of the base colour "
             "map; %s",
             opacity < 1 ? "it is left out" : "it is drawn opaque");
}

static void set_base_color(mtl_reader *r, ct_worker_material *material) {
    const draft *const d = &r->draft;
    material->maps[CT_WORKER_MAP_KIND_BASE_COLOR] = d->maps[MAP_BASE].map;
    // Programs leave a colour that their map has replaced.
    material->map_has_color = true;
    for (uint32_t i = 0; i < 3 && d->has[VALUE_KD]; ++i)
        material->base_color[i] = cut(r, d->values[VALUE_KD][i], "\"Kd\"");
}

// One image holds both, as glTF has it; then the numbers are those of the map.
static void set_metal(mtl_reader *r, ct_worker_material *material) {
    const draft *const d = &r->draft;
    const float exponent = fminf(fmaxf(number_of(d, VALUE_NS, 0), 0), 1000);
    material->metallic = cut(r, number_of(d, VALUE_PM, 0), "\"Pm\"");
    material->roughness = d->has[VALUE_PR] ? cut(r, d->values[VALUE_PR][0], "\"Pr\"")
                                           : 1 - sqrtf(exponent / 1000); // Blender's convention
    if (is_same_image(d, MAP_METALLIC, MAP_ROUGHNESS)) {
        material->maps[CT_WORKER_MAP_KIND_METALLIC_ROUGHNESS] = d->maps[MAP_METALLIC].map;
        material->metallic = material->roughness = 1;
    } else if (image_of(d, MAP_METALLIC) || image_of(d, MAP_ROUGHNESS)) {
        warn(r, "it has separate maps of metalness and roughness, but one image must hold both "
                "(blue and green); they are left out");
    }
}

// What is brighter than 1 makes the light stronger.
static void set_emissive(mtl_reader *r, ct_worker_material *material) {
    const draft *const d = &r->draft;
    const float *const color = d->values[VALUE_KE];
    const float brightest = d->has[VALUE_KE] ? fmaxf(color[0], fmaxf(color[1], color[2])) : 0;
    material->maps[CT_WORKER_MAP_KIND_EMISSIVE] = d->maps[MAP_EMISSIVE].map;
    if (d->has[VALUE_KE] && fminf(color[0], fminf(color[1], color[2])) < 0)
        warn(r, "its \"Ke\" has values below 0, which are set to 0");
    for (uint32_t i = 0; i < 3; ++i)
        material->emissive[i] = fmaxf(color[i], 0) / fmaxf(brightest, 1);
    material->emissive_intensity = fmaxf(brightest, 1);
}

// Programs write normal maps as maps of bumps.
static void set_normals(mtl_reader *r, ct_worker_material *material) {
    const draft *const d = &r->draft;
    const map_slot slot = image_of(d, MAP_NORMAL) ? MAP_NORMAL : MAP_BUMP;
    if (!image_of(d, slot))
        return;
    if (slot == MAP_NORMAL && image_of(d, MAP_BUMP) && !is_same_image(d, MAP_NORMAL, MAP_BUMP))
        warn(r, "it has a bump map beside a normal map; the bump map is left out");
    ct_worker_map *const map = &material->maps[CT_WORKER_MAP_KIND_NORMAL];
    *map = d->maps[slot].map;
    map->may_be_heights = slot == MAP_BUMP;
    material->normal_strength = d->maps[slot].strength;
}

static void warn_of_left_out(mtl_reader *r) {
    const draft *const d = &r->draft;
    // The ambient colour is the diffuse one's shadow.
    if (image_of(d, MAP_AMBIENT) && !is_same_image(d, MAP_AMBIENT, MAP_BASE))
        warn(r, "it has a map of ambient colour, which is left out");
    for (uint32_t i = 0; i < CT_COUNT_OF(left_out); ++i) {
        const value_slot slot = left_out[i].slot;
        if (d->has[slot] && d->values[slot][0] != 0)
            warn(r, "it has %s (%s), which is left out", left_out[i].what, value_names[slot]);
    }
    const float *const filter = d->values[VALUE_TF];
    const bool is_grey = filter[0] == filter[1] && filter[1] == filter[2];
    if (d->has[VALUE_TF] && !(is_grey && (filter[0] == 0 || filter[0] == 1)))
        warn(r, "it has a transmission colour (Tf), which is left out");
}

// Writes what precedes a `#` behind a blank to `cut_name`. False when there is none.
static bool cut_comment(const char *name, char cut_name[CT_PATH_BYTES]) {
    size_t length = 0;
    for (const char *p = strchr(name, '#'); p && length == 0; p = strchr(p + 1, '#')) {
        if (p > name && (p[-1] == ' ' || p[-1] == '\t'))
            length = (size_t)(p - name);
    }
    while (length > 0 && (name[length - 1] == ' ' || name[length - 1] == '\t'))
        --length;
    if (length == 0 || length >= CT_PATH_BYTES)
        return false;
    memcpy(cut_name, name, length);
    cut_name[length] = 0;
    return true;
}

static uint32_t add_material(ct_worker_mtl *m, const ct_worker_material *material) {
    char short_name[CT_PATH_BYTES];
    const uint32_t index = ct_worker_obj_names_add(&m->names, material->name);
    ct_array_push(m->materials, *material);
    if (cut_comment(material->name, short_name) &&
        ct_worker_obj_names_find(&m->short_names, short_name) == CT_WORKER_OBJ_NO_NAME) {
        ct_worker_obj_names_add(&m->short_names, short_name);
        ct_array_push(&m->short_named, index);
    }
    return index;
}

static void finish_material(mtl_reader *r) {
    if (!r->draft.name)
        return;
    ct_worker_material material = ct_worker_scene_material(r->m->c, r->draft.name);
    set_surface(r, &material);
    set_base_color(r, &material);
    set_metal(r, &material);
    set_emissive(r, &material);
    set_normals(r, &material);
    warn_of_left_out(r);
    material.warnings = r->draft.warnings;
    add_material(r->m, &material);
}

// The rest of the line, of any length.
static const char *rest_of_line(mtl_reader *r) {
    const ct_obj_span rest = ct_obj_text_rest(&r->text);
    const uint64_t bytes = (uint64_t)(rest.end - rest.begin) + 1;
    char *const text = ct_alloc(r->m->c->allocator, bytes);
    ct_obj_span_copy(rest, text, bytes);
    return *text ? text : CT_WORKER_MTL_DEFAULT_NAME;
}

// A material that is there already is read to nobody's use.
static void begin_material(mtl_reader *r) {
    char quote[CT_WORKER_OBJ_QUOTE_BYTES];
    const char *name = rest_of_line(r);
    ct_worker_obj_quote((ct_obj_span){name, name + strlen(name)}, quote);
    if (r->m->names.items.count >= CT_WORKER_MTL_MAX_MATERIALS) {
        ct_worker_obj_warn(r->m->warnings, r->path, r->text.line, "too many",
                           "found more than %u materials; %s and later ones are left out",
                           CT_WORKER_MTL_MAX_MATERIALS, quote);
        name = NULL;
    } else if (ct_worker_obj_names_find(&r->m->names, name) != CT_WORKER_OBJ_NO_NAME) {
        ct_worker_obj_warn(r->m->warnings, r->path, r->text.line, "newmtl",
                           "the material %s is defined twice; the first one is used", quote);
        name = NULL;
    }
    r->draft = (draft){.name = name};
    ct_array_init(&r->draft.warnings, r->m->c->allocator);
}

static value_slot value_of(ct_obj_span statement) {
    uint32_t slot = 0;
    while (slot < VALUE_COUNT && !ct_obj_is_word(statement, value_names[slot]))
        ++slot;
    return (value_slot)slot;
}

static void read_statement(mtl_reader *r, bool has_begun) {
    char quote[CT_WORKER_OBJ_QUOTE_BYTES];
    const value_slot slot = value_of(r->statement);
    const bool is_known = slot < VALUE_COUNT || ct_obj_is_map(r->statement);
    ct_worker_obj_quote(r->statement, quote);
    if (!has_begun && is_known)
        ct_worker_obj_warn(r->m->warnings, r->path, r->text.line, "first",
                           "%s comes before the first \"newmtl\"; it is not read", quote);
    else if (!is_known)
        ct_worker_obj_warn(r->m->warnings, r->path, r->text.line, quote, "%s is not read", quote);
    else if (r->draft.name && slot < VALUE_COUNT)
        read_value(r, slot);
    else if (r->draft.name)
        read_map(r);
}

void ct_worker_mtl_read(ct_worker_mtl *m, const char *path, const char *bytes,
                        uint64_t size_bytes) {
    mtl_reader r = {.m = m, .path = path, .text = ct_obj_text_open(bytes, size_bytes)};
    ct_error error = {0};
    if (!ct_obj_text_check(bytes, size_bytes, &error)) {
        ct_worker_obj_warn(m->warnings, path, error.line, "text",
                           "%s; the materials in it are left out", error.message);
        return;
    }
    bool has_begun = false;
    while (ct_obj_text_next(&r.text, &r.statement)) {
        if (ct_obj_is_word(r.statement, "newmtl")) {
            finish_material(&r);
            begin_material(&r);
            has_begun = true;
        } else {
            read_statement(&r, has_begun);
        }
    }
    finish_material(&r);
}

void ct_worker_mtl_init(ct_worker_mtl *m, ct_worker_obj_warnings *warnings,
                        ct_worker_material_array *materials) {
    *m = (ct_worker_mtl){.c = warnings->c, .warnings = warnings, .materials = materials};
    ct_worker_obj_names_init(&m->names, m->c->allocator);
    ct_worker_obj_names_init(&m->short_names, m->c->allocator);
    ct_array_init(&m->short_named, m->c->allocator);
}

uint32_t ct_worker_mtl_find(ct_worker_mtl *m, const char *name) {
    char short_name[CT_PATH_BYTES];
    uint32_t found = ct_worker_obj_names_find(&m->names, name);
    if (found == CT_WORKER_OBJ_NO_NAME && cut_comment(name, short_name))
        found = ct_worker_obj_names_find(&m->names, short_name);
    if (found != CT_WORKER_OBJ_NO_NAME)
        return found;
    const uint32_t i = ct_worker_obj_names_find(&m->short_names, name);
    if (i != CT_WORKER_OBJ_NO_NAME)
        return m->short_named.items[i];
    const ct_worker_material material =
        ct_worker_scene_material(m->c, ct_copy_string(m->c->allocator, name));
    return add_material(m, &material);
}
