import type { Call, Endpoint, Reply } from '../../../simulation/server.ts';
import { readTree } from '../../../simulation/xml-tree.ts';
import {
  addressFault,
  documentFault,
  type Identifier,
  type Message,
  readIdentifier,
  write,
} from './message.ts';
import { lookupFault, sendingReport } from './report.ts';
import type { Inbound, SimulatorState, Transaction } from './state.ts';

/** The paths of phoss-ap that a sending backend uses. */
export function phossApEndpoints(state: SimulatorState): readonly Endpoint[] {
  const guarded =
    (name: string, handle: (call: Call) => Reply) =>
    (call: Call): Reply => {
      if (call.headers['x-token'] !== state.switches.token) {
        return { status: 401, body: { error: 'Invalid or missing API token' } };
      }
      state.settle();
      return state.faults.around(name, () => handle(call));
    };
  return [
    {
      method: 'post',
      path: '/api/outbound/submit/:sender/:receiver/:documentType/:process/:countryC1',
      handle: guarded('submit', (call) => submit(call, state)),
    },
    {
      method: 'get',
      path: '/api/outbound/status/:instanceId',
      handle: guarded('status', ({ params }) => {
        const found = state.transactions.get(params.instanceId ?? '');
        return found === undefined ? { status: 404 } : { status: 200, body: view(found, state) };
      }),
    },
    {
      method: 'get',
      path: '/api/outbound/in-transmission',
      handle: guarded('status', () => ({
        status: 200,
        body: [...state.transactions.values()]
          .filter((row) => row.status === 'sending' || row.status === 'failed')
          .map((row) => view(row, state)),
      })),
    },
    {
      method: 'get',
      path: '/api/ops/inbound/history',
      handle: guarded('inbound', () => ({
        status: 200,
        body: state.inbound.toReversed().map(inboundView),
      })),
    },
    {
      method: 'get',
      path: '/api/ops/inbound/:id/payload',
      handle: guarded('inbound', ({ params }) => {
        const found = state.inbound.find((row) => row.id === params.id);
        return found === undefined ? { status: 404 } : { status: 200, body: found.xml };
      }),
    },
  ];
}

const bad = (text: string): Reply => ({ status: 400, body: JSON.stringify(text) });

function submit({ params, query, body }: Call, state: SimulatorState): Reply {
  if (!state.switches.isSendingEnabled) return { status: 404 };
  const parts = (['sender', 'receiver', 'documentType', 'process'] as const).map((name) => ({
    name,
    id: readIdentifier(params[name]),
  }));
  const unreadable = parts.find((part) => part.id === undefined);
  if (unreadable !== undefined) {
    return bad(`Failed to parse the ${unreadable.name} ID '${params[unreadable.name]}'`);
  }
  const [sender, receiver, documentType, process] = parts.map((part) => part.id) as [
    Identifier,
    Identifier,
    Identifier,
    Identifier,
  ];
  const message: Message = {
    instanceId: query.get('sbdhInstanceID') ?? state.uuid(),
    sender,
    receiver,
    documentType,
    process,
    countryC1: params.countryC1 ?? '',
  };
  const fault = addressFault(message);
  if (fault !== undefined) return bad(fault);
  return takeDocument(message, body.toString('utf8'), state);
}

function takeDocument(message: Message, xml: string, state: SimulatorState): Reply {
  const notAccepted = (text: string): Reply => ({ status: 422, body: JSON.stringify(text) });
  // The instance id must be unique; the message is the same for every reason.
  if (state.transactions.has(message.instanceId)) {
    return notAccepted('Failed to submit outbound transaction');
  }
  const root = readTree(xml);
  const problem = 'fault' in root ? root.fault : documentFault(root, message);
  if (problem !== undefined) {
    return notAccepted(`Failed to submit outbound transaction: ${problem}`);
  }
  const transaction: Transaction = {
    id: state.uuid(),
    message,
    xml,
    createdAt: state.clock.now(),
    status: 'sending',
    tries: 0,
    completedAt: undefined,
    nextRetryAt: undefined,
    errorDetails: undefined,
  };
  state.transactions.set(message.instanceId, transaction);
  const unreachable = lookupFault(message, state);
  if (unreachable !== undefined) {
    transaction.status = 'permanently_failed';
    transaction.errorDetails = describe(unreachable);
    return { status: 422, body: sendingReport(message, unreachable, state) };
  }
  const result = state.send(transaction);
  const status = result.sendingResult === 'SUCCESS' ? 200 : 422;
  return { status, body: sendingReport(message, result, state) };
}

function describe(fault: Record<string, unknown>): string {
  const exception = fault.lookupException as { message?: string } | undefined;
  return exception?.message ?? `certificate of the receiver: ${String(fault.c3CertCheckResult)}`;
}

function view(transaction: Transaction, state: SimulatorState): Record<string, unknown> {
  const { message, status } = transaction;
  return {
    id: transaction.id,
    transactionType: 'business_document',
    senderID: write(message.sender),
    receiverID: write(message.receiver),
    docTypeID: write(message.documentType),
    processID: write(message.process),
    sbdhInstanceID: message.instanceId,
    status,
    attemptCount: transaction.tries,
    createdDT: transaction.createdAt.toISOString(),
    completedDT: transaction.completedAt?.toISOString() ?? null,
    reportingStatus: status === 'sent' ? 'reported' : 'pending',
    nextRetryDT: transaction.nextRetryAt?.toISOString() ?? null,
    errorDetails: transaction.errorDetails ?? null,
    mlsStatus: state.mlsStatus(message.instanceId),
    custom1: null,
    custom2: null,
    custom3: null,
  };
}

function inboundView(inbound: Inbound): Record<string, unknown> {
  return {
    id: inbound.id,
    senderID: inbound.sender,
    receiverID: inbound.receiver,
    docTypeID: inbound.documentType,
    sbdhInstanceID: inbound.instanceId,
    status: 'received',
    receivedDT: inbound.at.toISOString(),
  };
}
