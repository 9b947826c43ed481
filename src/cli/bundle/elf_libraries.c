#include "cli/bundle/elf_libraries.h"

#include <gelf.h>
#include <string.h>

#include "foundation/error.h"

static bool refuse(ct_error *error) {
    return ct_error_set(error, "it is not a 64-bit little-endian ELF program");
}

static bool is_program(Elf *elf) {
    const char *const ident = elf ? elf_getident(elf, NULL) : NULL;
    return ident && elf_kind(elf) == ELF_K_ELF && ident[EI_CLASS] == ELFCLASS64 &&
           ident[EI_DATA] == ELFDATA2LSB;
}

// Finds the first segment of a type; of PT_LOAD the one that has `address`.
static bool find_segment(Elf *elf, uint32_t type, uint64_t address, GElf_Phdr *segment) {
    size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; ++i) {
        if (gelf_getphdr(elf, (int)i, segment) && segment->p_type == type &&
            (type != PT_LOAD || address - segment->p_vaddr < segment->p_filesz))
            return true;
    }
    return false;
}

// Returns where the byte at an address in memory lies in the file; `bytes`, the file's, if nowhere.
static uint64_t offset_of(Elf *elf, uint64_t address, uint64_t bytes) {
    GElf_Phdr segment;
    if (!find_segment(elf, PT_LOAD, address, &segment))
        return bytes;
    const uint64_t within = address - segment.p_vaddr;
    return segment.p_offset <= bytes && within <= bytes - segment.p_offset
               ? segment.p_offset + within
               : bytes;
}

static bool read_names(Elf *elf, const char *data, uint64_t bytes, ct_library_names *names) {
    GElf_Phdr segment;
    GElf_Dyn entry;
    uint64_t strings = bytes;
    if (!find_segment(elf, PT_DYNAMIC, 0, &segment))
        return true;
    Elf_Data *const dynamic =
        elf_getdata_rawchunk(elf, (int64_t)segment.p_offset, segment.p_filesz, ELF_T_DYN);
    for (int i = 0; gelf_getdyn(dynamic, i, &entry); ++i) {
        if (entry.d_tag == DT_STRTAB)
            strings = offset_of(elf, entry.d_un.d_ptr, bytes);
    }
    for (int i = 0; gelf_getdyn(dynamic, i, &entry); ++i) {
        if (entry.d_tag != DT_NEEDED)
            continue;
        const uint64_t at = entry.d_un.d_val;
        if (at >= bytes - strings || !memchr(data + strings + at, 0, bytes - strings - at))
            return false;
        ct_array_push(names, data + strings + at);
    }
    return true;
}

bool ct_elf_libraries(const void *data, uint64_t bytes, ct_library_names *names, ct_error *error) {
    elf_version(EV_CURRENT);
    // It only reads what it is given.
    Elf *const elf = elf_memory((char *)data, bytes);
    const bool is_read = is_program(elf) && read_names(elf, data, bytes, names);
    elf_end(elf);
    return is_read || refuse(error);
}
