// compiler_run.h: one run of the driver, shared by its parts.
//
// compiler.c makes the run and orders its steps; compiler_plugins.c finds what plugins add;
// compiler_names.c finds the resources among the files; compiler_data.c knows the existing compiled data; compiler_plan.c decides which must
// be compiled; compiler_build.c has them compiled; compiler_materials.c compares units with their
// meshes; compiler_index.c takes over records of the old index and writes the new one;
// compiler_catalog.c writes the catalog; compiler_report.c fills the report, with chains of
// references from compiler_chain.c. Everything of a run is from its temp allocators and ends with
// it.
#pragma once
#include "compiler/driver/compiler.h"
#include "compiler/driver/compiler_workers.h"
#include "compiler/protocol/compiler_protocol.h"
#include "compiler/protocol/compiler_types.h"
#include "project/source_scan.h"
#include "resource/data_index.h"

struct ct_compiler {
    ct_allocator *allocator;
    char *project_folder; // absolute, without links; so are the others
    char *core_folder;    // may be NULL
    char *data_folder;
    bool is_data_folder_new; // made with this compiler; removed again if its run leaves it empty
    char *cache_path;        // of the stat cache
    char *lock_path;
    char *platform;        // destination
    char *source_platform; // chooses variants
    void (*progress)(void *user, const ct_compile_progress *progress);
    bool (*is_interrupted)(void *user);
    void (*waiting)(void *user, int64_t process);
    void *user;
    ct_worker_pool *pool;
    ct_stat_cache cache;
    bool is_cache_read;
    double time_limit_seconds;
    uint64_t plugin_key;      // of the libraries that are described; 0: none
    char *plugin_description; // of what the plugins add (compiler_plugins.c); NULL: not known
    char *explained;          // resource to explain; NULL: none
    ct_compile_report report;
};

// The files of a compiled resource: its blob, and the stream beside it.
typedef enum ct_run_file_kind {
    CT_RUN_FILE_KIND_DATA,
    CT_RUN_FILE_KIND_STREAM,
    CT_RUN_FILE_KIND_COUNT,
} ct_run_file_kind;

// One resource of the project. `record` holds what goes to the index, borrowed from the old index
// or copied from an answer; its blob is not used.
typedef struct ct_run_resource {
    ct_resource_id id;   // of this variant
    ct_resource_id base; // of the resource: what others refer to
    const ct_compiler_type *type;
    const char *name;      // with properties: the data name
    const char *base_name; // without
    const char **properties;
    uint32_t num_properties;                     // without the platform
    const char *platform;                        // NULL: for all
    const char *source;                          // project path
    uint32_t file;                               // of the scan
    const ct_data_index_entry *old;              // of the previous run; NULL: none
    uint32_t data_files[CT_RUN_FILE_KIND_COUNT]; // position + 1; 0: no file
    ct_compile_answer record;
    bool has_record;      // false: up to date, and `old` is still right
    uint64_t data_hash;   // of the file in the data folder; 0: there is none
    uint64_t stream_hash; // of the stream beside it; 0: there is none
    uint32_t data_bytes, stream_bytes;
    ct_file_stamp data_stamp, stream_stamp; // of files that were written in this run; else {0}
    bool is_data_written;                   // in this run
    bool must_compile;
    bool is_asked;    // a worker has it, and may be writing its files
    int64_t asked_ns; // when, by the wall clock
    uint32_t num_attempts;
} ct_run_resource;

// A file of the data folder that has the name of a compiled resource.
typedef struct ct_run_data_file {
    ct_resource_id id;
    ct_run_file_kind kind;
    ct_file_stamp stamp;
    bool is_wanted;
} ct_run_data_file;

// The dependencies of all compilations of a type, besides their includes.
typedef struct ct_run_environment {
    uint64_t hash; // of the type's name, both platforms, versions, and the listing if it sees it
    bool is_as_before; // as in the old index
} ct_run_environment;

typedef struct ct_run {
    ct_compiler *compiler;
    ct_allocator *allocator; // a temp allocator
    uint64_t start_ns;
    ct_scan scan;
    CT_ARRAY(const char *) platform_words;
    CT_ARRAY(ct_run_resource) resources; // by type name, base name, then name
    CT_ARRAY(ct_run_resource) elsewhere; // one of each resource that is for other platforms only
    ct_hash_map by_id;                   // ct_resource_id_key to position + 1
    ct_hash_map by_base;                 // the same of the first variant of each resource
    ct_compile_listed *listing;          // each resource once, same order
    uint32_t num_listed;
    uint64_t listing_hash;
    const ct_compiler_type *types; // the engine's, then those of plugins, by name
    uint32_t num_types;
    const ct_compile_plugin *plugins; // that workers load
    uint32_t num_plugins;
    ct_run_environment *environments; // of each of the types
    bool has_types_of_index;          // the old index has the same types in the same order
    ct_thread data_thread; // sets the next five, and alone uses their allocator while it runs
    const ct_data_index *old_index; // NULL: no usable one
    ct_error data_error;            // why the data folder could not be listed
    bool is_data_listed;
    CT_ARRAY(ct_run_data_file) data_files;          // as the run found them
    ct_hash_map data_by_id[CT_RUN_FILE_KIND_COUNT]; // ct_resource_id_key to position + 1
    CT_ARRAY(ct_compile_fault) faults;              // of sources that are not resources
    ct_hash_map known_hashes; // while planning: offset of a path in the old index to its hash now
    ct_hash_map *done_before; // ct_resource_id_key of what earlier rounds compiled
    bool has_lost_entries;    // the old index has resources that no longer exist
    bool is_last_round;       // sources that go missing from now on are errors
    bool has_lost_sources;    // some disappeared while they were compiled
    const char **names;       // of all resources, same order; NULL: not asked for yet
    ct_hash_map nearest; // hash of a missing resource's type and name to its nearest; see there
} ct_run;

// --- compiler_plugins.c --------------------------------------------------------------------------

// Finds the plugins of the settings, and what they add: copies libraries to where nothing writes over
// them, and asks a worker to describe them, unless it is known of these libraries. Sets types, plugins and
// the scan's components. Plugins that cannot be loaded become faults. Call it after
// ct_scan_read_settings. Returns false with `error` when the run was cancelled.
bool ct_run_read_plugins(ct_run *run, ct_error *error);

// --- compiler_names.c ----------------------------------------------------------------------------

// Finds the words that are platforms. Returns false with `error` when the source platform is not
// one of them.
bool ct_run_check_platform(ct_run *run, ct_error *error);

// Finds the resources among the scanned files; sources that cannot be one become faults.
void ct_run_find_resources(ct_run *run);

// --- compiler_data.c -----------------------------------------------------------------------------

// Starts a thread that reads the old index and lists the data folder, and removes from it the
// files that an interrupted run left. Until ct_run_end_reading_data no other thread may use the
// fields that it sets.
void ct_run_start_reading_data(ct_run *run);

// Waits for that thread. Returns false with `error` when the folder cannot be listed.
bool ct_run_end_reading_data(ct_run *run, ct_error *error);

// Finds the data files of the resources.
void ct_run_find_data(ct_run *run);

// Writes the name that a file of a resource has in the data folder.
void ct_run_file_name(ct_resource_id id, ct_run_file_kind kind,
                      char name[CT_RESOURCE_FILE_NAME_BYTES]);

// Returns the content hash of a resource's compiled file; 0 when there is no file.
uint64_t ct_run_data_hash(ct_run *run, const ct_run_resource *resource, ct_run_file_kind kind);

// Returns the file of a resource in the data folder when the run began, or NULL.
ct_run_data_file *ct_run_data_file_of(const ct_run *run, const ct_run_resource *resource,
                                      ct_run_file_kind kind);

// Returns true when a resource's compiled file is complete, not only a part of one. Reads the file.
bool ct_run_has_whole_data(const ct_run *run, const ct_run_resource *resource);

// Notes the content of data files that were written in this run in the stat cache, so that the next
// run need not read them.
void ct_run_note_written_data(ct_run *run);

// Removes compiled files that are not in the new index.
void ct_run_remove_unwanted_data(ct_run *run);

// --- compiler_plan.c -----------------------------------------------------------------------------

// Decides for each resource whether it must be compiled; takes over the records of those that are
// up to date.
void ct_run_plan(ct_run *run);

// Returns the name nearest to `name` among the resources of a type, or NULL: for "did you mean".
// Also NULL when the run has asked very often.
const char *ct_run_nearest(ct_run *run, const char *type, const char *name);

// Returns false for settings.config, true for other resources. Resources that the settings name
// must exist, but the engine uses them: they are neither loaded along with the settings nor
// reported as used by them.
bool ct_run_is_user(const ct_run_resource *resource);

// Adds an error to a resource's record for each of its references that is not in the project, or,
// for the settings, that a game cannot load when it starts. Replaces
// equal texts with the run's own, so that the index finds the same ones quickly.
void ct_run_check_references(ct_run *run, ct_run_resource *resource);

// --- compiler_build.c ----------------------------------------------------------------------------

// Compiles all resources that must be compiled. Returns false with `error` when the run as a whole
// cannot continue.
bool ct_run_build(ct_run *run, ct_error *error);

// --- compiler_materials.c ------------------------------------------------------------------------

// Adds a warning to the records of units and levels that give a mesh a number of materials other
// than its number of parts. Checks those that were compiled in this run, or whose meshes were.
void ct_run_check_materials(ct_run *run);

// --- compiler_index.c ----------------------------------------------------------------------------

// Sets the environments of all types. Needs the resources and the listing.
void ct_run_set_environments(ct_run *run);

// Returns the run's type of this name, or NULL.
const ct_compiler_type *ct_run_type_named(const ct_run *run, const char *name);

// Returns true when the dependencies of the type besides includes have not changed.
bool ct_run_has_same_environment(const ct_run *run, const ct_compiler_type *type);

// Returns warning number `i` of an entry of the old index, whose strings stay there.
ct_compile_fault ct_run_old_warning(const ct_run *run, const ct_data_index_entry *entry,
                                    uint32_t i);

// Fills a record from an index entry, except for errors; the strings stay in the index.
void ct_run_take_entry(ct_run *run, const ct_data_index_entry *entry, ct_compile_answer *record);

// Writes index and catalog, unless they would be the same. Returns false with `error`.
bool ct_run_write_index(ct_run *run, ct_error *error);

// --- compiler_catalog.c --------------------------------------------------------------------------

// Returns true when the existing catalog has this hash.
bool ct_run_has_catalog(const ct_run *run, uint64_t hash);

// Writes the catalog, unless it would be the same, and sets its hash. Returns false with `error`.
// Only reads the run: any thread, while no other changes it.
bool ct_run_write_catalog(const ct_run *run, uint64_t *hash, ct_error *error);

// --- compiler_report.c ---------------------------------------------------------------------------

// Empties a report, for the next run.
void ct_compile_report_clear(ct_compile_report *report);

// Fills the compiler's report with counts, errors and changes.
void ct_run_report(ct_run *run);

// Notes the compiled and changed resources, in place of ct_run_report, when another round follows.
void ct_run_report_round(ct_run *run);

// --- compiler_explain.c --------------------------------------------------------------------------

// Writes to the report why the explained resource is compiled or not. Call it after ct_run_plan.
void ct_run_explain(ct_run *run);

// Adds the line with the outcome of that resource, in front. Call it after the build.
void ct_run_explain_outcome(ct_run *run);
