#include "foundation/crash/crash_build_id.h"
#include "foundation/crash/crash_text.h"

#include <elf.h>
#include <link.h>
#include <string.h>

static char build_id[2 * 32 + 1]; // hexadecimal; "": none was found

static uint64_t round_up_to_4(uint64_t bytes) {
    return (bytes + 3) & ~(uint64_t)3;
}

// Keeps the GNU build id of a module's notes.
static void read_notes(const char *notes, uint64_t bytes) {
    for (uint64_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
        ElfW(Nhdr) note;
        memcpy(&note, notes + at, sizeof(note));
        const char *const name = notes + at + sizeof(note);
        const unsigned char *const id = (const unsigned char *)name + round_up_to_4(note.n_namesz);
        ct_crash_text t = ct_crash_text_over(build_id, sizeof(build_id));
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
            for (uint32_t i = 0; i < note.n_descsz; ++i) {
                const char digits[] = {"0123456789abcdef"[id[i] >> 4],
                                       "0123456789abcdef"[id[i] & 15]};
                ct_crash_text_add_bytes(&t, digits, sizeof(digits));
            }
            return;
        }
        at += sizeof(note) + round_up_to_4(note.n_namesz) + round_up_to_4(note.n_descsz);
    }
}

// The first module is the program itself.
static int read_build_id(struct dl_phdr_info *info, size_t bytes, void *unused) {
    (void)bytes, (void)unused;
    for (uint32_t i = 0; i < info->dlpi_phnum && !build_id[0]; ++i)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            read_notes((const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                       info->dlpi_phdr[i].p_memsz);
    return 1;
}

void ct_crash_build_id_find(void) {
    dl_iterate_phdr(read_build_id, NULL);
}

const char *ct_crash_build_id(void) {
    return build_id;
}
