import { profileSuite } from '../contract.suite.ts';
import { creditNote, invoice } from './example.ts';
import { profile } from './profile.ts';

profileSuite(profile, {
  invoice,
  'credit note': creditNote,
});
