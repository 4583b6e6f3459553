import { SaxesParser } from 'saxes';

/** An XML element as a simulator reads it: names without prefix, text trimmed. */
export interface Element {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** Limits against documents made to exhaust the reader. */
const depthMax = 64;
const elementsMax = 200_000;

/** The root element, or what is wrong with the text (also a DTD, which no authority takes). */
export function readTree(xml: string): Element | { readonly fault: string } {
  const stack: { element: Element & { children: Element[]; text: string } }[] = [];
  let root: Element | undefined;
  let count = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type declaration is not allowed');
  });
  parser.on('opentag', (tag) => {
    count += 1;
    if (count > elementsMax || stack.length >= depthMax) throw new Error('too large or too deep');
    const attributes: Record<string, string> = {};
    for (const attribute of Object.values(tag.attributes)) {
      attributes[attribute.local] = attribute.value;
    }
    const element = { name: tag.local, namespace: tag.uri, attributes, children: [], text: '' };
    stack.at(-1)?.element.children.push(element);
    stack.push({ element });
    root ??= element;
  });
  const addText = (text: string) => {
    const top = stack.at(-1);
    if (top !== undefined) top.element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const top = stack.pop();
    if (top !== undefined) top.element.text = top.element.text.trim();
  });
  try {
    parser.write(xml).close();
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
  return root ?? { fault: 'there is no root element' };
}

/**
 * All elements at a path of names below `from`, in document order: `findAll(root, 'Party/Name')`.
 */
export function findAll(from: Element, path: string): readonly Element[] {
  return path
    .split('/')
    .reduce<readonly Element[]>(
      (found, name) =>
        found.flatMap((element) => element.children.filter((child) => child.name === name)),
      [from],
    );
}

/** The first element at the path, if any. */
export function find(from: Element, path: string): Element | undefined {
  return findAll(from, path)[0];
}

/** The text of the first element at the path, '' when absent. */
export function textAt(from: Element, path: string): string {
  return find(from, path)?.text ?? '';
}
