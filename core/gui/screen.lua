-- A screen: a tree of widgets over the picture of a world, with what lies above it: dialogs,
-- drop-downs and tooltips. Each of these is a root: a tree of its own with layers of its own.

local Events = require "core/gui/events"
local Focus = require "core/gui/focus"
local Layout = require "core/gui/layout"
local Painter = require "core/gui/painter"
local Tree = require "core/gui/tree"

local M = {}
M.__index = M

local FIRST_LAYER, LAYERS_OF_ROOT = 100, 1000

local function check_scale(scale)
    if scale ~= nil and not (type(scale) == "table" and type(scale[1]) == "number" and
        type(scale[2]) == "number" and scale[1] > 0 and scale[2] > 0) then
        error("Widgets.new: scale: expected {width, height} of the view that the layout is made for", 3)
    end
    return scale
end

local function check_text_scale(text_scale)
    if type(text_scale) ~= "number" or not (text_scale >= 0.5 and text_scale <= 4) then
        error(string.format("text_scale: found %s; expected a number from 0.5 to 4", tostring(text_scale)), 3)
    end
    return text_scale
end

local OPTIONS = { theme = true, scale = true, text_scale = true, layer = true }

-- Makes a screen in a world; see Widgets.new.
function M.new(world, options)
    options = options or {}
    for name in pairs(options) do
        if not OPTIONS[name] then
            error(string.format("Widgets.new: there is no option %s; expected theme, scale, text_scale "
                .. "or layer", tostring(name)), 3)
        end
    end
    local theme_name = options.theme or "core/gui/default"
    local theme, version = Gui.theme(theme_name)
    local screen = setmetatable({
        world = world, gui = World.create_screen_gui(world),
        theme_name = theme_name, theme = theme, theme_version = version,
        reference = check_scale(options.scale), text_scale = check_text_scale(options.text_scale or 1),
        first_layer = options.layer or FIRST_LAYER,
        roots = {},       -- from the lowest
        ids = {},         -- nodes by the id of their description
        dirty = {},       -- nodes to draw again
        calls = {},       -- callbacks that wait: function, arguments
        timed = {},       -- nodes with node.kind.tick, as a set
        failed = {},      -- nodes that an error kept from being laid out or drawn, and what tries it again
        errors = {},      -- those errors that this frame raises at its end
        known_errors = {}, -- those errors that were raised, as a set; {} when nothing fails any more
        first_call = 1, num_calls = 0, time = 0,
        scale = 1, width = 0, height = 0, pixel_width = 0, pixel_height = 0,
        needs_layout = false, shows_focus = false,
    }, M)
    Events.start(screen)
    return screen
end

-- Ends the screen with all its widgets.
function M:destroy()
    for i = #self.roots, 1, -1 do
        self:close(self.roots[i])
    end
    Events.stop(self)
    World.destroy_gui(self.world, self.gui)
    self.gui = nil
end

-- --- Roots ---------------------------------------------------------------------------------------

local function check_description(method, description)
    if not Tree.is_description(description) then
        error(string.format('screen:%s: found %s; expected a widget, such as Widgets.label { text = "…" }',
            method, tostring(description)), 3)
    end
end

-- Takes a root away from the others; returns whether it was there.
local function remove_root(self, root)
    for i, other in ipairs(self.roots) do
        if other == root then
            table.remove(self.roots, i)
            return true
        end
    end
    return false
end

-- Adds a root that is number `place` from the lowest. After an error in its description there is no root.
local function add_root(self, place, description, options)
    local root = { screen = self, options = options or {}, focused_before = self.focused }
    table.insert(self.roots, place, root) -- first, so that dialogs in it are above
    local is_right, node = pcall(Tree.become, nil, self, nil, description)
    if not is_right then
        remove_root(self, root)
        if root.focused_before then
            Focus.set(self, root.focused_before) -- a dialog in it may have taken it
        end
        error(node, 0)
    end
    root.node, node.root = node, root
    Tree.relayout(node)
    if not root.options.is_passive and root.options.is_modal then
        Focus.set(self, nil)
        Events.let_go(self)
        root.wants_focus = true
    end
    return root
end

-- Adds a root above the others. `description` is a widget that gets the whole view. Options:
--   is_modal    what is below gets no input
--   is_passive  it gets no input itself
--   on_outside  called when something outside of the widgets is pressed, or with gui_cancel
function M:open(description, options)
    check_description("open", description)
    return add_root(self, #self.roots + 1, description, options)
end

-- Closes a root; the focus goes back to where it was.
function M:close(root)
    if not remove_root(self, root) then
        return
    end
    for _, other in ipairs(self.roots) do
        if other.focused_before and Tree.root(other.focused_before) == root then
            other.focused_before = root.focused_before
        end
    end
    Tree.destroy(root.node)
    self.needs_layout = true
    local before = root.focused_before
    if root.options.is_modal and before and not before.is_gone then
        Focus.set(self, before)
    end
end

-- A page begins: its first widget gets the focus.
local function begin_page(self, root)
    self.focus_place = nil
    self.shows_focus = Input.last_device() ~= "mouse" and Input.last_device() ~= "touch"
    root.wants_focus = true
end

-- Shows a widget as the screen's lowest root, in place of what it showed; nil: nothing. A widget
-- with a `key` is a page: another key makes all of its widgets again, and gives the first the focus.
function M:show(description)
    if description then
        check_description("show", description)
    end
    local root = self.main
    if root and not (description and Tree.fits(root.node, description)) then
        self.main = nil
        self:close(root)
    end
    if self.main then
        Tree.become(root.node, self, nil, description)
    elseif description then
        self.main = add_root(self, 1, description)
        if description.key ~= nil then
            begin_page(self, self.main)
        end
    end
end

-- --- Nodes ---------------------------------------------------------------------------------------

-- Returns the node with this id, or nil.
function M:find(id)
    return self.ids[id]
end

-- Gives the focus to a node, or the one with this id; nil: to none.
function M:focus(node)
    if type(node) == "string" then
        node = self.ids[node]
    end
    Focus.set(self, node)
    self.shows_focus = self.shows_focus or Input.last_device() ~= "mouse"
end

-- A node is gone: nothing may point to it.
function M:forget(node)
    self.timed[node], self.failed[node] = nil, nil
    Events.forget(self, node)
    Focus.forget(self, node)
end

-- Calls a function of the game when the tree is not being walked: at the end of the events.
function M:call(callback, ...)
    if callback then
        self.num_calls = self.num_calls + 1
        self.calls[self.num_calls] = { callback, ... }
    end
end

-- After an error in one of them, the next frame calls the others.
local function run_calls(self)
    while self.first_call <= self.num_calls do
        local i = self.first_call
        local call = self.calls[i]
        self.calls[i], self.first_call = false, i + 1
        if i == self.num_calls then
            self.first_call, self.num_calls = 1, 0
        end
        call[1](unpack(call, 2, table.maxn(call)))
    end
end

-- --- Errors of widgets ---------------------------------------------------------------------------

-- Calls a function that lays out or draws a node, such as one of its kind. An error in it ends nothing
-- else: the frame raises it at its end, once, and each of the next frames calls again(node), which is
-- Tree.relayout or Tree.redraw, until there is no error. Returns whether there was none, and results.
function M:try(again, call, node, ...)
    local is_right, result, other = pcall(call, node, ...)
    if not is_right then
        local message = tostring(result)
        if not message:find("^widget ") then
            local id = node.props.id
            message = string.format("widget %s%s: %s", node.kind.name, id and " " .. id or "", message)
        end
        if self.failed[node] ~= Tree.relayout then
            self.failed[node] = again
        end
        if not self.known_errors[message] then
            self.known_errors[message] = true
            table.insert(self.errors, message)
        end
    end
    return is_right, result, other
end

local function try_again(self)
    local failed = self.failed
    if next(failed) then
        self.failed = {}
        for node, again in pairs(failed) do
            again(node)
        end
    elseif next(self.known_errors) then
        self.known_errors = {}
    end
end

local function raise(self)
    local errors = self.errors
    if #errors > 0 then
        self.errors = {}
        error(table.concat(errors, "\n"), 0)
    end
end

-- --- Settings ------------------------------------------------------------------------------------

local function restyle(self)
    for _, root in ipairs(self.roots) do
        Tree.restyle(root.node)
    end
end

-- Makes all letters larger or smaller: 1 is as the theme has them.
function M:set_text_scale(text_scale)
    check_text_scale(text_scale)
    if text_scale ~= self.text_scale then
        self.text_scale = text_scale
        restyle(self)
    end
end

-- Chooses another theme.
function M:set_theme(name)
    self.theme, self.theme_version = Gui.theme(name)
    self.theme_name = name
    restyle(self)
end

-- --- Each frame ----------------------------------------------------------------------------------

local function measure_view(self)
    local width, height = Gui.resolution()
    if width == self.pixel_width and height == self.pixel_height then
        return
    end
    self.pixel_width, self.pixel_height = width, height
    self.scale = 1
    if self.reference then
        self.scale = math.max(0.01, math.min(width / self.reference[1], height / self.reference[2]))
    end
    self.width, self.height = width / self.scale, height / self.scale
    for _, root in ipairs(self.roots) do
        Tree.restyle(root.node) -- texts are measured in pixels
    end
end

local function is_same_clip(a, b)
    return a == b or a and b and a.left == b.left and a.top == b.top and a.right == b.right and
        a.bottom == b.bottom
end

local place

local NOTHING = { left = -1e9, top = -1e9, right = -1e9, bottom = -1e9 } -- shows through it

local function place_children(node, clip, depth)
    local kind = node.kind
    if node.props.hidden then
        clip = NOTHING
    elseif kind.clips then
        clip = kind.clips(node, clip)
    end
    local dx, dy = node.left - (node.scroll_x or 0), node.top - (node.scroll_y or 0)
    local children = node.parts or node.children
    for i = 1, #children do
        place(children[i], dx, dy, clip, depth)
    end
end

-- Sets where nodes are on the screen, and draws again those that moved.
function place(node, dx, dy, clip, layer)
    local left, top = dx + node.x, dy + node.y
    if node.left ~= left or node.top ~= top or node.drawn_w ~= node.w or node.drawn_h ~= node.h or
        node.layer ~= layer or not is_same_clip(node.clip, clip) then
        node.left, node.top, node.drawn_w, node.drawn_h = left, top, node.w, node.h
        node.layer, node.clip = layer, clip
        Tree.redraw(node)
    end
    if node.kind.arrange then
        node.screen:try(Tree.relayout, node.kind.arrange, node)
    end
    place_children(node, clip, layer + Painter.LAYERS)
end

-- Places a node's children again, after it scrolled.
function M.place_children(node)
    place_children(node, node.clip, node.layer + Painter.LAYERS)
end

-- Takes the focus and the pointer from what they do not reach any more.
local function check_input(self)
    Focus.check(self)
    if Events.let_go(self) then
        Events.look_again(self)
    end
end

local function layout(self)
    for _ = 1, 3 do -- kinds may ask for another pass when they see their size
        self.needs_layout = false
        for i, root in ipairs(self.roots) do
            self:try(Tree.relayout, Layout.compute, root.node, self.width, self.height)
            root.node.x, root.node.y = 0, 0
            place(root.node, 0, 0, nil, self.first_layer + i * LAYERS_OF_ROOT)
        end
        if not self.needs_layout then
            break
        end
    end
    check_input(self)
    Events.look_again(self)
end

local function draw(self)
    local dirty = self.dirty
    self.dirty = {}
    for _, node in ipairs(dirty) do
        node.is_queued = false
        if not node.is_gone and not self:try(Tree.redraw, Painter.draw, node) then
            Painter.give_up(node)
        end
    end
end

-- Lays out and draws what changed. M.update does this at its end.
function M:refresh()
    try_again(self)
    if self.needs_layout then
        layout(self)
    else
        check_input(self) -- also what needs no layout, such as `disabled`, may take it away
    end
    if #self.dirty > 0 then
        draw(self)
    end
    raise(self)
end

-- Call it once in a frame, in `update`: handles the player's input, calls callbacks, lays out and
-- draws. `dt` is the time since the last call in seconds, the game's pauses included.
function M:update(dt)
    self.time = self.time + dt
    measure_view(self)
    local version = Gui.theme_version(self.theme_name)
    if version ~= self.theme_version then
        self.theme, self.theme_version = Gui.theme(self.theme_name)
        restyle(self)
    end
    if self.needs_layout then
        layout(self) -- what was shown since gets the input of this frame
    end
    Events.update(self, dt)
    for node in pairs(self.timed) do
        self:try(Tree.redraw, node.kind.tick, node, dt)
    end
    if self.num_calls > 0 then
        run_calls(self)
    end
    self:refresh()
end

-- Returns whether the widgets use the mouse (or finger), and whether they use the keyboard: what a
-- game should ignore.
function M:uses_input()
    return self.hovered ~= nil or self.captured ~= nil or self:is_modal(),
        self.focused ~= nil and self.focused.kind.takes_text == true or self:is_modal()
end

-- Returns whether a root takes all input from what is below.
function M:is_modal()
    for i = #self.roots, 1, -1 do
        if self.roots[i].options.is_modal then
            return true
        end
    end
    return false
end

return M
