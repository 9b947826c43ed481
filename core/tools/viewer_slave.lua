-- The engine's half of a viewer: shows a unit or a level of a project, with a camera, a grid, a selection and
-- handles. The helpers of core/tools do the work; each message has a function below.
--
--     cuttle run PROJECT --boot core/tools/viewer_slave

local OrbitCamera = require "core/tools/orbit_camera"
local Grid = require "core/tools/grid"
local Picking = require "core/tools/picking"
local Selection = require "core/tools/selection"
local Gizmo = require "core/tools/gizmo"

Viewer = Viewer or { mode = "move", has_grid = true }
local V = Viewer

local function camera()
    return Unit.camera(V.camera.unit, "camera")
end

local function text_of(unit)
    return unit and (Unit.debug_name(unit) or tostring(unit)) or "nothing"
end

local function selected()
    return Selection.units(V.selection)[1]
end

-- The pixel of fractions of the picture.
local function pixel(message)
    local width, height = Application.back_buffer_size()
    return (tonumber(message.x) or 0) * width, (tonumber(message.y) or 0) * height
end

local receive = {}

-- { type = "show", unit = NAME } or { level = NAME }, in place of what was shown.
function receive.show(message)
    Selection.set(V.selection, {})
    if V.unit and Unit.alive(V.unit) then
        World.destroy_unit(V.world, V.unit)
    end
    if V.level then
        World.destroy_level(V.world, V.level)
    end
    V.unit, V.level = nil, nil
    if message.level then
        V.level = World.load_level(V.world, message.level)
        Level.spawn_background(V.level)
        return { result = "showing " .. message.level }
    end
    V.unit = World.spawn_unit(V.world, message.unit)
    OrbitCamera.frame(V.camera, V.unit)
    return { result = "showing " .. tostring(message.unit) }
end

-- { type = "camera", turn = { right, up }, zoom = FACTOR, pan = { right, up } }, each where it is given.
function receive.camera(message)
    if message.turn then
        OrbitCamera.turn(V.camera, message.turn[1], message.turn[2])
    end
    if message.zoom then
        OrbitCamera.zoom(V.camera, message.zoom)
    end
    if message.pan then
        OrbitCamera.pan(V.camera, message.pan[1], message.pan[2])
    end
    return { distance = V.camera.distance, yaw = V.camera.yaw, pitch = V.camera.pitch }
end

-- { type = "press", x, y }: takes hold of a handle, or selects what is there.
function receive.press(message)
    local x, y = pixel(message)
    local unit = selected()
    if unit and Gizmo.press(V.gizmo, camera(), unit, x, y) then
        return { result = "handle " .. V.gizmo.axis }
    end
    local hit = Picking.unit(V.world, camera(), x, y)
    Selection.set(V.selection, hit and { hit } or {})
    return { result = text_of(hit) }
end

-- { type = "drag", x, y }: moves the handle that is held.
function receive.drag(message)
    local unit, x, y = selected(), pixel(message)
    local is_held = unit ~= nil and Gizmo.drag(V.gizmo, camera(), unit, x, y)
    local at = is_held and Unit.local_position(unit, 1)
    return { is_held = is_held, position = at and { at.x, at.y, at.z } or nil }
end

function receive.release(message)
    return { was_held = Gizmo.release(V.gizmo) }
end

-- { type = "mode", mode = "move", "rotate" or "scale" }
function receive.mode(message)
    V.gizmo = Gizmo.new(message.mode)
    return { result = message.mode }
end

function receive.grid(message)
    V.has_grid = message.shown ~= false
    return { result = V.has_grid and "shown" or "hidden" }
end

function console_receive(message)
    local handler = receive[message.type]
    if not handler then
        error("the viewer knows no message \"" .. message.type .. "\"", 0)
    end
    return handler(message)
end

function init()
    V.world = Application.new_world()
    V.viewport = Application.create_viewport(V.world, "default")
    V.camera = OrbitCamera.new(World.spawn_unit(V.world, "core/tools/camera"))
    V.sun = World.spawn_unit(V.world, "core/tools/sun")
    Unit.set_local_rotation(V.sun, 1, Quaternion.look(Vector3(0.4, 0.6, -0.8), Vector3(0, 0, 1)))
    V.selection = Selection.new()
    V.gizmo = Gizmo.new("move")
    V.lines = World.create_line_object(V.world)
end

function update(dt)
    World.update(V.world, dt)
end

function render()
    LineObject.reset(V.lines)
    if V.has_grid then
        Grid.add(V.lines, V.camera.point:unbox(), 1, 10)
    end
    local unit = selected()
    if unit then
        Gizmo.draw(V.gizmo, V.lines, camera(), unit)
    end
    LineObject.dispatch(V.world, V.lines)
    Application.render_world(V.world, camera(), V.viewport)
end

function shutdown()
    Application.destroy_viewport(V.world, V.viewport)
    Application.release_world(V.world)
end
