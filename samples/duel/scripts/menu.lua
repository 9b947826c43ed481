-- The menus. A page is a title, lines of text, and choices; they are made again in each frame, because lobbies
-- and members come and go. `Menu.choose` does what a button does, for tests: the session of a test walks
-- through the same menus as a player.

local Online = require "scripts/online"
local Widgets = require "core/gui/widgets"

local Menu = {}

local WIDTH, HEIGHT = 1280, 720  -- what the layout is made for; other views are scaled

local pages = {}

function Menu.start(game)
    game.screen = Widgets.new(game.world, { scale = { WIDTH, HEIGHT } })
    Menu.show(game, "title")
end

-- Shows a page; nil: the game.
function Menu.show(game, page)
    game.page = page
    Input.set_active("default", page == nil)
end

-- Leaves what there is, and says why.
function Menu.fail(game, problem)
    game.leave()
    game.problem = problem
    Menu.show(game, "problem")
end

-- --- Pages ---------------------------------------------------------------------------------------

local function go(game, page)
    return function() Menu.show(game, page) end
end

local function leave(game)
    return function() game.leave() end
end

function pages.title(game)
    return { title = "Duel", lines = { "Push the others off the edge: two to four players in a local network" },
        { "Host a game", function()
            Online.host(game)
            Menu.show(game, "lobby")
        end },
        { "Find games", function()
            Online.look(game)
            Menu.show(game, "find")
        end },
        { "Quit", Application.quit },
    }
end

function pages.find(game)
    local page = { title = "Games", lines = {} }
    for _, lobby in ipairs(Online.found(game)) do
        table.insert(page, { lobby.name, function()
            Online.join(game, lobby.address)
            Menu.show(game, "lobby")
        end, string.format("%d of %d", lobby.members, lobby.max_members) })
    end
    if #page == 0 then
        page.lines[1] = LanLobbyBrowser.is_refreshing(game.browser) and "Looking for games ..." or "No games were found."
    end
    table.insert(page, { "Look again", function() Online.look(game) end })
    table.insert(page, { "Back", leave(game) })
    return page
end

function pages.lobby(game)
    local page = { title = Online.is_lobby_host(game) and game.options.name or "Lobby", lines = {} }
    for i, peer in ipairs(LanLobby.members(game.lobby)) do
        page.lines[i] = string.format("Player %d%s", i, peer == game.me and ": you" or "")
    end
    if Online.is_lobby_host(game) then
        table.insert(page, { "Start", game.start })
    else
        table.insert(page.lines, "Waiting for the host to start ...")
    end
    table.insert(page, { "Leave", leave(game) })
    return page
end

function pages.pause(game)
    return { title = "Duel", lines = { "The others play on." },
        { "Continue", go(game, nil) },
        { "Leave the game", leave(game) },
    }
end

function pages.problem(game)
    return { title = "Duel", lines = { game.problem }, { "Back", go(game, "title") } }
end

-- --- Each frame ----------------------------------------------------------------------------------

local function widgets_of(game, page)
    local rows = { key = game.page, gap = 12, padding = 32, width = 380,
        Widgets.label { text = page.title, size = 48, font = "title" } }
    for _, line in ipairs(page.lines) do
        table.insert(rows, Widgets.label { text = line, color = "text_dim", wrap = true })
    end
    for i, choice in ipairs(page) do
        local text = choice[3] and choice[1] .. "  (" .. choice[3] .. ")" or choice[1]
        table.insert(rows, Widgets.button { key = choice[1] .. i, text = text, is_primary = i == 1, on_press = choice[2] })
    end
    return Widgets.column { justify = "center", align = "start", padding = { 96, 0, 0, 0 }, Widgets.panel(rows) }
end

-- Does what the button with this text does; an error when the page has none.
function Menu.choose(game, text)
    local texts = {}
    for i, choice in ipairs(game.page and pages[game.page](game) or {}) do
        if choice[1] == text then
            choice[2]()
            return
        end
        texts[i] = '"' .. choice[1] .. '"'
    end
    error(string.format('there is no choice "%s"; the page %s has %s', text, game.page or "of the game",
        #texts > 0 and table.concat(texts, ", ") or "no choices"))
end

function Menu.has_choice(game, text)
    for _, choice in ipairs(game.page and pages[game.page](game) or {}) do
        if choice[1] == text then
            return true
        end
    end
    return false
end

function Menu.update(game, dt)
    if game.page == nil and Input.pressed("menu") then
        Menu.show(game, "pause")
    end
    game.screen:show(game.page and widgets_of(game, pages[game.page](game)) or nil)
    game.screen:update(dt)
end

return Menu
