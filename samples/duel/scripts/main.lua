-- The duel sample: two to four players on a disc in the sky, over the network. The engine calls init, update,
-- render and shutdown of this script.
--
-- When a script is saved while the game runs, it runs again: functions are replaced, and state that
-- should stay is in the global `Game`, which is made only once.

local Bot = require "scripts/bot"
local Boxes = require "scripts/boxes"
local Camera = require "scripts/camera"
local Hud = require "scripts/hud"
local Match = require "scripts/match"
local Menu = require "scripts/menu"
local Online = require "scripts/online"
local Options = require "scripts/options"
local Player = require "scripts/player"
local Probe = require "scripts/probe"
local Things = require "scripts/things"
require "scripts/events"

Game = Game or {}

-- Forgets everything of the last session.
local function reset()
    Game.players, Game.boxes, Game.painted = {}, {}, {}
    Game.asked, Game.falls, Game.outbox = {}, {}, {}
    Game.match, Game.second, Game.add_pause = nil, 0, 0
    Player.reset(Game)
    Bot.reset(Game)
    Probe.reset(Game)
end

-- --- What menus and tests do ---------------------------------------------------------------------

-- As the lobby's host: begins the game.
function Game.start()
    Online.start(Game)
    Match.create(Game)
    Boxes.create(Game)
end

-- Leaves the game, and shows the title.
function Game.leave()
    Online.leave(Game)
    reset()
    Menu.show(Game, "title")
end

-- Presses the button with this text: "Host a game", "Find games", the name of a lobby, "Start", …
function Game.choose(text)
    Menu.choose(Game, text)
end

function Game.has_choice(text)
    return Menu.has_choice(Game, text)
end

-- As the match's owner: has all stop, or go on.
function Game.pause(is_paused)
    Match.pause(Game, is_paused)
end

function Game.throw_box()
    Player.throw(Game)
end

-- Returns a field of the match: "round", "scores", …
function Game.get(field)
    return Match.get(Game, field)
end

function Game.num_members()
    return Game.lobby and #LanLobby.members(Game.lobby) or 0
end

-- What tests ask: see scripts/probe.lua.
function Game.is_in_game(players)
    return Probe.is_in_game(Game, players)
end

function Game.is_moving(players, boxes)
    return Probe.is_moving(Game, players, boxes)
end

function Game.offset()
    return Probe.offset(Game)
end

function Game.is_settled()
    return Probe.is_settled(Game)
end

function Game.state_text()
    return Probe.state_text(Game)
end

-- --- Frames --------------------------------------------------------------------------------------

local function refuse(problem)
    print("duel: " .. problem)
    Application.quit(2)
end

-- What the arguments ask for, once: to host, to join, to join whatever is found.
local function begin()
    local options = Game.options
    if options.host then
        Online.host(Game)
        Game.start()
    elseif options.join then
        local is_right, message = pcall(Online.join, Game, options.join)
        if not is_right then
            refuse("--join: " .. message)
            return
        end
    elseif options.find then
        Online.look(Game)
    end
    if options.host or options.join or options.find then
        Menu.show(Game, options.find and "find" or "lobby")
    end
end

-- With --find: joins the first lobby that answers.
local function join_any()
    if Game.page == "find" and Game.options.find and not Game.lobby then
        local found = Online.found(Game)
        if found[1] then
            Online.join(Game, found[1].address)
            Menu.show(Game, "lobby")
        elseif not LanLobbyBrowser.is_refreshing(Game.browser) then
            Online.look(Game)
        end
    end
end

function init()
    local options, problem = Options.read(Application.argv())
    if not options then
        refuse(problem)
    end
    Game.options = options or Options.read()
    Game.seconds = 0
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Game.level = World.load_level(Game.world, "levels/arena")
    Game.camera = World.spawn_unit(Game.world, "units/camera")
    Hud.spawn(Game)
    Menu.start(Game)
    reset()
    Camera.reset(Game)
    begin()
end

-- Returns what the player wants: as keys or the bot say, in directions of the world.
local function wish(dt)
    if Game.options.bot then
        return Bot.wish(Game, dt)
    end
    local move, angle = Input.value("move"), Camera.angle(Game)
    local length = math.max(1, math.sqrt(move.x * move.x + move.y * move.y))
    local c, s = math.cos(angle) / length, math.sin(angle) / length
    return { x = move.x * c - move.y * s, y = move.x * s + move.y * c,
        dashes = Input.pressed("dash"), throws = Input.pressed("throw") }
end

local function play(dt)
    if Game.page == "lobby" and Online.is_in(Game) then
        Menu.show(Game, nil)
    end
    if Input.pressed("pause") then
        Match.pause(Game, not Match.is_paused(Game))
    end
    Things.collect(Game)
    Match.update(Game, dt)
    if not Match.is_paused(Game) then
        Player.update(Game, wish(dt), dt)
        Boxes.update(Game, dt)
    end
end

function update(dt)
    Game.seconds = Game.seconds + dt
    Online.receive(Game, dt)
    local problem = Online.problem(Game)
    if problem then
        Menu.fail(Game, problem)
    end
    join_any()
    Menu.update(Game, dt)
    if Game.session then
        play(math.min(dt, 1 / 15))  -- on slower machines bodies move slower; the network's time goes on
    end
    World.update(Game.world, Match.is_paused(Game) and 0 or math.min(dt, 1 / 15))
    Probe.update(Game, dt)
    Camera.update(Game, dt)
    Online.send(Game)
end

function render()
    if Game.options.unseen then
        return
    end
    if Game.session then
        Hud.draw(Game)
    end
    Application.render_world(Game.world, Unit.camera(Game.camera, "camera"), Game.viewport)
end

function shutdown()
    Online.leave(Game)
    Application.destroy_viewport(Game.world, Game.viewport)
    Application.release_world(Game.world)
end
