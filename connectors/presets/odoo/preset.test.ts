import { presetSuite } from '../contract.suite.ts';
import { example } from './example.ts';
import { odoo } from './preset.ts';

presetSuite(odoo, example);
