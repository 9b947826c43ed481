-- Shows a text for some seconds. The node "say" of flow/game.flow_nodes is Hud.say.

Hud = Hud or { text = "", seconds = 0 }

local FONT = "core/fonts/default"
local WIDTH, HEIGHT = 1280, 720  -- what the layout is made for; other views are scaled
local SIZE = { width = 800, height = 56 }
local OPTIONS = { width = SIZE.width, height = SIZE.height, vertical = "middle", align = "center" }
local FADE = 0.5  -- seconds at the end in which it fades

-- Runs the node: `t` has its inputs.
function Hud.say(t)
    Hud.text, Hud.seconds = t.text, t.seconds
end

function Hud.spawn(world)
    Hud.gui = World.create_screen_gui(world, "immediate", "scale", WIDTH, HEIGHT)
end

function Hud.update(dt)
    Hud.seconds = math.max(Hud.seconds - dt, 0)
end

function Hud.draw()
    local opacity = math.min(Hud.seconds / FADE, 1)
    if opacity > 0 then
        local x, y = (WIDTH - SIZE.width) / 2, 28
        Gui.rounded_rect(Hud.gui, Vector2(x, y), Vector2(SIZE.width, SIZE.height), 14, Color(160 * opacity, 20, 20, 34))
        Gui.text(Hud.gui, Hud.text, FONT, 26, nil, Vector3(x, y, 1), Color(255 * opacity, 255, 236, 200), OPTIONS)
    end
end

return Hud
