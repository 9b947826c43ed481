-- The lines of a text field: which part of the text is in each, which show, and where the caret is.
-- Only what shows is laid out, so that a text of a million characters costs no more than a short one.
--
-- A single line shows from byte `first_shown` on. Texts of more lines are broken to the field's width;
-- those above WRAPPED_BYTES only at line feeds, and then the line with the caret, `shifted_line`, shows
-- from `first_shown` on.
--
-- Coordinates: units, from the upper left corner of the text's place in the field.

local Characters = require "core/gui/characters"
local Text = require "core/gui/kinds/text"
local Theme = require "core/gui/theme"
local Tree = require "core/gui/tree"

local M = {}

local WRAPPED_BYTES = 16384
local BYTES_OF_EM = 6 -- more bytes than are in the width of a letter m, of any script
local STEP_BYTES = 24   -- by which a single line moves when the caret leaves it

local NO_OPTIONS = { wrap = false }

function M.start(node)
    node.first_shown, node.scroll_lines = 1, 0
    node.lines = { 1, 1 } -- start and stop of each line in what the editor displays
    node.broken_text, node.shifted_line = nil, nil
end

local function pixels(node)
    return Theme.text_size(node.screen) * node.screen.scale
end

-- Returns the height of a line.
function M.line_height(node)
    local screen = node.screen
    local size = pixels(node)
    if node.line_pixels ~= size then
        local _, h = Text.measure(screen, "Ag", Theme.font(screen), Theme.text_size(screen), nil, NO_OPTIONS)
        node.line_pixels, node.line_h = size, h
    end
    return node.line_h
end

-- Returns the room above and below the text.
function M.margin(node)
    if node.props.is_multi_line then
        return node.screen.theme.sizes.padding
    end
    return math.max(0, (Theme.control_size(node.screen, "control") - M.line_height(node)) / 2)
end

-- --- Breaking ------------------------------------------------------------------------------------

-- Adds the lines of a paragraph, which starts at byte `start` of the display.
local function add_paragraph(node, lines, paragraph, start, width)
    local screen = node.screen
    if paragraph == "" or not width then
        table.insert(lines, start)
        table.insert(lines, start + #paragraph)
        return
    end
    local place = 1
    for _, line in ipairs(Gui.word_wrap(screen.gui, paragraph, Theme.font(screen), pixels(node), width)) do
        local first = paragraph:find(line, place, true) or place
        if place > 1 then
            lines[#lines] = start + first - 1 -- the space where it was broken is in the line before
        end
        table.insert(lines, start + first - 1)
        place = first + #line
        table.insert(lines, start + place - 1)
    end
    lines[#lines] = start + #paragraph
end

-- Breaks what the editor displays into lines again, when it is another text or width.
local function break_lines(node, width)
    local text = node.editor:display()
    width = math.floor(width * node.screen.scale)
    if text == node.broken_text and width == node.broken_width and pixels(node) == node.broken_pixels then
        return
    end
    node.broken_text, node.broken_width, node.broken_pixels = text, width, pixels(node)
    local lines = {}
    node.lines, node.shifted_line = lines, nil
    if not node.props.is_multi_line then
        lines[1], lines[2] = 1, #text + 1
        return
    end
    local start, wraps = 1, #text <= WRAPPED_BYTES
    repeat
        local stop = text:find("\n", start, true)
        add_paragraph(node, lines, text:sub(start, (stop or 0) - 1), start, wraps and width or nil)
        start = stop and stop + 1
    until not start
end

-- Returns the number of the line with a place, from 0.
local function line_of(node, place)
    local lines = node.lines
    local low, high = 0, #lines / 2 - 1
    while low < high do -- the last line that starts at or before the place
        local middle = math.ceil((low + high) / 2)
        if lines[2 * middle + 1] <= place then
            low = middle
        else
            high = middle - 1
        end
    end
    return low
end

-- Returns how many bytes of a line can show.
local function most_shown(node)
    return math.ceil(node.broken_width / pixels(node) * BYTES_OF_EM) + 32
end

-- Returns the part of a line that shows: first byte, text.
local function shown_part(node, line)
    local text = node.broken_text
    local first, stop = node.lines[2 * line + 1], node.lines[2 * line + 2]
    if line == node.shifted_line then
        first = node.first_shown
    end
    local most = most_shown(node)
    if stop - first > most then
        stop = Characters.start_of(text, first + most)
    end
    return first, text:sub(first, stop - 1)
end

-- Returns the x of a place in a line, in units.
local function x_of(node, line, place)
    local first, part = shown_part(node, line)
    if part == "" or place < first then
        return 0
    end
    local x = Gui.caret_position(node.screen.gui, part, Theme.font(node.screen), pixels(node),
        math.min(place - first, #part) + 1, NO_OPTIONS)
    return x / node.screen.scale
end

-- --- The caret -----------------------------------------------------------------------------------

-- Moves the part of a line that shows to the caret in it.
local function follow_in_line(node, line, caret, width)
    local text, most = node.broken_text, most_shown(node)
    local start, stop = node.lines[2 * line + 1], node.lines[2 * line + 2]
    if line ~= node.shifted_line then
        node.shifted_line = line
        node.first_shown = Characters.start_of(text, math.max(start, math.min(node.first_shown, stop)))
    end
    if stop - start < most then
        node.first_shown = start
        if x_of(node, line, stop) <= width then
            return
        end
    end
    if caret < node.first_shown or node.first_shown >= stop then
        node.first_shown = Characters.start_of(text, math.max(start, caret - STEP_BYTES))
    elseif caret - node.first_shown > most then
        node.first_shown = Characters.start_of(text, caret - math.floor(most / 2))
    end
    local x = x_of(node, line, caret)
    while x > width and node.first_shown < caret do
        local ahead = math.max(1, math.floor((caret - node.first_shown) * (x - width) / x))
        local place, to = node.first_shown, math.min(node.first_shown + ahead, caret)
        while place < to do
            place = Characters.next(text, place)
        end
        node.first_shown = place
        x = x_of(node, line, caret)
    end
end

-- Scrolls so that the caret shows in a place of this size.
function M.follow_caret(node, width, height)
    break_lines(node, width)
    local _, caret = node.editor:display()
    if not node.props.is_multi_line then
        follow_in_line(node, 0, caret, width)
        return
    end
    local line, rows = line_of(node, caret), math.max(1, math.floor(height / M.line_height(node)))
    if line < node.scroll_lines then
        node.scroll_lines = line
    elseif line >= node.scroll_lines + rows then
        node.scroll_lines = line - rows + 1
    end
    node.scroll_lines = math.max(0, math.min(node.scroll_lines, #node.lines / 2 - rows))
    if #node.broken_text > WRAPPED_BYTES then
        follow_in_line(node, line, caret, width)
    end
end

-- Scrolls by a distance. Returns whether it did.
function M.scroll(node, distance, height)
    local rows = math.max(1, math.floor(height / M.line_height(node)))
    local lines = distance > 0 and math.ceil(distance / M.line_height(node)) or
        math.floor(distance / M.line_height(node))
    local to = math.max(0, math.min(node.scroll_lines + lines, #node.lines / 2 - rows))
    if to == node.scroll_lines then
        return false
    end
    node.scroll_lines = to
    Tree.redraw(node)
    return true
end

-- Returns x, y and height of the caret.
function M.caret_place(node)
    local _, caret = node.editor:display()
    local line, h = line_of(node, caret), M.line_height(node)
    return x_of(node, line, caret), (line - node.scroll_lines) * h, h
end

local function place_in_line(node, line, x)
    local first, part = shown_part(node, line)
    if part == "" then
        return first
    end
    local at = Gui.hit_test(node.screen.gui, part, Theme.font(node.screen), pixels(node),
        Vector2(x * node.screen.scale, 0), NO_OPTIONS)
    return first + at - 1
end

-- Returns the place in the editor's text that is nearest to a point.
function M.place_at(node, x, y)
    local line = node.scroll_lines + math.floor(y / M.line_height(node))
    line = math.max(0, math.min(line, #node.lines / 2 - 1))
    return node.editor:place_of_display(place_in_line(node, line, x))
end

-- Returns the place that is some lines below the caret (above: negative).
function M.place_beside(node, count)
    local _, caret = node.editor:display()
    local line = line_of(node, caret)
    local to = line + count
    if to < 0 then
        return 1
    elseif to > #node.lines / 2 - 1 then
        return #node.editor.text + 1
    end
    return node.editor:place_of_display(place_in_line(node, to, x_of(node, line, caret)))
end

-- --- Drawing -------------------------------------------------------------------------------------

local TEXT = { align = "left", vertical = "middle", wrap = false }

local function draw_range(node, painter, line, start, stop, x, y, h, color)
    local first, last = node.lines[2 * line + 1], node.lines[2 * line + 2]
    local from, to = math.max(start, first), math.min(stop, last)
    local has_end = start <= last and stop > last and node.broken_text:byte(last) == 10
    if from < to or has_end then
        local left, right = x_of(node, line, from), x_of(node, line, to) + (has_end and 4 or 0)
        painter.rect(x + math.min(left, right), y, math.abs(right - left), h, painter.FRONT, color)
    end
end

-- Draws the lines that show, the selection and the caret.
function M.draw(node, painter, x, y, width, height, color, shows_caret)
    break_lines(node, width)
    local screen, h = node.screen, M.line_height(node)
    local _, _, start, stop, from, to = node.editor:display()
    local last = math.min(#node.lines / 2 - 1, node.scroll_lines + math.ceil(height / h))
    for line = node.scroll_lines, last do
        local top = y + (line - node.scroll_lines) * h
        local _, part = shown_part(node, line)
        if screen.focused == node then
            draw_range(node, painter, line, start, stop, x, top, h, "selection")
        end
        draw_range(node, painter, line, from, to, x, top + h - 2, 2, "accent")
        if part ~= "" then
            painter.text(part, Theme.font(screen), Theme.text_size(screen), x, top, 1e5, h, painter.TOP,
                color, TEXT)
        end
    end
    if shows_caret then
        local caret_x, caret_y = M.caret_place(node)
        painter.rect(x + caret_x, y + caret_y, screen.theme.sizes.caret, h, painter.TOP, "caret")
    end
end

return M
