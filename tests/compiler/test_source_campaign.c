// Every source type and medium of tests/compiler/campaign, cut at every byte and damaged 10,000
// times: what comes is a blob that its loader takes, or errors that say where and why.
#include "compiler/project_support.h"
#include "support/mutation.h"

enum { SEED = 20120122, EXTRA_BYTES = 512 };

// Pieces that mean something to one of the readers.
static const char *const words[] = {
    "{",          "}",          "[",
    "]",          "\"",         "\"\"\"",
    "//",         "/*",         "=",
    ":",          ",",          "\n",
    "-",          "1e999",      "nan",
    "1e-400",     "null",       "true",
    "\\u0000",    "\xff",       "\xc3",
    "..",         "/",          "core/",
    "a",          "id",         "type",
    "removed",    "unit",       "inherit",
    "children",   "#if\n",      "#define A A A\n",
    "for(;;)",    "#include",   "void",
    "uniform",    "4294967296", "-1",
    "2147483648", NULL,
};

typedef struct source_case {
    const char *type, *name; // what is compiled
    const char *file;        // what is damaged
    uint32_t slice;          // cuts at most in ./test, and three times as many as damages there
} source_case;

static const source_case cases[] = {
    {"config", "a", "a.config", 1000},
    {"input", "a", "a.input", 1000},
    {"input", "a", "b.input", 300},
    {"environment", "a", "a.environment", 500},
    {"environment", "a", "b.environment", 300},
    {"environment", "a", "b.render_config", 300},
    {"flow", "a", "a.flow", 500},
    {"flow", "a", "b.flow", 300},
    {"flow", "a", "a.flow_nodes", 300},
    {"flow_nodes", "a", "a.flow_nodes", 500},
    {"gui_theme", "a", "a.gui_theme", 500},
    {"gui_theme", "a", "b.gui_theme", 300},
    {"level", "a", "a.level", 1000},
    {"level", "a", "a.unit", 300},
    {"level", "b", "b.level", 1000},
    {"lua", "a", "a.lua", 1000},
    {"material", "a", "a.material", 500},
    {"material", "a", "a.shader", 300},
    {"mesh", "a", "a.mesh", 300},
    {"mesh", "a", "a.gltf", 500},
    {"mesh", "b", "b.glb", 500},
    {"mesh", "c", "c.fbx", 500},
    {"mesh", "d", "d.obj", 500},
    {"mesh", "d", "d.mtl", 300},
    {"network_config", "a", "a.network_config", 1000},
    {"package", "a", "a.package", 300},
    {"particles", "a", "a.particles", 1000},
    {"particles", "a", "d.obj", 300},
    {"render_config", "a", "a.render_config", 500},
    {"shader", "a", "a.shader", 20},
    {"shader", "b", "b.shader", 20},
    {"strings", "a", "a.strings", 1000},
    {"texture", "a", "a.texture", 300},
    {"texture", "a", "a.png", 1000},
    {"texture", "b", "b.texture", 300},
    {"texture", "b", "a.tga", 1000},
    {"texture", "c", "c.jpg", 1000},    // with restarts
    {"texture", "d", "d.jpg", 1000},    // progressive
    {"texture", "e", "e.texture", 300}, // a cube map
    {"texture", "f", "f.texture", 300}, // an array
    {"unit", "a", "a.unit", 1000},
    {"unit", "a", "b.unit", 500},
    {"navigation", "a", "a.navigation", 300},
    {"navigation", "a", "c.level", 100},
    {"navigation", "a", "c.unit", 100},
};

// The folder of the tree with the undamaged files.
static const char *samples_folder(void) {
    static char folder[CT_PATH_BYTES];
    const char *const source = getenv("CUTTLE_SOURCE");
    ct_path_join(folder, source ? source : "..", "tests/compiler/campaign");
    return folder;
}

static char *read_sample(const char *file, uint64_t *size) {
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(path, samples_folder(), file);
    char *const bytes = ct_file_read(test_heap(), path, size, &error);
    if (!bytes)
        fail_msg("%s", error.message);
    return bytes;
}

// A copy of the samples to damage; made once.
static const char *project_folder(void) {
    static const char *folder;
    ct_error error = {0};
    if (!folder) {
        folder = test_scratch_folder();
        if (!ct_folder_copy(samples_folder(), folder, &error))
            fail_msg("%s", error.message);
    }
    return folder;
}

static void write_sample(const char *file, const void *bytes, uint64_t size) {
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(path, project_folder(), file);
    if (!ct_file_write(path, bytes, size, false, &error))
        fail_msg("%s", error.message);
}

static ct_compile_answer compile(const source_case *c) {
    char path[CT_PATH_BYTES];
    static const ct_compile_listed listing[] = {
        {"lua", "a"}, {"material", "a"}, {"texture", "a"}, {"unit", "a"}};
    snprintf(path, sizeof(path), "%s.%s", c->name, c->type);
    const ct_compile_request request = {.type = c->type,
                                        .name = c->name,
                                        .path = path,
                                        .project_folder = project_folder(),
                                        .platform = "linux",
                                        .listing = listing,
                                        .num_listed = CT_COUNT_OF(listing)};
    ct_compile_answer answer;
    ct_worker_compile(test_heap(), &request, &answer);
    return answer;
}

// Keeps the input of a failure where one finds it.
static void fail_with(const source_case *c, const char *what) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, project_folder(), c->file);
    fail_msg("%s %s with a damaged %s: %s (see %s)", c->type, c->name, c->file, what, path);
}

static void check_answer(const source_case *c, const ct_compile_answer *answer) {
    if ((answer->blob.count > 0) == (answer->errors.count > 0))
        fail_with(c, "expected either a blob or errors");
    for (uint32_t i = 0; i < answer->errors.count; ++i) {
        if (!answer->errors.items[i].message[0] || !answer->errors.items[i].file[0])
            fail_with(c, "an error without file or message");
    }
    if (answer->blob.count == 0)
        return;
    const ct_resource_type *const type = ct_resource_type_named(c->type);
    ct_error error = {0};
    if (!ct_blob_check_header(answer->blob.items, answer->blob.count, ct_string_id64_of(c->type),
                              type->version, &error) ||
        !type->validate(answer->blob.items, &error))
        fail_with(c, error.message);
}

static void run_case(const source_case *c) {
    ct_compile_answer answer = compile(c);
    check_answer(c, &answer);
    ct_compile_answer_free(&answer);
}

static void undamaged_sources_compile(void **state) {
    (void)state;
    for (size_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_compile_answer answer = compile(&cases[i]);
        expect_blob(&answer, cases[i].type);
        ct_compile_answer_free(&answer);
    }
}

// A slow one (each shader takes some 20 ms) is cut at every `step`-th byte in ./test.
static void survives_every_cut(void **state) {
    (void)state;
    for (size_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        uint64_t size;
        char *const bytes = read_sample(cases[i].file, &size);
        const uint32_t slice = (uint32_t)(size < cases[i].slice ? size : cases[i].slice);
        const uint32_t num_cuts = test_rounds(slice, (uint32_t)size);
        for (uint64_t k = 0; k < num_cuts; ++k) {
            write_sample(cases[i].file, bytes, k * size / num_cuts);
            run_case(&cases[i]);
        }
        write_sample(cases[i].file, bytes, size);
        ct_free(test_heap(), bytes);
    }
}

static void survives_random_damage(void **state) {
    (void)state;
    for (size_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        uint64_t size;
        char *const bytes = read_sample(cases[i].file, &size);
        uint8_t *const damaged = ct_alloc(test_heap(), size + EXTRA_BYTES);
        ct_random random = ct_random_seeded(SEED, i);
        for (uint32_t k = test_rounds(cases[i].slice / 3, 10000); k > 0; --k) {
            memcpy(damaged, bytes, size);
            write_sample(cases[i].file, damaged,
                         test_mutate(&random, damaged, size, size + EXTRA_BYTES, words));
            run_case(&cases[i]);
        }
        write_sample(cases[i].file, bytes, size);
        ct_free(test_heap(), damaged);
        ct_free(test_heap(), bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undamaged_sources_compile),
        cmocka_unit_test(survives_every_cut),
        cmocka_unit_test(survives_random_damage),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
