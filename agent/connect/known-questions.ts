import { editDistance } from '@drawbridge/explanations/edit-distance.ts';
import { targetFault } from '@drawbridge/mapping/targets.ts';
import { companyFields } from '@drawbridge/profiles/company.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import { say } from './texts.ts';

const fields = profiles.flatMap((profile) => profile.fields.map(({ path }) => `field.${path}`));

/** Questions whose names are known before the source is; those of its values and objections are not. */
const known: readonly string[] = [
  'kind',
  'address',
  'mend',
  'password',
  'none',
  'right',
  'write-back',
  'name',
  'hand.names-row',
  'hand.row-is',
  'hand.number-column',
  'hand.header',
  'hand.number',
  'hand.lines',
  'hand.lines-column',
  'hand.header-column',
  'hand.customer',
  'hand.customer-column',
  'hand.customer-key',
  'profile',
  'api-key',
  'url',
  'company-found',
  'policy',
  ...companyFields.map(({ name }) => `company.${name}`),
  ...new Set(fields),
];

const nearestMax = 3;

/** What is wrong with an answer to a question that there never is, with those whose names are near to it. */
export function unknownQuestion(id: string): string | undefined {
  if (known.includes(id) || isOfSource(id)) return undefined;
  const distanceMax = Math.max(2, Math.floor(id.length / 3));
  const near = known
    .map((each) => ({ each, distance: editDistance(id.toLowerCase(), each) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, nearestMax)
    .map(({ each }) => each);
  const told = near.length === 0 ? '' : say('answer.near', { ids: near.join(', ') });
  return say('answer.unknown', { id, near: told });
}

/** Of a target of the mapping, of a value of a column, or of an objection. */
function isOfSource(id: string): boolean {
  const [kind = '', ...rest] = id.split('.');
  if (/^obj_\w+$/.test(id)) return true;
  if (kind === 'value') return rest.length > 0;
  return ['field', 'round', 'leave'].includes(kind) && targetFault(rest.join('.')) === undefined;
}
