import type { Health } from '../health.ts';
import type { KeyRotation } from '../link/key-rotation.ts';
import type { Redact } from '../log/redaction.ts';
import type { Store } from '../store/store.ts';
import type { WriteBackWorker } from '../sync/write-back.ts';
import type { Caller, ServeRequest } from './server.ts';
import { type Tap, tappedFrame } from './tap.ts';

interface RequestContext {
  readonly store: Pick<Store, 'connectorsWithPending' | 'setAside' | 'retrySetAside'>;
  readonly writeBack: Pick<WriteBackWorker, 'retry'>;
  /** Reads the documents of a source that were set aside and whose time has come. */
  readSetAside(connector: string): Promise<void>;
  readonly health: Pick<Health, 'report'>;
  readonly tap: Tap;
  readonly rotation: Pick<KeyRotation, 'rotate'>;
  /** Sends the events of the queue. */
  deliver(): void;
  readonly clock: () => Date;
  /** Of the secrets that the agent can read now. */
  redaction(): Redact;
}

/** What became of the write-backs of a source, or of its documents that were set aside, that were tried again. */
interface Retried {
  readonly connector: string;
  readonly state: 'written' | 'waiting' | 'read' | 'set_aside';
  /** Why it waits. */
  readonly detail: string;
}

/** How the running agent serves commands of this host. */
export function serveRequests(context: RequestContext): ServeRequest {
  return async (request, caller) => {
    switch (request.method) {
      case 'retry':
        return {
          kind: 'done',
          value: [
            ...(await retry(context, request.connector)),
            ...(await readAgain(context, request.connector)),
          ],
        };
      case 'deliver':
        context.deliver();
        return { kind: 'done', value: null };
      case 'rotate-key': {
        const rotated = await context.rotation.rotate();
        if (rotated.kind !== 'refused') return { kind: 'done', value: rotated };
        const cause =
          'Bundles are on their way, which the control plane checks with the present key.';
        return { kind: 'failed', error: 'key_in_use', cause };
      }
      case 'tap':
        await tapUntilGone(context, request.content, caller);
        return { kind: 'done', value: null };
    }
  };
}

async function retry(
  { store, writeBack, health }: RequestContext,
  named: string | undefined,
): Promise<Retried[]> {
  const waiting = store.connectorsWithPending();
  const tried = waiting.filter((one) => named === undefined || one === named);
  await Promise.all(tried.map((one) => writeBack.retry(one)));
  const still = new Set(store.connectorsWithPending());
  return tried.map((connector) => {
    if (!still.has(connector)) return { connector, state: 'written', detail: '' };
    const why = health.report().waiting.find((one) => one.connector === connector);
    return { connector, state: 'waiting', detail: why?.detail ?? '' };
  });
}

async function readAgain(
  { store, readSetAside }: RequestContext,
  named: string | undefined,
): Promise<Retried[]> {
  const tried = store.retrySetAside(named);
  await Promise.all(tried.map(readSetAside));
  return tried.map((connector) => {
    const [first] = store.setAside(connector, 1);
    if (first === undefined) return { connector, state: 'read', detail: '' };
    return { connector, state: 'set_aside', detail: `${first.ref}: ${first.detail}` };
  });
}

/** How long a redaction is used while much passes: a source with its secrets may be added meanwhile. */
const redactionMs = 1_000;

async function tapUntilGone(
  { tap, clock, health, redaction }: RequestContext,
  withContent: boolean,
  { line, gone }: Caller,
): Promise<void> {
  let missed = 0;
  let redact = redaction();
  let redactsUntil = 0;
  tap.listen((...passed) => {
    const now = clock();
    if (now.getTime() > redactsUntil) {
      redact = redaction();
      redactsUntil = now.getTime() + redactionMs;
    }
    const shown = tappedFrame(passed, now, redact, withContent);
    if (line(missed === 0 ? shown : { ...shown, missed })) missed = 0;
    else missed += 1;
  }, gone);
  const { state, detail } = health.report().link;
  line({ at: clock().toISOString(), kind: 'link', of: [state, detail].filter(Boolean).join(': ') });
  await new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve()));
}
