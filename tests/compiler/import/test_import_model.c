// Descriptions of models: what is right is taken over, what is not refuses the whole.
#include "compiler/import/import_model.h"

#include <stdio.h>
#include <string.h>

#include "foundation/memory/temp_allocator.h"
#include "foundation/os/message.h"
#include "support/test_support.h"

#define NODE                                                                                       \
    "{\"name\":\"n\",\"key\":\"n\",\"position\":[1,2,3],\"rotation\":[0,0,0,1],"                   \
    "\"scale\":[1,1,1],\"parts\":[0]}"
#define MATERIAL                                                                                   \
    "{\"name\":\"m\",\"options\":[\"alpha_test\"],\"parameters\":{\"metallic\":1},"                \
    "\"maps\":{\"normal_map\":0}}"
#define FILES "{\"path\":\"a/b.glb\",\"size\":3}"
#define IMAGE "{\"key\":\"*0\",\"name\":\"i\",\"extension\":\"png\",\"size\":2}"
#define CLIP "{\"name\":\"walk\",\"key\":\"walk#2\",\"moves\":3}"
#define CAMERA "{\"node\":0,\"position\":[0,0,0],\"rotation\":[0,0,0,1]}"

// The members in the order of `lists`.
typedef struct description {
    const char *nodes, *materials, *files, *images, *cameras, *clips;
} description;

static const description right = {NODE, MATERIAL ",null", FILES, IMAGE, CAMERA, CLIP};

static bool read(ct_allocator *a, const description *d, ct_import_model *model, ct_error *error) {
    char json[4096];
    static const char binary[5] = {'a', 'b', 'c', 'd', 'e'};
    snprintf(json, sizeof(json),
             "{\"nodes\":[%s],\"materials\":[%s],\"files\":[%s],\"images\":[%s],\"cameras\":[%s],"
             "\"lights\":[],\"clips\":[%s],\"uses\":[],\"warnings\":[\"w\"],\"binary_size\":5}",
             d->nodes, d->materials, d->files, d->images, d->cameras, d->clips);
    ct_byte_array message;
    ct_array_init(&message, a);
    ct_message_write(&message, json, (uint32_t)strlen(json), binary, sizeof(binary));
    return ct_import_model_read(a, message.items, message.count, model, error);
}

static void takes_over_what_is_right(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_import_model m;
    ct_error error = {0};
    assert_true(read(a, &right, &m, &error));
    assert_int_equal(m.num_nodes, 1);
    assert_int_equal(m.nodes[0].parent, CT_IMPORT_NONE);
    assert_int_equal(m.nodes[0].num_parts, 1);
    assert_int_equal(m.nodes[0].parts[0], 0);
    assert_true(m.materials[0].is_used && !m.materials[1].is_used);
    assert_int_equal(m.materials[0].maps[1], 0);
    assert_int_equal(m.materials[0].maps[0], CT_IMPORT_NONE);
    assert_int_equal(ct_sjson_count(m.doc, m.materials[0].options), 1);
    // The binary: files first.
    assert_memory_equal(m.files[0].bytes, "abc", 3);
    assert_memory_equal(m.images[0].bytes, "de", 2);
    assert_int_equal(m.cameras[0].node, 0);
    assert_string_equal(m.warnings[0], "w");
    assert_int_equal(m.num_clips, 1);
    assert_string_equal(m.clips[0].name, "walk");
    assert_string_equal(m.clips[0].key, "walk#2");
    assert_true(m.clips[0].moves);
    assert_false(m.nodes[0].is_joint || m.nodes[0].is_moved);
}

#define PLACED(position, rotation, parts)                                                          \
    "{\"name\":\"n\",\"key\":\"n\",\"position\":" position ",\"rotation\":" rotation               \
    ",\"scale\":[1,1,1],\"parts\":" parts "}"

static void refuses_what_is_not(void **state) {
    (void)state;
    static const struct {
        description d;
        const char *at;
    } cases[] = {
        {{"1", MATERIAL, FILES, IMAGE, CAMERA, CLIP}, "name"},
        {{PLACED("[1,2]", "[0,0,0,1]", "[0]"), MATERIAL, FILES, IMAGE, CAMERA, CLIP}, "position"},
        {{PLACED("[1,2,null]", "[0,0,0,1]", "[0]"), MATERIAL, FILES, IMAGE, CAMERA, CLIP},
         "position"},
        {{PLACED("[1,2,3]", "{}", "[0]"), MATERIAL, FILES, IMAGE, CAMERA, CLIP}, "rotation"},
        {{PLACED("[1,2,3]", "[0,0,0,1]", "[1]"), MATERIAL ",null", FILES, IMAGE, CAMERA, CLIP},
         "parts"},
        {{PLACED("[1,2,3]", "[0,0,0,1]", "[-1]"), MATERIAL, FILES, IMAGE, CAMERA, CLIP}, "parts"},
        {{PLACED("[1,2,3]", "[0,0,0,1]", "[0],\"parent\":0"), MATERIAL, FILES, IMAGE, CAMERA, CLIP},
         "parent"},
        {{NODE, "{\"name\":\"m\",\"options\":[\"x\"],\"parameters\":{}}", FILES, IMAGE, CAMERA,
          CLIP},
         "options"},
        {{NODE, "{\"name\":\"m\",\"options\":[],\"parameters\":1}", FILES, IMAGE, CAMERA, CLIP},
         "parameters"},
        {{NODE, "{\"name\":\"m\",\"options\":[],\"parameters\":{},\"maps\":{\"normal_map\":7}}",
          FILES, IMAGE, CAMERA, CLIP},
         "normal_map"},
        {{NODE, MATERIAL, "", IMAGE, CAMERA, CLIP}, "files"},
        {{NODE, MATERIAL, "{\"path\":\"../b\",\"size\":3}", IMAGE, CAMERA, CLIP}, "path"},
        {{NODE, MATERIAL, "{\"path\":\"/b\",\"size\":3}", IMAGE, CAMERA, CLIP}, "path"},
        {{NODE, MATERIAL, "{\"path\":\"b\",\"size\":6}", IMAGE, CAMERA, CLIP}, "size"},
        {{NODE, MATERIAL, "{\"path\":\"b\",\"size\":-1}", IMAGE, CAMERA, CLIP}, "size"},
        {{NODE, MATERIAL, FILES, "{\"key\":\"*0\",\"name\":\"i\",\"extension\":\"lua\",\"size\":2}",
          CAMERA, CLIP},
         "extension"},
        {{NODE, MATERIAL, FILES, IMAGE, "{\"node\":1,\"position\":[0,0,0],\"rotation\":[0,0,0,1]}",
          CLIP},
         "node"},
        {{NODE, MATERIAL, FILES, IMAGE, CAMERA, "{\"name\":\"walk\"}"}, "key"},
        // Above a joint are joints.
        {{NODE "," PLACED("[1,2,3]", "[0,0,0,1]", "[],\"joint\":true,\"parent\":0"), MATERIAL,
          FILES, IMAGE, CAMERA, CLIP},
         "joint"},
    };
    for (size_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        CT_TEMP_ALLOCATOR(a, test_heap());
        ct_import_model m;
        ct_error error = {0};
        char expected[64];
        snprintf(expected, sizeof(expected), "damaged at \"%s\"", cases[i].at);
        if (read(a, &cases[i].d, &m, &error))
            fail_msg("case %zu was taken", i);
        if (!strstr(error.message, expected))
            fail_msg("case %zu: %s, expected %s", i, error.message, expected);
    }
}

static void refuses_every_cut(void **state) {
    (void)state;
    static const char json[] =
        "{\"nodes\":[],\"materials\":[],\"files\":[" FILES
        "],\"images\":[],\"cameras\":[],\"lights\":[],\"clips\":[],\"uses\":[],\"warnings\":[],"
        "\"binary_size\":3}";
    CT_TEMP_ALLOCATOR(a, test_heap());
    ct_byte_array message;
    ct_import_model m;
    ct_error error = {0};
    ct_array_init(&message, a);
    ct_message_write(&message, json, sizeof(json) - 1, "abc", 3);
    assert_true(ct_import_model_read(a, message.items, message.count, &m, &error));
    for (uint32_t i = 0; i < message.count; ++i) {
        error = (ct_error){0};
        assert_false(ct_import_model_read(a, message.items, i, &m, &error));
        assert_true(error.message[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_over_what_is_right),
        cmocka_unit_test(refuses_what_is_not),
        cmocka_unit_test(refuses_every_cut),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
