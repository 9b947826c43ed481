-- Labels, and what all widgets with text need: measuring and drawing it.

local Fields = require "core/gui/fields"
local Theme = require "core/gui/theme"
local Tree = require "core/gui/tree"

local M = {}

-- Returns width and height in units of a text, broken to a width when there is one.
function M.measure(screen, text, font, text_size, width, options)
    if text == "" then
        text = " "
    end
    local scale = screen.scale
    options.width, options.height = width and math.max(1, width * scale) or nil, nil
    local least, most = Gui.text_extents(screen.gui, text, font, text_size * scale, options)
    -- A little more, so that rounding to pixels breaks no line.
    return (most.x - math.min(least.x, 0)) / scale + 1 / scale, (most.y - least.y) / scale
end

local function options_of(node)
    local props, options = node.props, node.text_options or {}
    node.text_options = options
    options.align, options.vertical = props.text_align or "start", "middle"
    options.markup, options.max_lines = props.markup or false, props.max_lines or 0
    options.wrap, options.ellipsis = props.wrap == true, not props.wrap or props.max_lines ~= nil
    return options
end

local function measure_label(node, width)
    local props, screen = node.props, node.screen
    local options = options_of(node)
    options.ellipsis = false
    return M.measure(screen, tostring(props.text or ""), Theme.font(screen, props.font),
        Theme.text_size(screen, props.size), props.wrap and width or nil, options)
end

Tree.kinds.label = {
    name = "label", is_stateless = true, paints = { color = true, text_align = true },
    fields = Fields.make {
        text = "text", font = "string", size = "text_size", color = "color", wrap = "boolean",
        markup = "boolean", max_lines = "count",
        text_align = Fields.words("start", "center", "end", "justify", "left", "right"),
    },
    measure = measure_label,
    draw = function(node, painter)
        local props, screen = node.props, node.screen
        painter.text(tostring(props.text or ""), Theme.font(screen, props.font),
            Theme.text_size(screen, props.size), 0, 0, node.w, node.h, painter.FRONT,
            props.color or "text", options_of(node))
    end,
}

-- A picture: the texture of a material. Without width and height it has no size of its own.
Tree.kinds.image = {
    name = "image", is_stateless = true, paints = { color = true, material = true },
    fields = Fields.make {
        material = "string", color = "color", uv_borders = "any", borders = "any", rotation = "number",
    },
    draw = function(node, painter)
        local props = node.props
        local options = node.picture_options or {}
        node.picture_options = options
        options.uv_borders, options.rotation = props.uv_borders, props.rotation
        options.borders = type(props.borders) == "number" and props.borders * node.screen.scale or props.borders
        painter.bitmap(0, 0, node.w, node.h, painter.FRONT, props.material, props.color, options)
    end,
}

return M
