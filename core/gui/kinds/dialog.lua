-- Dialogs: a panel over everything, which takes all input while it is there. The widget may be
-- anywhere in the tree; it takes no room there.

local Fields = require "core/gui/fields"
local Tree = require "core/gui/tree"

local function content(node)
    local props = node.props
    local panel = { kind = "panel", width = props.width, max_width = "100%", max_height = "100%",
        padding = props.padding or node.screen.theme.sizes.padding * 2 }
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

Tree.kinds.dialog = {
    name = "dialog", passes_children = true,
    fields = Fields.make { title = "text" },
    style = function()
        return { position = "absolute", width = 0, height = 0 }
    end,
    change = function(node)
        local description = content(node)
        if node.dialog then
            Tree.become(node.dialog.node, node.screen, nil, description)
        else
            node.dialog = node.screen:open(description, { is_modal = true })
        end
    end,
    stop = function(node)
        if node.dialog then
            node.screen:close(node.dialog)
            node.dialog = nil
        end
    end,
}

return Tree.kinds
