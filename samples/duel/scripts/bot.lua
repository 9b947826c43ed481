-- Plays by itself, for tests and for players without company (`-- --bot`): it runs at other players and dashes, pushes
-- boxes, and keeps away from the edge.

local Things = require "scripts/things"

local Bot = {}

local EDGE = 5.5         -- metres from the middle from where on it turns back
local DASH_WITHIN = 3    -- metres to another player
local DASH_WAY = 2.6     -- metres that a dash goes
local BEHIND = 1.6       -- metres: it runs to the inner side of another player, to push him outwards

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

local function from_middle(place)
    return math.sqrt(place.x * place.x + place.y * place.y)
end

-- Returns where to run to push another player off, and whether to dash: when he is near, further out, and
-- the dash does not end in the air.
local function attack(place, other)
    local x, y = other.x - place.x, other.y - place.y
    local distance, out = math.max(math.sqrt(x * x + y * y), 0.01), from_middle(other)
    local is_inside = from_middle(place) < out
    if is_inside and distance < DASH_WITHIN then
        local stop = place + Vector3(x, y, 0) * (math.min(DASH_WAY, distance) / distance)
        return other, from_middle(stop) < EDGE + 1
    end
    return is_inside and other or other * (math.max(out - BEHIND, 0) / math.max(out, 0.01)), false
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
    local wish = { throws = bot.throws }
    bot.throws = false
    if bot.target and Unit.alive(bot.target) then
        goal = Unit.world_position(bot.target, 1)
        if bot.is_player then
            goal, wish.dashes = attack(place, goal)
        end
    end
    if from_middle(place) > EDGE then
        goal, wish.dashes = Vector3(0, 0, 0), false
    end
    local x, y = goal.x - place.x, goal.y - place.y
    local length = math.max(math.sqrt(x * x + y * y), 0.01)
    wish.x, wish.y = x / length, y / length
    return wish
end

return Bot
