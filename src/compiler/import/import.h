// import.h: turns a model file into sources of a project, as often as the model changes.
//
// A worker describes the model. The sources made from the description (import_sources.h) are merged
// into the sources of the last import with their manual changes (import_merge.h). The base is the
// record of that import (import_record.h), which also knows renamed images (import_images.h).
// Nothing a person changed, added or removed is overwritten. All files are first written beside
// their places and renamed when all are complete.
#pragma once
#include "compiler/import/import_model.h"

typedef struct ct_import_desc {
    const char *project_folder; // absolute or relative to the working folder
    const char *model;          // the file, absolute or relative to the working folder
    const char *folder;         // project path that the sources go to; "" is the project's root
    const char *worker_path;    // NULL: `cuttle-worker` beside this executable
    ct_import_space space;      // members not given are as in the last import
    const char *skeleton;       // a skeleton of the project, without extension: only clips for it
                                // are imported. NULL: as in the last import; "": the model's own
    bool is_dry_run;            // nothing is written
} ct_import_desc;

typedef enum ct_import_action {
    CT_IMPORT_ACTION_UNCHANGED,
    CT_IMPORT_ACTION_CREATED,
    CT_IMPORT_ACTION_UPDATED,
    CT_IMPORT_ACTION_REMOVED,
    CT_IMPORT_ACTION_KEPT, // changed by hand: the model has another, or no longer has it
} ct_import_action;

extern const char *const ct_import_action_names[]; // "unchanged", "created", ...

// The outcome for one file.
typedef struct ct_import_change {
    const char *path; // project path
    ct_import_action action;
} ct_import_change;

// The changes, made or planned; all from the allocator given to ct_import_run.
typedef struct ct_import_report {
    CT_ARRAY(ct_import_change) changes; // by file, media first
    ct_string_array notes;              // what was kept: "models/car.unit: components.mesh: ..."
    ct_string_array uses;               // of shapes and levels of detail: whose mesh they are in
    ct_string_array warnings;           // parts of the model that could not be imported; bones
                                        // that the skeleton does not have
    ct_import_error_array errors;       // why nothing was done
} ct_import_report;

// Imports a model; `a` is a temp allocator. Returns false with report->errors, and nothing changed,
// when the import fails; errors name files absolutely or below the project.
bool ct_import_run(ct_allocator *a, const ct_import_desc *desc, ct_import_report *report);
