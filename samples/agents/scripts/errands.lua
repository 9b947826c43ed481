-- Errands: where people and carts go, and how long they stay.
--
-- Places are markers of the level. Each gets some spots around it on the mesh, so that not everybody wants
-- to be at the same point.

local Errands = {}

local SPOTS, REACH = 10, 2.6  -- around a marker; metres of walking from it
local CHOICES, NEAR = 5, 12   -- places to choose from; metres that are too near
-- Purposes of the markers that each class goes to, and how often.
local PURPOSES = {
    person = { { "stall", 4 }, { "home", 3 }, { "square", 3 }, { "court", 2 } },
    cart = { { "cargo", 1 } },
}
local SPEEDS = { person = { 1.2, 1.9 }, cart = { 0.9, 1.2 } }

function Errands.random(game, from, to)
    local seed, part = Math.next_random(game.seed)
    game.seed = seed
    return from + (to - from) * part
end

local function choose(game, list)
    return list[math.floor(Errands.random(game, 1, #list + 0.9999))]
end

-- Returns the spots of a class, as lists by purpose. A list has each purpose as often as it is chosen.
local function find_spots(game, class)
    local lists, mesh = {}, game.meshes[class]
    for _, purpose in ipairs(PURPOSES[class]) do
        local spots = {}
        for _, name in ipairs(Level.markers(game.level, purpose[1])) do
            local marker = Matrix4x4.translation(Level.marker_pose(game.level, name))
            local middle = NavigationMesh.nearest(mesh, marker, 2)
            for _ = 1, middle and SPOTS or 0 do
                spots[#spots + 1] = Vector3Box(NavigationMesh.random_point(mesh, middle, REACH) or middle)
            end
        end
        for _ = 1, purpose[2] do
            lists[#lists + 1] = spots
        end
    end
    return lists
end

local function spawn(game, class, count)
    local spots, speeds = game.spots[class], SPEEDS[class]
    for _ = 1, count do
        local at = choose(game, choose(game, spots)):unbox()
        local unit = World.spawn_unit(game.world, "units/" .. class, at,
            Quaternion(Vector3(0, 0, 1), Errands.random(game, -math.pi, math.pi)))
        NavigationAgent.set_speed(unit, Errands.random(game, speeds[1], speeds[2]))
        game.walkers[#game.walkers + 1] = unit
        game.classes[#game.classes + 1] = class
    end
end

-- Spawns everybody. Behaviours (behaviours/walker.lua) ask for errands from then on.
function Errands.start(game, num_people, num_carts)
    game.seed, game.walkers, game.classes = game.first_seed, {}, {}
    game.spots = { person = find_spots(game, "person"), cart = find_spots(game, "cart") }
    spawn(game, "person", num_people)
    spawn(game, "cart", num_carts)
end

function Errands.clear(game)
    World.destroy_units(game.world, game.walkers)
    game.walkers, game.classes = {}, {}
end

-- Sends a walker to another place: the nearest of some, as most errands are near.
function Errands.send(game, unit, class)
    local from = Unit.local_position(unit, 1)
    local goal, least
    for _ = 1, CHOICES do
        local spot = choose(game, choose(game, game.spots[class])):unbox()
        local distance = Vector3.length(spot - from)
        if not least or (distance > NEAR and (distance < least or least < NEAR)) then
            goal, least = spot, distance
        end
    end
    NavigationAgent.move_to(unit, goal)
end

return Errands
