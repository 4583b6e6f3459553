import { Node } from '@drawbridge/cim/node.ts';
import type { Binding } from '../compile.ts';
import {
  addBound,
  addChild,
  addText,
  closeElement,
  elementName,
  type OpenElement,
  partText,
} from './open-element.ts';
import { limits } from './parse-limits.ts';
import { expanded, type Namespaces, outermost, unsure } from './scan-names.ts';
import {
  endTag,
  type KnownRuns,
  keepRun,
  knownRun,
  type Opening,
  type Run,
  startTag,
  type Tag,
  unusual,
} from './scan-runs.ts';
import { readEndTag, readStartTag, type StartTag } from './scan-tags.ts';
import { decodeText, forbidden, literalEnd } from './scan-text.ts';

/** A document read by the scanner. */
export interface Scanned {
  readonly root: Node;
  readonly binding: Binding;
  /**
   * Whether it is written as `emit` writes: bound elements in the order of the table, only text and
   * comments between tags, and namespaces that are usual addresses.
   */
  readonly isPlain: boolean;
}

/**
 * What it does: reads the usual XML of invoices into nodes, in one pass. Where a line is written
 * like an earlier one, a single comparison reads everything between two values (scan-runs.ts). Why:
 * with saxes validation from XML takes 2 to 4 times as long at ten lines, 4 to 7 times at a
 * thousand (docs/performance.md). The plain version: `parseStrictly` of parse.ts, with saxes. It
 * reads everything that is not certain here (a fault, a DOCTYPE, a name beyond ASCII), and only it
 * reports faults. How the two are kept equal: scan.test.ts reads random documents in both ways,
 * authority.test.ts the official ones: the nodes must be the same, and what saxes refuses is never
 * read here. `npm run fuzz` tries more.
 *
 * Returns undefined where saxes must decide. Of several pieces, each but the first begins with `<`.
 */
export function scan(bindings: readonly Binding[], pieces: Iterable<string>): Scanned | undefined {
  const scanner = new Scanner(bindings);
  try {
    for (const piece of pieces) scanner.read(piece);
    return scanner.document();
  } catch (error) {
    if (error === unsure) return undefined;
    throw error;
  }
}

const declaration =
  /^<\?xml[ \t\n]+version=(["'])1\.0\1(?:[ \t\n]+encoding=(["'])[Uu][Tt][Ff]-8\2)?(?:[ \t\n]+standalone=(["'])(?:yes|no)\3)?[ \t\n]*\?>/;
/** Names of namespaces that libxml2 certainly accepts. */
const plainUri = /^(urn:[\w:.-]+|https?:\/\/[\w.-]+(\/[\w./-]*)?(#\w*)?)$/;
const elementForm = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/;
const instructionForm = /[A-Za-z_][\w.-]*(?=[ \t\n]|\?>)/y;

class Scanner {
  readonly #bindings: readonly Binding[];
  /** The current piece. */
  #source = '';
  #isBegun = false;
  /**
   * The lines of an invoice are alike: from the third one, nearly all markup between two texts is
   * the same as before, and one comparison reads it.
   */
  readonly #knownRuns = new Map<Tag, KnownRuns>();
  /** The known runs after the latest tag. */
  #next: KnownRuns | undefined;
  #at = 0;
  /** The innermost element that is open. */
  #open: Open | undefined;
  /** What the tags since the last text close and open; undefined after an unusual tag. */
  #learning: { closes: number; readonly opens: Opening[] } | undefined;
  /** Text since the last tag, so far; a comment or a CDATA section divides it. */
  #text = '';
  #nodes = 0;
  #isPlain = true;
  #root: Node | undefined;
  #binding: Binding | undefined;

  constructor(bindings: readonly Binding[]) {
    this.#bindings = bindings;
  }

  read(piece: string): void {
    if (!piece.isWellFormed()) throw unsure;
    // XML 1.0, 2.11: all line ends become a line feed.
    const source = piece.includes('\r') ? piece.replace(/\r\n?/g, '\n') : piece;
    this.#source = source;
    this.#at = this.#isBegun ? 0 : endOfDeclaration(source);
    this.#isBegun = true;
    for (;;) {
      this.#readText();
      if (this.#at === source.length) break;
      const run = this.#next && knownRun(this.#next, source, this.#at);
      if (run === undefined) this.#newRun();
      else this.#follow(run);
    }
  }

  document(): Scanned {
    if (this.#open !== undefined || this.#root === undefined) throw unsure;
    return { root: this.#root, binding: this.#binding!, isPlain: this.#isPlain };
  }

  /** Reads text up to the next tag or the end of the piece. */
  #readText(): void {
    const source = this.#source;
    const from = this.#at;
    let to = literalEnd(source, from);
    const isLiteral = to === source.length || source.charCodeAt(to) === less;
    if (!isLiteral) {
      const tag = source.indexOf('<', to);
      to = tag < 0 ? source.length : tag;
    }
    this.#at = to;
    if (from === to) return;
    const raw = source.slice(from, to);
    if (this.#open === undefined) {
      // Checked as written, because a reference is not allowed here, not even one to white space.
      if (!/^[ \t\n]*$/.test(raw)) throw unsure;
      return;
    }
    const text = isLiteral ? raw : decodeText(raw);
    if (text === undefined) throw unsure;
    this.#text = this.#text === '' ? text : this.#text + text;
  }

  #flush(): void {
    if (this.#text === '') return;
    addText(this.#open!, this.#text);
    this.#text = '';
  }

  /** Repeats what the same tags did before. */
  #follow({ written, closes, opens, next }: Run): void {
    this.#flush();
    let open = this.#open!;
    for (let count = 0; count < closes; count++) open = open.outer!;
    for (const { shape, attributes } of opens) {
      const node = addBound(open.node as Node, shape, attributes);
      this.#count(open, node);
      open = enter(open, node, shape.element, open.namespaces, true);
    }
    this.#open = open;
    this.#next = next;
    this.#at += written.length;
  }

  /** Reads tags up to the next text. */
  #newRun(): void {
    const from = this.#at;
    const known = this.#next;
    this.#learning = known && { closes: 0, opens: [] };
    let last: Tag;
    do last = this.#tag(this.#at);
    while (this.#source.charCodeAt(this.#at) === less);
    this.#next = this.#open?.isRepeated ? this.#knownAfter(last) : undefined;
    if (this.#learning === undefined || this.#next === undefined) return;
    // At the end of the piece the run may continue in the next.
    if (this.#at === this.#source.length) return;
    const written = this.#source.slice(from, this.#at);
    keepRun(known!, { written, ...this.#learning, next: this.#next });
  }

  #knownAfter(tag: Tag): KnownRuns | undefined {
    if (tag === unusual) return undefined;
    let known = this.#knownRuns.get(tag);
    if (known === undefined) {
      known = [];
      this.#knownRuns.set(tag, known);
    }
    return known;
  }

  #tag(tag: number): Tag {
    const mark = this.#source.charCodeAt(tag + 1);
    if (mark === slash) return this.#endTag(tag + 2);
    if (mark !== exclamation && mark !== question) return this.#startTag(tag + 1);
    this.#learning = undefined;
    if (mark === exclamation) this.#comment(tag);
    else this.#instruction(tag + 2);
    return unusual;
  }

  #endTag(from: number): Tag {
    this.#flush();
    const open = this.#open;
    if (open === undefined) throw unsure;
    this.#at = readEndTag(this.#source, from, open.name);
    closeElement(open);
    this.#open = open.outer;
    if (this.#learning?.opens.length === 0) this.#learning.closes++;
    else this.#learning = undefined;
    return open.isUsual ? endTag((open.node as Node).shape) : unusual;
  }

  #comment(tag: number): void {
    if (this.#source.startsWith('<!--', tag)) {
      const end = this.#source.indexOf('--', tag + 4);
      if (end < 0 || this.#source.charCodeAt(end + 2) !== greater) throw unsure;
      if (forbidden.test(this.#source.slice(tag, end))) throw unsure;
      this.#partText();
      this.#at = end + 3;
      return;
    }
    if (!this.#source.startsWith('<![CDATA[', tag) || this.#open === undefined) throw unsure;
    const end = this.#source.indexOf(']]>', tag + 9);
    const text = this.#source.slice(tag + 9, end);
    if (end < 0 || forbidden.test(text)) throw unsure;
    this.#text += text;
    this.#isPlain = false;
    this.#at = end + 3;
  }

  #partText(): void {
    if (this.#open === undefined) return;
    this.#flush();
    partText(this.#open.node);
  }

  #instruction(from: number): void {
    if (this.#open !== undefined) this.#isPlain = false;
    this.#partText();
    instructionForm.lastIndex = from;
    const target = instructionForm.exec(this.#source)?.[0];
    if (target === undefined || target.toLowerCase() === 'xml') throw unsure;
    const end = this.#source.indexOf('?>', from + target.length);
    if (end < 0 || forbidden.test(this.#source.slice(from, end))) throw unsure;
    this.#at = end + 2;
  }

  #startTag(from: number): Tag {
    this.#flush();
    const outer = this.#open;
    const tag = readStartTag(this.#source, from, outer?.namespaces ?? outermost);
    const { namespaces } = tag;
    if (namespaces !== outer?.namespaces && this.#isPlain) this.#isPlain = isPlain(namespaces);
    const node =
      outer === undefined
        ? this.#document(tag)
        : addChild(outer, this.#elementName(outer, tag), tag.attributes);
    this.#count(outer, node);
    this.#at = tag.end;
    const isUsual = outer === undefined || (outer.isUsual && isUsualChild(outer, node, tag));
    if (!tag.isEmpty) this.#open = enter(outer, node, tag.written, namespaces, isUsual);
    if (!isUsual || tag.isEmpty) {
      this.#learning = undefined;
      return unusual;
    }
    const { shape, attributes } = node as Node;
    if (this.#learning !== undefined) {
      if (attributes !== undefined) Object.freeze(attributes);
      this.#learning.opens.push({ shape, attributes });
    }
    return startTag(shape);
  }

  #elementName(outer: Open, { written, namespaces }: StartTag): string {
    const { node } = outer;
    const isOwn = namespaces.areOwn && node instanceof Node;
    if (isOwn && node.shape.byElement.has(written)) return written;
    let element = namespaces.names.get(written);
    if (element === undefined) {
      if (!elementForm.test(written)) throw unsure;
      element = elementName(this.#binding!.prefixes, ...expanded(written, namespaces));
      namespaces.names.set(written, element);
    }
    return element;
  }

  #document({ written, namespaces, attributes }: StartTag): Node {
    if (this.#root !== undefined || !elementForm.test(written)) throw unsure;
    const [uri, local] = expanded(written, namespaces);
    this.#binding = this.#bindings.find(
      ({ table }) => table.root === local && table.namespace === uri,
    );
    if (this.#binding === undefined) throw unsure;
    this.#root = new Node(this.#binding.root, undefined);
    this.#root.attributes = attributes;
    const prefixes = this.#binding.prefixes.entries();
    namespaces.areOwn = prefixes.every(([uri, prefix]) => namespaces.uris.get(prefix) === uri);
    return this.#root;
  }

  /** Checks the limits, and whether bound elements are in the order of the table. */
  #count(outer: Open | undefined, node: OpenElement['node']): void {
    if (++this.#nodes > limits.nodesMax) throw unsure;
    if (outer === undefined) return;
    if (outer.depth >= limits.depthMax) throw unsure;
    if (!(node instanceof Node)) return;
    const { slot } = node.shape;
    if (slot < outer.slot) this.#isPlain = false;
    outer.slot = slot;
  }
}

function endOfDeclaration(source: string): number {
  if (!source.startsWith('<?xml ')) return 0;
  const written = declaration.exec(source);
  if (written === null) throw unsure;
  return written[0].length;
}

/** An open element; one object is used for all elements at its depth. */
class Open implements OpenElement {
  readonly outer: Open | undefined;
  /** The number of open elements, including this one. */
  readonly depth: number;
  inner: Open | undefined = undefined;
  node!: OpenElement['node'];
  counts: OpenElement['counts'] = undefined;
  /** The name as written, for the end tag. */
  name = '';
  namespaces: Namespaces = outermost;
  /** Whether it and all around it are bound and named as in the table, with the root's prefixes. */
  isUsual = false;
  /** Whether it or one around it may occur again. */
  isRepeated = false;
  /** The slot of the latest child. */
  slot = 0;

  constructor(outer: Open | undefined) {
    this.outer = outer;
    this.depth = outer === undefined ? 1 : outer.depth + 1;
  }
}

function enter(
  outer: Open | undefined,
  node: OpenElement['node'],
  name: string,
  namespaces: Namespaces,
  isUsual: boolean,
): Open {
  const open = outer === undefined ? new Open(undefined) : (outer.inner ??= new Open(outer));
  open.node = node;
  open.counts = undefined;
  open.name = name;
  open.namespaces = namespaces;
  open.isUsual = isUsual;
  open.isRepeated =
    outer !== undefined && (outer.isRepeated || (node instanceof Node && node.shape.max > 1));
  open.slot = 0;
  return open;
}

function isUsualChild(outer: Open, node: OpenElement['node'], tag: StartTag): boolean {
  const isSame = tag.namespaces === outer.namespaces;
  return isSame && node instanceof Node && node.shape.element === tag.written;
}

function isPlain({ uris }: Namespaces): boolean {
  return uris.values().every((uri) => plainUri.test(uri));
}

const exclamation = 33;
const slash = 47;
const less = 60;
const greater = 62;
const question = 63;
