import { patterns } from '@drawbridge/connectors/contract.ts';
import { z } from 'zod';

const connectorKind = z
  .strictObject({
    kind: z.string(),
    pattern: z.enum(patterns),
    title: z.string().describe('What people call such a source.'),
    settings: z
      .record(z.string(), z.unknown())
      .describe(
        'JSON Schema (2020-12) of the settings, with a title and mostly a description for each. Beside the ' +
          'keywords of the standard: `secret` (never shown again) and `advanced` (rarely changed).',
      ),
    layout: z
      .array(z.string())
      .describe(
        'Members of the settings that say how documents are read: what ' +
          '`POST /v1/connectors/{id}/discover` proposes. Empty where there is nothing to discover.',
      ),
  })
  .meta({ id: 'ConnectorKind' });

export const connectorKindList = z
  .strictObject({ results: z.array(connectorKind) })
  .meta({ id: 'ConnectorKindList' });
