-- The points of all players, the time, and the winner.

local Match = require "scripts/match"

local Hud = {}

local FONT = "core/fonts/default"
local WIDTH, HEIGHT = 1280, 720  -- what the layout is made for; other views are scaled
local COLORS = { { 240, 88, 70 }, { 72, 140, 255 }, { 84, 205, 96 }, { 255, 200, 60 } }
local NAMES = { "Red", "Blue", "Green", "Yellow" }
local CARD = { width = 176, height = 60, gap = 16 }

function Hud.spawn(game)
    game.gui = World.create_screen_gui(game.world, "immediate", "scale", WIDTH, HEIGHT)
end

local function panel(gui, x, y, width, height, opacity)
    Gui.rounded_rect(gui, Vector2(x, y), Vector2(width, height), 14, Color(opacity, 18, 24, 40))
end

local function text(gui, what, size, x, y, width, height, align, color)
    Gui.text(gui, what, FONT, size, nil, Vector3(x, y, 1), color,
        { width = width, height = height, vertical = "middle", align = align })
end

-- A player's color, points and rounds; a line below it for the own one.
local function draw_card(game, i, x)
    local corner, y = Match.get(game, "corners")[i], HEIGHT - CARD.height - 20
    local r, g, b = unpack(COLORS[corner])
    panel(game.gui, x, y, CARD.width, CARD.height, 175)
    Gui.circle(game.gui, Vector3(x + 30, y + CARD.height / 2, 1), 13, Color(255, r, g, b))
    text(game.gui, tostring(Match.get(game, "scores")[i]), 34, x + 50, y, 50, CARD.height, "right", Color(255, 255, 255, 255))
    text(game.gui, Match.get(game, "wins")[i] .. " won", 19, x + 98, y, 64, CARD.height, "right", Color(255, 190, 205, 225))
    if Match.get(game, "players")[i] == game.me then
        Gui.rect(game.gui, Vector3(x + 16, y - 10, 1), Vector2(CARD.width - 32, 5), Color(255, r, g, b))
    end
end

-- Returns what is said in the middle, or nil.
local function message(game)
    local phase = Match.get(game, "phase")
    if GameSession.state(game.session) == "migrating" then
        return "The host is gone: looking for another"
    elseif Match.is_paused(game) then
        return "Pause"
    elseif phase == "waiting" then
        return "Waiting for another player"
    elseif phase == "won" then
        local winner = Match.get(game, "winner")
        return winner == 0 and "Nobody wins this round" or NAMES[winner] .. " wins the round"
    end
    return nil
end

function Hud.draw(game)
    if not Match.get(game, "players") then
        return
    end
    local count = #Match.get(game, "players")
    local x = (WIDTH - count * CARD.width - (count - 1) * CARD.gap) / 2
    for i = 1, count do
        draw_card(game, i, x + (i - 1) * (CARD.width + CARD.gap))
    end
    local seconds = Match.get(game, "seconds")
    if Match.get(game, "phase") == "playing" then
        panel(game.gui, WIDTH - 136, HEIGHT - CARD.height - 20, 112, CARD.height, 175)
        text(game.gui, string.format("%d:%02d", math.floor(seconds / 60), seconds % 60), 30, WIDTH - 136,
            HEIGHT - CARD.height - 20, 112, CARD.height, "center", Color(255, 255, 255, 255))
    end
    local says = message(game)
    if says then
        panel(game.gui, WIDTH / 2 - 260, 60, 520, 64, 190)
        text(game.gui, says, 30, WIDTH / 2 - 260, 60, 520, 64, "center", Color(255, 255, 236, 190))
    end
end

return Hud
