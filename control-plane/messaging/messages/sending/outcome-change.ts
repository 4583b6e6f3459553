/** What an outcome changes about a message; pure. */
import { fullJitter } from '@drawbridge/retry/backoff.ts';
import type { OpenedApp } from '../../apps/app-opener.ts';
import type { MessageRow } from '../message-row.ts';
import { answerLost, type Requeued, type StatusReport } from '../status/store.ts';
import type { SendingOutcome } from './sender-contract.ts';
import { dueAfter, isExpired } from './time-to-live.ts';

/** The most attempts to send one message: with these waits about a day. */
const attemptsMax = 600;
const backoff = { baseMs: 2_000, capMs: 300_000 };
/** A message that the provider refuses again for its account's sake may itself be at fault. */
const accountRefusalsMax = 5;
/** The most attempts where the app wants repeats after lost answers, of which each may arrive. */
const repeatsMax = 20;

/** Whether the message is tried once more. */
export function isSentAgain(
  outcome: SendingOutcome,
  row: MessageRow,
  opened: OpenedApp | undefined,
  now: Date,
): boolean {
  const isOver = isExpired(row, now) || row.attempts >= attemptsMax;
  switch (outcome.kind) {
    case 'accepted':
    case 'withheld':
      return false;
    case 'waiting':
      return true;
    case 'throttled':
    case 'retry':
      return !isOver;
    case 'refused': {
      // It waits for the person who mends the account.
      const isRepeated = row.error_code === outcome.code && row.attempts >= accountRefusalsMax;
      return outcome.action === 'stop-channel' && !isRepeated;
    }
    case 'unknown': {
      const isHarmless = opened?.channel.guarantee.kind === 'exactly-once';
      const isWanted = opened?.row.resend_unknown === true && row.attempts < repeatsMax;
      return (isHarmless || isWanted) && !isOver;
    }
  }
}

/** The status that the message has now, or when it is sent again. `chance` is in [0, 1). */
export function changeOf(
  outcome: SendingOutcome,
  row: MessageRow,
  opened: OpenedApp | undefined,
  { now, chance }: { readonly now: Date; readonly chance: () => number },
): StatusReport | Requeued {
  const { id } = row;
  if (isSentAgain(outcome, row, opened, now)) return requeued(outcome, row, now, chance);
  const report = {
    id,
    at: now,
    provider_id: null,
    error_code: codeOf(outcome),
    error_detail: null,
  };
  switch (outcome.kind) {
    case 'accepted':
      return { ...report, status: 'sent', provider_id: outcome.providerId, error_code: null };
    case 'refused': {
      const status = outcome.action === 'opt-out' ? 'skipped' : 'failed';
      return { ...report, status, error_detail: outcome.detail };
    }
    case 'unknown':
      return { ...report, status: 'unknown', error_detail: outcome.reason };
    case 'withheld': {
      const { status, detail } = outcome;
      // Why it could not be sent says more than that its time is over.
      const error_code = status === 'expired' ? (row.error_code ?? outcome.code) : outcome.code;
      return unsent(row, { ...report, status, error_code, error_detail: detail });
    }
    case 'waiting':
    case 'throttled':
    case 'retry':
      return unsent(row, { ...report, status: 'expired' });
  }
}

function requeued(
  outcome: SendingOutcome,
  row: MessageRow,
  now: Date,
  chance: () => number,
): Requeued {
  const { id } = row;
  const afterMs = 'afterMs' in outcome ? (outcome.afterMs ?? 0) : 0;
  if (outcome.kind === 'waiting') {
    const due_at = dueAfter(row, now, afterMs);
    return { id, due_at, error_code: outcome.code, isUntried: true };
  }
  const waitMs = Math.max(afterMs, backoff.baseMs + fullJitter(row.attempts, chance, backoff));
  const error_code = mayHaveGone(row) ? answerLost : codeOf(outcome)!;
  return { id, due_at: dueAfter(row, now, waitMs), error_code, isUntried: false };
}

/** Whatever a repeat brings, the attempt whose answer was lost may have reached the person. */
function unsent(row: MessageRow, report: StatusReport): StatusReport {
  return mayHaveGone(row) ? { ...report, status: 'unknown', error_code: answerLost } : report;
}

function mayHaveGone({ error_code }: MessageRow): boolean {
  return error_code === answerLost;
}

function codeOf(outcome: SendingOutcome): string | null {
  switch (outcome.kind) {
    case 'accepted':
      return null;
    case 'unknown':
      return answerLost;
    case 'retry':
      return outcome.reason;
    default:
      return outcome.code;
  }
}
