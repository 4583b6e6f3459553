import { setTimeout as wait } from 'node:timers/promises';
import { KeyedQueue } from '@drawbridge/concurrency/keyed-queue.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { ImapFlow } from 'imapflow';
import {
  type Connector,
  type ConnectorContext,
  type DiscoverOutcome,
  type DiscoverWish,
  type ListOutcome,
  limits,
  type ReadOutcome,
  type Unreachable,
  type WriteBackCommand,
  type WriteBackOutcome,
} from '../contract.ts';
import { abortFault, fault, withinCall } from '../fault.ts';
import { columnsOf } from '../file-content/describe.ts';
import { discovered, FileLooks } from '../file-content/discover.ts';
import { firstDocuments, parseFileRef, pickDocuments } from '../file-content/documents.ts';
import { isReadFile } from '../file-content/file-names.ts';
import { withLayout } from '../file-content/settings.ts';
import { readOne, readOutcomes, testOutcome } from '../outcomes.ts';
import { asRejected } from '../stored-confirmation.ts';
import { imapFault } from './errors.ts';
import { contentFile, listMessages, refsOf } from './list.ts';
import { type FoundMessage, findMessages, openMailbox, readMessage } from './mailboxes.ts';
import { type MessageRef, parseMessageRef } from './message.ts';
import { ImapServer } from './session.ts';
import { type ImapSettings, imapSettings } from './settings.ts';
import { statusMailbox, storedConfirmation, writeConfirmation } from './status.ts';

/** How many messages are read for samples, the newest first, and documents of each file. */
const messagesLooked = 20;
const documentsLooked = 5;
/** Messages of a discovery. */
const messagesDiscovered = 100;
/** Documents that are named as samples. */
const sampleRefsMax = 50;

/** An open source of this kind. */
export class ImapConnector implements Connector {
  readonly #settings: ImapSettings;
  readonly #context: ConnectorContext;
  readonly #server: ImapServer;
  /** A session has one mailbox open, so its users take turns. */
  readonly #turns = new KeyedQueue();
  #client: ImapFlow | undefined;
  #listener: ImapFlow | undefined;

  constructor(settings: ImapSettings, context: ConnectorContext) {
    this.#settings = settings;
    this.#context = context;
    this.#server = new ImapServer(settings, context);
  }

  async test(signal: AbortSignal) {
    const outcome = await this.#within(signal, async (client, limited) => {
      const { mailbox } = this.#settings;
      const { exists } = await openMailbox(client, mailbox);
      const refs: string[] = [];
      for await (const { key, content } of this.#newest(client, messagesLooked, limited)) {
        refs.push(...(await refsOf(key, content, this.#settings, limited)));
        if (refs.length >= sampleRefsMax) break;
      }
      const detail = `${this.#server.where}, ${mailbox}: ${exists} messages.`;
      return { kind: 'ok', detail, sampleRefs: refs.slice(0, sampleRefsMax) } as const;
    });
    return testOutcome(outcome);
  }

  describe(signal: AbortSignal) {
    return this.#within(signal, async (client, limited) => {
      const documents: SourceDocument[] = [];
      for await (const { content } of this.#newest(client, messagesLooked, limited)) {
        const files = content.kind === 'files' ? content.files : [];
        for (const file of files) {
          if (!isReadFile(file.name, this.#settings)) continue;
          const first = await firstDocuments(
            contentFile(file, files),
            this.#settings,
            documentsLooked,
            limited,
          );
          documents.push(...first);
        }
      }
      return { kind: 'described', columns: columnsOf(documents) } as const;
    });
  }

  async discover(_wish: DiscoverWish, signal: AbortSignal): Promise<DiscoverOutcome> {
    const looks = new FileLooks();
    const looked = await this.#within(signal, async (client, limited) => {
      for await (const { content } of this.#newest(client, messagesDiscovered, limited)) {
        const files = content.kind === 'files' ? content.files : [];
        for (const file of files) {
          if (!looks.hasRoom || limited.aborted) looks.left += 1;
          else await looks.add(contentFile(file, files), limited);
        }
      }
      return { kind: 'looked' } as const;
    });
    if (looked.kind === 'unreachable') return looked;
    const opened: ImapConnector[] = [];
    const open = (layout: object) => {
      const settings = imapSettings.parse(withLayout(this.#settings, layout));
      const connector = new ImapConnector(settings, this.#context);
      opened.push(connector);
      return connector;
    };
    const where = `${this.#server.where}, ${this.#settings.mailbox}`;
    const outcome = await discovered(where, looks, open, signal);
    await Promise.all(opened.map((connector) => connector.close()));
    return outcome;
  }

  read(ref: string, signal: AbortSignal): Promise<ReadOutcome> {
    return readOne(this, ref, signal);
  }

  async readMany(refs: readonly string[], signal: AbortSignal): Promise<readonly ReadOutcome[]> {
    const outcomes = await this.#within(signal, (client, limited) =>
      this.#readRefs(client, refs, limited),
    );
    return readOutcomes(refs, outcomes);
  }

  list(cursor: string | undefined, signal: AbortSignal): Promise<ListOutcome> {
    return this.#within<ListOutcome>(signal, (client, limited) => {
      const { clock, timeoutMs = limits.callTimeoutMs } = this.#context;
      const begunMs = clock().getTime();
      // Large messages take their time; what is found by then is a page.
      const isLate = () => clock().getTime() - begunMs > timeoutMs / 2;
      return listMessages(client, this.#settings, cursor, isLate, limited);
    });
  }

  /** A message that moves waits for the confirmations of all its documents. */
  get takesInvalid(): boolean {
    return this.#settings.processed !== undefined;
  }

  async writeBack(given: WriteBackCommand, signal: AbortSignal): Promise<WriteBackOutcome> {
    const { writeBack } = this.#settings;
    if (writeBack.mode === 'none') return { kind: 'unsupported' };
    const command = asRejected(given);
    return this.#within<WriteBackOutcome>(signal, async (client, limited) => {
      const mailbox = statusMailbox(writeBack.name, command.environment);
      const outcome = await writeConfirmation(client, mailbox, command, this.#context.clock());
      const isStored = outcome.kind === 'written' || outcome.kind === 'already';
      const ref = parseMessageRef(command.confirmation.sourceRef);
      if (isStored && command.environment === 'live' && ref !== undefined) {
        await this.#moveFinished(client, ref, mailbox, limited);
      }
      return outcome;
    });
  }

  async changed(signal: AbortSignal): Promise<void> {
    const over = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => over.resolve(), { once: true });
    if (signal.aborted) return;
    try {
      if (this.#listener?.usable !== true) {
        this.#listener?.close();
        this.#listener = undefined;
        const opened = await this.#server.open(signal);
        if (opened.kind === 'unreachable') return await over.promise;
        this.#listener = opened.client;
        await opened.client.mailboxOpen(this.#settings.mailbox, { readOnly: true });
      }
      const listener = this.#listener;
      const noticed = () => over.resolve();
      listener.once('exists', noticed);
      // Resolves when the server ends it; new messages are told meanwhile.
      void this.#idle(listener, signal);
      await over.promise;
      listener.off('exists', noticed);
    } catch {
      // A server that tells nothing: then the mailbox is listed in the usual interval.
      this.#listener?.close();
      await over.promise;
    }
  }

  async close(): Promise<void> {
    this.#client?.close();
    this.#listener?.close();
    await this.#server.close();
  }

  async #idle(listener: ImapFlow, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && listener.usable) {
      const isOver = await listener.idle().catch(() => undefined);
      if (isOver === undefined) await wait(1_000);
    }
  }

  #within<T>(
    signal: AbortSignal,
    work: (client: ImapFlow, signal: AbortSignal) => Promise<T>,
  ): Promise<T | Unreachable> {
    return withinCall(this.#server.where, signal, this.#context.timeoutMs, (limited) =>
      this.#turns.run('session', () => this.#inSession(work, limited)),
    );
  }

  /** One session serves all calls in turn; one that broke is opened again, once. */
  async #inSession<T>(
    work: (client: ImapFlow, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | Unreachable> {
    for (let attempt = 1; ; attempt += 1) {
      if (signal.aborted)
        return { kind: 'unreachable', fault: abortFault(signal, this.#server.where) };
      const isKept = this.#client?.usable === true;
      if (!isKept) {
        const opened = await this.#server.open(signal);
        if (opened.kind === 'unreachable') return opened;
        this.#client = opened.client;
      }
      const client = this.#client!;
      // What the server does for a call that was given up ends with its session.
      const end = () => client.close();
      signal.addEventListener('abort', end, { once: true });
      try {
        return await work(client, signal);
      } catch (error) {
        const isBroken = !client.usable;
        if (isBroken) client.close();
        if (isBroken && isKept && attempt === 1) continue;
        return { kind: 'unreachable', fault: imapFault(error, this.#server.where) };
      } finally {
        signal.removeEventListener('abort', end);
      }
    }
  }

  /** The newest messages, one at a time: each may be large. */
  async *#newest(
    client: ImapFlow,
    messagesMax: number,
    signal: AbortSignal,
  ): AsyncGenerator<FoundMessage> {
    const { exists } = await openMailbox(client, this.#settings.mailbox);
    if (exists === 0) return;
    const first = Math.max(1, exists - messagesMax + 1);
    const uids: number[] = [];
    for await (const { uid } of client.fetch(`${first}:*`, { uid: true })) uids.push(uid);
    for (const uid of uids.toReversed()) {
      if (signal.aborted) return;
      const message = await readMessage(client, uid);
      if (message !== undefined) yield message;
    }
  }

  /** Fetches each message once, however many of its documents are wanted. */
  async #readRefs(
    client: ImapFlow,
    refs: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly ReadOutcome[]> {
    const outcomes = new Map<string, ReadOutcome>();
    const wanted = refs.flatMap((ref) => {
      const parsed = parseMessageRef(ref);
      return parsed === undefined ? [] : [{ ...parsed, ref }];
    });
    for (const [key, ofMessage] of Map.groupBy(wanted, (one) => one.key)) {
      if (signal.aborted) break;
      const left = new Set(ofMessage);
      for await (const message of this.#messages(client, key)) {
        for (const one of left) {
          const outcome = await pick(message, one, this.#settings, signal);
          if (outcome === undefined) continue;
          outcomes.set(one.ref, outcome);
          left.delete(one);
        }
        if (left.size === 0) break;
      }
    }
    return refs.map((ref) => outcomes.get(ref) ?? { kind: 'missing' });
  }

  /** The messages of a key wherever they are now; several may claim the same Message-ID. */
  async *#messages(client: ImapFlow, key: string): AsyncGenerator<FoundMessage> {
    const { mailbox, processed, rejected } = this.#settings;
    for (const path of new Set([mailbox, processed, rejected])) {
      if (path === undefined) continue;
      await openMailbox(client, path, path !== mailbox);
      for (const uid of await findMessages(client, key)) {
        const message = await readMessage(client, uid);
        if (message?.key === key) yield message;
      }
    }
  }

  /** Moves a message when all its documents have a confirmation. */
  async #moveFinished(
    client: ImapFlow,
    { key }: MessageRef,
    status: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { mailbox, processed, rejected = processed } = this.#settings;
    if (processed === undefined) return;
    await openMailbox(client, mailbox);
    for (const uid of await findMessages(client, key)) {
      await openMailbox(client, mailbox);
      const message = await readMessage(client, uid);
      if (message?.key !== key) continue;
      const refs = await refsOf(key, message.content, this.#settings, signal);
      const statuses = new Set<string | undefined>();
      for (const ref of refs) {
        statuses.add((await storedConfirmation(client, status, ref))?.status);
        if (statuses.has(undefined)) break;
      }
      if (statuses.has(undefined) || signal.aborted) continue;
      const target = (statuses.has('rejected') ? rejected : undefined) ?? processed;
      await openMailbox(client, target, true);
      await openMailbox(client, mailbox);
      await client.messageMove([uid], target, { uid: true });
    }
  }
}

/** What a message holds of a ref; undefined when the ref is of another message with that key. */
async function pick(
  { content }: FoundMessage,
  { ref, file }: MessageRef & { readonly ref: string },
  settings: ImapSettings,
  signal: AbortSignal,
): Promise<ReadOutcome | undefined> {
  if (content.kind === 'refused') {
    return { kind: 'unusable', fault: fault(content.code, content.message, 'never') };
  }
  const held = content.files.find(({ name }) => name === file);
  if (held === undefined) return undefined;
  const wanted = parseFileRef(ref);
  const picked = await pickDocuments(contentFile(held, content.files), settings, [wanted], signal);
  return picked(wanted);
}
