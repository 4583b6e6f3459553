import type { Verification, WebhookRequest } from '../contract.ts';
import { isSigned } from '../plivo-signature.ts';
import { fieldsOf, given, numberOf, rowOf } from '../reading.ts';
import type { FlowInput, ReportedStatus, VoiceAccount, VoiceReading } from '../voice-contract.ts';
import type { Settings } from './settings.ts';

export function verify(request: WebhookRequest, account: VoiceAccount<Settings>): Verification {
  return isSigned(request, account.settings.auth_token)
    ? { kind: 'ok' }
    : { kind: 'refused', status: 401, reason: 'the signature does not match' };
}

const statuses: Readonly<Record<string, ReportedStatus>> = {
  ringing: 'ringing',
  'in-progress': 'in_progress',
  answer: 'in_progress',
  completed: 'completed',
  busy: 'busy',
  failed: 'failed',
  timeout: 'no_answer',
  'no-answer': 'no_answer',
  cancel: 'canceled',
};

/** Our word for Plivo's status. */
export function statusOf(word: string | null | undefined): ReportedStatus | undefined {
  return rowOf(statuses, word ?? undefined);
}

/** The state of a call, of the leg that it dialled, or of a recording; all are forms. */
export function events(request: WebhookRequest): VoiceReading {
  const fields = fieldsOf(request.url, request.body);
  const text = (name: string) => fields.get(name) || undefined;
  const recording = recordingOf(fields);
  if (recording !== undefined) {
    return { kind: 'events', events: [{ kind: 'recording', ...recording }] };
  }
  const callId = text('CallUUID');
  if (callId === undefined) return { kind: 'malformed', reason: 'no CallUUID' };
  const legId = text('DialBLegUUID');
  const legStatus = statusOf(text('DialBLegStatus')) ?? statusOfLeg(text('DialAction'));
  if (legId !== undefined && legStatus !== undefined) {
    const leg = { callId: legId, status: legStatus, ...given({ to: text('DialBLegTo') }) };
    return { kind: 'events', events: [{ kind: 'leg', ...leg }] };
  }
  const status = statusOf(text('CallStatus'));
  if (status === undefined) return { kind: 'events', events: [] };
  const durationSeconds = numberOf(text('Duration') ?? text('BillDuration'));
  const cause = text('HangupCause');
  const answeredBy = text('Machine') === 'true' ? ('machine' as const) : undefined;
  const isCanceled = cause === 'ORIGINATOR_CANCEL' && status !== 'completed';
  const more = given({ durationSeconds, cause, answeredBy });
  const reported = isCanceled ? 'canceled' : status;
  return { kind: 'events', events: [{ kind: 'report', callId, status: reported, ...more }] };
}

function statusOfLeg(action: string | undefined): ReportedStatus | undefined {
  const table = { answer: 'in_progress', connected: 'in_progress', hangup: 'completed' } as const;
  return rowOf<ReportedStatus>(table, action);
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
    }),
  };
}

function recordingOf(fields: URLSearchParams) {
  const recordingId = fields.get('RecordingID');
  const url = fields.get('RecordUrl');
  if (!recordingId || !url) return undefined;
  const seconds = numberOf(fields.get('RecordingDuration') ?? undefined);
  // A recording of the whole session says -1 while it runs.
  const durationSeconds = seconds === undefined || seconds < 0 ? undefined : seconds;
  return { recordingId, url, ...given({ durationSeconds }) };
}
