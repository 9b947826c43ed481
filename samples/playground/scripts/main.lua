-- The playground sample. The engine calls init, update, render and shutdown of this script.
--
-- When a script is saved while the game runs, it runs again; state that should stay is in `Game`.

local CommandLine = require "core/lua/command_line"
local Camera = require "scripts/camera"
local Controls = require "scripts/controls"
local Demo = require "scripts/demo"
local Hud = require "scripts/hud"
local Platforms = require "scripts/platforms"
local Robot = require "scripts/robot"
local Things = require "scripts/things"

Game = Game or {
    time = 0, frame = 0,                  -- since the start, in seconds and in updates
    levels = {}, spawned = {}, balls = {},
    num_plates = 0,                       -- that somebody stepped on
    is_demo = false,                      -- no one plays: the robot walks by itself
}

-- x, y, z, yaw: where 1 to 6 lead.
local STATIONS = {
    { -30, -29, 0.1, 0 },                  -- the start of the course
    { -6, -9, 0.1, -0.55 },                -- the stack
    { -13, 0, 0.1, 0.1 },                  -- materials
    { 25, 27, 0.1, 2.4 },                  -- dominoes
    { 27.5, -29.5, 0.1, math.pi / 2 },     -- platforms
    { 8.5, -3, 0.1, -math.pi / 2 },        -- particles
}

-- Plates call this when somebody steps on them for the first time.
function Game.plate_used(what)
    Game.num_plates = Game.num_plates + 1
    Things.start(Game, what)
end

-- Puts everything at its starting place.
function Game.start_over()
    if Game.robot then
        Robot.despawn(Game)
    end
    Things.clear(Game)
    for _, level in ipairs(Game.levels) do
        World.destroy_level(Game.world, level)
    end
    Game.levels = { World.load_level(Game.world, "levels/park"), World.load_level(Game.world, "levels/course") }
    Game.num_plates, Game.time = 0, 0
    Platforms.find(Game)
    Things.stack(Game, tonumber(CommandLine.value("--boxes")) or 1000)
    Things.dominoes(Game)
    local x, y, z, yaw = unpack(STATIONS[tonumber(CommandLine.value("--station")) or 1])
    Robot.spawn(Game, x, y, z, yaw)
    Camera.reset(Game)
    Demo.reset(Game)
end

function init()
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Game.is_unseen = CommandLine.has("--unseen")
    Game.is_still = CommandLine.has("--still")
    Game.is_demo = CommandLine.has("--demo") or not Controls.has_player()
    Camera.spawn(Game)
    Game.start_over()
    Camera.follow(Game, 1)
    Hud.spawn(Game)
    Game.throws_left = tonumber(CommandLine.value("--throw")) or 0
end

-- Does what the player's other keys say.
local function follow_keys(input)
    if input.quit then
        Application.quit()
    end
    if input.restart then
        Game.start_over()
    end
    if input.station then
        Robot.teleport(Game, unpack(STATIONS[input.station]))
        Camera.reset(Game)
    end
    if input.firework then
        Things.firework(Game, Robot.position(Game) + Vector3(0, 0, 1.8))
    end
    if input.throw then
        local aim = input.aim or Camera.aim(Game)
        Things.throw(Game, Robot.position(Game) + Vector3(0, 0, 1.1) + aim * 0.8, aim)
    end
end

-- Throws balls at the stack by itself, for tests and measurements.
local function throw_at_stack(frame)
    if Game.throws_left > 0 and frame % 15 == 0 then
        Game.throws_left = Game.throws_left - 1
        local aim = Vector3.normalize(Vector3(0.3 * (Game.throws_left % 3 - 1), 1, 0.22))
        Things.throw(Game, Vector3(0, -9, 1), aim)
    end
end

-- Turns the player's stick or keys into the world, seen from the camera.
local function turn_wish(input)
    local right_x, right_y, forward_x, forward_y = Camera.axes(Game)
    local x = input.right * right_x + input.forward * forward_x
    local y = input.right * right_y + input.forward * forward_y
    local length = math.max(1, math.sqrt(x * x + y * y))
    input.x, input.y = x / length, y / length
end

local function play(dt)
    local input = Controls.read(dt)
    Game.is_demo = not Game.is_still and Demo.decide(Game, input)
    if Game.is_demo then
        Demo.steer(Game, input, dt)
        Camera.drift(Game, dt)
    else
        turn_wish(input)
        Camera.turn_input(Game, input)
    end
    follow_keys(input)
    Platforms.move(Game)
    Robot.move(Game, input, dt)
end

function update(dt)
    Game.time, Game.frame = Game.time + dt, Game.frame + 1
    if dt > 0 then
        play(dt)
        throw_at_stack(Game.frame)
    end
    World.update(Game.world, dt)
    Robot.show(Game, dt)
    Camera.follow(Game, dt)
end

function render()
    if Game.is_unseen then
        return
    end
    Hud.draw(Game)
    Application.render_world(Game.world, Unit.camera(Game.camera, "camera"), Game.viewport)
end

local function print_state()
    local p = Robot.position(Game)
    local num_moved, num_fallen, num_dominoes = Things.summary(Game)
    print(string.format("state: robot %.3f %.3f %.3f, stations %d of %d, plates %d, rode %.2f, boxes %d, "
        .. "moved %d, fallen %d, dominoes %d of %d, hash %s", p.x, p.y, p.z, Game.demo.num_ended,
        Demo.NUM_STATIONS, Game.num_plates, Game.robot.rode, #Game.boxes, num_moved, num_fallen,
        num_dominoes, #Game.dominoes, World.state_hash(Game.world)))
end

function shutdown()
    if CommandLine.has("--state") then
        print_state()
    end
    Application.destroy_viewport(Game.world, Game.viewport)
    Application.release_world(Game.world)
end
