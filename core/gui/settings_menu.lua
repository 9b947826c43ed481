-- Rows for the settings of a game: volumes, the window, the size of letters, keys and buttons. What
-- the player changes counts at once, and stays for the next start once Settings.save was called.
--
--     local Settings = require "core/gui/settings_menu"
--     Settings.apply(screen)                       -- at the start
--     screen:show(Widgets.panel {
--         Settings.volume("master", "Volume"), Settings.resolution("Resolution"),
--         Settings.fullscreen("Full screen"), Settings.text_scale(screen, "Size of text"),
--         Settings.binding("jump", "Jump"),
--     })
--
-- The player's settings (docs/user_settings.md) have them under "menu".

local Fields = require "core/gui/fields"
local Tree = require "core/gui/tree"
local Widgets = require "core/gui/widgets"

local M = {}

local LABEL_WIDTH, CONTROL_WIDTH = 220, 260

-- A label with a control beside it: a row of a page of settings.
function M.row(text, control)
    control.width = control.width or CONTROL_WIDTH
    return Widgets.row { align = "center", gap = 16, justify = "space_between",
        Widgets.label { text = text, min_width = LABEL_WIDTH }, control }
end

-- Writes the player's settings and bindings to disk.
function M.save()
    Application.save_user_settings()
    Input.save()
end

-- Returns what the player chose, or nil. What is no number in the range, in a file that was changed by
-- hand, is left out with a line in the log.
local function stored_number(name, least, most)
    local value = Application.user_setting("menu", name)
    if value == nil or type(value) == "number" and value >= least and value <= most then
        return value
    end
    print(string.format("warning: the player's setting menu.%s is left out: found %s; expected a number from %g to %g",
        name, tostring(value), least, most))
    return nil
end

local MOST_PIXELS = 16384 -- of Window.set_resolution

-- Brings back what the player chose: call it once for a screen, at the start.
function M.apply(screen)
    local scale = stored_number("text_scale", 0.5, 4)
    if scale then
        screen:set_text_scale(scale)
    end
    local width, height = stored_number("width", 1, MOST_PIXELS), stored_number("height", 1, MOST_PIXELS)
    if width and height then
        Window.set_resolution(nil, math.floor(width), math.floor(height))
    end
    if Application.user_setting("menu", "fullscreen") == true then
        Window.set_fullscreen(nil, true)
    end
end

-- --- Sound and picture ---------------------------------------------------------------------------

-- A slider of the player's volume of a bus (docs/formats/sound_bus.md).
function M.volume(bus, text)
    return M.row(text, Widgets.slider {
        id = "volume_" .. bus, value = SoundWorld.bus_volume(bus), step = 0.05,
        on_change = function(volume) SoundWorld.set_bus_volume(bus, volume) end,
    })
end

-- A slider of the size of letters.
function M.text_scale(screen, text)
    return M.row(text, Widgets.slider {
        id = "text_scale", value = screen.text_scale, least = 0.75, most = 2, step = 0.25,
        -- On release: the widgets move while they get another size.
        on_release = function(scale)
            screen:set_text_scale(scale)
            Application.set_user_setting("menu", "text_scale", scale)
        end,
    })
end

local SIZES = { { 1280, 720 }, { 1600, 900 }, { 1920, 1080 }, { 2560, 1440 }, { 3840, 2160 } }

-- Returns the sizes to choose from: those of the display, or the usual ones, and what it is now.
local function resolutions()
    local list, seen = {}, {}
    local function add(width, height)
        local text = string.format("%d x %d", width, height)
        if not seen[text] then
            seen[text] = true
            table.insert(list, { width = width, height = height, text = text })
        end
    end
    add(Gui.resolution())
    if DisplayAdapter.num_adapters() > 0 and DisplayAdapter.num_outputs(1) > 0 then
        for i = 1, DisplayAdapter.num_modes(1, 1) do
            add(DisplayAdapter.mode(1, 1, i))
        end
    end
    for _, size in ipairs(#list == 1 and SIZES or {}) do
        add(size[1], size[2])
    end
    table.sort(list, function(a, b)
        return a.width < b.width or a.width == b.width and a.height < b.height
    end)
    return list
end

-- A choice of the size of the window.
function M.resolution(text)
    local list, texts, current = resolutions(), {}, nil
    local width, height = Gui.resolution()
    for i, size in ipairs(list) do
        texts[i] = size.text
        if size.width == width and size.height == height then
            current = i
        end
    end
    return M.row(text, Widgets.drop_down {
        id = "resolution", options = texts, value = current,
        on_change = function(i)
            if Window.set_resolution(nil, list[i].width, list[i].height) then
                Application.set_user_setting("menu", "width", list[i].width)
                Application.set_user_setting("menu", "height", list[i].height)
            end
        end,
    })
end

-- A check box that makes the window fill the desktop.
function M.fullscreen(text)
    return M.row(text, Widgets.check_box {
        id = "fullscreen", value = Window.is_fullscreen(),
        on_change = function(is_full)
            Window.set_fullscreen(nil, is_full)
            Application.set_user_setting("menu", "fullscreen", is_full)
        end,
    })
end

-- --- Keys and buttons ----------------------------------------------------------------------------

local function control_of(node)
    local props = node.props
    local binding = Input.bindings(props.action)[props.slot or 1]
    if type(binding) == "table" then
        binding = binding[props.part or "control"]
    end
    return binding or "none"
end

local function name_of(control)
    return control == "none" and "–" or Input.control_name(control)
end

local function capture(node)
    node.is_capturing = true
    node.screen.timed[node] = true
    Input.start_capture()
    Tree.rebuild(node)
end

local function stop_capture(node)
    node.is_capturing = false
    node.screen.timed[node] = nil
    Input.stop_capture()
end

-- A button with the control that triggers an action. Pressing it waits for another; escape keeps the
-- old one.
Widgets.add_kind {
    name = "binding",
    fields = Fields.make { action = "string", slot = "number", part = "string", waiting = "text",
        on_change = "function" },
    style = function() return { align = "stretch" } end,
    build = function(node)
        local text = node.is_capturing and (node.props.waiting or "Press a key …") or name_of(control_of(node))
        return { Widgets.button { text = text, on_press = function()
            if not node.is_gone and not node.is_capturing then
                capture(node)
            end
        end } }
    end,
    tick = function(node)
        local control = Input.captured()
        if not control then
            return
        end
        stop_capture(node)
        if control ~= "keyboard.esc" then
            local props = node.props
            Input.bind(props.action, props.slot or 1, control, props.part)
            node.screen:call(props.on_change, control, node)
        end
        Tree.rebuild(node)
    end,
    stop = function(node)
        if node.is_capturing then
            stop_capture(node)
        end
    end,
}

-- A row to change the control in a slot (1) of an action, or a part of it ("up").
function M.binding(action, text, slot, part)
    return M.row(text, Widgets.binding {
        id = "binding_" .. action .. "_" .. (slot or 1) .. (part and "_" .. part or ""),
        action = action, slot = slot, part = part,
    })
end

return M
