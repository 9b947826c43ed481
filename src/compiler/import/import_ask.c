#include "compiler/import/import_ask.h"

#include "compiler/driver/compiler_workers.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"

static const double time_limit_seconds = 120;

void ct_import_add_error(ct_import_error_array *errors, const char *file, uint32_t line,
                         uint32_t column, const char *message) {
    ct_error error = {0};
    ct_error_set_at(&error, file, line, column, "%s", message);
    ct_array_push(errors, error);
}

const char *ct_import_place(ct_allocator *a, const char *folder, const char *name) {
    char place[CT_PATH_BYTES];
    return ct_path_try_join(place, folder, name) ? ct_copy_string(a, place) : name;
}

static bool find_worker(const char *worker_path, char path[CT_PATH_BYTES]) {
    char executable[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    ct_os_executable_path(executable);
    ct_path_folder(folder, executable);
    return ct_path_try_join(path, worker_path ? "" : folder,
                            worker_path ? worker_path : "cuttle-worker");
}

static bool take_answer(ct_allocator *a, const ct_worker_outcome *outcome, const char *folder,
                        const char *path, ct_compile_answer *answer,
                        ct_import_error_array *errors) {
    ct_error error = outcome->error;
    if (!outcome->has_answer || !ct_compile_answer_read(a, a, &outcome->answer, answer, &error)) {
        ct_import_add_error(errors, path, 0, 0, error.message);
        return false;
    }
    for (uint32_t i = 0; i < answer->errors.count; ++i) {
        const ct_compile_fault *const fault = &answer->errors.items[i];
        ct_import_add_error(errors, ct_import_place(a, folder, fault->file), fault->line,
                            fault->column, fault->message);
    }
    if (answer->errors.count == 0)
        return true;
    ct_compile_answer_free(answer);
    return false;
}

bool ct_import_ask(ct_allocator *a, const char *worker_path, const ct_compile_request *request,
                   const char *path, ct_compile_answer *answer, ct_import_error_array *errors) {
    char worker[CT_PATH_BYTES];
    ct_error error = {0};
    if (!find_worker(worker_path, worker)) {
        ct_import_add_error(errors, path, 0, 0, "the path of cuttle-worker is too long");
        return false;
    }
    ct_byte_array message;
    ct_array_init(&message, a);
    ct_compile_request_write(request, 1, &message);
    ct_worker_pool *const pool = ct_worker_pool_create(a, worker, 1, time_limit_seconds);
    ct_worker_outcome outcome;
    const uint32_t job = 0;
    bool is_good = ct_worker_pool_submit(pool, CT_WORKER_NEED_NEW, &job, 1, &message, &error) &&
                   ct_worker_pool_next(pool, &outcome, &error);
    if (is_good)
        is_good = take_answer(a, &outcome, request->project_folder, path, answer, errors);
    else
        ct_import_add_error(errors, path, 0, 0, error.message);
    ct_worker_pool_destroy(pool);
    ct_array_free(&message);
    return is_good;
}
