-- Dialogs: a panel over everything, which takes all input while it is there. The widget may be
-- anywhere in the tree; it takes no room there. Its fields of layout are those of the panel.

local Fields = require "core/gui/fields"
local Tree = require "core/gui/tree"

local function content(node)
    local props = node.props
    local panel = { kind = "panel", max_width = "100%", max_height = "100%",
        padding = node.screen.theme.sizes.padding * 2,
        disabled = props.disabled, tooltip = props.tooltip, on_hover = props.on_hover }
    for name in pairs(Fields.layout) do
        if props[name] ~= nil then
            panel[name] = props[name]
        end
    end
    if props.title then
        table.insert(panel, { kind = "label", text = props.title, size = "title", font = "title" })
    end
    for i = 1, table.maxn(props) do
        if props[i] then
            table.insert(panel, props[i])
        end
    end
    return { kind = "shade", on_cancel = props.on_cancel, panel }
end

local function close(node)
    local root = node.dialog
    if root then
        node.dialog = nil
        node.screen:close(root)
    end
end

-- Opens the dialog, or gives it the fields that the widget has now. It is closed while the widget or
-- what is around it is hidden.
local function follow(node)
    if Tree.is_hidden(node) then
        close(node)
    elseif node.dialog then
        Tree.become(node.dialog.node, node.screen, nil, content(node))
    else
        node.dialog = node.screen:open(content(node), { is_modal = true })
    end
end

local fields = Fields.make { title = "text" }
fields.on_focus = nil -- it has none

Tree.kinds.dialog = {
    name = "dialog", passes_children = true, fields = fields,
    style = function()
        return { position = "absolute", width = 0, height = 0 }
    end,
    arrange = function(node)
        if Tree.is_hidden(node) ~= (node.dialog == nil) then
            follow(node)
        end
    end,
    restyle = follow, change = follow, stop = close,
}

return Tree.kinds
