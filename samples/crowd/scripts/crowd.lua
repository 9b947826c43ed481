-- The crowd: where its members walk to, when they stop, and how they let others pass.
--
-- State machines and root motion move them. This script decides for an eighth of them in each frame,
-- and turns those that change their direction.

local Crowd = {}
Crowd.__index = Crowd

local EDGE = 34          -- metres from the middle at which they turn back
local LEAST_DISTANCE = 1.1
local SHARES = 8         -- frames in which each decides once
local TURN_SPEED = 2.4   -- radians a second
local AHEAD, ROOM = 0.85, 0.45  -- metres: there they look for others
local PHASES = 24        -- places in the clips at which they start
local COLORS = { "", "_teal", "_gold", "_violet", "_green", "_blue" }
-- Things in the plaza: x, y, radius.
local THINGS = { { 0, 0, 3.9 }, { 13, 13, 2.2 }, { -13, 13, 2.2 }, { -13, -13, 2.2 }, { 13, -13, 2.2 } }

local pi, sin, cos, sqrt, max, min = math.pi, math.sin, math.cos, math.sqrt, math.max, math.min

function Crowd.random(self, from, to)
    local seed, part = Math.next_random(self.seed)
    self.seed = seed
    return from + (to - from) * part
end

local function is_free(x, y, margin)
    if x * x + y * y > EDGE * EDGE then
        return false
    end
    for _, thing in ipairs(THINGS) do
        local dx, dy, radius = x - thing[1], y - thing[2], thing[3] + margin
        if dx * dx + dy * dy < radius * radius then
            return false
        end
    end
    return true
end

-- Returns states of a rabbit for animation_set_state, at equal distances in time: while it idles, and
-- while it walks.
local function rehearse(world)
    local unit = World.spawn_unit(world, "units/rabbit")
    local states = { idle = {}, walk = {} }
    for _, name in ipairs({ "idle", "walk" }) do
        if name == "walk" then
            Unit.animation_event(unit, "walk")
            World.update(world, 1)
        end
        for i = 1, PHASES do
            World.update(world, (name == "walk" and 1.1 or 3.2) / PHASES)
            states[name][i] = { Unit.animation_get_state(unit) }
        end
    end
    World.destroy_unit(world, unit)
    return states
end

-- Returns a place that is far enough from those in `taken`, a table by cells.
local function free_place(self, taken)
    local size = LEAST_DISTANCE
    while true do
        local turn, distance = self:random(0, 2 * pi), EDGE * sqrt(self:random(0, 1))
        local x, y = cos(turn) * distance, sin(turn) * distance
        local i, k = math.floor(x / size), math.floor(y / size)
        local is_alone = is_free(x, y, 0.3)
        for a = i - 1, i + 1 do
            for b = k - 1, k + 1 do
                local other = taken[a * 1000 + b]
                if other and (other[1] - x) ^ 2 + (other[2] - y) ^ 2 < size * size then
                    is_alone = false
                end
            end
        end
        if is_alone then
            taken[i * 1000 + k] = { x, y }
            return x, y
        end
    end
end

-- Makes a crowd of `count`, the same one in every run. They are posed also where no one sees them with
-- `is_posed`.
function Crowd.spawn(world, count, is_posed)
    local self = setmetatable({
        world = world, seed = 5, members = {}, frame = 0,
        places = Broadphase(1, count), found = {},
    }, Crowd)
    local states, taken = rehearse(world), {}
    local blender = EntityManager.animation_blender_component(world)
    for i = 1, count do
        local x, y = free_place(self, taken)
        local yaw = self:random(-pi, pi)
        local unit = World.spawn_unit(world, "units/rabbit" .. COLORS[i % #COLORS + 1],
            Vector3(x, y, 0), Quaternion(Vector3(0, 0, 1), yaw))
        local size = self:random(0.82, 1.08)
        Unit.set_local_scale(unit, 1, Vector3(size, size, size))
        local is_walking = self:random(0, 1) < 0.65
        local phases = is_walking and states.walk or states.idle
        Unit.animation_set_state(unit, unpack(phases[i % PHASES + 1]))
        if i == 1 then
            self.tempo = Unit.animation_find_variable(unit, "tempo")
        end
        Unit.animation_set_variable(unit, self.tempo, self:random(0.85, 1.2))
        if is_posed then
            AnimationBlenderComponent.set_property_by_id(blender, unit, "animation",
                "is_always_posed", true)
        end
        Broadphase.add(self.places, unit, Vector3(x, y, 0), 0.3)
        self.members[i] = {
            unit = unit, yaw = yaw, turn = 0, is_walking = is_walking,
            seconds = self:random(0.5, 9),  -- until it stops or goes on
            wave_in = self:random(0, 25),
        }
    end
    return self
end

local function angle_to(member, dx, dy)
    return (math.atan2(-dx, dy) - member.yaw + pi) % (2 * pi) - pi
end

-- Returns the direction away from the nearest thing.
local function away_from_thing(x, y)
    local least, to_x, to_y = math.huge, 0, 1
    for _, thing in ipairs(THINGS) do
        local dx, dy = x - thing[1], y - thing[2]
        local distance = sqrt(dx * dx + dy * dy) - thing[3]
        if distance < least then
            least, to_x, to_y = distance, dx, dy
        end
    end
    return to_x, to_y
end

-- Looks where it walks: turns back at the edge, around things, and lets others pass.
local function look_ahead(self, member)
    local position = Unit.local_position(member.unit, 1)
    local x, y = position.x, position.y
    local dx, dy = -sin(member.yaw) * AHEAD, cos(member.yaw) * AHEAD
    if not is_free(x + dx, y + dy, 0.25) then
        local to_x, to_y = away_from_thing(x, y)
        if x * x + y * y > (EDGE - 2) ^ 2 then
            to_x, to_y = self:random(-0.6, 0.6) * EDGE - x, self:random(-0.6, 0.6) * EDGE - y
        end
        member.turn = angle_to(member, to_x, to_y)
        return
    end
    local count = Broadphase.query_nearest(self.places, Vector3(x + dx, y + dy, 0), ROOM, 2, self.found)
    for i = 1, count do
        local other = self.found[i]
        if other ~= member.unit then
            local p = Unit.local_position(other, 1)
            local side = dx * (p.y - y) - dy * (p.x - x)  -- positive: it is to the left
            member.turn = side > 0 and -0.7 or 0.7
            return
        end
    end
end

-- Lets a member walk or stop, after `seconds` since it last decided.
local function decide(self, member, seconds)
    member.seconds = member.seconds - seconds
    member.wave_in = member.wave_in - seconds
    if member.wave_in < 0 then
        member.wave_in = self:random(12, 40)
        Unit.animation_event(member.unit, "wave")
    end
    if member.seconds < 0 then
        member.is_walking = not member.is_walking
        member.seconds = member.is_walking and self:random(4, 14) or self:random(2, 7)
        Unit.animation_event(member.unit, member.is_walking and "walk" or "stop")
        if member.is_walking then
            member.turn = self:random(-1.2, 1.2)
        end
    end
    if member.is_walking then
        look_ahead(self, member)
    end
end

-- Runs before the world is updated.
function Crowd.update(self, dt)
    local members = self.members
    self.frame = self.frame + 1
    Broadphase.move_to_units(self.places)
    for i = self.frame % SHARES + 1, #members, SHARES do
        decide(self, members[i], dt * SHARES)
    end
    local most = TURN_SPEED * dt
    for i = 1, #members do
        local member = members[i]
        if member.turn ~= 0 then
            local step = max(-most, min(most, member.turn))
            member.turn = member.turn - step
            member.yaw = (member.yaw + step + pi) % (2 * pi) - pi
            Unit.set_local_rotation(member.unit, 1, Quaternion(Vector3(0, 0, 1), member.yaw))
        end
    end
end

-- Returns how many walk, and how far the farthest is from the middle.
function Crowd.summary(self)
    local num_walking, farthest = 0, 0
    for _, member in ipairs(self.members) do
        num_walking = num_walking + (member.is_walking and 1 or 0)
        local p = Unit.local_position(member.unit, 1)
        farthest = max(farthest, sqrt(p.x * p.x + p.y * p.y))
    end
    return num_walking, farthest
end

return Crowd
