import type { Verification, WebhookRequest } from '../contract.ts';
import { isSigned } from '../twilio-signature.ts';
import { fieldsOf, given, instantOf, rowOf } from '../untrusted-input.ts';
import type {
  AnsweredBy,
  FlowInput,
  ReportedStatus,
  VoiceAccount,
  VoiceReading,
} from '../voice-contract.ts';
import { durationOf } from '../voice-responses.ts';
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

/** Our status for Twilio's status. */
export function statusOf(word: string | null | undefined): ReportedStatus | undefined {
  return rowOf(statuses, word ?? undefined);
}

/** Our word for who answered; a fax counts as a machine, and `unknown` gives nothing. */
export function answererOf(word: string | null | undefined): AnsweredBy | undefined {
  if (!word || word === 'unknown') return undefined;
  return word === 'human' ? 'human' : 'machine';
}

/** The state of a call, of a leg that it dialled, or of a recording; all are forms. */
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
  const durationSeconds = durationOf(fields.get('CallDuration') ?? undefined);
  const more = given({ durationSeconds, at: instantOf(fields.get('Timestamp') ?? undefined) });
  const code = fields.get('SipResponseCode');
  const cause = code ? `SIP ${code}` : undefined;
  if (fields.get('ParentCallSid')) {
    const rest = given({ to: fields.get('To') || undefined, cause });
    return { kind: 'events', events: [{ kind: 'leg', legId: callId, status, ...more, ...rest }] };
  }
  const rest = given({ answeredBy, cause });
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
      leg: dialedIn(fields),
    }),
  };
}

/** The leg that a Dial connected; its number comes separately, with the leg's own status. */
function dialedIn(fields: URLSearchParams) {
  const legId = fields.get('DialCallSid');
  const status = statusOf(fields.get('DialCallStatus'));
  if (!legId || status === undefined) return undefined;
  const durationSeconds = durationOf(fields.get('DialCallDuration') ?? undefined);
  return { legId, status, ...given({ durationSeconds }) };
}

function recordingOf(fields: URLSearchParams) {
  const recordingId = fields.get('RecordingSid');
  const url = fields.get('RecordingUrl');
  const status = fields.get('RecordingStatus') ?? 'completed';
  if (!recordingId || !url || status !== 'completed') return undefined;
  const durationSeconds = durationOf(fields.get('RecordingDuration') ?? undefined);
  return { recordingId, url, ...given({ durationSeconds }) };
}
