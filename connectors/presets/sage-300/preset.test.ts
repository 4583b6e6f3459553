import { presetSuite } from '../contract.suite.ts';
import { example } from './example.ts';
import { sage300 } from './preset.ts';

presetSuite(sage300, example);
