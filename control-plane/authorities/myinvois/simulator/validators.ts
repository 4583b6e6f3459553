import { createHash } from 'node:crypto';
import { find, textAt } from '../../../simulation/xml-tree.ts';
import { codes } from './codes.ts';
import { coreFields, finding } from './core-fields.ts';
import { type Finding, isSelfBilled, type Step, type StoredDocument } from './document.ts';
import { type Identities, unknownTin } from './identities.ts';
import { totals } from './totals.ts';

/** What the validators use besides the document. */
export interface Surroundings {
  readonly now: Date;
  readonly submissionHours: number;
  readonly people: Identities;
  /** All documents accepted before this one. */
  readonly earlier: readonly StoredDocument[];
  /**
   * The DS code with which every signed document is refused, e.g. `DS326`; undefined when
   * certificates are valid.
   */
  readonly certificateFault: string | undefined;
}

/** How long a duplicate of a document is refused. */
const duplicateGuardMs = 2 * 3_600_000;

/** All validation steps in the order of the published sample, each with what it finds. */
export function validate(document: StoredDocument, around: Surroundings): readonly Step[] {
  const { root, facts } = document;
  const magic = /-(CF\d{3})$/.exec(facts.number)?.[1];
  return [
    step('Step01-Structure Validator', 'Error01', []),
    step('Step02-Core Fields Validator', 'Error02', [
      ...coreFields(root, document.receivedAt, around.submissionHours),
      ...totals(root),
      ...(magic === undefined
        ? []
        : [finding(magic, '/Invoice/ID', `Refused as asked by the number (${magic}).`)]),
    ]),
    step('Step03-Duplicated Submission Validator', 'Error03', duplicate(document, around)),
    step('Step04-Signature Validator', 'Error04', signature(document, around)),
    step('Step05-Taxpayer Validator', 'Error05', taxpayers(document, around)),
    step('Step06-Referenced Documents Validator', 'Error06', references(document, around)),
    step('Step07-Code Validator', 'Error07', codes(root)),
    step('Step08-Currency Validator', 'Error08', currency(document)),
  ];
}

function step(name: string, outerCode: string, findings: readonly Finding[]): Step {
  return { name, outerCode, findings };
}

/**
 * The key of a duplicate: type and version, instant of issue, number, and supplier (self-billed:
 * buyer).
 */
function duplicateKey({ facts }: StoredDocument): string {
  const owner = isSelfBilled(facts.typeCode) ? facts.buyer.tin : facts.supplier.tin;
  return [facts.typeCode, facts.version, facts.issuedAt.getTime(), facts.number, owner].join('|');
}

function duplicate(document: StoredDocument, { earlier }: Surroundings): readonly Finding[] {
  const key = duplicateKey(document);
  const since = document.receivedAt.getTime() - duplicateGuardMs;
  const first = earlier.find(
    (other) =>
      (other.status === 'Valid' || other.status === 'Submitted') &&
      other.receivedAt.getTime() >= since &&
      duplicateKey(other) === key,
  );
  if (first === undefined) return [];
  const message =
    `Duplicated submitted document with UUID ${document.uuid}: ` +
    `a document with UUID ${first.uuid} where the values of configured attributes match was ` +
    'submitted before.';
  return [finding('DS302', '/Invoice', message, `Dokumen pendua bagi UUID ${first.uuid}.`)];
}

function signature(document: StoredDocument, around: Surroundings): readonly Finding[] {
  if (document.facts.version === '1.0') return [];
  const extension = find(document.root, 'UBLExtensions');
  if (extension === undefined || find(document.root, 'Signature') === undefined) {
    return [finding('DS301', '/Invoice/UBLExtensions', 'Version 1.1 must be signed.')];
  }
  const { certificateFault } = around;
  if (certificateFault === undefined) return [];
  const message =
    certificateFault === 'DS326'
      ? 'The issuer name of the certificate does not match.'
      : 'The certificate is not accepted.';
  return [finding(certificateFault, '/Invoice/UBLExtensions', message)];
}

function taxpayers({ facts }: StoredDocument, { people }: Surroundings): readonly Finding[] {
  const found: Finding[] = [];
  const roles = [
    ['AccountingSupplierParty', facts.supplier],
    ['AccountingCustomerParty', facts.buyer],
  ] as const;
  for (const [role, party] of roles) {
    const path = `/Invoice/${role}/Party/PartyIdentification/ID`;
    const registered = people.taxpayers.get(party.tin);
    if (party.tin === unknownTin) {
      found.push(finding('TP301', path, `TIN ${party.tin} is not registered.`));
    } else if (
      registered !== undefined &&
      (registered.idType !== party.idType || registered.idValue !== party.idValue)
    ) {
      const message = `${party.idType} ${party.idValue} does not belong to TIN ${party.tin}.`;
      found.push(finding('TP302', path, message));
    }
  }
  return found;
}

function references({ facts }: StoredDocument, { earlier }: Surroundings): readonly Finding[] {
  const path = '/Invoice/BillingReference/InvoiceDocumentReference/UUID';
  return facts.references
    .filter((uuid) => !earlier.some((other) => other.uuid === uuid && other.status === 'Valid'))
    .map((uuid) => finding('RD301', path, `No valid document has UUID ${uuid}.`));
}

function currency({ root }: StoredDocument): readonly Finding[] {
  const target = textAt(root, 'TaxExchangeRate/TargetCurrencyCode');
  if (target === '' || target === 'MYR') return [];
  const path = '/Invoice/TaxExchangeRate/TargetCurrencyCode';
  return [finding('CR301', path, 'The rate must lead to MYR.')];
}

/** SHA-256 in hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
