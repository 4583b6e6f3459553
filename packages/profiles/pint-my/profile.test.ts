import { profileSuite } from '../contract.suite.ts';
import { creditNote, foreignInvoice, hotelInvoice, invoice } from './example.ts';
import { profile } from './profile.ts';

profileSuite(profile, {
  invoice,
  'foreign invoice': foreignInvoice,
  'hotel invoice': hotelInvoice,
  'credit note': creditNote,
});
