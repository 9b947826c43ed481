-- Lives of behaviours' instances that make and end each other, enable and disable, send events, raise
-- errors and run out of memory, in whatever function they are in; and a model of what each has to
-- hear meanwhile. Loaded by test_behaviour_model.c, which calls `play` and looks at `fault`.

fault = nil -- what first went wrong

local scripts = { "behaviours/plain", "behaviours/reusing", "behaviours/looping" }
local MOST_DEPTH = 6
local lives = {}  -- by entity
local living = {} -- those that have not ended, in no order
local budget, depth = 0, 0
local may_fail, may_lack_memory = false, false
local random = math.random

local function fail(what)
    fault = fault or what
end

local function instance_of(life)
    return ScriptComponent.lookup(SC, life.entity, "ai")
end

local function is_enabled(life)
    return ScriptComponent.is_enabled(SC, instance_of(life))
end

local function any()
    return #living > 0 and living[random(#living)] or nil
end

-- --- What they do --------------------------------------------------------------------------------

local function bind(life)
    lives[life.entity] = life
    ScriptComponent.create(SC, life.entity, "ai", scripts[random(#scripts)])
end

-- Memory may lack at any place.
local function create()
    local life = { entity = 0, table = false, heard = false, hears_end = false, ended = false,
                   has_ended = false, is_old = false, is_due = false, was_switched = false }
    local place = #living + 1
    living[place] = life
    local is_made, entity = pcall(EntityManager.create, W)
    if not is_made then
        living[place] = nil
        error(entity, 0)
    end
    life.entity = entity
    local is_bound, message = pcall(bind, life)
    if not is_bound then
        living[place], lives[entity] = nil, nil
        EntityManager.destroy(entity)
        error(message, 0)
    end
    return life
end

-- Where memory lacks it has not ended.
local function finish(life)
    if not life or life.ended then
        return
    end
    local hears_end = life.heard and is_enabled(life)
    if random(2) == 1 then
        EntityManager.destroy(life.entity)
    else
        ScriptComponent.destroy_all(SC, life.entity)
    end
    life.hears_end, life.ended = hears_end, true
    for k = 1, #living do
        if living[k] == life then
            living[k] = living[#living]
            living[#living] = nil
            break
        end
    end
end

local function switch(life)
    if life then
        life.was_switched = true
        ScriptComponent.set_enabled(SC, instance_of(life), random(3) > 1)
    end
end

local function dispatch_to_some()
    local instances = {}
    for _ = 1, random(5) do
        local life = any()
        if life then
            instances[#instances + 1] = instance_of(life)
        end
    end
    ScriptComponent.dispatch(SC, "hear", instances)
end

local act

local acts = {
    function() create() end,
    function()
        local a, b = create(), create()
        ScriptComponent.spawned(SC, { a.entity, b.entity })
    end,
    function() ScriptComponent.dispatch(SC, "hear", { instance_of(create()) }) end,
    function() finish(any()) end,
    finish,
    function() switch(any()) end,
    switch,
    function() ScriptComponent.broadcast(SC, "hear") end,
    function() ScriptComponent.broadcast(SC, "unheard") end,
    dispatch_to_some,
    dispatch_to_some,
    function() if may_fail then error("wanted", 0) end end,
    function() if may_lack_memory and random(3) == 1 then refuse_memory(random(60) - 1) end end,
    function()
        local life = any()
        if life and ScriptComponent.state(SC, instance_of(life)).entity ~= life.entity then
            fail("the table of another")
        end
    end,
    function(life)
        act(life)
        act(life)
    end,
}

-- Does something, of which a third takes the errors upon itself. `life`: whose function it is.
act = function(life)
    if budget <= 0 or depth >= MOST_DEPTH or (life and life.ended) then
        return
    end
    budget = budget - 1
    local outer = depth
    depth = outer + 1
    local is_well, message = pcall(acts[random(#acts)], life)
    depth = outer
    if not is_well and random(3) > 1 then
        error(message, 0)
    end
end

-- --- What they hear ------------------------------------------------------------------------------

local function spawned(self)
    local life = lives[self.entity]
    if life.heard then fail("spawned twice") end
    if life.ended then fail("spawned after its end") end
    life.heard = true
    life.table = self
    self.load = 1
    if random(2) == 1 then act(life) end
end

local function hear_event(self, what)
    local life = lives[self.entity]
    if not life.heard then fail(what .. " before spawned") end
    if life.ended then fail(what .. " after its end") end
    if not life.ended and not is_enabled(life) then fail(what .. " when disabled") end
    if life.table ~= self then fail(what .. " with the table of another") end
    if random(4) == 1 then act(life) end
end

local function update(self) hear_event(self, "update") end
local function hear(self) hear_event(self, "hear") end

local function destroyed(self)
    local life = lives[self.entity]
    if not life.ended then fail("destroyed while it lives") end
    if life.has_ended then fail("destroyed twice") end
    if not life.hears_end then fail("destroyed without spawned, or when disabled") end
    if life.table ~= self then fail("destroyed with the table of another") end
    life.has_ended = true
    if random(3) == 1 then act(nil) end
end

local function all(f)
    return function(selves, first, last, at)
        for i = first, last do
            local self = selves[i]
            if self then
                at[1] = i
                f(self)
            end
        end
    end
end

-- What the scripts return.
function behaviour(reuses)
    return { reuses_tables = reuses, spawned = spawned, update = update, hear = hear,
             destroyed = destroyed }
end

function behaviour_with_loops()
    return { reuses_tables = true, spawned_all = all(spawned), update_all = all(update),
             hear_all = all(hear), destroyed_all = all(destroyed) }
end

-- --- A round -------------------------------------------------------------------------------------

local function act_from_outside()
    budget, depth = 40, 0
    for _ = 1, random(4) do
        pcall(act, nil)
    end
    if #living < 6 then
        pcall(create)
        pcall(create)
    end
    allow_memory()
    while #living > 60 do
        finish(living[1])
    end
end

local function look_at(life)
    if life.is_due and not life.has_ended then
        fail("never destroyed")
    end
    if not may_lack_memory and life.is_old and not life.ended and not life.was_switched and
        is_enabled(life) and not life.heard then
        fail("never spawned")
    end
end

-- Acts from outside and makes a step. `kind`: "well", "errors", or "memory", with errors, too.
function play(kind)
    may_fail, may_lack_memory = kind ~= "well", kind == "memory"
    act_from_outside()
    for _, life in pairs(lives) do
        life.is_due = life.hears_end and not life.has_ended
        life.is_old = not life.ended
        life.was_switched = false
    end
    budget, depth = 60, 0
    if may_lack_memory and random(2) == 1 then
        refuse_memory(random(200) - 1)
    end
    local is_well = pcall(World.update, W, 1)
    allow_memory()
    for entity, life in pairs(lives) do
        if is_well then
            look_at(life)
        end
        if life.ended and (life.has_ended or not life.hears_end) then
            lives[entity] = nil
        end
    end
end
