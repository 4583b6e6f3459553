import type { WebhookRequest } from '../contract.ts';
import { given, instantOf, type JsonObject, jsonOf, rowOf, textOf } from '../untrusted-input.ts';
import type {
  AnsweredBy,
  FlowInput,
  ReportedRecording,
  ReportedStatus,
  VoiceEvent,
  VoiceReading,
} from '../voice-contract.ts';
import { durationOf, partyIn } from '../voice-responses.ts';

const statuses: Readonly<Record<string, ReportedStatus>> = {
  started: 'queued',
  ringing: 'ringing',
  answered: 'in_progress',
  completed: 'completed',
  busy: 'busy',
  cancelled: 'canceled',
  unanswered: 'no_answer',
  timeout: 'no_answer',
  rejected: 'no_answer',
  failed: 'failed',
};

/** Our status for Vonage's status. */
export function statusOf(word: string | undefined): ReportedStatus | undefined {
  return rowOf(statuses, word);
}

function answererOf(word: string | undefined): AnsweredBy | undefined {
  return word === 'human' || word === 'machine' ? word : undefined;
}

/**
 * The state of a call or of a leg that it dialled, a recording, or the text of one. Notices of transfers and of
 * conversations have no state and give no event. The address distinguishes a leg from the call: the
 * engine gives each leg a separate call-back address.
 */
export function events(request: WebhookRequest): VoiceReading {
  const body = jsonOf(request.body);
  if (body === undefined) return { kind: 'malformed', reason: 'no JSON object' };
  const recording = recordingOf(body);
  if (recording !== undefined) {
    return { kind: 'events', events: [{ kind: 'recording', ...recording }] };
  }
  const transcription = transcriptionOf(body);
  if (transcription !== undefined) return { kind: 'events', events: [transcription] };
  const callId = textOf(body.uuid);
  const word = textOf(body.status);
  if (callId === undefined || word === undefined) return { kind: 'events', events: [] };
  const answeredBy = answererOf(word);
  if (answeredBy !== undefined) {
    return { kind: 'events', events: [{ kind: 'answerer', callId, answeredBy }] };
  }
  const status = statusOf(word);
  if (status === undefined) return { kind: 'events', events: [] };
  const fields = given({
    durationSeconds: durationOf(body.duration),
    cause: textOf(body.detail) ?? textOf(body.reason),
    at: instantOf(body.timestamp),
  });
  if (isLeg(request)) {
    const to = partyIn(textOf(body.to));
    const leg = { legId: callId, status, ...fields, ...given({ to }) };
    return { kind: 'events', events: [{ kind: 'leg', ...leg }] };
  }
  return { kind: 'events', events: [{ kind: 'report', callId, status, ...fields }] };
}

function isLeg({ url }: WebhookRequest): boolean {
  return URL.canParse(url) && new URL(url).pathname.endsWith('/leg');
}

/** What an `input` action gathered; a `notify` returns our own payload, which adds nothing. */
export function input(request: WebhookRequest): FlowInput {
  const body = jsonOf(request.body) ?? {};
  const fields = given({ callId: textOf(body.uuid), recording: recordingOf(body) });
  return { fields: body, ...fields };
}

function recordingOf(body: JsonObject): ReportedRecording | undefined {
  const url = textOf(body.recording_url);
  const recordingId = textOf(body.recording_uuid);
  if (url === undefined || recordingId === undefined) return undefined;
  const [start, end] = [instantOf(body.start_time), instantOf(body.end_time)];
  const ms = start === undefined || end === undefined ? -1 : end.getTime() - start.getTime();
  return { recordingId, url, ...(ms < 0 ? {} : { durationSeconds: Math.round(ms / 1_000) }) };
}

/** The notice names the file with the text; one without a file says that there is none. */
function transcriptionOf(body: JsonObject): VoiceEvent | undefined {
  const recordingId = textOf(body.recording_uuid);
  const url = textOf(body.transcription_url);
  const isOfCall = url === undefined && textOf(body.uuid) !== undefined;
  if (recordingId === undefined || isOfCall) return undefined;
  const reason = textOf(body.reason) ?? `Vonage says ${textOf(body.status) ?? 'nothing'}`;
  const told =
    url === undefined
      ? ({ kind: 'failed', value: reason } as const)
      : ({ kind: 'address', value: url } as const);
  return { kind: 'transcription', recordingId, told };
}
