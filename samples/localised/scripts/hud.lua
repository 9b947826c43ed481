-- The HUD: a panel with the texts of the stand, in the language that is chosen now.
--
-- It is drawn again for each picture. Texts are broken into lines, and the panel is as high as they need.
-- In Arabic they run from right to left and start at the right: `align = "start"`, which is the default.

local M = {}

local FONT = "fonts/hud"
local VIEW_WIDTH, VIEW_HEIGHT = 1280, 720  -- what the layout is made for; other views are scaled
local MARGIN, PADDING, PANEL_WIDTH = 20, 18, 328
local OPTIONS = { width = PANEL_WIDTH - 2 * PADDING }

local BRIGHT = Vector4Box(Color(255, 255, 255))
local PALE = Vector4Box(Color(205, 214, 220))
local GOLD = Vector4Box(Color(255, 214, 120))

-- The rows from top to bottom: key, size, colour, and the space above.
local ROWS = {
    { "title", 32, GOLD, 0 },
    { "apples", 26, BRIGHT, 6 },
    { "about", 19, PALE, 10 },
    { "name", 22, GOLD, 16 },
    { "keys.language", 19, PALE, 4 },
    { "keys.take", 19, PALE, 2 },
    { "keys.leave", 19, PALE, 2 },
}

function M.spawn(game)
    game.hud = World.create_screen_gui(game.world, "immediate", "scale", VIEW_WIDTH, VIEW_HEIGHT)
end

local function text_of(game, key)
    return key == "apples" and game.apples_text() or Localizer.lookup(game.texts, key)
end

-- Draws the rows in a column that hangs from x, y. Returns its height.
local function draw_rows(game, x, y)
    local gui, top = game.hud, y
    for _, row in ipairs(ROWS) do
        local key, size, color, space = unpack(row)
        local text = text_of(game, key)
        local min, max = Gui.text_extents(gui, text, FONT, size, OPTIONS)
        Gui.text(gui, text, FONT, size, nil, Vector3(x, y - space - max.y, 1), color:unbox(), OPTIONS)
        y = y - space - (max.y - min.y)
    end
    return top - y
end

function M.draw(game)
    local top = VIEW_HEIGHT - MARGIN
    local height = draw_rows(game, MARGIN + PADDING, top - PADDING) + 2 * PADDING
    Gui.rounded_rect(game.hud, Vector2(MARGIN, top - height), Vector2(PANEL_WIDTH, height), 14,
        Color(190, 20, 30, 34))
end

return M
