import { ledgerSuite } from '@drawbridge/rules/ledger.suite.ts';
import { pintAe, pintAeSelfBilling } from './rules.ts';

const file = 'PINT-jurisdiction-aligned-rules.sch';
ledgerSuite('PINT-AE', `PINT-AE/schematron/billing/${file}`, pintAe);
ledgerSuite('PINT-AE-SB', `PINT-AE/schematron/selfbilling/${file}`, pintAeSelfBilling);
