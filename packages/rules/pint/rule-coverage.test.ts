import { ruleCoverageSuite } from '../rule-coverage.suite.ts';
import { pint } from './rule-set.ts';

for (const profile of ['PINT-AE', 'PINT-MY']) {
  for (const process of ['billing', 'selfbilling']) {
    const file = `${profile}/schematron/${process}/PINT-UBL-validation-preprocessed.sch`;
    ruleCoverageSuite(`PINT in ${profile} ${process}`, file, pint);
  }
}
