-- Easing: curves from 0 to 1 over 0 to 1, for movement that starts or ends softly.
--
--     local Easing = require "core/lua/easing"
--     local share = Easing.out_cubic(time / seconds)
--
-- Of each kind there are three: `in_` starts slowly, `out_` ends slowly, `in_out_` does both.
-- Robert Penner's curves, with the figures of easings.net; elastic, back and bounce leave 0 to 1
-- or turn on their way. At 0 and 1 every curve is exactly 0 and 1.

local Easing = {}

local cos, sin, sqrt, pi = math.cos, math.sin, math.sqrt, math.pi
local BACK, BACK_IN_OUT = 1.70158, 1.70158 * 1.525  -- 10 % beyond the end

function Easing.linear(t)
    return t
end

-- The `in_` curves. The others are made of them below.
local STARTS = {}

function STARTS.quad(t) return t * t end
function STARTS.cubic(t) return t * t * t end
function STARTS.quart(t) return t * t * t * t end
function STARTS.quint(t) return t * t * t * t * t end
function STARTS.sine(t) return t == 1 and 1 or 1 - cos(t * pi / 2) end
function STARTS.expo(t) return (t == 0 or t == 1) and t or 2 ^ (10 * t - 10) end
function STARTS.circ(t) return 1 - sqrt(1 - t * t) end
function STARTS.back(t) return t == 1 and 1 or t * t * ((BACK + 1) * t - BACK) end

function STARTS.elastic(t)
    return (t == 0 or t == 1) and t or -2 ^ (10 * t - 10) * sin((10 * t - 10.75) * 2 * pi / 3)
end

local function bounce(t)  -- at the end
    if t < 1 / 2.75 then
        return 7.5625 * t * t
    elseif t < 2 / 2.75 then
        return 7.5625 * (t - 1.5 / 2.75) ^ 2 + 0.75
    elseif t < 2.5 / 2.75 then
        return 7.5625 * (t - 2.25 / 2.75) ^ 2 + 0.9375
    end
    return t == 1 and 1 or 7.5625 * (t - 2.625 / 2.75) ^ 2 + 0.984375
end

function STARTS.bounce(t) return 1 - bounce(1 - t) end

for name, start in pairs(STARTS) do
    Easing["in_" .. name] = start
    Easing["out_" .. name] = function(t) return 1 - start(1 - t) end
    Easing["in_out_" .. name] = function(t)
        return t < 0.5 and start(2 * t) / 2 or 1 - start(2 - 2 * t) / 2
    end
end

-- These two swing further when they do so at both ends.
function Easing.in_out_back(t)
    local u = t < 0.5 and 2 * t or 2 - 2 * t
    local half = u * u * ((BACK_IN_OUT + 1) * u - BACK_IN_OUT) / 2
    return t < 0.5 and half or 1 - half
end

function Easing.in_out_elastic(t)
    if t == 0 or t == 1 then
        return t
    end
    local wave = sin((20 * t - 11.125) * 2 * pi / 4.5) / 2
    return t < 0.5 and -2 ^ (20 * t - 10) * wave or 2 ^ (10 - 20 * t) * wave + 1
end

-- --- Cubic Bézier curves ------------------------------------------------------------------------

-- One coordinate of the curve from 0 to 1 with the inner points a and b.
local function coordinate(a, b, u)
    local v = 1 - u
    return ((3 * v * a + 3 * u * b) * v + u * u) * u
end

-- Returns the curve from (0, 0) to (1, 1) with the inner points (x1, y1) and (x2, y2) at `t`, as
-- `cubic-bezier` of CSS. x1 and x2 are from 0 to 1.
function Easing.bezier(x1, y1, x2, y2, t)
    if t <= 0 or t >= 1 then
        return t <= 0 and 0 or 1
    end
    local low, high, u = 0, 1, t
    for _ = 1, 40 do  -- the x of the curve grows with u: find where it is t
        local x = coordinate(x1, x2, u)
        if x == t or high - low < 1e-9 then
            break
        elseif x < t then
            low = u
        else
            high = u
        end
        local v = 1 - u
        local slope = 3 * v * v * x1 + 6 * v * u * (x2 - x1) + 3 * u * u * (1 - x2)
        local guess = u - (x - t) / slope     -- Newton's, when it stays in between
        u = guess > low and guess < high and guess or (low + high) / 2
    end
    return coordinate(y1, y2, u)
end

return Easing
