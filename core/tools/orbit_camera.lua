-- A camera for tools: it looks at a point, turns around it, comes nearer and moves along the picture.
--
--     local OrbitCamera = require "core/tools/orbit_camera"
--     local camera = OrbitCamera.new(World.spawn_unit(world, "core/tools/camera"))
--     OrbitCamera.turn(camera, 0.1, 0)

local OrbitCamera = {}

local MOST_PITCH = math.rad(89)
local NEAREST, FARTHEST = 0.05, 10000           -- metres

-- Returns the direction from the point to the camera.
local function direction(camera)
    local yaw, pitch = camera.yaw, camera.pitch
    return Vector3(math.sin(yaw) * math.cos(pitch), -math.cos(yaw) * math.cos(pitch), math.sin(pitch))
end

local function place(camera)
    local from = direction(camera)
    Unit.set_local_position(camera.unit, 1, camera.point:unbox() + from * camera.distance)
    Unit.set_local_rotation(camera.unit, 1, Quaternion.look(-from, Vector3(0, 0, 1)))
end

-- Makes the camera of a unit look at the origin from the front, 10 m away.
function OrbitCamera.new(unit)
    local camera = { unit = unit, point = Vector3Box(0, 0, 0), yaw = 0.5, pitch = 0.4, distance = 10 }
    place(camera)
    return camera
end

-- Turns around the point, by radians to the right and up.
function OrbitCamera.turn(camera, right, up)
    camera.yaw = camera.yaw - right
    camera.pitch = math.max(-MOST_PITCH, math.min(MOST_PITCH, camera.pitch + up))
    place(camera)
end

-- Comes nearer by a factor: 0.5 is half of the distance.
function OrbitCamera.zoom(camera, factor)
    camera.distance = math.max(NEAREST, math.min(FARTHEST, camera.distance * factor))
    place(camera)
end

-- Moves the point along the picture, by parts of the distance to the right and up.
function OrbitCamera.pan(camera, right, up)
    local rotation = Unit.local_rotation(camera.unit, 1)
    local move = Quaternion.right(rotation) * right + Quaternion.up(rotation) * up
    camera.point:store(camera.point:unbox() + move * camera.distance)
    place(camera)
end

-- Looks at all of a unit.
function OrbitCamera.frame(camera, unit)
    local pose, extents = Unit.box(unit)
    camera.point:store(Matrix4x4.translation(pose))
    camera.distance = math.max(NEAREST, math.min(FARTHEST, 2.5 * Vector3.length(extents)))
    place(camera)
end

return OrbitCamera
