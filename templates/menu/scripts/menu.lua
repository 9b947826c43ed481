-- The menus: title, pause and settings. Each page is a function that returns its widgets; add yours
-- to `pages`. docs/widgets.md of the engine has all widgets and their fields.

local Settings = require "core/gui/settings_menu"
local Widgets = require "core/gui/widgets"

Menu = Menu or { screen = nil, page = nil, page_before = nil }

local M = {}
local pages = {}

-- Shows a page; nil: the game goes on.
function M.show(page)
    Menu.page = page
    local widgets = page and pages[page]() or nil
    if widgets then
        widgets.key = page  -- another page: its first widget gets the focus
    end
    Menu.screen:show(widgets)
    Input.set_active("default", page == nil)  -- the actions of the game
end

-- Returns a function that shows a page.
local function go(page)
    return function() M.show(page) end
end

local function go_to_settings()
    Menu.page_before = Menu.page
    M.show("settings")
end

local function leave_settings()
    Settings.save()
    M.show(Menu.page_before)
end

function pages.title()
    return Widgets.column { justify = "center", align = "start", padding = { 96, 0, 0, 0 },
        Widgets.panel { width = 320, padding = 28, gap = 12,
            Widgets.label { text = "My game", size = 44, font = "title" },
            Widgets.button { id = "play", text = "Play", is_primary = true, on_press = function()
                Game.restart()
                M.show(nil)
            end },
            Widgets.button { id = "settings", text = "Settings", on_press = go_to_settings },
            Widgets.button { id = "quit", text = "Quit", on_press = function() Application.quit() end },
        } }
end

function pages.pause()
    return Widgets.shade { on_cancel = go(nil),
        Widgets.panel { width = 320, padding = 28, gap = 12,
            Widgets.label { text = "Pause", size = "title", font = "title" },
            Widgets.button { id = "continue", text = "Continue", is_primary = true, on_press = go(nil) },
            Widgets.button { id = "settings", text = "Settings", on_press = go_to_settings },
            Widgets.button { id = "title", text = "Leave to title", on_press = go("title") },
        } }
end

function pages.settings()
    return Widgets.shade { on_cancel = leave_settings,
        Widgets.panel { padding = 28, gap = 12,
            Widgets.label { text = "Settings", size = "title", font = "title" },
            Settings.volume("master", "Volume"),
            Settings.resolution("Resolution"),
            Settings.fullscreen("Full screen"),
            Settings.text_scale(Menu.screen, "Size of text"),
            Settings.binding("turn", "Turn left", 1, "negative"),
            Settings.binding("turn", "Turn right", 1, "positive"),
            Settings.binding("restart", "Restart"),
            Widgets.button { id = "back", text = "Back", is_primary = true, on_press = leave_settings },
        } }
end

-- Once, at the start.
function M.start(world)
    Menu.screen = Widgets.new(world, { scale = { 1280, 720 } })
    Settings.apply(Menu.screen)
    M.show("title")
end

-- Every frame, also while the game is paused.
function M.update(dt)
    local is_playing = Menu.page == nil
    Menu.screen:update(dt)
    if is_playing and Input.pressed("pause") then
        M.show("pause")
    end
end

-- Returns whether the game waits.
function M.is_paused()
    return Menu.page == "pause" or Menu.page == "settings" and Menu.page_before == "pause"
end

return M
