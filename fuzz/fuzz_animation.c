// Clips: whatever is accepted plays, forward and back, inside of its blob and of the player.
//
// The first byte says whether the rest is a blob behind its header, or edits of a small valid clip
// that the compressor made: a position (two bytes) and the byte that is written there.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "animation/clip/clip_fixture.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ct_blob_writer valid;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    enum { FRAMES = 50 };
    clip_fixture c;
    float values[FRAMES + 1];
    test_group_setup(NULL);
    clip_make(&c, 9, 2, FRAMES, CLIP_MIXED, 3);
    for (uint32_t f = 0; f <= FRAMES; ++f)
        values[f] = (float)(f / 7);
    const ct_raw_curve curves[2] = {{"", "steps", values, true}, {"", "line", values, false}};
    c.raw.curves = curves;
    c.raw.num_curves = 2;
    (void)clip_compress(&c.raw, &valid, NULL);
    clip_free(&c);
    return 0;
}

static void move_and_read(ct_clip_player *p, float time, ct_pose_group *pose, uint32_t groups) {
    const ct_animation_resource *const clip = ct_clip_player_clip(p);
    ct_clip_player_move(p, time);
    ct_clip_player_pose(p, pose, pose + groups);
    float sum = ct_animation_root_at(clip, time).heading;
    for (uint32_t i = 0; i < clip->curves.count; ++i)
        sum += ct_clip_player_curve(p, i);
    if (isnan(sum))
        abort(); // numbers of a valid blob are finite
}

static void play(const ct_animation_resource *clip) {
    const uint32_t groups = ct_pose_num_groups(clip->num_joints);
    ct_pose_group *const pose = ct_alloc(test_heap(), sizeof(*pose) * 2 * groups);
    ct_clip_player *const p = clip_new_player(clip);
    const float length = ct_animation_length(clip);
    ct_pose_identity(pose, groups);
    for (uint32_t i = 0; i <= 16; ++i)
        move_and_read(p, length * (float)i / 16, pose, groups);
    const ct_pose_group last = pose[groups];
    move_and_read(p, length / 3, pose, groups);
    move_and_read(p, -1, pose, groups);
    move_and_read(p, 1e30f, pose, groups);
    if (memcmp(&last, &pose[groups], sizeof(last)) != 0)
        abort(); // a seek gives what playing gives
    ct_free(test_heap(), p);
    ct_free(test_heap(), pose);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    const uint32_t head = (uint32_t)sizeof(ct_blob_header);
    const bool are_edits = data[0] % 4 != 0;
    const size_t bytes = are_edits ? valid.bytes.count : head + size - 1;
    void *blob = NULL; // of exactly the blob's size, so that a read past the end is seen
    if (posix_memalign(&blob, CT_BLOB_ALIGN, bytes) != 0)
        abort();
    memcpy(blob, valid.bytes.items, head);
    if (!are_edits)
        memcpy((char *)blob + head, data + 1, size - 1);
    else
        memcpy((char *)blob + head, valid.bytes.items + head, bytes - head);
    for (size_t i = 1; are_edits && i + 3 <= size; i += 3)
        ((uint8_t *)blob)[head + (data[i] | (uint32_t)data[i + 1] << 8) % (bytes - head)] =
            data[i + 2];
    ((ct_blob_header *)blob)->size_bytes = bytes;
    ct_error error = {0};
    if (ct_animation_validate(blob, &error))
        play(blob);
    else if (error.message[0] == 0)
        abort(); // a refusal says why
    free(blob);
    return 0;
}
