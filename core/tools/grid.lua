-- A grid on the ground for tools, with the x axis red and the y axis green.
--
--     local Grid = require "core/tools/grid"
--     Grid.add(lines, Vector3(0, 0, 0), 1, 10)         -- then LineObject.dispatch(world, lines)

local Grid = {}

local function shade(at)
    return at == 0 and 0.6 or 0.15
end

-- Adds squares of `size` metres, `count` to each side of the square that is nearest to `middle`.
function Grid.add(lines, middle, size, count)
    local x, y = math.floor(middle.x / size + 0.5), math.floor(middle.y / size + 0.5)
    local left, right = (x - count) * size, (x + count) * size
    local front, back = (y - count) * size, (y + count) * size
    for i = -count, count do
        local column, row = (x + i) * size, (y + i) * size
        LineObject.add_line(lines, Vector4(0.15, shade(column), 0.15, 1), Vector3(column, front, 0),
            Vector3(column, back, 0))
        LineObject.add_line(lines, Vector4(shade(row), 0.15, 0.15, 1), Vector3(left, row, 0), Vector3(right, row, 0))
    end
end

return Grid
