// resource_made.h: resources that the program makes while it runs, beside those of its data.
//
// Systems get them as they get those of files: online, reload, offline. Update thread.
#pragma once
#include "resource/load/resource_manager.h"

// Brings the blob of a resource that the program has made itself online at once, as a file's would be.
// The blob (`size_bytes`, copied) must be valid, without a stream. A resource made before under this
// name is replaced at once, as in a reload. It stays until ct_resource_manager_remove_made, and as long
// as packages that list it hold it. Returns false with `error`, and changes nothing, when the blob is
// invalid, the name is not canonical, or the project has, or loads, a resource of this name.
bool ct_resource_manager_set_made(ct_resource_manager *m, const char *type, const char *name,
                                  const void *blob, uint64_t size_bytes, ct_error *error);

// Takes a made resource offline, unless a package holds it. Does nothing for any other.
void ct_resource_manager_remove_made(ct_resource_manager *m, const char *type, const char *name);
