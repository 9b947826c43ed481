-- People and carts: they stay at a place for a while, go to another one, and hop over links.

local Errands = require "scripts/errands"

local Walker = {}

local JUMP_SPEED, CLIMB_SPEED = 3, 1.1  -- metres a second

function Walker.spawned(self)
    self.class = Unit.is_a(self.entity, "units/cart") and "cart" or "person"
    -- Seconds until the next errand; nil on the way, and without a town, as in `cuttle check`.
    self.rest = Game and Errands.random(Game, 0, 8)
end

function Walker.update(self, dt)
    if self.rest then
        self.rest = self.rest - dt
        if self.rest <= 0 then
            self.rest = nil
            Errands.send(Game, self.entity, self.class)
        end
    elseif self.link then
        self:hop(dt)
    end
end

function Walker.navigation_arrived(self)
    Game.num_arrived = Game.num_arrived + 1
    self.rest = Errands.random(Game, 30, 120)
end

-- There is no way, as a door is closed: another errand comes soon.
function Walker.navigation_failed(self)
    Game.num_failed = Game.num_failed + 1
    self.rest = Errands.random(Game, 1, 2)
end

-- It gets nowhere: it has an errand elsewhere, too.
function Walker.navigation_stuck(self)
    Game.num_stuck = Game.num_stuck + 1
    Errands.send(Game, self.entity, self.class)
end

-- A link begins: over it the behaviour moves the walker, not the engine.
function Walker.navigation_link(self, kind, from, to)
    local link = self.own_link or { from = Vector3Box(), to = Vector3Box() }
    link.from:store(from)
    link.to:store(to)
    link.is_ladder = kind == "ladder"
    link.part = 0
    link.step = link.is_ladder and CLIMB_SPEED / 2.8 or JUMP_SPEED / math.max(Vector3.length(to - from), 1)
    self.own_link, self.link = link, link
    Game.num_links[kind] = (Game.num_links[kind] or 0) + 1
end

-- Moves along a ladder, or in an arc, and ends the link.
function Walker.hop(self, dt)
    local link = self.link
    link.part = math.min(link.part + link.step * dt, 1)
    local part, from, to = link.part, link.from:unbox(), link.to:unbox()
    local at = from + (to - from) * part
    if not link.is_ladder then
        at = at + Vector3(0, 0, 4 * part * (1 - part) * 0.5)
    end
    Unit.set_local_position(self.entity, 1, at)
    if part == 1 then
        self.link = nil
        NavigationAgent.end_link(self.entity)
    end
end

return Walker
