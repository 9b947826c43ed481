// Journals: whatever is read is written again as it was, and finishing one changes nothing outside
// of its project.
//
// The first byte says how the rest is read: as a journal behind its header, or as edits of a small
// valid one. The header is made right, so that the checks behind it are reached.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "project/project_journal.h"
#include "project/source_file.h"
#include "resource/blob/blob.h"
#include "resource/blob/content_hash.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[CT_PATH_BYTES]; // that holds the project and nothing else

static void remove_folder(void) {
    ct_folder_remove(folder, NULL);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    ct_log_init(ct_memory_heap());
    // In memory where that can be: a journal ends with waiting for the disk.
    const bool has_memory = ct_os_file_info("/dev/shm").kind == CT_FILE_KIND_FOLDER;
    snprintf(folder, sizeof(folder), "%s/fuzz_journal-%lld", has_memory ? "/dev/shm" : "/tmp",
             (long long)ct_os_process_id());
    atexit(remove_folder);
    return 0;
}

// A journal with each kind of change.
static uint8_t *write_valid(ct_allocator *a, uint64_t *size_bytes) {
    ct_journal journal;
    ct_journal_init(&journal, a);
    const ct_journal_change changes[] = {
        {.from = "a",
         .to = "a",
         .content = "new",
         .content_bytes = 3,
         .old_hash = ct_source_hash("x", 1),
         .old_content = "x",
         .old_bytes = 1},
        {.from = "b", .to = "c/b"},
        {.from = "d", .to = "link/d", .content = "d", .content_bytes = 1, .old_hash = 6},
        {.from = "g",
         .to = "h/g",
         .content = "g",
         .content_bytes = 1,
         .old_hash = ct_source_hash("old g", 5),
         .old_content = "old g",
         .old_bytes = 5},
        {.from = "e", .old_hash = 7},
        {.to = "f/f", .content = "", .content_bytes = 0},
    };
    ct_array_push_many(&journal.changes, changes, CT_COUNT_OF(changes));
    return ct_journal_write(a, &journal, size_bytes, NULL);
}

// Reads `data` as edits: a position and how to change what stands there.
static void edit(uint8_t *bytes, uint64_t count, const uint8_t *data, size_t size) {
    for (; size >= 4; data += 4, size -= 4) {
        const uint64_t at = (uint64_t)(data[0] | (data[1] & 63) << 8) % count;
        const uint64_t word = at & ~(uint64_t)3;
        uint32_t value = data[2] | (uint32_t)data[3] << 8;
        if (data[1] >> 6 == 0 || word + 4 > count) {
            bytes[at] = data[3];
            continue;
        }
        if (data[1] >> 6 == 1) // a large number
            value = ~value;
        memcpy(bytes + word, &value, 4);
    }
}

static void seal(uint8_t *bytes, uint64_t count) {
    ct_blob_header header = {.magic = CT_BLOB_MAGIC,
                             .version = CT_JOURNAL_VERSION,
                             .type = ct_string_id64_of("journal"),
                             .size_bytes = count};
    header.checksum = ct_content_hash(bytes + sizeof(header), count - sizeof(header));
    memcpy(bytes, &header, sizeof(header));
}

static void put(const char *path, const void *bytes, uint64_t size_bytes) {
    char place[CT_PATH_BYTES], above[CT_PATH_BYTES];
    ct_path_join(place, folder, path);
    ct_path_folder(above, place);
    if (!ct_folder_create(above, NULL) || !ct_file_write(place, bytes, size_bytes, false, NULL))
        abort();
}

static void count_entry(void *user, const char *name) {
    *(uint32_t *)user += strcmp(name, "game") != 0;
}

static void finish(ct_allocator *a, const uint8_t *bytes, uint64_t size_bytes) {
    char project[CT_PATH_BYTES], link[CT_PATH_BYTES];
    ct_string_array report;
    ct_error error = {0};
    ct_array_init(&report, a);
    put("game/a", "x", 1);
    put("game/b", "y", 1);
    put("game/g", "old g", 5);
    put("game/.cuttle/cache/journal", bytes, size_bytes);
    ct_path_join(project, folder, "game");
    ct_path_join(link, project, "link");
    if (symlink("..", link) != 0 && !ct_os_file_info(link).is_link)
        abort();
    const bool is_done = ct_journal_finish(a, project, &report, &error);
    uint32_t others = 0;
    ct_os_folder_list(folder, count_entry, &others, NULL);
    if (others > 0 || is_done == ct_journal_is_there(project))
        abort();
    remove_folder();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    CT_TEMP_ALLOCATOR(a, ct_memory_heap());
    uint64_t count = sizeof(ct_blob_header) + size;
    uint8_t *bytes = NULL;
    if (size > 0 && data[0] % 4 != 0) {
        bytes = write_valid(a, &count);
        edit(bytes, count, data + 1, size - 1);
    } else {
        bytes = ct_alloc_zero(a, count);
        memcpy(bytes + sizeof(ct_blob_header), data, size);
    }
    seal(bytes, count);
    ct_journal journal, again;
    uint64_t written_bytes = 0;
    ct_journal_init(&journal, a);
    ct_journal_init(&again, a);
    if (ct_journal_read(bytes, count, &journal, NULL)) {
        const uint8_t *const written = ct_journal_write(a, &journal, &written_bytes, NULL);
        if (!written || !ct_journal_read(written, written_bytes, &again, NULL))
            abort();
        uint64_t twice_bytes = 0;
        const uint8_t *const twice = ct_journal_write(a, &again, &twice_bytes, NULL);
        if (!twice || twice_bytes != written_bytes || memcmp(twice, written, twice_bytes) != 0)
            abort();
    }
    finish(a, bytes, count);
    return 0;
}
