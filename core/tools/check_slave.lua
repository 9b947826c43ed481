-- The Lua half of `cuttle check`. The other half (dev/check_engine.h) sends one job at a time, lets it
-- run for some frames and ends it.

local packages = {}  -- packages that stay loaded
local scene          -- of the current job: world, viewport, camera

local function load_package(name)
    local package = Application.resource_package(name)
    ResourcePackage.load(package)
    ResourcePackage.flush(package)
    return package
end

local function open_scene()
    local world = Application.new_world()
    scene = { world = world, viewport = Application.create_viewport(world, "default") }
    scene.camera = World.spawn_unit(world, "core/tools/camera")
    World.spawn_unit(world, "core/tools/sun")
end

-- Places the camera far enough away to see all units.
local function look_at_scene()
    local least, most = {}, {}
    local transforms = EntityManager.transform_component(scene.world)
    for _, unit in ipairs(World.units(scene.world)) do
        if TransformComponent.lookup(transforms, unit) then -- some units have no transform
            local p = Unit.world_position(unit, 1)
            for _, axis in ipairs { "x", "y", "z" } do
                least[axis] = math.min(least[axis] or p[axis], p[axis])
                most[axis] = math.max(most[axis] or p[axis], p[axis])
            end
        end
    end
    least, most = Vector3(least.x, least.y, least.z), Vector3(most.x, most.y, most.z)
    local direction = Vector3.normalize(Vector3(0.4, 1, -0.5))
    Unit.set_local_position(scene.camera, 1,
        (least + most) * 0.5 - direction * (Vector3.length(most - least) + 5))
    Unit.set_local_rotation(scene.camera, 1, Quaternion.look(direction, Vector3(0, 0, 1)))
end

local begin = {}

function begin.packages(names)
    for _, name in ipairs(names) do
        packages[#packages + 1] = load_package(name)
    end
end

function begin.package(names)
    for _, name in ipairs(names) do
        Application.release_resource_package(load_package(name))
    end
end

function begin.level(names)
    open_scene()
    for _, name in ipairs(names) do
        local level = World.load_level(scene.world, name)
        local script = Level.script(level)
        if script then
            require(script)
        end
    end
    look_at_scene()
end

function begin.unit(names)
    open_scene()
    for i, name in ipairs(names) do
        World.spawn_unit(scene.world, name, Vector3(i * 3, 0, 0))
    end
    look_at_scene()
end

local function finish()
    if scene then
        Application.destroy_viewport(scene.world, scene.viewport)
        Application.release_world(scene.world)
        scene = nil
    end
end

function console_receive(message)
    if message.type == "job" then
        begin[message.what](message.names)
    else
        finish()
    end
end

function update(dt)
    if scene then
        World.update(scene.world, dt)
    end
end

function render()
    if scene then
        Application.render_world(scene.world, Unit.camera(scene.camera, "camera"), scene.viewport)
    end
end

function shutdown()
    finish()
    for _, package in ipairs(packages) do
        Application.release_resource_package(package)
    end
end
