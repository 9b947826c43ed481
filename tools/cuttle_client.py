"""A client for the console of a running game, with a method for each message.

    from cuttle_client import Client

    client = Client(64000)
    print(client.script(script="Application.time_since_launch()")["result"])

Each method waits for the answer and returns it as a dictionary; it raises RuntimeError when the
answer is an error. Made by `cuttle protocol --python`; do not edit. Needs Python 3.9 and
cuttle_nodes.py beside it. The page is docs/tools.md.
"""

from cuttle_nodes import Console


class Client(Console):
    """A connection to the console of one game: `Client(port)`."""

    def request(self, type, **members):
        """Sends a message without the members that are None, and waits for its answer."""
        given = {name: value for name, value in members.items() if value is not None}
        return self.answer(self.ask(type=type, **given))

    # console: Lua, commands and the log.

    def script(self, script):
        r"""runs Lua on the update thread, between two frames. Without an id, errors are logged.

        Members:
            script (string): an expression or statements

        Answer:
            result (string?): the returned values as text, separated by tabs
            error (string?): why it failed, in place of the result
            traceback (string?): of the error
            unfinished (boolean?): true: the text ends too early, and more lines may complete it
        """
        return self.request("script", script=script)

    def complete(self, text):
        r"""lists what can follow in a text: globals of Lua, members after `a.b.` or `a:`, names of resources inside quotes; at most 512. Runs no Lua.

        Members:
            text (string): what somebody has typed

        Answer:
            start (integer): the byte of the text that the names begin at
            names (string[]): what can be there
        """
        return self.request("complete", text=text)

    def command(self, command, arguments=None, exit_code=None, file=None):
        r"""runs a command of the console; the command `help` lists them. Without an id, errors are logged.

        Members:
            command (string): its name
            arguments ((string|number)[]?): what follows the name
            exit_code (integer?): of the command quit
            file (string?): of the command screenshot: always refused, since clients write pictures

        Answer:
            result (string?): text for people
            error (string?): why it failed, in place of the result
            file_type (string?): of the binary data: png
        """
        return self.request("command", command=command, arguments=arguments, exit_code=exit_code, file=file)

    def reload(self):
        r"""looks for changed sources now, without waiting for the system's notice.

        Answer:
            result (string?): reload
        """
        return self.request("reload")

    def ping(self):
        r"""asks for a sign of life.
        """
        return self.request("ping")

    # debugger: Breakpoints, steps and values. Most need an attached client.

    def debugger_attach(self, name=None):
        r"""makes this client one of the debugger.

        Members:
            name (string?): of the tool, for the log

        Answer:
            error (string?): why it was refused; then there is nothing else
            version (integer?): of these messages: 1
            project (string?): the absolute folder of the sources
            core (string?): the absolute folder of what scripts see as core/…
            threads (DebuggerThread[]?): the threads that are known
            stopped (DebuggerStop?): where the game has stopped, while it has
        """
        return self.request("debugger_attach", name=name)

    def debugger_detach(self):
        r"""takes this client's breakpoints away; the last one lets the game go on.

        Answer:
            error (string?): why it was refused; then there is nothing else
        """
        return self.request("debugger_detach")

    def debugger_breakpoints(self, script, breakpoints):
        r"""replaces this client's breakpoints in a script.

        Members:
            script (string): its path below the project
            breakpoints (DebuggerBreakpoint[]): all that it then has

        Answer:
            error (string?): why it was refused; then there is nothing else
            breakpoints (DebuggerBreakpointState[]?): what became of each, in order
        """
        return self.request("debugger_breakpoints", script=script, breakpoints=breakpoints)

    def debugger_lines(self, script, first, last):
        r"""lists lines on which a breakpoint can be.

        Members:
            script (string): its path below the project
            first (integer): a line
            last (integer): a line

        Answer:
            error (string?): why it was refused; then there is nothing else
            lines (integer[]?): sorted; empty while the script has not run
        """
        return self.request("debugger_lines", script=script, first=first, last=last)

    def debugger_errors(self, stop=None):
        r"""says at which errors the game stops.

        Members:
            stop ("never"|"uncaught"|"all"?): uncaught from the start

        Answer:
            error (string?): why it was refused; then there is nothing else
        """
        return self.request("debugger_errors", stop=stop)

    def debugger_pause(self, thread=None):
        r"""stops at the next line that runs.

        Members:
            thread (integer?): a thread of debugger_threads

        Answer:
            error (string?): why it was refused; then there is nothing else
        """
        return self.request("debugger_pause", thread=thread)

    def debugger_continue(self, thread=None):
        r"""lets the game go on, or one thread of it.

        Members:
            thread (integer?): a thread of debugger_threads

        Answer:
            error (string?): why it was refused; then there is nothing else
        """
        return self.request("debugger_continue", thread=thread)

    def debugger_step(self, kind, thread=None):
        r"""runs to the next line, into a call or out of the function.

        Members:
            kind ("into"|"over"|"out"): which of them
            thread (integer?): a thread of debugger_threads

        Answer:
            error (string?): why it was refused; then there is nothing else
        """
        return self.request("debugger_step", kind=kind, thread=thread)

    def debugger_threads(self):
        r"""lists coroutines and states of jobs.

        Answer:
            error (string?): why it was refused; then there is nothing else
            threads (DebuggerThread[]?): those that are known
        """
        return self.request("debugger_threads")

    def debugger_stack(self, thread=None, first=None, count=None):
        r"""lists the functions that a thread is in.

        Members:
            thread (integer?): a thread of debugger_threads
            first (integer?): 0: the innermost
            count (integer?): at most 1000; 64 without it

        Answer:
            error (string?): why it was refused; then there is nothing else
            frames (DebuggerFrame[]?): from the innermost
            total (integer?): how many there are
        """
        return self.request("debugger_stack", thread=thread, first=first, count=count)

    def debugger_scopes(self, frame):
        r"""lists the variables that a frame sees, by kind.

        Members:
            frame (integer): of debugger_stack

        Answer:
            error (string?): why it was refused; then there is nothing else
            scopes (DebuggerScope[]?): Locals, Upvalues, Globals, and where they are Behaviour and Varargs
        """
        return self.request("debugger_scopes", frame=frame)

    def debugger_values(self, value, first=None, count=None):
        r"""lists the parts of a value.

        Members:
            value (integer): a number from scopes or values
            first (integer?): the part to begin with
            count (integer?): at most 1000; 100 without it

        Answer:
            error (string?): why it was refused; then there is nothing else
            values (DebuggerValue[]?): the parts
            total (integer?): how many there are
        """
        return self.request("debugger_values", value=value, first=first, count=count)

    def debugger_evaluate(self, text, frame=None, seconds=None):
        r"""runs an expression or statements.

        Members:
            text (string): what to run
            frame (integer?): whose variables it sees
            seconds (number?): after which it is ended: at most 10; 2 without it

        Answer:
            error (string?): why it was refused; then there is nothing else
            text (string?): the value in one line
            kind (string?): its type
            value (integer?): for debugger_values; 0: no parts
            count (integer?): of its parts
        """
        return self.request("debugger_evaluate", text=text, frame=frame, seconds=seconds)

    def debugger_set(self, value, name, text, frame=None):
        r"""sets a variable, or a part of a value.

        Members:
            value (integer): a scope, or a value with parts
            name (string): of the part, as in debugger_values
            text (string): an expression
            frame (integer?): in which it is evaluated

        Answer:
            error (string?): why it was refused; then there is nothing else
            text (string?): the new value in one line
            kind (string?): its type
            value (integer?): for debugger_values; 0: no parts
            count (integer?): of its parts
        """
        return self.request("debugger_set", value=value, name=name, text=text, frame=frame)

    def debugger_complete(self, text, frame=None):
        r"""lists what can follow in a text, with locals and upvalues.

        Members:
            text (string): what somebody has typed
            frame (integer?): whose variables it sees

        Answer:
            error (string?): why it was refused; then there is nothing else
            start (integer?): the byte of the text that the names begin at
            names (string[]?): what can be there
        """
        return self.request("debugger_complete", text=text, frame=frame)

    # frames: What the engine draws, and input for it.

    def frame_open(self, width, height, rate=None, format=None, quality=None, rectangle=None, world=None, viewport=None, position=None, rotation=None, field_of_view=None):
        r"""opens a stream of pictures, as events `frame`: of the game's picture; or, with a world, of what a camera of this client sees there. It ends with the connection, and with the world.

        Members:
            width (integer): the most, in pixels, 16 to 4096
            height (integer): the most, in pixels, 16 to 4096
            rate (number?): the most pictures a second, 0.1 to 120; 30 without it
            format ("jpeg"|"png"?): jpeg without it
            quality (integer?): of jpeg, 1 to 100; 75 without it
            rectangle (number[]?): the part of the game's picture: x, y, width, height as fractions
            world (integer?): its number in world_list, from 1
            viewport (string?): of the render config; default without it
            position (number[]?): of the camera: x, y, z in metres
            rotation (number[]?): of the camera: a quaternion x, y, z, w; without one it looks along y
            field_of_view (number?): from bottom to top, in degrees, 1 to 170

        Answer:
            stream (integer): its number, for the messages below
        """
        return self.request("frame_open", width=width, height=height, rate=rate, format=format, quality=quality, rectangle=rectangle, world=world, viewport=viewport, position=position, rotation=rotation, field_of_view=field_of_view)

    def frame_camera(self, stream, position=None, rotation=None, field_of_view=None):
        r"""moves the camera of a stream.

        Members:
            stream (integer): from frame_open
            position (number[]?): of the camera: x, y, z in metres
            rotation (number[]?): of the camera: a quaternion x, y, z, w; without one it looks along y
            field_of_view (number?): from bottom to top, in degrees, 1 to 170
        """
        return self.request("frame_camera", stream=stream, position=position, rotation=rotation, field_of_view=field_of_view)

    def frame_shown(self, stream, number=None):
        r"""says that a picture was shown; at most 3 are on their way.

        Members:
            stream (integer): from frame_open
            number (integer?): of the picture
        """
        return self.request("frame_shown", stream=stream, number=number)

    def frame_close(self, stream):
        r"""ends a stream.

        Members:
            stream (integer): from frame_open
        """
        return self.request("frame_close", stream=stream)

    def input(self, events):
        r"""gives the game input, as if its devices had sent it.

        Members:
            events (InputEvent[]): in order; all or none count
        """
        return self.request("input", events=events)
