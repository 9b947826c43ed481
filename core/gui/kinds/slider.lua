-- Sliders and progress bars.

local Button = require "core/gui/kinds/button"
local Fields = require "core/gui/fields"
local Theme = require "core/gui/theme"
local Tree = require "core/gui/tree"

local function range(props)
    local least, most = props.least or 0, props.most or 1
    return least, math.max(least, most)
end

local function rounded(props, value)
    local least, most = range(props)
    local step = props.step
    if step and step > 0 then
        value = least + math.floor((value - least) / step + 0.5) * step
    end
    return math.max(least, math.min(value, most))
end

local function set_value(node, value)
    value = rounded(node.props, value)
    if value ~= node.value then
        node.value = value
        Tree.redraw(node)
        node.screen:call(node.props.on_change, value, node)
    end
end

local function share(node)
    local least, most = range(node.props)
    return most > least and (node.value - least) / (most - least) or 0
end

local function knob_size(node)
    return Theme.control_size(node.screen, "knob")
end

local function value_at(node, x)
    local least, most = range(node.props)
    local knob = knob_size(node)
    local at = (x - knob / 2) / math.max(1, node.w - knob)
    return least + math.max(0, math.min(at, 1)) * (most - least)
end

local function step_of(props)
    local least, most = range(props)
    return props.step or (most - least) / 20
end

local function release(node)
    node.screen:call(node.props.on_release, node.value, node)
end

local function draw(node, painter)
    local sizes, knob = node.screen.theme.sizes, knob_size(node)
    local y, x = (node.h - sizes.track) / 2, (node.w - knob) * share(node)
    local is_disabled = Tree.is_disabled(node)
    painter.box(0, y, node.w, sizes.track, painter.BACK, sizes.track / 2, "track")
    painter.box(0, y, x + knob / 2, sizes.track, painter.FRONT, sizes.track / 2,
        is_disabled and "control_border" or "accent")
    painter.box(x, (node.h - knob) / 2, knob, knob, painter.TOP, knob / 2,
        is_disabled and "control_border" or (node.is_hovered or node.is_pressed) and "text" or "control_hovered",
        sizes.border * 2, is_disabled and "control_border" or "accent")
    painter.focus(sizes.radius)
end

Tree.kinds.slider = {
    name = "slider", takes_focus = true, drags = true,
    paints = { value = true, least = true, most = true, step = true, disabled = true },
    fields = Fields.make {
        value = "number", least = "number", most = "number", step = "number",
        on_change = "function", on_release = "function",
    },
    style = function(node)
        return { min_height = Theme.control_size(node.screen, "control"), min_width = 120 }
    end,
    start = function(node)
        node.value = 0
    end,
    change = function(node)
        local props = node.props
        local value = rounded(props, props.value or node.value)
        if value ~= node.value then
            node.value = value
            Tree.redraw(node)
        end
    end,
    pointer = function(node, phase, x, y)
        if phase == "press" or phase == "drag" then
            node.is_pressed = true
            set_value(node, value_at(node, x))
            Tree.redraw(node)
        else
            local was_pressed = node.is_pressed
            Button.pointer(node, phase, x, y, function() end)
            if was_pressed and phase == "release" then
                release(node)
            end
        end
    end,
    action = function(node, name)
        local way = name == "left" and -1 or name == "right" and 1
        local far = name == "page_down" and -5 or name == "page_up" and 5
        local least, most = range(node.props)
        if way or far then
            set_value(node, node.value + (way or far) * step_of(node.props))
        elseif name == "home" or name == "end" then
            set_value(node, name == "home" and least or most)
        else
            return false
        end
        release(node)
        return true
    end,
    draw = draw,
}

-- A bar that shows how much is done: `value` from 0 to 1.
Tree.kinds.progress_bar = {
    name = "progress_bar", is_stateless = true, paints = { value = true, color = true },
    fields = Fields.make { value = "number", color = "color" },
    style = function(node)
        return { min_height = node.screen.theme.sizes.track * 2, min_width = 120 }
    end,
    draw = function(node, painter)
        local value = math.max(0, math.min(node.props.value or 0, 1))
        local radius = math.min(node.screen.theme.sizes.radius, node.h / 2)
        painter.box(0, 0, node.w, node.h, painter.BACK, radius, "track")
        if value > 0 then
            painter.box(0, 0, math.max(node.w * value, math.min(2 * radius, node.w)), node.h, painter.FRONT, radius,
                node.props.color or "accent")
        end
    end,
}

return Tree.kinds
