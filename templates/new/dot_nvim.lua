-- Neovim reads this when `exrc` is set and you trust the file. It needs nvim-dap.
local is_there, dap = pcall(require, "dap")
if not is_there then
    return
end

dap.adapters.cuttle = { type = "executable", command = "cuttle", args = { "debug" } }
dap.configurations.lua = {
    { name = "Run the game", type = "cuttle", request = "launch", project = vim.fn.getcwd() },
    { name = "Attach to the running game", type = "cuttle", request = "attach" },
}
