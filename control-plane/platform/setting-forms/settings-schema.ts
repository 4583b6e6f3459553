import { z } from 'zod';

/** A setting as JSON Schema, with what a form needs beside it. */
export interface SettingSchema {
  readonly title?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly items?: SettingSchema;
  readonly additionalProperties?: SettingSchema | boolean;
  readonly anyOf?: readonly SettingSchema[];
  readonly oneOf?: readonly SettingSchema[];
  readonly [keyword: string]: unknown;
}

/**
 * The settings of a source or provider as JSON Schema, for programs that make a form of it: each has a title, secrets
 * carry `secret: true`, and what most people never change `advanced: true`.
 *
 *     settingsSchema(connectorKind('postgres')!.settings).properties.password
 *     // { secret: true, title: 'Password', description: 'Password of that user', … }
 */
export function settingsSchema(settings: z.ZodType): SettingSchema {
  return titled(z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' }) as SettingSchema);
}

function titled(schema: SettingSchema): SettingSchema {
  const { properties, items, additionalProperties, anyOf, oneOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [
          name,
          { title: titleOf(name), ...titled(each) },
        ]),
      ),
    }),
    ...(items && { items: titled(items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: titled(additionalProperties),
    }),
    ...(anyOf && { anyOf: anyOf.map(titled) }),
    ...(oneOf && { oneOf: oneOf.map(titled) }),
  };
}

/** Words that are written in capitals. */
const initialisms = /\b(url|uin|sid|api|waba)\b/gi;

/** The words of a name: headerLine and header_line are "Header line". */
function titleOf(name: string): string {
  const spaced = name.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (capital) => ` ${capital}`);
  const words = spaced.toLowerCase().replaceAll(initialisms, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
