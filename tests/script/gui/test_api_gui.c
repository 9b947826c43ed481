// Gui, and the functions of World that make GUIs.
#include "script/api_fixture.h"

static int set_up_guis(void **state) {
    set_up(state);
    run_lua(&f, "G = World.create_screen_gui(W) "
                "I = World.create_screen_gui(W, 'immediate') "
                "S = World.create_world_gui(W, Matrix4x4.identity(), 2, 1, 'scale', 200, 100)");
    return 0;
}

#define GUI_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_guis, tear_down)

// --- GUIs ----------------------------------------------------------------------------------------

static void makes_guis_and_finds_them_by_id(void **state) {
    (void)state;
    assert_lua(&f, "World.get_gui_by_id(W, Gui.get_id(G)) == G", "true");
    assert_lua(&f, "World.get_gui_by_id(W, Gui.get_id(S)) == S", "true");
    assert_lua(&f, "Gui.get_id(G) ~= Gui.get_id(I)", "true");
    assert_lua(&f, "World.get_gui_by_id(W, 60000)", "nil");
    run_lua(&f, "V = Application.new_world()");
    assert_lua(&f, "World.get_gui_by_id(V, Gui.get_id(G))", "nil");
    run_lua(&f, "id = Gui.get_id(G) World.destroy_gui(W, G)");
    assert_lua(&f, "World.get_gui_by_id(W, id)", "nil");
}

static void takes_parameters_as_strings_or_a_table(void **state) {
    (void)state;
    assert_lua(&f, "Gui.size(World.create_screen_gui(W, 0, 0, 'scale', 320, 240))", "320\t240");
    assert_lua(&f, "Gui.size(World.create_screen_gui(W, {scale = Vector2(64, 48)}))", "64\t48");
    assert_lua(&f,
               "Gui.rect(World.create_screen_gui(W, 3, 4, 'immediate'), Vector2(0, 0), "
               "Vector2(1, 1))",
               "0");
    run_lua(&f, "World.create_screen_gui(W, 'layer', 'gui', 'material', 'materials/oak', "
                "'text_material', 'materials/steel') "
                "World.create_world_gui(W, Matrix4x4.identity(), 1, 1, 'on_top', 'immediate')");
}

static void refuses_wrong_parameters(void **state) {
    (void)state;
    static const char *const calls[][2] = {
        {"World.create_screen_gui(W, 'immediat')",
         "World.create_screen_gui: argument 2 (x): there is no option \"immediat\"; did you mean "
         "\"immediate\"?"},
        {"World.create_screen_gui(W, 0, 0, 'scale', 1920)",
         "argument 6 (params): scale: expected a Vector2 of numbers from 0.001 to 1e+06, got nil"},
        {"World.create_screen_gui(W, 0, 0, 'scale', 0, 1)", "argument 5 (params): scale: expected"},
        {"World.create_screen_gui(W, 0, 0, 'material', 'materials/oek')",
         "argument 5 (params): material: the material \"materials/oek\" is not loaded"},
        {"World.create_screen_gui(W, 0, 0, {layer = 5})",
         "argument 4 (params): layer: expected a string, got 5"},
        {"World.create_screen_gui(W, 0, 0, {5})",
         "argument 4 (params): expected names of options as keys, got a number"},
        {"World.create_screen_gui(W, 0/0, 0)", "argument 2 (x): expected a finite number"},
        {"World.create_screen_gui(W, C)", "argument 2 (x): expected number, or options"},
        {"World.create_world_gui(W, Matrix4x4.identity(), 0, 1)",
         "World.create_world_gui: argument 3 (width): expected a number from 1e-06"},
        {"World.create_world_gui(W, Matrix4x4.from_translation(Vector3(0/0, 0, 0)), 1, 1)",
         "argument 2 (pose): expected a Matrix4x4 of finite numbers"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i)
        assert_lua_error(&f, calls[i][0], calls[i][1]);
}

static void is_refused_once_destroyed(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world() H = World.create_screen_gui(V)");
    assert_lua_error(&f, "World.destroy_gui(W, H)",
                     "World.destroy_gui: argument 2 (gui): expected a Gui of this world, got one "
                     "of another world");
    run_lua(&f, "World.destroy_gui(W, G)");
    assert_lua_error(&f, "Gui.reset(G)",
                     "Gui.reset: argument 1 (self): expected Gui, got a destroyed Gui");
    run_lua(&f, "Application.release_world(V)");
    assert_lua_error(&f, "Gui.rect(H, Vector2(0, 0), Vector2(1, 1))",
                     "Gui.rect: argument 1 (self): expected Gui, got a destroyed Gui");
}

static void needs_a_gui_system(void **state) {
    (void)state;
    f.script->gui = NULL;
    assert_lua_error(&f, "World.create_screen_gui(W)",
                     "World.create_screen_gui: this program has no GUIs");
    f.script->gui = f.gui;
}

static void moves_and_hides(void **state) {
    (void)state;
    run_lua(&f, "Gui.move(S, Matrix4x4.from_translation(Vector3(1, 2, 3)))");
    assert_lua_error(&f, "Gui.move(G, Matrix4x4.identity())",
                     "Gui.move: argument 1 (self): expected a Gui of World.create_world_gui");
    assert_lua(&f, "Gui.is_visible(G)", "true");
    run_lua(&f, "Gui.set_visible(G, false)");
    assert_lua(&f, "Gui.is_visible(G)", "false");
}

static void returns_sizes(void **state) {
    (void)state;
    run_lua(&f, "P = Application.create_viewport(W, 'default') "
                "Viewport.set_rect(P, 0.5, 0, 0.5, 0.25)");
    assert_lua(&f, "Gui.resolution()", "640\t480");
    assert_lua(&f, "Gui.resolution(P)", "320\t120");
    assert_lua(&f, "Gui.size(G)", "640\t480");
    assert_lua(&f, "Gui.size(G, P)", "320\t120");
    assert_lua(&f, "Gui.size(S)", "200\t100");
    assert_lua(&f, "Gui.texture_size('textures/rose')", "4\t2");
    assert_lua_error(&f, "Gui.texture_size('textures/rise')",
                     "Gui.texture_size: argument 1 (texture): there is no texture");
    assert_lua(&f, "Script.type_name(Gui.material(G, 'materials/oak'))", "Material");
}

// --- Objects -------------------------------------------------------------------------------------

// Draws an object of each kind and draws it again; the arguments are the same.
static void draws_and_draws_again(void **state) {
    (void)state;
    static const char *const calls[] = {
        "rect(G, %sVector3(1, 2, 3), Vector2(4, 5))",
        "rect(G, %sVector2(1, 2), Vector2(4, 5), Color(255, 0, 0), 'materials/oak')",
        "rect(G, %sVector2(1, 2), Vector2(4, 5), nil, Gui.material(G, 'materials/oak'))",
        "rect_3d(G, %sMatrix4x4.identity(), Vector3(1, 2, 3), 4, Vector2(5, 6))",
        "bitmap(G, %s'materials/oak', Vector2(1, 2), Vector2(4, 5))",
        "bitmap(G, %s'', Vector2(1, 2), Vector2(4, 5), nil, {rotation = 1, pivot = Vector2(0, 0)})",
        "bitmap(G, %snil, Vector2(1, 2), Vector2(4, 5), nil, 'borders', 2, 'uv_borders', {0.1, "
        "0.2, 0.3, 0.4})",
        "bitmap_3d(G, %snil, Matrix4x4.identity(), Vector3(1, 2, 3), 4, Vector2(5, 6))",
        "bitmap_uv(G, %snil, Vector2(0, 0), Vector2(1, 1), Vector2(1, 2), Vector2(4, 5))",
        "bitmap_3d_uv(G, %snil, Vector2(0, 0), Vector3(1, 1, 0), Matrix4x4.identity(), Vector3(1, "
        "2, 3), 4, Vector2(5, 6))",
        "triangle(G, %sVector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0), 7)",
        "triangle(G, %sVector2(0, 0), Vector2(1, 0), Vector2(0, 1), 7, nil, nil, Vector2(0, 0), "
        "Vector2(1, 0), Vector2(0, 1))",
        "line(G, %sVector3(0, 0, 3), Vector2(1, 0), 2)",
        "polyline(G, %s{Vector2(0, 0), Vector2(1, 0)}, 2, 3, Color(1, 2, 3), nil, true)",
        "polyline(G, %sFloat32Array({0, 0, 1, 0, 1, 1}), 2)",
        "circle(G, %sVector2(0, 0), 5)",
        "circle(G, %sVector2(0, 0), 5, nil, 1)",
        "arc(G, %sVector2(0, 0), 5, 0, 1.5)",
        "rounded_rect(G, %sVector2(0, 0), Vector2(9, 9), 2)",
        "rounded_rect(G, %sVector2(0, 0), Vector2(9, 9), {1, 2, 3, 4}, nil, 1, Color(0, 0, 0))",
        "triangles(G, %s{Vector2(0, 0), Vector2(1, 0), Vector3(0, 1, 0)}, 2)",
        "triangles(G, %s{Vector2(0, 0), Vector2(1, 0), Vector2(0, 1)}, 2, nil, nil, "
        "{Vector2(0, 0), Vector2(1, 0), Vector2(0, 1)}, "
        "{Color(1, 2, 3), Color(1, 2, 3), Color(1, 2, 3)})",
        "text(G, %s'abc', 'fonts/plain', 16, nil, Vector3(1, 2, 3))",
        "text(G, %s'abc', 'fonts/plain', 16, '', Vector2(1, 2), Color(255, 255, 0), {width = 90, "
        "height = 40, wrap = false, align = 'justify', vertical = 'middle', line_height = 1.5, "
        "max_lines = 2, ellipsis = true, markup = true, direction = 'rtl', outline = 1, "
        "outline_color = Color(1, 2, 3), shadow = Vector2(1, -1), shadow_color = Color(1, 2, 3), "
        "shadow_blur = 2, glow = 3, glow_color = Color(1, 2, 3), underline = true, strike = true})",
        "text(G, %s'abc', 'fonts/plain', 16, '', Vector2(1, 2), nil, 'width', 90, 'ellipsis', "
        "'wrap', false, 'shadow', 1, -1)",
        "text_3d(G, %s'abc', 'fonts/plain', 16, nil, Matrix4x4.identity(), Vector3(0, 0, 0), 1)",
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i) {
        char lua[2048];
        const char *const place = strstr(calls[i], "%s");
        const int before = (int)(place - calls[i]);
        snprintf(lua, sizeof(lua), "id = Gui.%.*s%s", before, calls[i], place + 2);
        run_lua(&f, lua);
        snprintf(lua, sizeof(lua), "Gui.update_%.*sid, %s", before, calls[i], place + 2);
        assert_lua(&f, lua, "");
    }
    char count[16];
    snprintf(count, sizeof(count), "%u", (unsigned)CT_COUNT_OF(calls));
    assert_lua(&f, "Gui.num_objects(G)", count);
    run_lua(&f, "Gui.reset(G)");
    assert_lua(&f, "Gui.num_objects(G)", "0");
}

static void immediate_guis_return_zero(void **state) {
    (void)state;
    assert_lua(&f, "Gui.rect(I, Vector2(0, 0), Vector2(1, 1))", "0");
    assert_lua(&f, "Gui.text(I, 'a', 'fonts/plain', 16, nil, Vector2(0, 0))", "0");
    assert_lua(&f, "Gui.num_objects(I)", "0");
    assert_lua_error(&f, "Gui.destroy(I, Gui.rect(I, Vector2(0, 0), Vector2(1, 1)))",
                     "Gui.destroy: argument 2 (id): an immediate Gui keeps no objects: draw them "
                     "again in each frame");
}

static void destroys_objects_of_its_kind(void **state) {
    (void)state;
    run_lua(&f, "r = Gui.rect(G, Vector2(0, 0), Vector2(1, 1)) c = Gui.circle(G, Vector2(0, 0), 1) "
                "t = Gui.text(G, 'a', 'fonts/plain', 16, nil, Vector2(0, 0)) "
                "b = Gui.bitmap(G, nil, Vector2(0, 0), Vector2(1, 1)) "
                "n = Gui.triangle(G, Vector2(0, 0), Vector2(1, 0), Vector2(0, 1)) "
                "o = Gui.rect(S, Vector2(0, 0), Vector2(1, 1))");
    assert_lua_error(&f, "Gui.destroy_text(G, r)",
                     "Gui.destroy_text: argument 2 (id): expected the id of a text, got that of a "
                     "rectangle");
    assert_lua_error(&f, "Gui.update_rect(G, t, Vector2(0, 0), Vector2(1, 1))",
                     "expected the id of a rectangle, got that of a text");
    assert_lua_error(&f, "Gui.destroy_rect(G, o)",
                     "is not a rectangle of this Gui: it was destroyed or belongs to another Gui");
    assert_lua_error(&f, "Gui.destroy(G, 0)", "argument 2 (id): expected an integer from 1");
    assert_lua_error(&f, "Gui.destroy(G, 0/0)", "argument 2 (id): expected an integer from 1");
    assert_lua_error(&f, "Gui.destroy(G, 12345)", "object 12345 is not an object of this Gui");
    assert_lua_error(&f, "Gui.destroy(G, 'x')", "argument 2 (id): expected integer, got string");
    run_lua(&f, "Gui.destroy_rect(G, r) Gui.destroy(G, c) Gui.destroy_text(G, t) "
                "Gui.destroy_bitmap_3d(G, b) Gui.destroy_triangle(G, n)");
    assert_lua(&f, "Gui.num_objects(G)", "0");
    assert_lua_error(&f, "Gui.destroy_rect(G, r)", "is not a rectangle of this Gui");
}

static void refuses_what_cannot_be_drawn(void **state) {
    (void)state;
    static const char *const calls[][2] = {
        {"rect(G, Vector3(0, 0, 0.5), Vector2(1, 1))",
         "Gui.rect: argument 2 (position): the z of a position is its layer: expected a whole "
         "number from -8388607 to 8388607, got 0.5"},
        {"rect(G, Vector2(0/0, 0), Vector2(1, 1))", "argument 2 (position): expected finite"},
        {"rect(G, Vector2(0, 0), Vector2(1, 1/0))", "argument 3 (size): expected finite"},
        {"rect(G, 5, Vector2(1, 1))", "argument 2 (position): expected Vector2 or Vector3, got"},
        {"rect(G, Vector2(0, 0), Vector2(1, 1), Vector4(0/0, 0, 0, 1))", "argument 4 (color)"},
        {"rect(G, Vector2(0, 0), Vector2(1, 1), nil, 'materials/none')",
         "argument 5 (material): there is no material \"materials/none\""},
        {"rect(G, Vector2(0, 0), Vector2(1, 1), nil, W)",
         "argument 5 (material): expected Material, got World"},
        {"rect_3d(G, Matrix4x4.identity(), Vector3(0, 0, 0), 0.5, Vector2(1, 1))",
         "argument 4 (layer): expected an integer"},
        {"bitmap(G, nil, Vector2(0, 0), Vector2(1, 1), nil, {rotations = 1})",
         "argument 6 (options): there is no option \"rotations\"; did you mean \"rotation\"?"},
        {"bitmap(G, nil, Vector2(0, 0), Vector2(1, 1), nil, {borders = {1, 2}})",
         "argument 6 (options): borders: expected a number or four"},
        {"bitmap(G, nil, Vector2(0, 0), Vector2(1, 1), nil, {pivot = Vector2(0/0, 0)})",
         "argument 6 (options): pivot: expected a Vector2 of numbers"},
        {"polyline(G, {Vector2(0, 0)}, 1)", "argument 2 (points): expected 2 to 65536 points, got"},
        {"polyline(G, {Vector2(0, 0), 5}, 1)",
         "argument 2 (points): expected Vector2 or Vector3 at index 2, got number"},
        {"polyline(G, {Vector2(0, 0), Vector2(0/0, 0)}, 1)",
         "argument 2 (points): expected finite numbers at index 2"},
        {"polyline(G, Float32Array({0, 0, 1}), 1)", "expected two numbers for each point, got 3"},
        {"line(G, Vector2(0, 0), Vector2(1, 1), -1)", "argument 4 (width): expected a number from"},
        {"arc(G, Vector2(0, 0), 1, 0/0, 1)", "argument 4 (from): expected a finite number"},
        {"rounded_rect(G, Vector2(0, 0), Vector2(1, 1), {1, 2})",
         "argument 4 (radius): expected four radii"},
        {"triangles(G, {Vector2(0, 0), Vector2(0, 0), Vector2(0, 0), Vector2(0, 0)})",
         "argument 2 (points): expected three points for each triangle, got 4"},
        {"triangles(G, {Vector2(0, 0), Vector2(0, 0), Vector2(0, 0)}, 0, nil, nil, nil, {1})",
         "argument 7 (colors): expected a color for each of 3 points, got 1"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i) {
        char lua[256];
        snprintf(lua, sizeof(lua), "Gui.%s", calls[i][0]);
        assert_lua_error(&f, lua, calls[i][1]);
    }
}

static void refuses_wrong_text(void **state) {
    (void)state;
    static const char *const calls[][2] = {
        {"5, 'fonts/plain', 16, nil, Vector2(0, 0)",
         "Gui.text: argument 2 (text): expected string, got number"},
        {"'a', 'fonts/plane', 16, nil, Vector2(0, 0)",
         "argument 3 (font): there is no font \"fonts/plane\""},
        {"'a', 'fonts/plain', 10001, nil, Vector2(0, 0)",
         "argument 4 (size): expected a number from 0 to 10000, got 10001"},
        {"'a', 'fonts/plain', 0/0, nil, Vector2(0, 0)", "argument 4 (size): expected a finite"},
        {"'a', 'fonts/plain', 16, nil, Vector2(0, 0), nil, {aling = 'left'}",
         "argument 8 (options): there is no option \"aling\"; did you mean \"align\"?"},
        {"'a', 'fonts/plain', 16, nil, Vector2(0, 0), nil, {align = 'centre'}",
         "argument 8 (options): align: expected \"start\" or \"center\" or \"end\" or \"justify\" "
         "or \"left\" or \"right\", got \"centre\"; did you mean \"center\"?"},
        {"'a', 'fonts/plain', 16, nil, Vector2(0, 0), nil, {width = 0/0}",
         "argument 8 (options): width: expected a number from 0 to 1e+06, got"},
        {"'a', 'fonts/plain', 16, nil, Vector2(0, 0), nil, {max_lines = 1.5}",
         "argument 8 (options): max_lines: expected a whole number"},
        {"'a', 'fonts/plain', 16, nil, Vector2(0, 0), nil, {markup = 1}",
         "argument 8 (options): markup: expected true or false, got 1"},
        {"'a', 'fonts/plain', 16, nil, Vector2(0, 0), nil, {glow_color = 'red'}",
         "argument 8 (options): glow_color: expected a Vector4 of finite numbers"},
        {"'a', 'fonts/plain', 16, nil, Vector2(0, 0), nil, 'width'",
         "argument 9 (options): width: expected a number from 0 to 1e+06, got nil"},
        {"'a', 'fonts/plain', 16, nil, Vector2(0, 0), nil, 5",
         "argument 8 (options): expected table or string, got number"},
    };
    for (uint32_t i = 0; i < CT_COUNT_OF(calls); ++i) {
        char lua[256];
        snprintf(lua, sizeof(lua), "Gui.text(G, %s)", calls[i][0]);
        assert_lua_error(&f, lua, calls[i][1]);
    }
}

static void clips(void **state) {
    (void)state;
    run_lua(&f, "for i = 1, 32 do Gui.push_clip(G, Vector2(0, 0), Vector2(9, 9)) end");
    assert_lua_error(&f, "Gui.push_clip(G, Vector2(0, 0), Vector2(9, 9))",
                     "Gui.push_clip: 32 clip rectangles are open, the maximum");
    run_lua(&f, "for i = 1, 32 do Gui.pop_clip(G) end");
    assert_lua_error(&f, "Gui.pop_clip(G)", "Gui.pop_clip: no clip rectangle is open");
}

// --- Measuring -----------------------------------------------------------------------------------

static void measures_text(void **state) {
    (void)state;
    run_lua(&f, "function extents(size) "
                "  local a, b, c = Gui.text_extents(G, 'abc', 'fonts/plain', size) "
                "  return a.x, a.y, b.x, b.y, c.x, c.y "
                "end");
    assert_lua(&f, "extents(16)", "0\t-4\t30\t12\t30\t0");
    assert_lua(&f, "extents(32)", "0\t-8\t60\t24\t60\t0");
    assert_lua(&f, "Gui.has_all_glyphs(G, 'abc', 'fonts/plain')", "true");
    assert_lua(&f, "Gui.has_all_glyphs(G, '\xe2\x82\xac', 'fonts/plain')", "false");
}

static void finds_carets(void **state) {
    (void)state;
    assert_lua(&f, "Gui.caret_position(G, 'abc', 'fonts/plain', 16, 1)", "0\t-4\t12");
    assert_lua(&f, "Gui.caret_position(G, 'abc', 'fonts/plain', 16, 3)", "20\t-4\t12");
    assert_lua(&f, "Gui.caret_position(G, 'abc', 'fonts/plain', 16, 4)", "30\t-4\t12");
    assert_lua(&f, "Gui.caret_position(G, 'abc', 'fonts/plain', 16, 99)", "30\t-4\t12");
    assert_lua(&f, "Gui.hit_test(G, 'abc', 'fonts/plain', 16, Vector2(-5, 0))", "1");
    assert_lua(&f, "Gui.hit_test(G, 'abc', 'fonts/plain', 16, Vector2(12, 0))", "2");
    assert_lua(&f, "Gui.hit_test(G, 'abc', 'fonts/plain', 16, Vector2(500, 0))", "4");
    assert_lua_error(&f, "Gui.caret_position(G, 'abc', 'fonts/plain', 16, 0)",
                     "Gui.caret_position: argument 5 (index): expected an integer from 1");
}

static void wraps_words(void **state) {
    (void)state;
    run_lua(&f, "function wrap(text, width, ...) "
                "  return table.concat(Gui.word_wrap(G, text, 'fonts/plain', 16, width, ...), '|') "
                "end");
    assert_lua(&f, "wrap('aa bb cc', 55, ' ', '', '\\n')", "aa bb|cc");
    assert_lua(&f, "wrap('aa bb cc', 20, ' ', '', '\\n')", "aa|bb|cc");
    assert_lua(&f, "wrap('aa   bb', 45, ' ', '', '\\n')", "aa|bb");
    assert_lua(&f, "wrap('aa-bb', 35, ' ', '-', '\\n')", "aa-|bb");
    assert_lua(&f, "wrap('aa\\nbb', 500, ' ', '', '\\n')", "aa|bb");
    assert_lua(&f, "wrap('aa;bb;', 500, ' ', '', ';')", "aa|bb|");
    assert_lua(&f, "wrap('abcdef', 25, ' ', '', '\\n')", "ab|cd|ef");
    assert_lua(&f, "wrap('', 25, ' ', '', '\\n')", "");
    assert_lua(&f, "wrap('ab', 0, ' ', '', '\\n')", "a|b");
    assert_lua(&f, "wrap('aa bb cc', 55)", "aa bb|cc");
    assert_lua_error(&f, "wrap('aa', 0/0, ' ')",
                     "Gui.word_wrap: argument 5 (width): expected a finite number");
}

static void sets_the_language(void **state) {
    (void)state;
    run_lua(&f, "Gui.set_language('zh-hant') Gui.set_language()");
    assert_lua_error(&f, "Gui.set_language(5)",
                     "Gui.set_language: argument 1 (language): expected string, got number");
    assert_lua_error(&f, "Gui.set_language(string.rep('x', 64))",
                     "argument 1 (language): expected a language such as \"sr\"");
}

static void escapes_markup(void **state) {
    (void)state;
    assert_lua(&f, "Gui.escape_markup('a < b & c')", "a &lt; b &amp; c");
    run_lua(&f, "function width(text) "
                "  local a, b = Gui.text_extents(G, text, 'fonts/plain', 16, 'markup') "
                "  return b.x - a.x "
                "end");
    assert_lua(&f, "width(Gui.escape_markup('<u>'))", "30");
    assert_lua_error(&f, "Gui.escape_markup(5)",
                     "Gui.escape_markup: argument 1 (text): expected string, got number");
}

// --- Themes --------------------------------------------------------------------------------------

static void returns_themes_as_tables(void **state) {
    (void)state;
    run_lua(&f, "T, N = Gui.theme('themes/plain')");
    assert_lua(&f, "unpack(T.colors.text)", "255\t16\t32\t48");
    assert_lua(&f, "unpack(T.colors.track)", "255\t32\t32\t48");
    assert_lua(&f, "T.fonts.text .. T.fonts.title .. T.fonts.number",
               "fonts/plainfonts/boldfonts/digits");
    assert_lua(&f, "T.sizes.text, T.sizes.caret, T.times.tooltip, T.times.double_click",
               "20\t34\t0.5\t4.5");
    assert_lua(&f, "N == Gui.theme_version('themes/plain'), N > 0, N % 1", "true\ttrue\t0");
    assert_lua(&f, "T == Gui.theme('themes/plain')", "false"); // a table of the caller's own
    assert_lua_error(&f, "Gui.theme('themes/plane')", "there is no gui_theme \"themes/plane\"");
    assert_lua_error(&f, "Gui.theme_version(5)", "Gui.theme_version: argument 1 (theme): expected");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GUI_TEST(makes_guis_and_finds_them_by_id),
        GUI_TEST(takes_parameters_as_strings_or_a_table),
        GUI_TEST(refuses_wrong_parameters),
        GUI_TEST(is_refused_once_destroyed),
        GUI_TEST(needs_a_gui_system),
        GUI_TEST(moves_and_hides),
        GUI_TEST(returns_sizes),
        GUI_TEST(draws_and_draws_again),
        GUI_TEST(immediate_guis_return_zero),
        GUI_TEST(destroys_objects_of_its_kind),
        GUI_TEST(refuses_what_cannot_be_drawn),
        GUI_TEST(refuses_wrong_text),
        GUI_TEST(clips),
        GUI_TEST(measures_text),
        GUI_TEST(finds_carets),
        GUI_TEST(wraps_words),
        GUI_TEST(sets_the_language),
        GUI_TEST(escapes_markup),
        GUI_TEST(returns_themes_as_tables),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
