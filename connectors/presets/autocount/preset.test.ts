import { presetSuite } from '../contract.suite.ts';
import { example } from './example.ts';
import { autocount } from './preset.ts';

presetSuite(autocount, example);
