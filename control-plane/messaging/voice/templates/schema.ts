import { callFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import { z } from 'zod';
import { voiceProviders } from '../../../channels/voice-registry.ts';
import { idPattern } from '../../../platform/ids.ts';

export const templateId = z.string().regex(idPattern('vtp'), 'must be the id of a call flow');

/** Providers that play a flow by its markup. */
export const markupProviders = voiceProviders.filter((provider) => provider.kind === 'markup');

/** Providers that play a flow without markup. */
export const trunkProviders = voiceProviders.filter((provider) => provider.kind === 'trunk');

const diagnostic = z.strictObject({
  code: z
    .string()
    .describe('E_: the flow cannot be played by the provider; W_: it behaves differently there'),
  node: z.string(),
  message: z.string(),
});

const compiled = z
  .strictObject({
    content_type: z.string(),
    documents: z
      .record(z.string(), z.string())
      .describe(
        'By the node that each begins at; the next is fetched when the caller did something',
      ),
    diagnostics: z.array(diagnostic),
  })
  .meta({ id: 'CompiledCallFlow' });

const name = z.string().trim().min(1).max(100);
const flow = callFlow.meta({ id: 'CallFlow' });

export const templateRequest = z.strictObject({ name, flow }).meta({ id: 'VoiceTemplateRequest' });

export const templatePatch = z
  .strictObject({ name: name.optional(), flow: flow.optional() })
  .refine((patch) => Object.keys(patch).length > 0, 'give a name or a flow')
  .meta({ id: 'VoiceTemplatePatch' });

const dated = {
  version: z
    .int()
    .min(1)
    .describe('1 at first, and one more with each change of the flow; not the `version` in it'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};

export const templateView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    flow: z.record(z.string(), z.unknown()),
    diagnostics: z.record(
      z.enum([...markupProviders, ...trunkProviders].map(({ id }) => id)),
      z.array(diagnostic),
    ),
    compiled: compiled.nullable().describe('For the provider asked for; else null'),
    ...dated,
  })
  .meta({ id: 'VoiceTemplate' });

export const templateItem = z
  .strictObject({ id: z.string(), name: z.string(), ...dated })
  .meta({ id: 'VoiceTemplateItem' });
