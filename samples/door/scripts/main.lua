-- The door sample. Scripts walk the player, move the camera and show a text: all that happens in the level
-- is in the graphs in flow/. The engine calls init, update, render and shutdown of this script.
--
-- When a script is saved while the game runs, it runs again: functions are replaced, and state that
-- should stay is in the global `Game`, which is made only once.

local CommandLine = require "core/lua/command_line"
local Camera = require "scripts/camera"
local Demo = require "scripts/demo"
local Hud = require "scripts/hud"
local Player = require "scripts/player"
local State = require "scripts/state"

Game = Game or {}

-- Puts everything at its starting place.
function Game.restart()
    if Game.level then
        Player.despawn(Game)
        World.destroy_level(Game.world, Game.level)
    end
    Game.level = World.load_level(Game.world, "levels/door")
    Player.spawn(Game)
    Camera.reset(Game)
    Demo.reset(Game)
end

function init()
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Hud.spawn(Game.world)
    Game.camera = World.spawn_unit(Game.world, "units/camera")
    Game.is_unseen = CommandLine.has("--unseen")
    Game.is_demo = CommandLine.has("--demo") or not (Window.has_focus() or CommandLine.has("--still"))
    Game.restart()
end

function update(dt)
    dt = math.min(dt, 1 / 15)  -- on slower machines the game runs slower
    if Input.pressed("leave") then
        Application.quit()
    end
    if Input.pressed("restart") then
        Game.restart()
    end
    Player.move(Game, Game.is_demo and Demo.steer(Game, dt) or Input.value("move"), dt)
    World.update(Game.world, dt)
    Camera.follow(Game, dt)
    Hud.update(dt)
end

function render()
    if not Game.is_unseen then
        Hud.draw()
        Application.render_world(Game.world, Unit.camera(Game.camera, "camera"), Game.viewport)
    end
end

function shutdown()
    if CommandLine.has("--state") then
        print("state: " .. State.text(Game))
    end
    Application.destroy_viewport(Game.world, Game.viewport)
    Application.release_world(Game.world)
end
