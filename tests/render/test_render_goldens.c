// One picture for each effect and each view of the core's frame that no other test keeps: a floor, a
// wall, a box that moves in front of it, and the sky. What is right in them is tested elsewhere.
#include "foundation/math/math.h"
#include "render/effect_fixture.h"
#include "render/golden_picture.h"

enum { FRAMES = 12, MAX_SETTINGS = 4 };

// Settings as text: a choice, "on", "off" or a number.
typedef struct golden_case {
    const char *golden;
    const char *settings[MAX_SETTINGS][2];
} golden_case;

static const golden_case cases[] = {
    {"effect_plain", {{"view", "off"}}},
    {"effect_fxaa", {{"anti_aliasing", "fxaa"}}},
    {"effect_taa", {{"anti_aliasing", "taa"}}},
    {"effect_obscurance", {{"obscurance", "on"}}},
    {"effect_fog", {{"fog_density", "0.08"}, {"fog_falloff", "0.3"}}},
    {"effect_neutral", {{"tone_curve", "neutral"}, {"exposure", "1"}}},
    {"effect_vignette", {{"vignette", "1"}}},
    {"effect_auto_exposure", {{"auto_exposure", "on"}}},
    {"view_roughness", {{"view", "roughness"}}},
    {"view_velocity", {{"view", "velocity"}}},
    {"view_obscurance", {{"obscurance", "on"}, {"view", "obscurance"}}},
    {"view_obscurance_depth", {{"obscurance", "on"}, {"view", "obscurance_depth"}}},
    {"view_obscurance_velocity", {{"obscurance", "on"}, {"view", "obscurance_velocity"}}},
    {"view_obscurance_moving", {{"obscurance", "on"}, {"view", "obscurance_moving"}}},
    {"view_obscurance_similarity", {{"obscurance", "on"}, {"view", "obscurance_similarity"}}},
};

static void set(render_fixture *f, const char *name, const char *value) {
    char *end;
    const double number = strtod(value, &end);
    if (*end == '\0')
        effect_set_number(f, name, number);
    else if (strcmp(value, "on") == 0 || strcmp(name, "obscurance") == 0)
        effect_set_bool(f, name, strcmp(value, "on") == 0);
    else
        effect_set_choice(f, name, value);
}

static void draws_each_as_in_its_picture(void **state) {
    (void)state;
    effect_scene s;
    effect_start(&s);
    fixture_add_sun(&s.f);
    const ct_mat4 sky = fixture_pose(0.0f, 0.0f, 0.0f, 1.0f);
    fixture_add_at(&s.f, "core/meshes/sphere", "core/materials/skydome", &sky);
    effect_add_box(&s, ct_vec3_make(-6, -3, -1), ct_vec3_make(6, 6, 0), "materials/chalk");
    effect_add_box(&s, ct_vec3_make(-2, 3, 0), ct_vec3_make(2.5f, 3.5f, 2), "materials/red");
    const uint32_t box = effect_add_box(&s, ct_vec3_make(-0.8f, 1.4f, 0),
                                        ct_vec3_make(0, 2.2f, 0.8f), "materials/gold");
    effect_look(&s, ct_vec3_make(0.5f, -3.5f, 2.2f), ct_vec3_make(0, 2, 0.6f));
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        ct_renderer_reset_settings(s.f.renderer);
        for (uint32_t k = 0; k < MAX_SETTINGS && cases[i].settings[k][0]; ++k)
            set(&s.f, cases[i].settings[k][0], cases[i].settings[k][1]);
        ++s.f.view.shot; // nothing is left of the case before
        for (uint32_t frame = 0; frame <= FRAMES; ++frame) {
            const float way = 0.05f * (float)frame;
            effect_move_box(&s, box, ct_vec3_make(frame ? 0.05f : 0.0f, 0, 0));
            if (frame < FRAMES)
                fixture_frame(&s.f);
            else
                fixture_picture(&s.f);
            if (frame == FRAMES)
                effect_move_box(&s, box, ct_vec3_make(-way, 0, 0));
        }
        golden_expect(&s.f, cases[i].golden);
    }
    fixture_expect_no_error(&s.f);
    fixture_stop(&s.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_each_as_in_its_picture),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
