-- Handles that move, turn or scale a unit with the mouse, for tools.
--
--     local Gizmo = require "core/tools/gizmo"
--     local gizmo = Gizmo.new("move")                  -- or "rotate", "scale"
--     Gizmo.draw(gizmo, lines, camera, unit)           -- in each frame
--     Gizmo.press(gizmo, camera, unit, x, y)           -- true: a handle was hit
--     Gizmo.drag(gizmo, camera, unit, x, y)
--     Gizmo.release(gizmo)
--
-- Handles lie along the axes of the world, those that scale along the axes of the unit. They are as long as a seventh
-- of the distance to the camera. x and y are pixels from the top left of the picture. The unit may be linked to another.

local Picking = require "core/tools/picking"

local Gizmo = {}

local HIT = 12                                          -- pixels from a handle that still count
local STEPS = 48                                        -- lines of a circle
local MODES = { move = true, rotate = true, scale = true }

local function axis(i)
    return Vector3(i == 1 and 1 or 0, i == 2 and 1 or 0, i == 3 and 1 or 0)
end

-- Makes a gizmo of a mode.
function Gizmo.new(mode)
    assert(MODES[mode], "expected \"move\", \"rotate\" or \"scale\"")
    return { mode = mode }
end

local function origin_of(unit)
    return Unit.world_position(unit, 1)
end

local function size_of(camera, unit)
    return Vector3.length(Camera.world_position(camera) - origin_of(unit)) / 7
end

-- The direction of a handle, in the world.
local function along_of(gizmo, unit, i)
    return gizmo.mode == "scale" and Quaternion.rotate(Unit.world_rotation(unit, 1), axis(i)) or axis(i)
end

-- A point of the circle around an axis, from 0 to 1.
local function on_circle(origin, i, size, part)
    local a, b = axis(i % 3 + 1), axis((i + 1) % 3 + 1)
    local angle = 2 * math.pi * part
    return origin + (a * math.cos(angle) + b * math.sin(angle)) * size
end

-- Adds the handles of a unit to a line object.
function Gizmo.draw(gizmo, lines, camera, unit)
    local origin, size = origin_of(unit), size_of(camera, unit)
    for i = 1, 3 do
        local is_held = gizmo.axis == i
        local color = is_held and Vector4(1, 1, 0, 1) or Vector4(i == 1 and 1 or 0.1, i == 2 and 1 or 0.1,
            i == 3 and 1 or 0.1, 1)
        local along = along_of(gizmo, unit, i)
        local tip = origin + along * size
        if gizmo.mode == "rotate" then
            LineObject.add_circle(lines, color, origin, size, axis(i))
        else
            LineObject.add_line(lines, color, origin, tip)
        end
        if gizmo.mode == "move" then
            LineObject.add_cone(lines, color, tip - along * (size * 0.15), tip, size * 0.05)
        elseif gizmo.mode == "scale" then
            local pose = Matrix4x4.from_quaternion_position(Unit.world_rotation(unit, 1), tip)
            LineObject.add_box(lines, color, pose, Vector3(1, 1, 1) * (size * 0.04))
        end
    end
end

-- The distance in pixels from x, y to the line between two points of the world.
local function distance_to(camera, x, y, from, to)
    local a, b = Camera.world_to_screen(camera, from), Camera.world_to_screen(camera, to)
    local ux, uy = b.x - a.x, b.y - a.y
    local length = ux * ux + uy * uy
    local t = length > 0 and math.max(0, math.min(1, ((x - a.x) * ux + (y - a.y) * uy) / length)) or 0
    return math.sqrt((x - a.x - ux * t) ^ 2 + (y - a.y - uy * t) ^ 2)
end

local function distance_to_handle(gizmo, camera, unit, i, x, y)
    local origin, size = origin_of(unit), size_of(camera, unit)
    if gizmo.mode ~= "rotate" then
        return distance_to(camera, x, y, origin, origin + along_of(gizmo, unit, i) * size)
    end
    local least = math.huge
    for step = 1, STEPS do
        local from, to = on_circle(origin, i, size, (step - 1) / STEPS), on_circle(origin, i, size, step / STEPS)
        least = math.min(least, distance_to(camera, x, y, from, to))
    end
    return least
end

-- How far along the handle's axis x, y is, in metres; for a circle, the angle around it. nil where the ray of x, y
-- meets no plane.
local function place_on(gizmo, camera, x, y)
    local along, origin = gizmo.along:unbox(), gizmo.origin:unbox()
    if gizmo.mode == "rotate" then
        local at = Picking.plane(camera, x, y, origin, along)
        local a, b = axis(gizmo.axis % 3 + 1), axis((gizmo.axis + 1) % 3 + 1)
        return at and math.atan2(Vector3.dot(at - origin, b), Vector3.dot(at - origin, a))
    end
    -- The plane that holds the axis and faces the camera most.
    local view = Camera.world_position(camera) - origin
    local normal = view - along * Vector3.dot(view, along)
    local at = Vector3.length(normal) > 1e-6 and Picking.plane(camera, x, y, origin, Vector3.normalize(normal))
    return at and Vector3.dot(at - origin, along) or nil
end

-- Takes hold of the handle under x, y. Returns whether there was one.
function Gizmo.press(gizmo, camera, unit, x, y)
    local nearest, least = nil, HIT
    for i = 1, 3 do
        local distance = distance_to_handle(gizmo, camera, unit, i, x, y)
        if distance < least then
            nearest, least = i, distance
        end
    end
    gizmo.axis = nearest
    if not nearest then
        return false
    end
    gizmo.size = size_of(camera, unit)
    gizmo.origin = Vector3Box(origin_of(unit))
    gizmo.position = Vector3Box(Unit.local_position(unit, 1))
    gizmo.rotation = QuaternionBox(Unit.local_rotation(unit, 1))
    gizmo.scale = Vector3Box(Unit.local_scale(unit, 1))
    gizmo.along = Vector3Box(along_of(gizmo, unit, nearest))
    -- From the world to the space of what the unit is linked to.
    gizmo.to_parent = Matrix4x4Box(Matrix4x4.multiply(Unit.local_pose(unit, 1),
        Matrix4x4.inverse(Unit.world_pose(unit, 1))))
    gizmo.parent_rotation = QuaternionBox(Quaternion.multiply(Unit.world_rotation(unit, 1),
        Quaternion.inverse(Unit.local_rotation(unit, 1))))
    gizmo.start = place_on(gizmo, camera, x, y)
    return true
end

-- Moves the handle that is held to x, y, and the unit with it. Returns whether one is held.
function Gizmo.drag(gizmo, camera, unit, x, y)
    local now = gizmo.axis and gizmo.start and place_on(gizmo, camera, x, y)
    if not now then
        return gizmo.axis ~= nil
    end
    local along, by = gizmo.along:unbox(), now - gizmo.start
    if gizmo.mode == "move" then
        local step = Matrix4x4.transform_without_translation(gizmo.to_parent:unbox(), along * by)
        Unit.set_local_position(unit, 1, gizmo.position:unbox() + step)
    elseif gizmo.mode == "rotate" then
        local around = Quaternion.rotate(Quaternion.inverse(gizmo.parent_rotation:unbox()), along)
        Unit.set_local_rotation(unit, 1, Quaternion.multiply(Quaternion(around, by), gizmo.rotation:unbox()))
    else
        local factor, scale = math.max(0.01, 1 + by / gizmo.size), gizmo.scale:unbox()
        Unit.set_local_scale(unit, 1, Vector3(
            scale.x * (gizmo.axis == 1 and factor or 1), scale.y * (gizmo.axis == 2 and factor or 1),
            scale.z * (gizmo.axis == 3 and factor or 1)))
    end
    return true
end

-- Lets the handle go. Returns whether one was held.
function Gizmo.release(gizmo)
    local was_held = gizmo.axis ~= nil
    gizmo.axis = nil
    return was_held
end

return Gizmo
