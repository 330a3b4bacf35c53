"""Files on disk: the shelf of games, packs, the tagbook, texts, settings."""

from .codes import Codes, Digits, codes_of, game_of, is_code
from .enrolment import DEAD, NUMBERS, Enrolling, ReaderNamed, Things, item
from .mats import mat_names, most_readers
from .own_packs import SHIPPED, ChangedMeanwhile, OwnPacks
from .packs import InBoth, PackError, shared_pack
from .plays import Play, Player, as_bgstats, as_csv, places, play_id
from .published import LeftOut
from .settings import (
    SETTINGS,
    ButtonPins,
    BuzzerPin,
    DialPins,
    LampPins,
    Lamps,
    NightHours,
    OledPins,
    OwnReader,
    Settings,
    TurnClock,
    VoiceSettings,
    described_settings,
    load_settings,
    own_of,
    save_settings,
)
from .tagbook import TAGS, BadUid, NumberTag, PieceTag, PlaceTag, SeatTag, Tag, Tagbook, points_at, pretend_uid, uid_of
from .telling import tell
from .texts import LANGS, Lang, Names, Speaker, Texts
from .toml_forms import FormError, as_toml, fill, is_missing, nearest, read_toml
from .whole_files import write_whole

# fmt: off
__all__ = [
    "DEAD", "LANGS", "NUMBERS", "SETTINGS", "SHIPPED", "TAGS", "BadUid", "ButtonPins", "BuzzerPin",
    "ChangedMeanwhile", "Codes", "DialPins", "Digits", "Enrolling", "FormError", "InBoth", "LampPins", "Lamps",
    "Lang", "LeftOut", "Names", "NightHours", "NumberTag", "OledPins", "OwnPacks", "OwnReader", "PackError",
    "PieceTag", "PlaceTag", "Play", "Player", "ReaderNamed", "SeatTag", "Settings", "Speaker", "Tag", "Tagbook",
    "Texts", "Things", "TurnClock", "VoiceSettings", "as_bgstats", "as_csv", "as_toml", "codes_of",
    "described_settings", "fill", "game_of", "is_code", "is_missing", "item", "load_settings", "mat_names",
    "most_readers", "nearest", "own_of", "places", "play_id", "points_at", "pretend_uid", "read_toml",
    "save_settings", "shared_pack", "tell", "uid_of", "write_whole",
]
# fmt: on
