-- Compares what core/gui/layout.lua computes with what Chromium did: for test_widget_layout.py, which
-- writes flexbox_cases.lua from flexbox_cases.json.

local Layout = require "core/gui/layout"

local M = {}

local TOLERANCE = 0.02

-- The size of a text of `box.words`, each {width, height}: lines are filled with whole words.
function M.measure_words(box, width)
    local widest, height, line_width, line_height = 0, 0, 0, 0
    for _, word in ipairs(box.words) do
        if line_width > 0 and width and line_width + word[1] > width + 1 / 128 then
            height, line_width, line_height = height + line_height, 0, 0
        end
        line_width, line_height = line_width + word[1], math.max(line_height, word[2])
        widest = math.max(widest, line_width)
    end
    return widest, height + line_height
end

function M.prepare(tree)
    tree.measure = tree.words and M.measure_words
    for _, child in ipairs(tree.children or {}) do
        M.prepare(child)
    end
end

local function is_near(tree)
    local expected = tree.expected
    return math.abs(tree.x - expected[1]) < TOLERANCE and math.abs(tree.y - expected[2]) < TOLERANCE
        and math.abs(tree.w - expected[3]) < TOLERANCE and math.abs(tree.h - expected[4]) < TOLERANCE
end

local function compare(tree, path, differences)
    if not is_near(tree) then
        differences[#differences + 1] = string.format("%s: found %g %g %g %g; expected %g %g %g %g", path,
            tree.x, tree.y, tree.w, tree.h, unpack(tree.expected))
    end
    for i, child in ipairs(tree.style.hidden and {} or tree.children or {}) do
        compare(child, path .. "." .. i, differences)
    end
end

-- Returns how many cases were compared and the differences, as a text of lines.
function M.run(cases)
    local all = {}
    for _, case in ipairs(cases) do
        local differences = {}
        M.prepare(case.tree)
        Layout.compute(case.tree)
        compare(case.tree, "root", differences)
        for _, difference in ipairs(differences) do
            all[#all + 1] = case.name .. ": " .. difference
        end
    end
    return #cases, table.concat(all, "\n")
end

return M
