// Worlds from damaged saves: whatever the check accepts is loaded without harm, into a new world or into the
// one that was saved, which goes on afterwards and is saved again as something that the check accepts.
//
// The input is edits of a good save of units and levels with graphs of Flow. The first byte: bit 7, the world
// is as it was saved; bits 0 to 4, how many edits. Of 4 bytes each: the position of a word, what to write
// there, a number for that.
#include "flow/flow_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "flow/flow_save.h"
#include "foundation/math/math.h"
#include "save/save_world.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORD, FLOAT, COMPLEMENT, BYTE, NEGATIVE, OTHER_WORD, NUM_EDITS };

static flow_builder b;
static flow_fixture fixture;
static uint8_t *saved;
static uint32_t num_saved;

// --- The world -----------------------------------------------------------------------------------

static void load_resources(void) {
    static const template_entity lamp[] = {
        {.parent = CT_NO_PARENT,
         .name = "lamp",
         .num_meshes = 2,
         .has_light = true,
         .num_nodes = 3},
        {.parent = 0, .position = {{0, 0, 1}}, .has_camera = true},
        {.parent = 1, .position = {{0, 0, 2}}, .num_meshes = 1},
    };
    static const template_entity rocks[] = {{.parent = CT_NO_PARENT, .num_meshes = 1},
                                            {.parent = CT_NO_PARENT, .num_meshes = 1}};
    const ct_level_unit members[] = {
        {.unit = ct_string_id64_of("rock"), .id = {11}, .root = 0},
        {.unit = ct_string_id64_of("rock"), .id = {12}, .root = 1},
    };
    start_graph(&b);
    add_variable(&b, "friend", CT_FLOW_TYPE_UNIT);
    add_variable(&b, "eye", CT_FLOW_TYPE_CAMERA);
    add_variable(&b, "part", CT_FLOW_TYPE_MESH);
    add_variable(&b, "text", CT_FLOW_TYPE_STRING);
    const uint32_t start = add_entry(&b, "external_in_event", "start");
    const uint32_t delay = add_node(&b, "delay");
    give_number(&b, delay, "time", 0.1);
    link_event(&b, start, "out", delay, "in");
    add_note(&b, delay, "out", 1);
    load_graph(&fixture, "graph", &b);
    template_flow = "graph";
    load_unit(&fixture.world, "lamp", lamp, CT_COUNT_OF(lamp));
    template_flow = NULL;
    load_unit(&fixture.world, "rock", rocks, 1);
    level_flow = ct_string_id64_of("graph");
    load_level(&fixture.world, "yard", rocks, 2, members, 2, (ct_string_id64){0});
}

static ct_flow_object *variable(ct_entity e, const char *name) {
    ct_flow_type type;
    return &ct_flow_find_variable(fixture.flow, ct_flow_of_unit(fixture.flow, e),
                                  ct_string_id32_of(name), &type)
                ->object;
}

static void add_parts(ct_entity a, ct_entity c) {
    ct_world *const w = fixture.world.world;
    ct_world_system *const s = fixture.world.system;
    const ct_data_instance data = ct_data_create(ct_world_system_data(s), a, 1);
    const ct_string_id32 tag = ct_string_id32_of("red");
    ct_data_set(ct_world_system_data(s), data, ct_data_key_of_id(ct_string_id32_of("name")),
                ct_data_string("crate", 5), NULL);
    ct_tag_add(ct_world_system_tags(s), &a, 1, tag);
    ct_scene_graph_manager *const graphs = ct_world_scene_graphs(w);
    ct_scene_graph_attach(graphs, c, ct_scene_graph_lookup(graphs, a), 2);
    ct_scene_graph_link(graphs, ct_scene_graph_lookup(graphs, a), 3, 1);
    *variable(a, "friend") = (ct_flow_object){.entity = c.id};
    *variable(a, "eye") = (ct_flow_object){.entity = child_of(w, c, 0).id};
    *variable(a, "part") = (ct_flow_object){.entity = c.id, .part = 1};
    ct_flow_set_variable_text(fixture.flow, ct_flow_of_unit(fixture.flow, a),
                              ct_string_id32_of("text"), "some text");
    ct_flow_global_of(fixture.flow, ct_string_id32_of("shared"), CT_FLOW_TYPE_ENTITY)
        ->value.object.entity = c.id;
    start_event(&fixture, ct_flow_of_unit(fixture.flow, a), "start");
}

static void fill_world(void) {
    ct_world *const w = fixture.world.world;
    ct_error error = {0};
    for (uint32_t i = 0; i < 2; ++i) {
        if (!ct_world_spawn_level(w, "yard", ct_vec3_make(10 * (float)i, 0, 0), ct_quat_identity(),
                                  ct_vec3_make(1, 1, 1), &error)
                 .id)
            abort();
    }
    const ct_entity a = spawn_at(&fixture.world, "lamp", 1, 2, 3);
    add_parts(a, spawn_at(&fixture.world, "lamp", 4, 5, 6));
}

static void begin_run(void) {
    fixture.world.world = ct_world_create(fixture.world.system);
    fixture.flow = ct_flow_world_of(fixture.system, fixture.world.world);
    recorded_now.last_object = recorded_now.last_light = 0; // they have all ended
    recorded_now.takes_any_pose = true;
}

static ct_byte_array save(void) {
    ct_byte_array bytes;
    ct_save_component kinds[CT_FLOW_NUM_SAVE_KINDS];
    ct_flow_save_kinds(fixture.flow, kinds);
    ct_array_init(&bytes, fixture.world.allocator);
    ct_world_save(fixture.world.world, kinds, CT_FLOW_NUM_SAVE_KINDS, &bytes);
    return bytes;
}

static void note_nothing(void *user, const char *text) {
    (void)user;
    if (!text[0])
        abort();
}

static void load(const uint8_t *bytes) {
    const ct_saved_world *const world = (const ct_saved_world *)(const void *)bytes;
    ct_save_component kinds[CT_FLOW_NUM_SAVE_KINDS];
    ct_error error = {0};
    ct_flow_save_kinds(fixture.flow, kinds);
    ct_entity *const units = CT_NEW_ARRAY(fixture.world.allocator, ct_entity, world->units.count);
    const ct_world_load_desc desc = {.bytes = bytes,
                                     .extra = kinds,
                                     .num_extra = CT_FLOW_NUM_SAVE_KINDS,
                                     .problem = note_nothing,
                                     .units = units};
    if (!ct_world_load(fixture.world.world, &desc, &error))
        abort();
    ct_free(fixture.world.allocator, units);
}

// --- The target ----------------------------------------------------------------------------------

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const int failed = test_group_setup(NULL);
    fixture = start_flow();
    load_resources();
    fill_world();
    ct_byte_array bytes = save();
    num_saved = bytes.count;
    saved = malloc(num_saved);
    memcpy(saved, bytes.items, num_saved);
    ct_array_free(&bytes);
    ct_world_destroy(fixture.world.world);
    return failed;
}

static void edit(uint8_t *bytes, const uint8_t data[4]) {
    static const float floats[] = {0, 1, -1, 1e-30f, 1e30f, 0.5f, 1e6f, 3e38f, INFINITY, NAN};
    const uint32_t at = (uint32_t)(data[0] | data[1] << 8) % (num_saved / 4) * 4;
    uint32_t value;
    memcpy(&value, bytes + at, 4);
    switch (data[2] % NUM_EDITS) {
    case WORD:
        value = data[3];
        break;
    case FLOAT:
        memcpy(&value, &floats[data[3] % CT_COUNT_OF(floats)], 4);
        break;
    case COMPLEMENT:
        value = ~value;
        break;
    case BYTE:
        value ^= (uint32_t)data[3] << 8 * (data[2] >> 6);
        break;
    case NEGATIVE:
        value = (uint32_t) - (int32_t)data[3];
        break;
    default: // of another place
        memcpy(&value, bytes + (at + 4 * (uint32_t)data[3]) % (num_saved / 4 * 4), 4);
    }
    memcpy(bytes + at, &value, 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint32_t num_edits = size > 0 ? data[0] % 32u : 0;
    if (size < 1 + 4 * (size_t)num_edits)
        return 0;
    uint8_t *const bytes = malloc(num_saved);
    ct_error error = {0};
    memcpy(bytes, saved, num_saved);
    for (uint32_t i = 0; i < num_edits; ++i)
        edit(bytes, data + 1 + 4 * i);
    if (!ct_saved_world_check(bytes, num_saved, &error)) {
        if (!error.message[0] || num_edits == 0)
            abort();
        free(bytes);
        return 0;
    }
    begin_run();
    if (data[0] & 128)
        fill_world();
    load(bytes);
    for (uint32_t i = 0; i < 3; ++i)
        ct_world_advance(fixture.world.world, 0.05);
    ct_byte_array again = save();
    if (!ct_saved_world_check(again.items, again.count, &error))
        abort();
    ct_array_free(&again);
    ct_world_destroy(fixture.world.world);
    free(bytes);
    return 0;
}
