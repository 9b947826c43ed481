-- This program's own player. Its body moves at once, as in a game without a network: the others get its
-- position some time later, and see it move between the positions that have come.

local Match = require "scripts/match"
local Online = require "scripts/online"
local Things = require "scripts/things"

local Player = { LONGEST_REACH = 4 }  -- metres between two that hit each other, as one of them sees it

local START = 4.6          -- metres from the middle
local SPEED = 5.5          -- metres a second
local QUICKNESS = 9        -- how fast it reaches this speed, per second
local STUN = 0.45          -- seconds after a hit in which it hardly steers
local TURN_QUICKNESS = 14
local DASH_SPEED, DASH_TIME, DASH_PAUSE = 13, 0.2, 0.9
local REACH = 1.4          -- metres to a player whom a dash hits
local KNOCK, KNOCK_UP, MOST_KNOCK = 12, 3.5, 14
local BLAME = 4            -- seconds for which a fall is the work of the last hit
local BOTTOM = -6          -- metres: it has fallen
local RETURN = 1           -- seconds until it is back
local THROW_SPEED, THROW_PAUSE = 9, 1.5
local MOST_BOXES = 16

-- The angle by which a corner is turned around the middle; 0: it looks along y.
local ANGLES = { 0, math.pi, -math.pi / 2, math.pi / 2 }

function Player.reset(game)
    game.own = { wait = 0, dash = 0, dash_pause = 0, throw_pause = 0, stun = 0, blame = 0, yaw = 0, round = -1 }
end

function Player.angle(corner)
    return ANGLES[corner] or 0
end

-- Returns a unit's direction ahead, for an angle.
local function ahead(yaw)
    return Vector3(-math.sin(yaw), math.cos(yaw), 0)
end

local function puff(game, position)
    World.create_particles(game.world, "effects/puff", position + Vector3(0, 0, 0.4))
end

function Player.show_hit(game, victim)
    World.create_particles(game.world, "effects/spark", Unit.world_position(victim.unit, 1) + Vector3(0, 0, 0.6))
end

-- --- Coming and going ----------------------------------------------------------------------------

local function spawn(game, corner)
    local own = game.own
    own.yaw = Player.angle(corner)
    local position = ahead(own.yaw) * -START + Vector3(0, 0, 0.6)
    own.unit = UnitSynchronizer.spawn_unit(game.synchronizer, "player", "units/player", position,
        Quaternion(Vector3(0, 0, 1), own.yaw))
    own.blame, own.stun, own.dash = 0, 0, 0
    puff(game, position)
end

local function despawn(game)
    if game.own.unit then
        UnitSynchronizer.destroy_unit(game.synchronizer, game.own.unit)
        game.own.unit, game.players[game.me] = nil, nil
    end
end

local function fall(game)
    local own = game.own
    Online.tell_host(game, "fell", own.blame > 0 and own.blamed or nil)
    despawn(game)
    own.wait = RETURN
end

-- --- Hits ----------------------------------------------------------------------------------------

-- Somebody has hit this player.
function Player.take_hit(game, by, velocity)
    local own = game.own
    if own.unit and own.stun <= STUN / 2 then
        local length = math.max(Vector3.length(velocity), 0.001)
        Actor.set_velocity(Unit.actor(own.unit, "actor"), velocity * (math.min(length, MOST_KNOCK) / length))
        own.stun, own.blame, own.blamed = STUN, BLAME, by
        own.dash = 0
    end
end

-- Hits the player that the dash meets.
local function strike(game)
    local own = game.own
    local place, direction = Unit.world_position(own.unit, 1), ahead(own.dash_yaw)
    for peer, other in pairs(game.players) do
        local way = Unit.world_position(other.unit, 1) - place
        if peer ~= game.me and math.abs(way.z) < 1 and Things.distance(own.unit, other.unit) < REACH
            and Vector3.dot(way, direction) > 0 then
            RPC.hit(nil, other.id, direction * KNOCK + Vector3(0, 0, KNOCK_UP))
            Player.show_hit(game, other)
            own.dash = 0
            return
        end
    end
end

-- --- Movement ------------------------------------------------------------------------------------

local function turn(own, body, x, y, dt)
    if x ~= 0 or y ~= 0 then
        own.yaw = math.atan2(-x, y)
    end
    local forward = Quaternion.forward(Unit.world_rotation(own.unit, 1))
    local way = (own.yaw - math.atan2(-forward.x, forward.y) + math.pi) % (2 * math.pi) - math.pi
    Actor.set_angular_velocity(body, Vector3(0, 0, way * math.min(TURN_QUICKNESS, 1 / math.max(dt, 0.001))))
end

local function steer(own, body, x, y, dt)
    local velocity = Actor.velocity(body)
    if own.dash > 0 then
        Actor.set_velocity(body, ahead(own.dash_yaw) * DASH_SPEED + Vector3(0, 0, velocity.z))
        return
    end
    local is_on_ground = Unit.world_position(own.unit, 1).z > -0.3
    local quickness = is_on_ground and (own.stun > 0 and 1 or QUICKNESS) or 0.5
    local share = 1 - math.exp(-quickness * dt)
    Actor.set_velocity(body, Vector3(velocity.x + (x * SPEED - velocity.x) * share,
        velocity.y + (y * SPEED - velocity.y) * share, velocity.z))
end

local function begin_dash(game)
    local own = game.own
    own.dash, own.dash_pause, own.dash_yaw = DASH_TIME, DASH_PAUSE, own.yaw
    puff(game, Unit.world_position(own.unit, 1))
end

-- Throws a box ahead, which is this player's until another pushes it.
function Player.throw(game)
    local own = game.own
    if own.unit and #game.boxes < MOST_BOXES then
        own.throw_pause = THROW_PAUSE
        local direction = ahead(own.yaw)
        local position = Unit.world_position(own.unit, 1) + direction * 1.3 + Vector3(0, 0, 1.1)
        local box = UnitSynchronizer.spawn_unit(game.synchronizer, "box", "units/box", position)
        Actor.set_velocity(Unit.actor(box, "actor"), direction * THROW_SPEED + Vector3(0, 0, 1.5))
    end
end

-- `wish` is what the player wants: x and y (of the world, at most 1 long), dashes and throws.
function Player.update(game, wish, dt)
    local own, corner = game.own, Match.corner(game, game.me)
    if not corner then
        return  -- the host has not seen us yet
    end
    for _, name in ipairs({ "wait", "dash", "dash_pause", "throw_pause", "stun", "blame" }) do
        own[name] = math.max(own[name] - dt, 0)
    end
    local round = Match.get(game, "round")
    local is_in = Online.is_in(game)  -- not while the session looks for a new host
    if is_in and own.round ~= round then  -- all start at their corners
        own.round, own.wait = round, 0
        despawn(game)
    end
    if is_in and not own.unit and own.wait == 0 then
        spawn(game, corner)
    end
    if not own.unit then
        return
    end
    local body = Unit.actor(own.unit, "actor")
    if wish.dashes and own.dash_pause == 0 then
        begin_dash(game)
    end
    if is_in and wish.throws and own.throw_pause == 0 then
        Player.throw(game)
    end
    steer(own, body, wish.x, wish.y, dt)
    turn(own, body, wish.x, wish.y, dt)
    if is_in and own.dash > 0 then
        strike(game)
    end
    if is_in and Unit.world_position(own.unit, 1).z < BOTTOM then
        fall(game)
    end
end

return Player
