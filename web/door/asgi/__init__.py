"""Below Flask: who may connect, whose request has fully arrived, which thread makes its page, how a stream is
written.
"""

from .bodies import Bodies
from .connections import MOST, Connection, Door
from .events import HEARTBEAT, begin, until_gone, write
from .lanes import Lane
from .messages import CLOSE, SEALS, Receive, Scope, Send, address_of, answer, headers_of, lifespan

# fmt: off
__all__ = [
    "CLOSE", "HEARTBEAT", "MOST", "SEALS", "Bodies", "Connection", "Door", "Lane", "Receive", "Scope", "Send",
    "address_of", "answer", "begin", "headers_of", "lifespan", "until_gone", "write",
]
# fmt: on
