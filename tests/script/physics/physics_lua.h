// physics_lua.h: Lua that tests of physics share.
#pragma once

// P: the physics of the world W; `near(a, b)`, of numbers or vectors; `run(seconds)`, which steps W.
#define PHYSICS_LUA                                                                                \
    "P = World.physics_world(W) "                                                                  \
    "function near(a, b) "                                                                         \
    "  if type(a) == 'number' then return math.abs(a - b) < 1e-3 end "                             \
    "  return Vector3.distance(a, b) < 1e-3 end "                                                  \
    "function run(seconds) for i = 1, seconds * 60 do World.update(W, 1 / 60) end end "

// `state(actor)`: whether it collides, is found, and is moved by physics: "true true false".
#define STATE_LUA                                                                                  \
    "function state(a) return string.format('%s %s %s', Actor.is_collision_enabled(a), "           \
    "Actor.is_scene_query_enabled(a), Actor.is_physical(a)) end "

// `number()` and `vector()`: of all sizes, and none; the same for each seed of math.random.
#define NUMBERS_LUA                                                                                \
    "local sizes = {0, 1e-30, 1e-4, 0.5, 1, 3, 1e3, 1e6, 1e7, 1e9, 1e30, 1 / 0, 0 / 0} "           \
    "local function number() return sizes[math.random(#sizes)] * "                                 \
    "  (math.random() < 0.3 and -1 or 1) end "                                                     \
    "local function vector() return Vector3(number(), number(), number()) end "
