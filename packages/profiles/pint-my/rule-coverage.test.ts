import { ruleCoverageSuite } from '@drawbridge/rules/rule-coverage.suite.ts';
import { pintMy, pintMySelfBilling } from './rules.ts';

const file = 'PINT-jurisdiction-aligned-rules.sch';
ruleCoverageSuite('PINT-MY', `PINT-MY/schematron/billing/${file}`, pintMy);
ruleCoverageSuite('PINT-MY-SB', `PINT-MY/schematron/selfbilling/${file}`, pintMySelfBilling);
