import { presetSuite } from '../contract.suite.ts';
import { example } from './example.ts';
import { dynamicsNav } from './preset.ts';

presetSuite(dynamicsNav, example);
