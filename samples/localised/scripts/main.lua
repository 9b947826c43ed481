-- The localised sample: an apple stand in three languages. The engine calls init, update, render and
-- shutdown of this script.

Game = Game or {}

-- Languages as orders of preference. English resources have no property.
local LANGUAGES = { {}, { "fr" }, { "de" } }
local APPLES = 5

-- Returns the value after an argument such as `--language fr`, or nil.
local function argument(name)
    local arguments = { Application.argv() }
    for i, text in ipairs(arguments) do
        if text == name then
            return arguments[i + 1]
        end
    end
    return nil
end

-- Switches every loaded resource to this language from the next frame on: the sign's texture, and the
-- texts that Game.texts looks up.
function Game.set_language(number)
    Game.language = number
    Application.set_property_preference_order(LANGUAGES[number])
    Application.reload_variants()
end

function Game.next_language()
    Game.set_language(Game.language % #LANGUAGES + 1)
end

-- Returns the text about the apples: "The apple stand: 3 apples left".
function Game.text()
    local lookup, count = Localizer.lookup, #Game.apples
    local left = count > 0 and lookup(Game.texts, "left", { count = count })
        or lookup(Game.texts, "sold_out")
    return lookup(Game.texts, "title") .. ": " .. left
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
    Game.apples = {}
    stock()
    Game.set_language(1)
    local wanted = argument("--language")
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
    Application.render_world(Game.world, Unit.camera(Game.camera, "camera"), Game.viewport)
end

function shutdown()
    Application.destroy_viewport(Game.world, Game.viewport)
    Application.release_world(Game.world)
end
