"""A core of few resources with one small shader, for tests that compile a project hundreds of times."""

import os
import shutil

from support_cuttle import ROOT, cuttle, write

SHADER = """layer = "opaque"
options = ["base_color_map"]
parameters = {
    base_color = { type = "color"  default = [1 1 1 1] }
    roughness = { type = "scalar"  default = 1 }
}
textures = { base_color_map = { default = "core/textures/white" } }
vertex = \"\"\"
layout(location = 0) in vec3 position;
void main() { gl_Position = vec4(position, material.roughness); }
\"\"\"
fragment = \"\"\"
layout(location = 0) out vec4 out_color;
void main() { out_color = material.base_color; }
\"\"\"
"""


def small_core(folder):
    """Makes it; what it is called by: CUTTLE_CORE."""
    source = os.path.join(ROOT, "core")
    for name in ("cube", "plane", "sphere"):
        for extension in (".gltf", ".mesh"):
            os.makedirs(os.path.join(folder, "meshes"), exist_ok=True)
            shutil.copy(os.path.join(source, "meshes", name + extension),
                        os.path.join(folder, "meshes"))
    os.makedirs(os.path.join(folder, "textures"))
    for extension in (".png", ".texture"):
        shutil.copy(os.path.join(source, "textures", "white" + extension),
                    os.path.join(folder, "textures"))
    write(os.path.join(folder, "shaders", "pbr.shader"), SHADER)
    return folder


def new_small_project(project, core):
    """A new project, and the environment in which it compiles with a small core made at `core`."""
    cuttle("new", project, check=0)
    materials = os.path.join(project, "materials")
    for name in ("brass", "floor"):  # they set what the small core's shader has not
        shutil.copy(os.path.join(materials, "teal.material"),
                    os.path.join(materials, name + ".material"))
    return {"CUTTLE_CORE": small_core(core)}
