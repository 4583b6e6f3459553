import { ledgerSuite } from '../ledger.suite.ts';
import { peppolBis, peppolBisSelfBilling } from './rule-set.ts';

ledgerSuite('Peppol BIS Billing', 'BIS-3.0/schematron/PEPPOL-EN16931-UBL.sch', peppolBis);
ledgerSuite(
  'Peppol BIS Self-Billing',
  'BIS-3.0/schematron/PEPPOL-EN16931-UBL-SB.sch',
  peppolBisSelfBilling,
);
