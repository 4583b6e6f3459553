import { invoiceCredits } from './invoice-credits.ts';
import type { Layout } from './layout.ts';
import { ledgerCustomers } from './ledger-customers.ts';
import { movesAndTaxes } from './moves-and-taxes.ts';
import { namesWithSpaces } from './names-with-spaces.ts';
import { postalAddresses } from './postal-addresses.ts';
import { taxEntities } from './tax-entities.ts';

/** Of systems that companies in the Emirates, Malaysia and Europe have, written apart from the proposals. */
export const companySystems: readonly Layout[] = [
  postalAddresses,
  movesAndTaxes,
  taxEntities,
  invoiceCredits,
  ledgerCustomers,
  namesWithSpaces,
];
