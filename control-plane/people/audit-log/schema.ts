import { z } from 'zod';
import { actorKinds, outcomes } from '../../platform/audit/actor.ts';
import { environments } from '../../platform/auth/principal.ts';
import { pageQuery } from '../../platform/http/paging.ts';
import { zonedInstant } from '../../platform/http/time-input.ts';

const filters = {
  actor: z.string().max(200).optional().describe('The id of a member or of a key.'),
  action: z.string().max(100).optional().describe('For example `updateConnector`, `signIn`.'),
  subject: z.string().max(500).optional().describe('The id of the thing.'),
  outcome: z.enum(outcomes).optional(),
  environment: z.enum(environments).optional(),
  since: zonedInstant().optional().describe('From this instant on.'),
  until: zonedInstant().optional().describe('Before this instant.'),
};

export const auditQuery = pageQuery.extend(filters);

const exportFormats = ['csv', 'jsonl'] as const;

export const exportQuery = z.strictObject({
  format: z.enum(exportFormats).default('jsonl').describe('CSV, or a line of JSON an event.'),
  ...filters,
});

export const auditEvent = z
  .strictObject({
    id: z.string(),
    timestamp: z.iso.datetime(),
    actor: z.strictObject({
      kind: z.enum(actorKinds).describe('`host`: a command of the host; `nobody`: not known.'),
      id: z.string().nullable(),
    }),
    service: z.string().nullable().describe('Null: of the workspace, or not through an API.'),
    environment: z.enum(environments).nullable().describe('The address that was called.'),
    ip: z.string().nullable(),
    request_id: z.string().nullable(),
    action: z.string().describe('The operation of the API, or the command of the host.'),
    subject: z.string().nullable(),
    outcome: z.enum(outcomes),
    before: z.unknown().describe('What differs, as it was; secrets are masked.'),
    after: z.unknown().describe('What differs, as it became; secrets are masked.'),
  })
  .meta({ id: 'AuditEvent' });
