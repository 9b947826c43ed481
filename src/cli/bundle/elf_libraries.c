#include "cli/bundle/elf_libraries.h"

#include <elf.h>
#include <string.h>

#include "foundation/error.h"

typedef struct elf_file {
    const uint8_t *data;
    uint64_t bytes;
    const Elf64_Phdr *segments;
    uint32_t num_segments;
} elf_file;

static bool refuse(ct_error *error) {
    return ct_error_set(error, "it is no 64-bit little-endian ELF program");
}

static bool is_inside(const elf_file *f, uint64_t offset, uint64_t size, uint64_t align) {
    return offset % align == 0 && offset <= f->bytes && size <= f->bytes - offset;
}

static bool read_header(elf_file *f, ct_error *error) {
    const Elf64_Ehdr *const header = (const void *)f->data;
    if (f->bytes < sizeof(*header) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_phentsize != sizeof(Elf64_Phdr) ||
        !is_inside(f, header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf64_Phdr), 8))
        return refuse(error);
    f->segments = (const void *)(f->data + header->e_phoff);
    f->num_segments = header->e_phnum;
    return true;
}

// Where the byte at an address in memory lies in the file; the file's size when nowhere.
static uint64_t offset_of(const elf_file *f, uint64_t address) {
    for (uint32_t i = 0; i < f->num_segments; ++i) {
        const Elf64_Phdr *const s = &f->segments[i];
        if (s->p_type == PT_LOAD && address >= s->p_vaddr && address - s->p_vaddr < s->p_filesz &&
            is_inside(f, s->p_offset, s->p_filesz, 1))
            return s->p_offset + (address - s->p_vaddr);
    }
    return f->bytes;
}

static const Elf64_Dyn *dynamic_of(const elf_file *f, uint64_t *count) {
    for (uint32_t i = 0; i < f->num_segments; ++i) {
        const Elf64_Phdr *const s = &f->segments[i];
        if (s->p_type != PT_DYNAMIC || !is_inside(f, s->p_offset, s->p_filesz, 8))
            continue;
        *count = s->p_filesz / sizeof(Elf64_Dyn);
        return (const void *)(f->data + s->p_offset);
    }
    *count = 0;
    return NULL;
}

bool ct_elf_libraries(const void *data, uint64_t bytes, ct_library_names *names, ct_error *error) {
    elf_file f = {.data = data, .bytes = bytes};
    if (!read_header(&f, error))
        return false;
    uint64_t count = 0, strings = bytes;
    const Elf64_Dyn *const dynamic = dynamic_of(&f, &count);
    for (uint64_t i = 0; i < count; ++i) {
        if (dynamic[i].d_tag == DT_STRTAB)
            strings = offset_of(&f, dynamic[i].d_un.d_ptr);
    }
    for (uint64_t i = 0; i < count; ++i) {
        if (dynamic[i].d_tag != DT_NEEDED)
            continue;
        const uint64_t at = dynamic[i].d_un.d_val;
        if (at >= bytes - strings || !memchr(f.data + strings + at, 0, bytes - strings - at))
            return refuse(error);
        ct_array_push(names, (const char *)f.data + strings + at);
    }
    return true;
}
