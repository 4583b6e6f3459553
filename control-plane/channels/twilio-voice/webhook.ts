import type { Verification, WebhookRequest } from '../contract.ts';
import { fieldsOf, given, instantOf, numberOf, rowOf } from '../reading.ts';
import { isSigned } from '../twilio-signature.ts';
import type {
  AnsweredBy,
  FlowInput,
  ReportedStatus,
  VoiceAccount,
  VoiceReading,
} from '../voice-contract.ts';
import type { Settings } from './settings.ts';

export function verify(request: WebhookRequest, account: VoiceAccount<Settings>): Verification {
  return isSigned(request, account.settings.auth_token)
    ? { kind: 'ok' }
    : { kind: 'refused', status: 401, reason: 'the signature does not match' };
}

const statuses: Readonly<Record<string, ReportedStatus>> = {
  queued: 'queued',
  initiated: 'queued',
  ringing: 'ringing',
  'in-progress': 'in_progress',
  answered: 'in_progress',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  canceled: 'canceled',
  failed: 'failed',
};

/** Our word for Twilio's status. */
export function statusOf(word: string | null | undefined): ReportedStatus | undefined {
  return rowOf(statuses, word ?? undefined);
}

/** Our word for who answered; a fax is a machine too, and `unknown` says nothing. */
export function answererOf(word: string | null | undefined): AnsweredBy | undefined {
  if (!word || word === 'unknown') return undefined;
  return word === 'human' ? 'human' : 'machine';
}

/** The state of a call, of the leg that it dialled, or of a recording; all are forms. */
export function events(request: WebhookRequest): VoiceReading {
  const fields = fieldsOf(request.url, request.body);
  const recordingId = fields.get('RecordingSid');
  const callId = fields.get('CallSid');
  if (!callId) return { kind: 'malformed', reason: 'no CallSid' };
  if (recordingId) {
    const found = recordingOf(fields);
    const event = found === undefined ? [] : [{ kind: 'recording', ...found } as const];
    return { kind: 'events', events: event };
  }
  const status = statusOf(fields.get('CallStatus'));
  const answeredBy = answererOf(fields.get('AnsweredBy'));
  if (status === undefined) return { kind: 'events', events: [] };
  const durationSeconds = numberOf(fields.get('CallDuration') ?? undefined);
  const more = given({ durationSeconds, at: instantOf(fields.get('Timestamp') ?? undefined) });
  const cause = fields.get('SipResponseCode');
  if (fields.get('ParentCallSid')) {
    const to = fields.get('To') ?? undefined;
    return { kind: 'events', events: [{ kind: 'leg', callId, status, ...given({ to }), ...more }] };
  }
  const rest = given({ answeredBy, cause: cause ? `SIP ${cause}` : undefined });
  return { kind: 'events', events: [{ kind: 'report', callId, status, ...more, ...rest }] };
}

/** The fields that Twilio adds to the request for the next document. */
export function input(request: WebhookRequest): FlowInput {
  const fields = fieldsOf(request.url, request.body);
  const text = (name: string) => fields.get(name) || undefined;
  return {
    fields: Object.fromEntries(fields),
    ...given({
      callId: text('CallSid'),
      recording: text('RecordingSid') === undefined ? undefined : recordingOf(fields),
      answeredBy: answererOf(text('AnsweredBy')),
    }),
  };
}

function recordingOf(fields: URLSearchParams) {
  const recordingId = fields.get('RecordingSid');
  const url = fields.get('RecordingUrl');
  const status = fields.get('RecordingStatus') ?? 'completed';
  if (!recordingId || !url || status !== 'completed') return undefined;
  const durationSeconds = numberOf(fields.get('RecordingDuration') ?? undefined);
  return { recordingId, url, ...given({ durationSeconds }) };
}
