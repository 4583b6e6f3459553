import { presetSuite } from '../contract.suite.ts';
import { example } from './example.ts';
import { frontaccounting } from './preset.ts';

presetSuite(frontaccounting, example);
