import { type ParseFault, parse } from '@drawbridge/binding/xml/parse.ts';
import type { CimObject } from '@drawbridge/cim/json.ts';
import type { DocumentType, Profile } from '@drawbridge/profiles/contract.ts';
import { type Report, Validator } from '@drawbridge/validation/validate.ts';
import { type Failed, failed } from '../outcome.ts';

export type ValidatedDocument =
  | { readonly kind: 'judged'; readonly type: DocumentType; readonly report: Report }
  | Failed;

/**
 * The report on a document in UBL XML or in the JSON form of the CIM, which is completed first
 * when asked for.
 */
export function validateDocument(
  bytes: Uint8Array,
  profile: Profile,
  isCompleted: boolean,
): ValidatedDocument {
  const opening = new TextDecoder().decode(bytes.subarray(0, openingMax)).trimStart()[0];
  if (opening === undefined) return unreadable('The document is empty.');
  if (opening === '{' || opening === '[') return validateJson(bytes, profile, isCompleted);
  if (isCompleted) {
    return failed('usage', '--complete is for a JSON document: XML is judged as it is.');
  }
  return validateXml(bytes, profile);
}

/** How many bytes are searched for the first character. */
const openingMax = 1_024;

function validateXml(bytes: Uint8Array, profile: Profile): ValidatedDocument {
  const { bindings } = profile;
  const parsed = parse(Object.values(bindings), bytes);
  if (parsed.kind === 'refused') return unreadable(faultText(parsed.fault));
  const xml = new TextDecoder().decode(bytes);
  const report = new Validator().validateDocument(profile, { ...parsed, xml });
  const type = parsed.binding === bindings.invoice ? 'invoice' : 'credit-note';
  return { kind: 'judged', type, report };
}

function validateJson(
  bytes: Uint8Array,
  profile: Profile,
  isCompleted: boolean,
): ValidatedDocument {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    // A SyntaxError, a RangeError when nested too deep, or a TypeError when it is not UTF-8.
    return unreadable(`The document is not JSON: ${(error as Error).message}.`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return unreadable('The JSON is not one invoice: it must be an object.');
  }
  const cim = json as CimObject;
  const { type, ...report } = new Validator().validate(
    profile,
    isCompleted ? profile.complete(cim) : cim,
  );
  return { kind: 'judged', type, report };
}

function faultText({ message, line, column }: ParseFault): string {
  return line === undefined ? message : `${message} (line ${line}, column ${column})`;
}

function unreadable(cause: string): Failed {
  return failed('document_unreadable', cause);
}
