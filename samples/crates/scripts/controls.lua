-- Keyboard and mouse, read once a frame into one table of wishes.

Controls = Controls or { idle = 0 }

local M = {}

local LOOK_SPEED = 0.0028  -- radians for each pixel of the mouse

local function key(name)
    return Keyboard.button(Keyboard.button_id(name))
end

local function pressed(name)
    return Keyboard.pressed(Keyboard.button_id(name))
end

-- Whether somebody can play at all: without a window there is no input.
function M.has_player()
    return Window.has_focus()
end

-- Escape lets go of the mouse, and leaves when it is free already.
local function follow_mouse(input)
    if Mouse.pressed(Mouse.button_id("left")) and not Window.mouse_focus() then
        Window.set_mouse_focus(true)
    end
    if pressed("esc") then
        if Window.mouse_focus() then
            Window.set_mouse_focus(false)
        else
            input.quit = true
        end
    end
    if Window.mouse_focus() then
        local moved = Mouse.axis(Mouse.axis_id("mouse"))
        input.look_x, input.look_y = moved.x * LOOK_SPEED, moved.y * LOOK_SPEED
    end
    input.zoom = Mouse.axis(Mouse.axis_id("wheel")).y
end

-- What the player wants in this frame. `right` and `forward` are relative to the camera.
function M.read(dt)
    local input = {
        right = key("d") - key("a"),
        forward = key("w") - key("s"),
        jump = pressed("space"),
        restart = pressed("r"),
        more_crates = pressed("n"),
        look_x = 0, look_y = 0, zoom = 0, quit = false,
    }
    follow_mouse(input)
    local is_idle = input.right == 0 and input.forward == 0 and input.look_x == 0
        and input.look_y == 0 and input.zoom == 0 and not Keyboard.any_pressed()
        and not Mouse.any_pressed()
    Controls.idle = is_idle and Controls.idle + dt or 0
    input.idle = Controls.idle
    return input
end

return M
