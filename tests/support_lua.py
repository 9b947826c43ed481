"""Tests in Lua: a boot script with functions that `cuttle run` calls in a small project."""

import os
import re

from support_cuttle import TemporaryFolder, cuttle, write

# What such a script has. `test` adds a function; each frame runs one and prints how it went.
PRELUDE = """
function show(value)
    if type(value) ~= "table" then
        return type(value) == "string" and string.format("%q", value)
            or tostring(type(value) == "number" and value + 0 or value)  -- no -0
    end
    local texts = {}
    for i = 1, #value do texts[i] = show(value[i]) end
    return "{ " .. table.concat(texts, ", ") .. " }"
end
function expect(expected, got, what)
    if show(expected) ~= show(got) then
        error((what or "value") .. ": expected " .. show(expected) .. ", got " .. show(got), 2)
    end
end
function near(expected, got, what)
    if not (math.abs(expected - got) < 1e-5) then
        error((what or "value") .. ": expected about " .. expected .. ", got " .. tostring(got), 2)
    end
end
function refused(text, run, ...)
    local is_right, message = pcall(run, ...)
    if is_right or not tostring(message):find(text, 1, true) then
        error("expected the error " .. text .. ", got " .. tostring(message), 2)
    end
    return message
end
-- Bytes of garbage that 100 calls of `run` make, in the interpreter: traces of compiled code are garbage,
-- too, and are made at random times.
function garbage_of(run)
    jit.off()
    jit.flush()
    collectgarbage()
    collectgarbage("stop")
    run()  -- also lets the stack grow, which collecting has shrunk
    local before = collectgarbage("count")
    for _ = 1, 100 do run() end
    local bytes = (collectgarbage("count") - before) * 1024
    collectgarbage("restart")
    jit.on()
    return bytes
end
local tests = {}
function test(name, run)
    tests[#tests + 1] = { name = name, run = run }
end
local function run_next()
    local next = table.remove(tests, 1)
    local is_right, message = xpcall(next.run, function(text)
        return tostring(text) .. "\\n" .. Script.callstack()
    end)
    print((is_right and "passed: " or "failed: ") .. next.name .. (is_right and "" or ": " .. message))
end
function update()
    if tests[1] then run_next() else Application.quit() end
end
"""


class LuaTests(TemporaryFolder):
    def run_lua(self, lua):
        """Runs a script that calls `test`; fails when one of these fails. Returns the log."""
        project = self.compiled_project()
        write(os.path.join(project, "scripts", "main.lua"), PRELUDE + lua)
        with open(os.path.join(project, "settings.config"), "a") as file:
            file.write("lua = { time_limit_seconds = 100 }\n")  # other tests use this machine, too
        done = cuttle("run", project, "--headless", "--size", "16x16", check=0)
        log = done.stdout + done.stderr
        failed = re.findall(r"(?s)failed: .*?(?=\n\[lua\]|\Z)", log)
        self.assertEqual([], failed, "\n".join(failed))
        self.assertEqual(log.count("passed: "), len(re.findall(r"(?m)^test\(", lua)), log)
        return log
