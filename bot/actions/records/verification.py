"""Check a match of ours, or a record that someone sends, and say in a sentence what is proved."""

from __future__ import annotations

from typing import Any, Final

import discord

from bot.actions.interaction_responses import respond_privately
from bot.actions.match_access import may_look
from bot.context import Context
from bot.messages.lobby import COMMITMENT_CHARS
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from games.engine.record import Record, RecordError, TooLateError
from matches.records.verification import MAX_BYTES, Proof, is_unsealed
from matches.store.rows import MatchRow

_MAX_REASON: Final = 300


async def show_proof(
    ctx: Context,
    interaction: discord.Interaction[Any],
    reader: Reader,
    what: MatchRow | discord.Attachment,
) -> None:
    """Check a match that the person may look at, or a record, and answer with what is proved."""
    with ctx.service.verification.callers.hold(interaction.user.id) as first:
        if (many := ctx.operation.throttle.refuse("proof", interaction.user.id)) is not None:
            lines = [many]
        elif not first:
            lines = [msg("verify.busy")]
        elif isinstance(what, MatchRow):
            lines = [await match_proof(ctx, what)]
        else:
            lines = await record_proof(ctx, interaction, what)
    text = "\n".join(reader.say(line) for line in lines)
    await respond_privately(interaction, Outgoing(text[:MAX_CONTENT]))


async def match_proof(ctx: Context, row: MatchRow) -> Msg:
    """Check a match of ours, and return what is proved."""
    if row.ended_by_moderator:
        return msg("bot.moderation.sealed", match=row.id)
    if row.set_aside:
        return msg("verify.aside", match=row.id)
    proof = await ctx.service.verification.match(row)
    return proof_text(proof, live="live" if row.secret else "unrevealed")


async def record_proof(
    ctx: Context, interaction: discord.Interaction[Any], file: discord.Attachment
) -> list[Msg]:
    """Check a record that someone sent, and return what is proved, or what is wrong with it."""
    if file.size > MAX_BYTES:
        return [msg("verify.large", most=str(MAX_BYTES // 1_000_000))]
    try:
        data = await file.read()
    except discord.HTTPException:
        return [msg("verify.unread")]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return [msg("verify.text")]
    try:
        record, proof = await ctx.service.verification.record(text)
    except TooLateError as error:
        return [msg("verify.late", n=error.line)]
    except RecordError as error:
        return [_invalid(error)]
    return [
        proof_text(proof, live="live_record"),
        msg("verify.record"),
        await _origin(ctx, interaction, record),
    ]


async def _origin(ctx: Context, interaction: discord.Interaction[Any], record: Record) -> Msg:
    """Return whether a record is that of a match of ours that the person may look at."""
    row = await ctx.service.queries.find(record.match.id)
    known = row is not None and row.version >= 0
    if row is None or not known or not await may_look(ctx, row, interaction.user, interaction.channel_id):
        return msg("verify.unknown")
    if not is_unsealed(row):  # the answer would reveal what the log still hides, by trying
        return msg("verify.unknown")
    at = await ctx.service.verification.difference(row, record)
    return msg("verify.same") if at is None else msg("verify.other", match=row.id, n=at)


def _invalid(error: RecordError) -> Msg:
    reason = f"`{as_code(error.reason, _MAX_REASON)}`"
    if error.why is None:
        return msg("verify.line", n=error.line, reason=reason)
    return msg("verify.line_why", n=error.line, reason=reason, why=error.why)


def proof_text(proof: Proof, live: str) -> Msg:
    """Return what is proved in a sentence; `live` is the key for what has no end yet."""
    if proof.errors:
        return msg("verify.wrong", errors=proof.errors)
    moves = msg("verify.moves", n=proof.moves) if proof.moves else msg("verify.no_moves")
    match, commit = as_code(proof.match), as_code(proof.commit[:COMMITMENT_CHARS])
    if not proof.over:
        values = {"commit": commit} if live == "live" else {}
        return msg(f"verify.{live}", match=match, moves=moves, n=proof.draws, **values)
    if not proof.draws:
        return msg("verify.no_draws", match=match, moves=moves, commit=commit)
    return msg("verify.proved", match=match, moves=moves, n=proof.draws, commit=commit)
