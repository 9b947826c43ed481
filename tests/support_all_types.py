"""A project with every resource type and every feature of each that shows in compiled data: for tests
that look at all of it. Small, and the same each time."""

import base64
import json
import os
import struct
import zlib

from support_cuttle import write
from support_wav import wav

TYPES = ("animation", "config", "environment", "flow", "flow_nodes", "font", "gui_theme", "height_field", "input", "level", "lua", "material", "mesh", "navigation", "network_config", "particles", "physics",
         "render_config", "shader", "skeleton", "sound", "sound_bus", "sound_event", "state_machine", "strings", "texture", "unit")


# --- Textures -------------------------------------------------------------------------------------

def png(width, height, pixel, depth=8, color_type=6):
    """The bytes of an image whose pixels have the bytes `pixel(x, y)`: four of RGBA."""
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def opaque(x, y):
    return x * 13 % 256, y * 29 % 256, (x + y) * 7 % 256, 255


def sheer(x, y):
    return *opaque(x, y)[:3], (x * 17 + y * 5) % 256


TEXTURES = {
    "color": 'source = "textures/opaque.png"',
    "color_alpha": 'source = "textures/sheer.png"  quality = "best"',
    "normal": 'source = "textures/opaque.png"  category = "normal"',
    "mask": 'source = "textures/opaque.png"  category = "mask"',
    "data": 'source = "textures/opaque.png"  category = "data"',
    "data_alpha": 'source = "textures/sheer.png"  category = "data"',
    "streamed": 'source = "textures/large.png"  quality = "uncompressed"',
    "gui": 'source = "textures/sheer.png"  category = "gui"  filter = "nearest"  wrap = "clamp"',
    "plain_normal": 'source = "textures/opaque.png"  category = "normal"  quality = "uncompressed"',
    "plain_mask": 'source = "textures/opaque.png"  category = "mask"  quality = "uncompressed"',
    "plain_data": 'source = "textures/sheer.png"  category = "data"  quality = "uncompressed"',
    "premultiplied": 'source = "textures/sheer.png"  premultiply_alpha = true  generate_mips = false',
    "halved": 'source = "textures/opaque.png"  max_size = { default = 8  mobile = 4 }',
    "array": 'sources = ["textures/opaque.png" "textures/sheer.png"]',
    "cube": "cube = { " + " ".join(f'{face} = "textures/square.png"' for face in
                                   ("right", "left", "front", "back", "up", "down")) + " }",
}


def write_textures(path):
    write(path("textures/opaque.png"), png(19, 13, opaque))
    write(path("textures/sheer.png"), png(19, 13, sheer))
    write(path("textures/large.png"), png(200, 150, opaque))
    write(path("textures/square.png"), png(8, 8, opaque))
    for name, text in TEXTURES.items():
        write(path(f"textures/{name}.texture"), text + "\n")


# --- Meshes ---------------------------------------------------------------------------------------

class Model:
    """Builds a .gltf with its buffer inside."""

    SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
    FORMS = {5123: "H", 5125: "I", 5126: "f"}

    def __init__(self):
        self.buffer, self.views, self.accessors = b"", [], []
        self.meshes, self.nodes, self.skins = [], [], []

    def accessor(self, kind, component, values, **others):
        data = struct.pack(f"<{len(values)}{self.FORMS[component]}", *values)
        self.views.append({"buffer": 0, "byteOffset": len(self.buffer), "byteLength": len(data)})
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": component,
                               "count": len(values) // self.SIZES[kind], "type": kind, **others})
        self.buffer += data
        return len(self.accessors) - 1

    def grid(self, name, side, uv_scale=1.0, has_extra=False, has_normals=True, parent=None):
        """A node with a bumpy square of `side` x `side` vertices and two materials; without normals
        each triangle gets vertices of its own."""
        places = [(x, y) for y in range(side) for x in range(side)]
        points = [v for x, y in places for v in (x / 3, ((x * x + y) % 5) / 7, -y / 3)]
        uvs = [v * uv_scale / 3 for place in places for v in place]
        low, high = ([f(points[k::3]) for k in range(3)] for f in (min, max))
        attributes = {"POSITION": self.accessor("VEC3", 5126, points, min=low, max=high),
                      "TEXCOORD_0": self.accessor("VEC2", 5126, uvs)}
        if has_normals:
            attributes["NORMAL"] = self.accessor("VEC3", 5126, [0, 1, 0] * len(places))
        if has_extra:
            colors = [v for x, y in places for v in (x / side, y / side, 0.25, 1.0)]
            attributes["COLOR_0"] = self.accessor("VEC4", 5126, colors)
            attributes["TEXCOORD_1"] = self.accessor("VEC2", 5126, uvs[::-1])
        corners = [at + y * side + x for y in range(side - 1) for x in range(side - 1)
                   for at in (0, 1, side, 1, side + 1, side)]
        half = len(corners) // 12 * 6
        self.meshes.append({"name": name, "primitives": [
            {"attributes": attributes, "material": i,
             "indices": self.accessor("SCALAR", 5125, part)}
            for i, part in enumerate((corners[:half], corners[half:])) if part]})
        node = {"name": name, "mesh": len(self.meshes) - 1}
        if parent is not None:
            self.nodes[parent].setdefault("children", []).append(len(self.nodes))
        self.nodes.append(node)
        return len(self.nodes) - 1

    def skin(self, node, num_joints):
        """Gives the square at `node` that many joints, of which up to 8 move each vertex."""
        attributes = [p["attributes"] for p in self.meshes[self.nodes[node]["mesh"]]["primitives"]]
        count = self.accessors[attributes[0]["POSITION"]]["count"]
        for k in range(2):
            joints = [(i + k * 4 + j) % num_joints for i in range(count) for j in range(4)]
            weights = [(8 - k * 4 - j) / 36 for i in range(count) for j in range(4)]
            added = {f"JOINTS_{k}": self.accessor("VEC4", 5123, joints),
                     f"WEIGHTS_{k}": self.accessor("VEC4", 5126, weights)}
            for each in attributes:
                each.update(added)
        binds = [v for j in range(num_joints)
                 for v in (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -j / 4, 0.5, 0.25, 1)]
        first = len(self.nodes)
        self.nodes += [{"name": f"joint_{j}", "translation": [j / 4, -0.5, -0.25]}
                       for j in range(num_joints)]
        self.nodes[node]["skin"] = len(self.skins)
        self.skins.append({"joints": list(range(first, first + num_joints)),
                           "inverseBindMatrices": self.accessor("MAT4", 5126, binds)})

    def text(self):
        below = {child for node in self.nodes for child in node.get("children", [])}
        return json.dumps({
            "asset": {"version": "2.0"}, "scene": 0,
            "scenes": [{"nodes": [i for i in range(len(self.nodes)) if i not in below]}],
            "nodes": self.nodes, "meshes": self.meshes,
            **({"skins": self.skins} if self.skins else {}),
            "materials": [{"name": "front"}, {"name": "back"}],
            "accessors": self.accessors, "bufferViews": self.views,
            "buffers": [{"byteLength": len(self.buffer), "uri": "data:application/octet-stream;base64," +
                         base64.b64encode(self.buffer).decode()}]})


def write_meshes(path):
    for name, uv_scale, has_extra in (("plain", 1, False), ("extra", 1, True),
                                      ("wide", 317.123, False), ("wide_extra", 317.123, True)):
        model = Model()
        model.grid(name, 9, uv_scale, has_extra)
        write(path(f"models/{name}.gltf"), model.text())
        write(path(f"models/{name}.mesh"), f'source = "models/{name}.gltf"\n')
    for name in ("plain", "extra"):
        write(path(f"models/{name}_full.mesh"), f'source = "models/{name}.gltf"  quantize = false\n')
    write(path("models/lods.mesh"), 'source = "models/plain.gltf"  scale = 2.5\n'
          "lods = [ { ratio = 0.5 } { ratio = 0.2  max_error = 0.5  screen_size = 0.1 } ]\n"
          'collision = "hulls"  collision_hulls = 3  collision_concavity = 0.1\n')
    # More vertices than indices of 16 bits can name.
    model = Model()
    model.grid("large", 110, has_normals=False)
    write(path("models/large.gltf"), model.text())
    write(path("models/large.mesh"), 'source = "models/large.gltf"\n')
    model = Model()
    model.skin(model.grid("skin", 9), 12)
    write(path("models/skin.gltf"), model.text())
    write(path("models/skin.mesh"), 'source = "models/skin.gltf"\n')
    write(path("models/skin_eight.mesh"), 'source = "models/skin.gltf"  max_influences = 8\n')
    model = Model()
    rock = model.grid("rock_LOD0", 6)
    model.grid("rock_LOD1", 3)
    for name in ("collision_box_rock", "col_sphere_rock", "collision_rock", "occluder_convex_rock"):
        model.grid(name, 3, parent=rock)
    write(path("models/rock.gltf"), model.text())
    write(path("models/rock.mesh"), 'source = "models/rock.gltf"\n')


# --- Shaders and materials ------------------------------------------------------------------------

SURFACE = """
layer = "opaque"
includes = ["core/shaders/include/frame.glsl"]
options = ["holes" "shine" "glass"]
states = { glass = { layer = "transparent"  blend = "alpha"  cull = "none"  depth_write = false } }
parameters = {
    amount = { type = "scalar"  default = 0.3 }
    offset = { type = "vector2"  default = [1 -2] }
    wind = { type = "vector3"  default = [0.1 0.2 0.3]  instanced = true }
    plane = { type = "vector4"  default = [1 2 3 4] }
    tint = { type = "color"  default = [0.9 0.5 0.1 0.7]  instanced = true }
    warp = { type = "matrix4x4" }
}
textures = {
    flat_map = { default = "textures/color" }
    pages = { kind = "array"  default = "textures/array" }
    sky = { kind = "cube"  default = "textures/cube" }
}
vertex = \"\"\"
layout(location = 0) in vec3 position;
layout(location = 3) in vec2 uv;
layout(location = 0) out vec2 out_uv;
void main() {
    out_uv = uv + material.offset;
    vec4 place = vec4(to_world_point(position) + material.wind, 1.0);
    gl_Position = view.view_projection * (material.warp * place);
}
\"\"\"
fragment = \"\"\"
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;
void main() {
    out_color = material.tint * texture(flat_map, in_uv) + material.plane;
    out_color += texture(pages, vec3(in_uv, 1.0));
    out_color += texture(sky, vec3(in_uv, material.amount));
#ifdef OPTION_HOLES
    if (out_color.a < 0.5)
        discard;
#endif
    if (option_shine)
        out_color *= 2.0;
}
\"\"\"
"""

COMPUTE = """
includes = ["core/shaders/include/frame.glsl"]
parameters = { amount = { type = "scalar"  default = 1 } }
outputs = { bright = { format = "RGBA16F" } }
compute = \"\"\"
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 2, binding = 0) uniform sampler2D source;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(bright, at, texelFetch(source, at, 0) * material.amount);
}
\"\"\"
"""

MATERIAL = """
shader = "shaders/surface"
options = ["holes" "glass"]
parameters = {
    amount = 0.75  offset = [3 4]  wind = [5 6 7]  plane = [8 9 10 11]  tint = [0.2 0.4 0.6]
    warp = [1 2 3 4  5 6 7 8  9 10 11 12  13 14 15 16]
}
textures = { flat_map = "textures/color_alpha"  sky = "textures/cube" }
"""


def write_shaders(path):
    write(path("shaders/surface.shader"), SURFACE)
    write(path("shaders/brighten.shader"), COMPUTE)
    write(path("materials/all.material"), MATERIAL)
    write(path("materials/bare.material"), 'shader = "shaders/surface"\n')


RENDER_CONFIG = """
inherit = "core/rendering/renderer"
settings = {
    is_bright = true
    amount = 0.25
    count = { type = "whole"  default = 3  least = 1  most = 9 }
    picture = { type = "choice"  default = "RGBA16F"  choices = ["RGBA8" "RGBA16F"] }
    scale = [0.5 0.25]
    way = { type = "vector3"  default = [1 2 3]  environment = true }
    plane = [1 2 3 4]
    tint = { type = "color"  default = [0.1 0.2 0.3] }
}
global_resources = [
    { name = "half"  format = { setting = "picture" }  scale = { setting = "scale" } }
    { name = "chain"  format = "RGBA16F"  scale = [1 1]  mips = "all" }
    { name = "small"  format = "R32F"  size = [64 32] }
    { name = "kept"  format = "RGBA16F"  scale = [1 1]  history = true }
    { name = "faces"  format = "RGBA16F"  size = [48 32] }
    { name = "moved"  format = "RG16F"  scale = [1 1] }
]
presets = {
    plain = { is_bright = false  amount = 0.5  tint = [1 1 1] }
    rich = { count = 5 }
}
preset = "rich"
cpu_preset = "plain"
jitter = { setting = "picture"  is_not = "RGBA8" }
surface_view = { setting = "picture" }
fog_color = { setting = "tint" }
fog_density = 0.5
custom = [{ setting = "way" } 3 [1 2]]
sky_map = "faces"
scene_color = "half"
layers = [ { name = "moving"  targets = ["hdr"]  depth_target = "depth"  velocity_target = "moved" }
           { name = "late"  targets = ["hdr"]  depth_target = "depth"  sort = "front_back" } ]
resource_generators = {
    extra = [
        { type = "capture_sky"  layer = "skydome"  target = "faces" }
        { type = "draw_layer"  layer = "moving"  only = "outlined"  material = "materials/all"
          when = "sky_captured"  enabled = ["is_bright" { setting = "picture"  is = ["RGBA8" "RGBA16F"] }] }
        { type = "copy"  source = "hdr"  target = "kept" }
        { name = "late"  type = "draw_layer"  layer = "late"  enabled = "!is_bright"
          when = "outlined"  wireframe = true }
        { type = "copy"  source = "hdr"  target = "chain"  filter = "nearest" }
        { type = "generate_mips"  target = "chain" }
        { type = "compute"  shader = "shaders/brighten"  inputs = [{ name = "hdr"  mip = 0 }]
          outputs = ["chain"]  cover = "chain"  parameters = { amount = { setting = "amount" } } }
        { type = "compute"  shader = "shaders/brighten"  inputs = ["hdr"]
          outputs = [{ name = "chain"  mip = 2 }]  groups = [3 2 1] }
    ]
}
viewports = { default = ["scene" "extra" "output"]  bare = ["scene"] }
"""

# --- Units, levels, input, texts ------------------------------------------------------------------

LAMP = """
components = [
    { id = "a1"  type = "transform"  position = [1.5 -2 3]  rotation = [0 0 1 1]  scale = [1 2 0.5] }
    { id = "a2"  type = "scene_graph"  nodes = [
        { id = "n1"  name = "arm"  position = [0 0 1] }
        { id = "n2"  name = "bulb"  parent = "arm"  rotation = [1 0 0 1]  scale = [2 2 2] } ] }
    { id = "a3"  type = "mesh"  mesh = "models/plain"  materials = ["materials/all" "materials/bare"] }
    { id = "a4"  type = "mesh"  mesh = "models/rock"  node = "arm"  is_visible = false }
    { id = "a5"  type = "camera"  name = "eye"  projection = "orthographic"  near_range = 0.25
      node = "bulb" }
    { id = "a6"  type = "light"  light_type = "spot"  color = [1 0.5 0.25]  intensity = 12.5
      falloff_start = 2 }
    { id = "a7"  type = "debug_name"  name = "a lamp, übergroß" }
    { id = "a8"  type = "data"  values = { name = "Größe"  lit = true  power = 12.5  nothing = ""
      path = [1 -2.5 3e9]  none = []  stats = { wear = 0.25  deep = { er = false } } } }
    { id = "a9"  type = "data" }
    { id = "aa"  type = "tag"  tags = ["lamp" "fragile" "größer"] }
    { id = "ab"  type = "script"  script = "scripts/guard" }
    { id = "ay"  type = "flow"  graph = "flow/all" }
    { id = "ac"  type = "actor"  body = "keyframed"  node = "arm"  mass = 2.5  lock_rotation = "xy"
      shapes = [
        { id = "s1"  type = "box"  half_size = [1 2 3]  position = [0 0 1] }
        { id = "s2"  type = "capsule"  radius = 0.25  height = 1.5  rotation_degrees = [90 0 0] }
        { id = "s3"  type = "mesh"  mesh = "models/rock" } ] }
    { id = "ad"  type = "actor"  name = "whole" }
    { id = "ae"  type = "trigger"  filter = "debris"  tags = ["player"]  shapes = [{ id = "s1"  type = "sphere"  radius = 4 }] }
    { id = "af"  type = "mover"  name = "crouched"  height = 0.9  is_active = false }
    { id = "b0"  type = "mover"  name = "upright" }
    { id = "b1"  type = "render_data"  values = { wetness = 0.5  tiling = [2 3] }  colors = { tint = [1 0.5 0] } }
    { id = "b2"  type = "particles"  effect = "effects/all"  position = [1 2 3]  node = "arm"
      orphaned = "detach"  variables = { strength = 3  wind = [1 2 3] } }
    { id = "b3"  type = "sound_source"  event = "sounds/all"  position = [1 2 3]  node = "arm"  volume = -6
      plays_at_spawn = false  orphaned = "detach"  parameters = { force = 2  material = "stone" } }
    { id = "b4"  type = "sound_listener"  node = "arm"  index = 1  is_active = false }
    { id = "b5"  type = "navigation_agent"  class = "human"  moves = "mover"  turns = true  plays_links = true
      priority = 3  radius = 0.3  height = 1.7  speed = 2.5  acceleration = 6  turn_speed = 4  arrival = 0.2
      horizon = 1.5  groups = 2  avoids = 5  speed_variable = "speed" }
]
"""
POST = """
inherit = "units/lamp"
components = [
    { id = "a3"  removed = true }
    { id = "a6"  intensity = 3 }
    { id = "ac"  body = "static"  shapes = [{ id = "s1"  half_size = [3 2 1] }
                                            { id = "s2"  removed = true }] }
    { id = "a8"  values = { power = null  path = [4 5]  stats = { wear = "none" } } }
    { id = "a90"  type = "animation"  skeleton = "characters/all"  state_machine = "characters/all"
      root_mode = "delta_pose"  is_always_posed = true }
]
children = [ { id = "c1"  unit = "units/lamp"  position = [0 0 9]
               overrides = [ { id = "a7"  name = "the one on top" } ] } ]
"""
YARD = """
units = [
    { id = "u1"  unit = "units/lamp"  position = [1 2 3] }
    { id = "u2"  unit = "units/post"  rotation = [0 1 0 1]  layer = "props"
      overrides = [ { id = "a5"  far_range = 77 } ]
      children = [ { id = "c1"  scale = [3 3 3] } ] }
]
script = "scripts/main"
navigation = "levels/yard"
volumes = [
    { id = "v1"  name = "room"  position = [1 2 3]  half_size = [2 3 4]  purpose = "reverb"
      environment = "environments/all"  environment_priority = 2  reverb = -6  reverb_fade = 3 }
    { id = "v2"  name = "ball"  type = "sphere"  radius = 2.5  scale = [1 2 3]  layer = "air" }
    { id = "v3"  name = "tent"  type = "convex"  points = [ [0 0 0] [3 0 0] [0 3 0] [0 0 3] [1 1 1] ] }
    { id = "v4"  name = "cave"  type = "mesh"  mesh = "models/rock"  rotation = [0 0 1 1] }
]
splines = [
    { id = "s1"  name = "path"  points = [ [0 0 0] [1 2 0] [5 2 1] ]  position = [7 8 9] }
    { id = "s2"  name = "ring"  type = "bezier"  is_closed = true
      points = [ { position = [0 0 0]  handle_out = [1 1 0] } [4 0 0] ] }
]
markers = [ { id = "m1"  name = "start"  position = [-1 -2 -3]  rotation_degrees = [0 0 90]  purpose = "spawn" } ]
"""
NAVIGATION = """
level = "levels/yard"  cell_size = 0.05  cell_height = 0.05  tile_size = 4  least_area = 0
agents = [ { id = "a1"  name = "human"  radius = 0.25  height = 1.5 } { id = "a2"  name = "mouse"  radius = 0.05  height = 0.2 } ]
areas = [ { id = "r1"  name = "mud"  cost = 2.5 } { id = "r2"  name = "gate"  closed = true } ]
volumes = [ { id = "v1"  volume = "room"  area = "mud" } { id = "v2"  volume = "ball"  cuts = true } ]
links = [ { id = "l1"  kind = "ladder"  from = [2.7 -4 6]  to = [2.7 1 6]  both_ways = true  cost = 1.5  area = "gate"
            agents = ["mouse"]  radius = 0.75  closed = true } ]
rules = [ { id = "d1"  find = "drop"  kind = "drop"  height = 20  distance = 2  spacing = 1  agents = ["mouse"] } ]
"""
PARTICLES = """
cull_distance = 60  prewarm = 2  bounds_radius = 9  seed = 7
variables = { strength = 2  wind = [1 2 3] }
emitters = [
    { id = "p1"  name = "fire"  max_particles = 300  delay = 0.5  duration = 5  loop = true  space = "local"
      spawn = { rate = { curve = [[0 60] [1 20]] }  per_metre = 2  inherit_velocity = 0.5
        bursts = [ { time = 1  count = [10 20]  interval = 0.5  repeats = 3 } ]
        shape = { type = "mesh"  mesh = "models/rock"  points = 20  position = [1 2 3] } }
      birth = { lifetime = { min = 0.5  max = { curve = [[0 1] [1 2]] } }  speed = { min = 1  max = 2 }
        velocity = { value = [0 0 1]  variable = "wind" }  size = { min = [1 1]  max = [2 3] }
        color = { min = [1 0 0]  max = [1 1 0] }  rotation_degrees = { min = 0  max = 360 }
        spin_degrees = { min = -90  max = 90 } }
      simulate = [ { type = "gravity"  strength = -0.2 } { type = "acceleration"  value = [1 0 0]  space = "local" }
        { type = "drag"  amount = 1.5 } { type = "wind"  velocity = [1 0 0] }
        { type = "curl_noise"  frequency = 0.8  speed = 0.5  as = "wind" }
        { type = "vector_field"  field = "storm"  strength = { variable = "strength" } }
        { type = "attract"  point = [0 0 2]  radius = 9  kill_radius = 0.1 }
        { type = "orbit"  turns_per_second = 0.5  outwards = 1 } { type = "limit_speed"  speed = 8 }
        { type = "collide_plane"  bounce = 0.4  friction = 0.2  lifetime_loss = 0.1  radius = 0.5 }
        { type = "collide"  filter = "debris" } { type = "kill_box"  size = [2 2 2]  keep = "outside" }
        { type = "kill_sphere"  radius = 90 } { type = "kill_plane"  distance = -5 } ]
      life = { size = { curve = [[0 0.2] [0.3 1] [1 0]]  smooth = true }
        opacity = { min = { curve = [[0 1] [1 0]] }  max = 1 } frames_per_second = 12 }
      on = [ { event = "birth"  emitter = "trails"  probability = 0.5 }
             { event = "death"  emitter = "ribbon"  count = [2 4]  inherit_velocity = 0.3 }
             { event = "collision"  emitter = "rocks" } ]
      render = { material = "materials/all"  facing = "stretched"  sort = "distance"  grid = [4 2]
        blend_frames = true  stretch = 0.1  pivot = [0.5 1] } }
    { id = "p2"  name = "trails"  render = { type = "trail"  material = "materials/all"  points = 4  uv_length = 2
      facing = "axis"  axis = [1 0 0] } }
    { id = "p3"  name = "ribbon"  spawn = { shape = { type = "skeleton"  bones = true } }
      render = { type = "ribbon"  material = "materials/all"  facing = "point" } }
    { id = "p4"  name = "rocks"  spawn = { shape = { type = "sphere"  radius = 2  inner = 0.5 } }
      render = { type = "mesh"  mesh = "models/plain"  material = "materials/bare"  facing = "velocity" } }
    { id = "p5"  name = "glow"  spawn = { rate = 1  shape = { type = "cone"  length = 2 } }
      render = { type = "light" } }
    { id = "p6"  name = "dust"  gpu = "always"  spawn = { rate = 9  shape = { type = "box"  surface = true } }
      render = { material = "materials/all"  facing = "normal" } }
    { id = "p7"  name = "leaves"  spawn = { rate = 9 }
      render = { material = "materials/all"  facing = "motion"  sort = "oldest" } }
    { id = "p8"  name = "cards"  spawn = { rate = 9 }
      render = { material = "materials/all"  facing = "fixed"  sort = "youngest" } }
    { id = "p9"  name = "unseen"  spawn = { rate = 9 } }
]
"""
SOUNDS = {
    "plain": 'source = "sounds/sine.wav"',
    "loop": 'source = "sounds/sine.wav"  loop = true  loop_begin = 0.01  loop_end = 0.09  loop_crossfade = 0.005',
    "loud": 'source = "sounds/wide.wav"  loudness = -18  max_rate = 22050',
    "narrow": 'source = "sounds/wide.wav"  mono = true  streamed = true',
    "packed": 'source = "sounds/wide.wav"  store = "vorbis"  quality = 0.2',
    "packed_stream": 'source = "sounds/wide.wav"  store = "vorbis"  streamed = true',
}
# Two lamps, one of which follows a counter, and variables of all kinds.
FLOW = """
variables = [
    { id = "1"  name = "count"  type = "number"  value = 3 }
    { id = "2"  name = "label"  type = "string"  value = "ümläut" }
    { id = "3"  name = "to"  type = "vector3"  value = [1 2 3] }
    { id = "4"  name = "turn"  type = "quaternion"  value = [0 0 1 1] }
    { id = "5"  name = "open"  type = "bool"  value = true }
    { id = "6"  name = "who"  type = "unit" }
    { id = "7"  name = "key"  type = "id"  value = "door" } ]
nodes = [
    { id = "start"  type = "unit_spawned"  position = [0 0] }
    { id = "step"  type = "level_update"  position = [0 50] }
    { id = "open"  type = "external_in_event"  inputs = { name = "open" }  position = [0 100] }
    { id = "size"  type = "external_input_numeric"  inputs = { name = "size" } }
    { id = "count"  type = "counter"  inputs = { increment = 0.1 }  position = [100 0] }
    { id = "lamp"  type = "graph"  graph = "flow/lamp"  inputs = { seconds = 1.5 }  position = [200 0] }
    { id = "lamp 2"  type = "graph"  graph = "flow/lamp"  position = [200 100] }
    { id = "lever"  type = "level_unit"  inputs = { unit = "lever" } }
    { id = "same"  type = "compare_objects"  position = [300 0] }
    { id = "keep"  type = "set_unit_variable"  inputs = { name = "who" }  position = [400 0] }
    { id = "label"  type = "get_string_variable"  inputs = { name = "label" } }
    { id = "say"  type = "print_to_screen"  inputs = { color = [1 0.5 0] }  position = [400 100]
      comment = "until there is a sign" }
    { id = "door"  type = "lua"  nodes = "flow/game"  node = "open_door"  inputs = { speed = 3 } }
    { id = "score"  type = "lua"  nodes = "flow/game"  node = "score" }
    { id = "sum"  type = "numeric_addition" }
    { id = "sum out"  type = "external_output_numeric"  inputs = { name = "sum" } } ]
links = [
    { id = "1"  from = "start"  out = "out"  to = "count"  in = "increase" }
    { id = "2"  from = "step"  out = "out"  to = "count"  in = "decrease" }
    { id = "3"  from = "count"  out = "changed"  to = "lamp"  in = "light" }
    { id = "4"  from = "count"  out = "changed"  to = "lamp 2"  in = "light" }
    { id = "5"  from = "count"  out = "value"  to = "lamp 2"  in = "seconds" }
    { id = "6"  from = "lamp"  out = "dark"  to = "same"  in = "compare" }
    { id = "7"  from = "start"  out = "unit"  to = "same"  in = "a" }
    { id = "8"  from = "lever"  out = "unit"  to = "same"  in = "b" }
    { id = "9"  from = "same"  out = "equal"  to = "keep"  in = "set" }
    { id = "10"  from = "lever"  out = "unit"  to = "keep"  in = "unit" }
    { id = "11"  from = "open"  out = "out"  to = "say"  in = "in" }
    { id = "12"  from = "label"  out = "string"  to = "say"  in = "label" }
    { id = "13"  from = "sum"  out = "value"  to = "say"  in = "text" }
    { id = "14"  from = "count"  out = "value"  to = "sum"  in = "a" }
    { id = "15"  from = "size"  out = "numeric"  to = "sum"  in = "b" }
    { id = "16"  from = "sum"  out = "value"  to = "sum out"  in = "numeric" }
    { id = "18"  from = "open"  out = "out"  to = "door"  in = "open" }
    { id = "19"  from = "score"  out = "points"  to = "door"  in = "label" }
    { id = "20"  from = "door"  out = "opened"  to = "say"  in = "in" }
    { id = "17"  from = "lamp 2"  out = "dark"  to = "say"  in = "in" } ]
groups = [ { id = "1"  title = "Lamps"  position = [190 -10]  size = [100 200]  color = [1 0.9 0.5] } ]
comments = [ { id = "1"  text = "What the sign says."  position = [390 90] } ]
"""
FLOW_NODES = """
nodes = [
    { id = "1"  name = "open_door"  function = "Game.open_door"  menu = "Game > Open Door"  doc = "Opens a door."
      slots = [
        { id = "1"  name = "open"  kind = "event_in" }
        { id = "2"  name = "close"  kind = "event_in"  doc = "Closes it." }
        { id = "3"  name = "door"  kind = "input"  type = "unit" }
        { id = "4"  name = "speed"  kind = "input"  type = "number"  value = 2  unit = "m/s" }
        { id = "5"  name = "to"  kind = "input"  type = "vector3"  value = [1 2 3] }
        { id = "6"  name = "turn"  type = "quaternion"  value = [0 0 1 1] }
        { id = "7"  name = "label"  type = "string"  value = "ümläut" }
        { id = "8"  name = "data"  type = "any" }
        { id = "9"  name = "opened"  kind = "event_out" }
        { id = "10"  name = "height"  kind = "output"  type = "number" }
        { id = "11"  name = "message"  kind = "output"  type = "string" } ] }
    { id = "2"  name = "score"  function = "score"
      slots = [ { id = "1"  name = "points"  kind = "output"  type = "number" } ] } ]
"""
FLOW_LAMP = """
nodes = [
    { id = "in"  type = "external_in_event"  inputs = { name = "light" } }
    { id = "out"  type = "external_out_event"  inputs = { name = "dark" } }
    { id = "seconds"  type = "external_input_numeric"  inputs = { name = "seconds" } }
    { id = "half"  type = "numeric_multiplication"  inputs = { b = 0.5 } }
    { id = "wait"  type = "delay" } ]
links = [
    { id = "1"  from = "in"  out = "out"  to = "wait"  in = "in" }
    { id = "2"  from = "wait"  out = "out"  to = "out"  in = "in" }
    { id = "3"  from = "seconds"  out = "numeric"  to = "half"  in = "a" }
    { id = "4"  from = "half"  out = "value"  to = "wait"  in = "time" } ]
"""
SOUND_EVENT = """
bus = "music"  priority = 200  limit = 4  steal = "quietest"  cooldown = 0.05  fade_in = 0.1  fade_out = 0.2
parameters = { force = 0.5  material = "wood" }
play = { type = "layers"  volume = -3  low_pass = { parameter = "force"  shape = "smooth"  points = [[0 500] [1 22000]] }
    nodes = [
        { type = "random"  avoid = 1  pitch = [-1 1]  nodes = [
            { sound = "sounds/plain"  weight = 2 } { sound = "sounds/loop"  loop = true } ] }
        { type = "switch"  parameter = "material"  follow = true  fade = 0.3  cases = [
            { value = "wood"  play = "sounds/loud" } { play = { type = "sequence"  sounds = ["sounds/narrow"] } } ] }
        { type = "switch"  parameter = "force"  cases = [ { low = 0.2  high = 0.8  play = "sounds/plain" } ] }
        { type = "chain"  delay = 0.5  nodes = [ { sound = "sounds/plain"  repeats = 2 } { sound = "sounds/packed" } ] }
        { type = "blend"  parameter = "force"  send = -6  nodes = [
            { at = 0  play = "sounds/plain" } { at = 1  play = "sounds/packed_stream" } ] }
    ]
    gain = { parameter = "distance"  shape = "step"  points = [[0 1] [20 0.5]] } }
spatial = { attenuation = "linear"  least_distance = 2  most_distance = 40  rolloff = 2  doppler = 0.5  spread = [0 0.3]
    cone = { inner = 90  outer = 180  volume = -12 }  occlusion = { volume = -9  low_pass = 900  radius = 0.4 } }
music = { tempo = 120  beats = 3  first_beat = 0.25 }
markers = [ { id = "m1"  at = 1.5  name = "thunder" } { id = "m2"  at = 0.5  event = "sounds/other" } ]
"""
NETWORK_CONFIG = """
types = {
    health = { type = "integer"  min = -10  max = 100 }
    speed = { type = "float"  min = 0  max = 50  bits = 12 }
    exact = { type = "float" }
    point = { type = "vector2"  min = -8  max = [8, 9]  bits = 10 }
    position = { type = "vector3"  min = [-100, -100, -10]  max = [100, 100, 50]  bits = 15 }
    rotation = { type = "rotation" }
    name = { type = "string"  max = 32 }
    team = { type = "lookup"  values = ["red", "blue"] }
    weapons = { type = "array"  of = "health"  max = 8 }
}
objects = {
    ball = {
        fields = {
            alive = { type = "bool"  default = true }
            health = { type = "health"  default = 50 }
            speed = { type = "speed"  default = 0.5 }
            exact = { type = "exact"  default = 0.1 }
            point = { type = "point"  default = [1, 2] }
            position = { type = "position"  default = [1, 2, 3] }
            rotation = { type = "rotation"  default = [0, 0, 1, 1] }
            name = "name"
            unit = { type = "id"  default = "units/all" }
            team = { type = "team"  default = "blue" }
            weapons = "weapons"
        }
        relevance = { position = "position"  distance = 80 }
        priority = 2
        rate = 20
        shared = true
    }
}
messages = {
    hit = { arguments = { target = "object"  from = "peer"  damage = "health" } }
    look = { arguments = { at = "rotation" }  reliable = false }
}
"""

SOUND_BUS = """
buses = [
    { id = "b1"  name = "music"  parent = "master"  volume = -6  low_pass = 18000
      duck = { by = "voice"  threshold = -30  volume = -12  attack = 0.1  release = 0.5 }
      sends = [ { id = "d1"  to = "hall"  volume = -12 } ] }
    { id = "b2"  name = "master" }
    { id = "b3"  name = "voice"  parent = "master" }
    { id = "b4"  name = "hall"  parent = "master"  place = true
      reverb = { seconds = 2  size = 14  damping = 0.5  pre_delay = 0.03  width = 0.9  dry = 0.1 } }
]
snapshots = [ { id = "s1"  name = "underwater"  fade = 0.5  settings = [
    { id = "t1"  bus = "music"  volume = -20  low_pass = 600  sends = { hall = -3 } }
    { id = "t2"  bus = "hall"  reverb_seconds = 4  reverb_damping = 0.9 } ] } ]
"""
INPUT = """
sets = { menu = { active = false } }
gamepad_mappings = "input/pads.txt"
actions = {
    jump = { bindings = ["ctrl+shift+keyboard.space" "pad2.left.up" "none"] }
    zoom = { kind = "axis"  bindings = [ { negative = "pad.d_down"  positive = "pad.d_up"  scale = -6.5
                                           invert_x = true } ] }
    look = { kind = "vector"  set = "menu"  bindings = [
        { control = "pad.right"  response = 1.6  per_second = true  dead_zone = 0.3 }
        { up = "keyboard.w"  down = "keyboard.s"  left = "keyboard.a"  right = "keyboard.d" } ] }
}
"""
PADS = "030000005e0400008e02000010010000,Pad,a:b0,b:b1,platform:Linux,\n"
CONFIG = """
nested = { deep = { deeper = [ 1 -2.5 1e300 { key = "value" } [] {} ] } }
flags = [ true false null ]
text = "naïve \\"quotes\\" and 漢字"
empty = ""
"""
STRINGS = {
    "menu": 'start = "Start"\napples = { one = "{count} apple"  other = "{count} apples" }\n'
            'options = { title = "Options" }\n',
    "menu.fr": 'start = "Démarrer"\napples = { one = "{count} pomme"  other = "{count} pommes" }\n'
               'options = { title = "Réglages" }\n',
    "menu.pl": 'start = "Początek"\napples = { one = "{count} jabłko"  few = "{count} jabłka"\n'
               '    many = "{count} jabłek"  other = "{count} jabłka" }\noptions = { title = "Opcje" }\n',
}
FONTS = {
    "field": 'source = "core/fonts/default.ttf"  size = 12  spread = 2  characters = ["0x41-0x43" "é"]\n'
             'strings = ["strings/menu"]  fallback = ["fonts/pixels" "core/fonts/default"]\n',
    "pixels": 'source = "core/fonts/default.ttf"  size = 9  distance_field = false  characters = ["Az"]\n',
    "bitmaps": 'source = "fonts/bitmaps.fnt"  scale = 2  spread = 2\n',
}

# An AngelCode font of two letters that are squares.
ANGELCODE = """info face="Squares" size=16 bold=0 italic=0 charset="" unicode=1 stretchH=100 smooth=1 aa=1 padding=0,0,0,0 spacing=1,1 outline=0
common lineHeight=16 base=12 scaleW=32 scaleH=16 pages=1 packed=0
page id=0 file="bitmaps.png"
chars count=2
char id=65 x=0 y=0 width=12 height=12 xoffset=0 yoffset=0 xadvance=14 page=0 chnl=15
char id=86 x=16 y=0 width=8 height=12 xoffset=1 yoffset=0 xadvance=10 page=0 chnl=15
kernings count=1
kerning first=65 second=86 amount=-2
"""


def squares(x, y):
    inside = 1 < y < 10 and (1 < x < 10 or 17 < x < 22)
    return 255, 255, 255, 255 if inside else 0


SETTINGS = """
boot_script = "scripts/main"
boot_package = "boot"
render_config = "rendering/all"
input = "input/default"
platforms = ["mobile"]
window = { title = "All types"  width = 640  height = 360 }
"""


# --- Characters -----------------------------------------------------------------------------------

SKELETON = """joints = [
    { id = "1"  name = "hips"  position = [0 0 1] }
    { id = "2"  name = "spine"  parent = "hips"  position = [0 0 0.4] }
    { id = "3"  name = "arm"  parent = "spine"  position = [0.2 0 0.3]  rotation_degrees = [0 10 0] }
    { id = "4"  name = "hand"  parent = "arm"  position = [0.3 0 0]  scale = [1 1 1.1] }
]
"""

MOTION = """HIERARCHY
ROOT hips
{
    OFFSET 0 0 1
    CHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation
    JOINT spine
    {
        OFFSET 0 0 0.4
        CHANNELS 3 Xrotation Yrotation Zrotation
        End Site
        {
            OFFSET 0 0 0.3
        }
    }
}
MOTION
Frames: 7
Frame Time: 0.1
""" + "".join(f"{0.01 * i * i} {0.2 * i} 1 {3 * i} 0 {5 * i} {i * i} {-2 * i} 1\n" for i in range(7))

CLIP = """source = "characters/motion.bvh"
skeleton = "characters/all"
up_axis = "z"
"""

ANIMATIONS = {
    "walk": """loops = true  root_motion = "ground"
events = [ { id = "1"  name = "left"  time = 0.1 } { id = "2"  name = "right"  time = 0.3 } ]
curves = [ { id = "1"  object = "face"  parameter = "smile"  keys = [[0 0] [0.3 1] [0.6 0.2]] } ]
""",
    "run": 'loops = true  start = 0.1  end = 0.5\n',
    "breathe": 'additive = "rest"\n',
}

STATE_MACHINE = """skeleton = "characters/all"
variables = [
    { id = "1"  name = "speed"  default = 1  min = 0  max = 5 }
    { id = "2"  name = "smile"  curve = { object = "face"  parameter = "smile" } }
]
masks = [ { id = "1"  name = "arms"  joints = [
    { id = "1"  joint = "arm"  weight = 0.5 } { id = "2"  joint = "hand" } ] } ]
layers = [
    { id = "1"  name = "base"  start = "walk"
      states = [
        { id = "1"  type = "clip"  name = "walk"  animation = "characters/walk"  speed = "0.5 + speed"
          loop = true  enter_event = "entered"  leave_event = "left" }
        { id = "2"  type = "blend_1d"  name = "line"  x = "speed"  loop = false  points = [
            { id = "1"  animation = "characters/walk"  value = 1 }
            { id = "2"  animation = "characters/run"  value = 3  speed = 1.5 } ] }
        { id = "3"  type = "blend_2d"  name = "plane"  x = "speed"  y = "-speed"  points = [
            { id = "1"  animation = "characters/walk"  x = 0  y = 0 }
            { id = "2"  animation = "characters/run"  x = 1  y = 0 }
            { id = "3"  animation = "characters/walk"  x = 0  y = 1  speed = 2 } ] }
        { id = "4"  type = "tree"  name = "tree"  root = "all"  root_motion = false  nodes = [
            { id = "1"  type = "clip"  name = "w"  animation = "characters/walk" }
            { id = "2"  type = "clip"  name = "r"  animation = "characters/run"  sync = false }
            { id = "3"  type = "clip"  name = "b"  animation = "characters/breathe"  sync = false }
            { id = "4"  type = "select"  name = "s"  by = "speed"  children = [
                { id = "1"  node = "r" } ] }
            { id = "5"  type = "lerp"  name = "l"  a = "w"  b = "s"  by = 0.25 }
            { id = "6"  type = "add"  name = "all"  a = "l"  b = "b"  by = "clamp(speed, 0, 1)" } ] }
        { id = "5"  type = "empty"  name = "nothing" }
      ]
      transitions = [
        { id = "1"  from = "any"  to = "line"  event = "go"  condition = "speed > 2 and not smile" }
        { id = "2"  from = "line"  to = "plane"  exit_time = 0.5  curve = "smooth"  sync = true }
        { id = "3"  from = "plane"  to = "tree"  exit_seconds = 2  offset = 0.25  priority = 3 }
        { id = "4"  from = "tree"  to = "nothing"  event = "stop"  interruptible = false }
      ] }
    { id = "2"  name = "arms"  mask = "arms"  weight = "speed / 5"  start = ""  additive = true
      states = [ { id = "1"  type = "clip"  name = "breathe"  animation = "characters/breathe" } ]
      transitions = [ { id = "1"  from = ""  to = "breathe"  event = "go"  duration = 0.5 } ] }
]
"""


def write_characters(path):
    write(path("characters/all.skeleton"), SKELETON)
    write(path("characters/motion.bvh"), MOTION)
    for name, text in ANIMATIONS.items():
        write(path(f"characters/{name}.animation"), CLIP + text)
    write(path("characters/all.state_machine"), STATE_MACHINE)


PHYSICS = """gravity = [0.5 0.25 -9]
step = 0.01
max_steps = 7
solver_iterations = 12
sleep_linear = 0.5
sleep_angular = 0.75
rest_distance = 0.25
materials = [
    { id = "1"  name = "wood"  friction = 0.6  restitution = 0.3  rolling_friction = 0.01
      spinning_friction = 0.02  density = 700  touch_impulse = 2 }
    { id = "2"  name = "größer" }
]
pairs = [ { id = "1"  a = "wood"  b = "größer"  touch_impulse = 5 } ]
filters = [
    { id = "1"  name = "debris"  collides = ["default" "ground"] }
    { id = "2"  name = "ground"  collides = ["debris"] }
]
templates = [ { id = "1"  name = "crate"  actor = {
    body = "kinematic"  material = "wood"  filter = "debris"  mass = 12  density = 0.5
    linear_damping = 0.1  angular_damping = 0.2  has_gravity = true  is_continuous = true
    is_collision_enabled = true  is_scene_query_enabled = true  starts_asleep = true
    reports_persist = true  lock_position = "xz"  lock_rotation = "xy" } } ]
"""


def hills(x, y):
    return (x * 13 + y * 29 + 1) % 256, x * 17


def write_all_types(project):
    """Writes the project's sources to the folder `project`."""
    def path(name):
        return os.path.join(project, *name.split("/"))
    write_textures(path)
    write_meshes(path)
    write_shaders(path)
    write_characters(path)
    for name, text in SOUNDS.items():
        write(path(f"sounds/{name}.sound"), text + "\n")
    write(path("sounds/sine.wav"), wav(4800))
    write(path("sounds/wide.wav"), wav(24000, 44100, 2))
    for name, text in STRINGS.items():
        write(path(f"strings/{name}.strings"), text)
    for name, text in FONTS.items():
        write(path(f"fonts/{name}.font"), text)
    write(path("fonts/bitmaps.fnt"), ANGELCODE)
    write(path("fonts/bitmaps.png"), png(32, 16, squares))
    write(path("land/hills.png"), png(7, 5, hills, 16, 0))
    for name, text in {
            "settings.config": SETTINGS, "data/all.config": CONFIG,
            "rendering/all.render_config": RENDER_CONFIG, "physics/all.physics": PHYSICS,
            "environments/all.environment": 'render_config = "rendering/all"  values = { way = [3 2 1] }\n',
            "network/all.network_config": NETWORK_CONFIG,
            "themes/all.gui_theme": 'base = "core/gui/default"  colors = { text = "#12345678" }  fonts = { title = "fonts/field" }\n',
            "flow/all.flow": FLOW, "flow/lamp.flow": FLOW_LAMP, "flow/game.flow_nodes": FLOW_NODES,
            "land/hills.height_field": 'source = "land/hills.png"  size = [6 4 10]\n',
            "units/lamp.unit": LAMP, "units/post.unit": POST, "levels/yard.level": YARD, "levels/yard.navigation": NAVIGATION,
            "sounds/all.sound_event": SOUND_EVENT, "sounds/other.sound_event": 'play = "sounds/plain"\n',
            "sounds/all.sound_bus": SOUND_BUS,
            "effects/all.particles": PARTICLES, "input/default.input": INPUT, "input/pads.txt": PADS,
            "scripts/main.lua": "require('scripts/other')\nfunction init() end\n",
            "scripts/guard.lua": "return {}\n", "scripts/other.lua": "return 'all'\n", "scripts/other.fr.lua": "return 'tout'\n",
            "scripts/other.fr.kids.lua": "return 'petit'\n",
            "boot.package": "".join(f'{type_name} = ["*"]\n' for type_name in TYPES)}.items():
        write(path(name), text)
