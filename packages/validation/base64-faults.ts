import { locate } from '@drawbridge/binding/locate.ts';
import { leafTypeOf } from '@drawbridge/binding/schema/leaf-types.ts';
import { type Node, type Unbound, walk } from '@drawbridge/cim/node.ts';
import { type SchemaFault, schemaFaultsMax, shown } from './xsd.ts';

/**
 * Attachments with characters that Base64 does not have, such as those of the form for addresses (`-` and `_`).
 * libxml2 passes over them, and the standard (XML Schema 2, 3.2.16) does not.
 */
export function base64Faults(root: Node): SchemaFault[] {
  const found: SchemaFault[] = [];
  const check = (element: string, text: string, field: () => string): void => {
    const local = element.slice(element.indexOf(':') + 1);
    if (leafTypeOf(local).base !== 'base64Binary' || !foreignToBase64.test(text)) return;
    found.push({ code: 'value', message: `"${shown(text)}" is not Base64 text.`, field: field() });
  };
  const checkUnbound = ({ element, position, text, children }: Unbound, parent: string): void => {
    const field = `${parent}/${element}${position > 1 ? `[${position}]` : ''}`;
    check(element, text, () => field);
    for (const child of children) checkUnbound(child, field);
  };
  for (const node of walk(root)) {
    if (node.shape.kind === 'value') check(node.shape.element, node.text, () => locate(node));
    for (const unbound of node.unbound ?? []) checkUnbound(unbound, locate(node));
  }
  return found.slice(0, schemaFaultsMax);
}

const foreignToBase64 = /[^A-Za-z\d+/= \t\r\n]/;
