/**
 * Whether a tenant's domain and e-mail sender are its own: looked up in DNS when it asks, and by a job at
 * intervals. What the name servers say is compared and never shown, so nobody reads an inner zone through us.
 */
import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import {
  domainRecord,
  isRecord,
  nextCheckAt,
  nextProof,
  type ProofAnswer,
  senderRecord,
} from '@drawbridge/messaging/branding-proof.ts';
import { nobodyOf } from '../../../platform/audit/actor.ts';
import { type AuditLog, openAuditLog } from '../../../platform/audit/audit-log.ts';
import type { Db } from '../../../platform/db/database.ts';
import { faultOf } from '../../../platform/db/errors.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type Clock, newId, type RandomBytes } from '../../../platform/ids.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Names } from '../../../platform/outbound/dns.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import {
  deleteProof,
  findProof,
  listProofs,
  type NewProof,
  type ProofRow,
  saveChecked,
  saveProof,
} from './proof-store.ts';

export interface ProofContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly secrets: Secrets;
  readonly names: Names;
}

const queue = 'branding-proof';
const keyBits = 2_048;
const rsaKeyPair = promisify(generateKeyPair);

/** What is to be proved: null removes the proof, undefined leaves it. */
export interface Wanted {
  readonly domain?: string | null | undefined;
  readonly senderAddress?: string | null | undefined;
}

/** Proofs of these names; kept are those that exist. Made before the transaction, as keys take their time. */
export async function newProofs(context: ProofContext, wanted: Wanted): Promise<NewProof[]> {
  const { domain, senderAddress } = wanted;
  return [
    ...(domain == null ? [] : [domainProof(context, domain)]),
    ...(senderAddress == null ? [] : [await senderProof(context, domainOf(senderAddress))]),
  ];
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

function domainProof({ clock, random }: ProofContext, name: string): NewProof {
  const record = domainRecord(name, Buffer.from(random(24)).toString('base64url'));
  const id = newId('prf', clock, random);
  return {
    id,
    kind: 'domain',
    name,
    selector: null,
    sealed_key: null,
    created_at: clock(),
    record_name: record.name,
    record_value: record.value,
  };
}

async function senderProof(
  { clock, random, secrets }: ProofContext,
  name: string,
): Promise<NewProof> {
  const id = newId('prf', clock, random);
  const selector = `drawbridge-${randomBytes(6).toString('hex')}`;
  const { publicKey, privateKey } = await rsaKeyPair('rsa', { modulusLength: keyBits });
  const publicText = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const record = senderRecord(name, selector, publicText);
  const privateText = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    id,
    kind: 'sender',
    name,
    selector,
    created_at: clock(),
    sealed_key: secrets.seal(privateText, id),
    record_name: record.name,
    record_value: record.value,
  };
}

/** Stores what is new, forgets what is no longer wanted, and has it looked for. */
export async function replaceProofs(
  tx: Tx,
  { jobs }: ProofContext,
  tenantId: string,
  { domain, senderAddress }: Wanted,
  proofs: readonly NewProof[],
): Promise<void> {
  if (domain === null) await deleteProof(tx, tenantId, 'domain');
  if (senderAddress === null) await deleteProof(tx, tenantId, 'sender');
  for (const proof of proofs) {
    if (await saveProof(tx, tenantId, proof)) {
      await jobs.enqueue(tx, tenantId, [{ queue, key: proof.id }]);
    }
  }
}

/** Looks for all records of a tenant now. */
export async function checkProofs(
  context: ProofContext,
  tenantId: string,
  recorded: (tx: Tx, before: ProofRow, after: ProofRow) => Promise<void>,
): Promise<void> {
  const proofs = await context.db.tenant(tenantId, (tx) => listProofs(tx, tenantId));
  for (const proof of proofs) {
    const answer = await ask(context.names, proof);
    const save = (found: ProofAnswer) =>
      context.db.tenant(tenantId, async (tx) => {
        const checked = await store(tx, context, tenantId, proof.id, found);
        if (checked === undefined) return;
        await recorded(tx, checked.before, checked.after);
        const runAt = nextOf(checked.after, context.clock());
        if (runAt) await context.jobs.enqueue(tx, tenantId, [{ queue, key: proof.id, runAt }]);
      });
    await save(answer).catch(otherwise(save));
  }
}

/** Looks for records at intervals until it is stopped. */
export function startProofChecks(context: ProofContext) {
  const auditLog = openAuditLog(context);
  return context.jobs.work({
    queue,
    batch: 1,
    concurrency: 2,
    handler: async ([job]) => job && checkStored(context, auditLog, job),
  });
}

async function checkStored(context: ProofContext, auditLog: AuditLog, job: Job): Promise<void> {
  const { db, jobs, clock, names } = context;
  const { tenantId, key: id } = job;
  const proof = await db.tenant(tenantId, (tx) => findProof(tx, tenantId, id));
  const answer = proof && (await ask(names, proof));
  const save = (found: ProofAnswer | undefined) =>
    db.tenant(tenantId, async (tx) => {
      const checked = found && (await store(tx, context, tenantId, id, found));
      const runAt = checked && nextOf(checked.after, clock());
      if (checked && hasChanged(checked.before, checked.after)) {
        const { before, after } = checked;
        const action = { action: 'checkBranding', subject: before.name };
        await auditLog.record(tx, tenantId, nobodyOf('messaging', null), {
          ...action,
          before: showProof(before),
          after: showProof(after),
        });
      }
      if (runAt === undefined) await jobs.complete(tx, tenantId, [job]);
      else await jobs.reschedule(tx, tenantId, [{ job, runAt }]);
    });
  await save(answer).catch(otherwise(save));
}

/** A domain can be proved by one tenant: for the second one the record proves nothing. */
function otherwise(save: (found: ProofAnswer) => Promise<void>) {
  return (error: unknown): Promise<void> => {
    if (faultOf(error).code !== 'duplicate') throw error;
    return save({ kind: 'missing', problem: 'another tenant has proved this domain' });
  };
}

async function ask(names: Names, proof: ProofRow): Promise<ProofAnswer> {
  const { kind, name, record_name, record_value } = proof;
  const texts = await names.txt(record_name);
  if (texts === undefined) {
    return { kind: 'unclear', problem: `the name servers of ${name} gave no answer` };
  }
  const record = { name: record_name, value: record_value };
  if (!texts.some((text) => isRecord(text, record))) {
    const what = texts.length === 0 ? 'there is no TXT record' : 'the TXT record is another one';
    return { kind: 'missing', problem: `${what} at ${record_name}` };
  }
  if (kind === 'sender') return { kind: 'found' };
  // A link that leads nowhere is worse than one with the host's name.
  switch (await names.hasAddress(name)) {
    case true:
      return { kind: 'found' };
    case false:
      return { kind: 'missing', problem: `the record is there, but ${name} has no address yet` };
    default:
      return { kind: 'unclear', problem: `the name servers of ${name} gave no answer` };
  }
}

async function store(
  tx: Tx,
  { clock }: ProofContext,
  tenantId: string,
  id: string,
  answer: ProofAnswer,
): Promise<{ before: ProofRow; after: ProofRow } | undefined> {
  const before = await findProof(tx, tenantId, id);
  if (before === undefined) return undefined;
  const after = await saveChecked(
    tx,
    tenantId,
    id,
    nextProof(stateOf(before), answer, clock()),
    clock(),
  );
  return after && { before, after };
}

function stateOf({ proved_at, missing_since, problem }: ProofRow) {
  return { provedAt: proved_at, missingSince: missing_since, problem };
}

function nextOf(row: ProofRow, now: Date): Date | undefined {
  return nextCheckAt(stateOf(row), row.created_at, now);
}

/** Whether it counts now and did not, or the other way round. */
export function hasChanged(before: ProofRow, after: ProofRow): boolean {
  return (before.proved_at === null) !== (after.proved_at === null);
}

export function showProof(row: ProofRow) {
  return {
    status: row.proved_at === null ? ('pending' as const) : ('proved' as const),
    record: { type: 'TXT' as const, name: row.record_name, value: row.record_value },
    proved_at: row.proved_at?.toISOString() ?? null,
    checked_at: row.checked_at?.toISOString() ?? null,
    problem: row.problem,
  };
}
