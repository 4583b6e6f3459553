import { build } from '@drawbridge/binding/json/build.ts';
import { emit } from '@drawbridge/binding/xml/emit.ts';
import { type CimObject, groupsOf, textOf, withDefaults } from '@drawbridge/cim/json.ts';
import type { Clearance, ClearanceDocument, ClearanceStep, DocumentType } from '../contract.ts';
import { toMyInvois } from './myinvois.ts';
import { myinvoisBinding } from './myinvois-table.ts';

/** UNCL1001 938: the document reference that carries LHDN's unique identifier (BTMY-001). */
const clearedDocument = '938';

/** Clearance by LHDN: writes LHDN's document of a CIM and puts LHDN's identifier into the CIM. */
export const clearance: ClearanceStep = {
  authority: 'myinvois',
  stamp: withIssueTime,
  document,
  embed,
};

/**
 * LHDN's document. The same CIM gives the same bytes, because the instant of issue is in the CIM.
 */
function document(cim: CimObject, type: DocumentType): ClearanceDocument {
  const translated = toMyInvois(cim, type);
  if (translated.missing.length > 0) return { kind: 'incomplete', missing: translated.missing };
  const built = build(myinvoisBinding, translated.document);
  if (built.issues.length > 0) return { kind: 'incomplete', missing: built.issues };
  return { kind: 'emitted', xml: emit(myinvoisBinding, built.root) };
}

/**
 * Adds the identifier, the link and the instant (UTC) of validation to the CIM; replaces earlier
 * ones.
 */
function embed(cim: CimObject, granted: Clearance): CimObject {
  const others = groupsOf(cim.documents).filter(
    (each) => textOf(each.type_code) !== clearedDocument,
  );
  const instant = new Date(granted.clearedAt).toISOString();
  const cleared = withDefaults(
    { id: granted.uin, type_code: clearedDocument },
    {
      url: granted.validationUrl,
      validation_date: instant.slice(0, 10),
      validation_time: `${instant.slice(11, 19)}Z`,
    },
  );
  return { ...cim, documents: [...others, cleared] };
}

/**
 * Adds an issue time when the source has none: `at` in Malaysian time if the issue date is that
 * day, otherwise the last second of the issue date. Called once, before the first emission.
 */
export function withIssueTime(cim: CimObject, at: Date): CimObject {
  const local = new Date(at.getTime() + 8 * 3_600_000).toISOString();
  const isToday = textOf(cim.issue_date) === local.slice(0, 10);
  const time = isToday ? local.slice(11, 19) : '23:59:59';
  return withDefaults(cim, { issue_time: `${time}+08:00` });
}
