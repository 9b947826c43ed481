-- What the game was started with: the arguments behind `--` of `cuttle run`.

local Options = {}

local USAGE = "--host | --find | --join ADDRESS | --bot | --seed N | --name TEXT | --port N | --points N | --seconds N | --unseen"
-- What an argument is followed by: nothing, a text, or a number between two.
local KINDS = {
    ["--host"] = {}, ["--find"] = {}, ["--bot"] = {}, ["--unseen"] = {},
    ["--join"] = { text = "an address such as 192.168.1.20:50123" },
    ["--name"] = { text = "the name of a game" },
    ["--seed"] = { least = 0, most = 2 ^ 31 - 1 },
    ["--port"] = { least = 1, most = 65535 },
    ["--points"] = { least = 1, most = 100 },
    ["--seconds"] = { least = 1, most = 1000 },
}

local function number_of(name, kind, text)
    local number = tonumber(text)
    if number and number >= kind.least and number <= kind.most and number == math.floor(number) then
        return number
    end
    return nil, string.format("%s: expected a whole number from %d to %d, got %s", name, kind.least, kind.most,
        text and '"' .. text .. '"' or "nothing")
end

-- Returns a table with a member for each argument, or nil and what is wrong.
function Options.read(...)
    local words = { ... }
    local options = { seed = 1, name = "Duel", port = 14100, points = 5, seconds = 90 }
    local i = 1
    while i <= #words do
        local name, kind = words[i], KINDS[words[i]]
        if not kind then
            return nil, string.format('unknown argument "%s"; expected %s', name, USAGE)
        end
        local value, message = true, nil
        if kind.least then
            i = i + 1
            value, message = number_of(name, kind, words[i])
        elseif kind.text then
            i = i + 1
            value = words[i] ~= nil and words[i]:sub(1, 2) ~= "--" and words[i] or nil
            message = name .. ": expected " .. kind.text
        end
        if value == nil then
            return nil, message
        end
        options[name:sub(3)] = value
        i = i + 1
    end
    if (options.host and 1 or 0) + (options.find and 1 or 0) + (options.join and 1 or 0) > 1 then
        return nil, "--host, --find and --join: expected one of them at most"
    end
    return options
end

return Options
