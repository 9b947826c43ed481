#include "plugin/plugin_library.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"

#if defined(__x86_64__)
#define THIS_MACHINE EM_X86_64
#define THIS_MACHINE_NAME "x86-64"
#elif defined(__aarch64__)
#define THIS_MACHINE EM_AARCH64
#define THIS_MACHINE_NAME "ARM64"
#endif

ct_plugin_stamp ct_plugin_stamp_of(const char *path) {
    const ct_file_info info = ct_os_file_info(path);
    if (info.kind != CT_FILE_KIND_FILE)
        return (ct_plugin_stamp){0};
    return (ct_plugin_stamp){info.size_bytes, info.inode, info.modified_ns};
}

// The end of all that the headers of a library say is in the file.
static uint64_t end_of_parts(const uint8_t *data, uint64_t size_bytes, const Elf64_Ehdr *head) {
    uint64_t end = head->e_shoff + (uint64_t)head->e_shnum * head->e_shentsize;
    for (uint32_t i = 0; i < head->e_phnum; ++i) {
        const uint64_t at = head->e_phoff + (uint64_t)i * head->e_phentsize;
        Elf64_Phdr part;
        if (at > size_bytes || size_bytes - at < sizeof(part))
            return UINT64_MAX;
        memcpy(&part, data + at, sizeof(part));
        const uint64_t part_end = part.p_offset + part.p_filesz;
        end = part_end > end ? part_end : end;
    }
    return end;
}

static bool check(const uint8_t *data, uint64_t size_bytes, bool *is_unfinished, ct_error *error) {
    static const uint8_t nothing[SELFMAG];
    Elf64_Ehdr head;
    // Linkers write the start of the file last.
    *is_unfinished = size_bytes < sizeof(head) || memcmp(data, nothing, SELFMAG) == 0;
    if (size_bytes >= SELFMAG && memcmp(data, nothing, SELFMAG) != 0 &&
        memcmp(data, ELFMAG, SELFMAG) != 0)
        return ct_error_set(error, "it is not a shared library (ELF)");
    if (*is_unfinished)
        return ct_error_set(error, "the library ends too early, after %llu bytes",
                            (unsigned long long)size_bytes);
    memcpy(&head, data, sizeof(head));
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != THIS_MACHINE)
        return ct_error_set(error,
                            "the library is for another machine (ELF machine %u); expected "
                            "one for " THIS_MACHINE_NAME,
                            head.e_machine);
    if (head.e_type != ET_DYN)
        return ct_error_set(error, "it is a program or an object file; expected a shared library "
                                   "(cc -shared -fPIC)");
    const uint64_t end = end_of_parts(data, size_bytes, &head);
    *is_unfinished = end > size_bytes;
    return !*is_unfinished || ct_error_set(error, "the library ends too early, after %llu bytes",
                                           (unsigned long long)size_bytes);
}

// The number of the process that made a copy; 0: the file is something else.
static int64_t maker_of(const char *name) {
    static const char digits[] = "0123456789";
    const size_t first = strspn(name, digits);
    if (first == 0 || first > 18 || name[first] != '-')
        return 0;
    const size_t second = strspn(name + first + 1, digits);
    return second > 0 && strcmp(name + first + 1 + second, ".so") == 0 ? strtoll(name, NULL, 10)
                                                                       : 0;
}

static bool remove_if_old(void *user, const ct_found_file *file) {
    const char *const folder = user;
    const int64_t maker = maker_of(file->path);
    char path[CT_PATH_BYTES];
    if (maker > 0 && !ct_os_process_exists(maker) && ct_path_try_join(path, folder, file->path))
        ct_os_file_remove(path, NULL);
    return true;
}

void ct_plugin_library_remove_old_copies(const char *folder) {
    ct_folder_walk(folder, remove_if_old, (void *)(uintptr_t)folder, NULL);
}

static bool write_copy(ct_plugin_library *library, const char *folder, uint32_t number,
                       const char *data, uint64_t size_bytes, ct_error *error) {
    char name[64];
    snprintf(name, sizeof(name), "%lld-%u.so", (long long)ct_os_process_id(), number);
    if (!ct_path_try_join(library->copy, folder, name))
        return ct_error_set(error, "the path %.200s/%s is too long", folder, name);
    return ct_file_write(library->copy, data, size_bytes, false, error);
}

bool ct_plugin_library_open(ct_allocator *a, ct_plugin_library *library, const char *path,
                            const char *copies_folder, uint32_t number, bool *is_unfinished,
                            ct_error *error) {
    *library = (ct_plugin_library){0};
    *is_unfinished = false;
    uint64_t size_bytes = 0;
    char *const data = ct_file_read(a, path, &size_bytes, error);
    if (!data)
        return false;
    const bool is_whole =
        check((const uint8_t *)data, size_bytes, is_unfinished, error) &&
        (!copies_folder || write_copy(library, copies_folder, number, data, size_bytes, error));
    ct_free(a, data);
    if (is_whole)
        library->handle = ct_library_open_file(copies_folder ? library->copy : path, error);
    if (!library->handle)
        ct_plugin_library_close(library);
    return library->handle != NULL;
}

void *ct_plugin_library_symbol(const ct_plugin_library *library, const char *name) {
    return ct_library_symbol(library->handle, name);
}

bool ct_plugin_library_holds(const ct_plugin_library *library, const void *address) {
    return library->handle && ct_library_holds(library->handle, address);
}

void ct_plugin_library_leave_open(ct_plugin_library *library) {
    if (library->copy[0])
        ct_os_file_remove(library->copy, NULL);
    *library = (ct_plugin_library){0};
}

bool ct_plugin_library_close(ct_plugin_library *library) {
    const bool is_gone = !library->handle || ct_library_close(library->handle);
    if (library->copy[0])
        ct_os_file_remove(library->copy, NULL);
    *library = (ct_plugin_library){0};
    return is_gone;
}
