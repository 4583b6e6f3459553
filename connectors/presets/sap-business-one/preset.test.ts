import { presetSuite } from '../contract.suite.ts';
import { example } from './example.ts';
import { sapBusinessOne } from './preset.ts';

presetSuite(sapBusinessOne, example);
