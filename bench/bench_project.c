#include "bench_project.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "compiler/driver/compiler.h"
#include "foundation/error.h"
#include "foundation/os/os.h"

void ct_bench_fail(const char *what, const char *message) {
    fprintf(stderr, "cuttle_bench: %s: %s\n", what, message);
    exit(1);
}

void ct_bench_compile(const char *project_folder, char data_folder[CT_PATH_BYTES]) {
    char program[CT_PATH_BYTES], beside[CT_PATH_BYTES], core[CT_PATH_BYTES];
    ct_os_executable_path(program);
    ct_path_folder(beside, program);
    ct_path_join(core, beside, "core");
    ct_error error = {0};
    const ct_compile_report *report = NULL;
    ct_compiler *const c = ct_compiler_create(&(ct_compiler_desc){.allocator = ct_bench_heap(),
                                                                  .project_folder = project_folder,
                                                                  .core_folder = core},
                                              &error);
    if (!c || !ct_compiler_run(c, &report, &error))
        ct_bench_fail(project_folder, error.message);
    if (report->errors.count > 0)
        ct_bench_fail(project_folder, report->errors.items[0].message);
    ct_path_join(data_folder, "", ct_compiler_data_folder(c));
    ct_compiler_destroy(c);
}

ct_resource_package *ct_bench_load(ct_resource_manager *resources, const char *name) {
    ct_error error = {0};
    ct_resource_package *const package = ct_resource_package_create(resources, name, &error);
    if (!package)
        ct_bench_fail(name, error.message);
    ct_resource_package_load(resources, package);
    ct_resource_package_flush(resources, package);
    return package;
}
