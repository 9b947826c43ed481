-- The engine's half of a particle editor: shows one effect in a scene and handles the tool's
-- messages. Each message type has a function below; the answer is the state. docs/particles.md has a
-- table of them, and tools/particle_client.py sends them.
--
--     cuttle run PROJECT --boot core/tools/particle_slave

local STEP = 1 / 60        -- seconds; seeks along a path step so
local MOST_SECONDS = 600   -- that a seek goes
local MOST_EMITTERS = 32   -- of an effect
local CLEAR = "core/materials/skydome"
local BACKGROUND = "core/tools/particle_background"

ParticleSlave = ParticleSlave or {
    time = 0, speed = 1, seed = 1, is_playing = true, has_floor = true, has_grid = true,
    variables = {}, test = {}, environment = "core/environments/default",
    camera = { yaw = 0.5, pitch = 0.25, distance = 6, target = { 0, 0, 1 } },
    light = { yaw = -0.6, pitch = 0.9, intensity = 2.5 },
    frame_ms = 0, update_ms = 0, every = 0, last_frame = 0, last_sent = 0,
}
local S = ParticleSlave

-- --- Members of messages ---------------------------------------------------------------------------

local function refuse(format, ...)
    error(string.format(format, ...), 0)
end

-- Returns a number of the message, or `otherwise` when it has none.
local function number(message, name, least, most, otherwise)
    local value = message[name]
    if value == nil and otherwise then
        return otherwise
    elseif type(value) ~= "number" or not (value >= least and value <= most) then
        refuse("%s: expected a number from %g to %g as \"%s\", got %s", message.type, least, most,
            name, tostring(value))
    end
    return value
end

-- Returns `least` to `most` numbers of the message: an array, or, for one, a number.
local function numbers(message, name, least, most)
    local value = message[name]
    local list = type(value) == "table" and value or { value }
    local is_right = #list >= least and #list <= most
    for i = 1, #list do
        is_right = is_right and type(list[i]) == "number" and math.abs(list[i]) <= 1e6
    end
    if not is_right then
        refuse("%s: expected %s numbers in an array as \"%s\"", message.type,
            least == most and least or least .. " to " .. most, name)
    end
    return list
end

local function text(message, name)
    if type(message[name]) ~= "string" then
        refuse("%s: expected a text as \"%s\", got %s", message.type, name, tostring(message[name]))
    end
    return message[name]
end

local function flag(message, name)
    if type(message[name]) ~= "boolean" then
        refuse("%s: expected true or false as \"%s\", got %s", message.type, name,
            tostring(message[name]))
    end
    return message[name]
end

-- --- The scene -------------------------------------------------------------------------------------

-- Returns the direction of yaw (around the vertical) and pitch (above the ground), in radians.
local function direction(yaw, pitch)
    return Vector3(math.sin(yaw) * math.cos(pitch), -math.cos(yaw) * math.cos(pitch),
        math.sin(pitch))
end

local function place_camera()
    local from = direction(S.camera.yaw, S.camera.pitch)
    local target = Vector3(unpack(S.camera.target))
    Unit.set_local_position(S.camera_unit, 1, target + from * S.camera.distance)
    Unit.set_local_rotation(S.camera_unit, 1, Quaternion.look(-from, Vector3(0, 0, 1)))
end

local function place_light()
    Unit.set_local_rotation(S.sun, 1,
        Quaternion.look(-direction(S.light.yaw, S.light.pitch), Vector3(0, 0, 1)))
    Light.set_intensity(Unit.light(S.sun, "light"), S.light.intensity)
end

local function show_floor()
    if S.floor then
        World.destroy_unit(S.world, S.floor)
    end
    S.floor = S.has_floor and World.spawn_unit(S.world, "core/tools/particle_floor") or nil
    LineObject.reset(S.grid)
    for i = -10, S.has_grid and 10 or -11 do
        local color = Vector4(0.5, 0.5, 0.5, i == 0 and 0.8 or 0.2)
        LineObject.add_line(S.grid, color, Vector3(i, -10, 0.002), Vector3(i, 10, 0.002))
        LineObject.add_line(S.grid, color, Vector3(-10, i, 0.002), Vector3(10, i, 0.002))
    end
end

-- --- The effect and its time -----------------------------------------------------------------------

-- Returns where the effect is: at the origin, or on its path.
local function position()
    local path = S.path
    if not path then
        return Vector3(0, 0, 0)
    end
    local angle = S.time * path.speed / path.radius
    local y = path.shape == "circle" and math.cos(angle) * path.radius or 0
    return Vector3(math.sin(angle) * path.radius, y, path.height)
end

local function step(dt)
    S.time = S.time + dt
    if S.path and S.effect then
        World.move_particles(S.world, S.effect, position())
    end
    World.update(S.world, dt)
end

local function set_variable(name, value)
    local index = World.find_particles_variable(S.world, S.name, name)
    local kinds = { function(x) return x end, Vector2, Vector3, Vector4 }
    World.set_particles_variable(S.world, S.effect, index, kinds[#value](unpack(value)))
end

-- Starts the effect again and takes it to a time. What happens is the same each time.
local function seek(seconds)
    if not S.name then
        refuse("there is no effect yet: send { type = \"show\", effect = NAME } first")
    end
    if S.effect then
        World.destroy_particles(S.world, S.effect)
    end
    S.time, S.effect = 0, nil
    S.effect = World.create_particles(S.world, S.name, position(), nil, nil, S.seed)
    for name, value in pairs(S.variables) do
        set_variable(name, value)
    end
    World.seek_particles(S.world, S.effect, S.path and 0 or seconds)
    while S.path and seconds - S.time > 1e-7 do
        step(math.min(STEP, seconds - S.time))
    end
    S.time = seconds
    Camera.cut(Unit.camera(S.camera_unit, "camera"))
end

-- Begins the effect again when it loops and has come to its end.
local function loop()
    local has_ended = not World.are_particles_playing(S.world, S.effect)
    if S.loop and S.loop.length and S.time >= S.loop.length then
        seek(S.time % S.loop.length)
    elseif S.loop and has_ended then
        seek(0)
    end
end

local function end_test()
    for _, effect in ipairs(S.test) do
        World.destroy_particles(S.world, effect)
    end
    S.test, S.create_ms = {}, nil
end

local function state()
    local emitters, playing = {}, 0
    for i = 1, S.effect and MOST_EMITTERS or 0 do
        emitters[i] = World.num_particles(S.world, S.effect, i)
    end
    while #emitters > 1 and emitters[#emitters] == 0 do
        emitters[#emitters] = nil
    end
    for _, effect in ipairs(S.test) do
        playing = playing + (World.are_particles_playing(S.world, effect) and 1 or 0)
    end
    local is_alive = S.effect ~= nil and World.are_particles_playing(S.world, S.effect)
    return {
        type = "state", effect = S.name, time = S.time, is_playing = S.is_playing,
        is_alive = is_alive, num_effects = playing + (is_alive and 1 or 0),
        num_particles = World.num_particles(S.world), emitters = emitters,
        frame_ms = S.frame_ms, update_ms = S.update_ms, create_ms = S.create_ms,
    }
end

-- --- Messages --------------------------------------------------------------------------------------

local receive = {}

-- { effect, time }
function receive.show(message)
    local name, seconds = text(message, "effect"), number(message, "time", 0, MOST_SECONDS, 0)
    local before = { name = S.name, time = S.time, variables = S.variables }
    S.name, S.variables = name, {}
    local is_right, problem = pcall(seek, seconds)
    if not is_right then
        S.name, S.variables = before.name, before.variables
        if S.name then
            seek(before.time)
        end
        error(problem, 0)
    end
end

function receive.play() S.is_playing = true end

function receive.pause() S.is_playing = false end

function receive.restart() seek(0) end

-- No more births: what lives goes on until it dies.
function receive.stop_spawning()
    if S.effect then
        World.stop_spawning_particles(S.world, S.effect)
    end
end

-- { time }
function receive.seek(message) seek(number(message, "time", 0, MOST_SECONDS)) end

-- { on, length }: without length it begins again when it has ended
function receive.loop(message)
    local length = message.length and number(message, "length", 0.01, MOST_SECONDS)
    S.loop = flag(message, "on") and { length = length } or nil
end

-- { speed }
function receive.speed(message) S.speed = number(message, "speed", 0, 10) end

-- { seed }
function receive.seed(message)
    local seed = math.floor(number(message, "seed", 1, 4294967295))
    if not S.name then
        seek(0) -- raises the error
    end
    S.seed = seed
    seek(S.time)
end

-- { name, value }: a number, or an array of two to four
function receive.set(message)
    local name, value = text(message, "name"), numbers(message, "value", 1, 4)
    if not S.effect then
        seek(0) -- raises the error
    end
    set_variable(name, value)
    S.variables[name] = value
end

-- { shape = "circle", "line" or "none", radius, speed, height }
function receive.path(message)
    local shape = text(message, "shape")
    if shape ~= "circle" and shape ~= "line" and shape ~= "none" then
        refuse("path: unknown shape \"%s\"; write \"circle\", \"line\" or \"none\"", shape)
    end
    local path = { shape = shape, radius = number(message, "radius", 0.01, 1000, 2),
        speed = number(message, "speed", -1000, 1000, 2),
        height = number(message, "height", -1000, 1000, 1) }
    S.path = shape ~= "none" and path or nil
    if S.name then
        seek(S.time)
    end
end

-- { count, spacing }: starts so many more in a square; 0 ends them
function receive.spawn_test(message)
    local count = math.floor(number(message, "count", 0, 10000))
    local spacing = number(message, "spacing", 0, 1000, 2)
    if not S.name then
        seek(0) -- raises the error
    end
    end_test()
    local side = math.ceil(math.sqrt(count))
    local from = Application.time_since_launch()
    for i = 0, count - 1 do
        local place = Vector3(i % side - side / 2, math.floor(i / side) - side / 2, 0) * spacing
        S.test[i + 1] = World.create_particles(S.world, S.name, place)
    end
    S.create_ms = count > 0 and 1000 * (Application.time_since_launch() - from) or nil
end

-- { yaw, pitch, distance, target }
function receive.camera(message)
    S.camera = {
        yaw = number(message, "yaw", -100, 100, S.camera.yaw),
        pitch = number(message, "pitch", -1.57, 1.57, S.camera.pitch),
        distance = number(message, "distance", 0.05, 5000, S.camera.distance),
        target = message.target and numbers(message, "target", 3, 3) or S.camera.target,
    }
    place_camera()
end

-- { yaw, pitch, intensity }
function receive.light(message)
    S.light = {
        yaw = number(message, "yaw", -100, 100, S.light.yaw),
        pitch = number(message, "pitch", -1.57, 1.57, S.light.pitch),
        intensity = number(message, "intensity", 0, 1000, S.light.intensity),
    }
    place_light()
end

-- { on, grid }
function receive.floor(message)
    S.has_floor = flag(message, "on")
    S.has_grid = message.grid == nil and S.has_floor or message.grid ~= nil and flag(message, "grid")
    show_floor()
end

-- { color }: red, green and blue, linear, 0 to 1; without it the sky
function receive.background(message)
    local color = message.color and numbers(message, "color", 3, 3)
    local mesh = Unit.mesh(S.sky, 1)
    Mesh.set_material(mesh, 1, color and BACKGROUND or CLEAR)
    for _, name in ipairs(color and { "zenith", "horizon", "ground" } or {}) do
        Material.set_color(Mesh.material(mesh, 1), name, Vector4(color[1], color[2], color[3], 1))
    end
end

-- { environment }
function receive.environment(message)
    World.set_shading_environment(S.world, S.shading, text(message, "environment"))
end

function receive.state() end

-- { every }: seconds; 0: no more
function receive.subscribe(message) S.every = number(message, "every", 0, 3600) end

function console_receive(message)
    local handler = receive[message.type]
    if not handler then
        local names = {}
        for name in pairs(receive) do names[#names + 1] = name end
        table.sort(names)
        refuse("unknown message \"%s\"; write one of: %s", message.type, table.concat(names, ", "))
    end
    handler(message)
    return state()
end

-- --- The engine's calls ----------------------------------------------------------------------------

function init()
    S.world = Application.new_world()
    S.viewport = Application.create_viewport(S.world, "default")
    S.shading = World.create_shading_environment(S.world, S.environment)
    S.camera_unit = World.spawn_unit(S.world, "core/tools/camera")
    S.sun = World.spawn_unit(S.world, "core/tools/sun")
    S.sky = World.spawn_unit(S.world, "core/units/skydome")
    S.grid = World.create_line_object(S.world)
    S.last_frame = Application.time_since_launch()
    place_camera()
    place_light()
    show_floor()
end

local function measure(name, milliseconds)
    S[name] = S[name] + 0.1 * (milliseconds - S[name])
end

function update(dt)
    local now = Application.time_since_launch()
    measure("frame_ms", 1000 * (now - S.last_frame))
    S.last_frame = now
    if S.is_playing then
        step(dt * S.speed)
        measure("update_ms", 1000 * (Application.time_since_launch() - now))
        if S.effect then
            loop()
        end
    end
    if S.every > 0 and now - S.last_sent >= S.every then
        S.last_sent = now
        Application.console_send(state())
    end
end

function render()
    LineObject.dispatch(S.world, S.grid)
    Application.render_world(S.world, Unit.camera(S.camera_unit, "camera"), S.viewport, S.shading)
end

function shutdown()
    Application.destroy_viewport(S.world, S.viewport)
    Application.release_world(S.world)
end
