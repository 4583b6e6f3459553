import type { AgentFrame, ControlPlaneFrame } from '@drawbridge/link/frames.ts';
import type { Handshake } from '../link/handshake.ts';
import type { Redact } from '../log/redaction.ts';

/** One message of the link, as `tap` shows it. */
export interface TappedFrame {
  readonly at: string;
  readonly direction: 'sent' | 'received';
  readonly kind: string;
  /** Bytes on the wire. */
  readonly bytes: number;
  /** Its id, topic or method, its connector, and what else says which one it is. */
  readonly of: string;
  /** JSON text without secrets, when asked for. */
  readonly content?: string;
}

type Frame = AgentFrame | ControlPlaneFrame;
type Listener = (direction: TappedFrame['direction'], frame: Frame, bytes: number) => void;

/** What passes on the link, for whoever listens; without listeners it costs nothing. */
export class Tap {
  readonly #listeners = new Set<Listener>();

  /** Calls back for every frame until the signal is aborted. */
  listen(listener: Listener, until: AbortSignal): void {
    if (until.aborted) return;
    this.#listeners.add(listener);
    until.addEventListener('abort', () => this.#listeners.delete(listener), { once: true });
  }

  /** A handshake whose session is listened to. */
  on(handshake: Handshake): Handshake {
    return {
      ...handshake,
      answer: (challenge) => {
        const answer = handshake.answer(challenge);
        if (answer.kind === 'refused') return answer;
        const { codec } = answer;
        const told: typeof codec = {
          pack: (frame) => {
            const bytes = codec.pack(frame);
            if (bytes !== undefined) this.#tell('sent', frame, bytes.length);
            return bytes;
          },
          unpack: (bytes) => {
            const decoded = codec.unpack(bytes);
            if (decoded.kind !== 'refused') this.#tell('received', decoded.frame, bytes.length);
            return decoded;
          },
        };
        return { ...answer, codec: told };
      },
    };
  }

  #tell(...passed: Parameters<Listener>): void {
    for (const listener of this.#listeners) listener(...passed);
  }
}

/** Characters of a content that are shown. */
const contentMax = 4_000;

export function tappedFrame(
  [direction, frame, bytes]: Parameters<Listener>,
  at: Date,
  redact: Redact,
  withContent: boolean,
): TappedFrame {
  const { kind, ...rest } = frame;
  const content = withContent ? { content: redact(JSON.stringify(rest)).slice(0, contentMax) } : {};
  return {
    at: at.toISOString(),
    direction,
    kind,
    bytes,
    of: redact(headlineOf(frame)),
    ...content,
  };
}

/** Which one it is, without what it holds. */
function headlineOf(frame: Frame): string {
  switch (frame.kind) {
    case 'call':
      return words(frame.id, frame.method, connectorIn(frame.params));
    case 'command':
      return words(frame.id, connectorIn(frame.body));
    case 'event':
      return words(frame.id, frame.topic, connectorIn(frame.body));
    case 'result':
      return words(frame.id, `part ${frame.part}${frame.last ? ', the last' : ''}`);
    case 'ack':
      return `up to ${frame.upTo}`;
    case 'welcome':
      return words(frame.sessionId, `epoch ${frame.epoch}`);
    case 'cancel':
      return frame.id;
    default:
      return '';
  }
}

function connectorIn(body: unknown): string {
  const { connector } = (body ?? {}) as { connector?: unknown };
  return typeof connector === 'string' ? connector : '';
}

function words(...parts: readonly string[]): string {
  return parts.filter(Boolean).join(' ');
}
