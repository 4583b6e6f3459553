import type { DiscoverOutcome } from '@drawbridge/connectors/contract.ts';
import { z } from 'zod';
import { route } from '../../../platform/http/route.ts';
import { fail } from '../../errors.ts';
import { type ConnectorRoutesContext, readConnector } from '../routes.ts';
import { connectorId } from '../schema.ts';
import type { ConnectorRow } from '../store.ts';
import { unanswered, unansweredErrors } from '../unanswered.ts';
import { discoveryRequest, discoveryView } from './schema.ts';

const params = z.strictObject({ id: connectorId });
/** Of the source and of the way to it; the source keeps to a shorter limit of its own. */
const discoveryTimeoutMs = 55_000;

export function discoveryRoute({ db, open }: ConnectorRoutesContext) {
  /** Tenants for which a discovery is under way on this node. */
  const underWay = new Set<string>();
  return route({
    method: 'post',
    path: '/v1/connectors/{id}/discover',
    operationId: 'discoverConnector',
    summary: 'What the source holds, and how its invoices may be read',
    description:
      'Looks through the tables of a database, or the files of a folder or mailbox, whatever the settings say of them: tables with their keys, rows and dates, ' +
      'proposals of how invoices are read with their reasons, and three documents that are read so. Nothing is ' +
      'changed: PATCH the connector with a proposed `layout` to accept it.',
    tag: 'Connectors',
    auth: { scope: 'connectors:write' },
    unaudited: 'it changes nothing',
    limit: 'write',
    request: { params, body: discoveryRequest.prefault({}) },
    responses: { 200: { description: 'What was found.', schema: discoveryView } },
    errors: [
      'connector_not_found',
      'discovery_under_way',
      'discovery_unsupported',
      ...unansweredErrors,
    ],
    handler: async ({ params: { id }, body, principal: { tenantId }, signal: hangUp }) => {
      const row = await readConnector(db, tenantId, id);
      if (underWay.has(tenantId)) {
        throw fail(
          'discovery_under_way',
          'A discovery of yours is under way: send this one when it has ended.',
          { headers: { 'retry-after': '5' } },
        );
      }
      underWay.add(tenantId);
      try {
        const connector = await open.use(tenantId, row);
        const signal = AbortSignal.any([hangUp, AbortSignal.timeout(discoveryTimeoutMs)]);
        const outcome = await connector.discover?.(body, signal);
        return { status: 200, body: viewOf(row, discovered(row, outcome)) };
      } finally {
        underWay.delete(tenantId);
      }
    },
  });
}

type Discovered = Extract<DiscoverOutcome, { readonly kind: 'discovered' }>;

/** Throws what an outcome without a discovery says. */
function discovered(
  { id, kind }: ConnectorRow,
  outcome: DiscoverOutcome = { kind: 'unsupported' },
): Discovered {
  switch (outcome.kind) {
    case 'discovered':
      return outcome;
    case 'unsupported':
      throw fail(
        'discovery_unsupported',
        `A source of the kind "${kind}" has nothing to look through. GET /v1/connectors/${id}/mapping shows its columns.`,
      );
    case 'unreachable':
      throw unanswered(outcome.fault);
  }
}

function viewOf(row: ConnectorRow, found: Discovered): z.output<typeof discoveryView> {
  return {
    connector_id: row.id,
    source: found.source,
    product: found.product,
    tables: found.places.map((place) => ({
      ...place,
      key: [...place.key],
      dates: place.dates.map((date) => ({ ...date })),
    })),
    layouts: found.layouts.map(({ taxCodes, ...proposal }) => ({
      ...proposal,
      notes: [...proposal.notes],
      ...(taxCodes === undefined ? {} : { tax_codes: taxCodes }),
    })),
    alternatives: [...found.alternatives],
    credit_notes: found.creditNotes,
    company: found.company.map((answer) => ({ ...answer })),
    documents: found.documents.map(({ lineCount, sections, lines, ...shown }) => ({
      ...shown,
      lines: [...lines],
      line_count: lineCount,
      sections: Object.fromEntries(
        Object.entries(sections).map(([name, rows]) => [name, [...rows]]),
      ),
    })),
    notes: [...found.notes],
    next: nextSteps(row, found),
  };
}

function nextSteps({ id, pattern }: ConnectorRow, { layouts, alternatives }: Discovered) {
  const accept =
    pattern === 'agent'
      ? {
          why: 'Accept a layout in the settings of the source, which the bridge agent holds.',
          call: 'drawbridge connect',
        }
      : {
          why: 'Accept a layout, with "layout" as it stands here or as you have changed it.',
          call: `PATCH /v1/connectors/${id}`,
        };
  const choose = {
    why: 'Look again with another table as the header, by "header".',
    call: `POST /v1/connectors/${id}/discover`,
  };
  return [
    ...(layouts.length === 0 ? [] : [accept]),
    ...(alternatives.length === 0 ? [] : [choose]),
  ];
}
