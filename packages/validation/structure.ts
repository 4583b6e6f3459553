import type { Binding } from '@drawbridge/binding/compile.ts';
import { FastSchema } from '@drawbridge/binding/schema/fast-schema.ts';
import { printXsd } from '@drawbridge/binding/schema/profile-xsd.ts';
import { printStandardXsd } from '@drawbridge/binding/schema/standard-xsd.ts';
import { holdsUnbound, listOf, type Node } from '@drawbridge/cim/node.ts';
import { base64Faults } from './base64-faults.ts';
import { type SchemaFault, SchemaStage } from './xsd.ts';

/** A document with its XML text. */
export interface WrittenDocument {
  readonly binding: Binding;
  readonly root: Node;
  readonly xml: string;
  /**
   * Whether it is written as `emit` writes, with elements in the order of the table; see `Scanned`.
   */
  readonly isPlain: boolean;
}

/** Stage 1 for one document type. */
export class StructureStage {
  readonly #name: string;
  readonly #binding: Binding;
  readonly #fast: FastSchema;
  readonly #profile: SchemaStage;
  #standard: SchemaStage | undefined;

  /** `name` is unique to the stage. */
  constructor(name: string, binding: Binding) {
    this.#name = name;
    this.#binding = binding;
    this.#fast = new FastSchema(binding);
    this.#profile = new SchemaStage(name, printXsd(binding));
  }

  check(document: WrittenDocument): SchemaFault[] {
    const { root, xml, isPlain } = document;
    if (isPlain && this.#fast.accepts(root)) return [];
    const faults = this.#schemaFor(document).check(xml);
    return faults.length > 0 ? faults : base64Faults(root);
  }

  /**
   * The profile's own schema, or that of the whole standard for a document with more elements,
   * which the rules then report. The latter is compiled on first use, because few documents need
   * it.
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
  // The written name of this attribute ends so with any prefix; few documents have it.
  return holdsUnbound(root) || (xml.includes(':type') && namesTypes(root));
}

function namesTypes({ attributes, members }: Node): boolean {
  if (attributes?.[ownType] !== undefined) return true;
  return members.some((found) => listOf(found).some(namesTypes));
}

/**
 * The attribute xsi:type (XML Schema 1, 2.6.1), which may name types that only the standard has.
 */
const ownType = '{http://www.w3.org/2001/XMLSchema-instance}type';
