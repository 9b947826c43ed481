// worker_plugin_compile.h: compiles a resource whose type a plugin added.
#pragma once
#include "compiler/protocol/compile.h"

// Reads the source by the type's schema, and has the type's compile function write the data, or writes the
// struct that was read. Appends a ct_plugin_resource. Returns false after reporting why there is no blob.
bool ct_worker_plugin_compile(ct_compile *c);

// Returns whether `size_bytes` more bytes of data are not too many; reports an error otherwise.
bool ct_worker_plugin_has_room(ct_compile *c, uint64_t size_bytes);
