// serve_projects.h: the projects that a file server offers, compiled and watched.
//
// A project that is named itself is compiled at once, one that was found in a folder when the first
// engine asks for it. From then on each has a compiler with its workers and a hot reload of its
// own, as a running game has. One thread.
#pragma once
#include "compiler/driver/compiler.h"
#include "dev/serve/serve_session.h"

typedef struct ct_serve_projects ct_serve_projects;

typedef struct ct_serve_projects_desc {
    ct_allocator *allocator;
    const char *core_folder; // absolute; borrowed
    void *user;
    // Makes the compiler of a project, by its absolute folder; NULL with `error`.
    ct_compiler *(*make_compiler)(void *user, const char *project, ct_error *error);
} ct_serve_projects_desc;

// Makes an empty set; `desc` is copied.
ct_serve_projects *ct_serve_projects_create(const ct_serve_projects_desc *desc);

// Ends all compilers and frees the set; NULL is fine. No session may use a source any more.
void ct_serve_projects_destroy(ct_serve_projects *p);

// Adds a project's folder and starts to compile it, or all projects below a folder. Returns false
// with `error` when it finds no project, or one cannot be compiled or watched.
bool ct_serve_projects_add(ct_serve_projects *p, const char *folder, ct_error *error);

// Takes what the compilers have done since the last call: reads lists and logs errors.
void ct_serve_projects_update(ct_serve_projects *p);

// Returns the number of projects, and the name of one, as lists show it.
uint32_t ct_serve_projects_count(const ct_serve_projects *p);
const char *ct_serve_projects_name(const ct_serve_projects *p, uint32_t i);

// The `open` of a ct_serve_host, whose `user` is the set. A name fits a project when the project's
// folder ends with it: "network", or "samples/network".
const ct_serve_source *ct_serve_projects_open(void *user, const char *project, bool is_engine,
                                              ct_error *error);
