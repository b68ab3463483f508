"""Makes the font files in this folder from those of Fontsource: pip install fonttools brotli; python subset.py

Each font is cut into what English text needs and the remaining Latin characters, which browsers load only where a page has one. Weights
below 400 and above 700 are not used; neither is kerning, see styles.css.
"""

import io
import pathlib

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

here = pathlib.Path(__file__).parent
packages = here.parents[3] / "node_modules" / "@fontsource-variable"
basic = {*range(0x20, 0x7F), *map(ord, "\u00a0·×–—‘’“”•…↑↓−")}


def load(path):
    font = instancer.instantiateVariableFont(TTFont(path), {"wght": (400, 700)})
    font.flavor = None
    saved = io.BytesIO()
    font.save(saved)
    return saved.getvalue()


def write(font, name, characters, features):
    options = subset.Options(layout_features=features, hinting=False, glyph_names=False, name_IDs=[0, 1, 2, 4, 6, 13, 14])
    options.drop_tables += ["GPOS", "STAT", "MVAR"]
    cut = TTFont(io.BytesIO(font))
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(cut)
    cut.flavor = "woff2"
    cut.save(here / name)


# tnum: digits of equal width, for `tabular-nums`
for package, features in (("inter", ["tnum"]), ("jetbrains-mono", [])):
    font = load(packages / package / "files" / f"{package}-latin-wght-normal.woff2")
    characters = set(TTFont(io.BytesIO(font)).getBestCmap())
    write(font, f"{package}-basic.woff2", characters & basic, features)
    write(font, f"{package}-latin.woff2", characters - basic, features)
