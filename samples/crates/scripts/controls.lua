-- Reads the player's actions (input/default.input) once a frame into one table of wishes.

Controls = Controls or { idle = 0 }

local M = {}

-- Returns whether anyone can play: without a window there is no input.
function M.has_player()
    return Window.has_focus()
end

-- Gives the mouse to the camera, or back.
function M.capture_mouse(is_captured)
    Window.set_mouse_focus(is_captured)
    Input.set_active("captured", is_captured)
end

-- A click gives the mouse to the camera, until the menu opens.
local function follow_mouse()
    if Input.pressed("capture") and not Window.mouse_focus() then
        M.capture_mouse(true)
    end
end

-- Returns the player's wishes in this frame. `right` and `forward` are relative to the camera.
function M.read(dt)
    local move = Input.value("move")
    local look = Input.value("look") + Input.value("look_mouse")
    local input = {
        right = move.x,
        forward = move.y,
        jump = Input.pressed("jump"),
        restart = Input.pressed("restart"),
        more_crates = Input.pressed("more_crates"),
        save = Input.pressed("save"),
        load = Input.pressed("load"),
        look_x = look.x, look_y = -look.y,
        zoom = Input.value("zoom"),
    }
    follow_mouse()
    local is_idle = input.right == 0 and input.forward == 0 and input.look_x == 0
        and input.look_y == 0 and input.zoom == 0 and not Keyboard.any_pressed()
        and not Mouse.any_pressed() and not Pad1.any_pressed()
    Controls.idle = is_idle and Controls.idle + dt or 0
    input.idle = Controls.idle
    return input
end

return M
