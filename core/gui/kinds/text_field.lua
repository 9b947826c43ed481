-- Text fields: what a field shows and how the mouse and keys reach its text. The text itself is in
-- text_editor.lua, the lines that show in text_lines.lua.

local Fields = require "core/gui/fields"
local Lines = require "core/gui/text_lines"
local Theme = require "core/gui/theme"
local TextEditor = require "core/gui/text_editor"
local Tree = require "core/gui/tree"

local LEFT = { align = "left", vertical = "middle", wrap = false, direction = "auto" }

local function padding(node)
    return node.screen.theme.sizes.padding
end

-- The inside of the field: what the text has, in units.
local function inner_size(node)
    return math.max(1, node.w - 2 * padding(node)), math.max(1, node.h - 2 * Lines.margin(node))
end

-- After anything that may have changed the editor: shows it, and calls `on_change` after another text.
local function follow(node)
    local editor = node.editor
    if editor.revision == node.revision and editor.caret == node.seen_caret and editor.anchor == node.seen_anchor then
        return
    end
    node.revision, node.seen_caret, node.seen_anchor = editor.revision, editor.caret, editor.anchor
    node.blink = 0
    Lines.follow_caret(node, inner_size(node))
    Tree.redraw(node)
    if editor.text ~= node.seen_text then
        node.seen_text = editor.text
        node.screen:call(node.props.on_change, editor.text, node)
    end
    if node.screen.focused == node then
        local x, y, h = Lines.caret_place(node)
        local scale = node.screen.scale
        Window.set_text_area((node.left + padding(node) + x) * scale,
            (node.top + Lines.margin(node) + y) * scale, 1, h * scale)
    end
end

-- --- Keys ----------------------------------------------------------------------------------------

local MOVES = {
    left = "previous", right = "next", home = "line_start", ["end"] = "line_end",
}
local FAR_MOVES = {
    left = "previous_word", right = "next_word", home = "text_start", ["end"] = "text_end",
}
local VERTICAL = { up = -1, down = 1, ["page up"] = -8, ["page down"] = 8 }

local keys, ctrl_keys = {}, {}

function keys.backspace(editor) editor:delete_previous() end
keys["delete"] = function(editor) editor:delete_next() end

function ctrl_keys.backspace(editor) editor:delete_previous_word() end
ctrl_keys["delete"] = function(editor) editor:delete_next_word() end
function ctrl_keys.a(editor) editor:select_all() end
function ctrl_keys.y(editor) editor:redo() end

function ctrl_keys.z(editor, held)
    if held.shift then
        editor:redo()
    else
        editor:undo()
    end
end

function ctrl_keys.c(editor)
    if editor:has_selection() and not editor.is_password then
        Window.set_clipboard(editor:selected_text())
    end
end

function ctrl_keys.x(editor)
    ctrl_keys.c(editor)
    if not editor.is_password then
        editor:cut()
    end
end

function ctrl_keys.v(editor)
    editor:paste(Window.clipboard())
end

local function on_enter(node, held)
    if node.props.is_multi_line and not held.ctrl then
        node.editor:insert("\n")
    else
        node.screen:call(node.props.on_submit, node.editor.text, node)
    end
end

-- Returns the letter that a key types: names of keys are those of the American layout. A layout
-- without Latin letters has the shortcuts where the American one has them.
local function letter_of(name)
    local typed = Keyboard.button_locale_name(Keyboard.button_id(name)):lower()
    if typed:find("^%a$") or not typed:find("[\128-\255]") and name:find("^%a$") then
        return typed
    end
    return name
end

-- Whether an input method has the keys: it composes a text, or did when this frame began.
local function is_composing(node)
    return node.editor.composition ~= "" or node.composed_at == node.screen.time
end

local function on_key(node, name, held)
    if is_composing(node) then
        return
    end
    local editor = node.editor
    name = held.ctrl and letter_of(name) or name
    local move = (held.ctrl and FAR_MOVES or MOVES)[name]
    local act = (held.ctrl and ctrl_keys or keys)[name]
    if move then
        editor:move(move, held.shift)
    elseif act then
        act(editor, held)
    elseif name == "enter" or name == "numpad enter" then
        on_enter(node, held)
    elseif VERTICAL[name] and node.props.is_multi_line then
        editor:set_caret(Lines.place_beside(node, VERTICAL[name]), held.shift)
    end
    follow(node)
end

-- --- Mouse ---------------------------------------------------------------------------------------

local function pointer(node, phase, x, y)
    if phase == "enter" or phase == "leave" then
        node.is_hovered = phase == "enter"
        Tree.redraw(node)
        return
    elseif phase ~= "press" and phase ~= "drag" then
        return
    end
    local editor, presses = node.editor, node.screen.num_presses
    local place = Lines.place_at(node, x - padding(node), y - Lines.margin(node))
    if phase == "press" and presses == 2 then
        editor:select_word(place)
    elseif phase == "press" and presses >= 3 then
        editor:select_line(place)
    elseif phase == "press" or presses < 2 then
        editor:set_caret(place, phase == "drag" or node.screen.held.shift)
    end
    follow(node)
end

local function wheel(node, _, y)
    return node.props.is_multi_line and Lines.scroll(node, -y, select(2, inner_size(node)))
end

-- --- Drawing -------------------------------------------------------------------------------------

local function draw_placeholder(node, painter)
    local w, h = inner_size(node)
    painter.text(node.props.placeholder, Theme.font(node.screen), Theme.text_size(node.screen),
        padding(node), Lines.margin(node), w, math.min(h, Lines.line_height(node)), painter.FRONT,
        "text_dim", LEFT)
end

local function draw(node, painter)
    local sizes, editor = node.screen.theme.sizes, node.editor
    local has_focus, is_disabled = node.screen.focused == node, Tree.is_disabled(node)
    painter.box(0, 0, node.w, node.h, painter.BACK, sizes.radius, "track", sizes.border,
        has_focus and "accent" or node.is_hovered and not is_disabled and "accent" or "control_border")
    local w, h = inner_size(node)
    painter.clip(padding(node) - 2, 1, w + 4, node.h - 2)
    if node.props.placeholder and editor.text == "" and editor.composition == "" then
        draw_placeholder(node, painter)
    end
    Lines.draw(node, painter, padding(node), Lines.margin(node), w, h, is_disabled and "text_dim" or "text",
        has_focus and node.blink < node.screen.theme.times.caret)
    painter.unclip()
    painter.focus(sizes.radius)
end

-- --- The kind ------------------------------------------------------------------------------------

-- Options of the editor, with what they are when the description does not have them.
local OPTIONS = { max_length = math.huge, is_multi_line = false, is_password = false, is_read_only = false }

-- Sets the editor's options. Returns whether one is another.
local function set_options(node)
    local props, editor, options, is_changed = node.props, node.editor, {}, false
    for name, default in pairs(OPTIONS) do
        local value = props[name]
        if value == nil then
            value = default
        end
        if value ~= editor[name] then
            options[name], is_changed = value, true
        end
    end
    if is_changed then
        editor:set_options(options)
    end
    if options.is_multi_line ~= nil then
        Lines.start(node)
    end
    editor.filter = props.filter or false -- a new function in each frame changes nothing that shows
    return is_changed
end

local function change(node)
    local editor, is_changed = node.editor, set_options(node)
    local text = node.props.text ~= nil and tostring(node.props.text) or editor.text
    -- The editor cleans a text, and cuts it: what it made of the same one before is right.
    local is_there = text == editor.text or
        text == node.given_text and editor.text == node.kept_text and not is_changed
    if not is_there then
        editor:set_text(text)
        node.given_text, node.kept_text = text, editor.text
    end
    node.seen_text = editor.text
    follow(node)
end

local function measure(node)
    local rows = node.props.is_multi_line and (node.props.rows or 4) or 1
    return 0, rows * Lines.line_height(node)
end

-- Remembers that there was a composition in this frame; call it before it changes.
local function note_composition(node)
    if node.editor.composition ~= "" then
        node.composed_at = node.screen.time
    end
end

-- Typing is reported while a field has the focus; then again as it was before.
local function start_text_input(node)
    node.had_text_input = Window.text_input()
    Window.set_text_input(true)
end

local function stop_text_input(node)
    if node.had_text_input ~= nil then
        Window.set_text_input(node.had_text_input)
        node.had_text_input = nil
    end
end

local function blur(node)
    node.screen.timed[node] = nil
    stop_text_input(node)
    node.editor:set_composition("")
    follow(node)
end

Tree.kinds.text_field = {
    name = "text_field", takes_focus = true, takes_text = true, drags = true,
    paints = { text = true, placeholder = true, disabled = true },
    fields = Fields.make {
        text = "text", placeholder = "string", max_length = "count", rows = "size",
        filter = function(value)
            return not TextEditor.is_filter(value) and 'a function or "digits"' or nil
        end,
        is_multi_line = "boolean", is_password = "boolean", is_read_only = "boolean",
        on_change = "function", on_submit = "function",
    },
    style = function(node)
        local x, y = padding(node), Lines.margin(node)
        return { min_height = Theme.control_size(node.screen, "control"), min_width = 120,
            padding = { x, y, x, y } }
    end,
    start = function(node)
        node.editor = TextEditor.new()
        node.blink, node.revision, node.seen_text = 0, -1, ""
        Lines.start(node)
    end,
    takes_lines = function(node)
        return node.props.is_multi_line
    end,
    arrange = function(node)
        Lines.follow_caret(node, inner_size(node))
    end,
    focus = function(node)
        node.blink, node.screen.timed[node] = 0, true
        start_text_input(node)
        if node.screen.shows_focus and not node.props.is_multi_line then
            node.editor:select_all()
        end
        follow(node)
    end,
    tick = function(node, dt)
        local time = node.screen.theme.times.caret
        local before = node.blink < time
        node.blink = (node.blink + dt) % math.max(2 * time, 0.01)
        if before ~= (node.blink < time) then
            Tree.redraw(node)
        end
    end,
    action = is_composing, -- done then: escape ends the composition, and cancels nothing else
    text = function(node, text)
        note_composition(node)
        node.editor:set_composition("")
        node.editor:insert(text)
        follow(node)
    end,
    editing = function(node, text, cursor)
        note_composition(node)
        node.editor:set_composition(text, cursor)
        follow(node)
    end,
    stop = stop_text_input, -- also of a field that goes away with the focus
    change = change, measure = measure, blur = blur, key = on_key, pointer = pointer, wheel = wheel,
    draw = draw,
}

return Tree.kinds
