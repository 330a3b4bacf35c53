// The parts as they were printed, with what is screwed into them: only for the pictures. docs/case.py hands over the files.
include <measures.scad>

base_file = "";
lid_file = "";
wand_file = "";
shown = "apart"; // [apart, together, inside]
$fn = 40;

lifted = shown == "apart" ? 55 : 0;
module on_slope() { translate([0, 0, case_front + lifted]) rotate([case_slope, 0, 0]) children(); }
module knob(at, wide, tall, from = 0) { translate([at[0], at[1], case_lid + from]) cylinder(d1 = wide, d2 = wide - 1, h = tall); }
module board(at, size, up, tall) {
    color("#2f7d4f") translate([at[0], at[1], case_floor + up]) cube([size[0], size[1], 1.4]);
    color("#b9bec4") translate([at[0] + 3, at[1] + 3, case_floor + up + 1.4]) cube([size[0] / 4, size[1] - 6, tall]);
}

color("#4a5d68") import(base_file);
if (shown != "together") {
    corner = [case_wall + computer_away, case_depth - case_wall - computer_away - computer_board[1]];
    board(corner, computer_board, computer_up, 14);
    side = [case_width - case_wall - pico_from_right - pico_board[1], case_depth - case_wall - pico_away - pico_board[0]];
    board(side, [pico_board[1], pico_board[0]], pico_up, 1);
}
if (shown != "inside") {
    on_slope() {
        color("#d8b25a") import(lid_file);
        color("#10161a") translate([display_at[0] - display_window[0] / 2, display_at[1] - display_window[1] / 2, case_lid - 1])
            cube([display_window[0], display_window[1], 0.6]);
        for (one = button_at) { color("#2a2a2a") knob(one, 15, 1.6); color("#b3422e") knob(one, 10, 4, 1.6); }
        color("#2a2a2a") knob(dial_at, 16, 14, 1);
        for (n = [0 : 3]) color("#4a3a12") translate([button_at[n][0], button_at[n][1] - button_round / 2 - 3, case_lid])
            linear_extrude(0.05) text(button_names[n], size = 4.2, font = "DejaVu Sans:style=Bold", halign = "center", valign = "top");
        color("#9fd3ff") knob(lamp_at, 5, 3);
    }
    color("#8da37c") translate([case_width + 24, wand_size[1], wand_tall]) rotate([180, 0, 0]) import(wand_file);
    if (shown == "together") color("#f4efe2") translate([case_width + 28, 4, wand_tall]) cube([88, 63, 0.4]);
}
