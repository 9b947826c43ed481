-- What arrives over the network: the engine calls these methods by name from Network.update_receive.
-- Messages of duel.network_config have the sender's peer first.

local Match = require "scripts/match"
local Player = require "scripts/player"
local Things = require "scripts/things"

Events = Events or {}

local FALL_PAUSE = 0.5  -- seconds in which a player cannot fall twice

-- Returns what `things` has under a key, or nil. What is in the session was collected in the last frame, and
-- may have been destroyed since.
local function alive(things, key)
    local thing = things[key]
    return thing and Unit.alive(thing.unit) and thing or nil
end

-- Returns the key of the thing with this id.
local function key_of(things, id)
    for key, thing in pairs(things) do
        if thing.id == id then
            return key
        end
    end
    return 0
end

-- Somebody was hit. All see sparks, and the one whose body it is flies.
function Events:hit(sender, target, velocity)
    local attacker, victim = alive(Game.players, sender), alive(Game.players, key_of(Game.players, target))
    if not attacker or not victim then
        return  -- one of them has left, or has fallen meanwhile
    end
    Player.show_hit(Game, victim)
    if victim.peer == Game.me and Things.distance(attacker.unit, victim.unit) < Player.LONGEST_REACH then
        Player.take_hit(Game, sender, velocity)
    end
end

-- As the host: a player has fallen. `by` gets the point; a player who falls alone loses one.
function Events:fell(sender, by)
    local last = Game.falls[sender]
    if last and Game.seconds - last < FALL_PAUSE then
        return
    end
    Game.falls[sender] = Game.seconds
    if by and by ~= sender then
        Match.add_points(Game, by, 1)
    else
        Match.add_points(Game, sender, -1)
    end
end

-- As the host: a player is about to push a box. He gets it, unless its owner is as near.
function Events:take(sender, id)
    local taker, box = alive(Game.players, sender), alive(Game.boxes, key_of(Game.boxes, id))
    if not taker or not box or box.peer == sender then
        return
    end
    if box.peer ~= Game.me and not Network.has_connection(box.peer) then
        return  -- this program has just become the host, and the box's owner has not come over yet
    end
    local owner = alive(Game.players, box.peer)
    if not owner or Things.distance(taker.unit, box.unit) + 0.3 < Things.distance(owner.unit, box.unit) then
        GameSession.migrate_game_object(Game.session, id, sender)
    end
end

-- For tests: scripts/probe.lua compares.
function Events:settled(sender, hash)
    Game.hashes[sender] = hash
end

return Events
