-- What lies around in the park: the stack of boxes, the dominoes, what plates start, and balls that
-- were thrown.

local M = {}

local BOX, GAP = 0.5, 0.502         -- metres: a box of the stack, and from one to the next
local NUM_DOMINOES, RADIUS = 46, 6.5
local DOMINO_X, DOMINO_Y = 13, 13   -- the middle of their circle
local MOST_BALLS = 24
local BALL_SPEED = 22               -- metres a second

-- Returns the linear colour of a hue from 0 to 1, as a Vector4.
local function hue(h, saturation)
    local function part(shift)
        local x = math.abs((h + shift) % 1 * 6 - 3) - 1
        return 1 + (math.max(0, math.min(1, x)) - 1) * saturation
    end
    return Vector4(part(0) ^ 2.2, part(2 / 3) ^ 2.2, part(1 / 3) ^ 2.2, 1)
end

-- Returns a colour of the stack: from coral at the bottom over amber to teal at the top.
local function stack_color(share, step)
    local bottom, middle, top = { 0.93, 0.42, 0.36 }, { 0.98, 0.76, 0.36 }, { 0.25, 0.68, 0.66 }
    local a, b, t = bottom, middle, share * 2
    if share > 0.5 then
        a, b, t = middle, top, share * 2 - 1
    end
    local shade = 0.94 + 0.06 * (step % 2)
    local function part(i)
        return ((a[i] + (b[i] - a[i]) * t) * shade) ^ 2.2
    end
    return Vector4(part(1), part(2), part(3), 1)
end

local function spawn(game, name, position, rotation)
    local unit = World.spawn_unit(game.world, name, position, rotation)
    game.spawned[#game.spawned + 1] = unit
    return unit
end

-- Stacks boxes in layers around the middle of the park.
function M.stack(game, count)
    local side = math.max(1, math.ceil(count ^ (1 / 3)))
    local layers = math.ceil(count / (side * side))
    game.boxes, game.box_places = {}, {}
    for i = 0, count - 1 do
        local layer, place = math.floor(i / (side * side)), i % (side * side)
        local column, row = place % side, math.floor(place / side)
        local x, y = (column - (side - 1) / 2) * GAP, (row - (side - 1) / 2) * GAP
        local z = BOX / 2 + layer * BOX
        local unit = spawn(game, "units/box", Vector3(x, y, z))
        local color = stack_color(layers > 1 and layer / (layers - 1) or 0, column + row + layer)
        Mesh.set_color(Unit.mesh(unit, "mesh"), "base_color", color)
        game.boxes[i + 1], game.box_places[i + 1] = unit, { x, y, z }
    end
end

function M.dominoes(game)
    game.dominoes = {}
    for i = 1, NUM_DOMINOES do
        local turn = math.pi * (0.30 - 1.62 * (i - 1) / NUM_DOMINOES)  -- clockwise from the corner
        local position = Vector3(DOMINO_X + RADIUS * math.cos(turn), DOMINO_Y + RADIUS * math.sin(turn), 0.7)
        local unit = spawn(game, "units/domino", position, Quaternion(Vector3(0, 0, 1), turn - math.pi))
        Mesh.set_color(Unit.mesh(unit, "mesh"), "base_color", hue(i / NUM_DOMINOES, 0.55))
        game.dominoes[i] = unit
    end
end

-- Lets physics move the actors that hang in the air with this tag.
local function let_go(game, tag)
    local tags = EntityManager.tag_component(game.world)
    for _, unit in ipairs(TagComponent.get_entities(tags, tag)) do
        Actor.set_kinematic(Unit.actor(unit, 1), false)
        Actor.wake_up(Unit.actor(unit, 1))
    end
end

local function push_first_domino(game)
    local unit = game.dominoes[1]
    local actor = Unit.actor(unit, 1)
    local forward = Quaternion.forward(Unit.world_rotation(unit, 1))
    Actor.push_at(actor, forward * 2, 20, Actor.position(actor) + Vector3(0, 0, 0.6))
end

-- Starts what a plate names.
function M.start(game, what)
    if what == "dominoes" then
        push_first_domino(game)
    elseif what == "materials" or what == "seesaw" then
        let_go(game, "held_" .. what)
    end
end

-- Throws a ball; the oldest ones go.
function M.throw(game, from, direction)
    local unit = World.spawn_unit(game.world, "units/ball", from)
    Actor.set_velocity(Unit.actor(unit, 1), direction * BALL_SPEED)
    table.insert(game.balls, unit)
    if #game.balls > MOST_BALLS then
        World.destroy_unit(game.world, table.remove(game.balls, 1))
    end
end

-- Starts a firework, each in another colour.
function M.firework(game, from)
    local name = "effects/firework"
    game.num_fireworks = (game.num_fireworks or 0) + 1
    local effect = World.create_particles(game.world, name, from)
    local color = World.find_particles_variable(game.world, name, "color")
    World.set_particles_variable(game.world, effect, color, hue(game.num_fireworks * 0.38, 0.9))
end

function M.clear(game)
    for _, unit in ipairs(game.spawned) do
        World.destroy_unit(game.world, unit)
    end
    for _, unit in ipairs(game.balls) do
        World.destroy_unit(game.world, unit)
    end
    game.spawned, game.balls = {}, {}
end

-- Returns how many boxes are not where they were stacked, how many lie on the ground that did not,
-- and how many dominoes have fallen.
function M.summary(game)
    local num_moved, num_fallen, num_dominoes = 0, 0, 0
    for i, unit in ipairs(game.boxes) do
        local p, q = Unit.world_position(unit, 1), game.box_places[i]
        local away = math.abs(p.x - q[1]) + math.abs(p.y - q[2]) + math.abs(p.z - q[3])
        num_moved = num_moved + (away > 0.1 and 1 or 0)
        num_fallen = num_fallen + (q[3] - p.z > 0.25 and 1 or 0)
    end
    for _, unit in ipairs(game.dominoes) do
        num_dominoes = num_dominoes + (Unit.world_position(unit, 1).z < 0.5 and 1 or 0)
    end
    return num_moved, num_fallen, num_dominoes
end

return M
