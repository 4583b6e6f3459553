import type { Call, Endpoint, Reply } from '../../../simulation/server.ts';
import { typeNames } from './document.ts';
import { takeSubmission } from './intake.ts';
import type { Grant } from './limits.ts';
import { recent, search } from './listing.ts';
import { code, type Identity } from './people.ts';
import { changeState } from './states.ts';
import { findTaxpayer, scanQrCode, validateTaxpayer } from './taxpayers.ts';
import { detailsView, overallStatus, summaryView } from './views.ts';
import { problem } from './wire.ts';
import type { World } from './world.ts';

type Handler = (call: Call, caller: Identity, world: World) => Reply;

/** Call name (its rate limit and its faults go by it), method, path, what it does. */
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
export function providerEndpoints(world: World): readonly Endpoint[] {
  return [
    { method: 'post', path: '/connect/token', handle: (call) => logIn(call, world) },
    ...calls.map(([name, method, path, handler]) => ({
      method,
      path,
      handle: (call: Call) => withCaller(name, call, handler, world),
    })),
    {
      method: 'get',
      path: '/:uuid/share/:longId',
      handle: ({ params }) => {
        const isShared = world.find(params.uuid)?.longId === params.longId;
        return { status: isShared ? 200 : 404, body: isShared ? 'Valid' : 'Not found' };
      },
    },
  ];
}

function logIn(call: Call, world: World): Reply {
  const form = new URLSearchParams(call.body.toString('utf8'));
  const now = world.clock.now();
  const grant = world.limits.take(form.get('client_id') ?? '', 'login', now);
  if (grant?.granted === false) return tooMany(grant);
  return world.faults.around('login', () => {
    const lifetime = world.switches.tokenLifetimeSeconds;
    const expiresAt = new Date(now.getTime() + lifetime * 1_000);
    const result = world.people.logIn(form, call.headers.onbehalfof, expiresAt);
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

function withCaller(name: string, call: Call, handler: Handler, world: World): Reply {
  const now = world.clock.now();
  const caller = world.people.bearer(call.headers.authorization ?? '', now);
  if (caller === undefined) return problem(401, 'Unauthorized', 'The token is not valid.');
  const grant = world.limits.take(caller.clientId, name, now);
  if (grant?.granted === false) return tooMany(grant);
  world.settle();
  const reply = world.faults.around(name, () => handler(call, caller, world));
  if (typeof reply === 'string') return reply;
  const headers: Record<string, string> = { correlationId: code(world.random, 22) };
  if (grant !== undefined) {
    headers['X-Rate-Limit-Limit'] = String(grant.limit);
    headers['X-Rate-Limit-Remaining'] = String(grant.remaining);
  }
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

function tooMany(grant: Grant): Reply {
  return problem(429, 'TooManyRequests', 'Rate limit exceeded.', null, {
    'Retry-After': String(grant.waitSeconds),
    'X-Rate-Limit-Limit': String(grant.limit),
    'X-Rate-Limit-Remaining': '0',
    'X-Rate-Limit-Reset': String(grant.waitSeconds),
  });
}

function getSubmission({ params, query }: Call, caller: Identity, world: World): Reply {
  const documents = world.documents.filter(
    (document) =>
      document.submissionUid === params.submissionUid && document.taxpayer === caller.taxpayer,
  );
  const [first] = documents;
  if (first === undefined) return problem(404, 'NotFound', 'No such submission.');
  const size = Number(query.get('pageSize') ?? 100);
  const page = Number(query.get('pageNo') ?? 1);
  if (!(size >= 1 && size <= 100 && page >= 1)) {
    return problem(400, 'BadArgument', 'A page has 1 to 100 rows.', 'pageSize');
  }
  return {
    status: 200,
    body: {
      [world.switches.submissionUidSpelling]: first.submissionUid,
      documentCount: documents.length,
      dateTimeReceived: first.receivedAt.toISOString(),
      overallStatus: overallStatus(documents, world),
      documentSummary: documents
        .slice((page - 1) * size, page * size)
        .map((document) => summaryView(document, world)),
    },
  };
}

function getDetails({ params }: Call, caller: Identity, world: World): Reply {
  const document = world.find(params.uuid);
  const isIssuer = document?.taxpayer === caller.taxpayer;
  const isReceiver = document?.facts.buyer.tin === caller.mayIssue && !caller.isIntermediary;
  const isShown = document?.status === 'Valid' || document?.status === 'Cancelled';
  if (document === undefined || !(isIssuer || (isReceiver && isShown))) {
    return problem(404, 'NotFound', 'No such document.');
  }
  return { status: 200, body: detailsView(document, world) };
}

function getRaw({ params }: Call, caller: Identity, world: World): Reply {
  const document = world.find(params.uuid);
  if (document === undefined || document.taxpayer !== caller.taxpayer) {
    return problem(404, 'NotFound', 'No such document.');
  }
  if (document.status === 'Invalid') {
    return problem(400, 'IncorrectState', 'An invalid document cannot be fetched.');
  }
  return { status: 200, body: { ...summaryView(document, world), document: document.xml } };
}

function getTypes(): Reply {
  return {
    status: 200,
    body: { result: Object.keys(typeNames).map((typeCode) => typeView(typeCode)) },
  };
}

function getType({ params }: Call, _caller: Identity, world: World): Reply {
  const typeCode = Object.keys(typeNames).find((known) => typeId(known) === Number(params.id));
  if (typeCode === undefined) return problem(404, 'NotFound', 'No such document type.');
  const { submissionHours, cancellationHours, rejectionHours } = world.switches;
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

// Ids are not the type codes, so that a client which mixes them up is found out.
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

function getNotifications(_call: Call, _caller: Identity, world: World): Reply {
  const rows = world.documents.filter((document) => document.rejectRequestedAt !== undefined);
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
