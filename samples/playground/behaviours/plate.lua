-- A plate lights up while somebody is on it, and starts what its data names (scripts/things.lua).

local Plate = { inside = 0, is_lit = false }

local DARK, LIT, USED = { 0, 0, 0 }, { 1.0, 0.62, 0.12 }, { 0.05, 0.42, 0.20 }

local function show(self, color)
    Mesh.set_color(Unit.mesh(self.entity, "mesh"), "emissive", Vector4(color[1], color[2], color[3], 1))
end

function Plate.spawned(self)
    local data = EntityManager.data_component(self.world)
    self.what = DataComponent.get_property_by_id(data, self.entity, "starts", "what")
    show(self, DARK)
end

function Plate.trigger_enter(self, other)
    self.inside = self.inside + 1
    show(self, LIT)
    if not self.was_used then
        self.was_used = true
        Game.plate_used(self.what)
    end
end

function Plate.trigger_leave(self, other)
    self.inside = self.inside - 1
    if self.inside == 0 then
        show(self, USED)
    end
end

return Plate
