"""Flow's nodes and events of physics, in small games."""

import os
import re
import unittest

from support_cuttle import TemporaryFolder, cuttle, read, write

MAIN = """
Game = {}
function init()
    Game.world = Application.new_world()
    local function spawn(name, ...) return World.spawn_unit(Game.world, name, Vector3(...)) end
    %s
end
function update(dt) World.update(Game.world, dt) end
function render() end
function shutdown() Application.release_world(Game.world) end
"""

BOX = '{ id = "box"  type = "box"  half_size = [%s] }'
GROUND = 'type = "actor"  name = "ground"  shapes = [%s]' % (BOX % "20 20 1")
CRATE = ('type = "actor"  name = "crate"  body = "dynamic"  mass = 2  shapes = [%s]'
         % (BOX % "0.5 0.5 0.5"))
MOVER = 'type = "mover"  name = "walker"'


def value_of(value):
    """A value as it is written in a source."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).replace(",", "")


def graph(nodes, links):
    """The source of a graph: {id: (type, {input: value})}, and "node.out > node.in" in lines. Nodes are
    below each other in their order, so events of one out start them in it."""
    text = "nodes = [\n"
    for row, (node, (kind, inputs)) in enumerate(nodes.items()):
        given = "  ".join(f"{name} = {value_of(value)}" for name, value in inputs.items())
        text += (f'    {{ id = "{node}"  type = "{kind}"  inputs = {{ {given} }}  '
                 f'position = [0 {100 * row}] }}\n')
    text += "]\nlinks = [\n"
    for number, line in enumerate(filter(None, map(str.strip, links.splitlines()))):
        start, out, end, into = re.fullmatch(r"(\w+)\.(\w+) > (\w+)\.(\w+)", line).groups()
        text += (f'    {{ id = "l{number}"  from = "{start}"  out = "{out}"  to = "{end}"  '
                 f'in = "{into}" }}\n')
    return text + "]\n"


def show(label):
    return ("debug_print", {"label": label})


class FlowPhysics(TemporaryFolder):
    def setUp(self):
        super().setUp()
        self.project = self.compiled_project()
        self.unit("ground", GROUND)

    def unit(self, name, *components, flow=None):
        """Writes units/NAME.unit, and flow/NAME.flow for it from (nodes, links)."""
        rows = ['type = "transform"', *components]
        if flow:
            write(os.path.join(self.project, "flow", name + ".flow"), graph(*flow))
            rows.append(f'type = "flow"  graph = "flow/{name}"')
        text = "\n".join(f'    {{ id = "c{i}"  {row} }}' for i, row in enumerate(rows))
        write(os.path.join(self.project, "units", name + ".unit"), f"components = [\n{text}\n]\n")

    def play(self, at_start, frames=120, errors=()):
        """Runs a game whose `init` goes on with `at_start`; returns [(label, text)] of what its graphs
        print. `errors` are all that it must log."""
        write(os.path.join(self.project, "scripts", "main.lua"), MAIN % at_start)
        done = cuttle("run", self.project, "--headless", "--frames", frames, "--fixed-dt", 1 / 60,
                      "--size", "64x36", check=1 if errors else 0)
        log = done.stdout + done.stderr
        found = [line for line in log.splitlines() if "error" in line.lower()]
        self.assertEqual(len(found), len(errors), log)
        for line, error in zip(found, errors):
            self.assertIn(error, line)
        return re.findall(r"(?m)^\[flow\] (\w+): ([^\n]*)$", log)

    def texts(self, printed, label):
        return [text for name, text in printed if name == label]

    def numbers(self, printed, label):
        """The numbers of each text with a label."""
        return [[float(n) for n in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]
                for text in self.texts(printed, label)]

    # --- Events -----------------------------------------------------------------------------------

    def test_a_collision_is_an_event_of_both_units(self):
        prints = {name: show(name) for name in
                  ("position", "normal", "distance", "impulse", "own", "other", "end")}
        self.unit("crate", CRATE, flow=({
            "event": ("physics_collision", {}),
            "variable": ("set_numeric_variable", {"name": "touches", "numeric": 1}),
            "own_unit": ("get_actor_unit", {}), "is_own": ("unit_is_of_type", {"type": "units/crate"}),
            "is_other": ("unit_is_of_type", {"type": "units/ground"}),
            **prints, "delay": ("delay", {"time": 0.5}),
            "up": ("set_actor_velocity", {"velocity": [0, 0, 20]}),
            "get": ("get_numeric_variable", {"name": "touches"}), "touches": show("touches"),
        }, """
            event.start_touch > variable.set
            variable.out > position.in
            position.out > normal.in
            normal.out > distance.in
            distance.out > impulse.in
            impulse.out > own.in
            own.out > other.in
            other.out > delay.in
            delay.out > up.in
            event.end_touch > end.in
            end.out > touches.in
            get.numeric > touches.text
            event.position > position.text
            event.normal > normal.text
            event.normal > end.text
            event.separation_distance > distance.text
            event.impulse_force > impulse.text
            event.touched_actor > own_unit.actor
            own_unit.unit > is_own.unit
            is_own.value > own.text
            event.touching_unit > is_other.unit
            is_other.value > other.text"""))
        path = os.path.join(self.project, "flow", "crate.flow")
        write(path, read(path) + 'variables = [\n    { id = "v"  name = "touches"  type = "number"  '
                                 'value = 0 }\n]\n')
        self.unit("ground", GROUND, flow=({
            "event": ("physics_collision", {}), "below": show("below"),
        }, """
            event.start_touch > below.in
            event.normal > below.text"""))
        printed = self.play('spawn("units/ground", 0, 0, -1) spawn("units/crate", 0, 0, 1.5)', 80)
        (x, y, z), = self.numbers(printed, "position")
        self.assertLess(abs(z), 0.2)
        (x, y, z), = self.numbers(printed, "normal")
        self.assertAlmostEqual(z, 1, places=3)
        (distance,), = self.numbers(printed, "distance")
        self.assertLess(abs(distance), 0.2)
        (x, y, z), = self.numbers(printed, "impulse")
        self.assertGreater(z, 2)
        self.assertEqual([self.texts(printed, name) for name in ("own", "other", "touches")],
                         [["true"], ["true"], ["1"]])
        self.assertEqual(len(self.texts(printed, "end")), 1)
        (x, y, z), = self.numbers(printed, "below")
        self.assertAlmostEqual(z, -1, places=3)

    def test_persisting_touches_are_events_when_an_actor_reports_them(self):
        self.unit("crate", CRATE + "  reports_persist = true", flow=({
            "event": ("physics_collision", {}), "stay": show("stay"),
        }, """
            event.stay_touching > stay.in
            event.impulse_force > stay.text"""))
        printed = self.play('spawn("units/ground", 0, 0, -1) spawn("units/crate", 0, 0, 0.6)', 40)
        self.assertGreater(len(self.texts(printed, "stay")), 10)

    def test_a_trigger_sees_what_enters_and_leaves(self):
        self.unit("crate", CRATE)
        self.unit("gate", 'type = "trigger"  name = "gate"  shapes = [%s]' % (BOX % "1 1 1"), flow=({
            "event": ("physics_trigger", {}), "name": ("unit_is_of_type", {"type": "units/crate"}),
            "own": ("get_actor_position", {}), "enter": show("enter"), "leave": show("leave"),
            "place": show("place"),
        }, """
            event.enter > enter.in
            enter.out > place.in
            event.leave > leave.in
            event.touching_unit > name.unit
            name.value > enter.text
            name.value > leave.text
            event.touched_actor > own.actor
            own.position > place.text"""))
        printed = self.play('spawn("units/gate", 5, 0, 3) spawn("units/crate", 5, 0, 6)', 120)
        self.assertEqual([self.texts(printed, name) for name in ("enter", "leave")],
                         [["true"], ["true"]])
        self.assertEqual(self.numbers(printed, "place"), [[5, 0, 3]])

    def test_a_unit_with_a_tag_walks_into_a_trigger_without_physics(self):
        self.unit("walker", 'type = "tag"  tags = ["guest"]', flow=({
            "update": ("level_update", {}), "get": ("get_unit_world_position", {}),
            "add": ("vector_addition", {"b": [0.25, 0, 0]}),
            "set": ("set_unit_local_position", {}),
        }, """
            update.out > set.in
            get.position > add.a
            add.value > set.position"""))
        self.unit("stranger", 'type = "tag"  tags = ["stranger"]')
        gate = ({
            "name": ("unit_is_of_type", {"type": "units/walker"}),
            "place": ("get_unit_world_position", {}), "enter": show("enter"), "leave": show("leave"),
            "where": show("where"),
        }, """
            event.%s > enter.in
            enter.out > where.in
            event.%s > leave.in
            event.touching_unit > name.unit
            name.value > enter.text
            name.value > leave.text
            event.touching_unit > place.unit
            place.position > where.text""")
        for kind, enter, leave in (("physics_trigger", "enter", "leave"),
                                   ("trigger", "touched", "untouched")):
            nodes = {"event": (kind, {}), **gate[0]}
            self.unit("gate", 'type = "trigger"  tags = ["guest" "host"]  shapes = [%s]' % (BOX % "1 1 1"),
                      flow=(nodes, gate[1] % (enter, leave)))
            printed = self.play('spawn("units/gate", 3, 0, 0) spawn("units/walker", 0, 0, 0)'
                                ' spawn("units/stranger", 3, 0, 0)', 40)
            self.assertEqual([self.texts(printed, name) for name in ("enter", "leave")],
                             [["true"], ["true"]], kind)
            (x, y, z), = self.numbers(printed, "where")
            self.assertAlmostEqual(x, 2, delta=0.26)

    def test_a_trigger_node_is_switched_off_and_on(self):
        self.unit("crate", CRATE)
        self.unit("gate", 'type = "trigger"  shapes = [%s]' % (BOX % "1 1 1"), flow=({
            "event": ("trigger", {}), "name": ("unit_is_of_type", {"type": "units/crate"}),
            "enter": show("enter"), "leave": show("leave"), "delay": ("delay", {"time": 1.1}),
            "pure": ("get_actor_unit", {}), "alive": ("unit_is_alive", {}),
        }, """
            event.touched > enter.in
            event.untouched > leave.in
            event.touching_unit > name.unit
            name.value > enter.text
            event.touching_actor > pure.actor
            pure.unit > alive.unit
            alive.value > leave.text
            leave.out > event.disable
            leave.out > delay.in
            delay.out > event.enable"""))
        printed = self.play('''spawn("units/gate", 5, 0, 0)
            for height = 2, 6, 2 do spawn("units/crate", 5, 0, height * height) end''', 240)
        self.assertEqual([self.texts(printed, name) for name in ("enter", "leave")],
                         [["true", "true"], ["true", "true"]])

    def test_an_actor_that_ended_is_none_in_events(self):
        self.unit("crate", CRATE)
        self.unit("ground", GROUND, flow=({
            "event": ("physics_collision", {}), "unit": ("get_actor_unit", {}),
            "alive": ("unit_is_alive", {}), "end": show("end"), "destroy": ("unspawn_unit", {}),
            "late": ("get_actor_position", {}), "show": show("late"),
        }, """
            event.start_touch > destroy.unspawn
            event.touching_unit > destroy.unit
            event.end_touch > end.in
            event.touching_unit > alive.unit
            alive.value > end.text
            end.out > show.in
            event.touching_actor > late.actor
            late.position > show.text"""))
        printed = self.play('spawn("units/ground", 0, 0, -1) spawn("units/crate", 0, 0, 0.7)', 60,
                            ["there is no actor"])
        self.assertEqual(self.texts(printed, "end"), ["false"])

    # --- Movers -----------------------------------------------------------------------------------

    def walker(self, delta, nodes, links):
        return ({"update": ("level_update", {}), "move": ("move_mover", {"delta_position": delta}),
                 **nodes}, "update.out > move.in\n" + links)

    def test_a_mover_runs_into_actors(self):
        self.unit("wall", 'type = "actor"  shapes = [%s]' % (BOX % "5 0.5 3"))
        self.unit("walker", MOVER, flow=self.walker([0, 0.1, -0.05], {
            "event": ("mover_actor_collision", {}),
            "is_wall": ("unit_is_of_type", {"type": "units/wall"}), "branch": ("branch", {}),
            "once": ("once", {}), "unit": ("get_actor_unit", {}), "owner": ("get_mover_unit", {}),
            "own": ("unit_is_of_type", {"type": "units/walker"}),
            "collisions": ("get_mover_collisions", {}), "below": ("get_actor_colliding_below_mover", {}),
            "below_unit": ("get_actor_unit", {}), "center": ("get_mover_center_position", {}),
            "is_ground": ("unit_is_of_type", {"type": "units/ground"}),
            "radius": ("get_mover_radius", {}), "standing": ("get_mover_standing_frames", {}),
            **{name: show(name) for name in ("position", "normal", "motion", "length", "mover", "sides",
                                             "down", "ground", "middle", "wide", "moves")},
        }, """
            event.out > branch.in
            event.touching_unit > is_wall.unit
            is_wall.value > branch.condition
            branch.true > once.in
            once.out > position.in
            event.position > position.text
            position.out > normal.in
            event.normal > normal.text
            normal.out > motion.in
            event.motion_direction > motion.text
            motion.out > length.in
            event.motion_length > length.text
            length.out > mover.in
            event.touched_mover > owner.mover
            owner.unit > own.unit
            own.value > mover.text
            mover.out > sides.in
            collisions.sides > sides.text
            sides.out > down.in
            collisions.down > down.text
            down.out > ground.in
            below.actor > below_unit.actor
            below_unit.unit > is_ground.unit
            is_ground.value > ground.text
            ground.out > middle.in
            center.position > middle.text
            middle.out > wide.in
            radius.radius > wide.text
            wide.out > moves.in
            standing.frames > moves.text"""))
        printed = self.play('spawn("units/ground", 0, 0, -1) spawn("units/wall", 0, 2.5, 0)'
                            ' spawn("units/walker", 0, 0, 0.1)', 60)
        (x, y, z), = self.numbers(printed, "position")
        self.assertAlmostEqual(y, 2, delta=0.05)
        (x, y, z), = self.numbers(printed, "normal")
        self.assertAlmostEqual(y, -1, places=3)
        (x, y, z), = self.numbers(printed, "motion")
        self.assertAlmostEqual(y, 0.8944, places=3)
        (length,), = self.numbers(printed, "length")
        self.assertAlmostEqual(length, 0.1118, places=3)
        self.assertEqual([self.texts(printed, name) for name in ("mover", "sides", "down", "ground")],
                         [["true"]] * 4)
        (x, y, z), = self.numbers(printed, "middle")
        self.assertAlmostEqual(z, 0.9, delta=0.05)
        (radius,), = self.numbers(printed, "wide")
        self.assertAlmostEqual(radius, 0.35, places=3)
        self.assertGreater(self.numbers(printed, "moves")[0][0], 5)

    def test_movers_run_into_each_other(self):
        event = {"event": ("mover_mover_collision", {}), "once": ("once", {}), "met": show("met"),
                 "who": ("get_mover_unit", {}), "where": ("get_unit_world_position", {}),
                 "own": ("get_mover_position", {}), "own_place": show("own")}
        links = """
            event.out > once.in
            once.out > met.in
            event.touching_mover > who.mover
            who.unit > where.unit
            where.position > met.text
            met.out > own_place.in
            event.touched_mover > own.mover
            own.position > own_place.text"""
        self.unit("walker", MOVER, flow=self.walker([0, 0.1, -0.05], event, links))
        self.unit("stander", MOVER, flow=(event, links))
        printed = self.play('spawn("units/ground", 0, 0, -1) spawn("units/stander", 0, 2, 0.02)'
                            ' spawn("units/walker", 0, 0, 0.02)', 60)
        self.assertEqual(sorted(round(y, 1) for _, y, _ in self.numbers(printed, "met")), [1.3, 2])
        self.assertEqual(sorted(round(y, 1) for _, y, _ in self.numbers(printed, "own")), [1.3, 2])

    def test_another_mover_comes_into_use(self):
        self.unit("walker", MOVER, 'type = "mover"  name = "low"  height = 0.9  is_active = false',
                  flow=({
                      "start": ("unit_spawned", {}), "set": ("set_unit_mover", {"mover_name": "low"}),
                      "center": ("get_mover_center_position", {}), "middle": show("middle"),
                      "put": ("set_mover_position", {"position": [1, 2, 3]}),
                      "position": ("get_mover_position", {}), "place": show("place"),
                      "slope": ("set_mover_max_slope_angle", {"angle": 0.5}),
                      "angle": ("get_mover_max_slope_angle", {}), "show": show("angle"),
                      "none": ("set_unit_mover", {"mover_name": ""}),
                      "move": ("move_mover", {"delta_position": [0, 1, 0]}),
                      "wrong": ("set_unit_mover", {"mover_name": "lows"}),
                  }, """
            start.out > set.in
            set.out > middle.in
            center.position > middle.text
            middle.out > put.in
            put.out > place.in
            position.position > place.text
            place.out > slope.in
            slope.out > show.in
            angle.angle > show.text
            show.out > none.in
            none.out > move.in
            move.out > wrong.in"""))
        printed = self.play('spawn("units/walker", 0, 0, 0)', 3,
                            ["the unit has no mover in use", 'the unit has no mover "lows"'])
        (x, y, z), = self.numbers(printed, "middle")
        self.assertAlmostEqual(z, 0.45, places=4)
        self.assertEqual(self.numbers(printed, "place"), [[1, 2, 3]])
        self.assertEqual(self.numbers(printed, "angle"), [[0.5]])

    # --- Actors -----------------------------------------------------------------------------------

    def test_impulses_and_velocities_move_an_actor(self):
        self.unit("crate", CRATE + "  has_gravity = false", flow=({
            "start": ("unit_spawned", {}), "actor": ("get_unit_actor", {"actor_name": "crate"}),
            "impulse": ("add_actor_impulse", {"impulse": [0, 10, 0]}),
            "add": ("add_actor_velocity", {"velocity": [1, 0, 0]}),
            "push": ("push_actor", {"velocity": [0, 0, 3], "mass": 2}),
            "turn": ("set_actor_angular_velocity", {"angular_velocity": [0, 0, 2]}),
            "damping": ("set_actor_linear_damping", {"damping": 0.25}),
            "velocity": ("get_actor_velocity", {}), "fast": show("fast"),
            "turns": ("get_actor_angular_velocity", {}), "turning": show("turning"),
            "loses": ("get_actor_linear_damping", {}), "damped": show("damped"),
            "physical": ("is_actor_physical", {}), "moved": show("moved"),
            "static": ("is_actor_static", {}), "stays": show("stays"),
            "far": ("add_actor_impulse", {"impulse": [0, 0, 1], "at": [1, 0, 0]}),
            "turned": show("turned"), "sleep": ("put_actor_to_sleep", {}),
            "sleeping": ("is_actor_sleeping", {}), "asleep": show("asleep"),
            "put": ("set_actor_position", {"position": [4, 5, 6]}),
            "position": ("get_actor_position", {}), "place": show("place"),
        }, """
            start.out > impulse.in
            impulse.out > add.in
            add.out > push.in
            push.out > turn.in
            turn.out > damping.in
            damping.out > fast.in
            velocity.velocity > fast.text
            actor.actor > velocity.actor
            fast.out > turning.in
            turns.velocity > turning.text
            actor.actor > turns.actor
            turning.out > damped.in
            loses.damping > damped.text
            actor.actor > loses.actor
            damped.out > moved.in
            physical.value > moved.text
            actor.actor > physical.actor
            moved.out > stays.in
            static.value > stays.text
            actor.actor > static.actor
            stays.out > far.in
            far.out > turned.in
            turns.velocity > turned.text
            turned.out > sleep.in
            sleep.out > asleep.in
            sleeping.value > asleep.text
            actor.actor > sleeping.actor
            asleep.out > put.in
            put.out > place.in
            position.position > place.text
            actor.actor > position.actor"""))
        printed = self.play('spawn("units/crate", 0, 0, 5)', 3)
        (x, y, z), = self.numbers(printed, "fast")
        self.assertAlmostEqual(x, 0.5, places=4)  # half of it goes into what pushes
        self.assertAlmostEqual(y, 2.5, places=4)
        self.assertAlmostEqual(z, 1.5, places=4)
        self.assertEqual(self.numbers(printed, "turning"), [[0, 0, 2]])
        self.assertEqual(self.numbers(printed, "damped"), [[0.25]])
        self.assertEqual([self.texts(printed, name) for name in ("moved", "stays", "asleep")],
                         [["true"], ["false"], ["true"]])
        self.assertNotEqual(self.numbers(printed, "turned")[0][1], 0)
        self.assertEqual(self.numbers(printed, "place"), [[4, 5, 6]])

    def test_actors_turn_stop_and_sleep(self):
        self.unit("crate", CRATE + "  has_gravity = false", flow=({
            "start": ("unit_spawned", {}), "actor": ("get_unit_actor", {"actor_name": "crate"}),
            "turn": ("add_actor_torque_impulse", {"impulse": [0, 0, 1]}),
            "turns": ("get_actor_angular_velocity", {}), "turning": show("turning"),
            "brake": ("set_actor_angular_damping", {"damping": 0.5}),
            "loses": ("get_actor_angular_damping", {}), "braked": show("braked"),
            "middle": ("get_actor_center_of_mass", {}), "heart": show("heart"),
            "collides": ("is_actor_collision_enabled", {}), "solid": show("solid"),
            "ghost": ("set_actor_collision_enabled", {"enabled": False}), "thin": show("thin"),
            "follows": ("is_actor_kinematic", {}), "follower": show("follower"),
            "put": ("set_actor_rotation", {"rotation": [0, 0, 1, 0]}),
            "turned": ("get_actor_rotation", {}), "pose": show("pose"),
            "node": ("get_unit_world_rotation", {}), "node_pose": show("node"),
            "sleep": ("put_actor_to_sleep", {}), "sleeping": ("is_actor_sleeping", {}),
            "wake": ("wake_up_actor", {}), "awake": show("awake"),
        }, """
            start.out > turn.in
            turn.out > turning.in
            turns.velocity > turning.text
            actor.actor > turns.actor
            turning.out > brake.in
            brake.out > braked.in
            loses.damping > braked.text
            actor.actor > loses.actor
            braked.out > heart.in
            middle.position > heart.text
            actor.actor > middle.actor
            heart.out > solid.in
            collides.value > solid.text
            actor.actor > collides.actor
            solid.out > ghost.in
            ghost.out > thin.in
            collides.value > thin.text
            thin.out > follower.in
            follows.value > follower.text
            actor.actor > follows.actor
            follower.out > put.in
            put.out > pose.in
            turned.rotation > pose.text
            actor.actor > turned.actor
            pose.out > node_pose.in
            node.rotation > node_pose.text
            node_pose.out > sleep.in
            sleep.out > wake.in
            wake.out > awake.in
            sleeping.value > awake.text
            actor.actor > sleeping.actor"""))
        printed = self.play('spawn("units/crate", 1, 2, 5)', 3)
        # A cube of 2 kg with edges of 1 m resists with 2 / 6 kg m2.
        (x, y, z), = self.numbers(printed, "turning")
        self.assertAlmostEqual(z, 3, places=3)
        self.assertEqual(self.numbers(printed, "braked"), [[0.5]])
        self.assertEqual(self.numbers(printed, "heart"), [[1, 2, 5]])
        self.assertEqual([self.texts(printed, name) for name in ("solid", "thin", "follower", "awake")],
                         [["true"], ["false"], ["false"], ["false"]])
        self.assertEqual(self.numbers(printed, "pose"), [[0, 0, 1, 0]])
        self.assertEqual([[round(n, 4) for n in q] for q in self.numbers(printed, "node")], [[0, 0, 1, 0]])

    def test_a_mover_counts_its_moves_without_ground(self):
        self.unit("walker", MOVER, flow=self.walker([0, 0, 0], {
            "mover": ("get_unit_mover", {}), "flying": ("get_mover_flying_frames", {}), "air": show("air"),
        }, """
            move.out > air.in
            flying.frames > air.text
            mover.mover > flying.mover"""))
        printed = self.play('spawn("units/walker", 0, 0, 50)', 4)
        counts = [n for n, in self.numbers(printed, "air")]
        self.assertEqual(counts, list(range(int(counts[0]), int(counts[0]) + len(counts))))
        self.assertGreater(len(counts), 2)

    def test_actors_of_units_are_made_and_ended(self):
        self.unit("crate", CRATE, flow=({
            "start": ("unit_spawned", {}),
            "ray": ("raycast", {"from": [0, 0, 10], "direction": [0, 0, -1]}),
            "destroy": ("destroy_unit_actor", {"actor_name": "crate"}),
            "count": ("get_unit_num_actors", {}), "none": show("none"),
            "old": ("get_actor_position", {}), "stale": show("stale"),
            "create": ("create_unit_actor", {"actor_name": "crate", "inherit_velocity": 1}),
            "one": show("one"), "again": ("create_unit_actor", {"actor_name": "crate"}),
            "wrong": ("destroy_unit_actor", {"actor_name": "crates"}),
        }, """
            start.out > ray.in
            ray.out > destroy.in
            destroy.out > none.in
            count.value > none.text
            none.out > stale.in
            old.position > stale.text
            ray.actor > old.actor
            stale.out > create.in
            create.out > one.in
            count.value > one.text
            one.out > again.in
            again.out > wrong.in"""))
        printed = self.play('spawn("units/crate", 0, 0, 5)', 3, [
            "the actor has been destroyed", 'the unit already has the actor "crate"',
            'the unit has no actor "crates"'])
        self.assertEqual(self.texts(printed, "none"), ["0"])
        self.assertEqual(self.texts(printed, "one"), ["1"])

    # --- Worlds -----------------------------------------------------------------------------------

    def test_a_ray_finds_an_actor(self):
        names = ("hit", "position", "distance", "normal", "unit", "moves")
        self.unit("crate", CRATE)
        self.unit("caster", flow=({
            "start": ("unit_spawned", {}), "delay": ("delay", {"time": 0.05}),
            "ray": ("raycast", {"from": [0, 0, 10], "direction": [0, 0, -3], "length": 20,
                                "object_type": "statics"}),
            "type": ("unit_is_of_type", {"type": "units/ground"}), "dynamic": ("is_actor_dynamic", {}),
            **{name: show(name) for name in names},
            "short": ("raycast", {"from": [0, 0, 10], "direction": [0, 0, -1], "length": 2}),
            "missed": show("missed"),
            "wrong": ("raycast", {"from": [0, 0, 10], "collision_filter": "defalt"}),
            "nowhere": ("raycast", {"direction": [0, 0, 0]}),
            "gravity": ("set_world_gravity", {"gravity": [0, 0, -1e9]}),
        }, """
            start.out > delay.in
            delay.out > ray.in
            ray.out > hit.in
            ray.hit > hit.text
            hit.out > position.in
            ray.position > position.text
            position.out > distance.in
            ray.distance > distance.text
            distance.out > normal.in
            ray.normal > normal.text
            normal.out > unit.in
            ray.unit > type.unit
            type.value > unit.text
            unit.out > moves.in
            ray.actor > dynamic.actor
            dynamic.value > moves.text
            moves.out > short.in
            short.out > missed.in
            short.hit > missed.text
            missed.out > wrong.in
            wrong.out > nowhere.in
            nowhere.out > gravity.in"""))
        printed = self.play('spawn("units/ground", 0, 0, -1) spawn("units/crate", 0, 0, 2)'
                            ' spawn("units/caster", 9, 9, 9)', 10, [
                                'no collision filter "defalt"; did you mean "default"?',
                                "expected a direction", "expected numbers from"])
        self.assertEqual([self.texts(printed, name) for name in ("hit", "unit", "moves", "missed")],
                         [["true"], ["true"], ["false"], ["false"]])
        (x, y, z), = self.numbers(printed, "position")
        self.assertAlmostEqual(z, 0, places=3)
        (distance,), = self.numbers(printed, "distance")
        self.assertAlmostEqual(distance, 10, places=3)
        (x, y, z), = self.numbers(printed, "normal")
        self.assertAlmostEqual(z, 1, places=3)

    def test_gravity_changes(self):
        self.unit("crate", CRATE, flow=({
            "start": ("unit_spawned", {}), "set": ("set_world_gravity", {"gravity": [0, 6, 0]}),
            "delay": ("delay", {"time": 0.5}), "velocity": ("get_actor_velocity", {}),
            "actor": ("get_unit_actor", {}), "fast": show("fast"),
        }, """
            start.out > set.in
            set.out > delay.in
            delay.out > fast.in
            velocity.velocity > fast.text
            actor.actor > velocity.actor"""))
        printed = self.play('spawn("units/crate", 0, 0, 5)', 40)
        (x, y, z), = self.numbers(printed, "fast")
        self.assertAlmostEqual(y, 3, delta=0.15)
        self.assertAlmostEqual(z, 0, delta=0.01)


if __name__ == "__main__":
    unittest.main()
