-- What the player does, brought to widgets: mouse, finger, keys, text and actions of a frame, in the
-- order in which they happened. An action comes after the text that its key writes; the action of a stick
-- comes after all events.
--
-- Functions of a kind, each with the node:
--   pointer(node, phase, x, y)   phases: "enter", "leave", "press", "drag", "release", "cancel"; x
--                                and y from the node's corner; `release` also outside of it
--   wheel(node, x, y)            returns whether it scrolled
--   key(node, name, held)        a key of keystrokes; held.ctrl, held.shift, held.alt
--   text(node, text), editing(node, text, cursor)
--   action(node, name)           "up", "accept", …; returns whether it is done
-- A pointer acts on the topmost node whose kind has `pointer` or `blocks`.

local Focus = require "core/gui/focus"
local Tooltip = require "core/gui/tooltip"
local Tree = require "core/gui/tree"

local M = {}

local ACTIONS = { "up", "down", "left", "right", "next", "previous", "accept", "cancel", "page_up",
    "page_down", "home", "end" }
local REPEATS = { up = true, down = true, left = true, right = true, page_up = true, page_down = true,
    next = true, previous = true }
local WAYS = { up = { 0, -1 }, down = { 0, 1 }, left = { -1, 0 }, right = { 1, 0 } }
-- What keys do in a text field, not for the focus. Up and down are the field's if it wants them.
local TYPED = { left = true, right = true, home = true, ["end"] = true, accept = true, page_up = true,
    page_down = true }

local DRAG_START = 8   -- units that a finger moves before it scrolls
-- Units that a second press may be beside the first one, to count as a double press.
local MOUSE_NEAR, FINGER_NEAR = 5, 20
local LINES_OF_WHEEL = 48 -- units for each notch

local function check_actions()
    local known = {}
    for _, name in ipairs(Input.actions()) do
        known[name] = true
    end
    for _, name in ipairs(ACTIONS) do
        if not known["gui_" .. name] then
            error('widgets: the project has no action gui_' .. name .. '; write includes = ["core/gui/gui"] '
                .. 'in its .input file', 0)
        end
    end
end

function M.start(screen)
    check_actions()
    screen.pointer_x, screen.pointer_y = -1, -1 -- units from the upper left corner
    screen.hovered, screen.captured = nil, nil
    screen.held = { ctrl = false, shift = false, alt = false }
    screen.repeats, screen.repeat_time = nil, 0 -- the action that is held
    screen.last_press, screen.num_presses = nil, 0 -- time, node and place of the last press
end

function M.stop(screen)
    Tooltip.hide(screen)
end

-- --- Pointer -------------------------------------------------------------------------------------

local function is_inside(node, x, y)
    local clip = node.clip
    return x >= node.left and x < node.left + node.w and y >= node.top and y < node.top + node.h and
        not (clip and (x < clip.left or x >= clip.right or y < clip.top or y >= clip.bottom))
end

local function hit(node, x, y)
    if node.props.hidden then
        return nil
    end
    local children = node.parts or node.children
    for i = #children, 1, -1 do
        local found = hit(children[i], x, y)
        if found then
            return found
        end
    end
    local kind = node.kind
    return (kind.pointer or kind.blocks) and is_inside(node, x, y) and node or nil
end

-- Returns the topmost node at a place, and its root.
local function node_at(screen, x, y)
    for i = #screen.roots, 1, -1 do
        local root = screen.roots[i]
        if not root.options.is_passive then
            local node = hit(root.node, x, y)
            if node or root.options.is_modal or root.options.on_outside then
                return node, root
            end
        end
    end
    return nil
end

local function send(node, phase, x, y)
    if node.kind.pointer and not node.is_gone and (phase == "leave" or phase == "cancel" or
        not Tree.is_disabled(node)) then
        node.kind.pointer(node, phase, x - node.left, y - node.top)
    end
end

local function hover(screen, node)
    local before = screen.hovered
    if node == before then
        return
    end
    screen.hovered = node
    if before then
        send(before, "leave", screen.pointer_x, screen.pointer_y)
        screen:call(before.props.on_hover, false, before)
    end
    if node then
        send(node, "enter", screen.pointer_x, screen.pointer_y)
        screen:call(node.props.on_hover, true, node)
    end
    Tooltip.look(screen, node)
end

-- Widgets have other places: the mouse may be over another one.
function M.look_again(screen)
    if not screen.captured and not screen.is_touch and screen.pointer_x >= 0 then
        hover(screen, (node_at(screen, screen.pointer_x, screen.pointer_y)))
    end
end

-- Returns the nearest node, from this one upwards, that scrolls.
local function scroll_of(node)
    while node and not node.kind.wheel do
        node = node.parent
    end
    return node
end

local function drag(screen, x, y)
    local node = screen.captured
    local is_grip = node.kind.drags or node.bar_is_held -- the finger moves this, and scrolls nothing
    local scroll = screen.is_touch and not is_grip and scroll_of(node)
    if scroll and (screen.scrolled or math.abs(y - screen.press_y) > DRAG_START) then
        if not screen.scrolled then
            screen.scrolled = true
            send(node, "cancel", x, y)
        end
        scroll.kind.wheel(scroll, x - screen.pointer_x, y - screen.pointer_y)
    else
        send(node, "drag", x, y)
    end
end

local function move(screen, x, y)
    if screen.captured then
        drag(screen, x, y)
        screen.pointer_x, screen.pointer_y = x, y
        return
    end
    screen.pointer_x, screen.pointer_y = x, y
    hover(screen, (node_at(screen, x, y)))
end

-- Counts presses that follow each other on a node, nil for none, at one place.
local function count_presses(screen, node)
    local last = screen.last_press
    local near = screen.is_touch and FINGER_NEAR or MOUSE_NEAR
    local is_next = last and last.node == node and screen.time - last.time <= screen.theme.times.double_click and
        math.abs(screen.pointer_x - last.x) <= near and math.abs(screen.pointer_y - last.y) <= near
    screen.num_presses = is_next and screen.num_presses + 1 or 1
    screen.last_press = { node = node, time = screen.time, x = screen.pointer_x, y = screen.pointer_y }
end

local function press(screen)
    local x, y = screen.pointer_x, screen.pointer_y
    local node, root = node_at(screen, x, y)
    Tooltip.hide(screen)
    screen.shows_focus = false
    count_presses(screen, node)
    if not node then
        if root and root.options.on_outside then
            root.options.on_outside(root)
        else
            Focus.set(screen, nil)
        end
        return
    end
    if Tree.is_disabled(node) then
        return
    end
    screen.captured, screen.press_x, screen.press_y, screen.scrolled = node, x, y, false
    if node.kind.takes_focus then
        Focus.set(screen, node)
    elseif screen.focused and Tree.root(node) == Tree.root(screen.focused) then
        Focus.set(screen, nil)
    end
    send(node, "press", x, y)
end

local function release(screen)
    local node = screen.captured
    screen.captured = nil
    if node then
        if not screen.scrolled then
            send(node, Focus.gets_input(node) and "release" or "cancel", screen.pointer_x, screen.pointer_y)
        end
        if not screen.is_touch then
            hover(screen, (node_at(screen, screen.pointer_x, screen.pointer_y)))
        end
    end
end

-- Ends the press of a widget that input does not reach any more. Returns whether there was one.
function M.let_go(screen)
    local node = screen.captured
    if not node or Focus.gets_input(node) then
        return false
    end
    screen.captured = nil
    send(node, "cancel", screen.pointer_x, screen.pointer_y)
    return true
end

-- Returns whether the last place of the pointer is inside of a node.
function M.is_over(node)
    return is_inside(node, node.screen.pointer_x, node.screen.pointer_y)
end

local function wheel(screen, dx, dy)
    local node = node_at(screen, screen.pointer_x, screen.pointer_y)
    while node do
        if node.kind.wheel and node.kind.wheel(node, dx * LINES_OF_WHEEL, dy * LINES_OF_WHEEL) then
            Tooltip.hide(screen)
            M.look_again(screen)
            return
        end
        node = node.parent
    end
end

-- A node is gone.
function M.forget(screen, node)
    if screen.hovered == node then
        screen.hovered = nil
    end
    if screen.captured == node then
        screen.captured = nil
    end
    Tooltip.forget(screen, node)
end

-- --- Actions -------------------------------------------------------------------------------------

local function cancel(screen)
    for i = #screen.roots, 1, -1 do
        local root = screen.roots[i]
        if not root.options.is_passive then
            if root.options.on_outside then
                root.options.on_outside(root)
                return
            end
            local node = screen.focused
            if not node or Tree.root(node) ~= root then
                node = root.node
            end
            while node do
                if node.props.on_cancel then
                    screen:call(node.props.on_cancel, node)
                    return
                end
                node = node.parent
            end
            if root.options.is_modal then
                return
            end
        end
    end
end

-- Does what an action ("up", "accept", …) does to the widgets.
function M.act(screen, name)
    local node = screen.focused
    Tooltip.hide(screen)
    if not screen.shows_focus then
        screen.shows_focus = true
        if node then
            Tree.redraw(node)
        end
    end
    if node and node.kind.action and Focus.gets_input(node) and node.kind.action(node, name) then
        return
    end
    local way = WAYS[name]
    if way then
        if node then
            Focus.move(screen, way[1], way[2])
        else
            Focus.begin(screen)
        end
    elseif name == "next" or name == "previous" then
        Focus.step(screen, name == "next" and 1 or -1)
    elseif name == "cancel" then
        cancel(screen)
    elseif name == "accept" and not node then
        Focus.begin(screen)
    end
    Tooltip.look(screen, screen.focused)
end

local function is_typed(screen, name)
    local node = screen.focused
    return node and node.kind.takes_text and Input.last_device() == "keyboard" and
        (TYPED[name] or node.kind.takes_lines and node.kind.takes_lines(node) and
            (name == "up" or name == "down"))
end

-- Returns whether an event is the press of a control in a list of bindings, such as "shift+keyboard.tab"
-- and "pad.a".
local function is_press_of(event, bindings)
    if event.kind ~= "pressed" then
        return false
    end
    local control = "+" .. event.device .. "." .. event.name
    local of_any_pad = "+pad." .. event.name
    for _, binding in ipairs(bindings) do
        local text = "+" .. tostring(binding)
        if text:sub(-#control) == control or
            event.device:find("^pad") and text:sub(-#of_any_pad) == of_any_pad then
            return true
        end
    end
    return false
end

-- Returns the number of the event after which an action comes.
local function place_of(events, bindings)
    for i, event in ipairs(events) do
        if is_press_of(event, bindings) then
            local after = events[i + 1]
            local is_of_key = after and event.device == "keyboard" and
                (after.kind == "text" or after.kind == "keystroke" and after.name == event.name)
            return is_of_key and i + 1 or i
        end
    end
    return #events
end

-- Returns {action = the number of the event after which it comes}, or nil when none was pressed.
local function places_of_actions(events)
    local places
    for _, name in ipairs(ACTIONS) do
        if Input.pressed("gui_" .. name) then
            places = places or {}
            places[name] = place_of(events, Input.bindings("gui_" .. name))
        end
    end
    return places
end

local function act_on_pressed(screen, places, place, dt)
    for _, name in ipairs(ACTIONS) do
        if places[name] == place and not is_typed(screen, name) then
            M.act(screen, name)
            if REPEATS[name] then
                screen.repeats, screen.repeat_time = name, screen.theme.times.repeat_delay + dt
            end
        end
    end
end

local function act_on_held(screen, dt)
    local name = screen.repeats
    if not Input.held("gui_" .. name) then
        screen.repeats = nil
        return
    end
    screen.repeat_time = screen.repeat_time - dt
    if screen.repeat_time <= 0 then -- once a frame, also after a long one
        screen.repeat_time = math.max(screen.theme.times["repeat"], screen.repeat_time)
        M.act(screen, name)
    end
end

-- --- Events --------------------------------------------------------------------------------------

local MODIFIERS = {
    ["left ctrl"] = "ctrl", ["right ctrl"] = "ctrl", ["left shift"] = "shift",
    ["right shift"] = "shift", ["left alt"] = "alt", ["right alt"] = "alt",
    ["left win"] = "ctrl", ["right win"] = "ctrl",
}

local function to_units(screen, value)
    return value.x / screen.scale, value.y / screen.scale
end

local function on_mouse(screen, event)
    if event.kind == "axis" and event.name == "cursor" then
        screen.is_touch = false
        move(screen, to_units(screen, event.value))
    elseif event.kind == "axis" and event.name == "wheel" then
        wheel(screen, event.value.x, event.value.y)
    elseif event.name == "left" and event.kind == "pressed" then
        press(screen)
    elseif event.name == "left" and event.kind == "released" then
        release(screen)
    end
end

local function on_touch(screen, event)
    if event.kind == "touch_began" and not screen.finger then
        screen.finger, screen.is_touch = event.id, true
        screen.pointer_x, screen.pointer_y = to_units(screen, event.value)
        press(screen)
    elseif event.kind == "touch_moved" and event.id == screen.finger then
        move(screen, to_units(screen, event.value))
    elseif event.kind == "touch_ended" and event.id == screen.finger then
        screen.finger = nil
        release(screen)
        hover(screen, nil)
    end
end

local function on_keyboard(screen, event)
    local node, kind = screen.focused, event.kind
    if (kind == "pressed" or kind == "released") and MODIFIERS[event.name] then
        screen.held[MODIFIERS[event.name]] = kind == "pressed"
    end
    if not node or not Focus.gets_input(node) then
        return
    end
    if kind == "keystroke" and node.kind.key then
        node.kind.key(node, event.name, screen.held)
    elseif kind == "text" and node.kind.text then
        node.kind.text(node, event.text)
    elseif kind == "editing" and node.kind.editing then
        node.kind.editing(node, event.text, event.cursor)
    end
end

-- Handles the input of a frame.
function M.update(screen, dt)
    local events = Input.event_queue()
    local places = #events > 0 and places_of_actions(events)
    for i, event in ipairs(events) do
        if event.device == "mouse" then
            on_mouse(screen, event)
        elseif event.device == "touch" then
            on_touch(screen, event)
        elseif event.device == "keyboard" then
            on_keyboard(screen, event)
        end
        if places then
            act_on_pressed(screen, places, i, dt)
        end
    end
    if screen.repeats then
        act_on_held(screen, dt)
    end
    Tooltip.update(screen, dt)
end

return M
