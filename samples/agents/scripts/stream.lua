-- Recorded input: which keys went down and up, and in which frame. Without a window, or with `-- --demo`,
-- it is played as if somebody pressed them.

local Stream = {}

-- Frame, what happened, key.
local EVENTS = {
    { 240, "pressed", "f" }, { 246, "released", "f" },    -- the wall falls
    { 330, "pressed", "b" }, { 336, "released", "b" },    -- a barricade blocks a street
    { 2100, "pressed", "b" }, { 2106, "released", "b" },  -- and goes again
    { 4500, "pressed", "b" }, { 4506, "released", "b" },
    { 7000, "pressed", "b" }, { 7006, "released", "b" },
}

-- Sends the events of a frame.
function Stream.play(frame)
    for _, event in ipairs(EVENTS) do
        if event[1] == frame then
            Input.add_remote_events { { device = "keyboard", kind = event[2], name = event[3] } }
        end
    end
end

return Stream
