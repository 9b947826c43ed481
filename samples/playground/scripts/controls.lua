-- Reads the player's actions (input/default.input) once a frame into one table of wishes.

local M = {}

local idle_seconds = 0

-- Returns whether anyone can play: without a window there is no input.
function M.has_player()
    return Window.has_focus()
end

local function capture_mouse(is_captured)
    Window.set_mouse_focus(is_captured)
    Input.set_active("captured", is_captured)
end

-- Captures the mouse on a click; Escape frees it. Returns true on Escape when it is free already.
local function follow_mouse()
    if Input.pressed("capture") and not Window.mouse_focus() then
        capture_mouse(true)
    end
    if Input.pressed("leave") and not Window.mouse_focus() then
        return true
    elseif Input.pressed("leave") then
        capture_mouse(false)
    end
    return false
end

-- Returns the player's wishes in this frame. `right` and `forward` are relative to the camera.
function M.read(dt)
    local move = Input.value("move")
    local look = Input.value("look") + Input.value("look_mouse")
    local input = {
        right = move.x, forward = move.y, x = 0, y = 0,
        look_x = look.x, look_y = -look.y,
        jump = Input.pressed("jump"), crouch = Input.held("crouch"), throw = Input.pressed("throw"),
        firework = Input.pressed("firework"),
        restart = Input.pressed("restart"), quit = follow_mouse(),
    }
    for i = 1, 6 do
        if Input.pressed("station_" .. i) then
            input.station = i
        end
    end
    local is_idle = input.right == 0 and input.forward == 0 and input.look_x == 0 and input.look_y == 0
        and not Keyboard.any_pressed() and not Mouse.any_pressed() and not Pad1.any_pressed()
        and not input.crouch
    idle_seconds = is_idle and idle_seconds + dt or 0
    input.idle = idle_seconds
    return input
end

return M
