-- The menus: the title, the pause and the settings. While one shows, the game waits behind
-- it, except behind the title: there the fox plays by itself.

local Controls = require "scripts/controls"
local Saves = require "scripts/saves"
local Settings = require "core/gui/settings_menu"
local Widgets = require "core/gui/widgets"

Menu = Menu or { screen = nil, page = nil, back = nil }  -- the page that shows; the one behind it

local M = {}

local WIDTH, HEIGHT = 1280, 720  -- what the layout is made for; other views are scaled
local KEYS = {  -- action, what it does, slot, part
    { "move", "Run forward", 1, "up" }, { "move", "Run back", 1, "down" },
    { "move", "Run left", 1, "left" }, { "move", "Run right", 1, "right" },
    { "jump", "Jump", 1 }, { "restart", "Start over", 1 }, { "more_crates", "More crates", 1 },
}
local PAD_BUTTONS = {
    { "jump", "Jump", 2 }, { "restart", "Start over", 2 }, { "more_crates", "More crates", 2 },
}

local pages = {}

-- Shows a page of the menu; nil: the game goes on.
function M.show(page)
    Menu.page = page
    local widgets = page and pages[page]() or nil
    if widgets then
        widgets.key = page
    end
    Menu.screen:show(widgets)
    Input.set_active("default", page == nil)
    if page then
        Controls.capture_mouse(false)
    end
end

local function go(page)
    return function() M.show(page) end
end

local function settings_from(page)
    return function()
        Menu.back = page
        M.show("settings")
    end
end

local function leave_settings()
    Settings.save()
    M.show(Menu.back)
end

local function quit()
    Application.quit()
end

-- --- Pages ---------------------------------------------------------------------------------------

-- A page in the middle of the view, over the dimmed picture of the game.
local function page_of(options)
    options.padding, options.gap, options.align = 28, 12, "stretch"
    return Widgets.shade { on_cancel = options.on_cancel, color = options.shade or { 120, 10, 12, 20 },
        Widgets.panel(options) }
end

function pages.title()
    return Widgets.column { justify = "center", align = "start", padding = { 96, 0, 0, 0 },
        Widgets.panel { gap = 14, padding = 32, width = 340,
            Widgets.label { text = "Crates", size = 54, font = "title" },
            Widgets.label { text = "A fox, a yard, and all that can be toppled", color = "text_dim", wrap = true },
            Widgets.button { id = "play", text = "Play", is_primary = true, on_press = function()
                Game.start_over()
                M.show(nil)
            end },
            Widgets.button { id = "settings", text = "Settings", on_press = settings_from("title") },
            Widgets.button { id = "quit", text = "Quit", on_press = quit },
        } }
end

function pages.pause()
    return page_of { width = 340, on_cancel = go(nil),
        Widgets.label { text = "Pause", size = "title", font = "title", text_align = "center" },
        Widgets.button { id = "continue", text = "Continue", is_primary = true, on_press = go(nil) },
        Widgets.button { id = "restart", text = "Start over", on_press = function()
            Game.start_over()
            M.show(nil)
        end },
        Widgets.button { id = "save", text = "Save", on_press = function()
            Saves.save(Game)
            M.show(nil)
        end },
        Widgets.button { id = "load", text = "Load", disabled = not Saves.can_load(), on_press = function()
            Saves.load(Game)
            M.show(nil)
        end },
        Widgets.button { id = "settings", text = "Settings", on_press = settings_from("pause") },
        Widgets.button { id = "title", text = "Leave to title", on_press = go("title") },
    }
end

function pages.settings()
    return page_of { on_cancel = leave_settings,
        Widgets.label { text = "Settings", size = "title", font = "title" },
        Settings.volume("master", "Volume"),
        Settings.volume("music", "Music"),
        Settings.volume("effects", "Effects"),
        Settings.resolution("Resolution"),
        Settings.fullscreen("Full screen"),
        Settings.text_scale(Menu.screen, "Size of text"),
        Widgets.row { gap = 12, margin = { 0, 12, 0, 0 },
            Widgets.button { id = "controls", text = "Keys and buttons", grow = 1, on_press = go("controls") },
            Widgets.button { id = "back", text = "Back", grow = 1, is_primary = true, on_press = leave_settings },
        } }
end

local function bindings(list)
    local rows = { gap = 8 }
    for _, key in ipairs(list) do
        table.insert(rows, Settings.binding(key[1], key[2], key[3], key[4]))
    end
    return rows
end

function pages.controls()
    local keys = bindings(KEYS)
    table.insert(keys, Widgets.label { text = "Game pad", size = "small", color = "text_dim" })
    for _, row in ipairs(bindings(PAD_BUTTONS)) do
        table.insert(keys, row)
    end
    keys.height = 380
    return page_of { on_cancel = go("settings"),
        Widgets.label { text = "Keys and buttons", size = "title", font = "title" },
        Widgets.scroll(keys),
        Widgets.row { gap = 12,
            Widgets.button { id = "reset", text = "Reset all", grow = 1, on_press = function()
                Input.reset()
                M.show("controls")
            end },
            Widgets.button { id = "back", text = "Back", grow = 1, is_primary = true, on_press = go("settings") },
        } }
end

-- --- Each frame ----------------------------------------------------------------------------------

function M.start(game)
    Menu.screen = Widgets.new(game.world, { scale = { WIDTH, HEIGHT } })
    Settings.apply(Menu.screen)
end

-- Returns whether a page shows, and whether the game waits behind it.
function M.is_open()
    return Menu.page ~= nil, Menu.page == "pause" or Menu.page ~= nil and Menu.page ~= "title" and Menu.back == "pause"
end

function M.update(dt)
    local is_playing = Menu.page == nil
    Menu.screen:update(dt)
    if is_playing and Input.pressed("pause") then
        M.show("pause")
    end
end

return M
