-- The text on the plain sign: a Gui on a plane in the world, for languages in which no sign was painted.

local M = {}

local FONT, SIZE = "fonts/hud", 54
local WIDTH, HEIGHT = 512, 236  -- units of the Gui, like the pixels of textures/sign_plain.png
-- The space between the apple and the border of the sign.
local LEFT = 134
local OPTIONS = { width = 332, height = HEIGHT, align = "center", vertical = "middle" }

function M.spawn(game)
    -- The lower left corner of levels/stand.level's sign, a little in front of it.
    local pose = Matrix4x4.from_translation(Vector3(-1.25, 0.2, 1.375))
    game.sign = World.create_world_gui(game.world, pose, 2.5, 1.15, "immediate", "scale", WIDTH, HEIGHT)
end

function M.draw(game)
    local title = Localizer.lookup(game.texts, "title")
    Gui.text(game.sign, title, FONT, SIZE, nil, Vector2(LEFT, 0), Color(244, 232, 200), OPTIONS)
end

return M
