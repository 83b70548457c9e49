# May know: nothing else of Saloon.
"""What hosted tables ask of PostgreSQL: statements, each a transaction."""

from server.stores.postgresql_news import ALIVE
from server.stores.postgresql_rows import KEPT, LIVE

# What belongs to a table that was made or written, by `made`: its id if it was, else no row. Two who write at the same
# time are in each other's way at the row of the table: the second finds another revision there, and does nothing.
_ADD = """
    new_seats AS (
        INSERT INTO saloon.seats (table_id, seat, player, name, token, bot, account)
        SELECT made.id, new.* FROM made,
            unnest(%(seats)s::int[], %(players)s::text[], %(names)s::text[], %(tokens)s::bytea[], %(bots)s::text[],
                %(accounts)s::text[]) AS new
        ON CONFLICT (table_id, seat) DO UPDATE
        SET player = excluded.player, name = excluded.name, token = excluded.token, bot = excluded.bot,
            account = excluded.account
    ), new_events AS (
        INSERT INTO saloon.events
        SELECT made.id, %(first)s + new.place - 1, new.data
        FROM made, unnest(%(events)s::text[]) WITH ORDINALITY AS new (data, place)
    ), new_request AS (
        INSERT INTO saloon.requests
        SELECT made.id, %(by)s, %(request)s, %(answer)s FROM made WHERE %(by)s::int IS NOT NULL
    ), new_timed_out AS (
        INSERT INTO saloon.timed_out SELECT made.id, new.* FROM made, unnest(%(out_at)s::int[], %(out)s::int[]) AS new
    )
"""
# The same for what few writes have: other people than before, or the end of the game.
ADD_PEOPLE = """
    , old_people AS (
        DELETE FROM saloon.people WHERE table_id IN (SELECT id FROM made) AND account <> ALL(%(people)s)
    ), new_people AS (
        INSERT INTO saloon.people SELECT new.account, made.created, made.id
        FROM made, unnest(%(people)s::text[]) AS new (account) ON CONFLICT DO NOTHING
    )
"""
ADD_GAME = """
    , game AS (
        INSERT INTO saloon.games (
            id, game, players, options, components, access, invitation, host, seed, stream, luck, created, clock,
            host_may_know, account, revision, phase, turn_begun, seats, count, events, timed_out, result, ended)
        SELECT id, game, players, options, components, access, invitation, host, seed, stream, luck, created, clock,
            host_may_know, account, revision, phase, turn_begun, %(kept_seats)s, count, %(kept_events)s,
            %(kept_timed_out)s, %(result)s, written
        FROM made
    )
"""
# Time goes, if that was not said lately; where nobody asks it is said by whoever begins to. What is read in the same
# statement is as before, which by `served` is the same.
_TICK = """
    ticked AS (
        UPDATE saloon.served SET seconds = saloon.served(), at = saloon.clock()
        WHERE abs(saloon.clock() - at) >= 5 AND {condition}
    )
"""
CREATE = f"""
    WITH {_TICK.format(condition="%(seconds)s::float8 IS NOT NULL")}, made AS (
        INSERT INTO saloon.tables (
            id, game, options, components, access, invitation, host, seed, stream, luck, created, owner, clock,
            host_may_know, account, players, waiting, phase, due, free, bot_due, revision, written, count, turn_begun,
            turn_ends, bots_at, bots_since)
        SELECT %(id)s, %(game)s, %(options)s, %(components)s, %(access)s, %(invitation)s, %(host)s, %(seed)s,
            %(stream)s, %(luck)s, %(created)s, %(owner)s, %(clock)s, %(host_may_know)s, %(account)s,
            cardinality(%(seats)s::int[]), %(waiting)s, %(phase)s, %(due)s::int,
            %(free)s, %(bot_due)s, 1, saloon.clock(), %(count)s, %(begun)s,
            saloon.served() + %(seconds)s::float8, %(me)s, saloon.clock()
        RETURNING *
    ), {_ADD} {{more}}
    SELECT revision FROM made
"""  # noqa: S608
WRITE = f"""
    WITH {_TICK.format(condition="%(seconds)s::float8 IS NOT NULL")}, made AS (
        UPDATE saloon.tables SET
            waiting = %(waiting)s, phase = %(phase)s, due = %(due)s, free = %(free)s, bot_due = %(bot_due)s,
            revision = revision + 1, written = saloon.clock(), count = %(count)s, turn_begun = %(begun)s,
            turn_ends = CASE WHEN %(goes_on)s THEN turn_ends ELSE saloon.served() + %(seconds)s::float8 END,
            bots_at = CASE WHEN %(bot_goes_on)s THEN bots_at ELSE %(me)s END,
            bots_since = CASE WHEN %(bot_goes_on)s THEN bots_since ELSE saloon.clock() END
        WHERE id = %(id)s AND revision = %(revision)s AND NOT EXISTS (
            SELECT FROM saloon.requests WHERE table_id = %(id)s AND seat = %(by)s AND request_id = %(request)s)
        RETURNING *
    ), {_ADD} {{more}}
    SELECT revision FROM made
"""  # noqa: S608
ROOM = """
    SELECT
        (SELECT count(*) FROM saloon.tables WHERE owner = %(owner)s),
        (SELECT count(*) FROM saloon.tables),
        saloon.clock(),
        (SELECT min(written) FROM saloon.tables WHERE owner = %(owner)s),
        (SELECT min(written) FROM saloon.tables WHERE owner = %(owner)s AND waiting IS NULL),
        (SELECT min(written) FROM saloon.tables),
        (SELECT min(written) FROM saloon.tables WHERE waiting IS NULL)
"""
READ = f"SELECT {LIVE} FROM saloon.tables t WHERE t.id = %(id)s"  # noqa: S608
READ_KEPT = f"SELECT {KEPT} FROM saloon.games t WHERE t.id = %(id)s"  # noqa: S608
ANSWER = """
    SELECT answer FROM saloon.requests WHERE table_id = %(id)s AND seat = %(seat)s AND request_id = %(request)s
"""
CLAIM = f"""
    WITH alive AS ({ALIVE}), claimed AS (
        UPDATE saloon.tables SET bots_at = %(me)s, bots_since = saloon.clock() WHERE id IN (
            SELECT id FROM saloon.tables
            WHERE bot_due AND (bots_since <= (SELECT saloon.clock()) - %(idle)s
                OR %(settled)s AND bots_at NOT IN (SELECT name FROM alive))
            ORDER BY bots_since LIMIT %(most)s FOR UPDATE SKIP LOCKED)
        RETURNING id
    )
    SELECT ARRAY(SELECT name FROM alive), ARRAY(SELECT id FROM claimed)
"""  # noqa: S608
OUT_OF_TIME = f"""
    WITH {_TICK.format(condition="EXISTS (SELECT FROM saloon.tables WHERE turn_ends IS NOT NULL)")}
    SELECT id, revision FROM saloon.tables WHERE turn_ends <= (SELECT saloon.served()) AND NOT bot_due
    ORDER BY turn_ends LIMIT %(most)s
"""  # noqa: S608
# A game that is over is deleted among live tables only once it is kept apart. People are forgotten with the last that
# there was of their table. The oldest come first: else the planner, which cannot know how few there are, goes through
# all.
FORGET = """
    WITH now AS MATERIALIZED (SELECT saloon.clock() AS at), old AS (
        (SELECT id FROM saloon.tables WHERE written < (SELECT at FROM now) - %(idle)s
            ORDER BY written LIMIT %(most)s)
        UNION (SELECT id FROM saloon.tables WHERE waiting IS NULL AND written < (SELECT at FROM now) - %(before_begin)s
            ORDER BY written LIMIT %(most)s)
        UNION (SELECT id FROM saloon.tables t WHERE waiting = 'over' AND written < (SELECT at FROM now) - %(after_end)s
            AND EXISTS (SELECT FROM saloon.games WHERE games.id = t.id)
            ORDER BY written LIMIT %(most)s)
        LIMIT %(most)s
    ), gone AS (
        DELETE FROM saloon.tables WHERE id IN (
            SELECT id FROM saloon.tables WHERE id IN (SELECT id FROM old)
                AND (written < (SELECT at FROM now) - %(idle)s
                    OR waiting IS NULL AND written < (SELECT at FROM now) - %(before_begin)s
                    OR waiting = 'over' AND written < (SELECT at FROM now) - %(after_end)s)
            FOR UPDATE SKIP LOCKED)
        RETURNING id
    ), old_games AS (
        (SELECT id FROM saloon.games WHERE ended < (SELECT at FROM now) - %(record_seconds)s
            ORDER BY ended LIMIT %(most)s)
        UNION (SELECT id FROM saloon.games WHERE number <= (SELECT max(number) FROM saloon.games) - %(records)s
            ORDER BY number LIMIT %(most)s)
        LIMIT %(most)s
    ), gone_games AS (
        DELETE FROM saloon.games WHERE id IN (
            SELECT id FROM saloon.games WHERE id IN (SELECT id FROM old_games) FOR UPDATE SKIP LOCKED)
        RETURNING id
    ), nobody AS (
        DELETE FROM saloon.people p WHERE table_id IN (SELECT id FROM gone UNION SELECT id FROM gone_games)
            AND NOT EXISTS (SELECT FROM saloon.tables WHERE id = p.table_id AND id NOT IN (SELECT id FROM gone))
            AND NOT EXISTS (SELECT FROM saloon.games WHERE id = p.table_id AND id NOT IN (SELECT id FROM gone_games))
    )
    SELECT count(*) FROM gone
"""
DELETE = "DELETE FROM saloon.tables WHERE id = %(id)s"
# Another statement, which sees what was written while the first one waited.
DELETE_REST = """
    WITH game AS (DELETE FROM saloon.games WHERE id = %(id)s) DELETE FROM saloon.people WHERE table_id = %(id)s
"""
