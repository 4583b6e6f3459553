import { z } from 'zod';
import { idPattern } from '../../platform/ids.ts';
import { appId } from '../apps/schema.ts';
import { templateStatuses } from './store.ts';

const name = z.string().trim().min(1).max(512);
const language = z.string().min(2).max(20).describe('As the network writes it: `en_US`, `ms`.');
const category = z.enum(['AUTHENTICATION', 'MARKETING', 'UTILITY']);
const body = z.string().min(1).max(4_096).describe('With variables: `{{1}}`, or `{{first_name}}`.');

const header = z.strictObject({
  format: z.enum(['text', 'image', 'video', 'document', 'location']),
  text: z.string().max(200).optional(),
  example: z
    .string()
    .max(1_000)
    .optional()
    .describe('For the variable, or the handle of an uploaded sample.'),
});
const button = z.strictObject({
  type: z.enum(['quick-reply', 'url', 'phone', 'copy-code', 'otp', 'flow', 'other']),
  text: z.string().min(1).max(100),
  url: z.string().max(2_000).optional().describe('May end in one variable.'),
  example: z
    .string()
    .max(2_000)
    .optional()
    .describe('The whole address with a value, where it ends in a variable.'),
  phone: z.string().max(32).optional(),
});

export const networkTemplateRequest = z
  .strictObject(
    {
      name,
      language,
      category,
      parameter_format: z.enum(['positional', 'named']).default('positional'),
      header: header.optional(),
      body,
      footer: z.string().max(200).optional(),
      buttons: z.array(button).max(20).optional(),
      body_examples: z
        .array(z.string().min(1).max(500))
        .max(60)
        .optional()
        .describe('One for each variable, in order; the network’s reviewers read them.'),
      app_id: appId.optional().describe('Required when the tenant has more than one number.'),
    },
    {
      // The network's own form, which people have at hand.
      error: (issue) =>
        issue.code === 'unrecognized_keys' && issue.keys.includes('components')
          ? 'is not a known field: what the network’s form has in `components` stands in `header`, `body` with `body_examples`, `footer` and `buttons`'
          : undefined,
    },
  )
  .meta({ id: 'WaTemplateRequest' });
export type NetworkTemplateRequest = z.output<typeof networkTemplateRequest>;

const parts = networkTemplateRequest.shape;
export const networkTemplatePatch = z
  .strictObject({
    category: category.optional(),
    body: body.optional(),
    header: parts.header.nullable(),
    footer: parts.footer.nullable(),
    buttons: parts.buttons.nullable(),
    body_examples: parts.body_examples.nullable(),
  })
  .meta({ id: 'WaTemplatePatch' });
export type NetworkTemplatePatch = z.output<typeof networkTemplatePatch>;

const registration = z
  .strictObject({
    entity_id: z.string().regex(/^\d{10,25}$/, 'must be the digits of the principal entity id'),
    template_id: z.string().regex(/^\d{12,19}$/, 'must be 12 to 19 digits'),
    header: z
      .string()
      .regex(/^([A-Za-z]{3,6}|\d{6})$/, 'must be 3 to 6 letters, or 6 digits for promotions'),
    type: z.enum(['T', 'P', 'SI', 'SE']).describe('Transactional, promotional, service …'),
  })
  .meta({ id: 'DltRegistration' });

export const ownTemplateRequest = z
  .strictObject({
    name,
    language: language.default('en'),
    category: category.default('UTILITY'),
    body,
    registration: registration.optional().describe('India: what the DLT registry knows it by.'),
  })
  .meta({ id: 'TemplateRequest' });
export type OwnTemplateRequest = z.output<typeof ownTemplateRequest>;

export const ownTemplatePatch = z
  .strictObject({
    name: name.optional(),
    language: language.optional(),
    category: category.optional(),
    body: body.optional(),
    registration: registration.nullable().optional(),
  })
  .meta({ id: 'TemplatePatch' });
export type OwnTemplatePatch = z.output<typeof ownTemplatePatch>;

export const templateId = z.string().regex(idPattern('tpl'), 'must be the id of a template');

export const templateView = z
  .strictObject({
    id: z.string(),
    channel: z.string(),
    app_id: z.string().nullable(),
    name: z.string(),
    language: z.string(),
    category,
    status: z.enum(templateStatuses),
    reason: z.string().nullable(),
    quality: z.enum(['green', 'yellow', 'red', 'unknown']).nullable(),
    body: z.string(),
    variables: z.array(z.string()),
    definition: z.record(z.string(), z.unknown()),
    registration: registration.nullable(),
    warnings: z.array(z.string()).optional(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Template' });

export const templateCheck = z
  .strictObject({
    findings: z
      .array(
        z.strictObject({
          field: z.string().describe('Of the request, `body`, `buttons.0` ….'),
          message: z.string(),
          code: z.string().describe('The network’s own number where it publishes one.'),
        }),
      )
      .describe('What the network is known to refuse.'),
    variables: z.array(z.string()).describe('Of the text, in order.'),
  })
  .meta({ id: 'TemplateCheck' });
