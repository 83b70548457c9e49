# May know: nothing else of Saloon.
"""What one client may have under way here, and how long it may take over it. docs/security.md has all bounds, and where
each of them is."""

STREAMS_OF_CONNECTION = 200
CALLS = 256  # with one answer, until it is written
STREAMS = 1000  # with many answers
BODIES = 32  # requests that may come slowly: each has to be there within ...
READ_SECONDS = 10.0
HURRIED_SECONDS = 1.0  # ... or this, if so many of this client are waited for already
UNREAD_BYTES = 16 << 20  # answers that are on their way; nothing is begun beyond that
BESIDE = 256  # what is read, compiled or drawn in the thread beside the event loop

HEALTH_BYTES = 1024  # a request for somebody's health
HEALTH_WATCHES = 100
ALL_HEALTH_WATCHES = 1000  # of all clients: beyond that who has most loses one

WATCHES = 100  # of one table
ALL_WATCHES = 300  # of one table, of all clients: beyond that who has most loses one
FULL_SECONDS = 10.0  # for which a client that has all its tables is refused more without another look
AGAIN_SECONDS = 1.0  # after which it is worth trying again
APART_SECONDS = 0.004  # those of one client who are refused are to come again so far apart, else all come at once
LATEST_SECONDS = 10.0  # ... within this

# Over HTTP
CONNECTIONS = 1000  # of one address
HEADER_BYTES = 16 << 10
HEADER_SECONDS = 10.0  # for the headers of a request to be there
IDLE_SECONDS = 300.0  # after which a connection without a call is ended
WRITE_SECONDS = 60.0  # for a part of an answer to be taken
WINDOW_BYTES = 64 << 10  # of what was sent and nobody asked for yet
PART_BYTES = 8 << 10  # that are taken apart at a time: 25 ms of the event loop if they are chosen for it
TAKING_SECONDS = 0.002  # what takes longer lets its address wait as long again
RESETS = 200  # streams of a connection that are begun and given up, beyond those that end well
LINGER_SECONDS = 1.0  # for which a connection is kept whose request was refused unread
JSON_BYTES = 4 << 10  # a request beyond that is read beside the event loop
JSON_ANSWER_BYTES = 4 << 10  # an answer, by its size in binary
JSON_OBJECTS = 20_000
JSON_VALUES = 60_000
