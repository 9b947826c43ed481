-- What changes in the town: doors that open and close by a timer, a wall that falls, and a barricade.

local Stream = require "scripts/stream"

local Town = {}

local UP = Vector3Box(0, 0, 1)
-- Seconds between two closings, how long a door is closed, and when it first closes.
local DOORS = {
    { name = "gate_1", every = 40, closed = 14, first = 2 },
    { name = "gate_2", every = 40, closed = 14, first = 22 },  -- never both
    { name = "court_1", every = 44, closed = 9, first = 6 },
    { name = "court_2", every = 44, closed = 9, first = 17 },
    { name = "court_3", every = 44, closed = 9, first = 28 },
    { name = "court_4", every = 44, closed = 9, first = 39 },
}
local SWING = 1.45      -- radians that an open door's leaf is turned by, inwards
local SWING_SPEED = 2   -- radians a second
local FALL_TIME = 1.2   -- seconds in which the wall falls

local WALL = { shape = "box", half_size = Vector3Box(0.8, 2.2, 2) }
local BARRICADE = { shape = "box", half_size = Vector3Box(2.3, 0.9, 1.2), angle = math.pi / 2 }

-- Adds an obstacle to the meshes of both classes, at a marker of the level. Returns its ids.
local function add_obstacle(game, kind, marker)
    local ids = {}
    for class, mesh in pairs(game.meshes) do
        ids[class] = NavigationMesh.add_obstacle(mesh, {
            shape = kind.shape, half_size = kind.half_size:unbox(), angle = kind.angle or 0,
            position = Matrix4x4.translation(Level.marker_pose(game.level, marker)),
        })
    end
    return ids
end

local function remove_obstacle(game, ids)
    for class, id in pairs(ids) do
        NavigationMesh.remove_obstacle(game.meshes[class], id)
    end
end

-- --- Doors --------------------------------------------------------------------------------------

-- Returns a leaf of a door, with its rotation when the door is closed.
local function leaf(game, name, side)
    local unit = World.unit_by_id(game.world, name .. "_" .. side)
    return { unit = unit, rotation = QuaternionBox(Unit.local_rotation(unit, 1)), side = side == "left" and 1 or -1 }
end

-- Turns the leaves of a door.
local function set_swing(door, swing)
    door.swing = swing
    for _, one in ipairs(door.leaves) do
        local turn = Quaternion(UP:unbox(), one.side * swing)
        Unit.set_local_rotation(one.unit, 1, Quaternion.multiply(turn, one.rotation:unbox()))
    end
end

local function open_doors(game)
    game.doors = {}
    for i, plan in ipairs(DOORS) do
        local pose, half = Level.volume_box(game.level, plan.name)
        local door = {
            plan = plan, is_closed = false, seconds = 0,
            leaves = { leaf(game, plan.name, "left"), leaf(game, plan.name, "right") },
            middle = Vector3Box(Matrix4x4.translation(pose)), half = Vector3Box(half),
        }
        set_swing(door, SWING)
        game.doors[i] = door
    end
end

-- Returns whether a point is in a doorway, `margin` metres from its ends.
function Town.is_in(door, point, margin)
    local way, half = point - door.middle:unbox(), door.half:unbox() - Vector3(margin, margin, 0)
    return math.abs(way.x) < half.x and math.abs(way.y) < half.y and math.abs(way.z) < half.z
end

local function is_free(game, door)
    for _, unit in ipairs(game.walkers) do
        if Town.is_in(door, Unit.local_position(unit, 1), 0) then
            return false
        end
    end
    return true
end

-- A door that is to close waits until the doorway is free. From then on its area lets no path through, and
-- its leaves swing.
local function update_door(game, door, dt)
    local plan = door.plan
    local shall_close = game.seconds > plan.first and (game.seconds - plan.first) % plan.every < plan.closed
    door.seconds = door.seconds + dt
    if shall_close ~= door.is_closed and (door.is_closed or is_free(game, door)) then
        door.is_closed, door.seconds = shall_close, 0
        for _, mesh in pairs(game.meshes) do
            NavigationMesh.set_area(mesh, plan.name, { closed = shall_close })
        end
    end
    local target = door.is_closed and 0 or SWING
    if door.swing ~= target then
        local most = SWING_SPEED * dt
        set_swing(door, door.swing + math.max(-most, math.min(most, target - door.swing)))
    end
end

-- --- The wall and the barricade -----------------------------------------------------------------

local function put_wall(game)
    local pose = Level.marker_pose(game.level, "weak_wall")
    game.wall = World.spawn_unit(game.world, "units/weak_wall", Matrix4x4.translation(pose),
        Quaternion(UP:unbox(), math.pi / 2))
    game.wall_obstacle = add_obstacle(game, WALL, "weak_wall")
end

-- The wall falls: its obstacle goes at once, and paths lead through.
local function fell(game)
    if game.wall_obstacle then
        remove_obstacle(game, game.wall_obstacle)
        game.wall_obstacle, game.falls = nil, 0
        game.rubble = World.spawn_unit(game.world, "units/rubble", Unit.local_position(game.wall, 1),
            Unit.local_rotation(game.wall, 1))
    end
end

local function update_fall(game, dt)
    game.falls = game.falls + dt
    local position = Unit.local_position(game.wall, 1)
    Unit.set_local_position(game.wall, 1, position - Vector3(0, 0, 5 * game.falls * dt))
    if game.falls > FALL_TIME then
        World.destroy_unit(game.world, game.wall)
        game.wall, game.falls = nil, nil
    end
end

-- Puts the barricade into its street as soon as it is free.
local function put_barricade(game)
    local pose = Level.marker_pose(game.level, "barricade")
    local place = { middle = Vector3Box(Matrix4x4.translation(pose)), half = Vector3Box(2, 3.4, 2) }
    if not is_free(game, place) then
        return
    end
    game.barricade = World.spawn_unit(game.world, "units/barricade", Matrix4x4.translation(pose),
        Quaternion(UP:unbox(), math.pi / 2))
    game.barricade_obstacle = add_obstacle(game, BARRICADE, "barricade")
end

local function take_barricade(game)
    World.destroy_unit(game.world, game.barricade)
    remove_obstacle(game, game.barricade_obstacle)
    game.barricade, game.barricade_obstacle = nil, nil
end

-- ------------------------------------------------------------------------------------------------

-- Prepares the town, whose level has just been loaded.
function Town.open(game)
    for _, name in ipairs({ "wall", "rubble", "barricade" }) do
        if game[name] then
            World.destroy_unit(game.world, game[name])
        end
        game[name], game[name .. "_obstacle"] = nil, nil
    end
    game.falls, game.blocks, game.seconds = nil, false, 0
    game.meshes = {
        person = Level.navigation_mesh(game.level, "person"),
        cart = Level.navigation_mesh(game.level, "cart"),
    }
    open_doors(game)
    put_wall(game)
end

-- Runs before the world is updated.
function Town.update(game, dt)
    game.seconds = game.seconds + dt
    for _, door in ipairs(game.doors) do
        update_door(game, door, dt)
    end
    if Stream.pressed(game, "fell") then
        fell(game)
    end
    if Stream.pressed(game, "block") then
        game.blocks = not game.blocks
    end
    if game.blocks and not game.barricade then
        put_barricade(game)
    elseif game.barricade and not game.blocks then
        take_barricade(game)
    end
    if Stream.pressed(game, "show") then
        game.shows_mesh = not game.shows_mesh
    end
    if game.falls then
        update_fall(game, dt)
    end
end

return Town
