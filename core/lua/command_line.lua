-- Arguments of the game: those behind `--` of `cuttle run`, and all that the player does not know.
--
--     local CommandLine = require "core/lua/command_line"
--     local count = tonumber(CommandLine.value("--people")) or 1000
--     local is_demo = CommandLine.has("--demo")

local CommandLine = {}

-- Returns the argument after `name`, "" when `name` is the last, and nil without it.
function CommandLine.value(name)
    local arguments = { Application.argv() }
    for i, text in ipairs(arguments) do
        if text == name then
            return arguments[i + 1] or ""
        end
    end
    return nil
end

-- Returns whether an argument is there.
function CommandLine.has(name)
    return CommandLine.value(name) ~= nil
end

return CommandLine
