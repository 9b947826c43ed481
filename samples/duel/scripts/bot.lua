-- Plays by itself, for tests and for who is alone (`-- --bot`): it runs at other players and dashes, pushes
-- boxes, and keeps away from the edge.

local Things = require "scripts/things"

local Bot = {}

local EDGE = 5          -- metres from the middle from where on it turns back
local DASH_WITHIN = 2.8  -- metres to another player

function Bot.reset(game)
    game.bot = { state = game.options.seed * 7919 + 17, think = 0 }
end

-- Returns a number from 0 to 1. Each bot has its own, so that a seed gives the same wishes each time.
local function chance(bot)
    bot.state = (bot.state * 16807) % 2147483647
    return bot.state / 2147483647
end

local function nearest(game, things)
    local best
    for _, thing in pairs(things) do
        if thing.unit ~= game.own.unit
            and (not best or Things.distance(game.own.unit, thing.unit) < Things.distance(game.own.unit, best.unit)) then
            best = thing
        end
    end
    return best
end

-- Chooses what to run at: a player, a box, or a place.
local function think(game)
    local bot = game.bot
    local player = nearest(game, game.players)
    local choice = chance(bot)
    local target = choice < 0.6 and player or choice < 0.85 and nearest(game, game.boxes) or nil
    bot.target, bot.is_player = target and target.unit, target ~= nil and target == player
    bot.x, bot.y = chance(bot) * 6 - 3, chance(bot) * 6 - 3
    bot.think = 0.3 + 0.6 * chance(bot)
    bot.throws = chance(bot) < 0.2
end

-- Returns what the bot wants, as Player.update takes it.
function Bot.wish(game, dt)
    local bot, unit = game.bot, game.own.unit
    if not unit then
        return { x = 0, y = 0 }
    end
    bot.think = bot.think - dt
    if bot.think <= 0 then
        think(game)
    end
    local place = Unit.world_position(unit, 1)
    local goal = Vector3(bot.x, bot.y, 0)
    local has_target = bot.target and Unit.alive(bot.target)
    if has_target then
        goal = Unit.world_position(bot.target, 1)
    end
    local far = math.sqrt(place.x * place.x + place.y * place.y)
    if far > EDGE then
        goal = Vector3(0, 0, 0)
    end
    local x, y = goal.x - place.x, goal.y - place.y
    local length = math.max(math.sqrt(x * x + y * y), 0.01)
    local wish = { x = x / length, y = y / length, throws = bot.throws }
    wish.dashes = has_target and bot.is_player and far <= EDGE and length < DASH_WITHIN
    bot.throws = false
    return wish
end

return Bot
