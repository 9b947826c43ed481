-- The agents sample: a town in which 1,000 people and carts have errands. The engine calls init, update,
-- render and shutdown of this script.
--
-- When a script is saved while the game runs, it runs again; state that should stay is in `Game`.

local CommandLine = require "core/lua/command_line"
local Errands = require "scripts/errands"
local Town = require "scripts/town"
local Watch = require "scripts/watch"

Game = Game or { turn = 0.22, distance = 200 }

-- Puts everybody and everything at the start.
function Game.restart()
    if Game.level then
        Errands.clear(Game)
        World.destroy_level(Game.world, Game.level)
    end
    Game.level = World.load_level(Game.world, "levels/town")
    Town.open(Game)
    Errands.start(Game, Game.people, Game.carts)
    Watch.start(Game)
end

local function look(dt)
    Game.turn = Game.turn - Input.value("turn") * dt
    Game.distance = math.max(20, math.min(300, Game.distance * (1 - Input.value("zoom") * dt)))
    local back = Game.distance
    local place = Vector3(-math.sin(Game.turn) * back * 0.76, -math.cos(Game.turn) * back * 0.76 - 4, back * 0.65)
    Unit.set_local_position(Game.camera, 1, place)
    Unit.set_local_rotation(Game.camera, 1, Quaternion.look(Vector3(0, -4, 0) - place, Vector3(0, 0, 1)))
end

function init()
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Game.lines = World.create_line_object(Game.world)
    Game.is_unseen = CommandLine.has("--unseen")
    Game.is_demo = CommandLine.has("--demo") or not (Window.has_focus() or CommandLine.has("--still"))
    Game.people = tonumber(CommandLine.value("--people")) or 920
    Game.carts = tonumber(CommandLine.value("--carts")) or 80
    Game.first_seed = tonumber(CommandLine.value("--seed")) or 3
    Game.shows_mesh = CommandLine.has("--mesh")
    Game.camera = World.spawn_unit(Game.world, "units/camera")
    Game.frame = 0
    Game.restart()
end

function update(dt)
    dt = math.min(dt, 1 / 15)  -- on slower machines the game runs slower
    Game.frame = Game.frame + 1
    if Input.pressed("leave") then
        Application.quit()
    elseif Input.pressed("restart") then
        Game.restart()
    end
    Town.update(Game, dt)
    World.update(Game.world, dt)
    Watch.update(Game, dt)
    look(dt)
end

function render()
    if Game.is_unseen then
        return
    end
    LineObject.reset(Game.lines)
    if Game.shows_mesh then
        NavigationMesh.draw(Game.meshes.person, Game.lines)
    end
    LineObject.dispatch(Game.world, Game.lines)
    Application.render_world(Game.world, Unit.camera(Game.camera, "camera"), Game.viewport)
end

function shutdown()
    if CommandLine.has("--state") then
        print("state: " .. Watch.text(Game))
    end
    Application.destroy_viewport(Game.world, Game.viewport)
    Application.release_world(Game.world)
end
