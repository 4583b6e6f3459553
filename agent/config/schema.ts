import { connectorKinds } from '@drawbridge/connectors/registry.ts';
import { settingRows, yamlName } from '../settings.ts';
import { connectorNamePattern } from '../store/connectors.ts';
import { type SettingSchema, schemaOf } from './connector-settings.ts';
import { referencePattern } from './secret-reference.ts';

/** JSON Schema of the configuration file, for editors and other checks. */
export function configSchema(): object {
  const rows = Object.entries(settingRows).map(([name, row]) => {
    const { schema } = row.read;
    const description = [row.help, schema.description].filter(Boolean).join(' ');
    return [yamlName(name), { ...schema, description: `${description} Environment: ${row.env}.` }];
  });
  const kinds = connectorKinds.filter(({ pattern }) => pattern !== 'agent');
  const connector = {
    oneOf: kinds.map(({ kind, title, settings }) => ({
      title,
      type: 'object',
      additionalProperties: false,
      required: ['kind', 'settings'],
      properties: {
        kind: { const: kind },
        watch: { type: 'boolean', default: false },
        enabled: { type: 'boolean', default: true },
        settings: withReferences(schemaOf(settings)),
      },
    })),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration file of the Drawbridge agent',
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(rows),
      connectors: {
        type: 'object',
        description: 'The sources of this network by their names.',
        propertyNames: { pattern: connectorNamePattern.source },
        additionalProperties: connector,
      },
    },
  };
}

/** Secrets are references here. */
function withReferences(schema: SettingSchema): unknown {
  if (schema.secret === true) {
    const { description } = schema;
    return { type: 'string', pattern: referencePattern, ...(description && { description }) };
  }
  const { $schema: _, ...members } = schema as Record<string, unknown>;
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, deeper(value)]));
}

function deeper(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deeper);
  return typeof value === 'object' && value !== null
    ? withReferences(value as SettingSchema)
    : value;
}
