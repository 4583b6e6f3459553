import type { Call, Reply } from '../../../simulation/server.ts';
import { isShownToReceivers, type StoredDocument } from './document.ts';
import { listView } from './document-json.ts';
import { errorResponse } from './error-response.ts';
import type { Identity } from './identities.ts';
import type { SimulatorState } from './state.ts';

const daysMax = 31;
const pageSizeMax = 100;

/** GET recent: the caller's documents of the last 31 days, without those not listed yet. */
export function recent(call: Call, caller: Identity, state: SimulatorState): Reply {
  const since = state.clock.now().getTime() - daysMax * 86_400_000;
  const rows = visible(call, caller, state).filter((row) => row.receivedAt.getTime() >= since);
  return page(rows, call, state);
}

/** GET search: needs a range of submission or issue dates of at most 31 days. */
export function search(call: Call, caller: Identity, state: SimulatorState): Reply {
  const { query } = call;
  const submitted = range(query, 'submissionDate');
  const issued = range(query, 'issueDate');
  const given = submitted ?? issued;
  if (given === undefined)
    return errorResponse(400, 'BadArgument', 'A date range is needed.', 'dates');
  if (given.to - given.from > daysMax * 86_400_000) {
    return errorResponse(400, 'BadArgument', 'The range exceeds 31 days.', 'dates');
  }
  const words = (query.get('searchQuery') ?? '').toLowerCase();
  const rows = visible(call, caller, state).filter((row) => {
    const texts = [row.uuid, row.facts.number, row.facts.supplier.name, row.facts.buyer.name];
    return (
      within(row.receivedAt, submitted) &&
      within(row.facts.issuedAt, issued) &&
      matches(query.get('status'), row.status) &&
      matches(query.get('documentType'), row.facts.typeCode) &&
      texts.some((text) => text.toLowerCase().includes(words))
    );
  });
  return page(rows, call, state);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function range(query: URLSearchParams, name: string): Range | undefined {
  const from = Date.parse(query.get(`${name}From`) ?? '');
  const to = Date.parse(query.get(`${name}To`) ?? '');
  return Number.isNaN(from) || Number.isNaN(to) || to < from ? undefined : { from, to };
}

function within(date: Date, bounds: Range | undefined): boolean {
  return bounds === undefined || (bounds.from <= date.getTime() && date.getTime() <= bounds.to);
}

function matches(wanted: string | null, value: string): boolean {
  return wanted === null || wanted.toLowerCase() === value.toLowerCase();
}

function visible(call: Call, caller: Identity, state: SimulatorState): readonly StoredDocument[] {
  const listedUntil = state.clock.now().getTime() - state.switches.listingLagMs;
  const isReceived = call.query.get('invoiceDirection')?.toLowerCase() === 'received';
  // An intermediary does not see documents that others sent to the taxpayer it represents.
  if (isReceived && caller.isIntermediary) return [];
  return state.documents.filter(
    (document) =>
      document.receivedAt.getTime() <= listedUntil &&
      (isReceived
        ? document.facts.buyer.tin === caller.mayIssue && isShownToReceivers(document)
        : document.taxpayer === caller.taxpayer),
  );
}

function page(rows: readonly StoredDocument[], call: Call, state: SimulatorState): Reply {
  const size = Number(call.query.get('pageSize') ?? pageSizeMax);
  const number = Number(call.query.get('pageNo') ?? 1);
  if (!(size >= 1 && size <= pageSizeMax)) {
    return errorResponse(400, 'BadArgument', 'A page has 1 to 100 rows.', 'pageSize');
  }
  if (!(number >= 1)) return errorResponse(400, 'BadArgument', 'Pages start at 1.', 'pageNo');
  const newestFirst = rows.toReversed().slice((number - 1) * size, number * size);
  return {
    status: 200,
    body: {
      result: newestFirst.map((row) => listView(row, state)),
      metadata: { totalPages: Math.ceil(rows.length / size), totalCount: rows.length },
    },
  };
}
