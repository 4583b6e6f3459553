import { CertainSchema } from '@drawbridge/binding/certain.ts';
import type { Binding } from '@drawbridge/binding/compile.ts';
import { printStandardXsd } from '@drawbridge/binding/standard-xsd.ts';
import { printXsd } from '@drawbridge/binding/xsd.ts';
import { holdsUnbound, listOf, type Node } from '@drawbridge/cim/node.ts';
import { type SchemaFault, SchemaStage } from './xsd.ts';

/** A document that is there already, with the text it is written in. */
export interface WrittenDocument {
  readonly binding: Binding;
  readonly root: Node;
  readonly xml: string;
  /** As `emit` writes: elements in the order of the table; see `Scanned`. */
  readonly isPlain: boolean;
}

/** Stage 1 for one document type. */
export class StructureStage {
  readonly #name: string;
  readonly #binding: Binding;
  readonly #certain: CertainSchema;
  readonly #profile: SchemaStage;
  #standard: SchemaStage | undefined;

  /** `name` is unique to the stage. */
  constructor(name: string, binding: Binding) {
    this.#name = name;
    this.#binding = binding;
    this.#certain = new CertainSchema(binding);
    this.#profile = new SchemaStage(name, printXsd(binding));
  }

  check(document: WrittenDocument): SchemaFault[] {
    const { root, xml, isPlain } = document;
    if (isPlain && this.#certain.accepts(root)) return [];
    return this.#schemaFor(document).check(xml);
  }

  /**
   * The profile's own schema, or that of the whole standard for a document that says more: the rules
   * then tell what of it is not wanted. Compiled on first use, for few documents do.
   */
  #schemaFor(document: WrittenDocument): SchemaStage {
    const { table } = this.#binding;
    if (table.standard === undefined || !saysMore(document)) return this.#profile;
    this.#standard ??= new SchemaStage(
      `${this.#name}/standard`,
      printStandardXsd(table, table.standard),
    );
    return this.#standard;
  }
}

function saysMore({ root, xml }: WrittenDocument): boolean {
  // The name of an attribute is written as it is, whatever its prefix: few documents hold this one.
  return holdsUnbound(root) || (xml.includes(':type') && namesTypes(root));
}

function namesTypes({ attributes, members }: Node): boolean {
  if (attributes?.[ownType] !== undefined) return true;
  return members.some((found) => listOf(found).some(namesTypes));
}

/** XML Schema 1, 2.6.1: names are those of the standard, which the profile's schema has not all. */
const ownType = '{http://www.w3.org/2001/XMLSchema-instance}type';
