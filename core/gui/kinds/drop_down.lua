-- Drop-downs: a choice of texts. The choices are a list in a root of its own.

local Button = require "core/gui/kinds/button"
local Fields = require "core/gui/fields"
local Text = require "core/gui/kinds/text"
local Theme = require "core/gui/theme"
local Tree = require "core/gui/tree"

local MOST_ROWS = 8 -- that show at once
local LEFT = { align = "start", vertical = "middle", wrap = false, ellipsis = true }
local ARROW = 12 -- units

local function options_of(node)
    return node.props.options or {}
end

local function is_usable(node)
    return not Tree.is_lost(node) and #options_of(node) > 0
end

local function choose(node, i)
    if i ~= node.value then
        node.value = i
        Tree.redraw(node)
        node.screen:call(node.props.on_change, i, node)
    end
end

local function close(node)
    local root = node.list_root
    if root then
        node.list_root = nil
        node.screen:close(root)
    end
end

local function row_description(node, i)
    return { kind = "row", align = "center", padding = { Button.padding(node), 0, 4, 0 },
        { kind = "label", text = tostring(options_of(node)[i]) } }
end

local function are_same(options, others)
    for i = 1, math.max(#options, #others) do
        if options[i] ~= others[i] then
            return false
        end
    end
    return true
end

local function list_description(node)
    local count = #options_of(node)
    local h = Theme.control_size(node.screen, "control")
    return { kind = "popup", anchor = node, on_lost = function() close(node) end,
        { kind = "list", count = count, selected = node.value, presses_at_once = true,
            width = math.max(node.w, 40), height = math.min(count, MOST_ROWS) * h, min_height = 0,
            row = function(i) return row_description(node, i) end,
            on_press = function(i)
                close(node)
                if is_usable(node) and i <= #options_of(node) then
                    choose(node, i)
                end
            end } }
end

local function open(node)
    if is_usable(node) and not node.list_root then
        node.list_root = node.screen:open(list_description(node), {
            is_modal = true,
            on_outside = function() close(node) end,
        })
    end
end

local function action(node, name)
    if Tree.is_disabled(node) then
        return false
    end
    local way = name == "left" and -1 or name == "right" and 1
    local count = #options_of(node)
    if way and count > 0 then
        choose(node, math.max(1, math.min((node.value or 0) + way, count)))
    elseif name == "accept" then
        open(node)
    else
        return false
    end
    return true
end

local function measure(node)
    local screen, w, h = node.screen, 0, 0
    for _, option in ipairs(options_of(node)) do
        local option_w, option_h = Text.measure(screen, tostring(option), Theme.font(screen),
            Theme.text_size(screen), nil, LEFT)
        w, h = math.max(w, option_w), math.max(h, option_h)
    end
    return w + ARROW + screen.theme.sizes.padding, h
end

local function draw(node, painter)
    local screen, sizes = node.screen, node.screen.theme.sizes
    local back, border, ink = Button.colors(node)
    painter.box(0, 0, node.w, node.h, painter.BACK, sizes.radius, back, sizes.border, border)
    local padding, text = Button.padding(node), options_of(node)[node.value]
    painter.text(tostring(text or ""), Theme.font(screen), Theme.text_size(screen), padding, 0,
        node.w - 2 * padding - ARROW, node.h, painter.FRONT, ink, LEFT)
    local x, y = node.w - padding - ARROW, node.h / 2
    painter.line({ x, y - 3, x + ARROW / 2, y + 3, x + ARROW, y - 3 }, 2, painter.FRONT, ink)
    painter.focus(sizes.radius)
end

Tree.kinds.drop_down = {
    name = "drop_down", takes_focus = true, paints = { value = true, disabled = true },
    fields = Fields.make { options = "table", value = "count", on_change = "function" },
    style = function(node)
        local padding = Button.padding(node)
        return { min_height = Theme.control_size(node.screen, "control"),
            padding = { padding, 0, padding, 0 } }
    end,
    change = function(node, old)
        if node.props.value and node.props.value ~= node.value then
            node.value = node.props.value
            Tree.redraw(node)
        end
        if node.list_root and not is_usable(node) then
            close(node)
        elseif node.list_root and not are_same(old.options or {}, options_of(node)) then
            Tree.become(node.list_root.node, node.screen, nil, list_description(node))
        end
    end,
    stop = close, measure = measure, action = action, draw = draw,
    pointer = function(node, phase, x, y)
        Button.pointer(node, phase, x, y, open)
    end,
}

return Tree.kinds
