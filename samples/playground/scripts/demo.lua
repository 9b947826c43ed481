-- The demo while no one plays: the robot walks the whole course, rides the platforms, and throws balls
-- at the stack.

local Platforms = require "scripts/platforms"
local Robot = require "scripts/robot"
local Places = require "scripts/course_places"

local M = {}

local IDLE_SECONDS = 6      -- without input before it starts
local GIVE_UP_SECONDS = 14  -- spent on the way to one place
local RISING, SIDEWAYS = "units/course/platform_rising_1", "units/course/platform_sideways_1"

-- Places to walk to, in the space of a station ("": of the park), and what to do there. `ends`: the
-- station is behind the robot then. `at`: waits there until a platform has gone this share of its
-- way, and stays `for_seconds`. `on`: the place moves with the platform. `exact`: comes this near.
local WAY = {
    { "stairs", 0, 0 }, { "stairs", 0, 9.4, ends = true },
    { "step_just_fits", 0, 8, ends = true },
    { "gap_in_floor", 0, -2 }, { "gap_in_floor", 0, 11.4, ends = true },
    { "mesh_stairs", 0, 1 }, { "mesh_stairs", 0, 11.5, ends = true },
    { "", -30, 29.5 }, { "ramp_easy", 0, 0 }, { "ramp_easy", 0, 11.5, ends = true },
    { "mesh_hill", 0, 10.5, ends = true }, { "mesh_ridge", 0, 9, ends = true },
    { "ramp_below_limit", 0, 8.5, ends = true },
    { "", 29, 29.5 }, { "doorway", 0, 1 }, { "doorway", 0, 5, ends = true },
    { "high_enough_ceiling", 0, 9, ends = true },
    { "crawl", 0, 2 }, { "crawl", 0, 8, crouch = true, ends = true },
    { "crate", 0, 6 }, { "crate", 1.6, 4 }, { "crate", 1.6, 9, ends = true },
    { "", 30, -28.5 }, { "platform_rising", 0, -3.2 },
    { "platform_rising", 0, -2.9, platform = RISING, at = 0, for_seconds = 1.4 },
    { "platform_rising", 0, 0.5 },
    { "platform_rising", 0, 0.5, rides = true, platform = RISING, at = 1, for_seconds = 0.8, ends = true },
    { "platform_rising", 0, 4.2 },
    { "platform_sideways", 0, -2.9, platform = SIDEWAYS, at = 0, for_seconds = 1.6 },
    { "platform_sideways", 0, 0 },
    { "platform_sideways", 0, 0, platform = SIDEWAYS, at = 1, for_seconds = 1, rides = true, ends = true },
    { "platform_sideways", 6, 5.6 },
    { "platform_turning", -2, 0, exact = 0.8 }, { "ramp_easy_back", 0, 8, ends = true },
    { "ramp_easy_back", 0, 1.5, ends = true },
    { "", -17, -26, ends = true }, { "", -9, -10.5 },
    { "", -8.6, -10.5, throws = 12 },
}

local function count_stations()
    local num = 0
    for _, place in ipairs(WAY) do
        num = num + (place.ends and 1 or 0)
    end
    return num
end

M.NUM_STATIONS = count_stations()

function M.reset(game)
    game.demo = { step = 1, seconds = 0, stuck = 0, num_ended = 0, throws = 0, pause = 0 }
end

-- Returns whether the robot walks by itself: from the start when no one can play, and after a while
-- without input, until there is input.
function M.decide(game, input)
    return input.idle > (game.is_demo and 0 or IDLE_SECONDS)
end

-- Returns where a place is in the park.
local function place_in_park(place)
    local station = Places[place[1]]
    if not station then
        return place[2], place[3]
    end
    local turn = math.rad(station[4])
    local c, s = math.cos(turn), math.sin(turn)
    return station[1] + place[2] * c - place[3] * s, station[2] + place[2] * s + place[3] * c
end

local function next_step(demo, has_arrived)
    demo.num_ended = demo.num_ended + (has_arrived and WAY[demo.step].ends and 1 or 0)
    demo.step, demo.seconds, demo.stuck, demo.throws, demo.pause = demo.step + 1, 0, 0, 0, 0
end

-- Throws at the stack, one ball each half second. Returns whether all are thrown.
local function throw_balls(game, input, place, dt)
    local demo = game.demo
    demo.pause = demo.pause - dt
    if demo.pause < 0 and demo.throws < place.throws then
        demo.pause, demo.throws = 0.5, demo.throws + 1
        local p = Robot.position(game)
        local spread = (demo.throws % 4 - 1.5) * 0.7
        local target = Vector3(spread, -spread, 2.6 + demo.throws % 3)
        input.throw = true
        input.aim = Vector3.normalize(target - (p + Vector3(0, 0, 1.0)))
        game.robot.yaw = math.atan2(-input.aim.x, input.aim.y)
    end
    return demo.throws >= place.throws and demo.pause < 0
end

-- Fills in a player's wishes.
function M.steer(game, input, dt)
    local demo, place = game.demo, WAY[game.demo.step]
    if not place then
        return
    end
    local p = Robot.position(game)
    local x, y = place_in_park(place)
    local dx, dy = x - p.x, y - p.y
    local distance = math.sqrt(dx * dx + dy * dy)
    demo.seconds = demo.seconds + dt
    input.crouch = place.crouch
    if place.throws then
        if throw_balls(game, input, place, dt) then
            next_step(demo, true)
        end
        return
    end
    local platform = place.platform and Platforms.of(game, place.platform)
    if platform and (place.rides or place.at == 1 or distance < 0.4) then
        if platform.share == place.at and platform.rest_left > place.for_seconds then
            next_step(demo, true)
        end
        return
    end
    if distance < (place.exact or 0.35) then
        next_step(demo, true)
        return
    elseif demo.seconds > GIVE_UP_SECONDS then
        next_step(demo, false)
    end
    input.x, input.y = dx / distance, dy / distance
    demo.stuck = game.robot.speed < 0.4 and demo.stuck + dt or 0
    if demo.stuck > 1 then
        input.jump, demo.stuck = true, 0
    end
end

return M
