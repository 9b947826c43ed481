// compile_case.h: one fresh project folder and one compilation in it, for tests of compile
// functions that read media.
#pragma once
#include "compiler/project_support.h"

typedef struct compile_case {
    const char *folder;
    ct_compile_answer answer; // of the last run
    bool has_run;
} compile_case;

// Empties the folder of the case before: one case at a time.
static inline compile_case compile_case_make(void) {
    static const char *folder;
    ct_error error = {0};
    if (!folder)
        folder = test_scratch_folder();
    if (!ct_folder_remove(folder, &error) || !ct_folder_create(folder, &error))
        fail_msg("%s", error.message);
    return (compile_case){.folder = folder};
}

static inline void compile_case_free(compile_case *t) {
    if (t->has_run)
        ct_compile_answer_free(&t->answer);
    t->has_run = false;
}

static inline void compile_case_file(compile_case *t, const char *path, const void *bytes,
                                     uint64_t count) {
    write_bytes(t->folder, path, bytes, count);
}

static inline void compile_case_text(compile_case *t, const char *path, const char *text) {
    write_text(t->folder, path, text);
}

// Compiles; the answer stays until the next run.
static inline void compile_case_run(compile_case *t, const char *type, const char *name) {
    compile_case_free(t);
    t->answer = compile_file(t->folder, type, name);
    t->has_run = true;
}

// Compiles and returns the blob, which its type's loader accepts. Fails the test otherwise.
static inline const void *compile_case_blob(compile_case *t, const char *type, const char *name) {
    compile_case_run(t, type, name);
    return expect_blob(&t->answer, type);
}

// Fails the test unless the last run gave no blob and an error at `file` and `line` (0: any) with
// `text` in its message. Returns the error.
static inline const ct_compile_fault *compile_case_expect(const compile_case *t, const char *file,
                                                          uint32_t line, const char *text) {
    assert_int_equal(t->answer.blob.count, 0);
    for (uint32_t i = 0; i < t->answer.errors.count; ++i) {
        const ct_compile_fault *e = &t->answer.errors.items[i];
        if (strcmp(e->file, file) == 0 && (line == 0 || e->line == line) &&
            strstr(e->message, text))
            return e;
    }
    for (uint32_t i = 0; i < t->answer.errors.count; ++i)
        print_error("%s:%u:%u: %s\n", t->answer.errors.items[i].file,
                    t->answer.errors.items[i].line, t->answer.errors.items[i].column,
                    t->answer.errors.items[i].message);
    fail_msg("no error at %s:%u with \"%s\"", file, line, text);
    return NULL;
}

static inline bool compile_case_has_include(const compile_case *t, const char *path) {
    return has_include(&t->answer, path);
}
