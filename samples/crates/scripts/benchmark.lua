-- `cuttle run samples/crates -- --crates N`: N crates that all move in every frame.

local Camera = require "scripts/camera"

local M = {}

local SPACING = 1.5
local sin = math.sin

function M.spawn(game)
    local count = game.benchmark
    local side = math.max(1, math.ceil(math.sqrt(count)))
    local half = (side - 1) * SPACING / 2
    local units, positions = {}, {}
    for i = 0, count - 1 do
        local x, y = i % side * SPACING - half, math.floor(i / side) * SPACING - half
        units[i + 1] = World.spawn_unit(game.world, "units/benchmark_crate", Vector3(x, y, 0.5))
        positions[i * 3 + 1], positions[i * 3 + 2], positions[i * 3 + 3] = x, y, 0.5
    end
    game.units, game.positions = units, positions
    Camera.look(game, Vector3(-half * 0.5 - 6, -half * 1.35 - 9, half * 0.55 + 5), Vector3(0, 0, 0))
end

-- Moves a wave through the field. All poses go to the engine in one call.
function M.move(game)
    local positions, time = game.positions, game.time * 2
    for i = 3, #positions, 3 do
        positions[i] = 1.5 + sin(time + positions[i - 2] * 0.35 + positions[i - 1] * 0.2)
    end
    TransformComponent.set_local_positions(
        EntityManager.transform_component(game.world), game.units, positions)
end

return M
