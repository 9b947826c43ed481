// bench_project.h: the data of projects, for benchmarks of what is loaded from them.
#pragma once
#include "foundation/os/path.h"
#include "resource/load/resource_manager.h"

// Ends the program with exit code 1 after printing what failed, and why.
void ct_bench_fail(const char *what, const char *message);

// Brings a project's compiled data up to date with the core beside this program, and gives the
// folder of the data. Ends the program when something does not compile.
void ct_bench_compile(const char *project_folder, char data_folder[CT_PATH_BYTES]);

// Loads a package and waits for it. The caller destroys it. Ends the program when it cannot be
// loaded.
ct_resource_package *ct_bench_load(ct_resource_manager *resources, const char *name);
