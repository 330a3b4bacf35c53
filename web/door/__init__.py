"""Who gets in: hosts, origins, rates, cookies, seats on their way. Knows no screen and no game."""

from .asking import LONGEST_NAME, Asker, Askers, clean_name, key_of, new_code, new_secret
from .guard import HEADER, LARGEST_BODY, CommandId, body_as, is_from_elsewhere, is_our_host
from .limits import Kind, Limits
from .moving import PATIENCE, Likes, Moves
from .session import THEMES, Phone, Theme, cookie_name, cookies_of, liking, phone_of, remember, split_prefix
from .site import Site

# fmt: off
__all__ = [
    "HEADER", "LARGEST_BODY", "LONGEST_NAME", "PATIENCE", "THEMES", "Asker", "Askers", "CommandId", "Kind",
    "Likes", "Limits", "Moves", "Phone", "Site", "Theme", "body_as", "clean_name", "cookie_name", "cookies_of",
    "is_from_elsewhere", "is_our_host", "key_of", "liking", "new_code", "new_secret", "phone_of", "remember",
    "split_prefix",
]
# fmt: on
