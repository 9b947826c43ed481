-- The engine's half of tools/material_previewer.py: shows one material on a body and handles the
-- tool's messages. Each message type has a function below, which returns the answer.
--
--     cuttle run PROJECT --boot core/tools/material_preview_slave

local SHAPES = { sphere = true, cube = true, plane = true }
local UP = Vector3Box(0, 0, 1)

Preview = Preview or {
    shape = "sphere", material = "core/materials/default",
    camera = { yaw = 0.5, pitch = 0.35, distance = 1.7 },
    light = { yaw = -0.6, pitch = 0.9, intensity = 2.5 },
}
local P = Preview

-- Returns the direction of yaw (around the vertical) and pitch (above the ground), in radians.
local function direction(yaw, pitch)
    return Vector3(math.sin(yaw) * math.cos(pitch), -math.cos(yaw) * math.cos(pitch),
        math.sin(pitch))
end

local function place_camera()
    local from = direction(P.camera.yaw, P.camera.pitch)
    Unit.set_local_position(P.camera_unit, 1, from * P.camera.distance)
    Unit.set_local_rotation(P.camera_unit, 1, Quaternion.look(-from, UP:unbox()))
end

local function place_light()
    Unit.set_local_rotation(P.sun, 1,
        Quaternion.look(-direction(P.light.yaw, P.light.pitch), UP:unbox()))
    Light.set_intensity(Unit.light(P.sun, "light"), P.light.intensity)
end

local function mesh()
    return Unit.mesh(P.body, 1)
end

local function show_body()
    if P.body then
        World.destroy_unit(P.world, P.body)
    end
    P.body = World.spawn_unit(P.world, "core/tools/preview_" .. P.shape)
    Mesh.set_material(mesh(), 1, P.material)
end

-- Copies the numbers in the message.
local function take_numbers(message, target)
    for name in pairs(target) do
        target[name] = tonumber(message[name]) or target[name]
    end
end

local receive = {}

function receive.show(message)
    Mesh.set_material(mesh(), 1, message.material)  -- the answer is an error when it is not loaded
    P.material = message.material
    return { result = "showing " .. P.material }
end

function receive.shape(message)
    if not SHAPES[message.shape] then
        error("there is no shape \"" .. tostring(message.shape) .. "\"; sphere, cube or plane", 0)
    end
    P.shape = message.shape
    show_body()
    return { result = "on a " .. P.shape }
end

function receive.camera(message)
    take_numbers(message, P.camera)
    place_camera()
    return P.camera
end

function receive.light(message)
    take_numbers(message, P.light)
    place_light()
    return P.light
end

-- Sets a parameter until the material is saved and reloaded: { name, value = { 1 to 4 numbers } }.
function receive.set(message)
    local material, v = Mesh.material(mesh(), 1), message.value
    local set = {
        function() Material.set_scalar(material, message.name, v[1]) end,
        function() Material.set_vector2(material, message.name, Vector2(v[1], v[2])) end,
        function() Material.set_vector3(material, message.name, Vector3(v[1], v[2], v[3])) end,
        function() Material.set_vector4(material, message.name, Vector4(v[1], v[2], v[3], v[4])) end,
    }
    set[#v]()
    return { result = message.name .. " = " .. table.concat(v, " ") }
end

function console_receive(message)
    local handler = receive[message.type]
    if not handler then
        error("the material previewer knows no message \"" .. message.type .. "\"", 0)
    end
    return handler(message)
end

function init()
    P.world = Application.new_world()
    P.viewport = Application.create_viewport(P.world, "default")
    P.camera_unit = World.spawn_unit(P.world, "core/tools/camera")
    P.sun = World.spawn_unit(P.world, "core/tools/sun")
    show_body()
    place_camera()
    place_light()
end

function update(dt)
    World.update(P.world, dt)
end

function render()
    Application.render_world(P.world, Unit.camera(P.camera_unit, "camera"), P.viewport)
end

function shutdown()
    Application.destroy_viewport(P.world, P.viewport)
    Application.release_world(P.world)
end
