// The case of the table companion. `python docs/case.py` renders it; to look at it, open this file in OpenSCAD.
// All measures are in measures.toml, from which measures.scad is made. Flat shapes are put together first and raised
// once, since OpenSCAD is quick with those and slow with solids.
include <measures.scad>

part = "apart"; // [base, lid, wand, apart, together]
$fn = 36;

face = case_depth / cos(case_slope); // along the slope
back = case_front + case_depth * tan(case_slope);
drilled = 12;
engraved = 0.6;
computer_corner = [case_wall + computer_away + computer_board[0], case_depth - case_wall - computer_away];
pico_corner = [case_width - case_wall - pico_from_right, case_depth - case_wall - pico_away];
screws = [for (x = [case_inset, case_width - case_inset], y = [case_inset, face - case_inset]) [x, y]];

module plate(size, corner = case_corner) {
    translate([corner, corner]) offset(r = corner) square([size[0] - 2 * corner, size[1] - 2 * corner]);
}
module inside(by) { offset(delta = -by) plate([case_width, case_depth]); }
module middle(at, size) { translate([at[0] - size[0] / 2, at[1] - size[1] / 2]) square(size); }
module on_slope() { translate([0, 0, case_front]) rotate([case_slope, 0, 0]) children(); }

// Where a screw of the lid is half way down in the base, seen from above.
function bossed(at) = [at[0], at[1] * cos(case_slope) + drilled / 2 * sin(case_slope)];
// A hole of a board that lies turned by half (the computer) or with its short side to the back (the Pico).
function turned(hole) = [computer_corner[0] - hole[0], computer_corner[1] - hole[1]];
function upright(hole) = [pico_corner[0] - hole[1], pico_corner[1] - hole[0]];

module posts(at, wide, hole, tall) {
    translate([0, 0, case_floor - 0.01]) linear_extrude(tall + 0.01) difference() {
        for (one = at) translate(one) circle(d = wide);
        for (one = at) translate(one) circle(d = hole);
    }
}
module behind(x, z, size) {
    translate([x - size[0] / 2, case_depth - case_wall - 3, z - size[1] / 2]) cube([size[0], case_wall + 4, size[1]]);
}
module aside(x, y, z, size) {
    translate([x, y - size[0] / 2, z - size[1] / 2]) cube([case_wall + 4, size[0], size[1]]);
}

module plugs() {
    over = case_floor + computer_up + computer_thick;
    for (plug = computer_back) behind(computer_corner[0] - plug[0], over + plug[1], [plug[2], plug[3]] + [1, 1] * case_loose);
    for (plug = computer_left)
        aside(-1, computer_corner[1] - plug[0], over + plug[1], [plug[2], plug[3]] + [1, 1] * case_loose);
    for (plug = pico_back)
        behind(pico_corner[0] - plug[0], case_floor + pico_up + pico_thick + plug[1], [plug[2], plug[3]] + [1, 1] * case_loose);
    aside(case_width - case_wall - 3, wires_at, wires_up + wires_size[1] / 2, wires_size + [1, 1] * case_loose);
}

// It grows out of its corner, so that boards have room below and a printer needs no support.
module boss(screw) {
    at = bossed(screw);
    low = case_front + at[1] * tan(case_slope) - drilled - 3;
    edge = [at[0] < case_width / 2 ? 2.6 : case_width - 2.6, at[1] < case_depth / 2 ? 2.6 : case_depth - 2.6];
    hull() {
        translate([at[0], at[1], low]) cylinder(d = case_thread + 6, h = drilled + 6);
        translate([edge[0], edge[1], low - 9]) cylinder(d = 1, h = 1);
    }
}

module base() {
    difference() {
        union() {
            linear_extrude(case_floor) plate([case_width, case_depth]);
            linear_extrude(back + 1) difference() { plate([case_width, case_depth]); inside(case_wall); }
            for (one = screws) boss(one);
            posts([for (hole = computer_holes) turned(hole)], case_post, computer_hole, computer_up);
            posts([for (hole = pico_holes) upright(hole)], pico_post, pico_hole, pico_up);
        }
        on_slope() translate([-1, -20, 0]) cube([case_width + 2, face + 60, 60]);
        on_slope() for (one = screws) translate([one[0], one[1], -drilled]) cylinder(d = case_thread, h = drilled + 1);
        plugs();
    }
}

module openings() {
    middle(display_at, display_window + [1, 1] * case_loose);
    for (one = button_at) translate(one) circle(d = button_round + case_loose);
    translate(dial_at) circle(d = dial_round + case_loose);
    translate(lamp_at) circle(d = lamp_round + case_loose);
    translate(buzzer_at) circle(d = buzzer_hole);
    for (n = [1 : buzzer_holes - 1]) translate(buzzer_at) rotate(n * 360 / (buzzer_holes - 1))
        translate([buzzer_round / 3.4, 0]) circle(d = buzzer_hole);
    for (one = screws) translate(one) circle(d = case_screw + case_loose);
}

// What holds the display: its board lies with the glass against the lid, on pins that are melted over it.
display_middle = display_at - [0, display_above];
display_corners = [for (x = [-0.5, 0.5], y = [-0.5, 0.5]) display_middle + [x * display_holes[0], y * display_holes[1]]];
module pins() {
    stands = display_thick - 1.6;
    translate([0, 0, -stands]) linear_extrude(stands + 0.01) for (one = display_corners) translate(one) circle(d = display_hole + 1.6);
    translate([0, 0, -display_thick - 1.5]) linear_extrude(display_thick) for (one = display_corners) translate(one) circle(d = display_hole - case_loose);
}
module pocket() {
    translate([0, 0, -buzzer_rim]) linear_extrude(buzzer_rim + 0.01) translate(buzzer_at) difference() {
        circle(d = buzzer_round + case_loose + 3);
        circle(d = buzzer_round + case_loose);
    }
}
// The lip follows the walls, which are upright; so it leans on the lid.
module lip() {
    rotate([-case_slope, 0, 0]) translate([0, 0, -case_front]) intersection() {
        linear_extrude(back + 1) difference() {
            inside(case_wall + case_gap);
            inside(case_wall + case_gap + 1.6);
            for (one = screws) middle([one[0] < case_width / 2 ? 0 : case_width, one[1] < face / 2 ? 0 : case_depth], [32, 32]);
        }
        on_slope() translate([-1, -1, -case_lip]) cube([case_width + 2, face + 2, case_lip + 0.01]);
    }
}
module names() {
    for (n = [0 : len(button_names) - 1]) translate(button_at[n] - [0, button_round / 2 + 3])
        text(button_names[n], size = 4.2, font = "DejaVu Sans:style=Bold", halign = "center", valign = "top", $fn = 4);
}
// As it lies on the slope: its lower face at 0.
module lid() {
    linear_extrude(case_lid - engraved + 0.01) difference() { plate([case_width, face]); openings(); }
    translate([0, 0, case_lid - engraved]) linear_extrude(engraved) difference() {
        plate([case_width, face]);
        openings();
        names();
    }
    lip();
    pins();
    pocket();
}

// Upside down, as it is printed: the top below.
module wand() {
    board = wand_board + [1, 1] * case_loose;
    at = wand_size / 2;
    linear_extrude(wand_top) plate(wand_size);
    difference() {
        linear_extrude(wand_tall) difference() { plate(wand_size); offset(delta = -case_wall) plate(wand_size); }
        translate([-1, at[1] - wand_cable[0] / 2, wand_tall - wand_cable[1]]) cube([case_wall + 2, wand_cable[0], wand_cable[1] + 1]);
    }
    // Four corners keep the board in its place.
    linear_extrude(wand_top + wand_thick) difference() {
        middle(at, board + [2, 2] * wand_rail);
        middle(at, board);
        middle(at, [board[0] - 16, board[1] + 8]);
        middle(at, [board[0] + 8, board[1] - 16]);
    }
}

if (part == "base") base();
if (part == "lid") lid();
if (part == "wand") wand();
if (part == "together" || part == "apart") {
    base();
    translate([0, 0, part == "apart" ? 40 : 0]) on_slope() lid();
    translate([case_width + 20, wand_size[1], wand_tall]) rotate([180, 0, 0]) wand();
}
