-- The crates sample. The engine calls init, update, render and shutdown of this script.
--
-- When a script is saved while the game runs, it runs again: functions are replaced, and state that
-- should stay is in the global `Game`, which is made only once.

local CommandLine = require "core/lua/command_line"
local Camera = require "scripts/camera"
local Controls = require "scripts/controls"
local Crates = require "scripts/crates"
local Demo = require "scripts/demo"
local Hud = require "scripts/hud"
local Impacts = require "scripts/impacts"
local Menu = require "scripts/menu"
local Player = require "scripts/player"
local Saves = require "scripts/saves"
local Sounds = require "scripts/sounds"
local Benchmark = require "scripts/benchmark"

Game = Game or {
    world = nil, viewport = nil, level = nil,
    seed = 1,         -- of Math.next_random: the same run every time
    time = 0,         -- seconds of game time
    benchmark = nil,  -- how many crates, with `-- --crates N`
    is_demo = false,  -- no one plays: the fox plays by itself
}

local LONGEST = 4 / 60    -- seconds of a frame; on slower machines the game runs slower
local MORE_CRATES = 1000  -- for each press of N

-- Puts everything at its starting place.
function Game.start_over()
    if Game.level then
        Crates.clear(Game)
        Player.despawn(Game)
        World.destroy_level(Game.world, Game.level)
        Game.level = nil
    end
    Game.level = World.load_level(Game.world, "levels/yard")
    Crates.adopt_level(Game)
    Impacts.reset(Game)
    Player.spawn(Game)
    Sounds.reset(Game)
    Camera.reset(Game)
    Demo.reset(Game)
end

function init()
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Camera.spawn(Game)
    Game.benchmark = tonumber(CommandLine.value("--crates"))
    if Game.benchmark then
        Game.level = World.load_level(Game.world, "levels/benchmark")
        Benchmark.spawn(Game)
        return
    end
    Sounds.start(Game)
    Game.is_demo = CommandLine.has("--demo") or not Controls.has_player()
    Game.start_over()
    Crates.drop(Game, tonumber(CommandLine.value("--drop")) or 0)
    Hud.spawn(Game)
    Menu.start(Game)
    if not Game.is_demo or CommandLine.has("--menu") then
        Menu.show("title")
    end
end

local function play(dt)
    local input = Controls.read(dt)
    if input.restart then
        Game.start_over()
    end
    if input.more_crates then
        Crates.drop(Game, MORE_CRATES)
    end
    if input.save then
        Saves.save(Game)
    end
    if input.load and Saves.can_load() then
        Saves.load(Game)
    end
    Saves.update(Game)
    Game.is_demo = Menu.is_open() or Demo.decide(Game, input)
    if Game.is_demo then
        Demo.steer(Game, input, dt)
    else
        Camera.turn_input(Game, input)
    end
    Player.move(Game, input, dt)
    Player.show(Game)
    World.update(Game.world, dt)
    Crates.watch(Game)
    Impacts.show(Game, dt)
    Camera.follow(Game, dt)
    Sounds.follow(Game, dt)
end

function update(dt)
    dt = math.min(dt, LONGEST)
    Game.time = Game.time + dt
    if Game.benchmark then
        Benchmark.move(Game)
        World.update(Game.world, dt)
    elseif dt > 0 then
        Menu.update(dt)
        local _, is_paused = Menu.is_open()
        if not is_paused then
            play(dt)
        end
    end
end

function render()
    if Game.hud and not Menu.is_open() then
        Hud.draw(Game)
    end
    Application.render_world(Game.world, Camera.camera(Game), Game.viewport)
end

function shutdown()
    if CommandLine.has("--state") and not Game.benchmark then
        local fox = Game.player
        print(string.format("state: fox %.4f %.4f %.4f, %s", fox.x, fox.y, fox.z,
            Crates.summary(Game)))
    end
    Application.destroy_viewport(Game.world, Game.viewport)
    Application.release_world(Game.world)
end
