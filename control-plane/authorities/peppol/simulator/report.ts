import { type Message, write } from './message.ts';
import type { TryResult } from './receivers.ts';
import type { SimulatorState } from './state.ts';

/** The fault of the SMP look-up before any try; undefined when the receiver can be addressed. */
export function lookupFault(
  message: Message,
  state: SimulatorState,
): Record<string, unknown> | undefined {
  switch (state.behaviourOf(message.receiver.value)) {
    case 'unregistered':
      return {
        lookupError: true,
        lookupException: {
          class: 'SMPDNSResolutionException',
          message: `The participant ID '${write(message.receiver)}' is not registered in Peppol`,
        },
      };
    case 'wrong-document-type':
      return {
        lookupError: true,
        lookupException: {
          class: 'Phase4SMPException',
          message: 'Document type and process: no such endpoint found in SMP for the receiver',
        },
      };
    case 'expired-certificate':
      return {
        c3EndpointUrl: 'https://c3.example/as4',
        c3CertSubjectCN: 'POP000002',
        c3CertCheckResult: 'EXPIRED',
      };
    default:
      return undefined;
  }
}

/** A phase4 sending report on a try, or on the look-up before it. */
export function sendingReport(
  message: Message,
  outcome: TryResult | Record<string, unknown>,
  state: SimulatorState,
): Record<string, unknown> {
  const now = state.clock.now().toISOString();
  const base = {
    currentDateTimeUTC: now,
    phase4Version: 'simulated',
    smlDnsZone: 'participant.sml.test.tech.peppol.org.',
    senderId: write(message.sender),
    receiverId: write(message.receiver),
    docTypeId: write(message.documentType),
    docTypeIdInCodeList: true,
    processId: write(message.process),
    processIdInCodeList: true,
    countryC1: message.countryC1,
    senderPartyId: 'POP000001',
    transportProfileId: 'peppol-transport-as4-v2_0',
    sbdhInstanceIdentifier: message.instanceId,
    overallDurationMillis: 12,
  };
  if (!isTry(outcome)) return { ...base, ...outcome, sendingSuccess: false, overallSuccess: false };
  const isSuccess = outcome.sendingResult === 'SUCCESS';
  const as4MessageId = `${state.uuid()}@phase4`;
  return {
    ...base,
    c3EndpointUrl: 'https://c3.example/as4',
    c3CertSubjectCN: 'POP000002',
    c3CertCheckResult: 'VALID',
    as4MessageId,
    as4ConversationId: 'phase4@Conv1',
    as4SendingDateTime: now,
    sendingResult: outcome.sendingResult,
    as4ResponseError: outcome.detail !== undefined,
    ...(outcome.detail === undefined
      ? {}
      : { as4ResponseErrors: [as4Error(outcome.detail, as4MessageId)] }),
    sendingSuccess: isSuccess,
    overallSuccess: isSuccess,
  };
}

function isTry(outcome: TryResult | Record<string, unknown>): outcome is TryResult {
  return 'sendingResult' in outcome;
}

function as4Error(detail: string, refToMessageInError: string): Record<string, unknown> {
  return {
    description: 'An undefined error occurred.',
    errorDetails: detail,
    category: 'Content',
    refToMessageInError,
    errorCode: 'EBMS:0004',
    severity: 'failure',
    shortDescription: 'Other',
  };
}
