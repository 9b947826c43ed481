-- Units that are selected in a tool, each with an outline.
--
--     local Selection = require "core/tools/selection"
--     local selection = Selection.new()
--     Selection.set(selection, { unit })

local Selection = {}

-- Makes an empty selection, with the colour of its outlines.
function Selection.new(red, green, blue)
    return { units = {}, color = { red or 1, green or 0.5, blue or 0 } }
end

local function show(selection, unit, is_selected)
    if Unit.alive(unit) then
        local c = selection.color
        Unit.set_outline(unit, is_selected and Vector3(c[1], c[2], c[3]) or nil)
    end
end

-- Selects these units in place of those before.
function Selection.set(selection, units)
    for _, unit in ipairs(selection.units) do
        show(selection, unit, false)
    end
    selection.units = {}
    for i, unit in ipairs(units) do
        selection.units[i] = unit
        show(selection, unit, true)
    end
end

-- Selects a unit too, or no longer.
function Selection.toggle(selection, unit)
    local units, was_selected = {}, false
    for _, each in ipairs(selection.units) do
        was_selected = was_selected or each == unit
        if each ~= unit then
            units[#units + 1] = each
        end
    end
    if not was_selected then
        units[#units + 1] = unit
    end
    Selection.set(selection, units)
end

-- Returns the selected units that are alive.
function Selection.units(selection)
    local alive = {}
    for _, unit in ipairs(selection.units) do
        if Unit.alive(unit) then
            alive[#alive + 1] = unit
        end
    end
    return alive
end

return Selection
