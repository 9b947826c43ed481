#include "animation/clip/clip_player.h"

#include "animation/clip/clip_fixture.h"

enum { JOINTS = 11, GROUPS = (JOINTS + 3) / 4 };

static void pose_at(ct_clip_player *p, float time, ct_pose_group *pose) {
    ct_pose_group base[GROUPS];
    ct_pose_identity(base, GROUPS);
    ct_clip_player_move(p, time);
    ct_clip_player_pose(p, base, pose);
}

static void a_seek_equals_playing(void **state) {
    (void)state;
    for (uint32_t motion = 0; motion < CLIP_MOTION_COUNT; ++motion) {
        clip_fixture c;
        ct_blob_writer w;
        clip_make(&c, JOINTS, 2, 143, (clip_motion)motion, motion + 5);
        const ct_animation_resource *const clip = clip_compress(&c.raw, &w, NULL);
        ct_clip_player *const playing = clip_new_player(clip), *const seeking =
                                                                   clip_new_player(clip);
        ct_random r = ct_random_seeded(motion, 0);
        const float length = ct_animation_length(clip);
        float time = 0;
        for (uint32_t i = 0; i < test_rounds(500, 20000); ++i) {
            ct_pose_group played[GROUPS], found[GROUPS];
            // Mostly small steps forward, some back, some far.
            const uint32_t kind = ct_random_below(&r, 20);
            time += kind == 0 ? clip_number(&r) * length : kind < 4 ? -0.05f : 0.02f;
            time = time < -0.5f || time > length + 0.5f ? 0 : time;
            pose_at(playing, time, played);
            ct_clip_player_init(seeking, clip);
            pose_at(seeking, time, found);
            assert_memory_equal(played, found, sizeof(found));
        }
        ct_free(test_heap(), playing);
        ct_free(test_heap(), seeking);
        ct_blob_writer_free(&w);
        clip_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seek_equals_playing),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
