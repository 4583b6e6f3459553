import type { Channel } from '@drawbridge/messaging/message.ts';
import { faultOf } from '../../platform/db/errors.ts';
import { fail } from '../errors.ts';
import type { TemplateRow } from './store.ts';

/** The template, where it is one of the channel; throws `template_not_found`. */
export function requireTemplate(
  row: TemplateRow | undefined,
  channel: Channel,
  id: string,
): TemplateRow {
  if (row?.channel === channel) return row;
  throw fail('template_not_found', `There is no template "${id}" on this channel.`);
}

/** Throws `template_exists` for a fault of the database that means it. */
export function nameTaken(error: unknown): never {
  if (faultOf(error).code !== 'duplicate') throw error;
  throw fail('template_exists', 'A template with this name and language already exists.');
}
