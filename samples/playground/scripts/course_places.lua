-- Written by tools/make_course.py from tests/physics/mover/course.h.
-- Where stations begin: x, y, z, and degrees about z; they lead along y.
return {
    ["stairs"] = { -30, -27, 0, 0 },
    ["step_just_fits"] = { -30, -14, 0, 0 },
    ["step_too_high"] = { -25.7, -14, 0, 0 },
    ["gap_in_floor"] = { -30, -1, 0.3, 0 },
    ["mesh_stairs"] = { -30, 12, 0, 0 },
    ["ramp_easy"] = { -27, 30, 0, -90 },
    ["ramp_above_limit"] = { -27, 25.7, 0, -90 },
    ["mesh_hill"] = { -15, 30, 0, -90 },
    ["mesh_ridge"] = { -2, 30, 0, -90 },
    ["ramp_below_limit"] = { 11, 30, 0, -90 },
    ["ramp_steep"] = { 11, 25.7, 0, -90 },
    ["doorway"] = { 30, 27, 0, -180 },
    ["high_enough_ceiling"] = { 30, 17, 0, -180 },
    ["crawl"] = { 30, 4, 0, -180 },
    ["crate"] = { 30, -10, 0, -180 },
    ["platform_rising"] = { 22, -30, 0.3, -270 },
    ["platform_sideways"] = { 14.9, -30, 2.3094, -270 },
    ["platform_turning"] = { 3.8, -23, 2.3094, -270 },
    ["ramp_easy_back"] = { -10.25, -25, 0, -90 },
    ["spiral"] = { -17, -20, 0, 0 },
}
