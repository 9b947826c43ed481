"""What tests of widgets share: a game whose screen they drive, frame by frame."""

import contextlib
import os

from support_cuttle import Game, TemporaryFolder, write

# Input as if from devices. The game has `Game.screen` and `Game.log`, a list of texts.
DRIVE = '''
function Game.key(...)
    local events = {}
    for _, name in ipairs { ... } do
        table.insert(events, { device = "keyboard", kind = "pressed", name = name })
        table.insert(events, { device = "keyboard", kind = "keystroke", name = name })
    end
    for _, name in ipairs { ... } do
        table.insert(events, { device = "keyboard", kind = "released", name = name })
    end
    Input.add_remote_events(events)
end

function Game.type(text)
    Input.add_remote_events { { device = "keyboard", kind = "text", text = text } }
end

function Game.pad(name)
    Input.add_remote_events { { device = "pad1", kind = "pressed", name = name, value = 1 } }
end

function Game.pad_up(name)
    Input.add_remote_events { { device = "pad1", kind = "released", name = name, value = 0 } }
end

-- Moves the mouse to a share of a widget, and presses or releases.
function Game.mouse(id, x, y, kind)
    local node, scale = Game.screen:find(id), Game.screen.scale
    local at = Vector3((node.left + node.w * x) * scale, (node.top + node.h * y) * scale, 0)
    local events = { { device = "mouse", kind = "axis", name = "cursor", value = at } }
    if kind then
        table.insert(events, { device = "mouse", kind = kind, name = "left" })
    end
    Input.add_remote_events(events)
end

function Game.wheel(y)
    Input.add_remote_events { { device = "mouse", kind = "axis", name = "wheel", value = Vector3(0, y, 0) } }
end

function Game.finger(kind, x, y)
    Input.add_remote_events { { device = "touch", kind = kind, id = 7, value = Vector3(x, y, 0) } }
end

function Game.take_log()
    local text = table.concat(Game.log, ", ")
    Game.log = {}
    return text
end

function Game.focused()
    return Game.screen.focused and Game.screen.focused.props.id or "none"
end
'''

INPUT = 'includes = ["core/gui/gui"]\nactions = {}\n'


class WidgetTests(TemporaryFolder):
    script_text = None  # the boot script

    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.save("scripts/main.lua", self.script_text + DRIVE)
        self.save("input/default.input", INPUT)

    def save(self, name, text):
        write(os.path.join(self.project, *name.split("/")), text)

    @contextlib.contextmanager
    def play(self):
        """The game, from when its widgets have their places."""
        with Game(self.project, "--size", "640x360", "--fixed-dt", "0.02") as game:
            game.console.wait_until("Game.screen.main.node.w > 0", "true")
            yield game

    def steps(self, game, *steps):
        """Does each of some steps in a frame of its own; what came of them in the log."""
        for step in steps:
            game.console.script(step)
            game.console.script("1")
        return game.console.script("Game.take_log()")

    def errors(self, game):
        return [m["message"] for m in game.console.messages if m.get("level") == "error"]
