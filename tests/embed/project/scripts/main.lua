-- What the tests of libcuttle run. Its arguments say what it does.
Test = Test or { updates = 0, seconds = 0, typed = "", strokes = 0, pressed = 0 }

local function has_argument(name)
    for _, argument in ipairs({ Application.argv() }) do
        if argument == name then return true end
    end
    return false
end

function init()
    Application.console_send({ type = "greeting", arguments = { Application.argv() } })
    if has_argument("fail") then error("init fails on purpose") end
    if has_argument("quit") then Application.quit(5) end
    Test.world = Application.new_world()
    Test.viewport = Application.create_viewport(Test.world, "default")
    Test.camera = World.spawn_unit(Test.world, "units/camera")
    Test.gui = World.create_screen_gui(Test.world, "immediate")
end

function update(dt)
    Test.updates = Test.updates + 1
    Test.seconds = Test.seconds + dt
    Test.strokes = Test.strokes + #Keyboard.keystrokes()
    World.update(Test.world, dt)
    if Test.quits then Application.quit(7) end
    if Test.fails then error("update fails on purpose") end
end

-- Green to the left, blue to the right.
function render()
    if Test.draws_nothing then return end
    local width, height = Gui.resolution()
    Gui.rect(Test.gui, Vector2(0, 0), Vector2(width / 2, height), Color(0, 255, 0))
    Gui.rect(Test.gui, Vector2(width / 2, 0), Vector2(width / 2, height), Color(0, 0, 255))
    Application.render_world(Test.world, Unit.camera(Test.camera, "camera"), Test.viewport)
end

function shutdown()
    Application.console_send({ type = "farewell" })
end

function console_receive(message)
    if message.type == "boom" then error("receiver failed") end
    if message.type == "flood" then
        for i = 1, message.count do Application.console_send({ type = "drop", number = i }) end
        return
    end
    return { doubled = message.number * 2 }
end
