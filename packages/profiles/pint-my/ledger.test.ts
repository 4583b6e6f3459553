import { ledgerSuite } from '@drawbridge/rules/ledger.suite.ts';
import { pintMy, pintMySelfBilling } from './rules.ts';

const file = 'PINT-jurisdiction-aligned-rules.sch';
ledgerSuite('PINT-MY', `PINT-MY/schematron/billing/${file}`, pintMy);
ledgerSuite('PINT-MY-SB', `PINT-MY/schematron/selfbilling/${file}`, pintMySelfBilling);
