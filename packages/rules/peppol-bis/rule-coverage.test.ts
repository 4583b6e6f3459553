import { ruleCoverageSuite } from '../rule-coverage.suite.ts';
import { peppolBis, peppolBisSelfBilling } from './rule-set.ts';

ruleCoverageSuite('Peppol BIS Billing', 'BIS-3.0/schematron/PEPPOL-EN16931-UBL.sch', peppolBis);
ruleCoverageSuite(
  'Peppol BIS Self-Billing',
  'BIS-3.0/schematron/PEPPOL-EN16931-UBL-SB.sch',
  peppolBisSelfBilling,
);
