-- Things that do not move: boxes around the level's blocks, lanterns and pillars, and the yard's
-- walls. All boxes are parallel to the axes.

local M = {}

M.YARD = 13.7  -- metres from the middle to the walls

-- Half the width, and the height, of things in the level, by unit.
local SIZES = {
    ["units/block"] = { 1.08, 0.9 },
    ["units/lantern"] = { 0.31, 2.2 },
    ["units/lantern_rose"] = { 0.31, 2.2 },
    ["units/lantern_teal"] = { 0.31, 2.2 },
    ["units/pillar"] = { 0.65, 2.9 },
}

-- Returns the boxes of a world: { left, right, back, front, bottom, top }.
function M.collect(world)
    local boxes = {}
    for unit_name, size in pairs(SIZES) do
        for _, unit in ipairs(World.units_by_resource(world, unit_name)) do
            local p = Unit.world_position(unit, 1)
            boxes[#boxes + 1] = {
                p.x - size[1], p.x + size[1], p.y - size[1], p.y + size[1], p.z, p.z + size[2],
            }
        end
    end
    return boxes
end

return M
