-- The demo while no one plays: the fox runs around, pushes and jumps, and the camera circles.

local Camera = require "scripts/camera"

local M = {}

local IDLE_SECONDS = 12     -- without input before it starts
local ORBIT_SPEED = 0.11    -- radians a second
local GIVE_UP_SECONDS = 4   -- spent on the way to one place

-- Places to run to: through the pyramid, up the blocks, into the piles.
local PLACES = {
    { -1.6, -1.6 }, { 0.2, 6.2 }, { 4.6, 5.6 }, { 8, 4, jump = true }, { 8, 6.2, jump = true },
    { 10.2, 6.2, jump = true }, { 5.4, 0.4 }, { 1.0, -2.0 }, { -4.6, 0.2 }, { -6.4, 3.6 },
    { -4.2, 8.0 }, { -4.4, 11.6 }, { 1.5, 9.5 }, { 5.6, 10.2 }, { 4.9, 5.2 }, { 2.0, 0.5 },
    { 4.6, -2.2 }, { 8.5, -3.4 }, { 3.0, -7.0 }, { -3.0, -5.0 },
}

function M.reset(game)
    game.demo = { place = 1, seconds = 0, stuck = 0 }
end

-- Returns whether the fox plays by itself: from the start when no one can play, and after a while
-- without input, until there is input.
function M.decide(game, input)
    if game.is_demo then
        return input.idle > 0
    end
    return input.idle > IDLE_SECONDS
end

local function next_place(demo)
    demo.place = demo.place % #PLACES + 1
    demo.seconds, demo.stuck = 0, 0
end

-- Fills in a player's wishes.
function M.steer(game, input, dt)
    local demo, player, view = game.demo, game.player, game.view
    local place = PLACES[demo.place]
    local dx, dy = place[1] - player.x, place[2] - player.y
    local distance = math.sqrt(dx * dx + dy * dy)
    demo.seconds = demo.seconds + dt
    if distance < 0.7 or demo.seconds > GIVE_UP_SECONDS then
        next_place(demo)
    end
    local right, forward = Camera.axes(game)
    local wish = Vector3(dx, dy, 0) * (0.85 / math.max(distance, 0.01))
    input.right, input.forward = Vector3.dot(wish, right), Vector3.dot(wish, forward)

    demo.stuck = player.speed < 2.6 and demo.stuck + dt or 0
    local is_near_edge = place.jump and distance < 2.0 and distance > 1.0
    if player.since_ground == 0 and (demo.stuck > 0.9 or is_near_edge) then
        input.jump = true
        demo.stuck = 0
    end
    view.yaw = view.yaw + ORBIT_SPEED * dt
    view.pitch = 0.26 + 0.08 * math.sin(game.time * 0.21)
    view.distance = 6.6 + 0.9 * math.sin(game.time * 0.13)
end

return M
