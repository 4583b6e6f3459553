import type { Channel } from '@drawbridge/messaging/message.ts';

/** The templates of one channel, as its routes name them. */
export interface TemplateKind {
  readonly channel: Channel;
  readonly path: string;
  readonly tag: string;
  /** In operation ids. */
  readonly word: string;
}

/** Its network reviews each template before it may be sent. */
export const reviewed: TemplateKind = {
  channel: 'wa',
  path: '/wa/v1/templates/',
  tag: 'Chat app',
  word: 'WaTemplate',
};
/** Channels whose networks do not review templates: we fill them in ourselves. */
export const own: readonly TemplateKind[] = [
  { channel: 'sms', path: '/sms/v1/templates/', tag: 'SMS', word: 'SmsTemplate' },
  { channel: 'botchat', path: '/botchat/v1/templates/', tag: 'Bot chat', word: 'BotTemplate' },
  { channel: 'rcs', path: '/rcs/v1/templates/', tag: 'RCS', word: 'RcsTemplate' },
];
