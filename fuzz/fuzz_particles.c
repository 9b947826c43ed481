// Particle effects: a small valid one is edited, and played when validation accepts it.
//
// After the edits (support/edited_blob.h) every byte is a step of time, a move, an end of births, a
// variable or a seek.
#include "particles/particle_play.h"
#include "resource/blob/particles_fixture.h"
#include "support/edited_blob.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return test_group_setup(NULL);
}

static void operate(const particle_play *p, ct_particle_effect_id e, uint8_t byte) {
    const float x = edited_floats[byte / 8 % CT_COUNT_OF(edited_floats)];
    const ct_particle_place place = particle_play_place(x, 0, 1);
    switch (byte % 8) {
    case 0:
        ct_particles_move(p->world, e, &place, byte & 64);
        break;
    case 1:
        ct_particles_set_variable(p->world, e, 0, (ct_vec4){{x, 1, x, 1}});
        break;
    case 2:
        ct_particles_stop_spawning(p->world, e);
        break;
    case 3:
        ct_particles_seek(p->world, e, byte / 64);
        break;
    case 4:
        ct_particles_update(p->world, 100);
        break;
    default:
        ct_particles_update(p->world, byte / 512.0);
        ct_particles_send(p->world);
    }
}

static void play(ct_particles_resource *effect, const uint8_t *data, size_t size) {
    static particle_play p; // without an effect; made once
    if (!p.world) {
        p = particle_play_start(effect, UINT32_MAX, 0);
        p.effect = NULL;
    }
    ct_particle_system_set_effect(p.system, p.name, effect);
    const ct_particle_effect_id e = particle_play_create(&p, 1);
    for (size_t i = 0; i < size && i < 16; ++i)
        operate(&p, e, data[i]);
    ct_particles_destroy(p.world, e);
    ct_particles_update(p.world, 0.1);
    ct_particles_send(p.world);
    ct_particle_system_set_effect(p.system, p.name, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t used = edited_blob_input(data, size);
    if (!used)
        return 0;
    ct_blob_writer w;
    write_particles(&w);
    void *const blob = edited_blob_make(&w, data);
    ct_error error = {0};
    if (ct_particles_validate(blob, &error))
        play(blob, data + used, size - used);
    else if (!error.message[0])
        abort();
    free(blob);
    return 0;
}
