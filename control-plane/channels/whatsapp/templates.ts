import {
  type Template,
  type TemplateButton,
  type TemplateCategory,
  type TemplateHeader,
  variablesOf,
} from '@drawbridge/messaging/template.ts';
import type {
  App,
  ChannelEvent,
  TemplateListing,
  TemplateOutcome,
  TemplateRegistry,
  TemplateState,
  WireRequest,
  WireResponse,
} from '../contract.ts';
import {
  given,
  type JsonObject,
  jsonOf,
  objectsOf,
  rowOf,
  textOf,
  within,
} from '../untrusted-input.ts';
import { errorOutcome } from './errors.ts';
import type { Settings } from './settings.ts';

const pageSize = 100;

/** Registration of templates with the network: review takes minutes to a day. */
export const templates: TemplateRegistry<Settings> = {
  submit: (template, app) => request('POST', app, listPath(app), encodeTemplate(template)),

  readSubmission(template, response, now): TemplateOutcome {
    const body = jsonOf(response.body);
    const templateId = textOf(body?.id);
    if (response.status !== 200 || templateId === undefined) return failed(response, now);
    const { name, language } = template;
    const state = stateOf({ ...body, name, language }, templateId);
    return { kind: 'held', template: state };
  },

  list(app, after) {
    const query = new URLSearchParams({
      fields: 'id,name,language,status,category,quality_score,rejected_reason,components',
      limit: String(pageSize),
      ...(after === undefined ? {} : { after }),
    });
    return request('GET', app, `${listPath(app)}?${query}`);
  },

  readList(response, now): TemplateListing {
    const body = jsonOf(response.body);
    if (response.status !== 200 || body === undefined) return failed(response, now);
    const after = textOf(within(within(body, 'paging'), 'cursors').after);
    const hasMore = textOf(within(body, 'paging').next) !== undefined;
    return {
      kind: 'page',
      templates: objectsOf(body.data).flatMap((each) => {
        const id = textOf(each.id);
        return id === undefined ? [] : [stateOf(each, id)];
      }),
      ...(hasMore && after !== undefined ? { after } : {}),
    };
  },

  change(templateId, template, app) {
    const { category, components } = encodeTemplate(template);
    return request('POST', app, encodeURIComponent(templateId), { category, components });
  },

  readChange: done,

  remove(templateId, name, app) {
    const query = new URLSearchParams({ hsm_id: templateId, name });
    return request('DELETE', app, `${listPath(app)}?${query}`);
  },

  readRemoval: done,
};

const listPath = ({ settings }: App<Settings>) => `${settings.waba_id}/message_templates`;

function done(response: WireResponse, now: Date): TemplateOutcome {
  return response.status === 200 ? { kind: 'done' } : failed(response, now);
}

function request(
  method: WireRequest['method'],
  app: App<Settings>,
  path: string,
  body?: unknown,
): WireRequest {
  const { api_version, access_token } = app.settings;
  return {
    method,
    url: `${app.endpoint}/${api_version}/${path}`,
    headers: {
      authorization: `Bearer ${access_token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

function failed(
  response: WireResponse,
  now: Date,
): Extract<TemplateOutcome, { kind: 'refused' | 'retry' }> {
  const outcome = errorOutcome(response, now);
  if (outcome.kind === 'refused' || outcome.kind === 'retry') return outcome;
  if (outcome.kind === 'throttled') {
    return { kind: 'retry', reason: outcome.code, afterMs: outcome.afterMs };
  }
  // Registering the same name and language twice is refused, so a retry is safe.
  return { kind: 'retry', reason: outcome.reason };
}

function encodeTemplate(template: Template) {
  const { name, language, category, parameterFormat, footer, buttons = [] } = template;
  const components = [
    ...(template.header === undefined ? [] : [encodeHeader(template.header)]),
    given({ type: 'BODY', text: template.body, example: bodyExample(template) }),
    ...(footer === undefined ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(encodeButton) }]),
  ];
  const parameter_format = parameterFormat.toUpperCase();
  return { name, language, category, parameter_format, components };
}

function encodeHeader({ format, text, example }: TemplateHeader) {
  const member = format === 'text' ? 'header_text' : 'header_handle';
  return given({
    type: 'HEADER',
    format: format.toUpperCase(),
    text,
    example: example === undefined ? undefined : { [member]: [example] },
  });
}

function bodyExample({ body, bodyExamples = [], parameterFormat }: Template) {
  if (bodyExamples.length === 0) return undefined;
  if (parameterFormat === 'positional') return { body_text: [bodyExamples] };
  const names = variablesOf(body);
  const named = bodyExamples.map((example, at) => ({ param_name: names[at] ?? '', example }));
  return { body_text_named_params: named };
}

function encodeButton({ type, text, url, example, phone }: TemplateButton) {
  const word = type === 'phone' ? 'PHONE_NUMBER' : type.replace('-', '_').toUpperCase();
  const sample = example === undefined ? undefined : [example];
  return given({ type: word, text, url, example: sample, phone_number: phone });
}

const statuses: Readonly<Record<string, TemplateState['status'] & string>> = {
  APPROVED: 'approved',
  REINSTATED: 'approved',
  UNARCHIVED: 'approved',
  FLAGGED: 'approved', // still sendable: a warning that pausing is near
  PENDING: 'pending',
  IN_APPEAL: 'pending',
  REJECTED: 'rejected',
  LIMIT_EXCEEDED: 'rejected',
  PAUSED: 'paused',
  LOCKED: 'paused',
  DISABLED: 'disabled',
  ARCHIVED: 'disabled',
  PENDING_DELETION: 'deleted',
  DELETED: 'deleted',
};

const categories: readonly TemplateCategory[] = ['AUTHENTICATION', 'MARKETING', 'UTILITY'];
const qualities = ['green', 'yellow', 'red', 'unknown'] as const;

function stateOf(from: JsonObject, templateId: string): TemplateState {
  const status = textOf(from.status) ?? '';
  const category = textOf(from.category);
  const quality = textOf(within(from, 'quality_score').score) ?? textOf(from.quality_score);
  const reason = textOf(from.rejected_reason) ?? textOf(from.reason);
  const body = objectsOf(from.components).find(({ type }) => type === 'BODY');
  return {
    templateId,
    name: textOf(from.name) ?? '',
    language: textOf(from.language) ?? '',
    ...given({
      body: textOf(body?.text),
      status: rowOf(statuses, status),
      category: categories.find((each) => each === category),
      quality: qualities.find((each) => each === quality?.toLowerCase()),
      reason: reason === 'NONE' ? undefined : reason,
    }),
  };
}

/** A change of status, category or quality that the network reports. */
export function templateEvent(
  value: JsonObject,
  account: string | undefined,
): readonly ChannelEvent[] {
  const id = textOf(value.message_template_id);
  if (id === undefined) return [];
  const info = within(value, 'rejection_info');
  const state = stateOf(
    {
      name: value.message_template_name,
      language: value.message_template_language,
      status: value.event,
      category: value.new_category ?? value.message_template_category,
      quality_score: value.new_quality_score,
      reason: textOf(info.reason) ?? value.reason,
    },
    id,
  );
  return [{ kind: 'template', ...state, ...given({ account }) }];
}
