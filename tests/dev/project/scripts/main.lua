-- A picture of GUIs and lines, half of which is recorded before the game stops: test_idle_frames.c.
Test = Test or { updates = 0, dt = 0, strokes = 0, downs = 0 }

-- Stops where the test wants it; `stop` is the test's.
local function maybe_stop(where)
    if Test.stops_in == where then
        Test.stops_in = nil
        stop()
    end
end

function init()
    maybe_stop("init")
    Test.world = Application.new_world()
    Test.views = {}
    for i = 0, 1 do
        local viewport = Application.create_viewport(Test.world, "default")
        Viewport.set_rect(viewport, i * 0.5, 0, 0.5, 1)
        Test.views[i + 1] = viewport
    end
    Test.camera = World.spawn_unit(Test.world, "units/camera")
    Test.lines = World.create_line_object(Test.world, true)
    Test.gui = World.create_screen_gui(Test.world, "immediate")
    Test.kept = World.create_screen_gui(Test.world)
    Gui.text(Test.kept, "kept", "core/fonts/default", 20, nil, Vector2(5, 70), Color(255, 255, 0))
end

function update(dt)
    Test.updates, Test.dt = Test.updates + 1, dt
    Test.strokes = Test.strokes + #Keyboard.keystrokes()
    if Keyboard.button(Keyboard.button_id("w")) > 0 then Test.downs = Test.downs + 1 end
    World.update(Test.world, dt)
    local half, height = 80, 200
    Gui.rect(Test.gui, Vector2(0, 0), Vector2(half, height / 2), Color(0, 160, 0))
    Gui.push_clip(Test.gui, Vector2(half, 0), Vector2(40, height))
    if Test.asks then
        Test.asks = nil
        ask()
    end
    maybe_stop("update")
    Gui.rect(Test.gui, Vector2(0, 0), Vector2(2 * half, height / 2), Color(0, 0, 160))
    Gui.pop_clip(Test.gui)
    LineObject.reset(Test.lines)
    LineObject.add_line(Test.lines, Color(255, 0, 0), Vector3(-1, 5, 1), Vector3(1, 5, 0.5))
    LineObject.dispatch(Test.world, Test.lines)
    maybe_stop("lines")
    LineObject.reset(Test.lines)
    LineObject.add_line(Test.lines, Color(255, 255, 255), Vector3(-1, 5, 0.5), Vector3(1, 5, 1))
    LineObject.dispatch(Test.world, Test.lines)
end

function render()
    for i, viewport in ipairs(Test.views) do
        Application.render_world(Test.world, Unit.camera(Test.camera, "camera"), viewport)
        if i == 1 then maybe_stop("render") end
    end
end

function shutdown() maybe_stop("shutdown") end
