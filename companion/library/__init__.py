"""Files on disk: the shelf of games, packs, the tagbook, texts, settings."""

from .own_packs import SHIPPED, ChangedMeanwhile, OwnPacks
from .packs import InBoth, PackError
from .published import LeftOut
from .settings import Buttons, Dial, Lamps, Night, Oled, Settings
from .tagbook import TAGS, BadUid, NumberTag, PieceTag, PlaceTag, SeatTag, Tag, Tagbook, pretend_uid, uid_of
from .texts import LANGS, Lang, Names, Speaker, Texts
from .toml_forms import FormError, as_toml, fill, is_missing, nearest, read_toml
from .whole_files import write_whole

# fmt: off
__all__ = [
    "LANGS", "SHIPPED", "TAGS", "BadUid", "Buttons", "ChangedMeanwhile", "Dial", "FormError", "InBoth", "Lamps",
    "Lang", "LeftOut", "Names", "Night", "NumberTag", "Oled", "OwnPacks", "PackError", "PieceTag", "PlaceTag",
    "SeatTag", "Settings", "Speaker", "Tag", "Tagbook", "Texts", "as_toml", "fill", "is_missing", "nearest",
    "pretend_uid", "read_toml", "uid_of", "write_whole",
]
# fmt: on
