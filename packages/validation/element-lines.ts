/**
 * libxml2 reports the line of a fault. Here each element gets its own line, and a line its XPath.
 * For well-formed documents without document type declaration, which is checked before.
 */
const markup =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<\/[^>]*>|<([^\s/>]+)(?:[^>"']|"[^"]*"|'[^']*')*?(\/?)>/g;

/** The same document, with the n-th element on line n + 1. */
export function oneElementPerLine(xml: string): string {
  return xml
    .replaceAll(/[\r\n]/g, ' ')
    .replaceAll(markup, (tag: string, name: string | undefined) =>
      name === undefined ? tag : `\n${tag}`,
    )
    .trimStart();
}

interface Open {
  readonly path: string;
  readonly counts: Map<string, number>;
}

interface Element {
  readonly parent: Open;
  readonly name: string;
  readonly position: number;
}

/** The XPath of the element on each of `lines`, with a position where siblings share its name. */
export function locateLines(xml: string, lines: readonly number[]): string[] {
  // An XML declaration is alone on line 1; without one trimStart removed that line.
  const offset = xml.trimStart().startsWith('<?') || xml.trimStart().startsWith('<!') ? 2 : 1;
  const elements = list(xml);
  return lines.map((line) => {
    const element = elements[line - offset];
    return element === undefined ? '/' : pathOf(element);
  });
}

function list(xml: string): Element[] {
  const elements: Element[] = [];
  const stack: Open[] = [{ path: '', counts: new Map() }];
  const opened: Element[] = [];
  for (const [tag, name, selfClosed] of xml.matchAll(markup)) {
    if (name === undefined) {
      if (tag.startsWith('</')) {
        stack.pop();
        opened.pop();
      }
      continue;
    }
    const parent = stack.at(-1)!;
    const position = (parent.counts.get(name) ?? 0) + 1;
    parent.counts.set(name, position);
    const element = { parent, name, position };
    elements.push(element);
    if (selfClosed === '/') continue;
    opened.push(element);
    // The path is made later, because the number of siblings is known only at the end.
    stack.push({
      get path() {
        return pathOf(element);
      },
      counts: new Map(),
    });
  }
  return elements;
}

function pathOf({ parent, name, position }: Element): string {
  const count = parent.counts.get(name)!;
  return `${parent.path}/${name}${count > 1 ? `[${position}]` : ''}`;
}
