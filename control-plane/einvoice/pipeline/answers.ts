import type { BusinessResponse, InboundAnswer } from '../../authorities/contract.ts';
import { type Environment, environments } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { BuyerResponse } from '../invoices/store.ts';
import { network } from './address.ts';
import {
  findAnswered,
  keepAnswer,
  keepBuyerResponse,
  knownAnswers,
  takeTurn,
} from './answer-store.ts';
import type { PipelineContext } from './course.ts';
import { lockInvoices } from './store.ts';
import { makeMoves } from './transition.ts';

/** How often an access point is asked for answers, over all nodes. */
const askEveryMs = 30_000;
const noteLengthMax = 2_000;

/** UNCL4343, as Peppol's Invoice Response uses it. */
const meanings: Readonly<Record<string, BuyerResponse['status']>> = {
  AB: 'received',
  IP: 'in_process',
  UQ: 'under_query',
  CA: 'conditionally_accepted',
  RE: 'rejected',
  AP: 'accepted',
  PD: 'paid',
};
/** The buyer takes the invoice; what comes before says that he looks at it. */
const acknowledging: ReadonlySet<string> = new Set(['AP', 'CA', 'PD']);

/** Asks each network for the buyers' answers whenever it is this node's turn. */
export function startListening(
  context: PipelineContext,
  everyMs = askEveryMs,
): { stop(): Promise<void> } {
  let listening: Promise<void> = Promise.resolve();
  let isListening = false;
  const timer = setInterval(() => {
    if (isListening) return;
    isListening = true;
    listening = listenInTurn(context, everyMs)
      .catch((err: unknown) => context.log.warn({ err }, 'buyers’ answers were not asked for'))
      .finally(() => {
        isListening = false;
      });
  }, everyMs / 6);
  return {
    stop: async () => {
      clearInterval(timer);
      await listening;
    },
  };
}

async function listenInTurn(context: PipelineContext, everyMs: number): Promise<void> {
  for (const environment of environments) {
    const isOurs = await context.db.system((tx) => takeTurn(tx, environment, network, everyMs));
    if (isOurs) await listen(context, environment);
  }
}

/**
 * Takes the answers that came in, oldest first. An accepted invoice is `acknowledged`; any other
 * answer stands beside the state, for the buyer may yet give another.
 */
export async function listen(context: PipelineContext, environment: Environment): Promise<void> {
  const { db, authorities } = context;
  const known = async (ids: readonly string[]) => {
    const rows = await db.system((tx) => knownAnswers(tx, environment, ids));
    return new Set(rows.map(({ id }) => id));
  };
  const answers = (await authorities.responses(network, environment, known)) ?? [];
  for (const answer of answers) {
    if (!(await take(context, environment, answer))) continue;
    await db.system((tx) => keepAnswer(tx, environment, answer.id));
  }
}

/** False when the invoice is still on its way to where it can be answered: it is looked at again. */
async function take(
  context: PipelineContext,
  environment: Environment,
  answer: InboundAnswer,
): Promise<boolean> {
  if (answer.kind === 'unreadable') {
    context.log.warn({ answer: answer.id }, 'an answer that came in does not read');
    return true;
  }
  const { number, from, to } = answer.response;
  const about = { number, seller: addressOf(to), buyer: addressOf(from) };
  const found = await context.db.system((tx) => findAnswered(tx, environment, about));
  let isDone = true;
  for (const [tenantId, own] of Map.groupBy(found, (row) => row.tenant_id)) {
    const ids = own.map(({ id }) => id);
    const isTaken = await context.db.tenant(tenantId, (tx) =>
      record(context, tx, tenantId, ids, answer.response),
    );
    isDone &&= isTaken;
  }
  return isDone;
}

function addressOf({ scheme, id }: BusinessResponse['from']): string {
  return `${scheme}:${id}`;
}

async function record(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  { code, note, issuedAt }: BusinessResponse,
): Promise<boolean> {
  const now = context.clock();
  const invoices = await lockInvoices(tx, tenantId, ids);
  const answerable = invoices.filter(({ state }) => state !== 'validated' && state !== 'submitted');
  await keepBuyerResponse(
    tx,
    tenantId,
    answerable.map(({ id }) => id),
    {
      ...{ code, status: meanings[code] ?? 'other', at: (issuedAt ?? now).toISOString() },
      ...(note === undefined ? {} : { note: note.slice(0, noteLengthMax) }),
    },
  );
  const open = answerable.filter(({ state }) => state === 'delivered' || state === 'cleared');
  const moves = (acknowledging.has(code) ? open : []).map((invoice) => {
    return { invoice, trigger: 'acknowledge' as const };
  });
  await makeMoves(tx, tenantId, moves, { now, random: context.random });
  return answerable.length === invoices.length;
}
