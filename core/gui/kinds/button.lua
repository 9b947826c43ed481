-- Buttons, and what they share with other controls that are pressed.

local Fields = require "core/gui/fields"
local Text = require "core/gui/kinds/text"
local Theme = require "core/gui/theme"
local Tree = require "core/gui/tree"

local M = {}

-- A press by mouse or finger: node.is_hovered, node.is_pressed; `done(node)` when it ends inside.
function M.pointer(node, phase, x, y, done)
    if phase == "enter" or phase == "leave" then
        node.is_hovered = phase == "enter"
    elseif phase == "press" then
        node.is_pressed = true
    elseif phase == "drag" then
        local is_inside = x >= 0 and y >= 0 and x < node.w and y < node.h
        if is_inside == node.is_pressed then
            return
        end
        node.is_pressed = is_inside
    elseif phase == "release" or phase == "cancel" then
        local was_pressed = node.is_pressed
        node.is_pressed = false
        if phase == "release" and was_pressed and x >= 0 and y >= 0 and x < node.w and y < node.h then
            done(node)
        end
    end
    Tree.redraw(node)
end

-- Returns the colours of a control: background, border, text.
function M.colors(node)
    if Tree.is_disabled(node) then
        return "control", "panel_border", "text_dim"
    elseif node.is_pressed then
        return "control_pressed", "accent", "text"
    elseif node.is_hovered then
        return "control_hovered", "accent", "text"
    end
    return "control", "control_border", "text"
end

-- Returns the padding of controls beside their text, in units.
function M.padding(node)
    return node.screen.theme.sizes.padding * 1.5
end

local OPTIONS = { align = "center", vertical = "middle", wrap = false, ellipsis = true }

local function press(node)
    node.screen:call(node.props.on_press, node)
end

Tree.kinds.button = {
    name = "button", has_children = true, takes_focus = true,
    paints = { disabled = true, color = true, is_primary = true },
    fields = Fields.make {
        text = "text", on_press = "function", size = "text_size", color = "color",
        is_primary = "boolean", is_flat = "boolean",
        text_align = Fields.words("start", "center", "end"),
    },
    style = function(node)
        local padding = M.padding(node)
        return { min_height = Theme.control_size(node.screen, "control"), direction = "row",
            align = "center", justify = "center", padding = { padding, 0, padding, 0 } }
    end,
    measure = function(node)
        local props, screen = node.props, node.screen
        if not props.text then
            return 0, 0
        end
        return Text.measure(screen, tostring(props.text), Theme.font(screen),
            Theme.text_size(screen, props.size), nil, OPTIONS)
    end,
    pointer = function(node, phase, x, y)
        M.pointer(node, phase, x, y, press)
    end,
    action = function(node, name)
        if name ~= "accept" or Tree.is_disabled(node) then
            return false
        end
        press(node)
        return true
    end,
    draw = function(node, painter)
        local props, screen = node.props, node.screen
        local sizes = screen.theme.sizes
        local back, border, ink = M.colors(node)
        if props.is_primary and not node.is_hovered and not Tree.is_disabled(node) then
            back, border, ink = "accent", "accent", "text_on_accent"
        end
        if not props.is_flat or node.is_hovered or node.is_pressed then
            painter.box(0, 0, node.w, node.h, painter.BACK, sizes.radius,
                props.color or back, sizes.border, border)
        end
        if props.text then
            local padding = M.padding(node)
            OPTIONS.align = props.text_align or "center"
            painter.text(tostring(props.text), Theme.font(screen), Theme.text_size(screen, props.size),
                padding, 0, node.w - 2 * padding, node.h, painter.FRONT, ink, OPTIONS)
        end
        painter.focus(sizes.radius)
    end,
}

-- --- Check boxes ---------------------------------------------------------------------------------

local LEFT = { align = "start", vertical = "middle", wrap = false, ellipsis = true }

local function set_checked(node, is_checked)
    node.value = is_checked
    Tree.redraw(node)
    node.screen:call(node.props.on_change, is_checked, node)
end

local function toggle(node)
    set_checked(node, not node.value)
end

local function draw_check(node, painter)
    local props, screen = node.props, node.screen
    local sizes = screen.theme.sizes
    local side = Theme.control_size(screen, "check")
    local y = (node.h - side) / 2
    local back, border, ink = M.colors(node)
    local is_on = node.value and not Tree.is_disabled(node)
    painter.box(0, y, side, side, painter.BACK, math.min(sizes.radius, side / 4),
        is_on and "accent" or back, sizes.border, is_on and "accent" or border)
    if node.value then
        painter.line({ side * 0.22, y + side * 0.52, side * 0.42, y + side * 0.72, side * 0.78,
            y + side * 0.28 }, side * 0.11, painter.FRONT, is_on and "text_on_accent" or "text_dim")
    end
    if props.text then
        local x = side + sizes.padding
        painter.text(tostring(props.text), Theme.font(screen), Theme.text_size(screen, props.size),
            x, 0, node.w - x, node.h, painter.FRONT, ink, LEFT)
    end
    painter.focus(sizes.radius)
end

Tree.kinds.check_box = {
    name = "check_box", takes_focus = true, paints = { disabled = true, value = true },
    fields = Fields.make {
        text = "text", value = "boolean", on_change = "function", size = "text_size",
    },
    style = function(node)
        return { min_height = Theme.control_size(node.screen, "control") }
    end,
    start = function(node)
        node.value = false
    end,
    change = function(node)
        if node.props.value ~= nil and node.props.value ~= node.value then
            node.value = node.props.value
            Tree.redraw(node)
        end
    end,
    measure = function(node)
        local props, screen = node.props, node.screen
        local side, w, h = Theme.control_size(screen, "check"), 0, 0
        if props.text then
            w, h = Text.measure(screen, tostring(props.text), Theme.font(screen),
                Theme.text_size(screen, props.size), nil, LEFT)
            w = w + screen.theme.sizes.padding
        end
        return side + w, math.max(side, h)
    end,
    pointer = function(node, phase, x, y)
        M.pointer(node, phase, x, y, toggle)
    end,
    action = function(node, name)
        if name ~= "accept" then
            return false
        end
        toggle(node)
        return true
    end,
    draw = draw_check,
}

return M
