-- The swarm sample: 10,000 units of five kinds, each with a behaviour, data and tags. The engine calls
-- init, update, render and shutdown of this script; the units' behaviours are in behaviours/.
--
-- When a script is saved while the game runs, it runs again; state that should stay is in `Game`.

local CommandLine = require "core/lua/command_line"
local Flight = require "scripts/flight"
local Meadow = require "scripts/meadow"

Game = Game or { turn = 0.4, distance = 48, time_to_tell = 0 }

-- Destroys the 10,000 units and spawns them again. Returns how many milliseconds each step took.
function Game.restart()
    local begin = Application.time_since_launch()
    World.destroy_level(Game.world, Game.level)
    Game.meadow:clear()
    local ended = Application.time_since_launch()
    Game.meadow:start_over()
    if Game.meadow.flight then
        Game.meadow.flight:clear()
    end
    Game.level = World.load_level(Game.world, "levels/meadow")
    local spawned = Application.time_since_launch()
    return (ended - begin) * 1000, (spawned - ended) * 1000
end

-- Returns a text that is the same in every run with the same steps.
function Game.summary()
    local meadow = Game.meadow
    return string.format("%d units, %d eaten, %d born, %d visits, state %s",
        World.num_units(Game.world), meadow.num_eaten, meadow.num_born, meadow.num_visits,
        World.state_hash(Game.world))
end

local function look(dt)
    Game.turn = Game.turn + (0.04 - Input.value("turn")) * dt
    Game.distance = math.max(12, math.min(150, Game.distance * (1 - Input.value("zoom") * dt)))
    local back = Game.distance
    local place = Vector3(-math.sin(Game.turn) * back, -math.cos(Game.turn) * back, 2 + back * 0.38)
    Unit.set_local_position(Game.camera, 1, place)
    Unit.set_local_rotation(Game.camera, 1,
        Quaternion.look(Vector3(0, 0, 1) - place, Vector3(0, 0, 1)))
end

-- Updates the window's title once a second, if there is a window.
local function tell(dt)
    Game.time_to_tell = Game.time_to_tell - dt
    if Game.has_window and Game.time_to_tell <= 0 then
        Game.time_to_tell = 1
        Window.set_title(nil, string.format("Cuttle: swarm, %d units, %d eaten, %d born",
            World.num_units(Game.world), Game.meadow.num_eaten, Game.meadow.num_born))
    end
end

function init()
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Game.has_window = Window.is_open()
    Game.is_unseen = CommandLine.has("--unseen")
    World.load_level(Game.world, "levels/land")
    Game.camera = World.spawn_unit(Game.world, "units/camera")
    Game.meadow = Meadow.of(Game.world)
    if Meadow.has_jobs then
        local states = tonumber(CommandLine.value("--jobs")) or LuaThreads.num_states()
        Game.meadow.flight = Flight.new(Game.world, states, CommandLine.has("--compare"))
    end
    Game.level = World.load_level(Game.world, "levels/meadow")
end

function update(dt)
    if Input.pressed("leave") then
        Application.quit()
    end
    if Input.pressed("restart") then
        print(string.format("ended in %.2f ms, spawned in %.2f ms", Game.restart()))
    end
    Game.meadow:update(dt)
    if Game.meadow.flight then
        Game.meadow.flight:update(dt)
    end
    look(dt)
    tell(dt)
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
        print("state: " .. Game.summary())
    end
    if Game.meadow.flight then
        print(Game.meadow.flight:summary())
    end
    Application.destroy_viewport(Game.world, Game.viewport)
    Application.release_world(Game.world)
end
