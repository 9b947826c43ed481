// os_linux_library.c: shared libraries that are opened at run time.
#include "foundation/os/os.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

#include "foundation/error.h"
#include "foundation/os/path.h"

void *ct_library_open(const char *name) {
    return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

void *ct_library_symbol(void *library, const char *name) {
    return dlsym(library, name);
}

void *ct_library_open_file(const char *path, ct_error *error) {
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        ct_error_set(error, "cannot open the library: %s", dlerror());
    return library;
}

bool ct_library_close(void *library) {
    struct link_map *map = NULL;
    char path[CT_PATH_BYTES] = "";
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0)
        snprintf(path, sizeof(path), "%s", map->l_name);
    dlclose(library);
    void *const still_there = path[0] ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (still_there)
        dlclose(still_there);
    return !still_there;
}

bool ct_library_holds(void *library, const void *address) {
    struct link_map *map = NULL, *holder = NULL;
    Dl_info info;
    return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 &&
           dladdr1(address, &info, (void **)&holder, RTLD_DL_LINKMAP) != 0 && holder == map;
}
