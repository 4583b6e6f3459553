import type { Node, Shape } from '@drawbridge/cim/node.ts';
import { type Binding, perBinding } from '../compile.ts';

/**
 * The document as UTF-8 XML text: declaration, prefixes on the root, no white space between
 * elements.
 */
export function emit(binding: Binding, root: Node): string {
  const { table } = binding;
  let out = `<?xml version="1.0" encoding="UTF-8"?><${table.root} xmlns="${table.namespace}"`;
  for (const [prefix, uri] of Object.entries(table.namespaces)) out += ` xmlns:${prefix}="${uri}"`;
  const writer = new Writer(tagsOf(binding));
  writer.members(root);
  return `${out}>${writer.out}</${table.root}>`;
}

/** The text around the content of an element. */
interface Tags {
  /** The start tag without its end, so that attributes can follow. */
  readonly start: string;
  readonly open: string;
  readonly close: string;
}

/** By number of the shape. */
const tagsOf = perBinding(({ root }): readonly Tags[] =>
  shapesBelow(root).map(({ element }) => ({
    start: `<${element}`,
    open: `<${element}>`,
    close: `</${element}>`,
  })),
);

/** All shapes below a shape, in the order of their numbers. */
function shapesBelow(shape: Shape): Shape[] {
  return [shape, ...shape.members.flatMap(shapesBelow)];
}

class Writer {
  out = '';
  readonly #tags: readonly Tags[];

  constructor(tags: readonly Tags[]) {
    this.#tags = tags;
  }

  members(node: Node): void {
    // Only shapes of the table: nodes that rules make of unbound elements are not written.
    const { length } = node.shape.members;
    for (let slot = 0; slot < length; slot++) {
      const found = node.members[slot];
      if (found === undefined) continue;
      if (!Array.isArray(found)) this.#element(found);
      else for (let at = 0; at < found.length; at++) this.#element(found[at]!);
    }
  }

  #element(node: Node): void {
    const { start, open, close } = this.#tags[node.shape.number]!;
    const { attributes } = node;
    const opened = attributes === undefined ? open : `${start}${written(attributes)}>`;
    if (node.shape.kind === 'value') {
      this.out += opened + escapeText(node.text) + close;
      return;
    }
    this.out += opened;
    this.members(node);
    this.out += close;
  }
}

function written(attributes: Readonly<Record<string, string>>): string {
  let out = '';
  for (const name in attributes) {
    // No row binds an attribute in a namespace (`{uri}name`): it is read and never written.
    if (!name.startsWith('{')) out += ` ${name}="${escapeAttribute(attributes[name]!)}"`;
  }
  return out;
}

const special = /[&<>\r]/;
const specialInAttribute = /[&<>"\r\n\t]/;
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Written as references, because a parser turns the characters into a line feed or a space.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

function escapeText(text: string): string {
  return special.test(text) ? text.replace(/[&<>\r]/g, (char) => entities[char]!) : text;
}

function escapeAttribute(text: string): string {
  return specialInAttribute.test(text)
    ? text.replace(/[&<>"\r\n\t]/g, (char) => entities[char]!)
    : text;
}
