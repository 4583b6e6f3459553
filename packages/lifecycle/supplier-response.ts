/** What a buyer may answer a supplier, in words, with the codes of UNCL4343 that Peppol takes. */
export const responseCodes = {
  received: 'AB',
  in_process: 'IP',
  under_query: 'UQ',
  conditionally_accepted: 'CA',
  rejected: 'RE',
  accepted: 'AP',
  paid: 'PD',
} as const;

export type ResponseStatus = keyof typeof responseCodes;

export const responseStatuses = Object.keys(responseCodes) as [ResponseStatus, ...ResponseStatus[]];

/** Why (OPStatusReason), with what each code means. */
export const responseReasons = {
  NON: 'no issue',
  REF: 'references are wrong',
  LEG: 'legal information is wrong',
  REC: 'the receiver is unknown',
  QUA: 'the quality is insufficient',
  DEL: 'the delivery has problems',
  PRI: 'prices are wrong',
  QTY: 'quantities are wrong',
  ITM: 'items are wrong',
  PAY: 'payment terms are wrong',
  UNR: 'the invoice is not recognised',
  FIN: 'finance terms are wrong',
  PPD: 'partially paid',
  OTH: 'other',
} as const;

/** What the supplier is asked to do (OPStatusAction), with what each code means. */
export const responseActions = {
  NOA: 'nothing',
  PIN: 'provide information',
  NIN: 'issue a new invoice',
  CNF: 'issue a credit note in full',
  CNP: 'issue a credit note in part',
  CNA: 'issue a credit note for the amount',
  OTH: 'other',
} as const;

export type ResponseReason = keyof typeof responseReasons;
export type ResponseAction = keyof typeof responseActions;

/** A code with a text that explains it. */
interface Clarification<Code extends string> {
  readonly code: Code;
  readonly text?: string | undefined;
}

/** An answer to a supplier. */
export interface SupplierAnswer {
  readonly status: ResponseStatus;
  readonly reasons: readonly Clarification<ResponseReason>[];
  readonly actions: readonly Clarification<ResponseAction>[];
  readonly note?: string | undefined;
}

/** How far each answer goes: a later one is no step back. */
const ranks: Readonly<Record<ResponseStatus, number>> = {
  received: 0,
  in_process: 1,
  under_query: 1,
  conditionally_accepted: 2,
  rejected: 3,
  accepted: 3,
  paid: 4,
};

/** Why the answer cannot follow the last one, as a sentence; undefined when it can. */
export function cannotFollow(last: ResponseStatus, next: ResponseStatus): string | undefined {
  if (last === 'rejected' || last === 'paid')
    return `The supplier was told "${last}", which is final.`;
  if (last === 'accepted' && next !== 'paid') {
    return 'The supplier was told "accepted"; only "paid" may follow.';
  }
  return ranks[next] >= ranks[last]
    ? undefined
    : `The supplier was told "${last}"; "${next}" would be a step back.`;
}

/** What an answer lacks by the rules of Peppol's Invoice Response, as a sentence for each field. */
export function problemsOf({ status, reasons, actions }: SupplierAnswer): Record<string, string> {
  const needsReason = ['rejected', 'under_query', 'conditionally_accepted'].includes(status);
  const isClarified = reasons.length + actions.length > 0;
  const isPartlyPaid = reasons.some(({ code }) => code === 'PPD');
  const isUnexplained = [...reasons, ...actions].some(
    ({ code, text }) => (code === 'OTH' || code === 'PPD') && !text,
  );
  return {
    ...(needsReason && !isClarified && { reasons: `needs at least one with "${status}"` }),
    ...(isPartlyPaid && status !== 'paid' && { reasons: 'may hold PPD only with "paid"' }),
    ...(isUnexplained && { text: 'is missing beside OTH or PPD' }),
  };
}

/** The answer as one text of a limited length, for authorities that take no codes. */
export function reasonText({ reasons, note }: SupplierAnswer, lengthMax: number): string {
  const texts = reasons.map(({ code, text }) => text ?? responseReasons[code]);
  const whole = [...texts, ...(note === undefined ? [] : [note])].join('; ');
  return whole.length <= lengthMax ? whole : `${whole.slice(0, lengthMax - 1).toWellFormed()}…`;
}
