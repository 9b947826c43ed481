-- Tooltips: the text of a widget's field `tooltip`, beside it when the mouse or the focus rests on it.

local M = {}

local function text_of(node)
    while node do
        if node.props.tooltip then
            return node.props.tooltip, node
        end
        node = node.parent
    end
    return nil
end

-- Hides the tooltip, and waits for the next node to rest on.
function M.hide(screen)
    screen.tip_node, screen.tip_time = nil, 0
    if screen.tip then
        local root = screen.tip
        screen.tip = nil
        screen:close(root)
    end
end

-- The mouse or the focus is on a node now; nil: on none.
function M.look(screen, node)
    local text, owner = text_of(node)
    if owner ~= screen.tip_node then
        M.hide(screen)
        if text then
            screen.tip_node, screen.tip_time = owner, screen.theme.times.tooltip
        end
    end
end

function M.forget(screen, node)
    if screen.tip_node == node then
        screen.tip_node = nil -- M.update closes it
    end
end

local function show(screen)
    local node = screen.tip_node
    screen.tip = screen:open({
        kind = "popup", anchor = node,
        { kind = "panel", color = "tooltip", padding = { 10, 6, 10, 6 }, max_width = 420,
            { kind = "label", text = node.props.tooltip, size = "tooltip", wrap = true } },
    }, { is_passive = true })
end

-- Counts the time; call it each frame.
function M.update(screen, dt)
    local node = screen.tip_node
    if node and not node.props.tooltip or screen.tip and not node then
        M.hide(screen)
    elseif node and not screen.tip then
        screen.tip_time = screen.tip_time - dt
        if screen.tip_time <= 0 then
            show(screen)
        end
    end
end

return M
