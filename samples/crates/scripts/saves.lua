-- Saving and loading: F5 and F9, and the pause menu. The world has the state of all units; a table has
-- what the scripts know about them, with numbers in place of units.

local M = {}

local SLOT = "yard"
local PLAYER = { "x", "y", "z", "vx", "vy", "vz", "speed", "yaw", "since_ground", "jump_wish", "is_in_air" }

Saves = Saves or { token = nil }

local function pick(from, names)
    local values = {}
    for _, name in ipairs(names) do
        values[name] = from[name]
    end
    return values
end

local function crates_of(game, world)
    local untouched, saved = {}, {}
    for _, crate in ipairs(game.untouched) do
        untouched[crate] = true
    end
    for i, crate in ipairs(game.crates) do
        saved[i] = { unit = SaveSystem.unit_number(world, crate.unit), first = crate.first,
            is_untouched = untouched[crate] or false }
    end
    return saved
end

-- Starts to save the game; it is written while the game goes on.
function M.save(game)
    local world = SaveSystem.save_world(game.world)
    Saves.token = SaveSystem.auto_save(SLOT, {
        world = world, seed = game.seed, time = game.time,
        crates = crates_of(game, world), view = game.view,
        player = pick(game.player, PLAYER),
        fox = SaveSystem.unit_number(world, game.player.unit),
        shadow = SaveSystem.unit_number(world, game.player.shadow),
        camera = SaveSystem.unit_number(world, game.camera_unit),
    }, { title = "The yard", time_played = game.time })
end

local function adopt_crates(game, saved, world)
    game.crates, game.untouched = {}, {}
    for _, entry in ipairs(saved) do
        local unit = entry.unit and SaveSystem.unit(world, entry.unit)
        if unit then
            local crate = { unit = unit, actor = Unit.actor(unit, "actor"), first = entry.first }
            table.insert(game.crates, crate)
            if entry.is_untouched then
                table.insert(game.untouched, crate)
            end
        end
    end
end

-- Brings the game to what was saved. Returns whether that went well.
function M.load(game)
    local token, result = SaveSystem.auto_load(SLOT), nil
    repeat
        result = SaveSystem.progress(token)
    until result.done
    SaveSystem.close(token)
    if result.error then
        print("cannot load: " .. result.error)
        return false
    end
    local data = result.data
    SaveSystem.load_world(game.world, data.world)
    game.seed, game.time, game.view = data.seed, data.time, data.view
    game.camera_unit = SaveSystem.unit(data.world, data.camera)
    game.player.unit = SaveSystem.unit(data.world, data.fox)
    game.player.shadow = SaveSystem.unit(data.world, data.shadow)
    for name, value in pairs(data.player) do
        game.player[name] = value
    end
    adopt_crates(game, data.crates, data.world)
    return true
end

-- Returns whether there is something to load.
function M.can_load()
    return SaveSystem.exists(SLOT)
end

-- Frees what a save holds when it is written.
function M.update()
    if Saves.token and SaveSystem.progress(Saves.token).done then
        SaveSystem.close(Saves.token)
        Saves.token = nil
    end
end

return M
