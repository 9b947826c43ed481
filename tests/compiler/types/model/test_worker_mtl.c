// The reader of MTL libraries: all that a material of the engine can have, and a warning for what
// it cannot; nothing in a library refuses the model.
#include "compiler/types/model/obj_case.h"

#define USE "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n"
#define PLAIN "material \"m\" opaque color 1,1,1,1 metal 0 rough 1 light 0,0,0 by 1\n"

static const char *read_mtl(const char *statements) {
    char library[1024];
    snprintf(library, sizeof(library), "newmtl m\n%s", statements);
    return read_obj_with(library, USE);
}

static void expect(const char *statements, const char *part) {
    expect_in(read_mtl(statements), part);
}

static void expect_silent(const char *statements, const char *part) {
    const char *const text = read_mtl(statements);
    expect_in(text, part);
    expect_not_in(text, "warning");
}

static void reads_colors_and_numbers(void **state) {
    (void)state;
    expect_silent("Ka 1 1 1\nKd .5 0.25\t1 # x\r\nKs 0\nKe 0 0 0\nNs 250\nNi 1.45\nillum 2\nd 1\n"
                  "Tf 1 1 1\nsharpness 60\n",
                  "material \"m\" opaque color 0.5,0.25,1,1 metal 0 rough 0.5 light 0,0,0 by 1\n");
    expect_silent("Kd 0.5\nKa 0 \nKs 0 \n", "color 0.5,0.5,0.5,1");
    expect_silent("kd 1 0 0\nKE 0 0.5 0\nPR .25\nPm .75\n",
                  "color 1,0,0,1 metal 0.75 rough 0.25 light 0,0.5,0 by 1\n");
    expect_silent("Ke 4 2 0\n", "light 1,0.5,0 by 4\n");
    expect_silent("Ns 2000\n", "rough 0 ");
    expect_silent("Ns 40\nPr 0.5\n", "rough 0.5 ");
}

static void warns_of_values_it_cannot_take(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"Kd xyz 0.2 0.3 0.4\n", "its \"Kd\" is not RGB; it is left out"},
        {"Kd spectral file.rfl 1\n", "its \"Kd\" is not RGB; it is left out"},
        {"Kd\n", "its \"Kd\" has no number; it is left out"},
        {"Kd red\n", "its \"Kd\" has no number; it is left out"},
        {"Kd nan 0 0\n", "its \"Kd\" has a value that is not finite"},
        {"Ns 1e99\n", "its \"Ns\" has a value that is not finite"},
        {"d 0\n", "its opacity is 0, which is left out"},
        {"Ps 0.1\n", "it has sheen (Ps), which is left out"},
        {"Pc 0.2\n", "it has a clear coat (Pc), which is left out"},
        {"Pcr 0.3\n", "it has a clear coat's roughness (Pcr), which is left out"},
        {"aniso 0.5\nanisor 0\n", "it has anisotropy (aniso), which is left out"},
        {"Tf 0.5 0.5 0.5\n", "it has a transmission colour (Tf), which is left out"},
        {"map_Ks a.png\n", "it has a map of specular colour, which is left out"},
        {"map_ns a.png\n", "it has a map of shininess, which is left out"},
        {"map_Ka a.png\n", "it has a map of ambient colour, which is left out"},
        {"disp a.png\n", "it has a map of displacement, which is left out"},
        {"refl -type sphere a.png\n", "it has a map of reflection, which is left out"},
        {"decal a.png\n", "it has a map of decals, which is left out"},
        {"map_foo a.png\n", "it has \"map_foo\", which is left out"},
        {"map_Kd\n", "its \"map_Kd\" has no file name; it is left out"},
        {"map_Pr r.png\nmap_Pm m.png\n", "it has separate maps of metalness and roughness"},
        {"map_d a.png\n", "its map of opacity is a separate image, but must be the alpha"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(cases); ++i) {
        const char *const text = read_mtl(cases[i][0]);
        expect_in(text, PLAIN " warning: ");
        expect_in(text, cases[i][1]);
    }
    expect("Kd 1 0 0 0.5\n", "color 1,0,0,1");
    expect("Kd 1 0 0 0.5\n", "its \"Kd\" has extra values, which are left out");
    expect("Kd 1 0\n", "its \"Kd\" has two numbers; the third is set to the first");
    expect("Kd 2 0 0\n", "its \"Kd\" is 2; it is clamped to 0 to 1");
    expect("Kd 1 0 0\nKd 0 1 0\n", "its \"Kd\" is repeated; the last one is used");
    expect_silent("Ps 0\nPc 0\nPcr 0.0\naniso 0\nanisor 0\n", PLAIN);
}

static void opacity_makes_surfaces(void **state) {
    (void)state;
    expect_silent("d 0.25\n", "blended color 1,1,1,0.25");
    expect_silent("Tr 0.25\n", "blended color 1,1,1,0.75");
    expect_silent("d 0.25\nTr 0.75\n", "blended color 1,1,1,0.25");
    expect("Tr 0.25\nd 0.5\n", "blended color 1,1,1,0.5");
    expect("Tr 0.25\nd 0.5\n", "its \"d\" and \"Tr\" do not agree");
    expect("d -halo 0.25\n", "blended color 1,1,1,0.25");
    expect("d -halo 0.25\n", "its opacity depends on the angle (-halo), which is left out");
    expect_silent("Kd 0 0 0\nmap_Kd a.png\nmap_d a.png\n", "masked color 0,0,0,1");
    expect_silent("map_Kd a.png\nmap_d -imfchan m a.png\n", "masked");
    expect("d 0\nmap_Kd a.png\nmap_d a.png\n", "masked color 1,1,1,1");
    expect_silent("d 0.5\nmap_Kd a.png\nmap_d a.png\n", "blended color 1,1,1,0.5");
}

static void reads_maps(void **state) {
    (void)state;
    expect_silent("map_Kd My wood.png \n", " base map \"My wood.png\" scale 1,1 offset 0,0\n");
    expect_silent("map_kd\t.\\tex\\wood.png # x\r\n", " base map \".\\tex\\wood.png\"");
    expect_silent("map_Kd wood.png #x\n", " base map \"wood.png\"");
    expect_silent("map_Kd wood #2.png\n", " base map \"wood #2.png\"");
    expect_silent("map_Kd tex/a \\\n b.png\n", " base map \"tex/a b.png\"");
    expect_silent("map_Kd -x.png\n", " base map \"-x.png\"");
    expect_silent("map_Ka a.png\nmap_Kd a.png\n", " base map \"a.png\"");
    expect_silent("map_Ke a.png\n", "light 0,0,0 by 1\n emissive map \"a.png\"");
    expect_silent("Ke 0.5 0 0\nmap_emissive a.png\n",
                  "light 0.5,0,0 by 1\n emissive map \"a.png\"");
    expect_silent("bump a.png\n", " normal map \"a.png\" scale 1,1 offset 0,0 maybe heights\n");
    expect_silent("map_Bump -bm 0.5 a.png\n", "maybe heights\n strength 0.5\n");
    expect_silent("map_bump a.png -bm 0.5\n", "maybe heights\n strength 0.5\n");
    expect_silent("norm a.png\n", " normal map \"a.png\" scale 1,1 offset 0,0\n");
    expect_silent("map_Kn a.png\nbump a.png\n", " normal map \"a.png\" scale 1,1 offset 0,0\n");
    expect("bump b.png\nnorm a.png\n", " normal map \"a.png\" scale 1,1 offset 0,0\n warning: it "
                                       "has a bump map beside a normal map");
    expect_silent("Pr 0.5\nmap_Pr mr.png\nmap_Pm mr.png\n",
                  "metal 1 rough 1 light 0,0,0 by 1\n metal map \"mr.png\"");
    expect("map_Kd a.png\nmap_Kd b.png\n", " base map \"b.png\"");
    expect("map_Kd a.png\nmap_Kd b.png\n", "its \"map_Kd\" is repeated; the last one is used");
}

static void reads_options_of_maps(void **state) {
    (void)state;
    // v grows upwards in the file, downwards in an image.
    expect_silent("map_Kd -s 2 4 1 -o 0.25 0.25 0 a.png\n",
                  " base map \"a.png\" scale 2,4 offset 0.25,0.75\n");
    expect_silent("map_Kd -s 2 a.png\n", "scale 2,1 offset 0,0\n");
    expect_silent("map_Kd -o .5 a.png\n", "scale 1,1 offset 0.5,0\n");
    expect_silent("map_Kd -clamp on a.png\n", "offset 0,0 clamped\n");
    expect_silent("map_Kd -o 0 0.5 -clamp on a.png\n", "offset 0,-0.5 clamped\n");
    expect_silent("map_Kd -clamp off -mm 0 1 -blendu on -blendv on -cc off -boost 0 -t 0 0 0 "
                  "-bm 1 a.png\n",
                  " base map \"a.png\" scale 1,1 offset 0,0\n");
    static const char *const options[] = {
        "-t 1 0 0",   "-mm 0.5 1",      "-blendu off", "-blendv off", "-cc on", "-texres 256",
        "-imfchan r", "-type cube_top", "-boost 2",    "-bm 2",       "-s",     "-clamp",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(options); ++i) {
        char line[128];
        snprintf(line, sizeof(line), "map_Kd %s a.png\n", options[i]);
        const char *const text = read_mtl(line);
        expect_in(text, " base map \"a.png\" scale 1,1 offset 0,0\n warning: \"-");
        expect_in(text, "\" of its \"map_Kd\" is left out\n");
    }
}

static void names_of_materials_may_have_anything_in_them(void **state) {
    (void)state;
    static const char library[] = "newmtl Hard wood\nKd 1 0 0\nnewmtl Material #1\nKd 0 1 0\n"
                                  "newmtl Material #2\nKd 0 0 1\nnewmtl red # x\nKd 0 1 1\n"
                                  "newmtl blue #x\nKd 1 0 1\n";
    static const char *const uses[][2] = {
        {"usemtl Hard wood \r\n", "of \"Hard wood\""},
        {"usemtl\tHard wood # x\n", "of \"Hard wood\""},
        {"usemtl Hard wood #x\n", "of \"Hard wood\""},
        {"usemtl Material #2\n", "of \"Material #2\""},
        {"usemtl red\n", "of \"red\""},
        {"usemtl blue\n", "of \"blue #x\""},
        {"usemtl Other #x\n", "of \"Other #x\""},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(uses); ++i) {
        char text[256];
        snprintf(text, sizeof(text), "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n%sf 1 2 3\n",
                 uses[i][0]);
        expect_in(read_obj_with(library, text), uses[i][1]);
    }
    // What a nameless one says is for faces that name none.
    expect_in(read_obj_with("newmtl \nKd .5 .5 .5\n", "mtllib a.mtl\nv 0 0 0\nf 1 1 1\n"),
              "material \"DefaultMaterial\" opaque color 0.5,0.5,0.5,1");
}

static void warns_once_of_statements_it_does_not_know(void **state) {
    (void)state;
    const char *const text =
        read_obj_with("Kd 1 0 0\nnewmtl m\nPccns 1-1\nPccns 2\nKd 1 0 0\n\nnewmtl m\nKd 0 1 0\n"
                      "Pccns 3\n",
                      USE);
    expect_in(text, "color 1,0,0,1");
    expect_in(text, "warning: a.mtl, line 1: \"Kd\" comes before the first \"newmtl\"; it is not "
                    "read\nwarning: a.mtl, line 3: \"Pccns\" is not read\nwarning: a.mtl, line 7: "
                    "the material \"m\" is defined twice; the first one is used\n");
    expect_not_in(text, "line 9");
}

static void passes_over_libraries_that_are_no_text(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    static const char zeros[] = "\xef\xbb\xbfnewmtl m\nKd 1 0 0\n\0";
    static const char inside[] = "newmtl m\nKd \0 0 0\n";
    compile_case_file(&t, "a.mtl", zeros, sizeof(zeros));
    expect_in(read_obj_bytes(&t, USE, strlen(USE)), "color 1,0,0,1");
    compile_case_file(&t, "a.mtl", inside, sizeof(inside));
    const char *const text = read_obj_bytes(&t, USE, strlen(USE));
    expect_in(text, PLAIN);
    expect_in(text, "a.mtl, line 2: found a zero byte; expected text; the materials in it are "
                    "left out");
    compile_case_file(&t, "a.mtl", "\xff\xfen\0", 4);
    expect_in(read_obj_bytes(&t, USE, strlen(USE)), "the text is UTF-16");
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_colors_and_numbers),
        cmocka_unit_test(warns_of_values_it_cannot_take),
        cmocka_unit_test(opacity_makes_surfaces),
        cmocka_unit_test(reads_maps),
        cmocka_unit_test(reads_options_of_maps),
        cmocka_unit_test(names_of_materials_may_have_anything_in_them),
        cmocka_unit_test(warns_once_of_statements_it_does_not_know),
        cmocka_unit_test(passes_over_libraries_that_are_no_text),
    };
    return cmocka_run_group_tests(tests, test_group_setup, free_obj_text);
}
