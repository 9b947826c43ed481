// compiled_fixture.h: worlds of world_fixture.h with resources that are compiled from text. For
// programs that have the compile functions; include once in a program.
#pragma once
#include "compiler/project_support.h"
#include "world/world_fixture.h"

// Compiles a source of `project` and loads what comes of it.
static inline void load_compiled(const world_fixture *f, const char *project, const char *type,
                                 const char *name) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_compile_answer answer = compile_file(project, type, name);
    expect_blob(&answer, type);
    ct_resource_file_name(ct_resource_id_of(type, name), file_name);
    ct_path_join(path, f->folder, file_name);
    if (!ct_file_write(path, answer.blob.items, answer.blob.count, false, &error) ||
        !ct_resource_manager_load_now(f->resources, type, name, &error))
        fail_msg("%s", error.message);
    ct_compile_answer_free(&answer);
}

// Compiles a changed source, and swaps what is loaded for it. The old data is gone then.
static inline void reload_compiled(const world_fixture *f, const char *project, const char *type,
                                   const char *name) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    const ct_resource_id id = ct_resource_id_of(type, name);
    ct_compile_answer answer = compile_file(project, type, name);
    expect_blob(&answer, type);
    ct_resource_file_name(id, file_name);
    ct_path_join(path, f->folder, file_name);
    assert_true(ct_file_write(path, answer.blob.items, answer.blob.count, false, NULL));
    ct_compile_answer_free(&answer);
    assert_int_equal(ct_resource_manager_reload(f->resources, &id, 1), 1);
    for (uint64_t frame = 1; frame < 4; ++frame) {
        ct_resource_manager_update(f->resources, frame);
        ct_resource_manager_retire(f->resources, frame);
    }
}
