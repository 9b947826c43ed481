"""Saved games: values, slots, versions, worlds with all types of components, and damaged files."""

import json
import os
import random
import re
import resource
import signal
import subprocess
import time
import unittest

from support_all_types import write_all_types
from support_cuttle import CUTTLE, TemporaryFolder, cuttle, read, rounds, write
from support_lua import PRELUDE, LuaTests

HELPERS = """
-- Waits for a token, which is done soon; returns what it gave.
function wait(token)
    while true do
        local result = SaveSystem.progress(token)
        if result.done then
            SaveSystem.close(token)
            return result
        end
    end
end
function save(name, data, options)
    local result = wait(SaveSystem.auto_save(name, data, options))
    expect(nil, result.error)
end
function load(name)
    local result = wait(SaveSystem.auto_load(name))
    expect(nil, result.error)
    return result.data, result.info
end
"""

VALUES = HELPERS + """
test("values_come_back_as_they_were", function()
    save("values", { text = "a\\0b\\255", yes = true, no = false, number = 0.1, big = 2 ^ 60, inf = math.huge,
        list = { 1, 2, { 3 } }, [7] = "seven", [true] = "bool", v2 = Vector2(1, 2), v3 = Vector3(1, 2, 3),
        v4 = Vector4(1, 2, 3, 4), q = Quaternion.identity(), m = Matrix4x4.identity(),
        box = Vector3Box(4, 5, 6), id = IdString32("name"), id64 = IdString64("other") })
    local data, info = load("values")
    expect("a\\0b\\255", data.text)
    expect({ true, false, 0.1, 2 ^ 60, math.huge }, { data.yes, data.no, data.number, data.big, data.inf })
    expect({ 1, 2, { 3 } }, data.list)
    expect({ "seven", "bool" }, { data[7], data[true] })
    expect(2, Vector2.y(data.v2))
    expect(3, Vector3.z(data.v3))
    expect("Vector4", Script.type_name(data.v4))
    expect("Quaternion", Script.type_name(data.q))
    expect("Matrix4x4", Script.type_name(data.m))
    expect({ "Vector3Box", 5 }, { Script.type_name(data.box), data.box:unbox().y })
    expect(true, data.id == IdString32("name"))
    expect("IdString64", Script.type_name(data.id64))
    expect(1, info.version)
    expect(true, info.saved_at > 1.7e9)
end)
test("what_cannot_be_saved_is_named_by_its_path", function()
    local cycle = { list = {} }
    cycle.list[1] = { inner = cycle }
    refused('data.list[1].inner is a table inside itself', SaveSystem.auto_save, "bad", cycle)
    refused("data.player.run is function", SaveSystem.auto_save, "bad", { player = { run = print } })
    refused("data.unit is Unit", SaveSystem.auto_save, "bad",
        { unit = EntityManager.create() })
    refused("data has a key that is table", SaveSystem.auto_save, "bad", { [{}] = 1 })
    refused("expected table", SaveSystem.auto_save, "bad", 3)
    local deep = {}
    for _ = 1, 200 do deep = { deep } end
    refused("tables are deeper than 100", SaveSystem.auto_save, "bad", deep)
    deep = {}
    for _ = 1, 99 do deep = { deep } end
    refused("tables are deeper than 100", SaveSystem.auto_save, "bad", {}, { metadata = deep })
    save("deep", deep, { metadata = deep[1] })
    load("deep")
    SaveSystem.delete("deep")
    expect(false, SaveSystem.exists("bad"))
end)
test("names_of_slots_are_checked", function()
    for _, name in ipairs { "", "../up", "a/b", ".hidden", "a.b", " a", ("x"):rep(64), "a\\n" } do
        refused("the name of a saved game", SaveSystem.auto_save, name, {})
        refused("the name of a saved game", SaveSystem.auto_load, name)
        refused("the name of a saved game", SaveSystem.delete, name)
    end
end)
test("slots_have_metadata_and_can_be_listed_and_deleted", function()
    local png = "\\137PNG\\r\\n\\026\\nrest"
    save("slot b", { 2 }, { title = "Second", time_played = 62.5, metadata = { level = 3 }, picture = png })
    save("slot a", { 1 })
    local slots = {}
    for _, slot in ipairs(SaveSystem.list()) do slots[slot.slot] = slot end
    expect({ "Second", 62.5, 3 }, { slots["slot b"].title, slots["slot b"].time_played,
        slots["slot b"].metadata.level })
    expect(nil, slots["slot a"].title)
    expect(png, SaveSystem.picture("slot b"))
    expect(nil, SaveSystem.picture("slot a"))
    expect({ true, true, false }, { SaveSystem.exists(), SaveSystem.exists("slot a"), SaveSystem.exists("c") })
    SaveSystem.delete("slot a")
    expect(false, SaveSystem.exists("slot a"))
    SaveSystem.delete("slot a")
    expect("there is no saved game \\"slot a\\"", wait(SaveSystem.auto_load("slot a")).error)
    save("no picture", {}, { picture = true })
    expect(nil, SaveSystem.picture("no picture"))
    refused("neither true nor the bytes of a PNG", SaveSystem.auto_save, "x", {}, { picture = "no" })
    refused('the field "title" is', SaveSystem.auto_save, "x", {}, { title = 3 })
end)
test("requests_by_number", function()
    local id = SaveSystem.save { slot = "numbered", data = { 5 }, title = "N" }
    while SaveSystem.status(id) == SaveSystem.WORKING do end
    expect({ SaveSystem.DONE, 0 }, { SaveSystem.status(id), SaveSystem.save_error_result(id) })
    SaveSystem.free(id)
    expect(SaveSystem.UNKNOWN, SaveSystem.status(id))
    id = SaveSystem.load { slot = "numbered" }
    while SaveSystem.status(id) == SaveSystem.WORKING do end
    local result = SaveSystem.load_result(id)[1]
    expect({ "numbered", 5, "N" }, { result.slot, result.data[1], result.info.title })
    SaveSystem.free(id)
    id = SaveSystem.load { slot = "missing" }
    while SaveSystem.status(id) == SaveSystem.WORKING do end
    expect(SaveSystem.FAILED, SaveSystem.status(id))
    local code, text = SaveSystem.load_error_result(id)
    expect({ 1, 'there is no saved game "missing"' }, { code, text })
    refused('the field "slot" is nil', SaveSystem.save, {})
    refused("there is no request", SaveSystem.load_result, 12345)
end)
test("a_migration_may_free_its_request", function()
    local id
    SaveSystem.set_version(1)
    save("freed", { 5 })
    SaveSystem.set_version(2, { [1] = function(data) SaveSystem.free(id) return data end })
    id = SaveSystem.load { slot = "freed" }
    save("other", {})  -- requests are handled in their order
    local result = SaveSystem.load_result(id)[1]
    expect({ "freed", 5, SaveSystem.UNKNOWN }, { result.slot, result.data[1], SaveSystem.status(id) })
    id = SaveSystem.load { slot = "freed" }
    save("other", {})
    expect(SaveSystem.UNKNOWN, SaveSystem.status(id))
    local token
    SaveSystem.set_version(2, { [1] = function(data) SaveSystem.close(token) return data end })
    token = SaveSystem.auto_load("freed")
    save("other", {})
    expect(5, SaveSystem.progress(token).data[1])
    refused("the token was closed", SaveSystem.progress, token)
    SaveSystem.set_version(1)
end)
test("migrations_run_once_and_status_reports_their_errors", function()
    local calls, seen, id, token = 0, nil, nil, nil
    SaveSystem.set_version(1)
    save("once", { gold = 5 })
    SaveSystem.set_version(2, { [1] = function(data)
        calls = calls + 1
        error("cannot read " .. data.gold)
    end })
    id = SaveSystem.load { slot = "once" }
    while SaveSystem.status(id) == SaveSystem.WORKING do end
    expect({ SaveSystem.FAILED, SaveSystem.FAILED, 1 }, { SaveSystem.status(id), SaveSystem.status(id), calls })
    local code, text = SaveSystem.load_error_result(id)
    expect(1, code)
    for _, part in ipairs { '"once"', "from version 1 failed", "cannot read 5" } do
        expect(true, text:find(part, 1, true) ~= nil, text)
    end
    expect({ text, "once" }, { SaveSystem.load_result(id)[1].error, SaveSystem.load_result(id)[1].slot })
    expect({ nil, 1 }, { SaveSystem.load_result(id)[1].data, calls })
    -- What was found stays until the number is freed.
    SaveSystem.set_version(2, { [1] = function(data)
        calls = calls + 1
        seen = { SaveSystem.status(id), SaveSystem.load_error_result(id), SaveSystem.progress(token).done }
        refused("the request is not done", SaveSystem.load_result, id)
        return { purse = data.gold }
    end })
    expect({ SaveSystem.FAILED, 1 }, { SaveSystem.status(id), calls })
    SaveSystem.free(id)
    token = SaveSystem.auto_save("saved", {})
    id = SaveSystem.load { slot = "once" }
    save("other", {})
    expect({ SaveSystem.DONE, SaveSystem.DONE, 2 }, { SaveSystem.status(id), SaveSystem.status(id), calls })
    expect({ SaveSystem.WORKING, 0, true }, seen)
    expect({ 5, 0 }, { SaveSystem.load_result(id)[1].data.purse, SaveSystem.load_error_result(id) })
    expect(true, rawequal(SaveSystem.load_result(id)[1], SaveSystem.load_result(id)[1]))
    SaveSystem.free(id)
    -- A token that its own migration asks for is not done yet.
    SaveSystem.set_version(2, { [1] = function(data)
        calls = calls + 1
        seen = { SaveSystem.progress(token).done, SaveSystem.progress(token).data }
        return { purse = data.gold }
    end })
    token = SaveSystem.auto_load("once")
    save("other", {})
    expect({ 5, 3, false, nil }, { SaveSystem.progress(token).data.purse, calls, seen[1], seen[2] })
    expect(true, rawequal(SaveSystem.progress(token), SaveSystem.progress(token)))
    expect(3, calls)
    SaveSystem.set_version(1)
end)
test("what_cannot_be_made_again_is_an_error_of_the_request", function()
    save("boxed", { Vector3Box(1, 2, 3) })
    local box = Vector3Box
    Vector3Box = function() error("no boxes today") end
    local id, token = SaveSystem.load { slot = "boxed" }, SaveSystem.auto_load("boxed")
    local result = wait(token)
    expect(true, result.error:find('cannot make the data of "boxed": .*no boxes today') ~= nil, result.error)
    expect(true, SaveSystem.load_result(id)[1].error ~= nil)
    expect(SaveSystem.FAILED, SaveSystem.status(id))
    Vector3Box = box
end)
local function busy()  -- for the thread: more than a frame of work
    return SaveSystem.auto_save("busy", { ("x"):rep(64 * 1024 * 1024) })
end
test("a_save_that_waits_is_replaced_by_a_newer_one_of_its_slot", function()
    save("slot", { 0 })
    local first = busy()
    local old, id = SaveSystem.auto_save("slot", { 1 }), SaveSystem.save { slot = "slot", data = { 2 } }
    expect({ true, true, nil }, { SaveSystem.progress(old).done, SaveSystem.progress(old).replaced,
        SaveSystem.progress(old).error })
    local between, new = SaveSystem.auto_load("slot"), SaveSystem.auto_save("slot", { 3 })
    expect(SaveSystem.WORKING, SaveSystem.status(id))  -- the load must see it
    local newest = SaveSystem.save { slot = "slot", data = { 4 } }
    expect(true, SaveSystem.progress(new).replaced)
    expect(2, wait(between).data[1])
    expect(4, load("slot")[1])
    expect({ SaveSystem.DONE, 0 }, { SaveSystem.status(newest), SaveSystem.save_error_result(newest) })
    first = busy()
    id = SaveSystem.save { slot = "slot", data = { 5 } }
    new = SaveSystem.auto_save("slot", { 6 })
    expect({ SaveSystem.REPLACED, 0 }, { SaveSystem.status(id), SaveSystem.save_error_result(id) })
    expect(nil, wait(new).replaced)
    expect(nil, wait(first).error)
end)
test("more_requests_than_can_wait_fail_at_once", function()
    local first, tokens, failed = busy(), {}, nil
    for i = 1, 66 do tokens[i] = SaveSystem.auto_load("slot") end
    for i = 1, 66 do
        local result = SaveSystem.progress(tokens[i])
        failed = failed or result.done and result.error
    end
    expect(true, tostring(failed):find("64 requests wait already", 1, true) ~= nil, tostring(failed))
    expect(nil, wait(first).error)
    expect(6, wait(tokens[1]).data[1])
    SaveSystem.delete("busy")
end)
test("a_closed_token_is_refused", function()
    local token = SaveSystem.auto_save("closed", {})
    SaveSystem.close(token)
    refused("the token was closed", SaveSystem.progress, token)
    expect(true, SaveSystem.exists("closed"))
end)
test("migrations_bring_old_data_to_the_version", function()
    SaveSystem.set_version(1)
    save("old", { gold = 5 })
    SaveSystem.set_version(3, {
        [1] = function(data) data.coins = data.gold data.gold = nil return data end,
        [2] = function(data) return { purse = data } end,
    })
    expect(5, load("old").purse.coins)
    save("new", { purse = {} })
    expect({}, load("new").purse)
    SaveSystem.set_version(2, { [1] = function(data) error("cannot read " .. data.gold) end })
    local failed = wait(SaveSystem.auto_load("old"))
    expect(nil, failed.data)
    expect(true, failed.error:find('the migration of "old" from version 1 failed', 1, true) ~= nil)
    expect(true, failed.error:find("cannot read 5", 1, true) ~= nil)
    expect([["new" was saved by version 3 of its data, which is later than this game's 2]],
        wait(SaveSystem.auto_load("new")).error)
    SaveSystem.set_version(2)
    expect('there is no migration of "old" from version 1; give SaveSystem.set_version the function [1]',
        wait(SaveSystem.auto_load("old")).error)
    refused("expected functions with the versions 1 to 1", SaveSystem.set_version, 2, { [2] = print })
    SaveSystem.set_version(1)
end)
"""

WORLD = HELPERS + """
local world = Application.new_world()
World.load_level(world, "levels/yard")
local spawned = World.spawn_unit(world, "units/lamp", Vector3(10, 0, 0))
local mark = World.spawn_unit(world, "units/post", Vector3(20, 0, 0))
for _ = 1, 5 do World.update(world, 0.02) end

test("saving_twice_gives_the_same", function()
    expect(SaveSystem.hash(SaveSystem.save_world(world)), SaveSystem.hash(SaveSystem.save_world(world)))
end)
test("a_world_that_did_not_change_stays_as_it_is", function()
    local saved = SaveSystem.save_world(world)
    expect({}, SaveSystem.load_world(world, saved))
    expect(SaveSystem.hash(saved), SaveSystem.hash(SaveSystem.save_world(world)))
end)
test("all_types_of_components_come_back", function()
    local saved = SaveSystem.save_world(world)
    local number, x = SaveSystem.unit_number(saved, spawned), Unit.world_position(spawned, 1).x
    save("world", { world = saved, unit = number, list = { saved } })
    -- Changes what scripts can.
    local data = EntityManager.data_component()
    for _, unit in ipairs(World.units(world)) do
        Unit.set_local_position(unit, 1, Vector3(1, 1, 1))
        Unit.set_local_scale(unit, 1, Vector3(2, 2, 2))
        if Unit.num_lights(unit) > 0 then Light.set_intensity(Unit.light(unit, 1), 99) end
        if Unit.num_cameras(unit) > 0 then Camera.set_far_range(Unit.camera(unit, 1), 500) end
        if Unit.num_meshes(unit) > 0 then Unit.set_mesh_visibility(unit, 1, false) end
        DataComponent.set_property(data, DataComponent.instances(data, unit), "name", "changed")
        DataComponent.set_property(data, DataComponent.instances(data, unit), "more", 5)
        TagComponent.remove_tag(EntityManager.tag_component(), unit, "lamp")
    end
    World.destroy_unit(world, spawned)
    World.destroy_unit(world, World.units_by_resource(world, "units/post")[1])
    World.spawn_unit(world, "units/lamp", Vector3(-5, 0, 0))
    for _ = 1, 7 do World.update(world, 0.02) end
    expect(false, SaveSystem.hash(saved) == SaveSystem.hash(SaveSystem.save_world(world)))
    local loaded = load("world")
    expect({}, SaveSystem.load_world(world, loaded.world))
    expect(SaveSystem.hash(saved), SaveSystem.hash(SaveSystem.save_world(world)))
    local unit = SaveSystem.unit(loaded.world, loaded.unit)
    near(x, Unit.world_position(unit, 1).x)
    expect("Größe", DataComponent.get_property(data, DataComponent.instances(data, unit), "name"))
    expect(nil, DataComponent.get_property(data, DataComponent.instances(data, unit), "more"))
end)
test("a_world_that_the_data_have_twice_is_one", function()
    local saved, other = SaveSystem.save_world(world), SaveSystem.save_world(world)
    local number = SaveSystem.unit_number(saved, mark)
    save("twice", { a = saved, b = { saved }, other = other })
    local data = load("twice")
    expect({ true, false }, { rawequal(data.a, data.b[1]), rawequal(data.a, data.other) })
    SaveSystem.load_world(world, data.a)
    expect(true, SaveSystem.unit(data.b[1], number) ~= nil)
    save("twice", data)
    data = load("twice")
    expect({ true, false }, { rawequal(data.a, data.b[1]), rawequal(data.a, data.other) })
end)
test("behaviours_get_their_state_after_spawned", function()
    local lamp = World.units_by_resource(world, "units/lamp")[1]
    Unit.set_local_position(lamp, 1, Vector3(3, 4, 5))
    GUARD = "saved"
    local saved = SaveSystem.save_world(world)
    local number = SaveSystem.unit_number(saved, lamp)
    GUARD = "calls"
    GUARD_CALLS = ""
    local other = Application.new_world()
    expect({}, SaveSystem.load_world(other, saved))
    expect(true, GUARD_CALLS:find("^spawned") ~= nil and GUARD_CALLS:find("load saved", 1, true) ~= nil)
    expect(nil, GUARD_CALLS:find("save ", 1, true))
    expect(#World.units(world), #World.units(other))
    near(3, Unit.world_position(SaveSystem.unit(saved, number), 1).x)
    Application.release_world(other)
    GUARD, GUARD_CALLS = nil, nil
end)
test("a_world_without_the_level_gets_it", function()
    local saved = SaveSystem.save_world(world)
    local other = Application.new_world()
    expect({}, SaveSystem.load_world(other, saved))
    expect(SaveSystem.hash(saved), SaveSystem.hash(SaveSystem.save_world(other)))
    Application.release_world(other)
end)
"""


class SaveSystem(LuaTests):
    def test_values_slots_and_versions(self):
        self.run_lua(VALUES)

    def test_worlds_with_all_types_of_components(self):
        project = super().compiled_project()
        write_all_types(project)
        write(os.path.join(project, "scripts", "guard.lua"), """
            local Guard = {}
            function Guard:spawned()
                if not GUARD_CALLS then return end
                GUARD_CALLS = GUARD_CALLS .. "spawned "
                Unit.set_local_position(self.entity, 1, Vector3(0, 0, 0))
                World.spawn_unit(self.world, "units/post")
            end
            function Guard:save()
                if GUARD_CALLS then GUARD_CALLS = GUARD_CALLS .. "save " end
                return GUARD
            end
            function Guard:load(value) if GUARD_CALLS then GUARD_CALLS = GUARD_CALLS .. "load " .. value .. " " end end
            return Guard""")
        cuttle("compile", project, check=0)
        self.compiled_project = lambda: project
        self.run_lua(WORLD)


class Picture(TemporaryFolder):
    def test_take_picture_is_the_menu_picture(self):
        project = self.compiled_project()
        env = {**os.environ, "XDG_DATA_HOME": os.path.join(self.folder, "data")}
        path = os.path.join(project, "scripts", "main.lua")
        write(path, read(path) + """
            local frame, token, game_update = 0, nil, update
            function update(dt)
                game_update(dt)
                frame = frame + 1
                if frame == 1 then
                    local early = SaveSystem.auto_save("early", {}, { picture = true })
                    repeat until SaveSystem.progress(early).done
                    print("early", SaveSystem.progress(early).error, SaveSystem.picture("early"))
                end
                if not token and SaveSystem.has_picture() then
                    token = SaveSystem.auto_save("shot", {}, { picture = true })
                elseif token and SaveSystem.progress(token).done then
                    local png = SaveSystem.picture("shot")
                    local width, height = 256 * png:byte(19) + png:byte(20), 256 * png:byte(23) + png:byte(24)
                    print("picture", png:sub(2, 4), width, height)
                    Application.quit()
                elseif frame % 20 == 10 then
                    SaveSystem.take_picture()
                end
            end""")
        done = cuttle("run", project, "--headless", "--size", "64x32", "--frames", "2000",
                      check=0, env=env)
        self.assertIn("early\tnil\tnil", done.stdout + done.stderr)
        self.assertRegex(done.stdout + done.stderr, r"picture\tPNG\t[1-9][0-9]*\t[1-9]")


# A game whose slot "auto" is a number with a text that follows from it and cannot be packed.
NUMBERED = """
    local number, token, block = 0, nil, {}
    local random = 1
    for i = 1, 256 do
        local bytes = {}
        for k = 1, 4096 do
            random = (random * 16807) % 2147483647
            bytes[k] = string.char(math.floor(random / 1024) % 256)
        end
        block[i] = table.concat(bytes)
    end
    block = table.concat(block)
    local function text_of(number)
        local cut = number * 7919 % #block
        return block:sub(cut + 1) .. block:sub(1, cut)
    end
    local function save(text)
        token = SaveSystem.auto_save("auto", { number = number, text = text or text_of(number) })
    end
    local function load()
        local token, result = SaveSystem.auto_load("auto"), nil
        repeat result = SaveSystem.progress(token) until result.done
        local data = result.data or {}
        if data.text and data.text ~= text_of(data.number) then result.error = "the text is another one" end
        return data.number, result.error or result.warning
    end
"""


class KilledWhileSaving(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.data = self.path("data")
        self.env = {**os.environ, "XDG_DATA_HOME": self.data}
        self.project = self.compiled_project()
        self.random = random.Random(17)

    def file(self, name="auto.save"):
        return os.path.join(self.data, "cuttle", os.path.basename(self.project), "saves", name)

    def folder_state(self):
        """What changes with each step of writing: names, inodes and sizes."""
        with os.scandir(os.path.dirname(self.file())) as found:
            files = [entry.name for entry in found]
        state = []
        for name in sorted(files):
            try:
                status = os.stat(self.file(name))
                state.append((name, status.st_ino, status.st_size))
            except FileNotFoundError:
                pass
        return state

    def play_and_kill(self, turn):
        """Lets the game save until a random moment; returns what it has loaded, and saved last."""
        log = self.path("log")
        with open(log, "wb") as file:
            game = subprocess.Popen([CUTTLE, "run", self.project, "--headless", "--size", "16x16"],
                                    env=self.env, stdout=file, stderr=subprocess.STDOUT)
        end = time.monotonic() + 120
        while b"saved" not in read(log, "rb") and game.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(self.random.uniform(0, 0.05))
        if turn % 2:  # right after a step
            state = self.folder_state()
            while self.folder_state() == state and game.poll() is None and time.monotonic() < end:
                pass
            time.sleep(self.random.uniform(0, 0.001))
        self.assertIsNone(game.poll(), read(log))
        game.send_signal(signal.SIGKILL)
        game.wait()
        text = read(log)
        return re.search(r"loaded (\S+) (.*)", text).groups(), int(re.findall(r"saved (\d+)", text)[-1])

    def number_in(self, path):
        shown = cuttle("save", "show", path, check=0).stdout
        return int(re.search(r"(?m)^\s*number = (\d+)$", shown)[1])

    def test_the_newest_is_the_old_or_the_new_game_in_full(self):
        write(os.path.join(self.project, "scripts", "main.lua"), NUMBERED + """
            local loaded, problem = nil, nil
            if SaveSystem.exists("auto") then loaded, problem = load() end
            print("loaded " .. tostring(loaded) .. " " .. tostring(problem))
            number = loaded or 0
            function update()
                if token then
                    if not SaveSystem.progress(token).done then return end
                    print("saved " .. number)
                    SaveSystem.close(token)
                end
                number = number + 1
                save()
            end""")
        saved, num_meanwhile = None, 0
        kills = rounds(12, 200)
        for turn in range(kills):
            loaded, last = self.play_and_kill(turn)
            if saved is not None:
                self.assertIn(loaded, [(str(saved), "nil"), (str(saved + 1), "nil")])
            saved = last
            newest = self.number_in(self.file())
            self.assertIn(newest, (saved, saved + 1))
            if newest > 1 or os.path.exists(self.file("auto.save.kept")):  # the first has nothing to keep
                self.assertIn(self.number_in(self.file("auto.save.kept")), (newest, newest - 1))
            num_meanwhile += newest > saved or len(self.folder_state()) > 2
        print(f"{kills} kills, {num_meanwhile} of them between the first and the last change of a save")
        self.assertGreater(num_meanwhile, 0)

    def test_a_full_disk_leaves_the_old_game(self):
        """Files may have 600 KB, so the second game does not fit; this is as on a full disk."""
        write(os.path.join(self.project, "scripts", "main.lua"), NUMBERED + """
            local function finish()
                local result
                repeat result = SaveSystem.progress(token) until result.done
                return tostring(result.error)
            end
            function update()
                save("small")
                local first = finish()
                number = 7
                save()
                print("first " .. first)
                print("second " .. finish())
                local data = SaveSystem.progress(token)
                token = SaveSystem.auto_load("auto")
                finish()
                print("then " .. SaveSystem.progress(token).data.text .. " "
                    .. tostring(SaveSystem.progress(token).warning))
                Application.quit()
            end""")
        done = subprocess.run(
            [CUTTLE, "run", self.project, "--headless", "--size", "16x16"], env=self.env, text=True,
            capture_output=True, timeout=120, errors="replace",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600000, 600000)),
            restore_signals=False)  # SIGXFSZ stays ignored: a write fails in place of it
        log = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, log)
        self.assertIn("first nil", log)
        self.assertRegex(log, r"second cannot write .*: File too large")
        self.assertIn('cannot save "auto": cannot write', log)
        self.assertIn("then small nil", log)
        self.assertEqual(os.listdir(os.path.dirname(self.file())), ["auto.save"])


class SaveCommand(TemporaryFolder):
    def setUp(self):
        super().setUp()
        data = self.path("data")
        project = self.compiled_project()
        write(os.path.join(project, "scripts", "main.lua"), HELPERS + """
            function expect(_, got) if got then error(got) end end
            function init()
                save("evil", { 1 }, { title = "\\27[31mred\\n\\0\\255 \\194\\155 Gr\\195\\182\\195\\159e", metadata = { level = 3 } })
                save("evil", { 2 }, { title = "\\27[31mred\\n\\0\\255 \\194\\155 Gr\\195\\182\\195\\159e", metadata = { level = 3 } })
                save("plain", { 3 })
                Application.quit()
            end""")
        done = cuttle("run", project, "--headless", "--size", "16x16", check=0,
                      env={**os.environ, "XDG_DATA_HOME": data})
        self.assertNotIn("error", done.stdout + done.stderr)
        self.saves = os.path.join(data, "cuttle", os.path.basename(project), "saves")

    def damage(self, name):
        with open(os.path.join(self.saves, name), "r+b") as file:
            file.seek(200)
            file.write(b"damage")

    def test_list_escapes_what_a_terminal_obeys(self):
        lines = cuttle("save", "list", self.saves, check=0).stdout.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertIn(r'evil  title "\x1b[31mred\n\x00\xff \xc2\x9b Größe"  version 1', lines[0])
        self.assertTrue(lines[1].startswith("plain  version 1"), lines[1])

    def test_list_prints_json(self):
        found = json.loads(cuttle("save", "list", "--json", self.saves, check=0).stdout)
        self.assertEqual(sorted(found), ["folder", "slots"])
        self.assertEqual(found["folder"], self.saves)
        evil, plain = found["slots"]
        self.assertEqual([evil["slot"], plain["slot"]], ["evil", "plain"])
        self.assertEqual(evil["info"]["title"], "\x1b[31mred\n\0\ufffd \u009b Größe")
        self.assertEqual(evil["info"]["metadata"], {"level": 3})
        self.assertNotIn("title", plain["info"])
        self.damage("evil.save")
        self.damage("plain.save")
        done = cuttle("save", "list", self.saves, "--json", check=1)
        evil, plain = json.loads(done.stdout)["slots"]
        self.assertIn("the one before it was loaded", evil["warning"])
        self.assertIn("there is no good one before it", plain["error"])
        self.assertNotIn("info", plain)
        self.assertIn("some saved games are damaged", done.stderr)

    def test_show_and_list_find_damage(self):
        path = os.path.join(self.saves, "evil.save")
        self.assertEqual(json.loads(cuttle("save", "show", path, "--json", check=0).stdout)["data"], [2])
        self.damage("evil.save")
        self.assertIn("checksum", cuttle("save", "show", path, check=1).stderr)
        self.assertIn("the one before it was loaded", cuttle("save", "list", self.saves, check=0).stdout)
        self.assertIn("expected show or list", cuttle("save", "print", self.saves, check=2).stderr)


if __name__ == "__main__":
    unittest.main()
