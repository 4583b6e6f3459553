import { ruleCoverageSuite } from '../rule-coverage.suite.ts';
import { en16931 } from './rule-set.ts';

ruleCoverageSuite('EN 16931', 'BIS-3.0/schematron/CEN-EN16931-UBL.sch', en16931);
