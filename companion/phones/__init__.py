"""What a phone is offered: made from the view of its seat and nothing else."""

from .corrections import Fixable, Kind, kinds
from .laying_out import PlaceThere, places, with_photo
from .offers import Group, Means, NotNow, Offer
from .previews import Preview, Span, preview, span_of
from .showing import Foreign, Laying, Meant, Stray, laying, meant
from .touching import Lit, touched

# fmt: off
__all__ = [
    "Fixable",
    "Foreign",
    "Group",
    "Kind",
    "Laying",
    "Lit",
    "Means",
    "Meant",
    "NotNow",
    "Offer",
    "PlaceThere",
    "Preview",
    "Span",
    "Stray",
    "kinds",
    "laying",
    "meant",
    "places",
    "preview",
    "span_of",
    "touched",
    "with_photo",
]
# fmt: on
