import { patterns } from '@drawbridge/connectors/contract.ts';
import { z } from 'zod';
import { pageSchema } from '../../platform/http/paging.ts';
import { day } from '../../platform/http/time-input.ts';
import { idPattern } from '../../platform/ids.ts';
import { profile } from '../invoices/schema.ts';

export const connectorId = z
  .string()
  .max(100)
  .meta({
    description: 'Identifier of a connector.',
    examples: ['cnx_01k9zq3v7m2n4p6r8t0w2y4a6c'],
  });

const name = z.string().trim().min(1).max(200);
const duplicates = z
  .enum(['warn', 'reject'])
  .describe(
    'What happens when a document is submitted again that is on its way or settled well: it is ' +
      'refused, or taken with `duplicate_of` and a warning.',
  );
const agentId = z.string().regex(idPattern('agt'), 'must be the id of an agent');
const settings = z
  .record(z.string().max(100), z.unknown())
  .describe('As the kind asks for; secrets are sealed and never shown again.');

export const connectorLayout = z
  .record(z.string().max(100), z.unknown())
  .describe(
    'Members of the settings that say how documents are read, and neither where the source is nor who logs in: ' +
      '`sections` and `changes` of a database, as `POST /v1/connectors/{id}/discover` proposes them.',
  );

const submitFrom = day().describe(
  'Documents issued on this day or later are submitted by themselves, in this environment, when ' +
    'the bridge agent finds them new or changed (`connector add --watch`). What it told of before the day was set is ' +
    'submitted when it changes, or is sent again (`cursor rewind NAME --to start --send-again`). Null ends it.',
);

const receives = z
  .strictObject({ import_to: z.string().min(1).max(100).optional() })
  .describe(
    'Its documents are those of suppliers: what is found in it (UBL XML), here or by the bridge agent, is ' +
      'kept as received, in this environment, and imported into the connector that `import_to` names. Null ends it.',
  );

const submission = z
  .strictObject({
    posted: z
      .strictObject({
        column: z
          .string()
          .min(1)
          .max(200)
          .describe("Of the document's header, as the source calls it."),
        values: z.array(z.string().trim().min(1).max(200)).min(1).max(20),
      })
      .optional()
      .describe(
        'Only documents whose header has one of these values there are submitted; others are rejected ' +
          '(`<PROFILE>-SOURCE-NOT-POSTED`), or left alone until they change.',
      ),
    hold: z
      .enum(['release', 'approval'])
      .optional()
      .describe(
        'Valid documents wait: until somebody releases them (`POST /v1/invoices/{id}/release`), or until a ' +
          'second person has approved them too (`POST /v1/invoices/{id}/approve`).',
      ),
  })
  .describe(
    'What is asked for before documents are submitted, in this environment, whoever submits them. Null ' +
      'ends it; what is held already stays held.',
  )
  .meta({ id: 'SubmissionPolicy' });

export const connectorRequest = z
  .strictObject({
    pattern: z.enum(patterns),
    kind: z.string().min(1).max(50).describe('E.g. sqlite, postgres, mysql, files, agent.'),
    name,
    agent_id: agentId.optional().describe('The bridge agent that reads it (pattern agent).'),
    default_profile: profile.optional(),
    duplicates: duplicates.default('reject'),
    settings: settings.default({}),
  })
  .meta({ id: 'ConnectorRequest' });

export const connectorPatch = z
  .strictObject({
    name: name.optional(),
    agent_id: agentId.optional(),
    default_profile: profile.optional(),
    duplicates: duplicates.optional(),
    settings: settings.optional(),
    layout: connectorLayout.optional(),
    submit_from: submitFrom.nullable().optional(),
    receives: receives.nullable().optional(),
    submission: submission.nullable().optional(),
  })
  .meta({ id: 'ConnectorPatch' });

/** A call that a person should make next. */
const nextStep = z.strictObject({ why: z.string(), call: z.string() }).meta({ id: 'NextStep' });

export const connector = z
  .strictObject({
    id: connectorId,
    pattern: z.enum(patterns),
    kind: z.string(),
    name: z.string(),
    agent_id: z.string().optional(),
    default_profile: profile.optional(),
    duplicates,
    submit_from: submitFrom.optional(),
    receives: receives.optional(),
    submission: submission.optional(),
    settings: z.record(z.string(), z.unknown()).describe('Secrets are masked.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    next: z.array(nextStep).optional(),
  })
  .meta({ id: 'Connector' });

export const connectorPage = pageSchema(connector, 'ConnectorPage');

export const testResult = z
  .strictObject({
    ok: z.boolean(),
    detail: z.string(),
    sample_refs: z.array(z.string()).optional().describe('References that can be submitted.'),
    write_back: z
      .string()
      .optional()
      .describe('What keeps confirmations from being written, found without writing one.'),
    code: z.string().optional(),
  })
  .meta({ id: 'ConnectorTest' });
