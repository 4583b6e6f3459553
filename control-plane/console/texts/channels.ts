import { pageTexts } from './language.ts';

/** On which people are written to and called, as filters offer them. */
export const channels = ['wa', 'sms', 'botchat', 'rcs', 'voice'] as const;

/** Names of the channels, as people know them. */
export const useChannelTexts = pageTexts('channels', {
  en: { wa: 'WhatsApp', sms: 'SMS', botchat: 'Bot chat', rcs: 'RCS', voice: 'Call' },
  ar: { wa: 'واتساب', sms: 'رسالة نصية', botchat: 'محادثة آلية', rcs: 'RCS', voice: 'مكالمة' },
  ms: { wa: 'WhatsApp', sms: 'SMS', botchat: 'Sembang bot', rcs: 'RCS', voice: 'Panggilan' },
});
