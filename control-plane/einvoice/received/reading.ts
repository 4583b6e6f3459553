import { view } from '@drawbridge/binding/json/view.ts';
import { parse } from '@drawbridge/binding/xml/parse.ts';
import { type Draft, draftOf } from '@drawbridge/cim/draft.ts';
import { type CimObject, groupOf, groupsOf, textOf } from '@drawbridge/cim/json.ts';
import type { Checks } from '@drawbridge/lifecycle/transitions.ts';
import { statedProfile } from '@drawbridge/profiles/stated-profile.ts';
import { bindings } from '@drawbridge/profiles/ubl.ts';
import type { InvoiceError } from '@drawbridge/validation/source/verdict.ts';
import type { Finding, Validator } from '@drawbridge/validation/validate.ts';
import type { AnswerTo } from './store.ts';

/** What a document that came in says, and what its profile's rules say of it. */
export type ReceivedReading =
  | {
      readonly kind: 'read';
      /** Null when it states none that is known here: then no rules were run. */
      readonly profile: string | null;
      readonly checks: Checks;
      readonly errors: readonly InvoiceError[];
      readonly warnings: readonly InvoiceError[];
      readonly draft: Draft;
      /** How its supplier is answered. */
      readonly answerTo: AnswerTo;
      /** The identifier of the authority that has cleared it, where it names one. */
      readonly clearanceId?: string;
    }
  /** It is no invoice that an ERP could take. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** The longest number and id of a supplier: documents are found by them, and an index takes no long text. */
const identifierMax = 200;
/** Types of MyInvois whose root is an invoice though money goes back: credit and refund notes. */
const creditNoteCodes = ['02', '04'];
/** UNCL1001 codes, and types of MyInvois, of what the customer issues for the seller. */
const selfBilledCodes = ['389', '261', '527', '11', '12', '13', '14'];
const skipped: Checks = { schema: 'skipped', business_rules: 'skipped' };

/** Reads a UBL invoice or credit note, and judges it by the rules of the profile that it states. */
export function readReceived(validator: Validator, xml: string): ReceivedReading {
  const parsed = parse(Object.values(bindings), xml);
  if (parsed.kind !== 'parsed') {
    const { message, line, column } = parsed.fault;
    const place = line === undefined ? '' : ` (line ${line}, column ${column})`;
    return { kind: 'unreadable', reason: `${message}${place}` };
  }
  const cim = view(parsed.root);
  const typeCode = textOf(cim.type_code) ?? '';
  if (selfBilledCodes.includes(typeCode)) {
    const reason = `It is self-billed (type ${typeCode}): a customer has issued it for what you sold. It is no purchase.`;
    return { kind: 'unreadable', reason };
  }
  const isCredit = parsed.binding === bindings['credit-note'] || creditNoteCodes.includes(typeCode);
  const drafted = draftOf(cim, isCredit ? 'credit-note' : 'invoice');
  if (drafted.kind === 'incomplete') {
    const reason = `It has no ${drafted.missing.join(', ')}, without which it is no invoice.`;
    return { kind: 'unreadable', reason };
  }
  const { draft } = drafted;
  if ([draft.number, draft.supplierId].some(({ length }) => length > identifierMax)) {
    const reason = `Its number, or the id of its supplier, has more than ${identifierMax} characters.`;
    return { kind: 'unreadable', reason };
  }
  const clearanceId = clearanceIdOf(cim);
  const said = {
    draft,
    answerTo: answerToOf(cim, draft),
    ...(clearanceId === undefined ? {} : { clearanceId }),
  };
  const profile = statedProfile(cim);
  if (profile === undefined) {
    return {
      kind: 'read',
      profile: null,
      checks: skipped,
      errors: [],
      warnings: [],
      ...said,
    };
  }
  const report = validator.validateDocument(profile, { ...parsed, xml });
  const { schema, business_rules } = report;
  return {
    kind: 'read',
    profile: profile.id,
    checks: { schema, business_rules },
    errors: report.errors.slice(0, findingsMax).map(withoutPath),
    warnings: report.warnings.slice(0, findingsMax).map(withoutPath),
    ...said,
  };
}

/** A UBL document as the canonical model; undefined when it cannot be read. */
export function readCim(xml: string): CimObject | undefined {
  const parsed = parse(Object.values(bindings), xml);
  return parsed.kind === 'parsed' ? view(parsed.root) : undefined;
}

/** UNCL1001 938: the reference that carries the identifier of LHDN (BTMY-001). */
const clearedDocument = '938';

function clearanceIdOf(cim: CimObject): string | undefined {
  const cleared = groupsOf(cim.documents).find(
    ({ type_code: code }) => textOf(code) === clearedDocument,
  );
  const id = textOf(cleared?.id);
  return id !== undefined && id.length <= identifierMax ? id : undefined;
}

function answerToOf(cim: CimObject, draft: Draft): AnswerTo {
  const [seller, buyer] = [groupOf(cim.seller), groupOf(cim.buyer)];
  const [scheme, id] = [textOf(seller?.endpoint_scheme), textOf(seller?.endpoint)];
  const country = textOf(groupOf(buyer?.address)?.country);
  const code = textOf(cim.type_code);
  return {
    ...(scheme && id && { supplier: { scheme, id, name: draft.supplierName } }),
    ...(draft.buyerName !== undefined && { buyer: { name: draft.buyerName } }),
    ...(country && { country }),
    ...(code && { type_code: code }),
  };
}

/** Findings that are kept of one document of each severity. */
const findingsMax = 100;

function withoutPath({ path: _, ...error }: Finding): InvoiceError {
  return error;
}
