-- Reads the player's actions (input/default.input) once a frame into one table of wishes.

Controls = Controls or { idle = 0 }

local M = {}

-- Returns whether anyone can play: without a window there is no input.
function M.has_player()
    return Window.has_focus()
end

local function capture_mouse(is_captured)
    Window.set_mouse_focus(is_captured)
    Input.set_active("captured", is_captured)
end

-- Handles Escape: frees the mouse, or leaves when the mouse is already free.
local function follow_mouse(input)
    if Input.pressed("capture") and not Window.mouse_focus() then
        capture_mouse(true)
    end
    if Input.pressed("leave") then
        if Window.mouse_focus() then
            capture_mouse(false)
        else
            input.quit = true
        end
    end
end

-- Returns the player's wishes in this frame. `right` and `forward` are relative to the camera.
function M.read(dt)
    local move = Input.value("move")
    local look = Input.value("look") + Input.value("look_mouse")
    local input = {
        right = move.x, forward = move.y, x = 0, y = 0,
        look_x = look.x, look_y = -look.y,
        jump = Input.pressed("jump"), crouch = Input.held("crouch"), throw = Input.pressed("throw"),
        restart = Input.pressed("restart"), quit = false,
    }
    for i = 1, 5 do
        if Input.pressed("station_" .. i) then
            input.station = i
        end
    end
    follow_mouse(input)
    local is_idle = input.right == 0 and input.forward == 0 and input.look_x == 0 and input.look_y == 0
        and not Keyboard.any_pressed() and not Mouse.any_pressed() and not Pad1.any_pressed()
        and not input.crouch
    Controls.idle = is_idle and Controls.idle + dt or 0
    input.idle = Controls.idle
    return input
end

return M
