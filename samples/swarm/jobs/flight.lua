-- What a share of the bees or the butterflies thinks in a frame: where each flies, so that it keeps clear
-- of others. Runs in Lua states of their own (scripts/flight.lua), and touches nothing of the engine.

local Flight = {}

-- What a flyer is. The first numbers change in each frame, the others seldom: they are two arrays.
local X, Y, Z, TIME, WAIT, SHIFT_X, SHIFT_Y = 1, 2, 3, 4, 5, 6, 7
local TO_X, TO_Y, TO_Z, SPEED, SEED, LEAST, MOST = 1, 2, 3, 4, 5, 6, 7
Flight.MOVING, Flight.GOALS = 7, 7

local CELL, SIDE = 1.5, 96  -- metres; cells in a row, which are twice as many as the meadow needs
local CLEAR = 1.2           -- metres that flyers keep between each other
local FAR = 8               -- metres that a butterfly flies at most

-- Tables that are used again: what jobs of a state had in them is of no use to others.
local moving, goals, places, turns, heads, nexts, xs, ys = {}, {}, {}, {}, {}, {}, {}, {}

local function cell_of(x, y)
    return math.floor(x / CELL) % SIDE * SIDE + math.floor(y / CELL) % SIDE
end

-- Puts flyers that fly into cells: a list for each, of the last one in it, and of the one before each.
local function fill_cells(count)
    for cell = 0, SIDE * SIDE - 1 do
        heads[cell] = 0
    end
    for i = 1, count do
        local at = (i - 1) * Flight.MOVING
        local x, y = moving[at + X], moving[at + Y]
        xs[i], ys[i] = x, y
        if moving[at + WAIT] <= 0 then
            local cell = cell_of(x, y)
            nexts[i], heads[cell] = heads[cell], i
        end
    end
end

-- Returns how flyer `i` is pushed by those around it.
local function push_of(i)
    local x, y, push_x, push_y = xs[i], ys[i], 0, 0
    for column = -1, 1 do
        for row = -1, 1 do
            local other = heads[cell_of(x + column * CELL, y + row * CELL)]
            while other > 0 do
                local away_x, away_y = x - xs[other], y - ys[other]
                local square = away_x * away_x + away_y * away_y
                if square < CLEAR * CLEAR and other ~= i then
                    local part = (CLEAR - math.sqrt(square)) / (square + 0.1)
                    push_x, push_y = push_x + away_x * part, push_y + away_y * part
                end
                other = nexts[other]
            end
        end
    end
    return push_x, push_y
end

-- Moves flyer `i` towards its goal, or lets it wait. Returns whether it has arrived or waited enough.
local function move(i, dt)
    local at, goal = (i - 1) * Flight.MOVING, (i - 1) * Flight.GOALS
    if moving[at + WAIT] > 0 then
        moving[at + WAIT] = moving[at + WAIT] - dt
        return moving[at + WAIT] <= 0, false
    end
    local old_x, old_y, old_z = moving[at + X], moving[at + Y], moving[at + Z]
    local x, y, z = goals[goal + TO_X] - old_x, goals[goal + TO_Y] - old_y, goals[goal + TO_Z] - old_z
    local distance = math.sqrt(x * x + y * y + z * z)
    local part = goals[goal + SPEED] * dt / distance
    moving[at + TIME] = moving[at + TIME] + dt
    if part >= 1 or distance == 0 then
        moving[at + X], moving[at + Y], moving[at + Z] = goals[goal + TO_X], goals[goal + TO_Y],
            goals[goal + TO_Z]
        moving[at + SHIFT_X], moving[at + SHIFT_Y] = 0, 0
        return true, true
    end
    moving[at + X], moving[at + Y], moving[at + Z] = old_x + x * part, old_y + y * part, old_z + z * part
    -- It is seen beside its way: the nearer its goal, the less.
    local push_x, push_y = push_of(i)
    local room, follow = math.min(distance, 1) * 0.4, math.min(4 * dt, 1)
    push_x, push_y = math.max(-1, math.min(1, push_x)) * room, math.max(-1, math.min(1, push_y)) * room
    moving[at + SHIFT_X] = moving[at + SHIFT_X] + (push_x - moving[at + SHIFT_X]) * follow
    moving[at + SHIFT_Y] = moving[at + SHIFT_Y] + (push_y - moving[at + SHIFT_Y]) * follow
    return false, false
end

local function open(share)
    Float32Array.to_table(share.moving, moving)
    Float32Array.to_table(share.goals, goals)
    local count = #moving / Flight.MOVING
    fill_cells(count)
    return count
end

-- Puts the tables back into the arrays. `places` has three numbers for each flyer.
local function close(share, count)
    for i = #places, 3 * count + 1, -1 do
        places[i] = nil
    end
    Float32Array.assign(share.moving, moving)
    Float32Array.assign(share.places, places)
    return share
end

-- Moves bees. Notes in `share.news` which arrived (a number above 0) or waited enough (below 0):
-- behaviours/bee.lua then decides.
function Flight.bees(share, dt)
    local count, news = open(share), {}
    for i = 1, count do
        local is_new, has_arrived = move(i, dt)
        if is_new then
            news[#news + 1] = has_arrived and i or -i
        end
        local at = (i - 1) * Flight.MOVING
        local bob = moving[at + WAIT] > 0 and 0 or 0.1 * math.sin(moving[at + TIME] * 7)
        places[3 * i - 2] = moving[at + X] + moving[at + SHIFT_X]
        places[3 * i - 1] = moving[at + Y] + moving[at + SHIFT_Y]
        places[3 * i] = moving[at + Z] + bob
    end
    share.news = news
    return close(share, count)
end

local function random(goal, least, most)
    local seed = (goals[goal + SEED] * 137 + 1021) % 65521
    goals[goal + SEED] = seed
    return least + (most - least) * seed / 65521
end

-- A butterfly that arrived rests, and then flies to another place nearby.
local function drift(i)
    local at, goal = (i - 1) * Flight.MOVING, (i - 1) * Flight.GOALS
    local turn, distance = random(goal, -math.pi, math.pi), random(goal, 1, FAR)
    local x, y = moving[at + X], moving[at + Y]
    if math.abs(x - distance * math.sin(turn)) > 60 or math.abs(y + distance * math.cos(turn)) > 60 then
        turn, distance = math.atan2(x, -y), FAR  -- back to the middle
    end
    moving[at + WAIT] = random(goal, goals[goal + LEAST], goals[goal + MOST])
    goals[goal + TO_X], goals[goal + TO_Y] = x - distance * math.sin(turn), y + distance * math.cos(turn)
end

function Flight.butterflies(share, dt)
    local count = open(share)
    for i = 1, count do
        local _, has_arrived = move(i, dt)
        if has_arrived then
            drift(i)
        end
        local at, goal = (i - 1) * Flight.MOVING, (i - 1) * Flight.GOALS
        local time = moving[at + TIME]
        local roll = 0.5 * math.sin(time * 9)
        places[3 * i - 2] = moving[at + X] + moving[at + SHIFT_X]
        places[3 * i - 1] = moving[at + Y] + moving[at + SHIFT_Y]
        places[3 * i] = moving[at + Z] + 0.25 * math.sin(time * 3.1) + 0.08 * roll
        local turn = math.atan2(moving[at + X] - goals[goal + TO_X], goals[goal + TO_Y] - moving[at + Y])
        local sin, cos = math.sin(turn / 2), math.cos(turn / 2)
        local sin_bank, cos_bank = math.sin(roll / 2), math.cos(roll / 2)
        turns[4 * i - 3], turns[4 * i - 2] = -sin * sin_bank, cos * sin_bank
        turns[4 * i - 1], turns[4 * i] = sin * cos_bank, cos * cos_bank
    end
    for i = #turns, 4 * count + 1, -1 do
        turns[i] = nil
    end
    Float32Array.assign(share.goals, goals)
    Float32Array.assign(share.turns, turns)
    return close(share, count)
end

return Flight
