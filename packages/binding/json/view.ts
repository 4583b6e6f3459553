import { type CimObject, type CimValue, exactNumber, groupOf } from '@drawbridge/cim/json.ts';
import { listOf, type Node, type Shape } from '@drawbridge/cim/node.ts';
import { holderPath, memberName } from '@drawbridge/cim/path.ts';
import type { View } from '@drawbridge/cim/views.ts';
import { currenciesOf, matches, shapePath, viewsOf } from './occurrence.ts';

/**
 * CIM → its JSON form. One occurrence is shown as a value, several as a list. A view is used where
 * it shows the whole occurrence; otherwise the repeated group is shown under its own name, so that
 * nothing is lost.
 */
export function view(root: Node): CimObject {
  const out: Out = {};
  new Viewer(root).members(root, out);
  return out;
}

type Out = Record<string, CimValue>;

class Viewer {
  readonly #root: Node;

  constructor(root: Node) {
    this.#root = root;
  }

  members(node: Node, out: Out): void {
    const later: (() => void)[] = [];
    this.#members(node, out, later);
    for (const place of later) place();
  }

  #members(node: Node, out: Out, later: (() => void)[]): void {
    for (const shape of node.shape.members) {
      for (const each of listOf(node.members[shape.slot])) {
        if (shape.kind === 'wrap') this.#members(each, out, later);
        else if (shape.kind === 'value') value(each, out, this.#root);
        else this.#group(each, out, later);
      }
    }
  }

  #group(node: Node, out: Out, later: (() => void)[]): void {
    const content: Out = {};
    this.members(node, content);
    const shown = viewsOf(node.shape).find((each) => shows(node, each, content));
    if (shown === undefined) {
      add(out, node.shape.name, content, node.shape.many);
    } else if (shown.member === undefined) {
      for (const name of Object.keys(shown.where)) delete content[name];
      add(out, memberName(shown.path), content, true);
    } else {
      // A view may be in another group (`totals.tax`), which must be there first.
      later.push(() => {
        if (!showMembers(node, shown, content, out)) add(out, node.shape.name, content, true);
      });
    }
  }
}

/**
 * Shows an occurrence by the views of its members; false when the group of a view is missing.
 */
function showMembers(node: Node, shown: View, content: Out, out: Out): boolean {
  const parts = viewsOf(node.shape).flatMap((each) => {
    const held = each.member === undefined ? undefined : content[each.member];
    return held !== undefined && sameOccurrence(each, shown)
      ? [
          {
            name: memberName(each.path),
            held: plain(each, held),
            holder: holderOf(each, node, out),
          },
        ]
      : [];
  });
  if (parts.some(({ holder }) => holder === undefined)) return false;
  for (const { name, held, holder } of parts) holder![name] = held;
  return true;
}

/** The value; without the currency when the view already says it. */
function plain({ where, member }: View, held: CimValue): CimValue {
  const amount = 'currency' in (where[member!] ?? {}) ? groupOf(held) : undefined;
  if (amount === undefined) return held;
  const { currencyID, ...others } = amount;
  return Object.keys(others).length === 1 ? others.value! : others;
}

/** The object that contains the view, given the one that contains its occurrence. */
function holderOf(view: View, node: Node, out: Out): Out | undefined {
  const holder = holderPath(view.path);
  const here = holderOfNode(node);
  if (holder === here) return out;
  return out[holder.slice(here === '' ? 0 : here.length + 1)] as Out | undefined;
}

function value(node: Node, out: Out, root: Node): void {
  const { shape, attributes } = node;
  const extra: Record<string, string> = {};
  for (const [name, text] of Object.entries(attributes ?? {})) {
    const known = shape.attributes.find((row) => row.attribute === name);
    if (name === 'currencyID' && text === impliedCurrency(node, root)) continue;
    // Only the first value's attributes are shown next to it: those of others would be ambiguous.
    if (known !== undefined && out[shape.name] === undefined) add(out, known.name, text, false);
    else extra[name] = text;
  }
  const plain = typed(shape, node.text);
  const shown = Object.keys(extra).length === 0 ? plain : { value: plain, ...extra };
  add(out, shape.name, shown, shape.many);
}

/** Whether a view shows this occurrence without loss. */
function shows(node: Node, view: View, content: Out): boolean {
  if (!matches(node, view)) return false;
  if (view.member === undefined) {
    return Object.keys(view.where).every((name) => isMade(view, name, content[name]));
  }
  if (!onlyMatch(node, view)) return false;
  const shown = new Set(
    viewsOf(node.shape)
      .filter((each) => sameOccurrence(each, view))
      .map((each) => each.member),
  );
  const names = Object.keys(content);
  return (
    names.some((name) => shown.has(name)) &&
    names.every((name) => shown.has(name) || isMade(view, name, content[name]))
  );
}

/** Whether the view matches this occurrence only; for two it would be ambiguous. */
function onlyMatch(node: Node, view: View): boolean {
  const siblings = listOf(node.parent?.members[node.shape.slot]);
  return siblings.every((each) => each === node || !matches(each, view));
}

/** Whether the member is a discriminator that `build` makes again. */
function isMade(view: View, name: string, held: CimValue | undefined): boolean {
  const predicate = view.where[name];
  if (predicate === undefined) return false;
  if ('currency' in predicate) return true;
  const made = 'is' in predicate ? predicate.is : predicate.as;
  return String(held) === made;
}

function sameOccurrence(one: View, other: View): boolean {
  return one.of === other.of && one.where === other.where;
}

function holderOfNode(node: Node): string {
  let at = node.parent!;
  while (at.shape.kind === 'wrap') at = at.parent!;
  return shapePath(at.shape);
}

function impliedCurrency({ shape }: Node, root: Node): string | undefined {
  const { document, accounting = document } = currenciesOf(root);
  return shape.currency === 'document' ? document : accounting;
}

/** Quantities and rates are numbers where a number says exactly the same. */
function typed(shape: Shape, text: string): CimValue {
  if (shape.datatype === 'indicator' && (text === 'true' || text === 'false'))
    return text === 'true';
  if (shape.datatype !== 'quantity' && shape.datatype !== 'percentage') return text;
  return exactNumber(text);
}

function add(out: Out, name: string, content: CimValue, many: boolean): void {
  const held = out[name];
  if (held === undefined) out[name] = many ? [content] : content;
  else if (Array.isArray(held)) held.push(content);
  else out[name] = [held, content];
}
