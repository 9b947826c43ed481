-- The actions that menus ask for, by what they do. core/gui/gui.input binds them; a project's own
-- .input takes them in with `includes = ["core/gui/gui"]`.
return {
    set = "gui",
    up = "gui_up",
    down = "gui_down",
    left = "gui_left",
    right = "gui_right",
    next = "gui_next",
    previous = "gui_previous",
    accept = "gui_accept",
    cancel = "gui_cancel",
    page_up = "gui_page_up",
    page_down = "gui_page_down",
    home = "gui_home",
    ["end"] = "gui_end",
}
