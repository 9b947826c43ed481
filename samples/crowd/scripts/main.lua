-- The crowd sample: 1,000 characters with a skeleton of 60 joints and a state machine each. The engine
-- calls init, update, render and shutdown of this script.
--
-- When a script is saved while the game runs, it runs again; state that should stay is in `Game`.

local CommandLine = require "core/lua/command_line"
local Crowd = require "scripts/crowd"

Game = Game or { turn = 0.65, distance = 12.5 }

local function look(dt)
    Game.turn = Game.turn + (0.03 - Input.value("turn")) * dt
    Game.distance = math.max(5, math.min(60, Game.distance * (1 - Input.value("zoom") * dt)))
    local back = Game.distance
    local place = Vector3(-math.sin(Game.turn) * back, -math.cos(Game.turn) * back, 1.3 + back * 0.17)
    Unit.set_local_position(Game.camera, 1, place)
    Unit.set_local_rotation(Game.camera, 1,
        Quaternion.look(Vector3(0, 0, 1.1) - place, Vector3(0, 0, 1)))
end

function init()
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Game.is_unseen = CommandLine.has("--unseen")
    World.load_level(Game.world, "levels/plaza")
    Game.camera = World.spawn_unit(Game.world, "units/camera")
    Game.crowd = Crowd.spawn(Game.world, tonumber(CommandLine.value("--people")) or 1000,
        CommandLine.has("--posed"))
    look(0)
end

function update(dt)
    if Input.pressed("leave") then
        Application.quit()
    end
    Game.crowd:update(dt)
    look(dt)
    World.update(Game.world, dt)
end

function render()
    if Game.is_unseen then
        return
    end
    Application.render_world(Game.world, Unit.camera(Game.camera, "camera"), Game.viewport)
end

function shutdown()
    if CommandLine.has("--state") then
        local num_walking, farthest = Game.crowd:summary()
        print(string.format("state: %d people, %d walk, farthest %.2f, state %s",
            #Game.crowd.members, num_walking, farthest, World.state_hash(Game.world)))
    end
    Application.destroy_viewport(Game.world, Game.viewport)
    Application.release_world(Game.world)
end
