-- What is under the cursor, for tools.
--
--     local Picking = require "core/tools/picking"
--     local unit, distance = Picking.unit(world, camera, x, y)     -- x, y: pixels from the top left

local Picking = {}

-- Returns the ray of a pixel: where it starts, and its direction.
function Picking.ray(camera, x, y)
    local from = Camera.screen_to_world(camera, Vector3(x, y, 0), 0.1)
    local to = Camera.screen_to_world(camera, Vector3(x, y, 0), 1)
    return from, Vector3.normalize(to - from)
end

-- Returns the unit with the nearest triangle under the pixel, its distance in metres, and the normal there; nil
-- without one. `units` are those that count; without it, all of the world.
function Picking.unit(world, camera, x, y, units)
    local from, direction = Picking.ray(camera, x, y)
    local nearest, least, normal = nil, 10000, nil
    for _, unit in ipairs(units or World.units(world)) do
        local distance, at = Unit.mesh_pick_raycast(unit, from, direction, least, false)
        if distance and distance < least then
            nearest, least, normal = unit, distance, at
        end
    end
    return nearest, nearest and least, normal
end

-- Returns where the pixel's ray meets the plane through a point with a normal; nil where it does not.
function Picking.plane(camera, x, y, point, normal)
    local from, direction = Picking.ray(camera, x, y)
    local slope = Vector3.dot(direction, normal)
    if math.abs(slope) < 1e-6 then
        return nil
    end
    local distance = Vector3.dot(point - from, normal) / slope
    return distance > 0 and from + direction * distance or nil
end

return Picking
