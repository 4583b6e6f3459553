import type { Candidate } from './candidate.ts';
import { byCharge, byCost, byQuantities, byRemainder, bySign, bySums } from './evidence/amounts.ts';
import {
  byBooksName,
  byCents,
  byCurrencies,
  byCurrencySign,
  byExchangeRate,
  byMoney,
} from './evidence/currencies.ts';
import { byOwnNumber, byPosition, byReference, byTable } from './evidence/documents.ts';
import { byItem, byItemCode, byLineText, byLongText, byUnit } from './evidence/items.ts';
import {
  byAddressLines,
  byDelivery,
  byNames,
  byOwner,
  byParty,
  byPlaceOfDocument,
  bySeller,
  byTaxpayers,
} from './evidence/parties.ts';
import { byMeansOfPayment, byPrepayment, byTerms } from './evidence/payment.ts';
import { byOrder, byReferenceOfBuyer } from './evidence/references.ts';
import type { CandidateEvidence, Rule } from './evidence/rule.ts';
import {
  byRatesBeside,
  byRateValues,
  byTaxCodes,
  byTaxGiven,
  byTaxRows,
  byTaxSeen,
} from './evidence/taxes.ts';
import { byFilling, byJsonObjects, byMarks, byPointer } from './evidence/values.ts';

/** Each judges what the ones before have left, so that their order matters. */
const rules: readonly Rule[] = [
  byTable,
  byPosition,
  byReference,
  byOwner,
  byParty,
  byItem,
  byRemainder,
  byFilling,
  byMarks,
  byJsonObjects,
  byTaxRows,
  byTaxSeen,
  byRatesBeside,
  byPointer,
  byTerms,
  byMeansOfPayment,
  byPrepayment,
  byReferenceOfBuyer,
  byOrder,
  byItemCode,
  byLineText,
  byLongText,
  byUnit,
  byDelivery,
  byBooksName,
  byCurrencySign,
  byExchangeRate,
  byRateValues,
  byTaxCodes,
  byOwnNumber,
  byCurrencies,
  byPlaceOfDocument,
  byAddressLines,
  byTaxGiven,
  byTaxpayers,
  bySeller,
  byNames,
  byCharge,
  byCost,
  byQuantities,
  bySums,
  byMoney,
  byCents,
  bySign,
];

/** The candidate with what its values and the sums say; none when they refute it. */
export function adjusted(candidate: Candidate, evidence: CandidateEvidence): readonly Candidate[] {
  let each: Candidate | undefined = candidate;
  for (const rule of rules) {
    each = rule(each, evidence);
    if (each === undefined) return [];
  }
  return [each];
}
