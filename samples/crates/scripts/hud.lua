-- The HUD: how many crates have been toppled, the time, and a notice for some seconds.
--
-- It is drawn again for each picture. The texts are made only when their numbers change.

local Crates = require "scripts/crates"

local M = {}

local FONT = "core/fonts/default"
local WIDTH, HEIGHT = 1280, 720  -- what the layout is made for; other views are scaled
local MARGIN, PANEL_WIDTH, PANEL_HEIGHT = 24, 300, 56
local LEFT = { width = PANEL_WIDTH - 40, height = PANEL_HEIGHT, vertical = "middle" }
local NOTICE_WIDTH, NOTICE_SECONDS = 720, 6
local MIDDLE = { width = NOTICE_WIDTH - 40, height = PANEL_HEIGHT, vertical = "middle", align = "center" }
local RIGHT = { width = PANEL_WIDTH - 40, height = PANEL_HEIGHT, vertical = "middle", align = "right" }

function M.spawn(game)
    game.hud = {
        gui = World.create_screen_gui(game.world, "immediate", "scale", WIDTH, HEIGHT),
        toppled = -1, count = -1, seconds = -1,
        toppled_text = "", time_text = "",
    }
end

local function update_texts(game)
    local hud, seconds = game.hud, math.floor(game.time)
    local toppled, count = Crates.num_toppled(game), #game.crates
    if toppled ~= hud.toppled or count ~= hud.count then
        hud.toppled, hud.count = toppled, count
        hud.toppled_text = string.format("%d of %d toppled", toppled, count)
    end
    if seconds ~= hud.seconds then
        hud.seconds = seconds
        hud.time_text = string.format("%d:%02d", math.floor(seconds / 60), seconds % 60)
    end
end

-- Shows a text in the middle for some seconds of the game.
function M.notice(game, text)
    if game.hud then
        game.hud.notice, game.hud.notice_end = text, game.time + NOTICE_SECONDS
    end
end

-- Draws a text in a panel whose lower left corner is at x, y.
local function draw_panel(gui, x, y, width, text, options)
    Gui.rounded_rect(gui, Vector2(x, y), Vector2(width, PANEL_HEIGHT), 14, Color(150, 20, 24, 34))
    Gui.text(gui, text, FONT, 26, nil, Vector3(x + 20, y, 1), Color(255, 236, 200), options)
end

function M.draw(game)
    update_texts(game)
    local hud = game.hud
    local y = HEIGHT - MARGIN - PANEL_HEIGHT
    draw_panel(hud.gui, MARGIN, y, PANEL_WIDTH, hud.toppled_text, LEFT)
    draw_panel(hud.gui, WIDTH - MARGIN - PANEL_WIDTH, y, PANEL_WIDTH, hud.time_text, RIGHT)
    if hud.notice and game.time < hud.notice_end then
        draw_panel(hud.gui, (WIDTH - NOTICE_WIDTH) / 2, MARGIN, NOTICE_WIDTH, hud.notice, MIDDLE)
    else
        hud.notice = nil
    end
end

return M
