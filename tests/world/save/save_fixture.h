// save_fixture.h: saves and loads the world of a fixture. Include once in a program.
#pragma once
#include "save/save_world.h"
#include "world/save/world_save.h"
#include "world/world_fixture.h"

static char problems[4096];       // of the last load, a line each
static ct_entity loaded_units[8]; // of the last load, the first ones

static inline void note(void *user, const char *text) {
    const size_t used = strlen(problems);
    (void)user;
    snprintf(problems + used, sizeof(problems) - used, "%s\n", text);
}

static inline ct_byte_array save(const world_fixture *f) {
    ct_byte_array bytes;
    ct_array_init(&bytes, f->allocator);
    ct_world_save(f->world, NULL, 0, &bytes);
    return bytes;
}

static inline void load(const world_fixture *f, const ct_byte_array *bytes) {
    ct_error error = {0};
    const ct_saved_world *const saved = (const ct_saved_world *)(const void *)bytes->items;
    ct_entity *const units = CT_NEW_ARRAY(f->allocator, ct_entity, saved->units.count + 1);
    problems[0] = '\0';
    const ct_world_load_desc desc = {.bytes = bytes->items, .problem = note, .units = units};
    if (!ct_saved_world_check(bytes->items, bytes->count, &error) ||
        !ct_world_load(f->world, &desc, &error))
        fail_msg("%s", error.message);
    memset(loaded_units, 0, sizeof(loaded_units));
    for (uint32_t i = 0; i < saved->units.count && i < CT_COUNT_OF(loaded_units); ++i)
        loaded_units[i] = units[i];
    ct_free(f->allocator, units);
}

static inline void assert_same(const world_fixture *f, const ct_byte_array *bytes) {
    ct_byte_array now = save(f);
    assert_true(ct_saved_world_hash(now.items) == ct_saved_world_hash(bytes->items));
    ct_array_free(&now);
}
