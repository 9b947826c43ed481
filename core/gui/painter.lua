-- Draws nodes. A node owns objects of a kept Gui: drawing it again updates them in the order of the
-- calls, makes those that are new, and destroys those that are left.
--
-- Coordinates are the node's own: units, x to the right and y down from its upper left corner. The
-- Gui counts pixels from the lower left corner.

local Theme = require "core/gui/theme"

local M = {}

-- Layers of a node: a child's are above.
M.BACK, M.FRONT, M.TOP = 0, 1, 2
M.LAYERS = 3 -- of a node
-- Above the children of a node that scrolls.
M.OVER = 600

local current            -- the node that is drawn
local gui, scale, bottom -- of its screen; the height of the view in pixels
local count              -- how many objects it has so far
local num_clips          -- how many clip rectangles are open

local function round(x)
    return math.floor(x + 0.5)
end

-- Returns the id of the node's next object when that is of this kind; destroys it when it is not.
local function take(kind)
    count = count + 1
    local objects, kinds = current.objects, current.object_kinds
    local id = objects[count]
    if id and kinds[count] ~= kind then
        Gui.destroy(gui, id)
        objects[count], id = nil, nil
    end
    kinds[count] = kind
    return id
end

-- Returns position and size in pixels of a rectangle of the node. Edges are on whole pixels.
local function place(x, y, w, h, layer)
    local left, top = round((current.left + x) * scale), round((current.top + y) * scale)
    local right, low = round((current.left + x + w) * scale), round((current.top + y + h) * scale)
    return Vector3(left, bottom - low, current.layer + layer), Vector2(right - left, low - top)
end

-- Draws a rectangle with round corners; `border` (units) and `border_color` may be nil.
function M.box(x, y, w, h, layer, radius, color, border, border_color)
    local screen = current.screen
    local fill = color and Theme.color(screen, color) or Color(0, 0, 0, 0)
    local width = border and border > 0 and border_color and math.max(1, round(border * scale)) or 0
    local line = width > 0 and Theme.color(screen, border_color) or nil
    local id = take("box")
    local position, size = place(x, y, w, h, layer)
    if id then
        Gui.update_rounded_rect(gui, id, position, size, radius * scale, fill, width, line)
    else
        current.objects[count] = Gui.rounded_rect(gui, position, size, radius * scale, fill, width, line)
    end
end

-- Draws a rectangle.
function M.rect(x, y, w, h, layer, color)
    local id = take("rect")
    local position, size = place(x, y, w, h, layer)
    if id then
        Gui.update_rect(gui, id, position, size, Theme.color(current.screen, color))
    else
        current.objects[count] = Gui.rect(gui, position, size, Theme.color(current.screen, color))
    end
end

-- Draws a picture: `options` (kept by the caller) may have rotation, uv_borders and borders in pixels.
function M.bitmap(x, y, w, h, layer, material, color, options)
    local id = take("bitmap")
    local position, size = place(x, y, w, h, layer)
    local tint = color and Theme.color(current.screen, color) or nil
    if id then
        Gui.update_bitmap(gui, id, material, position, size, tint, options)
    else
        current.objects[count] = Gui.bitmap(gui, material, position, size, tint, options)
    end
end

-- Draws text in a rectangle. `text_size` is in units, the text scale included. `options` is a table
-- of Gui.text, kept by the caller; its width and height are set here.
function M.text(text, font, text_size, x, y, w, h, layer, color, options)
    local id = take("text")
    local position, size = place(x, y, w, h, layer)
    options.width, options.height = math.max(size.x, 1), math.max(size.y, 1)
    local tint = Theme.color(current.screen, color)
    if id then
        Gui.update_text(gui, id, text, font, text_size * scale, nil, position, tint, options)
    else
        current.objects[count] = Gui.text(gui, text, font, text_size * scale, nil, position, tint, options)
    end
end

-- Draws lines between points {x1, y1, x2, y2, …}.
function M.line(points, width, layer, color)
    local moved = {}
    for i = 1, #points, 2 do
        table.insert(moved, Vector2((current.left + points[i]) * scale,
            bottom - (current.top + points[i + 1]) * scale))
    end
    local id, tint = take("line"), Theme.color(current.screen, color)
    if id then
        Gui.update_polyline(gui, id, moved, width * scale, current.layer + layer, tint)
    else
        current.objects[count] = Gui.polyline(gui, moved, width * scale, current.layer + layer, tint)
    end
end

-- Draws the frame that shows where the focus is, when this node has it and it is to be seen.
function M.focus(radius)
    local screen = current.screen
    if screen.focused == current and screen.shows_focus then
        local width = screen.theme.sizes.focus
        M.box(-width, -width, current.w + 2 * width, current.h + 2 * width, M.TOP, radius + width,
            nil, width, "focus")
    end
end

local function push_clip(position, size)
    Gui.push_clip(gui, position, size)
    num_clips = num_clips + 1
end

-- Cuts off what is drawn until M.unclip at a rectangle of the node.
function M.clip(x, y, w, h)
    push_clip(place(x, y, w, h, 0))
end

function M.unclip()
    Gui.pop_clip(gui)
    num_clips = num_clips - 1
end

local function pop_clips()
    while num_clips > 0 do
        M.unclip()
    end
end

local function is_outside(node, clip)
    local margin = 8 -- frames of focus
    return node.left - margin >= clip.right or node.left + node.w + margin <= clip.left or
        node.top - margin >= clip.bottom or node.top + node.h + margin <= clip.top
end

-- Destroys the objects of a node from number `first` on.
function M.erase(node, first)
    local objects = node.objects
    for i = table.maxn(objects), first or 1, -1 do
        if objects[i] then -- an error in M.draw may leave holes
            Gui.destroy(node.screen.gui, objects[i])
            objects[i] = nil
        end
    end
end

-- Draws a node again. After an error, call M.give_up.
function M.draw(node)
    local screen, clip = node.screen, node.clip
    gui, scale, bottom, num_clips = screen.gui, screen.scale, screen.pixel_height, 0
    if node.w <= 0 or node.h <= 0 or not node.kind.draw or clip and is_outside(node, clip) then
        M.erase(node)
        return
    end
    current, count = node, 0
    if clip then
        push_clip(Vector2(round(clip.left * scale), bottom - round(clip.bottom * scale)),
            Vector2(math.max(0, round(clip.right * scale) - round(clip.left * scale)),
                math.max(0, round(clip.bottom * scale) - round(clip.top * scale))))
    end
    node.kind.draw(node, M)
    pop_clips()
    M.erase(node, count + 1)
end

-- After an error in M.draw: ends its clip rectangles, and destroys what it drew.
function M.give_up(node)
    pop_clips()
    M.erase(node)
end

return M
