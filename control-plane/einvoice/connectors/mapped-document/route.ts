import { withCompany } from '@drawbridge/mapping/company.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import { z } from 'zod';
import { route } from '../../../platform/http/route.ts';
import { settledOr } from '../../document-checks/refusal.ts';
import { fail } from '../../errors.ts';
import {
  describe,
  type MappingRoutesContext,
  type Place,
  placeOf,
  readCompany,
  readMapping,
} from '../mapping-place.ts';
import type { MappedValue } from '../mapping-sample.ts';
import { connectorId } from '../schema.ts';
import { unanswered, unansweredErrors } from '../unanswered.ts';
import { mappedDocument, mappedDocumentQuery } from './schema.ts';
import { shownSections } from './shown-source.ts';

const params = z.strictObject({ id: connectorId });
const refsMax = 50;
/** Of naming the documents and reading one. */
const timeoutMs = 20_000;

export function mappedDocumentRoute(context: MappingRoutesContext) {
  return route({
    method: 'get',
    path: '/v1/connectors/{id}/mapping/document',
    operationId: 'getMappedDocument',
    summary: 'A document of the source beside what the mapping makes of it',
    description:
      'The mapping is used as if all of it were approved, with the company profile. Every value of the invoice tells the ' +
      'column that it came from.',
    tag: 'Mapping',
    auth: { scope: 'connectors:read' },
    limit: 'read',
    request: { params, query: mappedDocumentQuery },
    responses: { 200: { description: 'Both.', schema: mappedDocument } },
    errors: ['connector_not_found', 'profile_required', 'source_not_found', ...unansweredErrors],
    handler: async ({ params: { id }, query, principal }) => {
      const { tenantId } = principal;
      const place = await placeOf(context, tenantId, id, query.profile);
      const found = await readDocument(context, tenantId, place, query.source_ref);
      const about = {
        connector_id: id,
        profile: place.profile.id,
        source_refs: [...found.refs],
      };
      if (found.document === undefined) {
        return { status: 200, body: { ...about, sections: [], values: [], problems: [] } };
      }
      const { document: mapping } = await readMapping(
        context,
        tenantId,
        place,
        await describe(place.connector),
      );
      const company = await readCompany(context, principal);
      const whole = withCompany(mapping, company, place.profile.id);
      const sample = settledOr(await context.checker.sample(tenantId, found.document, whole));
      const body = {
        ...about,
        source_ref: found.document.ref,
        sections: shownSections(found.document),
        values: sample.places.map((value) => shownValue(value, mapping)),
        problems: [...sample.problems],
      };
      return { status: 200, body };
    },
  });
}

interface Found {
  /** The newest documents. */
  readonly refs: readonly string[];
  readonly document?: SourceDocument;
}

/** The document that is asked for, or the newest. Throws `source_not_found` and `unansweredErrors`. */
async function readDocument(
  { open }: MappingRoutesContext,
  tenantId: string,
  { row, connector }: Place,
  wanted: string | undefined,
): Promise<Found> {
  const signal = AbortSignal.timeout(timeoutMs);
  const test = await connector.test(signal);
  if (test.kind === 'failed') throw unanswered(test.fault);
  const refs = test.sampleRefs.slice(0, refsMax);
  const ref = wanted ?? refs[0];
  if (ref === undefined) return { refs };
  const [outcome] = await open.read(tenantId, row, [ref], signal);
  switch (outcome?.kind) {
    case 'found':
      return { refs, document: outcome.document };
    case 'unreachable':
      throw unanswered(outcome.fault);
    case 'unusable':
      throw fail('source_not_found', `"${ref}" cannot be used: ${outcome.fault.message}`);
    default:
      throw fail('source_not_found', `The source has no document "${ref}".`);
  }
}

function shownValue({ path, value, from }: MappedValue, { fields }: Mapping) {
  const target = path.replaceAll(/\[\d+\]/g, '[]');
  const field = fields.find((each) => each.target === target && hasSource(each, from));
  const by = from !== undefined ? 'column' : field === undefined ? 'company' : 'constant';
  return {
    path,
    target,
    value,
    by,
    ...(from === undefined ? {} : { from }),
    status: field?.status ?? 'approved',
  } as const;
}

/** Whether a field of the mapping gave a value, and not the company profile. */
function hasSource({ from }: Mapping['fields'][number], place: MappedValue['from']): boolean {
  if (from === undefined || place === undefined) return from === place;
  return from.section === place.section && from.column === place.column;
}
