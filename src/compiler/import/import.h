// import.h: turns a model file into sources of a project, as often as the model changes.
//
// A worker describes the model; from that come the sources (import_sources.h), which are merged
// into what a person has made of the last import's (import_merge.h), with the record of that import
// as the base (import_record.h), which also knows images that were renamed (import_images.h).
// Nothing a person changed, added or removed is overwritten. All files are written beside their
// places first and renamed when all are there.
#pragma once
#include "compiler/import/import_model.h"

typedef struct ct_import_desc {
    const char *project_folder; // absolute or relative to the working folder
    const char *model;          // the file, absolute or relative to the working folder
    const char *folder;         // project path that the sources go to; "" is the project's root
    const char *worker_path;    // NULL: `cuttle-worker` beside this executable
    ct_import_space space;      // what is not given is as in the import before
    bool is_dry_run;            // nothing is written
} ct_import_desc;

typedef enum ct_import_action {
    CT_IMPORT_ACTION_UNCHANGED,
    CT_IMPORT_ACTION_CREATED,
    CT_IMPORT_ACTION_UPDATED,
    CT_IMPORT_ACTION_REMOVED,
    CT_IMPORT_ACTION_KEPT, // a person's: the model has another, or no longer has it
} ct_import_action;

extern const char *const ct_import_action_names[]; // "unchanged", "created", ...

// What became of one file.
typedef struct ct_import_change {
    const char *path; // project path
    ct_import_action action;
} ct_import_change;

// What was done, or would be; all from the allocator given to ct_import_run.
typedef struct ct_import_report {
    CT_ARRAY(ct_import_change) changes; // by file, media first
    ct_string_array notes;              // what was kept: "models/car.unit: components.mesh: ..."
    ct_string_array uses;               // of shapes and levels of detail: whose mesh they are in
    ct_string_array warnings;           // what of the model could not be taken
    ct_import_error_array errors;       // why nothing was done
} ct_import_report;

// Imports; `a` is a temp allocator. False with report->errors, and nothing changed, when it cannot
// be done; errors name files absolutely or below the project.
bool ct_import_run(ct_allocator *a, const ct_import_desc *desc, ct_import_report *report);
