/** An element with its attributes in order; undefined ones are left out. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly children?: readonly XmlElement[] | string;
}

/** The element as text, without a declaration: XML without one is UTF-8. */
export function printXml({ name, attributes = {}, children = [] }: XmlElement): string {
  const shown = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(String(value), /[&<"\t\n\r]/g)}"`],
  );
  const inner =
    typeof children === 'string' ? escaped(children, /[&<>\r]/g) : children.map(printXml).join('');
  const open = name + shown.join('');
  return inner === '' ? `<${open}/>` : `<${open}>${inner}</${name}>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would turn these into a space or a line feed.
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

function escaped(text: string, special: RegExp): string {
  return text.replace(special, (char) => entities[char]!);
}
