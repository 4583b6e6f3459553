import { pageTexts } from './language.ts';

/** Names of the channels, as people know them. */
export const useChannelTexts = pageTexts('channels', {
  en: { wa: 'WhatsApp', sms: 'SMS', botchat: 'Bot chat', rcs: 'RCS', voice: 'Call' },
  ar: { wa: 'واتساب', sms: 'رسالة نصية', botchat: 'محادثة آلية', rcs: 'RCS', voice: 'مكالمة' },
  ms: { wa: 'WhatsApp', sms: 'SMS', botchat: 'Sembang bot', rcs: 'RCS', voice: 'Panggilan' },
});
