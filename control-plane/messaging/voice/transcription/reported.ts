/** Texts that a provider tells by a call-back, before or after the recording that they are of. */
import type {
  MarkupProvider,
  ReportedTranscription,
  TranscriptionReport,
} from '../../../channels/voice-contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { CallRow } from '../calls/store.ts';
import type { CallingContext } from '../context.ts';
import { type OpenProvider, requestContext } from '../providers/account.ts';
import { transcriptionQueue } from '../queues.ts';
import type { RecordingRow } from '../recordings/store.ts';
import type { TranscriptionOutcome } from './outcome.ts';
import { findReported, insertReported } from './store.ts';

const idLengthMax = 200;
const valueLengthMax = 1_000_000;

/** The language that a document asks for; undefined: the account has no transcription of this kind. */
export function reportedTranscription(
  open: OpenProvider,
): { readonly language: string } | undefined {
  const { transcription } = open.provider as MarkupProvider;
  if (transcription?.kind !== 'reported' || !transcription.isUsedBy(open.account as never)) {
    return undefined;
  }
  return { language: transcription.languageOf(open.account as never) };
}

/** Keeps what was told, and has the transcription that waits for it look at once. */
export async function receiveTranscription(
  context: CallingContext,
  tx: Tx,
  { scope }: OpenProvider,
  call: Pick<CallRow, 'id'>,
  { recordingId, told }: { readonly recordingId: string; readonly told: TranscriptionReport },
): Promise<void> {
  const waiting = await insertReported(tx, scope, {
    call_id: call.id,
    provider_recording_id: recordingId.slice(0, idLengthMax),
    kind: told.kind,
    value: told.value.slice(0, valueLengthMax),
    reported_at: context.clock(),
  });
  if (waiting === undefined) return;
  const job = { queue: transcriptionQueue, key: waiting };
  await context.jobs.changeRunAt(tx, scope.tenantId, job);
}

/** What became of a recording's text, as far as it was told. */
export async function readReported(
  context: CallingContext,
  { scope, account }: OpenProvider,
  own: ReportedTranscription<unknown>,
  recording: RecordingRow,
): Promise<TranscriptionOutcome> {
  const told = await context.db.tenant(scope.tenantId, (tx) => findReported(tx, scope, recording));
  if (told === undefined) return { kind: 'pending' };
  if (told.kind === 'failed') return { kind: 'failed', reason: told.value };
  const language = own.languageOf(account);
  if (told.kind === 'text') return { kind: 'completed', text: told.value, language };
  if (own.fetched === undefined) return { kind: 'failed', reason: 'the provider told no text' };
  const asked = own.fetched.text(told.value, account, requestContext(context));
  const answered = await context.wire.send(asked);
  if (answered.kind !== 'answered') return { kind: 'unclear', reason: answered.reason };
  const { status } = answered.response;
  const text = own.fetched.readText(answered.response);
  if (text !== undefined) return { kind: 'completed', text, language };
  const isGone = status === 404 || status === 410;
  return { kind: isGone ? 'failed' : 'unclear', reason: `the provider answered ${status}` };
}
