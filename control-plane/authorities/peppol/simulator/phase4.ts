import type { Call, Endpoint, Reply } from '../../../simulation/server.ts';
import { addressFault, type Message, readEnvelope, readIdentifier } from './message.ts';
import { lookupFault, sendingReport } from './report.ts';
import type { SimulatorState } from './state.ts';

/**
 * The paths of phase4-peppol-standalone, which answers 200 for every outcome and stores nothing.
 */
export function phase4Endpoints(state: SimulatorState): readonly Endpoint[] {
  const guarded =
    (name: string, handle: (call: Call) => Reply) =>
    (call: Call): Reply => {
      if (call.headers['x-token'] !== state.switches.token) return { status: 403 };
      if (!state.switches.isSendingEnabled) return { status: 404 };
      state.settle();
      return state.faults.around(name, () => handle(call));
    };
  return [
    {
      method: 'post',
      path: '/sendas4/:sender/:receiver/:documentType/:process/:countryC1',
      handle: guarded('sendas4', (call) => sendDocument(call, state)),
    },
    {
      method: 'post',
      path: '/sendsbdh',
      handle: guarded('sendsbdh', (call) => sendEnvelope(call, state)),
    },
  ];
}

function sendDocument({ params, body }: Call, state: SimulatorState): Reply {
  const nothing = { scheme: '', value: '' };
  // A new instance id at every call: two tries of one invoice are two messages here.
  const message: Message = {
    instanceId: state.uuid(),
    sender: readIdentifier(params.sender) ?? nothing,
    receiver: readIdentifier(params.receiver) ?? nothing,
    documentType: readIdentifier(params.documentType) ?? nothing,
    process: readIdentifier(params.process) ?? nothing,
    countryC1: params.countryC1 ?? '',
  };
  return { status: 200, body: transmit(message, body.toString('utf8'), state) };
}

function sendEnvelope({ body }: Call, state: SimulatorState): Reply {
  const xml = body.toString('utf8');
  const read = readEnvelope(xml);
  if ('fault' in read) {
    const report = {
      currentDateTimeUTC: state.clock.now().toISOString(),
      sbdhParsingException: { class: 'PeppolSBDHDataReadException', message: read.fault },
      sendingSuccess: false,
      overallSuccess: false,
    };
    return { status: 200, body: report };
  }
  // The receiver sees the business document without the envelope of the try.
  const headerEnd = '</StandardBusinessDocumentHeader>';
  const payload = xml.slice(
    xml.indexOf(headerEnd) + headerEnd.length,
    xml.lastIndexOf('</StandardBusinessDocument>'),
  );
  return { status: 200, body: transmit(read.message, payload, state) };
}

function transmit(message: Message, xml: string, state: SimulatorState): Record<string, unknown> {
  const fault = addressFault(message);
  if (fault !== undefined) {
    const result = { sendingResult: 'INVALID_PARAMETERS', arrives: false };
    return sendingReport(message, result, state);
  }
  const unreachable = lookupFault(message, state);
  return sendingReport(message, unreachable ?? state.attempt(message, xml), state);
}
