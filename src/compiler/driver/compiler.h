// compiler.h: the driver: brings a folder of compiled data up to date with a project's sources.
//
// A run scans the project and core, finds what changed by stat and content hash, has it compiled by
// worker processes, checks references, writes what succeeded and then the index. A failed resource
// keeps its last good data and is reported again on every run until it is fixed. Warnings repeat,
// too: the index keeps them. Data and index are a pure function of sources, compiler and platform;
// the stat cache is beside the data folder.
// One run at a time: a lock in the cache folder makes other processes wait.
// A compiler object keeps its workers and caches between runs. One thread at a time.
#pragma once
#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/os/path.h"
#include "resource/resource_id.h"

typedef struct ct_compiler ct_compiler;

// How far a run has come.
typedef struct ct_compile_progress {
    uint32_t done, total; // resources that must be compiled
    double seconds;       // since the run began
    const char *resource; // done last: the project path of its source; NULL: none yet
    const char *slow;     // the one compiling longest, when that is over a second; else NULL
    double slow_seconds;
} ct_compile_progress;

typedef struct ct_compiler_desc {
    ct_allocator *allocator;
    const char *project_folder;  // absolute or relative to the working folder
    const char *core_folder;     // seen by the project as `core/`
    const char *data_folder;     // NULL: <project>/.cuttle/data/<platform>, or where the source
                                 // platform is another <source_platform>-<platform>
    const char *platform;        // the data layout's platform (platform.h); NULL: "linux"
    const char *source_platform; // whose variants are chosen; NULL: the same
    const char *worker_path;     // the executable; NULL: `cuttle-worker` beside this one
    uint32_t num_jobs;           // workers at most; 0: the number of cores
    double time_limit_seconds;   // for one resource; 0: 60
    // Called after each resource and now and then while none is done, from the calling thread; the
    // last time with all done. May be NULL.
    void (*progress)(void *user, const ct_compile_progress *progress);
    // Asked now and then during a run, from the calling thread: true ends it like
    // ct_compiler_cancel. May be NULL.
    bool (*is_interrupted)(void *user);
    // Called once in a run that must wait for another process (0: unknown) that compiles this
    // project or imports into it, from the calling thread. May be NULL.
    void (*waiting)(void *user, int64_t process);
    void *user;
} ct_compiler_desc;

// The references that lead to a resource with an error: a shortest way from a level, else from
// a package, else from a resource without references to it.
typedef struct ct_compile_chain {
    uint32_t first, count; // of the report's chain_names, the root's with its type; 0: no chain
    uint32_t num_others;   // other resources that refer to it
} ct_compile_chain;

typedef CT_ARRAY(ct_error) ct_error_array;
typedef CT_ARRAY(ct_compile_chain) ct_compile_chain_array;
typedef CT_ARRAY(ct_resource_id) ct_resource_id_array;

// What a run did. Owned by the compiler, valid until its next run.
typedef struct ct_compile_report {
    uint32_t num_compiled;
    uint32_t num_up_to_date;
    uint32_t num_failed;
    double seconds;
    ct_error_array errors;         // all, with those of earlier runs that still hold
    ct_compile_chain_array chains; // of the errors, same order
    ct_string_array chain_names;
    ct_error_array warnings;     // all that hold, by resource, compiled in this run or not
    ct_string_array explanation; // lines: see ct_compiler_explain
    // Resources, whatever their variants.
    ct_resource_id_array changed; // whose data is new since the last run of this object
    ct_resource_id_array removed; // whose source is gone, and their data
} ct_compile_report;

// Fills `error` with number `i` of a report, its chain before the message:
// `levels/castle.level: units/tree: materials/bark: texture "textures/bark" is missing`.
void ct_compile_report_error(const ct_compile_report *report, uint32_t i, ct_error *error);

// Writes the path of a project's default data folder; NULL platforms as in ct_compiler_desc.
// Returns false with `error` when the path is too long.
bool ct_compiler_default_folder(const char *project_folder, const char *platform,
                                const char *source_platform, char folder[CT_PATH_BYTES],
                                ct_error *error);

// Checks the folders and makes the data folder. The desc's strings are copied. Returns NULL with
// `error` when the project does not exist or the data folder cannot be written.
ct_compiler *ct_compiler_create(const ct_compiler_desc *desc, ct_error *error);

// Ends the workers. NULL is fine.
void ct_compiler_destroy(ct_compiler *c);

// Sets how long compiling one resource may take, in seconds, for the runs to come.
void ct_compiler_set_time_limit(ct_compiler *c, double seconds);

// Has later runs explain why a resource was compiled or not: `resource` is its name with its type,
// or the path of its source, absolute or from the project; copied. NULL ends this. The first line
// of the explanation says what happened to the resource, or that there is no such name, with the
// nearest one.
void ct_compiler_explain(ct_compiler *c, const char *resource);

// The folder the data goes to, absolute. Borrowed.
const char *ct_compiler_data_folder(const ct_compiler *c);

// Returns the file that a run locks (project_lock.h), for code that must read the data while no run
// is active. Absolute, in the data folder or in the project's cache; borrowed for the compiler's
// life.
const char *ct_compiler_lock_file(const ct_compiler *c);

// Ends the current run, and every later one, with an error, and the jobs of its workers. The next
// compiler compiles again what this run did not finish. Any thread.
void ct_compiler_cancel(ct_compiler *c);

// Brings everything up to date. Returns false with `error` only when the run as a whole failed
// (data folder not writable, workers do not start); errors of single resources are in the report,
// which is borrowed until the next run.
bool ct_compiler_run(ct_compiler *c, const ct_compile_report **report, ct_error *error);

// Returns the report of the last run; empty before the first. Borrowed until the next run.
const ct_compile_report *ct_compiler_report(const ct_compiler *c);
