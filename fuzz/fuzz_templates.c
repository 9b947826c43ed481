// Units and levels: whatever their validators accept is spawned, in several copies and over several
// steps, moved, reloaded and ended without harm, and leaves nothing behind; what they refuse spawns
// nothing.
//
// What is altered are blobs that the compiler made of sources that have components of all types. The
// first byte picks one, the second how much is cut off its end, the third what is done with it; then
// come edits of four bytes: a word, and how it changes.
#include <stdlib.h>
#include <string.h>

#include "compiler/project_support.h"
#include "foundation/math/math.h"
#include "foundation/string/string_builder.h"
#include "resource/blob/content_hash.h"
#include "world/world_environment.h"
#include "world/world_fixture.h"
#include "world/world_level_members.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NUM_LEVEL_UNITS = 40, NUM_STEPS = 6, NUM_ORIGINALS = 4 };

static world_fixture world;

// Blobs as the compiler made them.
static struct {
    const char *type, *name;
    ct_byte_array blob;
} originals[NUM_ORIGINALS] = {
    {"unit", "all", {0}}, {"unit", "lamp", {0}}, {"level", "yard", {0}}, {"level", "post", {0}}};

// --- What is altered -----------------------------------------------------------------------------

static const char lamp[] =
    "components = [ { id = \"t\" type = \"transform\" position = [0 0 1] }\n"
    "  { id = \"l\" type = \"light\" light_type = \"point\" }\n"
    "  { id = \"n\" type = \"debug_name\" name = \"lamp\" }\n"
    "  { id = \"g\" type = \"tag\" tags = [\"lamp\" \"bright\"] }\n"
    "  { id = \"d\" type = \"data\" values = { power = 5 state = { is_on = true } } } ]";

static const char all[] =
    "components = [ { id = \"t\" type = \"transform\" scale = [2 2 2] }\n"
    "  { id = \"s\" type = \"scene_graph\" nodes = [ { id = \"1\" name = \"n1\" }\n"
    "    { id = \"2\" name = \"n2\" parent = \"n1\" position = [1 0 0] } ] }\n"
    "  { id = \"m\" type = \"mesh\" mesh = \"m\" materials = [\"a\" \"b\"] node = \"n2\" }\n"
    "  { id = \"c\" type = \"camera\" node = \"n1\" } { id = \"l\" type = \"light\" }\n"
    "  { id = \"n\" type = \"debug_name\" name = \"all\" }\n"
    "  { id = \"g\" type = \"tag\" tags = [\"lamp\" \"enemy\" \"big\"] }\n"
    "  { id = \"d\" type = \"data\" values = { text = \"some words\" path = [1 2 3 4] } }\n"
    "  { id = \"e\" type = \"data\" values = { other = { a = 1 b = \"c\" } } }\n"
    "  { id = \"a\" type = \"actor\" node = \"n1\" body = \"dynamic\" shapes = [\n"
    "    { id = \"1\" type = \"box\" } { id = \"2\" type = \"capsule\" position = [0 0 1] } ] }\n"
    "  { id = \"r\" type = \"trigger\" shapes = [ { id = \"1\" type = \"sphere\" } ] }\n"
    "  { id = \"v\" type = \"mover\" }\n"
    "  { id = \"w\" type = \"render_data\" values = { wet = 0.5 } colors = { tint = [1 0 0] } }\n"
    "  { id = \"x\" type = \"script\" script = \"s\" } ]\n"
    "children = [ { id = \"1\" unit = \"lamp\" position = [3 0 0] }\n"
    "  { id = \"2\" unit = \"lamp\" overrides = [ { id = \"g\" tags = [\"lamp\"] } ] } ]";

static void write_sources(const char *folder) {
    write_text(folder, "lamp.unit", lamp);
    write_text(folder, "all.unit", all);
    write_text(folder, "post.level", "units = [ { id = \"0\" unit = \"all\" } ]");
    CT_CLEANUP(ct_string_builder_free) ct_string_builder yard;
    ct_string_builder_init(&yard, test_heap());
    ct_string_builder_add(&yard, "units = [");
    for (uint32_t i = 0; i < NUM_LEVEL_UNITS; ++i)
        ct_string_builder_addf(&yard, " { id = \"%u\" unit = \"%s\" position = [%u 0 0] }\n", i,
                               i % 8 ? "lamp" : "all", i);
    ct_string_builder_add(&yard, "]\n"
                                 "volumes = [ { id = \"1\" name = \"box\" purpose = \"fog\"\n"
                                 "    environment = \"dusk\" environment_fade = 9 }\n"
                                 "  { id = \"2\" name = \"tent\" type = \"convex\"\n"
                                 "    points = [ [0 0 0] [3 0 0] [0 3 0] [0 0 3] ] } ]\n"
                                 "splines = [ { id = \"1\" name = \"path\"\n"
                                 "  points = [ [0 0 0] [1 2 0] [5 2 1] ] } ]\n"
                                 "markers = [ { id = \"1\" name = \"start\" } ]");
    write_text(folder, "yard.level", ct_string_builder_text(&yard));
}

static void compile_originals(void) {
    const char *const folder = test_scratch_folder();
    write_sources(folder);
    for (uint32_t i = 0; i < NUM_ORIGINALS; ++i) {
        ct_compile_answer answer = compile_file(folder, originals[i].type, originals[i].name);
        expect_blob(&answer, originals[i].type);
        ct_array_init(&originals[i].blob, test_heap());
        ct_array_push_many(&originals[i].blob, answer.blob.items, answer.blob.count);
        ct_compile_answer_free(&answer);
    }
}

// Changes a word: one byte, to a large number, to another word of the blob, or by one bit.
static void edit(uint8_t *bytes, uint32_t num_words, const uint8_t how[4]) {
    const uint32_t word = (uint32_t)(how[0] | (how[1] & 63) << 8) % num_words;
    uint32_t value;
    memcpy(&value, bytes + word * 4, 4);
    switch (how[1] >> 6) {
    case 0:
        value = (value & 0xffffff00u) | how[3];
        break;
    case 1:
        value = ~(uint32_t)how[3];
        break;
    case 2:
        memcpy(&value, bytes + (how[2] | (uint32_t)how[3] << 8) % num_words * 4, 4);
        break;
    default:
        value ^= 1u << how[3] % 32;
        break;
    }
    memcpy(bytes + word * 4, &value, 4);
}

// Makes the header of what was altered right.
static void seal(ct_blob_header *header, uint32_t num_bytes) {
    header->size_bytes = num_bytes;
    header->checksum = ct_content_hash(header + 1, num_bytes - sizeof(*header));
}

// --- Spawning ------------------------------------------------------------------------------------

// Loads a blob as the resource "fuzz", in place of the last of its type.
static void load(const char *type, const void *blob, size_t blob_bytes) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    const ct_resource_id id = ct_resource_id_of(type, "fuzz");
    ct_error error = {0};
    ct_resource_file_name(id, file_name);
    ct_path_join(path, world.folder, file_name);
    if (!ct_file_write(path, blob, blob_bytes, false, &error))
        fail_msg("%s", error.message);
    if (ct_resource_manager_get_id(world.resources, id))
        assert_int_equal(ct_resource_manager_reload(world.resources, &id, 1), 1);
    else if (!ct_resource_manager_load_now(world.resources, type, "fuzz", &error))
        fail_msg("%s", error.message);
}

static uint64_t frame;

static void advance(ct_world *w) {
    ct_resource_manager_update(world.resources, ++frame);
    ct_resource_manager_retire(world.resources, frame);
    ct_world_advance(w, 1.0 / 60);
}

// Moves all roots, so that readers of what moved have something to read.
static void move_units(ct_world *w) {
    ct_transform_manager *const m = ct_world_transforms(w);
    uint32_t count;
    const ct_entity *const units = ct_world_units(w, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_transform t = ct_transform_lookup(m, units[i]);
        if (t.index)
            ct_transform_set_local_position(m, t, ct_vec3_make((float)i, 1, 0));
    }
}

static void spawn_units(ct_world *w, uint32_t num_copies) {
    static const ct_vec3 positions[4] = {{{1, 2, 3}}, {{4, 5, 6}}, {{7, 8, 9}}, {{-1, 0, 0}}};
    ct_entity units[4];
    ct_error error = {0};
    if (!ct_world_spawn_units(w, "fuzz", positions, NULL, NULL, num_copies, units, &error)) {
        assert_true(error.message[0] != '\0');
        assert_int_equal(ct_world_system_num_entities(world.system), 0);
        return;
    }
    advance(w);
    move_units(w);
    advance(w);
    ct_world_destroy_units(w, &units[num_copies - 1], 1);
    advance(w);
}

static void count_line(void *user, ct_vec4 color, ct_vec3 from, ct_vec3 to) {
    (void)color, (void)from, (void)to;
    ++*(uint64_t *)user;
}

// Asks the volumes and splines of a level.
static void use_members(const ct_world *w, ct_level level) {
    const ct_level_member_list all_volumes = ct_level_members_of(w, level, CT_LEVEL_MEMBER_VOLUME);
    const ct_level_member_list all_splines = ct_level_members_of(w, level, CT_LEVEL_MEMBER_SPLINE);
    const ct_world_volume *const volumes = all_volumes.items;
    const ct_world_spline *const splines = all_splines.items;
    ct_random r = ct_random_seeded(1, 0);
    ct_vec3 p = {{1, 2, 3}};
    for (uint32_t i = 0; i < all_volumes.count && i < 4; ++i) {
        if (ct_volume_random_point(&volumes[i].shape, &r, &p))
            assert_true(ct_volume_contains(&volumes[i].shape, p));
        ct_volume_bounds(&volumes[i].shape);
        const float distance = ct_volume_distance(&volumes[i].shape, ct_vec3_make(9, 9, 9), 50);
        assert_true(distance >= 0 && distance <= 50);
    }
    ct_render_environment_value values[CT_RENDER_MAX_SETTINGS];
    assert_int_equal(ct_world_environment_values(w, NULL, p, values), 0); // none is loaded
    for (uint32_t i = 0; i < all_splines.count && i < 4; ++i)
        ct_spline_at(&splines[i].curve, ct_spline_nearest(&splines[i].curve, p).distance);
    uint64_t num_lines = 0;
    ct_level_member_lines(w, level, count_line, &num_lines);
}

// `bits`: whether it is spawned gradually, and what happens to it then at a step.
static void spawn_level(ct_world *w, uint8_t bits, uint32_t original) {
    const ct_vec3 position = ct_vec3_make(1, 2, 3), scale = ct_vec3_make(1, 1, 1);
    ct_error error = {0};
    const ct_level level =
        bits & 1 ? ct_world_spawn_level_gradually(w, "fuzz", position, ct_quat_identity(), scale, 0,
                                                  &error)
                 : ct_world_spawn_level(w, "fuzz", position, ct_quat_identity(), scale, &error);
    if (!ct_level_is_alive(w, level)) {
        assert_true(error.message[0] != '\0');
        assert_int_equal(ct_world_system_num_entities(world.system), 0);
        return;
    }
    use_members(w, level);
    for (uint32_t step = 0; step < NUM_STEPS; ++step) {
        const bool is_time = step == (bits >> 4) % NUM_STEPS;
        if (is_time && (bits & 2))
            ct_world_destroy_level(w, level);
        if (is_time && (bits & 4))
            load("level", originals[original].blob.items, originals[original].blob.count);
        if (is_time && (bits & 8))
            return; // the world ends in the middle
        advance(w);
        move_units(w);
    }
}

static void spawn(uint32_t original, const void *blob, size_t blob_bytes, uint8_t bits) {
    const char *const type = originals[original].type;
    load(type, blob, blob_bytes);
    ct_world *const w = ct_world_create(world.system);
    if (strcmp(type, "unit") == 0)
        spawn_units(w, 1 + bits % 4);
    else
        spawn_level(w, bits, original);
    ct_world_destroy(w);
    assert_int_equal(recorded()->num_objects + recorded()->num_lights, 0);
    assert_int_equal(ct_world_system_num_entities(world.system), 0);
    recorded()->last_object = recorded()->last_light = 0; // none is left
    ct_world_advance(world.world, 1.0 / 60); // collects names, data and tags of the dead
    ct_resource_manager_update(world.resources, ++frame);
    ct_resource_manager_retire(world.resources, frame);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    test_group_setup(NULL);
    world = start_world();
    compile_originals();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 3)
        return 0;
    const uint32_t original = data[0] % NUM_ORIGINALS;
    const ct_byte_array *const made = &originals[original].blob;
    const uint32_t cut = data[1] < 128 ? 0 : (data[1] - 127u) * (data[1] - 127u);
    const uint32_t most = made->count - (uint32_t)sizeof(ct_blob_header);
    const uint32_t num_bytes = made->count - (cut < most ? cut : most);
    // A block of exactly the blob's size, so that a read past the end is seen.
    void *blob = NULL;
    if (posix_memalign(&blob, CT_BLOB_ALIGN, num_bytes) != 0)
        abort();
    memcpy(blob, made->items, num_bytes);
    uint8_t *const behind = (uint8_t *)((ct_blob_header *)blob + 1);
    const uint32_t num_words = (num_bytes - (uint32_t)sizeof(ct_blob_header)) / 4;
    for (size_t i = 3; num_words > 0 && i + 4 <= size; i += 4)
        edit(behind, num_words, data + i);
    seal(blob, num_bytes);
    ct_error error = {0};
    const ct_resource_type *const type = ct_resource_type_named(originals[original].type);
    if (type->validate(blob, &error))
        spawn(original, blob, num_bytes, data[2]);
    else if (error.message[0] == 0)
        abort(); // a refusal says why
    free(blob);
    return 0;
}
