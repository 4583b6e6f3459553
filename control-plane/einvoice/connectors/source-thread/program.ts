/** The thread in which sources are read: what they answer is taken apart here, not where requests are served. */
import { parentPort } from 'node:worker_threads';
import type { Connector, WriteBackCommand } from '@drawbridge/connectors/contract.ts';
import { connectorKind } from '@drawbridge/connectors/registry.ts';
import { writeConfirmation } from '@drawbridge/connectors/write-confirmation.ts';
import { yieldProcessor } from '../../../platform/concurrency/thread-priority.ts';
import { GuardedSocket } from '../../../platform/outbound/guarded-socket.ts';
import { inPieces } from '../../document-checks/large-outcomes.ts';
import {
  methods,
  type SourceMethod,
  type SourceOpening,
  type SourceRequest,
  type ThreadAnswer,
  type ThreadRequest,
} from './messages.ts';
import { sourcePolicy } from './source-policy.ts';

yieldProcessor();
const port = parentPort!;
const sources = new Map<number, Promise<Connector>>();
const underWay = new Map<number, AbortController>();
/** How far the caller's clock is ahead of this thread's. */
let aheadMs = 0;

port.on('message', (request: ThreadRequest) => {
  if (request.kind === 'abort') return underWay.get(request.call)?.abort();
  return void answer(request);
});

async function answer(request: SourceRequest): Promise<void> {
  const { call } = request;
  try {
    port.postMessage({ call, result: await resultOf(request) } satisfies ThreadAnswer);
  } catch (error) {
    port.postMessage({ call, error } satisfies ThreadAnswer);
  }
}

async function resultOf(request: SourceRequest): Promise<unknown> {
  const { kind, source: id } = request;
  switch (kind) {
    case 'open': {
      aheadMs = request.nowMs - performance.now();
      const opened = open(request.opening);
      sources.set(id, opened);
      const source = await opened;
      return methods.filter((method) => source[method] !== undefined);
    }
    case 'close': {
      const source = await sources.get(id);
      sources.delete(id);
      return source?.close();
    }
    case 'call': {
      aheadMs = request.nowMs - performance.now();
      const source = await sources.get(id)!;
      return inPieces(await called(source, request.call, request.method, request.given));
    }
  }
}

function open({ kind, settings, allowPrivate, ...rest }: SourceOpening): Promise<Connector> {
  const policy = sourcePolicy(allowPrivate);
  return connectorKind(kind)!.open(settings, {
    ...rest,
    clock: () => new Date(aheadMs + performance.now()),
    socket: () => new GuardedSocket(policy),
  });
}

async function called(
  source: Connector,
  call: number,
  method: SourceMethod,
  given: readonly unknown[],
): Promise<unknown> {
  const abort = new AbortController();
  underWay.set(call, abort);
  try {
    if (method === 'writeBack') {
      return await writeConfirmation(source, given[0] as WriteBackCommand, abort.signal);
    }
    const work = source[method] as (...given: readonly unknown[]) => Promise<unknown>;
    return await work.call(source, ...given, abort.signal);
  } finally {
    underWay.delete(call);
  }
}
