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

    # authorize: Connections from other machines.

    def authorize(self, token):
        r"""proves that the sender may use the console: the first message of a connection that is not of this machine's user. With a wrong token the connection is closed. Other connections need none, and may send any.

        Members:
            token (string): of `cuttle run --console-token-file`, 16 to 255 characters
        """
        return self.request("authorize", token=token)

    # engine: What runs, its log and its commands.

    def engine_info(self):
        r"""describes the game that runs.

        Answer:
            project (string?): the name of the project's folder
            folder (string?): the project's folder, absolute
            core_folder (string?): the engine's own data, absolute: its files are `core/…`
            version (string): of the engine
            protocol (string): changes with the messages: the hash of their schema
            build (string): how it was built
            process (integer): its number in the system
            port (integer?): of the console
            seconds (number?): since the console began to listen, as messages of the log have it
            frame (integer): the number of the frame
            frame_ms (number): milliseconds of the last frame
            update_ms (number): of it, the work of the update thread
            submit_ms (number): of it, recording and submitting to the device
            budget_ms (number): that a frame may take at its frame rate
            width (integer): of the picture in pixels
            height (integer): of the picture in pixels
            device (string): that draws it
            headless (boolean): whether there is no window
            paused (boolean): whether the game's update rests
            worlds (integer): how many there are
            plugins (string[]): their names
        """
        return self.request("engine_info")

    def engine_list(self):
        r"""lists the other games of this user on this machine whose consoles listen at the ports 64000 to 64063. The answer comes after up to some seconds.

        Answer:
            engines (EngineRow[]): by port, without this one
        """
        return self.request("engine_list")

    def log_history(self, first=None, count=None):
        r"""lists messages of the log since the console began to listen, the oldest first. The last 100,000 are kept, in at most 16 MiB; an answer ends early after 4 MiB of JSON. Events of the type `message` with numbers from `next` on follow.

        Members:
            first (integer?): the number to begin with; without it, the last ones
            count (integer?): at most 10,000; 1,000 without it

        Answer:
            first (integer): the oldest number that is kept
            next (integer): the number that the next message gets
            messages (LogMessage[]): in order, without gaps
        """
        return self.request("log_history", first=first, count=count)

    def commands(self):
        r"""lists the commands of the console.

        Answer:
            commands (ConsoleCommand[]): sorted by name
        """
        return self.request("commands")

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
            world (integer?): its number in world_list
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
        r"""says that a picture was shown, and those before it; at most 3 are on their way.

        Members:
            stream (integer): from frame_open
            number (integer?): of the picture; without it the oldest on its way
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

    # memory: Allocators, and what allocated.

    def memory_tree(self):
        r"""lists all allocators, parents before children.

        Answer:
            resident_bytes (integer?): of the process, in memory
            virtual_bytes (integer?): of the process, of its addresses
            allocators (MemoryRow[]): some 100; their children's bytes are within theirs
        """
        return self.request("memory_tree")

    def memory_trace(self, name, on):
        r"""starts or ends to record the call stack of each block that an allocator, and all over it, hand out. Blocks from before are not in the report. It ends with the connections that have asked for it.

        Members:
            name (string): a path of memory_tree, or the end of one
            on (boolean): whether it shall be traced

        Answer:
            on (boolean): whether it is traced now
        """
        return self.request("memory_trace", name=name, on=on)

    def memory_report(self, name, count=None):
        r"""lists the call stacks of the live blocks of a traced allocator, most bytes first. Slow: it looks up symbols, which takes some 100 ms the first time.

        Members:
            name (string): a path of memory_tree, or the end of one
            count (integer?): of call stacks: at most 1,000; 64 without it

        Answer:
            stacks (MemoryStack[]): most bytes first
            bytes (integer): of all call stacks
            blocks (integer): of all call stacks
            total (integer): number of call stacks
        """
        return self.request("memory_report", name=name, count=count)

    # resources: What is loaded, and what refers to it.

    def resource_list(self, resource_type=None, filter=None, first=None, count=None):
        r"""lists the resources that are loaded, or being loaded, by type and name.

        Members:
            resource_type (string?): only those of this type
            filter (string?): part of the name, in any case
            first (integer?): the place to begin with, from 0
            count (integer?): at most 10,000; 1,000 without it

        Answer:
            total (integer): of all pages together
            types (ResourceType[]): sums over all pages
            resources (ResourceRow[]): of this page
        """
        return self.request("resource_list", resource_type=resource_type, filter=filter, first=first, count=count)

    def resource_users(self, resource_type, name):
        r"""lists what refers to a resource, what it refers to, and the packages that hold it; 1,000 of each at most.

        Members:
            resource_type (string): such as texture
            name (string): of the resource

        Answer:
            users (ResourceRow[]): what refers to it
            num_users (integer): how many there are
            uses (ResourceRow[]): what it refers to
            num_uses (integer): how many there are
            packages (ResourceRow[]): that hold it
            num_packages (integer): how many there are
        """
        return self.request("resource_users", resource_type=resource_type, name=name)

    # entities: Worlds, units and their components.

    def world_list(self):
        r"""lists the worlds of the game and their levels.

        Answer:
            worlds (WorldRow[]): in the order in which they were made
        """
        return self.request("world_list")

    def entity_list(self, world=None, after=None, count=None, filter=None, parts=None):
        r"""lists units of a world by their numbers, ascending. For the next page, give `next` of the last one as `after`: a unit that lives all the while is in exactly one page.

        Members:
            world (integer?): its number from world_list; the first one without it
            after (integer?): the number after which to begin
            count (integer?): at most 10,000; 1,000 without it
            filter (string?): part of the name or the resource, in any case; other units are left out
            parts (boolean?): whether entities inside units are listed, too

        Answer:
            world (integer): whose they are
            total (integer): of all pages together, now
            next (integer?): for `after` of the next page; left out in the last one
            entities (EntityRow[]): of this page
        """
        return self.request("entity_list", world=world, after=after, count=count, filter=filter, parts=parts)

    def entity_changes(self, world=None, since=None, count=None):
        r"""lists the units of a world that came, changed or went since an earlier answer: a tool that watches a large world gets little. A change is another name or another parent.

        Members:
            world (integer?): its number from world_list; the first one without it
            since (integer?): `version` of the answer before; all units are listed without it
            count (integer?): of the units that are listed, at most 10,000; 2,500 without it

        Answer:
            world (integer): whose they are
            version (integer): for `since` of the next message
            total (integer): how many units live in the world
            whole (boolean): true: this is the start of a list of all units; forget those from before
            more (boolean): true: there is more; ask again at once
            entities (EntityRow[]): that came or changed, as they are now
            gone (integer[]): the numbers of units that are gone
        """
        return self.request("entity_changes", world=world, since=since, count=count)

    def entity_components(self, entity, component=None):
        r"""lists the components of an entity with the values of their fields.

        Members:
            entity (integer): its number
            component (string?): only those of this type

        Answer:
            world (integer): in which it lives
            entity (integer): its number, which no later entity gets soon
            name (string?): its debug name
            resource (string?): of a unit: its resource
            level (integer?): the number of the level that spawned its unit
            unit (integer?): of an entity inside a unit: the unit's
            parent (integer?): the entity to which its transform is linked
            components (EntityComponent[]): type by type
        """
        return self.request("entity_components", entity=entity, component=component)

    def entity_set(self, entity, component, field, value, place=None):
        r"""sets a field of a component to a value of its kind, as entity_components gives it.

        Members:
            entity (integer): its number
            component (string): its type
            place (integer?): among those of its type, from 0; 0 without it
            field (string): its name; of data also a new one
            value (any): null takes a name, a reference or a key of data away

        Answer:
            component (EntityComponent): as it is now: rotations are normalised, for example
        """
        return self.request("entity_set", entity=entity, component=component, place=place, field=field, value=value)

    def entity_pick(self, x, y, stream=None, camera=None, aspect=None):
        r"""finds what is at a point: of the game's picture, of a stream of frames, or as a camera sees it. Tests the triangles of visible meshes as they were modelled, and solid actors up to 10 km away.

        Members:
            x (number): from 0, left, to 1
            y (number): from 0, top, to 1
            stream (integer?): a stream of this client, whose picture is meant
            camera (integer?): an entity whose first camera is meant
            aspect (number?): width by height of the camera's picture; 16 / 9 without it

        Answer:
            world (integer): that is seen there
            from (number[]): where the ray begins
            direction (number[]): of the ray, of length 1
            hits (EntityHit[]): the nearest first, at most 64
        """
        return self.request("entity_pick", x=x, y=y, stream=stream, camera=camera, aspect=aspect)

    def entity_select(self, entities, color=None):
        r"""outlines entities, with all that is in units, in place of those that this client selected before. Those without meshes get a cross of lines. Ends with the connection; no entities end it, too.

        Members:
            entities (integer[]): at most 1,000; those that have ended are left out
            color (number[]?): linear red, green and blue from 0 to 1; orange without it

        Answer:
            selected (integer): how many live
        """
        return self.request("entity_select", entities=entities, color=color)

    # statistics: Live figures of the systems.

    def statistics(self, names=None):
        r"""lists figures of the systems as tables: frame, render, tasks, worlds, physics, particles, particle_effects, navigation, navigation_agents, scripts, sound, sound_buses, sound_playing.

        Members:
            names (string[]?): of the tables; all without it

        Answer:
            tables (StatisticsTable[]): in the order of the names
        """
        return self.request("statistics", names=names)

    # network: Peers, objects, and what goes over the network.

    def network_state(self, after=None, count=None):
        r"""lists the connections of the game's network with their figures, its session, and objects with their fields. For the next page of objects, give `next` as `after`.

        Members:
            after (integer?): the number of an object after which to begin
            count (integer?): of objects: at most 2,000; 200 without it

        Answer:
            self (string): this program's peer: 16 hexadecimal digits, as all peers
            address (string): at which it receives
            timeouts (boolean): whether silent peers are dropped
            dropped (integer): datagrams that were of no use
            peers (NetworkPeer[]): that are connected, at most 256
            session (NetworkSession?): while there is one
            total (integer): of objects of all pages
            next (integer?): for `after` of the next page; left out in the last one
            objects (NetworkObject[]): of the session, by number
        """
        return self.request("network_state", after=after, count=count)

    def network_events(self, first=None, count=None):
        r"""lists what the session sent and received, the oldest first. It is recorded from the first such message on, and until 10 seconds after the last; the newest 8,192 are kept.

        Members:
            first (integer?): the number to begin with; without it, the last ones
            count (integer?): at most 8,192; 1,000 without it

        Answer:
            first (integer): the oldest number that is kept
            next (integer): the number that the next one gets
            events (NetworkEvent[]): in order, without gaps
        """
        return self.request("network_events", first=first, count=count)

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
