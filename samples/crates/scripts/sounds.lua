-- What is heard: music and wind all the time, the fox's steps, and wood that hits something.
--
-- The events in sounds/ say which sounds play and how loud; this script starts them and sets their
-- parameters. The camera listens.

local Crates = require "scripts/crates"

local M = {}

local STRIDE = 0.9           -- metres from one step of the fox to the next
local BETWEEN_COUNTS = 0.25  -- seconds from one count of the moving crates to the next
local QUICKNESS = 1.5        -- how fast the music follows that count, per second

-- Starts what plays all the time.
function M.start(game)
    SoundWorld.set_num_listeners(game.world, 1)
    SoundWorld.set_listener(game.world, 1, game.camera_unit)
    game.sounds = {
        music = SoundWorld.play(game.world, "sounds/music"),
        wind = SoundWorld.play(game.world, "sounds/wind"),
        impact = {}, step = {}, landing = {},  -- parameters, used again
    }
end

-- Forgets what the fox and the crates did.
function M.reset(game)
    local sounds = game.sounds
    sounds.way, sounds.fall, sounds.was_in_air = 0, 0, false
    sounds.count, sounds.moving, sounds.until_count = 0, 0, 0
end

-- Wood hits something, with an impulse in newton seconds.
function M.hit(game, position, impulse)
    local impact = game.sounds.impact
    impact.force = impulse
    SoundWorld.play(game.world, "sounds/impact", position, impact)
end

-- Returns what is below the fox.
function M.surface(game)
    local player = game.player
    local is_hit, _, _, _, actor = PhysicsWorld.raycast(World.physics_world(game.world),
        Vector3(player.x, player.y, player.z + 0.3), Vector3(0, 0, -1), 0.6, "closest", "ignore", player.unit)
    local unit = is_hit and Actor.unit(actor)
    return unit and Unit.is_a(unit, "units/crate") and "wood" or "stone"
end

local function step(game, dt)
    local sounds, player = game.sounds, game.player
    sounds.way = sounds.way + player.speed * dt
    if sounds.way < STRIDE then
        return
    end
    sounds.way = sounds.way % STRIDE
    sounds.step.surface, sounds.step.speed_of_fox = M.surface(game), player.speed
    SoundWorld.play(game.world, "sounds/footstep", Vector3(player.x, player.y, player.z), sounds.step)
end

local function land(game)
    local sounds, player = game.sounds, game.player
    sounds.landing.speed_of_fall = -sounds.fall
    SoundWorld.play(game.world, "sounds/land", Vector3(player.x, player.y, player.z), sounds.landing)
end

local function follow_fox(game, dt)
    local sounds, player = game.sounds, game.player
    if sounds.was_in_air and not player.is_in_air then
        land(game)
    elseif player.since_ground == 0 then
        step(game, dt)
    end
    sounds.was_in_air, sounds.fall = player.is_in_air, player.vz
    SoundWorld.set_parameter(sounds.wind, "height", player.z)
end

-- Brings the music's second layer in when many crates move.
local function follow_crates(game, dt)
    local sounds = game.sounds
    sounds.until_count = sounds.until_count - dt
    if sounds.until_count <= 0 then
        sounds.until_count = BETWEEN_COUNTS
        sounds.count = Crates.num_awake(game)
    end
    sounds.moving = sounds.moving + (sounds.count - sounds.moving) * (1 - math.exp(-QUICKNESS * dt))
    SoundWorld.set_parameter(sounds.music, "moving", sounds.moving)
end

-- Plays what the last update of the world calls for.
function M.follow(game, dt)
    follow_fox(game, dt)
    follow_crates(game, dt)
end

return M
