-- The boxes. Each belongs to one player, whose program simulates it; for all others it moves as the network
-- says, and cannot be pushed. So a program whose player comes close to a box asks the host for it, early enough
-- that it has it when they touch.

local Match = require "scripts/match"
local Online = require "scripts/online"
local Things = require "scripts/things"

local Boxes = {}

local NEAR = 1.4        -- metres at which a box is touched soon
local ASK_AHEAD = 0.25  -- seconds: an answer of the host takes about as long
local ASK_PAUSE = 0.3   -- seconds between two questions for one box
local BOTTOM = -10      -- metres: it has fallen
local FEW = 9           -- with fewer than these, the host adds some
local ADD_PAUSE = 2     -- seconds between two that it adds

-- A pyramid in the middle, and four around it.
local PLACES = {
    { -0.55, -0.55, 0.5 }, { 0.55, -0.55, 0.5 }, { -0.55, 0.55, 0.5 }, { 0.55, 0.55, 0.5 }, { 0, 0, 1.5 },
    { -3, -3, 0.5 }, { 3, -3, 0.5 }, { -3, 3, 0.5 }, { 3, 3, 0.5 },
}

local function spawn(game, x, y, z)
    return UnitSynchronizer.spawn_unit(game.synchronizer, "box", "units/box", Vector3(x, y, z))
end

-- As the host of a new session: puts the first boxes.
function Boxes.create(game)
    for _, place in ipairs(PLACES) do
        spawn(game, unpack(place))
    end
end

-- Asks for boxes of others that the own player is about to touch.
local function ask(game)
    local unit = game.own.unit
    local velocity = Actor.velocity(Unit.actor(unit, "actor"))
    local reach = NEAR + math.sqrt(velocity.x * velocity.x + velocity.y * velocity.y) * ASK_AHEAD
    for _, box in ipairs(game.boxes) do
        local way = Unit.world_position(box.unit, 1) - Unit.world_position(unit, 1)
        local last = game.asked[box.id]
        if box.peer ~= game.me and Things.distance(unit, box.unit) < reach and Vector3.dot(way, velocity) > 0
            and not (last and game.seconds - last < ASK_PAUSE) then
            game.asked[box.id] = game.seconds
            Online.tell_host(game, "take", box.id)
        end
    end
end

-- Runs each frame.
function Boxes.update(game, dt)
    if not Online.is_in(game) then
        return
    end
    for i = #game.boxes, 1, -1 do
        local box = game.boxes[i]
        if box.peer == game.me and Unit.world_position(box.unit, 1).z < BOTTOM then
            UnitSynchronizer.destroy_unit(game.synchronizer, box.unit)
            table.remove(game.boxes, i)
        end
    end
    if game.own.unit then
        ask(game)
    end
    game.add_pause = math.max(game.add_pause - dt, 0)
    if Match.is_mine(game) and #game.boxes < FEW and game.add_pause == 0 then
        game.add_pause = ADD_PAUSE
        local angle = game.seconds * 2.4
        spawn(game, 2 * math.cos(angle), 2 * math.sin(angle), 7)
    end
end

return Boxes
