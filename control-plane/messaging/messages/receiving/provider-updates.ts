/** Events of networks other than messages and reports: consents, templates, new addresses. */

import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { addEvents } from '../../../webhooks/store.ts';
import { findApp } from '../../apps/store.ts';
import { keepOptOuts, recordPersonConsents } from '../../contacts/consents/person-consents.ts';
import { addContactEvent } from '../../contacts/events.ts';
import { findContact, findContactByAddress, holdContactByAddress } from '../../contacts/store.ts';
import { findTemplatesByName, type TemplateChange, updateTemplate } from '../../templates/store.ts';
import { eventOf } from '../events.ts';
import { blockCorrespondent, recordCorrespondents } from '../store.ts';
import type { IntakeContext } from './intake-context.ts';
import { addAddresses, addressOf } from './sender-contact.ts';
import { changeAddress } from './store.ts';
import type { AppEvent } from './webhook-verdict.ts';

export async function applyConsents(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  items: readonly AppEvent<'consent'>[],
): Promise<void> {
  const { clock } = context;
  for (const { opened, event } of items) {
    const { channel, id: appId } = opened.row;
    const address = addressOf(event.person);
    const state = event.change === 'stop' ? 'revoked' : 'granted';
    if (opened.channel.access === 'started') {
      if (state === 'revoked') await blockCorrespondent(tx, scope, appId, address, clock());
      else
        await recordCorrespondents(tx, scope, [{ app_id: appId, address, channel, at: clock() }]);
    }
    const { phone, userId } = event.person;
    const identifiers = userId === undefined ? [] : [{ channel, external_id: userId }];
    const contactId = await findContactByAddress(tx, scope, phone, identifiers);
    const now = clock();
    const at = event.at === undefined || event.at > now ? now : event.at;
    const said = { contactId, channel, address, state, source: 'network', at } as const;
    const note = event.scope === 'marketing' ? 'marketing' : null;
    await recordPersonConsents(tx, scope, context, [{ ...said, note, scope: event.scope }]);
  }
}

export async function applyIdentityChanges(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  items: readonly AppEvent<'identity'>[],
): Promise<void> {
  for (const { opened, event } of items) {
    const { channel, id: appId } = opened.row;
    const { userId: formerId, phone: formerPhone } = event.from;
    const identifiers = formerId === undefined ? [] : [{ channel, external_id: formerId }];
    const contactId = await holdContactByAddress(tx, scope, formerPhone, identifiers);
    const [from, to] = [addressOf(event.from), addressOf(event.to)];
    if (from !== to) {
      await changeAddress(tx, scope, { appId, contactId, from, to });
      await keepOptOuts(tx, scope, context, { from, to, source: 'network' });
    }
    // Networks tell of a change again and again, and of people whose contact was deleted.
    if (contactId === undefined) continue;
    await addAddresses(tx, scope, contactId, channel, event.to, context);
    const { name, phone } = (await findContact(tx, scope, contactId))!;
    const changed = ['phone', 'channel_identifiers'];
    const update = { id: contactId, name, phone, channel, changed, source: 'network' };
    await addContactEvent(tx, scope, context, 'updated', update);
  }
}

export async function applyTemplateStatuses(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  items: readonly AppEvent<'template'>[],
): Promise<void> {
  const { clock } = context;
  for (const { opened, event } of items) {
    const { name, language, templateId } = event;
    if (await isOfOtherAccount(tx, context, scope, opened, event)) continue;
    const by = { channel: opened.row.channel, name, language };
    const update = {
      provider_id: templateId,
      status: event.status ?? null,
      category: event.category ?? null,
      quality: event.quality ?? null,
      reason: event.reason ?? null,
    };
    const change = await updateTemplate(tx, scope, by, update, clock());
    if (change !== undefined) await announceTemplate(tx, context, scope, change);
  }
}

/** Whether the network means a template of this name that another of the tenant's accounts has. */
async function isOfOtherAccount(
  tx: Tx,
  { appOpener }: IntakeContext,
  scope: TenantScope,
  { row: { channel } }: AppEvent['opened'],
  { name, language, account }: AppEvent<'template'>['event'],
): Promise<boolean> {
  if (account === undefined) return false;
  const [template] = await findTemplatesByName(tx, scope, channel, name, language);
  const app = template?.app_id ? await findApp(tx, scope, template.app_id) : undefined;
  return app !== undefined && appOpener.settingsOf(app).waba_id !== account;
}

/** Adds the events that report a template's new status or category to customers. */
export async function announceTemplate(
  tx: Tx,
  { clock, random }: Pick<IntakeContext, 'clock' | 'random'>,
  scope: TenantScope,
  change: TemplateChange,
): Promise<void> {
  const { id, name, language, status, was, category, category_was, reason } = change;
  const data = { name, language, status, category, reason };
  const told = (['approved', 'rejected', 'paused', 'disabled', 'deleted'] as const).find(
    (each) => each === status && each !== was,
  );
  const events = [
    ...(told === undefined ? [] : [`template.${told}` as const]),
    ...(category === category_was ? [] : ['template.category_changed' as const]),
  ].map((event) => eventOf(scope, event, id, data, clock(), random));
  await addEvents(tx, scope.tenantId, events);
}
