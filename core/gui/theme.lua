-- Themes: what all widgets of a screen look like. The values are in a resource of the type
-- gui_theme, which reloads while the game runs; this file looks them up by name.

local M = {}

-- Returns a number of the theme: `size` is a number, or the name of a size.
function M.size(screen, size)
    if type(size) == "number" then
        return size
    end
    return screen.theme.sizes[size]
end

-- Returns a size of text in units: a number, or the name of a size. It grows with the text scale.
function M.text_size(screen, size)
    return M.size(screen, size or "text") * screen.text_scale
end

-- Returns a size of a control in units, which grows with the text as far as it must.
function M.control_size(screen, name)
    return screen.theme.sizes[name] * math.max(1, screen.text_scale)
end

-- Returns the name of a font resource: `font` is one, or the name of a font of the theme.
function M.font(screen, font)
    return screen.theme.fonts[font or "text"] or font
end

-- Returns a colour for the Gui: `color` is the name of one of the theme, or {red, green, blue} or
-- {alpha, red, green, blue} from 0 to 255. A temporary of this frame.
function M.color(screen, color)
    local c = type(color) == "string" and screen.theme.colors[color] or color
    if #c == 3 then
        return Color(c[1], c[2], c[3])
    end
    return Color(c[1], c[2], c[3], c[4])
end

return M
