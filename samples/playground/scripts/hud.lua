-- The HUD: the keys, and what the robot has done.

local M = {}

local FONT = "core/fonts/default"
local WIDTH, HEIGHT = 1280, 720  -- what the layout is made for; other views are scaled
local MARGIN, PANEL_HEIGHT = 22, 46
local KEYS = "WASD walk   Space jump   C crouch   F throw   G firework   1–6 stations   R start over"

function M.spawn(game)
    game.hud = World.create_screen_gui(game.world, "immediate", "scale", WIDTH, HEIGHT)
end

-- Draws a text in a panel whose lower left corner is at x, y.
local function draw_panel(gui, x, y, width, size, text)
    Gui.rounded_rect(gui, Vector2(x, y), Vector2(width, PANEL_HEIGHT), 13, Color(140, 24, 28, 40))
    Gui.text(gui, text, FONT, size, nil, Vector3(x + 18, y, 1), Color(255, 244, 222),
        { width = width - 36, height = PANEL_HEIGHT, vertical = "middle" })
end

function M.draw(game)
    local state = string.format("Plates %d of 6     Boxes %d", game.num_plates, #game.boxes)
    draw_panel(game.hud, MARGIN, HEIGHT - MARGIN - PANEL_HEIGHT, 330, 22, state)
    draw_panel(game.hud, MARGIN, MARGIN, 910, 19, KEYS)
end

return M
