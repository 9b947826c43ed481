#include "dev/serve/serve_projects.h"

#include <stdio.h>
#include <string.h>

#include "dev/hot_reload.h"
#include "foundation/log.h"
#include "foundation/os/os.h"
#include "foundation/string/string_builder.h"

enum { MAX_DEPTH = 4 }; // of projects below a folder

// Projects do not move: sessions borrow their sources.
typedef struct served_project {
    char folder[CT_PATH_BYTES]; // absolute
    ct_serve_source source;
    ct_compiler *compiler; // NULL: not asked for yet
    ct_hot_reload *reload;
} served_project;

struct ct_serve_projects {
    ct_serve_projects_desc desc;
    CT_ARRAY(served_project *) projects;
    ct_serve_source engine;
};

ct_serve_projects *ct_serve_projects_create(const ct_serve_projects_desc *desc) {
    char program[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    ct_serve_projects *const p = CT_NEW(desc->allocator, ct_serve_projects);
    p->desc = *desc;
    ct_array_init(&p->projects, desc->allocator);
    ct_os_executable_path(program);
    ct_path_folder(folder, program);
    ct_serve_source_init(&p->engine, desc->allocator, "engine", folder);
    return p;
}

static void free_project(ct_serve_projects *p, served_project *project) {
    ct_hot_reload_destroy(project->reload);
    ct_compiler_destroy(project->compiler);
    ct_serve_source_free(&project->source);
    ct_free_sized(p->desc.allocator, project, sizeof(*project));
}

void ct_serve_projects_destroy(ct_serve_projects *p) {
    if (!p)
        return;
    for (uint32_t i = 0; i < p->projects.count; ++i)
        free_project(p, p->projects.items[i]);
    ct_array_free(&p->projects);
    ct_serve_source_free(&p->engine);
    ct_free_sized(p->desc.allocator, p, sizeof(*p));
}

uint32_t ct_serve_projects_count(const ct_serve_projects *p) {
    return p->projects.count;
}

const char *ct_serve_projects_name(const ct_serve_projects *p, uint32_t i) {
    return p->projects.items[i]->source.name;
}

// --- Finding -------------------------------------------------------------------------------------

static bool is_project(const char *folder) {
    char settings[CT_PATH_BYTES];
    return ct_path_try_join(settings, folder, "settings.config") &&
           ct_os_file_info(settings).kind == CT_FILE_KIND_FILE;
}

// The name of a folder, with that of the folder above it when another project has the same.
static const char *name_of(const ct_serve_projects *p, const char *folder) {
    const char *const name = ct_path_file_name(folder);
    const char *longer = name;
    bool is_taken = false;
    for (uint32_t i = 0; i < p->projects.count; ++i)
        is_taken |= strcmp(p->projects.items[i]->source.name, name) == 0;
    if (is_taken && longer > folder + 1) {
        --longer;
        while (longer > folder && longer[-1] != '/')
            --longer;
    }
    return longer;
}

static served_project *add_project(ct_serve_projects *p, const char *folder, const char *name) {
    for (uint32_t i = 0; i < p->projects.count; ++i) {
        if (strcmp(p->projects.items[i]->folder, folder) == 0)
            return p->projects.items[i];
    }
    served_project *const project = CT_NEW(p->desc.allocator, served_project);
    snprintf(project->folder, sizeof(project->folder), "%s", folder);
    ct_serve_source_init(&project->source, p->desc.allocator, name, "");
    ct_array_push(&p->projects, project);
    return project;
}

// A folder in which projects are looked for.
typedef struct folder_search {
    ct_serve_projects *projects;
    char folder[CT_PATH_BYTES];
    uint32_t root_length; // of the folder that was named, with its slash
    uint32_t depth;
} folder_search;

static void search_entry(void *user, const char *name, const ct_file_info *info) {
    const folder_search *const above = user;
    folder_search below = *above;
    ct_error ignored;
    ++below.depth;
    if (info->kind != CT_FILE_KIND_FOLDER || info->is_link || name[0] == '.' ||
        below.depth > MAX_DEPTH || !ct_path_try_join(below.folder, above->folder, name))
        return;
    if (is_project(below.folder))
        add_project(above->projects, below.folder, below.folder + below.root_length);
    else
        ct_os_folder_list_infos(below.folder, search_entry, &below, &ignored);
}

static bool start(ct_serve_projects *p, served_project *project, ct_error *error) {
    if (project->reload)
        return true;
    if (!project->compiler)
        project->compiler = p->desc.make_compiler(p->desc.user, project->folder, error);
    if (!project->compiler)
        return false;
    snprintf(project->source.folder, sizeof(project->source.folder), "%s",
             ct_compiler_data_folder(project->compiler));
    ct_log_info("serve", "%s: compiling", project->source.name);
    project->reload = ct_hot_reload_create(p->desc.allocator, project->compiler, project->folder,
                                           p->desc.core_folder, error);
    return project->reload != NULL;
}

bool ct_serve_projects_add(ct_serve_projects *p, const char *folder, ct_error *error) {
    folder_search search = {.projects = p};
    if (!ct_os_absolute_path(folder, search.folder, error))
        return false;
    if (is_project(search.folder))
        return start(p, add_project(p, search.folder, name_of(p, search.folder)), error);
    const uint32_t before = p->projects.count;
    search.root_length = (uint32_t)strlen(search.folder) + 1;
    if (!ct_os_folder_list_infos(search.folder, search_entry, &search, error))
        return false;
    return p->projects.count > before ||
           ct_error_set(error,
                        "\"%.400s\" is not a project and has none below it: there is no "
                        "settings.config",
                        folder);
}

// --- Updates -------------------------------------------------------------------------------------

static void read_list(served_project *project) {
    ct_error error = {0};
    ct_serve_source *const source = &project->source;
    const uint32_t before = source->revision;
    uint64_t bytes = 0;
    source->is_broken = !ct_serve_source_read_data(source, &error) && before == 0;
    source->problem = error;
    if (error.message[0] != '\0')
        ct_log_report("serve", &error);
    if (source->revision == before)
        return;
    for (uint32_t i = 0; i < source->files.count; ++i)
        bytes += source->files.items[i].size_bytes;
    ct_log_info("serve", "%s: revision %u, %u files, %.1f MB", source->name, source->revision,
                source->files.count, (double)bytes * 1e-6);
}

// Lists what is wrong in the sources after the last run of the compiler, which does not run now.
static void read_problems(const ct_serve_projects *p, served_project *project) {
    const ct_compile_report *const report = ct_compiler_report(project->compiler);
    const ct_error *const failure = ct_hot_reload_failure(project->reload);
    ct_serve_problems problems;
    ct_serve_problems_init(&problems, p->desc.allocator);
    if (failure)
        ct_serve_problems_add(&problems, failure, false);
    for (uint32_t i = 0; !failure && i < report->errors.count; ++i) {
        ct_error error;
        ct_compile_report_error(report, i, &error);
        ct_serve_problems_add(&problems, &error, false);
    }
    for (uint32_t i = 0; !failure && i < report->warnings.count; ++i)
        ct_serve_problems_add(&problems, &report->warnings.items[i], true);
    ct_serve_source_set_problems(&project->source, &problems);
    ct_serve_problems_free(&problems);
}

void ct_serve_projects_update(ct_serve_projects *p) {
    for (uint32_t i = 0; i < p->projects.count; ++i) {
        served_project *const project = p->projects.items[i];
        ct_resource_id_array changed;
        if (!project->reload || !ct_hot_reload_take(project->reload, &changed))
            continue;
        read_list(project);
        read_problems(p, project);
        ct_hot_reload_release(project->reload);
        ct_array_free(&changed);
    }
}

// --- Opening -------------------------------------------------------------------------------------

// Whether the last parts of a folder's path are these.
static bool ends_with(const char *folder, const char *name) {
    const size_t folder_length = strlen(folder), length = strlen(name);
    return length > 0 && length < folder_length &&
           strcmp(folder + folder_length - length, name) == 0 &&
           folder[folder_length - length - 1] == '/';
}

// Writes the names of all projects, with commas between them.
static void list_names(const ct_serve_projects *p, ct_string_builder *names) {
    for (uint32_t i = 0; i < p->projects.count; ++i)
        ct_string_builder_addf(names, "%s\"%s\"", i == 0 ? "" : ", ",
                               p->projects.items[i]->source.name);
}

static void refuse_name(const ct_serve_projects *p, const char *name, bool is_unknown,
                        ct_error *error) {
    ct_string_builder names;
    ct_string_builder_init(&names, p->desc.allocator);
    list_names(p, &names);
    const char *const text = ct_string_builder_text(&names);
    if (is_unknown)
        ct_error_set(error, "the file server has no project \"%.255s\"; it has %.600s", name, text);
    else
        ct_error_set(error,
                     "the file server has several projects; write --project with one of "
                     "%.600s",
                     text);
    ct_string_builder_free(&names);
}

static served_project *find_project(const ct_serve_projects *p, const char *name, ct_error *error) {
    served_project *found = NULL;
    uint32_t num_found = 0;
    for (uint32_t i = 0; i < p->projects.count; ++i) {
        served_project *const project = p->projects.items[i];
        if (strcmp(project->source.name, name) == 0)
            return project;
        if (name[0] == '\0' || ends_with(project->folder, name)) {
            found = project;
            ++num_found;
        }
    }
    if (num_found == 1)
        return found;
    refuse_name(p, name, num_found == 0, error);
    return NULL;
}

const ct_serve_source *ct_serve_projects_open(void *user, const char *project, bool is_engine,
                                              ct_error *error) {
    ct_serve_projects *const p = user;
    if (is_engine)
        return ct_serve_source_read_engine(&p->engine, error) ? &p->engine : NULL;
    served_project *const found = find_project(p, project, error);
    return found && start(p, found, error) ? &found->source : NULL;
}
