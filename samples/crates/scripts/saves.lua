-- Saving and loading: F5 and F9, and the pause menu. The world has the state of all units; a table has
-- what the scripts know about them, with numbers in place of units.

local Camera = require "scripts/camera"
local Hud = require "scripts/hud"
local Player = require "scripts/player"

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

-- Returns the unit of a number in a saved world; nil when it had none, or could not be restored.
local function unit_of(world, number)
    return number and SaveSystem.unit(world, number) or nil
end

local function adopt_crates(game, saved, world)
    game.crates, game.untouched = {}, {}
    for _, entry in ipairs(saved) do
        local unit = unit_of(world, entry.unit)
        local actor = unit and Unit.actor(unit, "actor")
        if actor then
            local crate = { unit = unit, actor = actor, first = entry.first }
            table.insert(game.crates, crate)
            if entry.is_untouched then
                table.insert(game.untouched, crate)
            end
        end
    end
end

-- The fox, its shadow and the camera as they were saved. What could not be restored, because the project
-- has changed since, is made again at its starting place.
local function adopt_units(game, data)
    local fox, shadow = unit_of(data.world, data.fox), unit_of(data.world, data.shadow)
    if fox and shadow then
        game.player.unit, game.player.shadow = fox, shadow
        for name, value in pairs(data.player) do
            game.player[name] = value
        end
    else
        for _, unit in pairs { fox, shadow } do
            World.destroy_unit(game.world, unit)
        end
        Player.spawn(game)
    end
    game.camera_unit = unit_of(data.world, data.camera)
    if not game.camera_unit then
        Camera.spawn(game)
    end
    SoundWorld.set_listener(game.world, 1, game.camera_unit)
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
        Hud.notice(game, "The game cannot be loaded")
        return false
    end
    local data = result.data
    local problems = SaveSystem.load_world(game.world, data.world)
    game.seed, game.time, game.view = data.seed, data.time, data.view
    adopt_units(game, data)
    adopt_crates(game, data.crates, data.world)
    for _, problem in ipairs(problems) do
        print("not restored: " .. problem)
    end
    if result.warning then
        Hud.notice(game, "An older game was loaded: the newest is damaged")
    elseif #problems > 0 then
        Hud.notice(game, "Some things could not be restored: " .. #problems)
    end
    return true
end

-- Returns whether there is something to load.
function M.can_load()
    return SaveSystem.exists(SLOT)
end

-- Frees what a save holds when it is written, and says so when that failed.
function M.update(game)
    local result = Saves.token and SaveSystem.progress(Saves.token)
    if result and result.done then
        SaveSystem.close(Saves.token)
        Saves.token = nil
        if result.error then
            Hud.notice(game, "The game cannot be saved")
        end
    end
end

return M
