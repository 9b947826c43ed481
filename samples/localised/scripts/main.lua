-- The localised sample: an apple stand in six languages. The engine calls init, update, render and
-- shutdown of this script.

local CommandLine = require "core/lua/command_line"
local Hud = require "scripts/hud"
local Sign = require "scripts/sign"

Game = Game or {}

-- Languages as orders of preference. English resources have no property. "plain" is the sign without a
-- word, for languages in which no sign was painted: scripts/sign.lua writes on it.
local LANGUAGES = { {}, { "fr" }, { "de" }, { "ru", "plain" }, { "ar", "plain" }, { "ja", "plain" } }
local APPLES = 5

-- Switches every loaded resource to this language from the next frame on: the sign's texture, and the
-- texts that Game.texts looks up. Text that is drawn in each frame follows.
function Game.set_language(number)
    Game.language = number
    Application.set_property_preference_order(LANGUAGES[number])
    Application.reload_variants()
end

function Game.next_language()
    Game.set_language(Game.language % #LANGUAGES + 1)
end

-- Returns how many apples there are, in words: "3 apples left".
function Game.apples_text()
    local count = #Game.apples
    if count == 0 then
        return Localizer.lookup(Game.texts, "sold_out")
    end
    return Localizer.lookup(Game.texts, "left", { count = count })
end

-- Returns the text about the apples: "The apple stand: 3 apples left".
function Game.text()
    return Localizer.lookup(Game.texts, "title") .. ": " .. Game.apples_text()
end

-- Shows a changed text in the window's title and the log.
local function tell()
    local text = Game.text()
    if text ~= Game.told then
        Game.told = text
        Window.set_title(nil, text)
        print(text)
    end
end

local function stock()
    for i = 1, APPLES do
        local position = Vector3((i - (APPLES + 1) / 2) * 0.42, -0.5, 0.97)
        local apple = World.spawn_unit(Game.world, "units/apple", position)
        Unit.set_local_scale(apple, 1, Vector3(0.28, 0.28, 0.26))
        Game.apples[i] = apple
    end
end

-- Takes the last apple; when there are no apples, puts out new ones for the next day.
function Game.take()
    if #Game.apples == 0 then
        stock()
    else
        World.destroy_unit(Game.world, table.remove(Game.apples))
    end
end

function init()
    Game.world = Application.new_world()
    Game.viewport = Application.create_viewport(Game.world, "default")
    Game.level = World.load_level(Game.world, "levels/stand")
    Game.camera = World.spawn_unit(Game.world, "units/camera", Vector3(0, -5.2, 1.9))
    local ahead = Quaternion.look(Vector3(0, 1, -0.08), Vector3(0, 0, 1))
    Unit.set_local_rotation(Game.camera, 1, ahead)
    Game.texts = Localizer("strings/stand")
    Hud.spawn(Game)
    Sign.spawn(Game)
    Game.apples = {}
    stock()
    Game.set_language(1)
    local wanted = CommandLine.value("--language")
    for number, order in ipairs(LANGUAGES) do
        if order[1] == wanted then
            Game.set_language(number)
        end
    end
end

function update(dt)
    if Input.pressed("leave") then
        Application.quit()
    end
    if Input.pressed("language") then
        Game.next_language()
    end
    if Input.pressed("take") then
        Game.take()
    end
    tell()
    World.update(Game.world, dt)
end

function render()
    Hud.draw(Game)
    if LANGUAGES[Game.language][2] == "plain" then
        Sign.draw(Game)
    end
    Application.render_world(Game.world, Unit.camera(Game.camera, "camera"), Game.viewport)
end

function shutdown()
    Application.destroy_viewport(Game.world, Game.viewport)
    Application.release_world(Game.world)
end
