-- What is true of every layout, checked on random trees: for test_widget_layout.py. Each function
-- returns how many trees it looked at; a property that does not hold is an error that names the tree.

local Layout = require "core/gui/layout"
local Cases = require "layout/cases"

local M = {}

local seed

-- Returns an integer from 1 to `most`.
local function roll(most)
    seed = (seed * 16807) % 2147483647
    return seed % most + 1
end

local function pick(...)
    return (select(roll(select("#", ...)), ...))
end

-- --- Random trees ----------------------------------------------------------------------------------

local FIELDS = {
    direction = { "row", "column", "row_reverse", "column_reverse" },
    wrap = { true, "reverse" },
    justify = { "end", "center", "space_between", "space_around", "space_evenly" },
    align = { "start", "end", "center", "stretch" },
    align_self = { "start", "end", "center", "stretch" },
    align_content = { "start", "end", "center", "space_between", "space_around", "space_evenly" },
    grow = { 1, 2.5, 0.25 }, shrink = { 0, 3, 0.5 }, basis = { 0, 30, "40%", "content" },
    width = { 0, 15, 80, "50%", "120%" }, height = { 0, 15, 80, "50%", "120%" },
    min_width = { 0, 25, "30%" }, min_height = { 0, 25, "30%" },
    max_width = { 10, 60, "40%" }, max_height = { 10, 60, "40%" },
    padding = { 3, { 1, 2, 3, 4 }, 40 }, margin = { 5, { 1, 2, 3, 4 }, "auto", { "auto", 0, 0, 0 } },
    gap = { 4, { 3, 9 } }, aspect = { 1, 0.5, 1.75 }, hidden = { true }, scroll = { true },
    position = { "absolute" }, left = { 5, "10%" }, right = { 5, "10%" }, top = { 5, "10%" },
    bottom = { 5, "10%" },
}
local RARE = { position = 10, hidden = 15, aspect = 12, max_width = 8, max_height = 8, padding = 8 }
local NAMES = {}
for name in pairs(FIELDS) do
    NAMES[#NAMES + 1] = name
end
table.sort(NAMES)

local function random_style()
    local style = {}
    for _, name in ipairs(NAMES) do
        if roll(RARE[name] or 5) == 1 then
            style[name] = FIELDS[name][roll(#FIELDS[name])]
        end
    end
    return style
end

local function random_tree(depth)
    local box = { style = random_style() }
    if depth < 5 and roll(4) > 1 then
        box.children = {}
        for i = 1, roll(5) do
            box.children[i] = random_tree(depth + 1)
        end
    elseif roll(3) > 1 then
        box.words = {}
        for i = 1, roll(6) do
            box.words[i] = { roll(40), 5 + roll(10) }
        end
        box.measure = Cases.measure_words
    end
    return box
end

local function random_root(i)
    seed = i * 7919 + 13
    local root = random_tree(1)
    root.style.hidden, root.style.position = nil, nil
    return root
end

-- --- Helpers ---------------------------------------------------------------------------------------

-- Returns a tree with the same styles and words, without anything that was computed.
local function copy(box)
    local new = { style = box.style and {}, words = box.words, measure = box.measure }
    for name, value in pairs(box.style or {}) do
        new.style[name] = value
    end
    if box.children then
        new.children = {}
        for i, child in ipairs(box.children) do
            new.children[i] = copy(child)
        end
    end
    return new
end

local function visit(box, list)
    list[#list + 1] = box
    if not (box.style and box.style.hidden) then
        for _, child in ipairs(box.children or {}) do
            visit(child, list)
        end
    end
    return list
end

local function figures(box)
    local list = {}
    for i, found in ipairs(visit(box, {})) do
        list[i] = string.format("%.9g %.9g %.9g %.9g", found.x, found.y, found.w, found.h)
    end
    return table.concat(list, "\n")
end

local function random_size()
    return pick(nil, 0, 40, 200, 1000), pick(nil, 0, 40, 200, 1000)
end

local function expect(is_right, i, what)
    if not is_right then
        error(string.format("random tree %d: %s", i, what))
    end
end

-- --- Properties ------------------------------------------------------------------------------------

function M.results_are_finite(count)
    for i = 1, count do
        local root = random_root(i)
        Layout.compute(root, random_size())
        for _, box in ipairs(visit(root, {})) do
            expect(math.abs(box.x) < 1e12 and math.abs(box.y) < 1e12, i, "a place is not finite")
            expect(box.w >= 0 and box.w < 1e12 and box.h >= 0 and box.h < 1e12, i, "a size is wrong")
        end
    end
    return count
end

local function overlap(a, b)
    return math.min(a.x + a.w, b.x + b.w) - math.max(a.x, b.x) > 1e-6
        and math.min(a.y + a.h, b.y + b.h) - math.max(a.y, b.y) > 1e-6
end

function M.children_do_not_overlap(count)
    for i = 1, count do
        local root = random_root(i)
        Layout.compute(root, random_size())
        for _, box in ipairs(visit(root, {})) do
            local children = {}
            for _, child in ipairs(not box.style.hidden and box.children or {}) do
                if not child.style.hidden and child.style.position ~= "absolute" then
                    children[#children + 1] = child
                end
            end
            for a = 1, #children do
                for b = a + 1, #children do
                    expect(not overlap(children[a], children[b]), i, "children overlap")
                end
            end
        end
    end
    return count
end

function M.computing_again_changes_nothing(count)
    for i = 1, count do
        local root = random_root(i)
        local width, height = random_size()
        Layout.compute(root, width, height)
        local first = figures(root)
        Layout.compute(root, width, height)
        expect(figures(root) == first, i, "a second call computes something else")
        Layout.compute(root, random_size())
        Layout.compute(root, width, height)
        expect(figures(root) == first, i, "another size in between changes the result")
    end
    return count
end

-- What is kept from earlier calls is right: after each change the tree is as a new one would be.
function M.changes_are_as_new_trees(count)
    for i = 1, count do
        local root = random_root(i)
        local width, height = random_size()
        Layout.compute(root, width, height)
        local first = figures(root)
        local boxes = visit(root, {})
        local box = boxes[roll(#boxes)]
        local old_style = box.style
        box.style, box.is_dirty = random_style(), true
        if box == root then
            box.style.hidden = nil
        end
        Layout.compute(root, width, height)
        local new = copy(root)
        Layout.compute(new, width, height)
        expect(figures(root) == figures(new), i, "a change gives something else than a new tree")
        box.style, box.is_dirty = old_style, true
        Layout.compute(root, width, height)
        expect(figures(root) == first, i, "a change and the change back do not give the same")
    end
    return count
end

function M.added_and_removed_children_count(count)
    for i = 1, count do
        local root = random_root(i)
        root.children = root.children or {}
        Layout.compute(root, 200, 200)
        local first = figures(root)
        local place = roll(#root.children + 1)
        table.insert(root.children, place, random_tree(3))
        Layout.compute(root, 200, 200)
        local new = copy(root)
        Layout.compute(new, 200, 200)
        expect(figures(root) == figures(new), i, "an added child gives something else than a new tree")
        table.remove(root.children, place)
        Layout.compute(root, 200, 200)
        expect(figures(root) == first, i, "a removed child leaves something behind")
    end
    return count
end

function M.moved_children_count(count)
    for i = 1, count do
        local root, other = random_root(i), random_root(i + count)
        root.children, other.children = root.children or { {} }, other.children or { {} }
        Layout.compute(root, 200, 200)
        Layout.compute(other, 200, 200)
        local from, to = roll(#root.children), roll(#other.children)
        root.children[from], other.children[to] = other.children[to], root.children[from]
        table.insert(root.children, table.remove(root.children, 1))
        Layout.compute(root, 200, 200)
        Layout.compute(other, 200, 200)
        local new, new_other = copy(root), copy(other)
        Layout.compute(new, 200, 200)
        Layout.compute(new_other, 200, 200)
        expect(figures(root) == figures(new), i, "moved children give something else than a new tree")
        expect(figures(other) == figures(new_other), i, "exchanged children do")
    end
    return count
end

-- Returns the least number of bytes that a call allocated, over some calls (LuaJIT's traces count, too).
function M.garbage_of_a_call()
    jit.off() -- traces are memory, too, and are made when their time has come
    jit.flush()
    local root = random_root(3)
    for i = 1, 200 do
        Layout.compute(root, 200 + i % 7, 200)
    end
    local least = math.huge
    collectgarbage()
    collectgarbage("stop")
    for i = 1, 50 do
        root.is_dirty = i % 2 == 0
        local before = collectgarbage("count")
        Layout.compute(root, 200 + i % 7, 200)
        least = math.min(least, (collectgarbage("count") - before) * 1024)
    end
    collectgarbage("restart")
    jit.on()
    return least
end

-- Returns the calls of measure functions in a nest of boxes, each with a text beside the next one.
function M.measures_in_a_nest(depth)
    local calls = 0
    local function measure(_, width)
        calls = calls + 1
        return 30, width and width < 30 and 20 or 10
    end
    local box = { measure = measure }
    for i = 2, depth do
        local style = { direction = i % 3 == 0 and "row" or "column", wrap = i % 5 == 0,
            height = i % 4 == 0 and "100%" or nil, align = i % 7 == 0 and "center" or nil, grow = i % 2 }
        box = { style = style, children = { box, { style = { shrink = 2 }, measure = measure } } }
    end
    Layout.compute(box, 500, 500)
    return calls
end

return M
