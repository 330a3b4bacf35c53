"""Values become HTML and SVG: pens, panels, pictures, letters, codes. Knows no table."""
