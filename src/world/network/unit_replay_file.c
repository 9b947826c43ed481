#include <string.h>

#include "foundation/os/file.h"
#include "resource/blob/content_hash.h"
#include "world/network/unit_replay_private.h"

enum { VERSION = 1, ORDER = 0x01020304 };
static const char magic[4] = {'C', 'T', 'U', 'R'};

// The head of a file; the frames follow, and a hash of all before it.
typedef struct file_head {
    char magic[4];
    uint32_t version, order, num_units;
    uint64_t bytes; // of frames
} file_head;

bool ct_unit_replay_save(const ct_unit_replay *r, const char *path, ct_error *error) {
    file_head head = {.version = VERSION,
                      .order = ORDER,
                      .num_units = r->frames.num_units,
                      .bytes = r->frames.bytes.count};
    memcpy(head.magic, magic, sizeof(magic));
    const uint64_t size = sizeof(head) + head.bytes + sizeof(uint64_t);
    uint8_t *const all = ct_alloc(r->allocator, size);
    memcpy(all, &head, sizeof(head));
    if (head.bytes)
        memcpy(all + sizeof(head), r->frames.bytes.items, head.bytes);
    const uint64_t hash = ct_content_hash(all, sizeof(head) + head.bytes);
    memcpy(all + sizeof(head) + head.bytes, &hash, sizeof(hash));
    const bool is_written = ct_file_write(path, all, size, false, error);
    ct_free_sized(r->allocator, all, size);
    return is_written;
}

static bool check_head(const file_head *head, uint64_t size, const char *path, ct_error *error) {
    if (memcmp(head->magic, magic, sizeof(magic)) != 0)
        return ct_error_set_at(error, path, 0, 0, "it is no replay of units");
    if (head->order != ORDER)
        return ct_error_set_at(error, path, 0, 0,
                               "the replay is of a machine with the other byte order");
    if (head->version != VERSION)
        return ct_error_set_at(error, path, 0, 0,
                               "the replay has version %u; this program reads version %u",
                               head->version, VERSION);
    if (head->bytes != size - sizeof(*head) - sizeof(uint64_t) ||
        head->bytes > CT_UNIT_REPLAY_MOST_BYTES || head->num_units > CT_UNIT_REPLAY_MAX_UNITS)
        return ct_error_set_at(error, path, 0, 0, "the replay is cut or damaged");
    return true;
}

// Reads all frames once.
static bool check_frames(ct_unit_frames *f, ct_error *error) {
    if (!ct_unit_frames_list(f, error))
        return false;
    ct_unit_cursor cursor;
    ct_unit_cursor_init(&cursor, f->bytes.allocator);
    bool is_good = true;
    for (uint32_t i = 0; is_good && i < f->list.count; ++i)
        is_good = ct_unit_cursor_seek(&cursor, f, i, error);
    ct_unit_cursor_free(&cursor);
    return is_good;
}

bool ct_unit_replay_load_bytes(ct_unit_replay *r, const void *bytes, uint64_t size,
                               const char *path, ct_error *error) {
    if (r->is_recording || r->is_playing)
        return ct_error_set(error, "a replay that %s loads no file; stop it first",
                            r->is_recording ? "records" : "plays");
    const uint8_t *const from = bytes;
    file_head head;
    uint64_t hash;
    if (size < sizeof(head) + sizeof(hash))
        return ct_error_set_at(error, path, 0, 0, "it is no replay of units");
    memcpy(&head, from, sizeof(head));
    if (!check_head(&head, size, path, error))
        return false;
    memcpy(&hash, from + sizeof(head) + head.bytes, sizeof(hash));
    if (hash != ct_content_hash(from, sizeof(head) + head.bytes))
        return ct_error_set_at(error, path, 0, 0, "the replay is damaged: its checksum is wrong");
    ct_unit_frames frames;
    ct_unit_frames_init(&frames, r->allocator);
    frames.num_units = head.num_units;
    ct_array_push_many(&frames.bytes, from + sizeof(head), (uint32_t)head.bytes);
    ct_error what = {0};
    if (!check_frames(&frames, &what)) {
        ct_unit_frames_free(&frames);
        return ct_error_set_at(error, path, 0, 0, "the replay is damaged: %s", what.message);
    }
    ct_unit_frames_free(&r->frames);
    r->frames = frames;
    r->at.frame = r->next.frame = UINT32_MAX;
    r->recorded.count = 0; // none of the world's units
    ct_hash_map_clear(&r->numbers);
    return true;
}

bool ct_unit_replay_load(ct_unit_replay *r, const char *path, ct_error *error) {
    uint64_t size;
    char *const bytes = ct_file_read(r->allocator, path, &size, error);
    if (!bytes)
        return false;
    const bool is_loaded = ct_unit_replay_load_bytes(r, bytes, size, path, error);
    ct_free(r->allocator, bytes);
    return is_loaded;
}
