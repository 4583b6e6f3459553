import { Node, type Shape } from '@drawbridge/cim/node.ts';
import {
  childrenOf,
  type Element,
  eachChild,
  nameOf,
  reach,
  someText,
} from '../language/element.ts';
import { always } from '../language/question.ts';
import { rule } from '../language/rule-kinds.ts';
import { either, hasAnyAttribute, holdsUnbound } from '../language/statement.ts';
import { type Context, perDocument, type Rule, type Statement } from '../rule.ts';
import type { Scope } from '../scope.ts';
import { unusedElements } from './unused-elements.ts';

/** Unused attributes by the number of their UBL-DT rule. */
const unusedAttributes = {
  '08': 'schemeName',
  '09': 'schemeAgencyName',
  '10': 'schemeDataURI',
  '11': 'schemeURI',
  '12': 'format',
  '13': 'unitCodeListIdentifier',
  '14': 'unitCodeListAgencyIdentifier',
  '15': 'unitCodeListAgencyName',
  '16': 'listAgencyName',
  '17': 'listName',
  '19': 'languageID',
  '20': 'listURI',
  '21': 'listSchemeURI',
  '22': 'languageLocaleID',
  '23': 'uri',
  '24': 'currencyCodeListVersionID',
  '25': 'characterSetCode',
  '26': 'encodingCode',
  '27': 'schemeAgencyID',
  '28': 'listAgencyID',
} as const;

/** Paths as in the rules; `*` in front means any place. */
const unusedPaths: readonly (readonly [id: string, path: string])[] = [
  ...Object.entries(unusedElements).flatMap(([path, names]) =>
    names.map(
      ([number, name]) => [`UBL-CR-${number}`, path === '' ? name : `${path}/${name}`] as const,
    ),
  ),
  ...Object.entries(unusedAttributes).map(
    ([number, attribute]) => [`UBL-DT-${number}`, `*/@${attribute}`] as const,
  ),
];

const unusedThings = unusedPaths.map(([, stated]) => {
  const at = stated.lastIndexOf('/@');
  return at < 0
    ? { element: stated, attribute: undefined }
    : { element: stated.slice(0, at), attribute: stated.slice(at + 2) };
});
const unusedAnywhere = unusedThings.filter(({ element }) => element.startsWith('*'));
/** The rules by path below the root. */
const unusedAt = Map.groupBy(
  unusedThings.flatMap(({ element, attribute }) =>
    placesOf(element).map((place) => ({ place, attribute })),
  ),
  ({ place }) => place,
);

/** True of a node that may be unused, or has an attribute that may be unused. */
const suspicion: Statement = {
  on: (shape) => {
    const path = pathOf(shape);
    const things = [
      ...(unusedAt.get(path) ?? []),
      ...unusedAnywhere.filter(({ element }) => path.endsWith(element.slice(1))),
    ];
    if (things.some(({ attribute }) => attribute === undefined)) return always;
    const names = things.flatMap(({ attribute }) => attribute ?? []);
    if (shape.element !== 'cbc:PaymentMeansCode') names.push('name');
    const held = hasAnyAttribute(alike(names));
    return (shape.parent === undefined ? either(holdsUnbound, held) : held).on(shape);
  },
};

const sets = new Map<string, ReadonlySet<string>>();

/** The same set for the same names, so that shapes share the code generated for it. */
function alike(names: readonly string[]): ReadonlySet<string> {
  const key = names.toSorted().join(' ');
  let known = sets.get(key);
  if (known === undefined) sets.set(key, (known = new Set(names)));
  return known;
}

function pathOf({ parent, element }: Shape): string {
  return parent === undefined ? '' : `${pathOf(parent)}/${element}`;
}

/**
 * Elements and attributes of UBL that the business model does not have; nearly all rules are
 * warnings. A document without any of them, as most are, skips 700 rules.
 */
export const unusedContext: Context = {
  each: [''],
  trigger: suspicion,
  rules: [...unusedPaths.map(([id, path]) => unused(id, path)), namedCodes()],
};

/** The paths below the root that a path of a rule means; none when it means any place. */
function placesOf(path: string): string[] {
  if (path.startsWith('*')) return [];
  return path.startsWith('line/')
    ? ['cac:InvoiceLine', 'cac:CreditNoteLine'].map((line) => `/${line}${path.slice(4)}`)
    : [`/${path}`];
}

function unused(id: string, path: string): Rule {
  const message = `${path} is not used in an EN 16931 invoice.`;
  if (path.startsWith('*/')) {
    const end = `/${path.slice(2)}`;
    return warning(id, message, (scope) => census(scope).some((each) => each.endsWith(end)));
  }
  const paths = placesOf(path);
  return warning(id, message, (scope) => paths.some((each) => written(scope).has(each)));
}

function warning(id: string, message: string, isBroken: (scope: Scope) => boolean): Rule {
  return rule(id, ['IBT-024'], message, (_, scope) => !isBroken(scope), 'warning');
}

/** Rules on elements that are unused under a condition; two of them are fatal. */
export function conditionallyUnused(): Rule[] {
  return [
    warning(
      'UBL-CR-002',
      'The UBL version, when stated, is 2.1.',
      ({ root }) =>
        childrenOf(root, 'cbc:UBLVersionID').length > 0 &&
        !someText(root, 'cbc:UBLVersionID', '2.1'),
    ),
    warning(
      'UBL-CR-412',
      'Only a credit note states the due date in its payment means.',
      ({ root }) =>
        reach(root, 'cac:PaymentMeans/cbc:PaymentDueDate').length > 0 &&
        root.shape.element !== 'CreditNote',
    ),
    warning('UBL-CR-665', 'Only an invoiced object (130) has a scheme.', (scope) =>
      scope
        .everywhere('cac:AdditionalDocumentReference')
        .filter(isOtherThanObject)
        .flatMap((each) => childrenOf(each, 'cbc:ID'))
        .some((id) => id.attributes?.schemeID !== undefined),
    ),
    invoicedObjectHasNo('UBL-CR-666', 'cac:Attachment', 'attachment'),
    invoicedObjectHasNo('UBL-CR-673', 'cbc:DocumentDescription', 'description'),
  ];
}

function isOtherThanObject(node: Node): boolean {
  const codes = childrenOf(node, 'cbc:DocumentTypeCode');
  return codes.length === 0 || codes.some(({ text }) => text !== '130');
}

function invoicedObjectHasNo(id: string, name: string, what: string): Rule {
  return rule(
    id,
    ['IBT-018-1', 'IBG-24'],
    `A reference to an invoiced object (130) has no ${what}.`,
    (_, scope) =>
      !scope
        .everywhere('cac:AdditionalDocumentReference')
        .some(
          (each) =>
            someText(each, 'cbc:DocumentTypeCode', '130') && childrenOf(each, name).length > 0,
        ),
  );
}

function namedCodes(): Rule {
  return warning('UBL-DT-18', 'Only a payment means code has a name.', (scope) =>
    census(scope).some(
      (path) => path.endsWith('/@name') && !path.endsWith('/cbc:PaymentMeansCode/@name'),
    ),
  );
}

const census = perDocument((scope) => [...written(scope)]);

/** Paths below the root of all elements and attributes of the document, each once. */
const written = perDocument((scope): ReadonlySet<string> => {
  const paths = new Set<string>();
  const pathOf = new Map<Shape, string>();
  const visit = (element: Element, above: string): void => {
    const path = element instanceof Node ? shapePath(element, above) : join(above, element);
    if (!(element instanceof Node)) paths.add(path);
    for (const name in element.attributes) paths.add(`${path}/@${name}`);
    eachChild(element, (child) => visit(child, path));
  };
  // The path is made once for each shape: a large document has few shapes and many nodes.
  const shapePath = (node: Node, above: string): string => {
    let path = pathOf.get(node.shape);
    if (path === undefined) {
      path = node.parent === undefined ? '' : join(above, node);
      pathOf.set(node.shape, path);
      paths.add(path);
    }
    return path;
  };
  visit(scope.root, '');
  return paths;
});

/** UBL extensions, in a namespace without a prefix in the binding. */
const extensions =
  '{urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2}UBLExtensions';

function join(above: string, element: Element): string {
  const name = nameOf(element);
  return `${above}/${name === extensions ? 'ext:UBLExtensions' : name}`;
}
