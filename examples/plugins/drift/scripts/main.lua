-- The game: a camera around the plankton that the plugin spawns, moves and draws.

Game = Game or {}

local COUNT = 100000
local UP = Vector3Box(0, 0, 1)

function init()
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Game.camera = World.spawn_unit(Game.world, "units/camera")
    Game.angle = 0
    World.load_level(Game.world, "levels/sea")
    Drift.spawn(Game.world, tonumber((Application.argv())) or COUNT)
end

function update(dt)
    Game.angle = Game.angle + 0.1 * dt
    local from = Vector3(-math.sin(Game.angle) * 60, -math.cos(Game.angle) * 60, 25)
    Unit.set_local_position(Game.camera, 1, from)
    Unit.set_local_rotation(Game.camera, 1, Quaternion.look(Vector3(0, 0, 0) - from, UP:unbox()))
    World.update(Game.world, dt)
end

function render()
    Application.render_world(Game.world, Unit.camera(Game.camera, 1), Game.viewport)
end
