import { presetSuite } from '../contract.suite.ts';
import { example } from './example.ts';
import { erpnext } from './preset.ts';

presetSuite(erpnext, example);
