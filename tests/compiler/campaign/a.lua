local module = { name = "campaign", values = { 1, 2.5, 0x1f, [[long]], 'short\n' } }
function module.sum(...)
    local total = 0
    for i, v in ipairs({ ... }) do total = total + (v or 0) * i end
    return total
end
return module
