import type { Verification, WebhookRequest } from '../contract.ts';
import { isSigned } from '../plivo-signature.ts';
import { fieldsOf, given, instantOf, rowOf } from '../untrusted-input.ts';
import type {
  FlowInput,
  LegReport,
  ReportedStatus,
  TranscriptionReport,
  VoiceAccount,
  VoiceEvent,
  VoiceReading,
} from '../voice-contract.ts';
import { durationOf, partyIn } from '../voice-responses.ts';
import type { Settings } from './settings.ts';

export function verify(request: WebhookRequest, account: VoiceAccount<Settings>): Verification {
  return isSigned(request, account.settings.auth_token)
    ? { kind: 'ok' }
    : { kind: 'refused', status: 401, reason: 'the signature does not match' };
}

const statuses: Readonly<Record<string, ReportedStatus>> = {
  queued: 'queued',
  ringing: 'ringing',
  'in-progress': 'in_progress',
  completed: 'completed',
  busy: 'busy',
  failed: 'failed',
  timeout: 'no_answer',
  'no-answer': 'no_answer',
  cancel: 'canceled',
};

/** Our status for Plivo's status. */
export function statusOf(word: string | null | undefined): ReportedStatus | undefined {
  return rowOf(statuses, word ?? undefined);
}

/** The state of a call, of a leg that it dialled, of a recording or its text; all are forms. */
export function events(request: WebhookRequest): VoiceReading {
  const fields = fieldsOf(request.url, request.body);
  const text = (name: string) => fields.get(name) || undefined;
  const recording = recordingOf(fields);
  if (recording !== undefined) {
    return { kind: 'events', events: [{ kind: 'recording', ...recording }] };
  }
  const transcription = transcriptionOf(text);
  if (transcription !== undefined) return { kind: 'events', events: [transcription] };
  const callId = text('CallUUID');
  if (callId === undefined) return { kind: 'malformed', reason: 'no CallUUID' };
  if (text('DialAction') !== undefined) {
    const leg = legOf(text);
    return { kind: 'events', events: leg === undefined ? [] : [{ kind: 'leg', ...leg }] };
  }
  const status = statusOf(text('CallStatus'));
  if (status === undefined) return { kind: 'events', events: [] };
  const durationSeconds = durationOf(text('Duration') ?? text('BillDuration'));
  const cause = text('HangupCause');
  const answeredBy = text('Machine') === 'true' ? ('machine' as const) : undefined;
  const isCanceled = cause === 'ORIGINATOR_CANCEL' && status !== 'completed';
  const more = given({ durationSeconds, cause, answeredBy });
  const reported = isCanceled ? 'canceled' : status;
  return { kind: 'events', events: [{ kind: 'report', callId, status: reported, ...more }] };
}

/** How a leg without a conversation ended, by the network's word for it. */
const causes: Readonly<Record<string, ReportedStatus>> = {
  NORMAL_CLEARING: 'completed',
  USER_BUSY: 'busy',
  CALL_REJECTED: 'busy',
  NO_ANSWER: 'no_answer',
  NO_USER_RESPONSE: 'no_answer',
  ORIGINATOR_CANCEL: 'canceled',
  LOSE_RACE: 'canceled',
};

/** The state of one leg in an event of a Dial. A hang-up only says that the leg is over. */
function legOf(text: (name: string) => string | undefined): LegReport | undefined {
  const legId = text('DialBLegUUID');
  const begun = { answer: 'in_progress', connected: 'in_progress' } as const;
  const going = rowOf<ReportedStatus>(begun, text('DialAction'));
  if (legId === undefined) return undefined;
  const to = partyIn(text('DialBLegTo'));
  if (going !== undefined) {
    return { legId, status: going, ...given({ to, at: instantOf(text('AnswerTime')) }) };
  }
  if (text('DialAction') !== 'hangup') return undefined;
  const durationSeconds = durationOf(text('DialBLegDuration') ?? text('DialBLegBillDuration'));
  const cause = text('DialBLegHangupCause');
  const isTalk = durationSeconds !== undefined && durationSeconds > 0;
  const status = isTalk ? 'completed' : (rowOf(causes, cause) ?? 'failed');
  return {
    legId,
    status,
    ...given({ to, durationSeconds, cause, at: instantOf(text('EndTime')) }),
  };
}

/** The fields that Plivo adds to the request for the next document. */
export function input(request: WebhookRequest): FlowInput {
  const fields = fieldsOf(request.url, request.body);
  return {
    fields: Object.fromEntries(fields),
    ...given({
      callId: fields.get('CallUUID') || undefined,
      recording: recordingOf(fields),
      answeredBy: fields.get('Machine') === 'true' ? ('machine' as const) : undefined,
      leg: dialedIn(fields),
    }),
  };
}

/** At the end of a Dial, Plivo names the leg when it was answered, but not its duration. */
function dialedIn(fields: URLSearchParams): LegReport | undefined {
  const legId = fields.get('DialBLegUUID');
  const isAnswered = fields.get('DialStatus') === 'completed';
  return legId && isAnswered ? { legId, status: 'in_progress' } : undefined;
}

function recordingOf(fields: URLSearchParams) {
  const recordingId = fields.get('RecordingID');
  const url = fields.get('RecordUrl');
  if (!recordingId || !url) return undefined;
  // A recording of the whole session says -1 while it runs.
  const durationSeconds = durationOf(fields.get('RecordingDuration') ?? undefined);
  return { recordingId, url, ...given({ durationSeconds }) };
}

/** Alone among Plivo's call-backs it is written in lower case. A silent recording has no text. */
function transcriptionOf(text: (name: string) => string | undefined): VoiceEvent | undefined {
  const recordingId = text('recording_id');
  if (recordingId === undefined) return undefined;
  const error = text('error');
  const told: TranscriptionReport =
    error === undefined
      ? { kind: 'text', value: text('transcription') ?? '' }
      : { kind: 'failed', value: error };
  return { kind: 'transcription', recordingId, told };
}
