/** What networks tell beside messages and reports: consents, templates, new addresses. */
import type { Tx } from '../../platform/db/tx.ts';
import { addEvents } from '../../webhooks/store.ts';
import { recordConsent } from '../contacts/consents.ts';
import { tellConsent, tellContact } from '../contacts/events.ts';
import { findContact, type Place } from '../contacts/store.ts';
import { noteTemplate, type TemplateChange } from '../templates/store.ts';
import { eventOf } from './events.ts';
import type { IntakeContext } from './intake.ts';
import type { Item } from './judgement.ts';
import { addressOf, contactOf } from './people.ts';
import { addIdentifier, changeAddress } from './people-store.ts';
import { block, meet } from './store.ts';

export async function heedConsents(
  tx: Tx,
  context: IntakeContext,
  place: Place,
  items: readonly Item<'consent'>[],
): Promise<void> {
  const { clock } = context;
  for (const { opened, event } of items) {
    const { channel, id: appId } = opened.row;
    const address = addressOf(event.person);
    const state = event.change === 'stop' ? 'revoked' : 'granted';
    if (opened.channel.access === 'started') {
      if (state === 'revoked') await block(tx, place, appId, address, clock());
      else await meet(tx, place, [{ app_id: appId, address, channel, at: clock() }]);
    }
    const said = { channel, address, state, source: 'network', recorded_by: null } as const;
    const note = event.scope === 'marketing' ? 'marketing' : null;
    await recordConsent(tx, place, context, { ...said, note });
    const news = { channel, address, source: 'network', scope: event.scope };
    await tellConsent(tx, place, context, state, news);
  }
}

export async function heedIdentities(
  tx: Tx,
  context: IntakeContext,
  place: Place,
  items: readonly Item<'identity'>[],
): Promise<void> {
  for (const { opened, event } of items) {
    const { channel, id: appId } = opened.row;
    const contactId = await contactOf(tx, place, channel, event.from, context);
    const { userId } = event.to;
    if (userId !== undefined) await addIdentifier(tx, place, contactId, channel, userId);
    const [from, to] = [addressOf(event.from), addressOf(event.to)];
    if (from !== to) await changeAddress(tx, place, { appId, contactId, from, to });
    const { name, phone } = (await findContact(tx, place, contactId))!;
    const changed = ['phone', 'channel_identifiers'];
    const news = { id: contactId, name, phone, channel, changed, source: 'network' };
    await tellContact(tx, place, context, 'updated', news);
  }
}

export async function heedTemplates(
  tx: Tx,
  context: IntakeContext,
  place: Place,
  items: readonly Item<'template'>[],
): Promise<void> {
  const { clock } = context;
  for (const { opened, event } of items) {
    const { name, language, templateId } = event;
    const by = { channel: opened.row.channel, name, language };
    const news = {
      provider_id: templateId,
      status: event.status ?? null,
      category: event.category ?? null,
      quality: event.quality ?? null,
      reason: event.reason ?? null,
    };
    const change = await noteTemplate(tx, place, by, news, clock());
    if (change !== undefined) await tellTemplate(tx, context, place, change);
  }
}

/** Tells customers of what a template has become. */
export async function tellTemplate(
  tx: Tx,
  { clock, random }: Pick<IntakeContext, 'clock' | 'random'>,
  place: Place,
  change: TemplateChange,
): Promise<void> {
  const { id, name, language, status, was, category, category_was, reason } = change;
  const data = { name, language, status, category, reason };
  const isTold = status === 'approved' || status === 'rejected' || status === 'paused';
  const events = [
    ...(isTold && status !== was ? [`template.${status}`] : []),
    ...(category === category_was ? [] : ['template.category_changed']),
  ].map((event) => eventOf(place, event, id, data, clock(), random));
  await addEvents(tx, place.tenantId, events);
}
