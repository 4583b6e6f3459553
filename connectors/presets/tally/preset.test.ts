import { presetSuite } from '../contract.suite.ts';
import { example } from './example.ts';
import { tally } from './preset.ts';

presetSuite(tally, example);
