-- The init.lua of test_editors.py: a `dap` that starts adapters as the plugin nvim-dap does. With
-- CUTTLE_TEST_LINE it runs the first configuration of Lua files: a breakpoint there, a look at `dt`, the end.
vim.o.exrc = true
local dap = { adapters = {}, configurations = {} }
package.loaded.dap = dap
local client = { seq = 0, callbacks = {}, capabilities = {}, buffer = "" }

local function say(...)
    io.stdout:write(table.concat(vim.tbl_map(tostring, { ... }), " "), "\n")
end

function client.request(command, arguments, callback)
    client.seq = client.seq + 1
    client.callbacks[client.seq] = callback or function() end
    local json = vim.json.encode({ seq = client.seq, type = "request", command = command, arguments = arguments })
    client.input:write(("Content-Length: %d\r\n\r\n%s"):format(#json, json))
end

function client.take(message)
    if message.type == "response" then
        assert(message.success, message.message)
        client.callbacks[message.request_seq](message.body or {})
    elseif client["on_" .. message.event] then
        client["on_" .. message.event](message.body or {})
    end
end

function client.read(_, bytes)
    client.buffer = client.buffer .. (bytes or "")
    while true do
        local start, stop, length = client.buffer:find("Content%-Length: (%d+)\r\n\r\n")
        if not start or #client.buffer < stop + tonumber(length) then
            return
        end
        local json = client.buffer:sub(stop + 1, stop + tonumber(length))
        client.buffer = client.buffer:sub(stop + tonumber(length) + 1)
        vim.schedule(function()
            local is_done, problem = pcall(client.take, vim.json.decode(json))
            if not is_done then
                say("failed:", problem)
                vim.cmd("cquit")
            end
        end)
    end
end

function client.on_initialized()
    client.request("setBreakpoints", {
        source = { path = vim.api.nvim_buf_get_name(0), name = "main.lua" },
        breakpoints = { { line = tonumber(vim.env.CUTTLE_TEST_LINE) } },
    }, function()
        client.request("setExceptionBreakpoints", { filters = { "uncaught" } }, function()
            client.request("configurationDone")
        end)
    end)
end

function client.on_stopped(stop)
    client.request("stackTrace", { threadId = stop.threadId }, function(stack)
        local frame = stack.stackFrames[1]
        say("stopped:", stop.reason, frame.source.path, frame.line)
        client.request("evaluate", { expression = "type(dt)", context = "repl", frameId = frame.id }, function(value)
            say("value:", value.result)
            client.request("disconnect", { restart = false, terminateDebuggee = true })
        end)
    end)
end

function dap.run(configuration)
    local adapter = dap.adapters[configuration.type]
    assert(adapter.type == "executable", adapter.type)
    local input, output = vim.loop.new_pipe(false), vim.loop.new_pipe(false)
    client.input = input
    local process, problem = vim.loop.spawn(adapter.command, { args = adapter.args, stdio = { input, output, 2 } },
        vim.schedule_wrap(function(code)
            say("ended:", code)
            vim.cmd("quitall!")
        end))
    assert(process, problem)
    output:read_start(client.read)
    client.request("initialize", {
        clientID = "neovim", clientName = "neovim", adapterID = "nvim-dap", pathFormat = "path", locale = "en",
        columnsStartAt1 = true, linesStartAt1 = true, supportsRunInTerminalRequest = true,
        supportsVariableType = true, supportsProgressReporting = true,
    }, function(capabilities)
        client.capabilities = capabilities
        client.request(configuration.request, configuration)
    end)
end

vim.api.nvim_create_autocmd("VimEnter", {
    callback = function()
        local adapter, found = dap.adapters.cuttle, dap.configurations.lua
        say("adapter:", adapter and adapter.type, adapter and adapter.command, adapter and table.concat(adapter.args, " "))
        for _, configuration in ipairs(found or {}) do
            say("configuration:", configuration.name, configuration.request, configuration.project)
        end
        if found and vim.env.CUTTLE_TEST_LINE then
            found[1].headless, found[1].port, found[1].runArgs = true, 0, { "--size", "160x90" }
            dap.run(found[1])
        else
            vim.cmd("quitall!")
        end
    end,
})
