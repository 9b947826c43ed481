-- Plays the level by itself, without a window or with `-- --demo`: it walks, and presses E as a keyboard
-- does.

local Player = require "scripts/player"

local M = {}

local NEAR = 0.2   -- metres from a place at which it has arrived
local START = 0.5  -- seconds before it begins
local SLOW = 0.5   -- metres before a place from where on it walks slower

-- Places to walk to; for how many seconds to wait there; and whether to press E before.
local WAY = {
    { x = -2.6, y = 1.5, seconds = 0.6 },                       -- onto the plate
    { x = 0, y = 3.6 }, { x = 0, y = 7 },                       -- through the door
    { x = -3, y = 8.4, uses = true, seconds = 0.5 },            -- the levers in a wrong order
    { x = 0, y = 9.8, uses = true, seconds = 0.5 },
    { x = 3, y = 8.4, uses = true, seconds = 1.6 },
    { x = 0, y = 9.8, uses = true, seconds = 0.5 },             -- in the right one
    { x = 3, y = 8.4, uses = true, seconds = 0.5 },
    { x = -1, y = 8.4 }, { x = -3, y = 8.4, uses = true, seconds = 1.2 },
    { x = -1.4, y = 12 }, { x = 0, y = 13 }, { x = 0, y = 18.7, seconds = 4.2 },  -- the lift
    { x = 0, y = 24 },                                          -- to the crystal
}

function M.reset(game)
    game.demo = { step = 1, seconds = 0, pause = START }
end

-- Presses or releases E.
local function set_key(kind)
    Input.add_remote_events { { device = "keyboard", kind = kind, name = "e" } }
end

-- Returns where to go to get to a place, and whether the player is there.
local function way_to(game, place)
    local p = Player.position(game)
    local way = Vector3(place.x - p.x, place.y - p.y, 0)
    local distance = Vector3.length(way)
    if distance < NEAR then
        return Vector3(0, 0, 0), true
    end
    return way / math.max(distance, SLOW), false
end

-- Returns where to go in this frame, as the action "move" does.
function M.steer(game, dt)
    local demo = game.demo
    local place = WAY[demo.step]
    demo.pause = demo.pause - dt
    if demo.pause > 0 or not place then
        return Vector3(0, 0, 0)
    end
    local wish, is_there = way_to(game, place)
    if not is_there and demo.seconds == 0 then
        return wish
    end
    if place.uses and demo.seconds == 0 then
        set_key("pressed")
        demo.is_pressed = true
    elseif demo.is_pressed then
        set_key("released")
        demo.is_pressed = false
    end
    demo.seconds = demo.seconds + dt
    if demo.seconds > (place.seconds or 0) then
        demo.step, demo.seconds = demo.step + 1, 0
    end
    return Vector3(0, 0, 0)
end

return M
