-- Moves the platforms of the course: their actors are keyframed, so the script moves the units, and
-- physics gives them a velocity. They carry the robot and whatever else is on them.

local M = {}

-- Finds the platforms of the loaded levels.
function M.find(game)
    local tags = EntityManager.tag_component(game.world)
    local data = EntityManager.data_component(game.world)
    game.platforms = {}
    for _, unit in ipairs(TagComponent.get_entities(tags, "platform")) do
        local function value(key)
            return DataComponent.get_property_by_id(data, unit, "way", key)
        end
        local velocity, position = value("velocity"), Unit.local_position(unit, 1)
        local rotation = Unit.local_rotation(unit, 1)
        local way = Quaternion.rotate(rotation, Vector3(velocity[1], velocity[2], velocity[3]))
        game.platforms[#game.platforms + 1] = {
            unit = unit, spin = math.rad(value("spin")), seconds = value("seconds"), rest = value("rest"),
            place = Vector3Box(position), way = Vector3Box(way), rotation = QuaternionBox(rotation),
            share = 0, rest_left = 0,
        }
    end
end

-- Returns the platform of a unit resource. `share` is how much of its way it has gone, `rest_left` how
-- many seconds it will stay there.
function M.of(game, name)
    for _, platform in ipairs(game.platforms) do
        if Unit.is_a(platform.unit, name) then
            return platform
        end
    end
end

-- Platforms rest at both ends of their way, and go with the speed of the course between.
local function follow_way(platform, time)
    local seconds, rest = platform.seconds, platform.rest
    local at = time % (2 * (seconds + rest))
    local is_back = at >= seconds + rest
    local t = is_back and at - seconds - rest or at
    local share = math.max(0, (t - rest) / seconds)
    platform.share = is_back and 1 - share or share
    platform.rest_left = math.max(0, rest - t)
end

function M.move(game)
    for _, platform in ipairs(game.platforms) do
        if platform.seconds > 0 then
            follow_way(platform, game.time)
            local way = platform.way:unbox() * (platform.share * platform.seconds)
            Unit.set_local_position(platform.unit, 1, platform.place:unbox() + way)
        end
        if platform.spin ~= 0 then
            local turn = Quaternion(Vector3(0, 0, 1), platform.spin * game.time)
            Unit.set_local_rotation(platform.unit, 1,
                Quaternion.multiply(turn, platform.rotation:unbox()))
        end
    end
end

return M
