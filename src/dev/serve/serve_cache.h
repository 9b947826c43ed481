// serve_cache.h: where an engine keeps what it fetched from file servers.
//
//   <root>/objects/ab/abcdef0123456789-1f40   a content, by XXH3-64 and size; any server, any project
//   <root>/nodes/<server and project>-<n>/<name>/.cuttle/data/linux   the data folder of one engine
//   <root>/engine/<hash>/cuttle               a server's engine
//   <root>/lists/<server and project>         the list that was placed last (serve_record.h)
//
// The files of a data folder are further names (hard links) of contents, so that a content is
// fetched and stored once. Each running engine locks a data folder of its own. Contents are written
// beside their place and renamed, and checked by their hash when an engine starts; a damaged one is
// fetched again. Contents that no data folder has named for 30 days are removed. One thread.
#pragma once
#include "compiler/driver/compiler.h"
#include "dev/serve/serve_manifest.h"
#include "foundation/os/os.h"

typedef struct ct_serve_cache {
    ct_allocator *allocator;
    char root[CT_PATH_BYTES];
    char project_folder[CT_PATH_BYTES]; // "" for an engine's programs
    char data_folder[CT_PATH_BYTES];    // of those: set by ct_serve_cache_place_engine
    char record[CT_PATH_BYTES];         // the file that has the list placed last
    ct_file_lock lock;
} ct_serve_cache;

// Writes the user's folder for this: $XDG_CACHE_HOME/cuttle/served, or below ~/.cache. Returns false
// with `error` when the environment names neither.
bool ct_serve_cache_root(char root[CT_PATH_BYTES], ct_error *error);

// Opens the cache below `root`, and takes a data folder for a project of a server ("host:port");
// `project` may be any text. NULL: for an engine's programs. Returns false with `error` when
// folders cannot be made.
bool ct_serve_cache_open(ct_serve_cache *c, ct_allocator *a, const char *root, const char *server,
                         const char *project, ct_error *error);

// Gives the data folder back.
void ct_serve_cache_close(ct_serve_cache *c);

// Returns whether the cache has this content, undamaged. Reads it.
bool ct_serve_cache_has(const ct_serve_cache *c, uint64_t hash, uint32_t size_bytes);

// Stores a content under its hash. Returns false with `error` when it cannot be written (disk
// full); nothing is left then.
bool ct_serve_cache_store(const ct_serve_cache *c, uint64_t hash, const void *bytes,
                          uint32_t size_bytes, ct_error *error);

// Makes the data folder that of a list whose contents the cache has: links what differs from
// `before` (the list placed last; NULL: unknown), the catalog last, then removes what is not
// listed. Appends the resources with new, changed or fewer variants to `changed`. Returns false with
// `error` when a file cannot be written; calling it again goes on.
bool ct_serve_cache_place(const ct_serve_cache *c, const ct_serve_file_array *before,
                          const ct_serve_file_array *files, ct_resource_id_array *changed,
                          ct_error *error);

// Places an engine's programs, which can be run, and sets `data_folder` to theirs.
bool ct_serve_cache_place_engine(ct_serve_cache *c, const ct_serve_file_array *files,
                                 ct_error *error);

// Removes contents that no data folder has named since the time `before_ns` (since 1970).
void ct_serve_cache_remove_unused(const ct_serve_cache *c, int64_t before_ns);
