import type { Reply } from '../../../simulation/server.ts';
import { type Json, objectsIn } from '../../simulation/json.ts';
import { refusal } from './errors.ts';

/** Formats of headers that are no text. */
const valueFormats = ['IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'];

/** The network's refusal of values that do not fit the parts of a template. */
export function valuesFault(parts: readonly Json[], use: Json): Reply | undefined {
  const used = objectsIn(use.components);
  return (
    headerFault(partOf(parts, 'header'), used) ??
    countFault('body', String(partOf(parts, 'body')?.text ?? ''), used) ??
    buttonsFault(objectsIn(partOf(parts, 'buttons')?.buttons), used)
  );
}

function headerFault(header: Json | undefined, used: readonly Json[]): Reply | undefined {
  const format = String(header?.format ?? 'TEXT').toUpperCase();
  if (!valueFormats.includes(format)) return countFault('header', String(header?.text ?? ''), used);
  const found = String(valuesOf(partOf(used, 'header'))[0]?.type ?? 'unknown').toUpperCase();
  if (found === format) return undefined;
  return refusal(132012, `header: Format mismatch, expected ${format}, received ${found}`);
}

function countFault(part: string, text: string, used: readonly Json[]): Reply | undefined {
  const wanted = new Set(text.match(/\{\{[^{}]+\}\}/g) ?? []).size;
  const found = valuesOf(partOf(used, part)).length;
  if (wanted === found) return undefined;
  const detail = `${part}: number of localizable_params (${found}) does not match ${wanted}`;
  return refusal(132000, detail);
}

function buttonsFault(buttons: readonly Json[], used: readonly Json[]): Reply | undefined {
  const at = buttons.findIndex(({ type, url }, index) => {
    const isOpen = type === 'URL' && /\{\{[^{}]+\}\}/.test(String(url));
    const isIt = (each: Json) => each.sub_type === 'url' && Number(each.index) === index;
    return isOpen && valuesOf(used.find(isIt)).length === 0;
  });
  if (at < 0) return undefined;
  return refusal(131008, `buttons: Button at index ${at} of type Url requires a parameter`);
}

const partOf = (parts: readonly Json[], type: string) =>
  parts.find((each) => String(each.type).toLowerCase() === type);

const valuesOf = (part: Json | undefined) => objectsIn(part?.parameters);
