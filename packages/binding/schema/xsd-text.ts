/** An element of the schema document. */
export interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Tag[];
  readonly comment?: string;
}

/** An element named `xs:name`. */
export function tag(
  name: string,
  attributes: Tag['attributes'],
  children: readonly Tag[] = [],
): Tag {
  return { name, attributes, children };
}

/** A declaration of an element, or a reference to one. */
export function element(attributes: Tag['attributes'], children: readonly Tag[] = []): Tag {
  return tag('element', attributes, children);
}

/** The type of an element with these members in this order. */
export function sequence(members: readonly Tag[]): Tag {
  return tag('complexType', {}, [tag('sequence', {}, members)]);
}

/** One schema file; `imports` are prefixes of `namespaces`. */
export function schema(
  target: string,
  namespaces: Readonly<Record<string, string>>,
  imports: readonly string[],
  body: readonly Tag[],
): string {
  const prefixes = Object.entries(namespaces).map(([prefix, uri]) => [`xmlns:${prefix}`, uri]);
  const attributes = {
    'xmlns:xs': 'http://www.w3.org/2001/XMLSchema',
    xmlns: target,
    ...Object.fromEntries(prefixes),
    targetNamespace: target,
    elementFormDefault: 'qualified',
  };
  const imported = imports.map((prefix) =>
    tag('import', { namespace: namespaces[prefix]!, schemaLocation: `${prefix}.xsd` }),
  );
  const lines = linesOf(tag('schema', attributes, [...imported, ...body]), '');
  return `${['<?xml version="1.0" encoding="UTF-8"?>', ...lines].join('\n')}\n`;
}

function linesOf({ name, attributes, children, comment }: Tag, indent: string): string[] {
  const written = Object.entries(attributes).map(([key, value]) => `${key}="${value}"`);
  const separator = written.length > 4 ? `\n${indent}  ` : ' ';
  const open = [`${indent}<xs:${name}`, ...written].join(separator);
  const note = comment === undefined ? '' : ` <!-- ${comment} -->`;
  if (children.length === 0) return [`${open}/>${note}`];
  return [
    `${open}>${note}`,
    ...children.flatMap((child) => linesOf(child, `${indent}  `)),
    `${indent}</xs:${name}>`,
  ];
}
