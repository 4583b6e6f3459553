import { ruleCoverageSuite } from '@drawbridge/rules/rule-coverage.suite.ts';
import { pintAe, pintAeSelfBilling } from './rules.ts';

const file = 'PINT-jurisdiction-aligned-rules.sch';
ruleCoverageSuite('PINT-AE', `PINT-AE/schematron/billing/${file}`, pintAe);
ruleCoverageSuite('PINT-AE-SB', `PINT-AE/schematron/selfbilling/${file}`, pintAeSelfBilling);
