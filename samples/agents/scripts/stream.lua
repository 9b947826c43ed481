-- Recorded input: which actions were pressed, and in which frame. Without a window, or with `-- --demo`, it is
-- played as if somebody pressed their keys.

local Stream = {}

local PRESSED = {
    [240] = "fell",    -- the wall falls
    [330] = "block",   -- a barricade blocks a street
    [2100] = "block",  -- and goes again
    [4500] = "block",
    [7000] = "block",
}

-- Returns whether an action is pressed: by a player, or in this frame of the recording.
function Stream.pressed(game, action)
    return Input.pressed(action) or (game.is_demo and PRESSED[game.frame] == action)
end

return Stream
