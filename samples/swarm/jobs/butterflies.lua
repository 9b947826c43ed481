-- Moves a share of the butterflies in a Lua state of its own (scripts/butterflies.lua). It does the same as
-- behaviours/butterfly.lua.

local Butterflies = {}

local FAR = 8  -- metres that one flies at most
-- What a butterfly is, one number after another.
local X, Y, Z, STEP_X, STEP_Y, LEFT, REST_LEFT, TIME, TURN, SPEED, LEAST, MOST, SEED = 1, 2, 3, 4, 5, 6, 7,
    8, 9, 10, 11, 12, 13
local SIZE = 13

local get, set = Float32Array.get, Float32Array.set

-- A number from `least` to `most`, of the butterfly at `at`.
local function random(all, at, least, most)
    local seed = (get(all, at + SEED) * 137 + 1021) % 65521
    set(all, at + SEED, seed)
    return least + (most - least) * seed / 65521
end

local function drift(all, at)
    local turn, distance = random(all, at, -math.pi, math.pi), random(all, at, 1, FAR)
    local old_x, old_y = get(all, at + X), get(all, at + Y)
    local x, y = old_x - distance * math.sin(turn), old_y + distance * math.cos(turn)
    if math.abs(x) > 60 or math.abs(y) > 60 then  -- back to the middle
        turn, distance = math.atan2(old_x, -old_y), FAR
    end
    set(all, at + TURN, turn)
    set(all, at + LEFT, distance)
    set(all, at + STEP_X, -math.sin(turn))
    set(all, at + STEP_Y, math.cos(turn))
end

-- Moves one, and writes where it is. Returns false while it rests.
local function move(all, at, dt)
    local rest = get(all, at + REST_LEFT)
    if rest > 0 then
        set(all, at + REST_LEFT, rest - dt)
        return
    end
    local step = get(all, at + SPEED) * dt
    set(all, at + TIME, get(all, at + TIME) + dt)
    set(all, at + X, get(all, at + X) + get(all, at + STEP_X) * step)
    set(all, at + Y, get(all, at + Y) + get(all, at + STEP_Y) * step)
    set(all, at + LEFT, get(all, at + LEFT) - step)
    if get(all, at + LEFT) <= 0 then
        set(all, at + REST_LEFT, random(all, at, get(all, at + LEAST), get(all, at + MOST)))
        drift(all, at)
    end
end

-- `all` has SIZE numbers for each of `units`. Returns both, for the next frame.
function Butterflies.update(all, units, transforms, dt)
    local count = EntityArray.size(units)
    local positions, rotations = Float32Array(3 * count), Float32Array(4 * count)
    for i = 0, count - 1 do
        local at = i * SIZE
        move(all, at, dt)
        local time = get(all, at + TIME)
        local roll = 0.5 * math.sin(time * 9)
        local flutter = 0.25 * math.sin(time * 3.1) + 0.08 * roll
        set(positions, 3 * i + 1, get(all, at + X))
        set(positions, 3 * i + 2, get(all, at + Y))
        set(positions, 3 * i + 3, get(all, at + Z) + flutter)
        local half, bank = get(all, at + TURN) / 2, roll / 2
        local sin, cos, sin_bank, cos_bank = math.sin(half), math.cos(half), math.sin(bank), math.cos(bank)
        set(rotations, 4 * i + 1, -sin * sin_bank)
        set(rotations, 4 * i + 2, cos * sin_bank)
        set(rotations, 4 * i + 3, sin * cos_bank)
        set(rotations, 4 * i + 4, cos * cos_bank)
    end
    local TransformComponent = LuaThreads.lock_api("TransformComponent", nil, "write")
    TransformComponent.set_local_positions(transforms, units, positions)
    TransformComponent.set_local_rotations(transforms, units, rotations)
    return { all = all, units = units }
end

return Butterflies
