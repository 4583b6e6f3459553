import type { Call, Endpoint, Reply } from '../../../simulation/server.ts';
import { addressFault, type Message, readEnvelope, readIdentifier } from './message.ts';
import { lookupFault, sendingReport } from './report.ts';
import type { World } from './world.ts';

/** The paths of phase4-peppol-standalone: 200 whatever comes of it, and no memory of it. */
export function phase4Endpoints(world: World): readonly Endpoint[] {
  const guarded =
    (name: string, handle: (call: Call) => Reply) =>
    (call: Call): Reply => {
      if (call.headers['x-token'] !== world.switches.token) return { status: 403 };
      if (!world.switches.isSendingEnabled) return { status: 404 };
      world.settle();
      return world.faults.around(name, () => handle(call));
    };
  return [
    {
      method: 'post',
      path: '/sendas4/:sender/:receiver/:documentType/:process/:countryC1',
      handle: guarded('sendas4', (call) => sendDocument(call, world)),
    },
    {
      method: 'post',
      path: '/sendsbdh',
      handle: guarded('sendsbdh', (call) => sendEnvelope(call, world)),
    },
  ];
}

function sendDocument({ params, body }: Call, world: World): Reply {
  const nothing = { scheme: '', value: '' };
  // A new instance id at every call: two tries of one invoice are two messages here.
  const message: Message = {
    instanceId: world.uuid(),
    sender: readIdentifier(params.sender) ?? nothing,
    receiver: readIdentifier(params.receiver) ?? nothing,
    documentType: readIdentifier(params.documentType) ?? nothing,
    process: readIdentifier(params.process) ?? nothing,
    countryC1: params.countryC1 ?? '',
  };
  return { status: 200, body: transmit(message, body.toString('utf8'), world) };
}

function sendEnvelope({ body }: Call, world: World): Reply {
  const xml = body.toString('utf8');
  const read = readEnvelope(xml);
  if ('fault' in read) {
    const report = {
      currentDateTimeUTC: world.clock.now().toISOString(),
      sbdhParsingException: { class: 'PeppolSBDHDataReadException', message: read.fault },
      sendingSuccess: false,
      overallSuccess: false,
    };
    return { status: 200, body: report };
  }
  // The receiver sees the business document, whatever envelope a try came in.
  const payload = xml.slice(
    xml.indexOf('</StandardBusinessDocumentHeader>'),
    xml.lastIndexOf('</StandardBusinessDocument>'),
  );
  return { status: 200, body: transmit(read.message, payload, world) };
}

function transmit(message: Message, xml: string, world: World): Record<string, unknown> {
  const fault = addressFault(message);
  if (fault !== undefined) {
    const result = { sendingResult: 'INVALID_PARAMETERS', arrives: false };
    return sendingReport(message, result, world);
  }
  const unreachable = lookupFault(message, world);
  return sendingReport(message, unreachable ?? world.attempt(message, xml), world);
}
