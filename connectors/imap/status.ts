import { createHash } from 'node:crypto';
import type { ImapFlow } from 'imapflow';
import type { WriteBackCommand, WriteBackOutcome } from '../contract.ts';
import { parseJson } from '../json.ts';
import {
  confirmationValues,
  decideConfirmation,
  isReplaced,
  type StoredConfirmation,
} from '../stored-confirmation.ts';
import { fetchMessage, openMailbox, searchUids } from './mailboxes.ts';

/** Names the document of a confirmation, by a hash: a ref may hold what a header may not. */
const documentHeader = 'X-Drawbridge-Document';

const confirmationBytesMax = 65_536;
/** Confirmations of one document that are looked at. */
const confirmationsMax = 20;

interface Found {
  readonly uid: number;
  readonly stored: StoredConfirmation | 'unreadable';
}

/** The mailbox of the confirmations of an environment. */
export function statusMailbox(name: string, environment: WriteBackCommand['environment']): string {
  return environment === 'live' ? name : `${name}_sandbox`;
}

/** The stored confirmation of a document; the status mailbox is open afterwards. */
export async function storedConfirmation(
  client: ImapFlow,
  mailbox: string,
  ref: string,
): Promise<StoredConfirmation | undefined> {
  await openMailbox(client, mailbox, true);
  const stored = (await findConfirmations(client, ref)).at(-1)?.stored;
  return stored === 'unreadable' ? undefined : stored;
}

/**
 * Writes the confirmation as a message of its own. A server has no condition on adding one, so it is
 * looked afterwards whether another invoice's came first; then ours is taken back.
 */
export async function writeConfirmation(
  client: ImapFlow,
  mailbox: string,
  command: WriteBackCommand,
  now: Date,
): Promise<WriteBackOutcome> {
  const { sourceRef, invoiceId } = command.confirmation;
  await openMailbox(client, mailbox, true);
  const before = await findConfirmations(client, sourceRef);
  const current = before.at(-1)?.stored;
  if (current === 'unreadable')
    return { kind: 'conflict', found: `an unreadable message in ${mailbox}` };
  const decision = decideConfirmation(current, command);
  if (decision.kind === 'conflict') return decision;
  if (decision.kind === 'already') return { kind: 'already', target: mailbox };
  await client.append(mailbox, messageOf(command, now), ['\\Seen'], now);
  await openMailbox(client, mailbox);
  const after = await findConfirmations(client, sourceRef);
  const isOurs = ({ stored }: Found) => stored !== 'unreadable' && stored.invoiceId === invoiceId;
  const isReplaceable = ({ stored }: Found) =>
    stored !== 'unreadable' && isReplaced(stored, command);
  const ours = after.filter(isOurs);
  const first = after.find((each) => !isReplaceable(each));
  if (first !== undefined && !isOurs(first)) {
    await remove(client, ours);
    const found = first.stored === 'unreadable' ? 'an unreadable message' : first.stored.invoiceId;
    return { kind: 'conflict', found };
  }
  // Those before are removed last: when it ends in between, the latest one counts.
  await remove(client, [...after.filter(isReplaceable), ...ours.slice(0, -1)]);
  return { kind: 'written', target: mailbox };
}

async function remove(client: ImapFlow, found: readonly Found[]): Promise<void> {
  if (found.length === 0) return;
  await client.messageDelete(
    found.map(({ uid }) => uid),
    { uid: true },
  );
}

async function findConfirmations(client: ImapFlow, ref: string): Promise<readonly Found[]> {
  const header = { [documentHeader]: digestOf(ref) };
  const uids = await searchUids(client, { header });
  const found: Found[] = [];
  for (const uid of uids.slice(-confirmationsMax)) {
    const query = { uid: true, source: { maxLength: confirmationBytesMax } } as const;
    const message = await fetchMessage(client, uid, query);
    if (message?.source === undefined) continue;
    found.push({ uid, stored: storedIn(message.source.toString('utf8'), ref) });
  }
  return found;
}

function digestOf(ref: string): string {
  return createHash('sha256').update(ref).digest('hex');
}

function storedIn(message: string, ref: string): StoredConfirmation | 'unreadable' {
  const body = message.slice(message.search(/\r?\n\r?\n/)).trim();
  const parsed = parseJson(Buffer.from(body, 'base64').toString('utf8'));
  if (typeof parsed !== 'object' || parsed === null) return 'unreadable';
  const values = parsed as Readonly<Record<string, unknown>>;
  const member = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  const invoiceId = member('invoice_id');
  if (invoiceId === undefined || member('source_ref') !== ref) return 'unreadable';
  return {
    invoiceId,
    status: member('status'),
    settledAt: member('settled_at'),
    idempotencyKey: member('idempotency_key'),
  };
}

function messageOf(command: WriteBackCommand, now: Date): string {
  const { status, sourceRef, uin } = command.confirmation;
  const subject = Buffer.from(`${status}: ${uin ?? ''} ${sourceRef}`.slice(0, 200)).toString(
    'base64',
  );
  const json = JSON.stringify(confirmationValues(command), null, 2);
  const body = Buffer.from(`${json}\n`).toString('base64').replace(/.{76}/g, '$&\r\n');
  return [
    `Date: ${now.toUTCString()}`,
    'From: Drawbridge <drawbridge@localhost>',
    // Encoded words hold 75 characters each.
    `Subject: ${(subject.match(/.{1,60}/g) ?? []).map((part) => `=?utf-8?B?${part}?=`).join('\r\n ')}`,
    `${documentHeader}: ${digestOf(sourceRef)}`,
    'MIME-Version: 1.0',
    'Content-Type: application/json; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    body,
    '',
  ].join('\r\n');
}
