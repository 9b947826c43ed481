// The transforms of FBX nodes, from text and from binary files: orders of rotation, pivots, what is
// inherited; cameras and lights at nodes; damaged files.
#include "compiler/types/fbx/worker_fbx_nodes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/types/fbx/worker_fbx_check.h"
#include "compiler/types/fbx/worker_fbx_views.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/string/string_builder.h"
#include "support/test_support.h"

// --- Files ---------------------------------------------------------------------------------------

typedef struct fbx_file {
    ct_string_builder objects, connections;
    const char *definitions;
    uint32_t count; // of models
} fbx_file;

static fbx_file make(void) {
    fbx_file f = {.definitions = ""};
    ct_string_builder_init(&f.objects, test_heap());
    ct_string_builder_init(&f.connections, test_heap());
    return f;
}

// Adds a model; ids count from 1, 0 is the scene.
static uint32_t add_model(fbx_file *f, uint32_t parent, const char *name, const char *properties) {
    const uint32_t id = ++f->count;
    ct_string_builder_addf(&f->objects,
                           "Model: %u, \"Model::%s\", \"Mesh\" {\n Version: 232\n "
                           "Properties70: {\n%s }\n}\n",
                           id, name, properties);
    ct_string_builder_addf(&f->connections, " C: \"OO\",%u,%u\n", id, parent);
    return id;
}

static void add_attribute(fbx_file *f, uint32_t id, uint32_t model, const char *type,
                          const char *properties) {
    ct_string_builder_addf(&f->objects,
                           "NodeAttribute: %u, \"NodeAttribute::\", \"%s\" {\n"
                           "Properties70: {\n%s }\n}\n",
                           id, type, properties);
    ct_string_builder_addf(&f->connections, " C: \"OO\",%u,%u\n", id, model);
}

// Frees `f`.
static ct_string_builder text_of(fbx_file *f) {
    ct_string_builder b;
    ct_string_builder_init(&b, test_heap());
    ct_string_builder_addf(&b, "; FBX 7.3.0 project file\nDefinitions:  {\n%s}\nObjects:  {\n%s}\n",
                           f->definitions, ct_string_builder_text(&f->objects));
    ct_string_builder_addf(&b, "Connections:  {\n%s}\n", ct_string_builder_text(&f->connections));
    ct_string_builder_free(&f->objects);
    ct_string_builder_free(&f->connections);
    return b;
}

static void add_number(ct_byte_array *b, uint64_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i)
        ct_array_push(b, (uint8_t)(value >> (8 * i)));
}

static void add_bytes(ct_byte_array *b, const char *bytes, uint64_t count) {
    ct_array_push_many(b, (const uint8_t *)bytes, (uint32_t)count);
}

// A string as binary files have it: "Model::name" is "name\0\1Model". A number is a double, one
// without a point an id.
static void add_value(ct_byte_array *b, ct_worker_fbx_value value) {
    if (value.type == 'S') {
        const char *const end = value.bytes + value.num_bytes;
        const char *const colons = memmem(value.bytes, value.num_bytes, "::", 2);
        add_bytes(b, "S", 1);
        add_number(b, value.num_bytes, 4);
        if (colons) {
            add_bytes(b, colons + 2, (uint64_t)(end - colons) - 2);
            add_bytes(b, "\0\1", 2);
        }
        add_bytes(b, value.bytes, (uint64_t)((colons ? colons : end) - value.bytes));
        return;
    }
    double number = 0;
    uint64_t bits, id = 0;
    assert_true(ct_worker_fbx_number_of(value, &number));
    const bool is_id = !memchr(value.bytes, '.', value.num_bytes) && number >= 0;
    ct_worker_fbx_id_of(value, &id);
    memcpy(&bits, &number, sizeof(bits));
    add_bytes(b, is_id ? "L" : "D", 1);
    add_number(b, is_id ? id : bits, 8);
}

static void add_records(ct_byte_array *b, const ct_worker_fbx_records *records, uint32_t first,
                        uint32_t end, uint32_t word) {
    for (uint32_t i = first; i < end; i = records->items.items[i].end) {
        const ct_worker_fbx_record *const r = &records->items.items[i];
        const uint32_t at = b->count;
        add_number(b, 0, word);
        add_number(b, r->num_values, word);
        add_number(b, 0, word);
        add_number(b, r->name_bytes, 1);
        add_bytes(b, r->name, r->name_bytes);
        const uint32_t values = b->count;
        for (uint32_t k = 0; k < r->num_values; ++k)
            add_value(b, ct_worker_fbx_value_of(records, r, k));
        const uint64_t values_bytes = b->count - values;
        if (r->end > i + 1) {
            add_records(b, records, i + 1, r->end, word);
            add_number(b, 0, 3 * word < 8 ? 3 * word : 8); // the end of the list
            for (uint32_t k = 8; k < 3 * word + 1; ++k)
                add_number(b, 0, 1);
        }
        for (uint32_t k = 0; k < word; ++k) {
            b->items[at + k] = (uint8_t)(k < 8 ? (uint64_t)b->count >> (8 * k) : 0);
            b->items[at + 2 * word + k] = (uint8_t)(k < 8 ? values_bytes >> (8 * k) : 0);
        }
    }
}

// The same file in binary, with a zero behind it; `word` bytes an offset.
static ct_byte_array binary_of(const ct_string_builder *text, uint32_t word) {
    CT_TEMP_ALLOCATOR(temp, test_heap());
    ct_byte_array b;
    ct_worker_fbx_records records;
    ct_error error = {0};
    ct_array_init(&b, test_heap());
    if (!ct_worker_fbx_records_read(temp, text->text, text->length, &records, &error))
        fail_msg("%s", error.message);
    add_bytes(&b, "Kaydara FBX Binary  \0\x1a\0", 23);
    add_number(&b, word == 8 ? 7500 : 7400, 4);
    add_records(&b, &records, 0, records.items.count, word);
    add_number(&b, 0, 1);
    return b;
}

// --- Scenes --------------------------------------------------------------------------------------

typedef struct fbx_case {
    ct_allocator *allocator;
    ct_compile c;
    ct_worker_scene scene;
    ct_worker_fbx_records records;
    ct_worker_fbx_objects objects;
    ct_u32_array models;
    ct_error error;
} fbx_case;

// Reads the nodes, cameras, lights and warnings of a file.
static bool read(fbx_case *t, const char *bytes, uint64_t size_bytes) {
    ct_allocator *const a = t->allocator;
    t->c = (ct_compile){.allocator = a};
    t->scene = (ct_worker_scene){.path = "a.fbx"};
    ct_array_init(&t->scene.nodes, a);
    ct_array_init(&t->scene.cameras, a);
    ct_array_init(&t->scene.lights, a);
    ct_array_init(&t->scene.warnings, a);
    ct_array_init(&t->models, a);
    if (!ct_worker_fbx_records_read(a, bytes, size_bytes, &t->records, &t->error) ||
        !ct_worker_fbx_check(a, &t->records, &t->error))
        return false;
    ct_worker_fbx_objects_read(a, &t->records, &t->objects);
    if (!ct_worker_fbx_add_nodes(&t->c, &t->objects, &t->scene, &t->models, &t->error))
        return false;
    ct_worker_fbx_add_views(&t->c, &t->objects, &t->models, &t->scene);
    ct_worker_fbx_warn_of_objects(&t->c, &t->objects, &t->scene);
    return true;
}

// Calls `check` with what the file reads as: text, and binary with both sizes of offsets. Frees
// `f`.
static void in_all_forms(fbx_file *f, void (*check)(const ct_worker_scene *scene)) {
    ct_string_builder text = text_of(f);
    for (uint32_t word = 0; word <= 8; word += 4) {
        CT_TEMP_ALLOCATOR(temp, test_heap());
        fbx_case t = {.allocator = temp};
        ct_byte_array b = {.allocator = test_heap()};
        if (word > 0)
            b = binary_of(&text, word);
        assert_true(word > 0 ? read(&t, (const char *)b.items, b.count - 1)
                             : read(&t, text.text, text.length));
        check(&t.scene);
        ct_array_free(&b);
    }
    ct_string_builder_free(&text);
}

static ct_worker_matrix world_of(const ct_worker_scene *scene, uint32_t node) {
    ct_worker_matrix m = scene->nodes.items[node].local;
    for (uint32_t i = scene->nodes.items[node].parent; i != CT_WORKER_SCENE_NO_NODE;
         i = scene->nodes.items[i].parent)
        m = ct_worker_matrix_multiply(&scene->nodes.items[i].local, &m);
    return m;
}

static void expect_point(const ct_worker_matrix *m, const float from[3], const float to[3]) {
    float found[3];
    ct_worker_matrix_apply(m, from, 1, found);
    for (uint32_t i = 0; i < 3; ++i) {
        if (!(fabsf(found[i] - to[i]) < 1e-5f))
            fail_msg("found %g %g %g, expected %g %g %g", (double)found[0], (double)found[1],
                     (double)found[2], (double)to[0], (double)to[1], (double)to[2]);
    }
}

#define POINT(x, y, z) ((const float[3]){x, y, z})

static void expect_warnings(const ct_worker_scene *scene, const char *warning) {
    const uint32_t count = scene->warnings.count;
    if (count != (warning ? 1 : 0) || (warning && strcmp(scene->warnings.items[0], warning) != 0))
        fail_msg("found %u warnings: %s", count, count ? scene->warnings.items[0] : "");
}

// --- Rotations -----------------------------------------------------------------------------------

// A quarter about x makes (1, 2, 3) to (1, -3, 2), one about y to (3, 2, -1), one about z to
// (-2, 1, 3).
static const float in_orders[6][3] = {{3, 2, -1}, {2, 1, -3}, {-2, 1, 3},
                                      {-1, 3, 2}, {1, -3, 2}, {3, -2, 1}};
static uint32_t current_order;

static void check_order(const ct_worker_scene *scene) {
    const ct_worker_scene_node *const nodes = scene->nodes.items;
    assert_int_equal(scene->nodes.count, 4);
    expect_point(&nodes[0].local, POINT(1, 2, 3), in_orders[current_order]);
    // These have no order but x, y, z.
    expect_point(&nodes[1].geometry, POINT(1, 2, 3), in_orders[0]);
    expect_point(&nodes[1].local, POINT(1, 2, 3), POINT(1, 2, 3));
    expect_point(&nodes[2].local, POINT(1, 2, 3), in_orders[0]);
    expect_point(&nodes[3].local, in_orders[0], POINT(1, 2, 3));
    expect_warnings(scene, NULL);
}

static void only_a_nodes_own_rotation_has_an_order(void **state) {
    (void)state;
    static const char *const rotations[] = {"Lcl Rotation", "GeometricRotation", "PreRotation",
                                            "PostRotation"};
    for (current_order = 0; current_order < 6; ++current_order) {
        fbx_file f = make();
        for (uint32_t i = 0; i < CT_COUNT_OF(rotations); ++i) {
            char text[256];
            snprintf(text, sizeof(text),
                     " P: \"RotationOrder\", \"enum\", \"\", \"\",%u\n"
                     " P: \"%s\", \"Vector3D\", \"Vector\", \"\",90.0,90.0,90.0\n",
                     current_order, rotations[i]);
            add_model(&f, 0, rotations[i], text);
        }
        in_all_forms(&f, check_order);
    }
}

static void check_unknown_order(const ct_worker_scene *scene) {
    expect_point(&scene->nodes.items[0].local, POINT(1, 2, 3), in_orders[0]);
    expect_warnings(scene, "node \"a\" has the RotationOrder 6, which is read as 0");
}

static void reads_an_unknown_order_as_x_y_z(void **state) {
    (void)state;
    fbx_file f = make();
    add_model(&f, 0, "a",
              " P: \"RotationOrder\", \"enum\", \"\", \"\",6\n"
              " P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",90.0,90.0,90.0\n");
    in_all_forms(&f, check_unknown_order);
}

// Scaled by 2 about (1, 0, 0), moved by 10; then turned about (0, 1, 0), moved by 100; then moved.
static void check_pivots(const ct_worker_scene *scene) {
    // (2, 0, 0) to (3, 0, 0), (13, 0, 0); from the pivot (13, -1, 0), turned (1, 13, 0), back
    // (1, 14, 0), (101, 14, 0), and (101, 14, 1000).
    expect_point(&scene->nodes.items[0].local, POINT(2, 0, 0), POINT(101, 14, 1000));
    expect_point(&scene->nodes.items[0].geometry, POINT(1, 1, 1), POINT(3, 2, 5));
}

static void moves_about_all_pivots(void **state) {
    (void)state;
    fbx_file f = make();
    add_model(&f, 0, "a",
              " P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",2.0,2.0,2.0\n"
              " P: \"ScalingPivot\", \"Vector3D\", \"Vector\", \"\",1.0,0.0,0.0\n"
              " P: \"ScalingOffset\", \"Vector3D\", \"Vector\", \"\",10.0,0.0,0.0\n"
              " P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",0.0,0.0,90.0\n"
              " P: \"RotationPivot\", \"Vector3D\", \"Vector\", \"\",0.0,1.0,0.0\n"
              " P: \"RotationOffset\", \"Vector3D\", \"Vector\", \"\",100.0,0.0,0.0\n"
              " P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0.0,0.0,1000.0\n"
              " P: \"GeometricTranslation\", \"Vector3D\", \"Vector\", \"\",5.0,0.0,0.0\n"
              " P: \"GeometricRotation\", \"Vector3D\", \"Vector\", \"\",0.0,0.0,90.0\n"
              " P: \"GeometricScaling\", \"Vector3D\", \"Vector\", \"\",2.0,2.0,5.0\n");
    in_all_forms(&f, check_pivots);
}

// --- Inheritance ---------------------------------------------------------------------------------

#define SCALE(x, y, z) " P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\"," #x "," #y "," #z "\n"
#define TURN_Z " P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",0.0,0.0,90.0\n"
#define MOVE_X " P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",1.0,0.0,0.0\n"
#define INHERIT(type) " P: \"InheritType\", \"enum\", \"\", \"\"," #type "\n"

// The parent is scaled by 2 along x. Its children stand at x = 1, so at 2 in the scene, and are
// turned by a quarter about z: (x, y, z) to (-y, x, z).
static void check_inherit_types(const ct_worker_scene *scene) {
    assert_int_equal(scene->nodes.count, 4);
    const ct_worker_matrix rrss = world_of(scene, 1), rsrs = world_of(scene, 2),
                           rrs = world_of(scene, 3);
    // Scaled, then turned: (1, 0, 0) to (2, 0, 0), (0, 2, 0).
    expect_point(&rrss, POINT(1, 0, 0), POINT(2, 2, 0));
    expect_point(&rrss, POINT(0, 1, 0), POINT(1, 0, 0));
    // Turned, then scaled: (0, 1, 0) to (-1, 0, 0), (-2, 0, 0).
    expect_point(&rsrs, POINT(1, 0, 0), POINT(2, 1, 0));
    expect_point(&rsrs, POINT(0, 1, 0), POINT(0, 0, 0));
    // Only turned: the scale is the parent's own.
    expect_point(&rrs, POINT(1, 0, 0), POINT(2, 1, 0));
    expect_point(&rrs, POINT(0, 1, 0), POINT(1, 0, 0));
    expect_warnings(scene, NULL);
}

static void inherits_scale_as_the_node_says(void **state) {
    (void)state;
    fbx_file f = make();
    add_model(&f, 0, "parent", SCALE(2.0, 1.0, 1.0));
    add_model(&f, 1, "rrss", TURN_Z MOVE_X); // without a word
    add_model(&f, 1, "rsrs", TURN_Z MOVE_X INHERIT(1));
    add_model(&f, 1, "rrs", TURN_Z MOVE_X INHERIT(2));
    in_all_forms(&f, check_inherit_types);
}

// A turned parent, scaled by 2 along x, has a child at x = 1, so at (2, 0, 0) in its axes and
// (0, 2, 0) in the scene. That inherits the scale and is turned, so (1, 0, 0) is scaled to
// (2, 0, 0), turned twice to (-2, 0, 0). Its own child has no rotation, scale or place, but one
// more level to inherit through.
static void check_turned_parents(const ct_worker_scene *scene) {
    for (uint32_t i = 1; i < 3; ++i) {
        const ct_worker_matrix world = world_of(scene, i);
        expect_point(&world, POINT(1, 0, 0), POINT(-2, 2, 0));
        expect_point(&world, POINT(0, 1, 0), POINT(0, 1, 0));
    }
    // Of the scales 2 along x and 3 along y above it, it leaves out that of its parent.
    const ct_worker_matrix rrs = world_of(scene, 5);
    expect_point(&rrs, POINT(1, 0, 0), POINT(0, 2, 0));
    expect_point(&rrs, POINT(0, 1, 0), POINT(-1, 0, 0));
}

static void inherits_through_turned_parents(void **state) {
    (void)state;
    fbx_file f = make();
    const uint32_t parent = add_model(&f, 0, "parent", TURN_Z SCALE(2.0, 1.0, 1.0));
    const uint32_t child = add_model(&f, parent, "child", TURN_Z MOVE_X INHERIT(0));
    add_model(&f, child, "grandchild", INHERIT(0));
    const uint32_t first = add_model(&f, 0, "first", SCALE(2.0, 1.0, 1.0));
    const uint32_t second = add_model(&f, first, "second", SCALE(1.0, 3.0, 1.0) INHERIT(1));
    add_model(&f, second, "third", TURN_Z INHERIT(2));
    in_all_forms(&f, check_turned_parents);
}

static void check_uniform_parents(const ct_worker_scene *scene) {
    const ct_worker_matrix *const a = &scene->nodes.items[1].local;
    const ct_worker_matrix *const b = &scene->nodes.items[2].local;
    assert_memory_equal(a, b, sizeof(*a));
}

static void inherits_an_even_scale_alike(void **state) {
    (void)state;
    fbx_file f = make();
    add_model(&f, 0, "parent", SCALE(2.5, 2.5, 2.5));
    add_model(&f, 1, "rrss", TURN_Z MOVE_X INHERIT(0));
    add_model(&f, 1, "rsrs", TURN_Z MOVE_X INHERIT(1));
    in_all_forms(&f, check_uniform_parents);
}

static void check_flat_parent(const ct_worker_scene *scene) {
    expect_point(&scene->nodes.items[1].local, POINT(1, 0, 0), POINT(1, 1, 0));
    expect_warnings(scene, "node \"child\" has a flat parent, so its InheritType is left out");
}

static void warns_of_flat_parents(void **state) {
    (void)state;
    fbx_file f = make();
    add_model(&f, 0, "parent", SCALE(0.0, 1.0, 1.0));
    add_model(&f, 1, "child", TURN_Z MOVE_X INHERIT(0));
    in_all_forms(&f, check_flat_parent);
}

// --- Files ---------------------------------------------------------------------------------------

static void check_template(const ct_worker_scene *scene) {
    expect_point(&scene->nodes.items[0].local, POINT(1, 2, 3), in_orders[5]);
    expect_point(&scene->nodes.items[1].local, POINT(1, 2, 3), in_orders[1]);
}

static void takes_what_a_model_leaves_out_from_the_template(void **state) {
    (void)state;
    static const char turn[] =
        " P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",90.0,90.0,90.0\n";
    fbx_file f = make();
    f.definitions = "ObjectType: \"Model\" {\n PropertyTemplate: \"FbxNode\" {\n Properties70: {\n"
                    " P: \"RotationOrder\", \"enum\", \"\", \"\",5\n }\n }\n}\n";
    char text[256];
    snprintf(text, sizeof(text), "%s P: \"RotationOrder\", \"enum\", \"\", \"\",1\n", turn);
    add_model(&f, 0, "a", turn);
    add_model(&f, 0, "b", text);
    in_all_forms(&f, check_template);
}

static void expect_error(fbx_file *f, const char *message) {
    CT_TEMP_ALLOCATOR(temp, test_heap());
    fbx_case t = {.allocator = temp};
    ct_string_builder text = text_of(f);
    assert_false(read(&t, text.text, text.length));
    assert_string_equal(t.error.message, message);
    ct_string_builder_free(&text);
}

// Assimp makes a node of a model for each of its parents, however many that are in all.
static void counts_nodes_before_they_are_made(void **state) {
    (void)state;
    fbx_file f = make();
    for (uint32_t i = 0; i < 60; ++i) {
        add_model(&f, i, "a", "");
        ct_string_builder_addf(&f.connections, " C: \"OO\",%u,%u\n", i + 1, i);
    }
    expect_error(&f, "has too many nodes; expected at most 65536");
    f = make();
    for (uint32_t i = 0; i < 300; ++i)
        add_model(&f, i, "a", "");
    expect_error(&f, "nodes are nested more than 256 deep");
}

static void refuses_transforms_that_are_no_numbers(void **state) {
    (void)state;
    fbx_file f = make();
    add_model(&f, 0, "a", SCALE(1e60, 1.0, 1.0));
    expect_error(&f, "the transform of node \"a\" has values that are not finite numbers");
}

static void check_equal_names(const ct_worker_scene *scene) {
    static const struct {
        const char *name;
        uint32_t parent;
        float x;
    } wanted[] = {{"x", CT_WORKER_SCENE_NO_NODE, 1},
                  {"x", 0, 2},
                  {"", 1, 3},
                  {"x", CT_WORKER_SCENE_NO_NODE, 4}};
    assert_int_equal(scene->nodes.count, CT_COUNT_OF(wanted));
    for (uint32_t i = 0; i < CT_COUNT_OF(wanted); ++i) {
        const ct_worker_scene_node *const n = &scene->nodes.items[i];
        assert_string_equal(n->name, wanted[i].name);
        assert_int_equal(n->parent, wanted[i].parent);
        expect_point(&n->local, POINT(0, 0, 0), POINT(wanted[i].x, 0, 0));
    }
}

static void tells_nodes_of_one_name_apart(void **state) {
    (void)state;
    fbx_file f = make();
    static const struct {
        uint32_t parent;
        const char *name;
    } models[] = {{0, "x"}, {1, "x"}, {2, ""}, {0, "x"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(models); ++i) {
        char text[128];
        snprintf(text, sizeof(text),
                 " P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",%u.0,0.0,0.0\n", i + 1);
        add_model(&f, models[i].parent, models[i].name, text);
    }
    in_all_forms(&f, check_equal_names);
}

// --- Cameras and lights --------------------------------------------------------------------------

#define NUMBER(name, value) " P: \"" name "\", \"Number\", \"\", \"A\"," #value "\n"

static void expect_fov(const ct_worker_scene *scene, uint32_t camera, double degrees) {
    const double found = (double)scene->cameras.items[camera].vertical_fov * 57.29577951308232;
    if (!(fabs(found - degrees) < 0.01))
        fail_msg("camera %u has %g degrees, expected %g", camera, found, degrees);
}

static void check_cameras(const ct_worker_scene *scene) {
    assert_int_equal(scene->cameras.count, 6);
    expect_fov(scene, 0, 30);      // FieldOfViewY
    expect_fov(scene, 1, 53.1301); // 2 atan(tan(45 degrees) / 2)
    expect_fov(scene, 2, 90);      // FieldOfView
    expect_fov(scene, 3, 53.1301); // 2 atan(1 inch / 2 / 25.4 mm)
    expect_fov(scene, 4, 28.0725); // the width of 1 inch is half as high in the picture
    expect_fov(scene, 5, 25.115);
    const ct_worker_camera *const c = scene->cameras.items;
    assert_true(c[0].near_range == 0.5f && c[0].far_range == 50);
    assert_true(c[5].near_range == 10 && c[5].far_range == 4000);
    assert_true(c[1].far_range == 0); // infinite
    expect_warnings(scene, "camera \"c5\" is orthographic; it is read with perspective");
}

static void reads_the_angles_of_cameras(void **state) {
    (void)state;
#define WIDE NUMBER("AspectWidth", 200.0) NUMBER("AspectHeight", 100.0)
    static const char *const cameras[] = {
        WIDE NUMBER("ApertureMode", 0) NUMBER("FieldOfViewY", 30.0) NUMBER("FieldOfView", 90.0)
            NUMBER("NearPlane", 0.5) NUMBER("FarPlane", 50.0),
        WIDE NUMBER("ApertureMode", 1) NUMBER("FieldOfView", 90.0) NUMBER("FarPlane", 1.0e99),
        WIDE NUMBER("ApertureMode", 2) NUMBER("FieldOfView", 90.0),
        WIDE NUMBER("ApertureMode", 3) NUMBER("FocalLength", 25.4) NUMBER("FilmHeight", 1.0),
        WIDE NUMBER("ApertureMode", 3) NUMBER("FocalLength", 25.4) NUMBER("FilmWidth", 1.0)
            NUMBER("GateFit", 2),
        NUMBER("CameraProjectionType", 1)};
    fbx_file f = make();
    for (uint32_t i = 0; i < CT_COUNT_OF(cameras); ++i) {
        char name[8];
        snprintf(name, sizeof(name), "c%u", i);
        add_attribute(&f, 100 + i, add_model(&f, 0, name, ""), "Camera", cameras[i]);
    }
    in_all_forms(&f, check_cameras);
}

static void check_lights(const ct_worker_scene *scene) {
    assert_int_equal(scene->lights.count, 3);
    const ct_worker_light *const l = scene->lights.items;
    assert_string_equal(l[0].type, "spot");
    assert_int_equal(l[0].view.node, 0);
    assert_true(fabsf(l[0].intensity - 1) < 1e-6f); // 0.5 times 200 hundredths
    assert_true(l[0].color[0] == 1 && l[0].color[1] == 0.5f && l[0].color[2] == 0);
    assert_true(fabsf(l[0].outer_cone_radians - 0.3490659f) < 1e-5f); // half of 40 degrees
    assert_string_equal(l[1].type, "point");
    assert_int_equal(l[1].view.node, 1);
    assert_int_equal(l[2].view.node, 2); // of the same name
    expect_warnings(scene, "light \"area\" has an unsupported type; it is left out");
}

static void reads_lights_at_their_own_nodes(void **state) {
    (void)state;
    fbx_file f = make();
    add_attribute(&f, 100, add_model(&f, 0, "spot", ""), "Light",
                  NUMBER("LightType", 2) NUMBER("Intensity", 200.0) NUMBER(
                      "OuterAngle", 40.0) " P: \"Color\", \"Color\", \"\", \"A\",0.5,0.25,0.0\n");
    add_attribute(&f, 101, add_model(&f, 0, "light", ""), "Light", "");
    add_attribute(&f, 102, add_model(&f, 0, "light", ""), "Light", "");
    add_attribute(&f, 103, add_model(&f, 0, "area", ""), "Light", NUMBER("LightType", 3));
    in_all_forms(&f, check_lights);
}

static void check_left_out(const ct_worker_scene *scene) {
    static const char *const wanted[] = {
        "node \"hidden\" is hidden in the file; it is drawn",
        "\"n\" is a NURBS surface, which is left out",
        "\"c\" is a constraint, which is left out",
        "the model has animations that move no node: left out",
    };
    assert_int_equal(scene->warnings.count, CT_COUNT_OF(wanted));
    for (uint32_t i = 0; i < CT_COUNT_OF(wanted); ++i)
        assert_string_equal(scene->warnings.items[i], wanted[i]);
}

static void warns_of_what_is_left_out(void **state) {
    (void)state;
    fbx_file f = make();
    add_model(&f, 0, "hidden", " P: \"Visibility\", \"Visibility\", \"\", \"A\",0\n");
    ct_string_builder_add(&f.objects, "Geometry: 50, \"Geometry::n\", \"NurbsSurface\" {\n}\n"
                                      "Constraint: 51, \"Constraint::c\", \"Aim\" {\n}\n"
                                      "AnimationCurve: 52, \"AnimCurve::\", \"\" {\n}\n");
    in_all_forms(&f, check_left_out);
}

// --- Damage --------------------------------------------------------------------------------------

static fbx_file some_file(void) {
    fbx_file f = make();
    f.definitions = "ObjectType: \"Model\" {\n PropertyTemplate: \"FbxNode\" {\n Properties70: {\n"
                    " P: \"RotationOrder\", \"enum\", \"\", \"\",0\n }\n }\n}\n";
    add_model(&f, 0, "a", TURN_Z SCALE(2.0, 1.0, 1.0));
    add_model(&f, 1, "b", TURN_Z INHERIT(2));
    add_attribute(&f, 100, 2, "Camera", NUMBER("FarPlane", 5.0));
    return f;
}

// Reads a copy of exactly these bytes and a zero, so that sanitizers find what reads beyond.
static void read_copy(const uint8_t *bytes, uint32_t count) {
    CT_TEMP_ALLOCATOR(temp, test_heap());
    fbx_case t = {.allocator = temp};
    char *const copy = ct_alloc(test_heap(), (uint64_t)count + 1);
    memcpy(copy, bytes, count);
    copy[count] = 0;
    read(&t, copy, count);
    ct_free(test_heap(), copy);
}

static void takes_cut_and_damaged_files(void **state) {
    (void)state;
    uint32_t random = 1;
    fbx_file f = some_file();
    ct_string_builder text = text_of(&f);
    for (uint32_t word = 0; word <= 8; word += 4) {
        ct_byte_array b = {.allocator = test_heap()};
        if (word == 0)
            add_bytes(&b, text.text, text.length + 1);
        else
            b = binary_of(&text, word);
        const uint32_t count = b.count - 1;
        for (uint32_t size = 0; size < count; ++size)
            read_copy(b.items, size);
        for (uint32_t i = 0; i < test_rounds(3000, 100000); ++i) {
            const uint32_t at = test_random(&random) % count;
            const uint8_t was = b.items[at];
            static const uint8_t likely[] = {0, 1, 0x7f, 0x80, 0xff, '{', '}', '"'};
            b.items[at] = i % 2 ? (uint8_t)test_random(&random)
                                : likely[test_random(&random) % CT_COUNT_OF(likely)];
            read_copy(b.items, count);
            b.items[at] = was;
        }
        ct_array_free(&b);
    }
    ct_string_builder_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_nodes_own_rotation_has_an_order),
        cmocka_unit_test(reads_an_unknown_order_as_x_y_z),
        cmocka_unit_test(moves_about_all_pivots),
        cmocka_unit_test(inherits_scale_as_the_node_says),
        cmocka_unit_test(inherits_through_turned_parents),
        cmocka_unit_test(inherits_an_even_scale_alike),
        cmocka_unit_test(warns_of_flat_parents),
        cmocka_unit_test(takes_what_a_model_leaves_out_from_the_template),
        cmocka_unit_test(counts_nodes_before_they_are_made),
        cmocka_unit_test(refuses_transforms_that_are_no_numbers),
        cmocka_unit_test(tells_nodes_of_one_name_apart),
        cmocka_unit_test(reads_the_angles_of_cameras),
        cmocka_unit_test(reads_lights_at_their_own_nodes),
        cmocka_unit_test(warns_of_what_is_left_out),
        cmocka_unit_test(takes_cut_and_damaged_files),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
