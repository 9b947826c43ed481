-- What bench_widgets.c measures: it chooses one of these pages, and calls `update` as an engine does.
local Scroll = require "core/gui/scrolling"
local Widgets = require "core/gui/widgets"

local NUM_ROWS, NUM_COLUMNS = 100000, 20
local WIDTH, HEIGHT, STEP = 1920, 1080, 77

local screen, page

local function form()
    local rows = { width = WIDTH, height = HEIGHT, gap = 4 }
    for y = 1, 25 do
        local row = { gap = 4, align = "center" }
        for x = 1, NUM_COLUMNS / 5 do
            local name = y .. " " .. x
            table.insert(row, Widgets.label { text = name, width = 90 })
            table.insert(row, Widgets.button { text = name, width = 90, height = 36 })
            table.insert(row, Widgets.check_box { text = name, width = 90, height = 36 })
            table.insert(row, Widgets.slider { value = x / 4, width = 90 })
            table.insert(row, Widgets.progress_bar { value = y / 25, width = 90 })
        end
        table.insert(rows, Widgets.row(row))
    end
    return Widgets.column(rows)
end

local function list()
    return Widgets.list { id = "list", width = 600, height = 1000, row_height = 20, count = NUM_ROWS,
        row = function(i) return Widgets.label { text = "Row " .. i } end }
end

function use(name)
    page = name
    screen:show(nil)
    if name == "list" then
        screen:show(list())
    elseif name == "kept" then
        screen:show(form())
    end
end

function init()
    screen = Widgets.new(Application.new_world())
end

function update(dt)
    if page == "list" then
        local node = screen:find("list")
        if not Scroll.go(node, node.scroll_y + STEP) then
            Scroll.go(node, 0)
        end
    elseif page == "declared" then
        screen:show(form())
    end
    screen:update(dt)
end
