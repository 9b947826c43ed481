#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "gui/gui_private.h"

// --- Ids -----------------------------------------------------------------------------------------

// An id: the slot in 20 bits, the generation in 16, the GUI's number in 16. Below 2^53, so that it
// is a number of Lua.
enum { SLOT_BITS = 20, GENERATION_BITS = 16 };

ct_gui_object_id ct_gui_id_of(const ct_gui *g, uint32_t slot) {
    const uint64_t generation = g->slots.items[slot].generation;
    return (ct_gui_object_id){(uint64_t)g->number << (SLOT_BITS + GENERATION_BITS) |
                              generation << SLOT_BITS | slot};
}

// The slot of an object of this GUI; 0: it is not.
static uint32_t slot_of(const ct_gui *g, ct_gui_object_id id) {
    const uint32_t slot = (uint32_t)(id.value & ((1u << SLOT_BITS) - 1));
    if (slot == 0 || slot >= g->slots.count || g->slots.items[slot].kind == CT_GUI_KIND_NONE)
        return 0;
    return ct_gui_id_of(g, slot).value == id.value ? slot : 0;
}

ct_gui_kind ct_gui_kind_of(const ct_gui *g, ct_gui_object_id id) {
    const uint32_t slot = slot_of(g, id);
    return slot ? (ct_gui_kind)g->slots.items[slot].kind : CT_GUI_KIND_NONE;
}

static uint32_t issue_slot(ct_gui *g, ct_gui_kind kind) {
    uint32_t slot = g->first_free;
    if (slot) {
        g->first_free = g->slots.items[slot].link;
    } else {
        if (g->slots.count > CT_GUI_MAX_OBJECTS)
            return 0;
        slot = g->slots.count;
        ct_array_push(&g->slots, (ct_gui_slot){0});
    }
    ct_gui_slot *const x = &g->slots.items[slot];
    ++x->generation;
    x->kind = (uint8_t)kind;
    x->link = 0;
    ++g->num_objects;
    return slot;
}

uint32_t ct_gui_slot_for(ct_gui *g, const ct_gui_draw *draw, ct_gui_kind kind) {
    if (!draw->id.value) {
        const uint32_t slot = issue_slot(g, kind);
        if (!slot && !g->system->has_warned_of_full)
            ct_log_error("gui", "too_many_objects",
                         "a GUI has %d objects; further ones are not drawn. Destroy objects, or "
                         "draw them in an immediate GUI",
                         CT_GUI_MAX_OBJECTS);
        g->system->has_warned_of_full |= !slot;
        return slot;
    }
    const uint32_t slot = slot_of(g, draw->id);
    CT_ASSERT(slot && g->slots.items[slot].kind == kind, "not an object of this GUI and kind");
    return slot;
}

static void release_slot(ct_gui *g, uint32_t slot) {
    ct_gui_slot *const x = &g->slots.items[slot];
    if (x->kind == CT_GUI_KIND_TEXT && x->link)
        ct_gui_drop_text(g, x->link - 1);
    x->kind = CT_GUI_KIND_NONE;
    --g->num_objects;
    if (x->generation == UINT16_MAX)
        return; // another use would bring an old id back
    x->link = g->first_free;
    g->first_free = slot;
}

void ct_gui_destroy_object(ct_gui *g, ct_gui_object_id id) {
    const uint32_t slot = slot_of(g, id);
    CT_ASSERT(slot, "not an object of this GUI");
    release_slot(g, slot);
    ct_render_gui_remove_objects(g->system->renderer, g->desc.world, g->id, &slot, 1);
}

uint32_t ct_gui_num_objects(const ct_gui *g) {
    return g->num_objects;
}

// --- Life cycle ----------------------------------------------------------------------------------

// What the renderer knows of a GUI.
static ct_render_gui_desc render_desc_of(const ct_gui *g) {
    const ct_gui_desc *const x = &g->desc;
    ct_render_gui_desc desc = {.pose = x->pose,
                               .offset = {x->x, x->y},
                               .scale = {1.0f, 1.0f},
                               .layer = x->render_layer,
                               .space = x->is_world ? CT_RENDER_GUI_SPACE_WORLD
                                                    : CT_RENDER_GUI_SPACE_SCREEN,
                               .is_immediate = x->is_immediate,
                               .is_on_top = x->is_on_top,
                               .is_hidden = g->is_hidden};
    const bool is_scaled = x->reference_width > 0.0f && x->reference_height > 0.0f;
    if (is_scaled && x->is_world) {
        desc.scale[0] = x->width / x->reference_width;
        desc.scale[1] = x->height / x->reference_height;
    } else if (is_scaled) {
        desc.reference[0] = x->reference_width;
        desc.reference[1] = x->reference_height;
    }
    return desc;
}

static void send_desc(ct_gui *g) {
    const ct_render_gui_desc desc = render_desc_of(g);
    ct_render_gui_set(g->system->renderer, g->desc.world, g->id, &desc);
}

// A number that no living GUI has.
static uint32_t issue_number(ct_gui_system *s) {
    for (;;) {
        s->last_number = s->last_number % UINT16_MAX + 1;
        bool is_taken = false;
        for (uint32_t i = 0; i < s->guis.count; ++i)
            is_taken |= s->guis.items[i]->number == s->last_number;
        if (!is_taken)
            return s->last_number;
    }
}

ct_gui *ct_gui_create(ct_gui_system *s, const ct_gui_desc *desc) {
    CT_REQUIRE(s->guis.count < UINT16_MAX / 2, "more than %d GUIs", UINT16_MAX / 2);
    ct_gui *const g = CT_NEW(s->allocator, ct_gui);
    g->system = s;
    g->desc = *desc;
    g->number = issue_number(s);
    if (!g->desc.render_layer.value)
        g->desc.render_layer = ct_string_id32_of(desc->is_world ? "world_gui" : "gui");
    if (!g->desc.material.value)
        g->desc.material = ct_string_id64_of("core/materials/gui");
    if (!g->desc.text_material.value)
        g->desc.text_material = ct_string_id64_of("core/materials/gui_text");
    ct_array_init(&g->slots, s->allocator);
    ct_array_init(&g->texts, s->allocator);
    ct_array_push(&g->slots, (ct_gui_slot){0});
    const ct_render_gui_desc render = render_desc_of(g);
    g->id = ct_render_gui_create(s->renderer, desc->world, &render);
    ct_array_push(&s->guis, g);
    return g;
}

static void drop_texts(ct_gui *g) {
    while (g->texts.count)
        ct_gui_drop_text(g, g->texts.count - 1);
}

void ct_gui_destroy(ct_gui *g) {
    ct_gui_system *const s = g->system;
    ct_render_gui_destroy(s->renderer, g->desc.world, g->id);
    drop_texts(g);
    for (uint32_t i = 0; i < s->guis.count; ++i)
        if (s->guis.items[i] == g) {
            ct_array_erase(&s->guis, i, 1);
            break;
        }
    ct_array_free(&g->slots);
    ct_array_free(&g->texts);
    ct_free_sized(s->allocator, g, sizeof(*g));
}

void ct_gui_reset(ct_gui *g) {
    ct_render_gui_clear(g->system->renderer, g->desc.world, g->id);
    drop_texts(g);
    for (uint32_t slot = 1; slot < g->slots.count; ++slot)
        if (g->slots.items[slot].kind != CT_GUI_KIND_NONE)
            release_slot(g, slot);
}

uint32_t ct_gui_number(const ct_gui *g) {
    return g->number;
}

const ct_gui_desc *ct_gui_get_desc(const ct_gui *g) {
    return &g->desc;
}

void ct_gui_move(ct_gui *g, const ct_mat4 *pose) {
    g->desc.pose = *pose;
    send_desc(g);
}

void ct_gui_set_visible(ct_gui *g, bool is_visible) {
    g->is_hidden = !is_visible;
    send_desc(g);
}

bool ct_gui_is_visible(const ct_gui *g) {
    return !g->is_hidden;
}

void ct_gui_area(const ct_gui *g, float view_width, float view_height, float *width,
                 float *height) {
    const bool is_scaled = g->desc.reference_width > 0.0f && g->desc.reference_height > 0.0f;
    *width = g->desc.is_world ? g->desc.width : view_width;
    *height = g->desc.is_world ? g->desc.height : view_height;
    if (is_scaled) {
        *width = g->desc.reference_width;
        *height = g->desc.reference_height;
    }
}

float ct_gui_pixel(const ct_gui *g) {
    enum { WORLD_PIXELS = 720 }; // a guess: how high a GUI in the world is seen
    uint32_t width, height;
    float area[2];
    ct_renderer_size(g->system->renderer, &width, &height);
    ct_gui_area(g, (float)width, (float)height, &area[0], &area[1]);
    if (g->desc.is_world)
        return area[1] / (float)WORLD_PIXELS;
    const float x = area[0] / (float)width, y = area[1] / (float)height;
    return x > y ? x : y;
}

// --- Clip rectangles -----------------------------------------------------------------------------

static float least(float a, float b) {
    return a < b ? a : b;
}

static float greatest(float a, float b) {
    return a > b ? a : b;
}

bool ct_gui_push_clip(ct_gui *g, float x, float y, float width, float height) {
    if (g->num_clips == CT_GUI_MAX_CLIPS)
        return false;
    ct_gui_box box = {{x, y}, {x + width, y + height}};
    if (g->num_clips) {
        const ct_gui_box *const outer = &g->clips[g->num_clips - 1];
        for (uint32_t i = 0; i < 2; ++i) {
            box.min[i] = greatest(box.min[i], outer->min[i]);
            box.max[i] = least(box.max[i], outer->max[i]);
        }
    }
    g->clips[g->num_clips++] = box;
    return true;
}

bool ct_gui_pop_clip(ct_gui *g) {
    if (!g->num_clips)
        return false;
    --g->num_clips;
    return true;
}
