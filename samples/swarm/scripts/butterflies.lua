-- Butterflies on several threads (`--jobs`): their behaviours are moved by jobs/butterflies.lua in place of
-- behaviours/butterfly.lua, each job a share of them.

local Butterflies = {}

local SHARES = 8
local SIZE = 13  -- numbers for each: jobs/butterflies.lua

local function share_of(meadow, units, first, last)
    local all, own = Float32Array(SIZE * (last - first + 1)), {}
    for i = first, last do
        local unit = units[i]
        local position = Unit.local_position(unit, 1)
        local rest = meadow:value(unit, "rest")
        local turn = meadow:random(-math.pi, math.pi)
        local numbers = { position.x, position.y, position.z, -math.sin(turn), math.cos(turn),
            meadow:random(1, 8), 0, meadow:random(0, 10), turn,
            meadow:value(unit, "speed") * meadow:random(0.7, 1.3), rest[1], rest[2],
            math.floor(meadow:random(1, 65520)) }
        for k, number in ipairs(numbers) do
            Float32Array.set(all, (i - first) * SIZE + k, number)
        end
        own[#own + 1] = unit
    end
    return { all = all, units = EntityArray(own) }
end

-- Takes the butterflies of a world over.
function Butterflies.start(world, meadow)
    local units = World.units_by_resource(world, "units/butterfly")
    Butterflies.transforms = EntityManager.transform_component(world)
    Butterflies.shares, Butterflies.seconds, Butterflies.frames = {}, 0, 0
    for i = 1, SHARES do
        local first, last = math.floor((i - 1) * #units / SHARES) + 1, math.floor(i * #units / SHARES)
        Butterflies.shares[i] = share_of(meadow, units, first, last)
    end
end

function Butterflies.update(dt, states)
    local jobs = {}
    for i, share in ipairs(Butterflies.shares) do
        jobs[i] = { script = "jobs/butterflies", ["function"] = "update", name = "butterflies",
            share.all, share.units, Butterflies.transforms, dt }
    end
    local begin = Application.time_since_launch()
    Butterflies.shares = LuaThreads.run(jobs, { states = states })
    Butterflies.seconds = Butterflies.seconds + Application.time_since_launch() - begin
    Butterflies.frames = Butterflies.frames + 1
end

return Butterflies
