import type { Call, Endpoint, Reply } from '../../../simulation/server.ts';
import { isShownToReceivers, type StoredDocument, typeNames } from './document.ts';
import { detailsView, overallStatus, summaryView } from './document-json.ts';
import { recent, search } from './document-search.ts';
import { errorResponse } from './error-response.ts';
import { code, type Identity } from './identities.ts';
import type { Grant } from './limits.ts';
import type { SimulatorState } from './state.ts';
import { changeState } from './state-changes.ts';
import { takeSubmission } from './submissions.ts';
import { findTaxpayer, scanQrCode, validateTaxpayer } from './taxpayers.ts';

type Handler = (call: Call, caller: Identity, state: SimulatorState) => Reply;

/** Call name (for rate limit and faults), method, path, handler. */
const calls: readonly (readonly [string, Endpoint['method'], string, Handler])[] = [
  ['submit', 'post', '/api/v1.0/documentsubmissions', takeSubmission],
  ['submission', 'get', '/api/v1.0/documentsubmissions/:submissionUid', getSubmission],
  ['state', 'put', '/api/v1.0/documents/state/:uuid/state', changeState],
  ['recent', 'get', '/api/v1.0/documents/recent', recent],
  ['search', 'get', '/api/v1.0/documents/search', search],
  ['raw', 'get', '/api/v1.0/documents/:uuid/raw', getRaw],
  ['details', 'get', '/api/v1.0/documents/:uuid/details', getDetails],
  ['taxpayer-search', 'get', '/api/v1.0/taxpayer/search/tin', findTaxpayer],
  ['taxpayer', 'get', '/api/v1.0/taxpayer/validate/:tin', validateTaxpayer],
  ['taxpayer-qr', 'get', '/api/v1.0/taxpayers/qrcodeinfo/:text', scanQrCode],
  ['types', 'get', '/api/v1.0/documenttypes', getTypes],
  ['types', 'get', '/api/v1.0/documenttypes/:id', getType],
  ['types', 'get', '/api/v1.0/documenttypes/:id/versions/:version', getType],
  ['notifications', 'get', '/api/v1.0/notifications/taxpayer', getNotifications],
];

/** The paths that MyInvois itself serves. */
export function providerEndpoints(state: SimulatorState): readonly Endpoint[] {
  return [
    { method: 'post', path: '/connect/token', handle: (call) => logIn(call, state) },
    ...calls.map(([name, method, path, handler]) => ({
      method,
      path,
      handle: (call: Call) => withCaller(name, call, handler, state),
    })),
    {
      method: 'get',
      path: '/:uuid/share/:longId',
      handle: ({ params }) => {
        const isShared = state.find(params.uuid)?.longId === params.longId;
        return { status: isShared ? 200 : 404, body: isShared ? 'Valid' : 'Not found' };
      },
    },
  ];
}

function logIn(call: Call, state: SimulatorState): Reply {
  const form = new URLSearchParams(call.body.toString('utf8'));
  const now = state.clock.now();
  const grant = state.limits.take(form.get('client_id') ?? '', 'login', now);
  if (grant?.granted === false) return tooMany(grant);
  return state.faults.around('login', () => {
    const lifetime = state.switches.tokenLifetimeSeconds;
    const expiresAt = new Date(now.getTime() + lifetime * 1_000);
    const result = state.identities.logIn(form, call.headers.onbehalfof, expiresAt);
    if ('error' in result) {
      const body = { error: result.error, error_description: null, error_uri: null };
      return { status: result.status, body };
    }
    return {
      status: 200,
      body: {
        access_token: result.token,
        token_type: 'Bearer',
        expires_in: lifetime,
        scope: 'InvoicingAPI',
      },
    };
  });
}

function withCaller(name: string, call: Call, handler: Handler, state: SimulatorState): Reply {
  const now = state.clock.now();
  const caller = state.identities.bearer(call.headers.authorization ?? '', now);
  if (caller === undefined) return errorResponse(401, 'Unauthorized', 'The token is not valid.');
  const grant = state.limits.take(caller.clientId, name, now);
  if (grant?.granted === false) return tooMany(grant);
  state.settle();
  const reply = state.faults.around(name, () => handler(call, caller, state));
  if (typeof reply === 'string') return reply;
  const headers: Record<string, string> = { correlationId: code(state.random, 22) };
  if (grant !== undefined) {
    headers['X-Rate-Limit-Limit'] = String(grant.limit);
    headers['X-Rate-Limit-Remaining'] = String(grant.remaining);
  }
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

function tooMany(grant: Grant): Reply {
  return errorResponse(429, 'TooManyRequests', 'Rate limit exceeded.', null, {
    'Retry-After': String(grant.waitSeconds),
    'X-Rate-Limit-Limit': String(grant.limit),
    'X-Rate-Limit-Remaining': '0',
    'X-Rate-Limit-Reset': String(grant.waitSeconds),
  });
}

function getSubmission({ params, query }: Call, caller: Identity, state: SimulatorState): Reply {
  const documents = state.documents.filter(
    (document) =>
      document.submissionUid === params.submissionUid && document.taxpayer === caller.taxpayer,
  );
  const [first] = documents;
  if (first === undefined) return errorResponse(404, 'NotFound', 'No such submission.');
  const size = Number(query.get('pageSize') ?? 100);
  const page = Number(query.get('pageNo') ?? 1);
  if (!(size >= 1 && size <= 100 && page >= 1)) {
    return errorResponse(400, 'BadArgument', 'A page has 1 to 100 rows.', 'pageSize');
  }
  return {
    status: 200,
    body: {
      [state.switches.submissionUidSpelling]: first.submissionUid,
      documentCount: documents.length,
      dateTimeReceived: first.receivedAt.toISOString(),
      overallStatus: overallStatus(documents, state),
      documentSummary: documents
        .slice((page - 1) * size, page * size)
        .map((document) => summaryView(document, state)),
    },
  };
}

function getDetails({ params }: Call, caller: Identity, state: SimulatorState): Reply {
  const document = shownTo(caller, params.uuid, state);
  if (document === undefined) return errorResponse(404, 'NotFound', 'No such document.');
  return { status: 200, body: detailsView(document, state) };
}

/** The issuer sees each of its documents, the receiver's own client those that were valid. */
function shownTo(
  caller: Identity,
  uuid: string | undefined,
  state: SimulatorState,
): StoredDocument | undefined {
  const document = state.find(uuid);
  if (document === undefined || document.taxpayer === caller.taxpayer) return document;
  const isReceiver = document.facts.buyer.tin === caller.mayIssue && !caller.isIntermediary;
  return isReceiver && isShownToReceivers(document) ? document : undefined;
}

function getRaw({ params }: Call, caller: Identity, state: SimulatorState): Reply {
  const document = shownTo(caller, params.uuid, state);
  if (document === undefined) return errorResponse(404, 'NotFound', 'No such document.');
  if (document.status === 'Invalid') {
    return errorResponse(400, 'IncorrectState', 'An invalid document cannot be fetched.');
  }
  return { status: 200, body: { ...summaryView(document, state), document: document.xml } };
}

function getTypes(): Reply {
  return {
    status: 200,
    body: { result: Object.keys(typeNames).map((typeCode) => typeView(typeCode)) },
  };
}

function getType({ params }: Call, _caller: Identity, state: SimulatorState): Reply {
  const typeCode = Object.keys(typeNames).find((known) => typeId(known) === Number(params.id));
  if (typeCode === undefined) return errorResponse(404, 'NotFound', 'No such document type.');
  const { submissionHours, cancellationHours, rejectionHours } = state.switches;
  const parameter = (id: number, name: string, value: number) => ({
    id,
    parameter: name,
    value,
    activeFrom: '2024-01-01T00:00:00Z',
    activeTo: null,
  });
  return {
    status: 200,
    body: {
      ...typeView(typeCode),
      workflowParameters: [
        parameter(1, 'submissionDuration', submissionHours),
        parameter(2, 'cancellationDuration', cancellationHours),
        parameter(3, 'rejectionDuration', rejectionHours),
      ],
    },
  };
}

// Ids differ from the type codes, so that a client which confuses them fails.
function typeId(typeCode: string): number {
  return Number(typeCode) + 40;
}

function typeView(typeCode: string): Record<string, unknown> {
  return {
    id: typeId(typeCode),
    invoiceTypeCode: Number(typeCode),
    description: typeNames[typeCode],
    activeFrom: '2024-01-01T00:00:00Z',
    activeTo: null,
    documentTypeVersions: [
      { id: 1, versionNumber: 1.0, status: 'published' },
      { id: 2, versionNumber: 1.1, status: 'published' },
    ],
  };
}

function getNotifications(_call: Call, _caller: Identity, state: SimulatorState): Reply {
  const rows = state.documents.filter((document) => document.rejectRequestedAt !== undefined);
  return {
    status: 200,
    body: {
      result: rows.map((document) => ({
        notificationId: document.uuid,
        typeName: 'Document rejection requested',
        creationDateTime: document.rejectRequestedAt?.toISOString(),
      })),
      metadata: { totalPages: 1, totalCount: rows.length },
    },
  };
}
