/** A mapping as a file that people read, review and carry to another agent; its schema is docs/mapping.schema.json. */

import { nearest } from '@drawbridge/explanations/edit-distance.ts';
import { wordsOf } from '@drawbridge/input-faults/issue-words.ts';
import { leftToCompany } from '@drawbridge/mapping/company.ts';
import { type Mapping, mappingSchema } from '@drawbridge/mapping/mapping.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { profileIds } from '@drawbridge/profiles/registry.ts';
import { isMap, isScalar, LineCounter, parseDocument, visit, Document as YamlDocument } from 'yaml';
import { z } from 'zod';
import type { ConfiguredConnector } from '../store/connectors.ts';

export const mappingFormat = 'drawbridge-mapping/1';

/** More than the largest mapping takes. */
const bytesMax = 1_000_000;
/** Characters of a name that is told. */
const nameLengthMax = 100;
/** Faults that are told at once. */
const faultsMax = 20;

const { lists, joins, fields } = mappingSchema.shape;

const mappingFileSchema = z.strictObject({
  format: z.literal(mappingFormat),
  profile: z.enum(profileIds),
  source: z
    .strictObject({
      kind: z.string().min(1).max(50).describe('Kind of the connector that it was made with.'),
      sections: z
        .record(z.string().min(1), z.unknown())
        .optional()
        .describe('Sections of that connector, as its settings say where they are read.'),
    })
    .describe('What it was made for; an agent that takes the file compares its own with it.'),
  company: z
    .array(z.string())
    .max(500)
    .optional()
    .describe('Fields that no column fills and that the company profile may.'),
  lists,
  joins,
  fields,
});

/** Its JSON Schema, for editors and other checks. */
export function mappingFileJsonSchema(): object {
  const schema = z.toJSONSchema(mappingFileSchema, { io: 'input', unrepresentable: 'any' });
  return { ...schema, title: 'Mapping of a Drawbridge agent' };
}

/** Members that people may have meant. */
const names = [
  ...Object.keys(mappingFileSchema.shape),
  'target',
  'from',
  'value',
  'transforms',
  'status',
  'confidence',
  'reason',
  'section',
  'column',
];

/** The content of a mapping's file. */
export type MappingFile = z.infer<typeof mappingFileSchema>;

/** A file that was read, or what is wrong with it and in which line. */
export type MappingFileOutcome =
  | { readonly kind: 'read'; readonly file: MappingFile }
  | { readonly kind: 'invalid'; readonly causes: readonly string[] };

/** What the file says, as the control plane takes it. */
export function mappingOf({
  profile,
  lists: listed,
  joins: joined,
  fields: mapped,
}: MappingFile): Mapping {
  return {
    profile,
    ...(listed === undefined ? {} : { lists: listed }),
    ...(joined === undefined ? {} : { joins: joined }),
    fields: mapped,
  };
}

/** A mapping as a file, with what it was made for. */
export function fileOf(
  { lists: listed, joins: joined, fields: mapped }: Mapping,
  profile: Profile,
  { kind, settings }: Pick<ConfiguredConnector, 'kind' | 'settings'>,
): MappingFile {
  const { sections } = settings as { readonly sections?: unknown };
  const isNamed = typeof sections === 'object' && sections !== null && !Array.isArray(sections);
  const company = leftToCompany({ fields: mapped }, profile);
  return {
    format: mappingFormat,
    profile: profile.id as MappingFile['profile'],
    source: { kind, ...(isNamed ? { sections: sections as Record<string, unknown> } : {}) },
    ...(company.length === 0 ? {} : { company: [...company] }),
    ...(listed === undefined ? {} : { lists: listed }),
    ...(joined === undefined ? {} : { joins: joined }),
    fields: mapped,
  };
}

/** The text of the file, in which the order of the members is fixed, so that versions compare well. */
export function mappingFileText(file: MappingFile): string {
  const { format, profile, source, company, lists: listed, joins: joined, fields: mapped } = file;
  const ordered = {
    format,
    profile,
    source,
    ...(company === undefined ? {} : { company }),
    ...(listed === undefined ? {} : { lists: listed }),
    ...(joined === undefined ? {} : { joins: joined }),
    fields: mapped.map(
      ({ target, from, value, transforms, status, confidence, reason, ...approval }) => ({
        target,
        ...(from === undefined ? {} : { from }),
        ...(value === undefined ? {} : { value }),
        ...(transforms === undefined ? {} : { transforms }),
        status,
        ...(confidence === undefined ? {} : { confidence }),
        ...(reason === undefined ? {} : { reason }),
        ...approval,
      }),
    ),
  };
  const document = new YamlDocument(ordered, { aliasDuplicateObjects: false });
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isScalar(key) && key.value === 'from' && isMap(value)) value.flow = true;
    },
  });
  return document.toString({ lineWidth: 110 });
}

/** Reads a file of anybody: what it does not know is refused, with its line. */
export function readMappingFile(text: string): MappingFileOutcome {
  if (text.length > bytesMax) return invalid([`it has over ${bytesMax} characters`]);
  const lines = new LineCounter();
  let document: ReturnType<typeof parseDocument>;
  let content: unknown;
  try {
    document = parseDocument(text, { prettyErrors: false, uniqueKeys: true, lineCounter: lines });
    const [error] = document.errors;
    if (error !== undefined) {
      return invalid([`line ${lines.linePos(error.pos[0]).line} is no YAML`]);
    }
    content = document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    const isDeep = error instanceof RangeError;
    return invalid([isDeep ? 'it is nested too deep' : 'it has an alias: write out what it names']);
  }
  const parsed = mappingFileSchema.safeParse(content);
  const whole = parsed.success ? mappingSchema.safeParse(mappingOf(parsed.data)) : parsed;
  if (parsed.success && whole.success) return { kind: 'read', file: parsed.data };
  const causes = whole.error!.issues.slice(0, faultsMax).map((issue) => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? '' : step));
    return `${lineOf(document, path, lines)}${placeOf(path)}${causeOf(issue)}`;
  });
  return invalid(causes);
}

/** The line of the innermost node that is there. */
function lineOf(
  document: ReturnType<typeof parseDocument>,
  path: readonly (string | number)[],
  lines: LineCounter,
): string {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as { range?: readonly number[] };
    const start = node?.range?.[0];
    if (start !== undefined) return `line ${lines.linePos(start).line}: `;
  }
  return '';
}

function placeOf(path: readonly (string | number)[]): string {
  if (path.length === 0) return '';
  const named = path.map((step) => (typeof step === 'number' ? `[${step + 1}]` : `.${step}`));
  return `${named.join('').replace(/^\./, '')}: `;
}

function causeOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return wordsOf(issue);
  const [key = ''] = issue.keys;
  const meant = nearest(key.slice(0, nameLengthMax), names);
  return `there is no "${key.slice(0, nameLengthMax)}"${meant === undefined ? '' : `, perhaps ${meant}`}`;
}

function invalid(causes: readonly string[]): MappingFileOutcome {
  return { kind: 'invalid', causes };
}
