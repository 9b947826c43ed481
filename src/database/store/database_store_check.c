#include "database/store/database_store_check.h"

#include <string.h>

#include "database/store/database_store_row.h"
#include "foundation/string/string_builder.h"
#include "resource/blob/content_hash.h"

typedef struct replay {
    ct_database_state *state;
    ct_database_commit commit;
    bool is_damaged;
} replay;

static bool replay_commit(void *user, ct_database_stamp stamp, const void *bytes,
                          uint64_t size_bytes) {
    replay *const r = user;
    (void)stamp;
    r->is_damaged |= !ct_database_commit_decode(&r->commit, bytes, size_bytes, NULL);
    if (!r->is_damaged)
        ct_database_state_apply(r->state, &r->commit);
    return !r->is_damaged;
}

static void sum_rows(ct_allocator *a, const ct_database_state *state, uint64_t *sum,
                     uint64_t *count) {
    ct_database_changed_array changes;
    ct_database_row_array rows;
    ct_array_init(&changes, a);
    ct_array_init(&rows, a);
    ct_database_state_changes(state, &changes);
    for (uint32_t i = 0; i < changes.count; ++i) {
        rows.count = 0;
        ct_database_state_changed_rows(state, &changes.items[i], &rows);
        for (uint32_t k = 0; k < rows.count; ++k)
            *sum += ct_database_row_hash(&rows.items[k]);
        *count += rows.count;
    }
    ct_array_free(&changes);
    ct_array_free(&rows);
}

bool ct_database_check_state(ct_database_store *store, const ct_database_branch *branch,
                             uint64_t sum, uint64_t count, ct_string_builder *out,
                             ct_error *error) {
    ct_allocator *const a = store->allocator;
    replay r = {.state = ct_database_state_create(a, (ct_database_removed){0})};
    ct_database_commit_init(&r.commit, a);
    ct_database_vector nothing;
    ct_database_vector_init(&nothing, a);
    const bool is_read =
        store->functions->read_commits(store, &nothing, &branch->state, replay_commit, &r, error);
    uint64_t expected_sum = 0, expected_count = 0;
    if (is_read && !r.is_damaged) { // damaged commits have their own lines
        sum_rows(a, r.state, &expected_sum, &expected_count);
        if (expected_count != count)
            ct_string_builder_addf(out,
                                   "branch %s: the stored state has %llu rows; its commits "
                                   "give %llu\n",
                                   branch->name, (unsigned long long)count,
                                   (unsigned long long)expected_count);
        else if (expected_sum != sum)
            ct_string_builder_addf(
                out, "branch %s: the stored state is not what its commits give\n", branch->name);
    }
    ct_database_vector_free(&nothing);
    ct_database_commit_free(&r.commit);
    ct_database_state_destroy(r.state);
    return is_read;
}

static void add_hash(ct_string_builder *out, const uint8_t hash[16]) {
    for (uint32_t i = 0; i < 16; ++i)
        ct_string_builder_addf(out, "%02x", hash[i]);
}

// Each blob that a commit names was there when it was made.
static void check_named(ct_database_store *store, const ct_database_commit *commit,
                        const char *time, const char *replica, ct_string_builder *out) {
    for (uint32_t i = 0; i < commit->operations.list.count; ++i) {
        const ct_database_operation *const op = &commit->operations.list.items[i];
        bool has = true;
        ct_error error = {0};
        if (op->type != CT_DATABASE_CHANGE_KEY || op->value.kind != CT_DATABASE_BLOB)
            continue;
        if (!store->functions->has_blob(store, &op->value.blob, &has, &error)) {
            ct_string_builder_addf(out, "commit %s of %s: %s\n", time, replica, error.message);
        } else if (!has) {
            ct_string_builder_addf(out, "commit %s of %s: it names the blob ", time, replica);
            add_hash(out, op->value.blob.hash);
            ct_string_builder_add(out, ", which is missing\n");
        }
    }
}

void ct_database_check_commit(ct_database_store *store, ct_database_stamp stamp, const void *bytes,
                              uint64_t size_bytes, ct_string_builder *out) {
    char replica[CT_GUID_TEXT_BYTES], time[CT_DATABASE_TIME_TEXT_BYTES];
    ct_guid_format(stamp.replica, replica);
    ct_database_time_format(stamp.time, time);
    ct_database_commit commit;
    ct_database_commit_init(&commit, store->allocator);
    ct_error error = {0};
    if (!ct_database_commit_decode(&commit, bytes, size_bytes, &error))
        ct_string_builder_addf(out, "commit %s of %s: %s\n", time, replica, error.message);
    else if (ct_database_stamp_compare(commit.stamp, stamp) != 0)
        ct_string_builder_addf(out, "commit %s of %s: its bytes are those of another commit\n",
                               time, replica);
    else
        check_named(store, &commit, time, replica, out);
    ct_database_commit_free(&commit);
}

void ct_database_blob_check_begin(ct_database_blob_check *check, ct_allocator *a,
                                  ct_string_builder *out) {
    *check = (ct_database_blob_check){.allocator = a, .out = out};
}

static void add_fault(ct_database_blob_check *check, const char *what) {
    if (check->is_faulty)
        return;
    check->is_faulty = true;
    ct_string_builder_add(check->out, "blob ");
    add_hash(check->out, check->blob.hash);
    ct_string_builder_addf(check->out, ": %s\n", what);
}

static void end_blob(ct_database_blob_check *check) {
    uint8_t hash[16];
    if (!check->hasher)
        return;
    ct_content_hasher_finish(check->hasher, hash);
    check->hasher = NULL;
    if (check->num_pieces == ct_database_blob_num_pieces(check->blob.size_bytes) &&
        memcmp(hash, check->blob.hash, sizeof(hash)) != 0)
        add_fault(check, "its bytes do not have its hash");
}

void ct_database_blob_check_piece(ct_database_blob_check *check, const ct_database_blob *blob,
                                  uint32_t piece, const void *bytes, uint32_t size_bytes) {
    if (!check->hasher || memcmp(check->blob.hash, blob->hash, 16) != 0 ||
        check->blob.size_bytes != blob->size_bytes) {
        end_blob(check);
        check->hasher = ct_content_hasher_create(check->allocator);
        check->blob = *blob;
        check->num_pieces = 0;
        check->is_faulty = false;
    }
    const uint32_t last = ct_database_blob_num_pieces(blob->size_bytes) - 1;
    if (piece != check->num_pieces && piece == last)
        add_fault(check, "pieces are missing");
    else if (piece > last || size_bytes != ct_database_blob_piece_bytes(blob->size_bytes, piece))
        add_fault(check, "a piece does not have the right size");
    ct_content_hasher_add(check->hasher, bytes, size_bytes);
    ++check->num_pieces;
}

void ct_database_blob_check_end(ct_database_blob_check *check) {
    end_blob(check);
}
