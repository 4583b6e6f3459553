/**
 * A service of the host that turns speech into text over HTTP. It is asked as `POST /v1/audio/transcriptions`
 * of OpenAI is, which servers that run speech models oneself answer too: a form with `file` and `model`,
 * answered with `{ "text": "…", "language": "…" }`.
 */
import { Readable } from 'node:stream';
import type { Objects } from '../../../platform/objects/objects.ts';
import { anywhere } from '../../../platform/outbound/address.ts';
import { openOutboundClient } from '../../../platform/outbound/client.ts';
import type { RecordingRow } from '../recordings/store.ts';
import type { TranscriptionOutcome } from './outcome.ts';

export interface HttpTranscriber {
  transcribe(recording: RecordingRow): Promise<TranscriptionOutcome>;
  close(): Promise<void>;
}

export interface HttpTranscriberOptions {
  readonly url: string;
  readonly key: string | undefined;
  readonly model: string;
  readonly objects: Objects;
}

/** Speech of hours takes a model minutes. */
const answerMsMax = 900_000;
const answerBytesMax = 8_000_000;
const boundary = 'drawbridge-recording';

export function openHttpTranscriber(options: HttpTranscriberOptions): HttpTranscriber {
  const { url, key, model, objects } = options;
  const client = openOutboundClient({
    headMs: answerMsMax,
    totalMs: answerMsMax,
    bodyBytesMax: answerBytesMax,
  });
  return {
    close: () => client.close(),
    transcribe: async ({ object_key, media_type }) => {
      const file = object_key === null ? undefined : await objects.get(object_key);
      if (file === undefined) return { kind: 'failed', reason: 'the recording is there no more' };
      const { stream, length } = formOf(file, media_type ?? 'audio/wav', model);
      const outcome = await client.send({
        method: 'POST',
        url,
        headers: {
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': String(length),
          accept: 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: stream,
        policy: anywhere,
      });
      file.stream.destroy();
      if (outcome.kind !== 'answered') return { kind: 'unclear', reason: outcome.reason };
      const { status, body, bodyFault } = outcome.answer;
      if (bodyFault !== undefined) return { kind: 'unclear', reason: bodyFault.reason };
      return read(status, body.toString('utf8'));
    },
  };
}

function formOf(
  file: { readonly stream: Readable; readonly bytes: number },
  mediaType: string,
  model: string,
): { stream: Readable; length: number } {
  const extension = mediaType.replace(/^audio\/(x-)?/, '');
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\n${model}\r\n` +
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; ` +
      `filename="recording.${extension}"\r\ncontent-type: ${mediaType}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* parts(): AsyncGenerator<Buffer> {
    yield head;
    yield* file.stream;
    yield tail;
  }
  const length = head.length + file.bytes + tail.length;
  return { stream: Readable.from(parts(), { objectMode: false }), length };
}

function read(status: number, body: string): TranscriptionOutcome {
  const isPassing = status >= 500 || status === 408 || status === 429;
  if (isPassing) return { kind: 'unclear', reason: `the transcriber answered ${status}` };
  if (status !== 200) return { kind: 'failed', reason: `the transcriber answered ${status}` };
  const answer = parsed(body);
  if (typeof answer?.text !== 'string') {
    return { kind: 'failed', reason: 'the transcriber answered without a text' };
  }
  const language = typeof answer.language === 'string' ? answer.language.slice(0, 35) : undefined;
  return { kind: 'completed', text: answer.text, language };
}

function parsed(
  body: string,
): { readonly text?: unknown; readonly language?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // what is no JSON has no text
  }
}
