-- The game. The engine calls init, update, render and shutdown; the rest is up to you.
--
-- When you save this file while the game runs, it runs again: functions are replaced, and the table
-- `Game` keeps its contents, since it is made only once.

local Menu = require "scripts/menu"

Game = Game or {}

local SPIN = 0.8          -- radians a second: change it and save
local TURN = 1.2          -- of the camera, in radians a second, with A and D or a pad: input/default.input
local UP = Vector3Box(0, 0, 1)  -- a plain Vector3 lasts for one frame; a box keeps it

-- Loads the level again, with all saved changes.
function Game.restart()
    local before = Game.level
    Game.level = World.load_level(Game.world, "levels/start")  -- on an error the old level stays
    if before then
        World.destroy_level(Game.world, before)
    end
end

-- Once, at the start.
function init()
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Game.hud = World.create_screen_gui(Game.world, "immediate", "scale", 1280, 720)
    Game.restart()
    Game.camera = World.spawn_unit(Game.world, "units/camera")
    Game.time = 0
    Game.angle = 0.6      -- of the camera around the middle, in radians
    Menu.start(Game.world)
end

-- Every unit made from units/cube.unit turns. Node 1 of a unit is its root.
local function spin_cubes()
    local up, tilt = UP:unbox(), Quaternion(Vector3(1, 0, 0), 0.35)
    for _, unit in ipairs(World.units_by_resource(Game.world, "units/cube")) do
        Unit.set_local_rotation(unit, 1, Quaternion(up, Game.time * SPIN) * tilt)
    end
end

-- The camera circles around the middle and looks at it.
local function move_camera(dt)
    Game.angle = Game.angle + Input.value("turn") * TURN * dt
    local position = Vector3(-math.sin(Game.angle) * 6.5, -math.cos(Game.angle) * 6.5, 2.9)
    local target = Vector3(0, 0, 0.75)
    Unit.set_local_position(Game.camera, 1, position)
    Unit.set_local_rotation(Game.camera, 1, Quaternion.look(target - position, UP:unbox()))
end

-- Every frame; dt is the time since the last frame, in seconds.
function update(dt)
    Menu.update(dt)
    if Menu.is_paused() then
        return
    end
    Game.time = Game.time + dt
    if Input.pressed("restart") then
        Game.restart()
    end
    spin_cubes()
    move_camera(dt)
    World.update(Game.world, dt)
end

-- What the screen says, drawn again for each picture.
local function draw_hud()
    Gui.text(Game.hud, "A and D turn the camera", "core/fonts/default", 22, nil, Vector2(24, 24))
end

-- Every frame, after update.
function render()
    draw_hud()
    Application.render_world(Game.world, Unit.camera(Game.camera, "camera"), Game.viewport)
end

-- Once, at the end.
function shutdown()
    Application.destroy_viewport(Game.world, Game.viewport)
    Application.release_world(Game.world)
end
