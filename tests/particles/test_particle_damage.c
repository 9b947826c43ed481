// Damaged blobs of effects that validation accepts are played without harm.
#include <string.h>

#include "foundation/math/math.h"
#include "particles/particle_play.h"
#include "resource/blob/particles_fixture.h"

// A copy that is aligned as loaders align it.
static ct_particles_resource *copy_of(const uint8_t *bytes, uint32_t count) {
    void *copy = NULL;
    assert_int_equal(posix_memalign(&copy, 64, count), 0);
    memcpy(copy, bytes, count);
    return copy;
}

// Plays an effect through short steps, a move, and `last` seconds in one step.
static void play(const particle_play *p, const ct_particles_resource *effect, double last) {
    const double steps[] = {0.016, 0, 0.1, last};
    ct_particle_system_set_effect(p->system, p->name, effect);
    const ct_particle_effect_id e = particle_play_create(p, 1);
    const ct_mat4 nodes[] = {ct_mat4_identity(), ct_mat4_identity()};
    const uint32_t parents[] = {UINT32_MAX, 0};
    ct_particles_set_nodes(p->world, e, nodes, parents, 2);
    for (uint32_t i = 0; i < CT_COUNT_OF(steps); ++i) {
        const ct_particle_place place = particle_play_place((float)i, 0, 1);
        ct_particles_move(p->world, e, &place, i == 2);
        ct_particles_update(p->world, steps[i]);
        ct_particles_send(p->world);
    }
    ct_particles_destroy(p->world, e);
    ct_particles_update(p->world, 0.1);
    ct_particles_send(p->world);
    ct_particle_system_set_effect(p->system, p->name, NULL);
}

// Whether the word is one of the many samples of curves, of which the first are enough.
static bool is_late_sample(const ct_particles_resource *r, uint32_t at) {
    for (uint32_t i = 0; i < r->emitters.count; ++i) {
        const ct_blob_array samples = ct_particle_emitter_at(r, i)->samples;
        const uint32_t end = samples.offset + samples.count * (uint32_t)sizeof(ct_particle_sample);
        if (at >= samples.offset + 2 * sizeof(ct_particle_sample) && at < end)
            return true;
    }
    return false;
}

static void plays_what_validation_accepts(void **state) {
    (void)state;
    const uint32_t evil[] = {0,          1,          2,          3,          255,       0x3f800000,
                             0x7f7fffff, 0xff7fffff, 0x00000001, 0x7f800000, UINT32_MAX};
    ct_blob_writer w;
    write_particles(&w);
    particle_play p = particle_play_start(copy_of(w.bytes.items, w.bytes.count), UINT32_MAX, 0);
    uint32_t num_played = 0, num_refused = 0;
    for (uint32_t at = sizeof(ct_blob_header); at + 4 <= w.bytes.count; at += 4) {
        for (uint32_t k = 0; !is_late_sample(p.effect, at) && k < CT_COUNT_OF(evil); ++k) {
            ct_particles_resource *const effect = copy_of(w.bytes.items, w.bytes.count);
            memcpy((char *)effect + at, &evil[k], 4);
            ct_error error = {0};
            const bool is_valid = ct_particles_validate(effect, &error);
            if (is_valid)
                play(&p, effect, num_played % 32 == 0 ? 3600 : 2);
            num_played += is_valid;
            num_refused += !is_valid;
            free(effect);
        }
    }
    assert_true(num_played > 1000 && num_refused > 1000);
    ct_blob_writer_free(&w);
    particle_play_stop(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_what_validation_accepts),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
