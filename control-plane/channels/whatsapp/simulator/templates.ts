import { type Call, type Endpoint, jsonObject, type Reply } from '../../../simulation/server.ts';
import type { AppHistory } from '../../simulation/contract.ts';
import { signedIn } from './account.ts';
import { refusal } from './errors.ts';
import type { HeldTemplate, Network } from './network.ts';
import { sendCategory, sendTemplateStatus } from './webhooks.ts';

const templatesMax = 250;
const path = '/:version/:waba/message_templates';

/** `POST|GET|DELETE /{version}/{waba-id}/message_templates` and `POST /{version}/{template-id}` */
export function templateEndpoints(network: Network): readonly Endpoint[] {
  const guarded = (call: Call, work: () => Reply) => signedIn(call, () => inAccount(call, work));
  const inAccount = (call: Call, work: () => Reply): Reply => {
    const isKnown = [...network.numbers.values()].some((each) => each.wabaId === call.params.waba);
    return isKnown ? work() : refusal(100, 'no such account');
  };
  return [
    {
      method: 'post',
      path,
      handle: (call) =>
        network.faults.around('template', () => guarded(call, () => submit(network, call))),
    },
    { method: 'get', path, handle: (call) => guarded(call, () => list(network, call)) },
    {
      method: 'post',
      path: '/:version/:template',
      handle: (call) =>
        network.faults.around('template', () => signedIn(call, () => change(network, call))),
    },
    { method: 'delete', path, handle: (call) => guarded(call, () => remove(network, call)) },
  ];
}

function submit(network: Network, call: Call): Reply {
  const body = jsonObject(call);
  const { name, language, category, components } = body ?? {};
  const isNamed = typeof name === 'string' && /^[a-z0-9_]{1,512}$/.test(name);
  if (!isNamed || typeof language !== 'string' || !Array.isArray(components)) {
    return refusal(100, 'name, language and components are needed');
  }
  if (!/^(AUTHENTICATION|MARKETING|UTILITY)$/.test(String(category))) {
    return refusal(100, 'Param category');
  }
  const wabaId = call.params.waba ?? '';
  if (network.templateOf(wabaId, name, language) !== undefined) {
    return refusal(100, 'There is already content in this language');
  }
  if (network.templatesOf(wabaId).length >= templatesMax)
    return refusal(100, 'Template limit exceeded');
  const fault = bodyFault(components as Record<string, unknown>[]);
  if (fault !== undefined) return refusal(100, fault);
  const word = String(category);
  const row = network.addTemplate(wabaId, name, language, word, 'PENDING', components);
  const { id } = row;
  review(network, row);
  return { status: 200, body: { id, status: 'PENDING', category: word } };
}

const dayMs = 86_400_000;
const changesMax = { day: 1, month: 10 };

/** An approved template keeps its category, and may be changed once a day and ten times in thirty days. */
function change(network: Network, call: Call): Reply {
  const template = network.templateById(call.params.template ?? '');
  if (template === undefined) return refusal(100, 'the object does not exist');
  const { category = template.category, components } = jsonObject(call) ?? {};
  if (!/^(APPROVED|REJECTED|PAUSED)$/.test(template.status)) {
    return refusal(100, 'Only approved, rejected and paused templates can be edited');
  }
  if (!Array.isArray(components)) return refusal(100, 'components are needed');
  if (template.status === 'APPROVED') {
    if (category !== template.category) return refusal(100, 'Category of an approved template');
    const within = (days: number) =>
      template.changes.filter((at) => at > network.now - days * dayMs).length;
    if (within(1) >= changesMax.day || within(30) >= changesMax.month) {
      return refusal(100, 'Message template edit limit reached');
    }
  }
  const fault = bodyFault(components as Record<string, unknown>[]);
  if (fault !== undefined) return refusal(100, fault);
  if (template.status === 'APPROVED') template.changes.push(network.now);
  template.category = String(category);
  template.components = components;
  template.status = 'PENDING';
  review(network, template);
  return { status: 200, body: { success: true } };
}

/** Templates that were submitted before this process began; review of pending ones begins anew. */
export function knowTemplates(
  network: Network,
  wabaId: string,
  templates: AppHistory['templates'],
): void {
  for (const { id, status, submission } of templates) {
    const { name, language, category, components } = submission as HeldTemplate;
    if (network.templateOf(wabaId, name, language) !== undefined) continue;
    const word = status.toUpperCase();
    const row = network.addTemplate(wabaId, name, language, category, word, components, id);
    if (word === 'PENDING') review(network, row);
  }
}

/** The result of review by the end of a template's name, whatever the switch says. */
const fates: Readonly<Record<string, readonly string[]>> = {
  pending: [],
  rejected: ['REJECTED'],
  paused: ['APPROVED', 'PAUSED'],
  disabled: ['APPROVED', 'DISABLED'],
};

/** Magic template names. */
export const magicTemplates: readonly (readonly [string, string])[] = [
  ['template …_pending', 'stays in review'],
  ['template …_rejected', 'rejected'],
  ['template …_paused', 'approved, then paused'],
  ['template …_disabled', 'approved, then disabled'],
  ['template …_recategorised', 'approved, as MARKETING'],
];

function review(network: Network, template: HeldTemplate): void {
  const { review: verdict, reviewMs } = network.rules;
  const end = template.name.split('_').at(-1) ?? '';
  const plain = verdict === 'PENDING' ? [] : [verdict];
  const events = Object.hasOwn(fates, end) ? fates[end]! : plain;
  events.forEach((event, at) => {
    sendTemplateStatus(network, template, event, reviewMs * (at + 1));
  });
  if (end === 'recategorised') sendCategory(network, template, 'MARKETING', reviewMs);
}

function bodyFault(components: readonly Record<string, unknown>[]): string | undefined {
  const body = components.find((each) => each.type === 'BODY');
  if (typeof body?.text !== 'string' || body.text.length > 1_024) return 'Param components.BODY';
  const variables = new Set(body.text.match(/\{\{[^{}]+\}\}/g) ?? []).size;
  const example = body.example as { body_text?: unknown[][]; body_text_named_params?: unknown[] };
  const given = example?.body_text?.[0]?.length ?? example?.body_text_named_params?.length ?? 0;
  return variables === given ? undefined : 'Template variables without sample text';
}

function list(network: Network, { params, query }: Call): Reply {
  const name = query.get('name');
  const rows = network
    .templatesOf(params.waba ?? '')
    .filter((each) => name === null || each.name === name);
  const from = Number(query.get('after') ?? 0);
  const limit = Number(query.get('limit') ?? 25);
  const page = rows.slice(from, from + limit);
  const next = from + limit < rows.length;
  const cursors = { before: String(from), after: String(from + page.length) };
  const paging = next ? { cursors, next: 'https://graph.facebook.com/next' } : { cursors };
  return { status: 200, body: { data: page.map((each) => shown(each, query)), paging } };
}

/** Only the fields that were asked for, and the id. */
function shown({ rejectedReason, ...held }: HeldTemplate, query: URLSearchParams) {
  const { name, language, category, status, components } = held;
  const quality_score = { score: 'UNKNOWN', date: 1_763_600_000 };
  const all = { name, language, category, status, components, quality_score };
  const fields = query.get('fields')?.split(',');
  const given = Object.entries({ ...all, rejected_reason: rejectedReason });
  const asked = given.filter(([field]) => fields?.includes(field) ?? true);
  return { id: held.id, ...Object.fromEntries(asked) };
}

/** Without an id all languages of the name go. */
function remove(network: Network, { params, query }: Call): Reply {
  const [name, id] = [query.get('name'), query.get('hsm_id')];
  const found = network
    .templatesOf(params.waba ?? '')
    .filter((each) => each.name === name && (id === null || each.id === id));
  if (found.length === 0) return refusal(100, 'Message template not found');
  for (const template of found) network.removeTemplate(template);
  return { status: 200, body: { success: true } };
}
