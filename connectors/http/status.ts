import { createHash } from 'node:crypto';
import type { Unreachable, WriteBackCommand, WriteBackOutcome } from '../contract.ts';
import { fault } from '../fault.ts';
import type { JsonApi } from '../outbound/json-api.ts';
import {
  type ConfirmationColumn,
  confirmationColumns,
  confirmationValues,
  decideConfirmation,
  type StoredConfirmation,
} from '../stored-confirmation.ts';
import type { HttpSettings } from './settings.ts';

type Request = Extract<HttpSettings['writeBack'], { mode: 'request' }>;

const attemptsMax = 5;

/**
 * Sends the confirmation, with an Idempotency-Key. Where the server says what is stored, it is sent on
 * condition that this is still stored (If-Match, If-None-Match), and decided anew when it is not.
 */
export async function sendConfirmation(
  api: JsonApi,
  settings: Request,
  command: WriteBackCommand,
  signal: AbortSignal,
): Promise<WriteBackOutcome> {
  const path = command.environment === 'live' ? settings.path : settings.sandboxPath;
  if (path === undefined) return { kind: 'unsupported' };
  const url = api.urlOf(path, { ref: command.confirmation.sourceRef });
  if (url === undefined) {
    return { kind: 'conflict', found: 'a ref that cannot stand in an address' };
  }
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const outcome = await sendOnce(api, settings, url, command, signal);
    if (outcome !== 'collided') return outcome;
  }
  const message = `Others kept changing the confirmation at ${api.where}; try again.`;
  return { kind: 'unreachable', fault: fault('busy', message, 'later') };
}

async function sendOnce(
  api: JsonApi,
  settings: Request,
  url: URL,
  command: WriteBackCommand,
  signal: AbortSignal,
): Promise<WriteBackOutcome | 'collided'> {
  const target = `${settings.method} ${url.pathname}`;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'idempotency-key': headerKey(command.idempotencyKey),
  };
  if (settings.readable) {
    const current = await readStored(api, settings, url, signal);
    if (current.kind === 'unreachable') return current;
    const decision = decideConfirmation(current.stored, command);
    if (decision.kind === 'conflict') return decision;
    if (decision.kind === 'already') return { kind: 'already', target };
    if (current.stored === undefined) headers['if-none-match'] = '*';
    else if (current.tag !== undefined) headers['if-match'] = current.tag;
  }
  const body = JSON.stringify(membersOf(settings, command));
  const sent = await api.send({ method: settings.method, url, headers, body }, signal);
  switch (sent.kind) {
    case 'answer':
      return { kind: 'written', target };
    case 'collided':
      if (settings.readable) return 'collided';
      return { kind: 'conflict', found: 'another confirmation, as the server says' };
    case 'missing':
      return { kind: 'conflict', found: `no place at ${url.pathname}` };
    case 'too-large':
      // It was taken; what it answered does not matter.
      return { kind: 'written', target };
    case 'unreachable':
      return sent;
  }
}

/** A key as it may stand in a header. */
function headerKey(key: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key;
  return createHash('sha256').update(key).digest('hex');
}

interface Current {
  readonly kind: 'current';
  readonly stored: StoredConfirmation | undefined;
  readonly tag: string | undefined;
}

async function readStored(
  api: JsonApi,
  { names }: Request,
  url: URL,
  signal: AbortSignal,
): Promise<Current | Unreachable> {
  const outcome = await api.send({ method: 'GET', url }, signal);
  if (outcome.kind === 'unreachable') return outcome;
  if (outcome.kind === 'too-large') return { kind: 'unreachable', fault: outcome.fault };
  const none = { kind: 'current', stored: undefined, tag: undefined } as const;
  if (outcome.kind !== 'answer') return none;
  const values = (outcome.value ?? {}) as Readonly<Record<string, unknown>>;
  const member = (column: ConfirmationColumn) => {
    const name = names[column] ?? column;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const invoiceId = member('invoice_id');
  if (invoiceId === undefined) return { ...none, tag: outcome.headers.etag };
  const stored = {
    invoiceId,
    status: member('status'),
    settledAt: member('settled_at'),
    idempotencyKey: member('idempotency_key'),
  };
  return { kind: 'current', stored, tag: outcome.headers.etag };
}

function membersOf({ names }: Request, command: WriteBackCommand) {
  const values = confirmationValues(command);
  return Object.fromEntries(
    confirmationColumns.map((column) => [names[column] ?? column, values[column]]),
  );
}
