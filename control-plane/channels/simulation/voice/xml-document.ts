/** The shared parts of the interpreters of Twilio and Plivo, whose documents are XML. */
import { type Element, readTree } from '../../../simulation/xml-tree.ts';
import {
  absoluteUrl,
  type Behaviour,
  DocumentFault,
  isSipAddress,
  Line,
  must,
  type Outcome,
  type ProviderRequest,
  wholeNumber,
} from './phone-call.ts';

/** The XML of one provider, where the two differ in names and limits only. */
export interface XmlMarkup {
  readonly bytesMax: number;
  /** The attributes of each element with their allowed values; any other is refused. */
  readonly attributesOf: Readonly<Record<string, Readonly<Record<string, RegExp>>>>;
  readonly speech: {
    readonly name: string;
    /** Throws DocumentFault for a voice or text that the provider does not speak. */
    voiceOf(element: Element): { readonly language?: string; readonly voice?: string };
  };
  readonly pause: { readonly name: string; readonly secondsMax: number };
  readonly party: {
    /** The name of the element with a SIP address; a number is in `Number`. */
    readonly sip: string;
    readonly number: RegExp;
    /** The form of `number` in words. */
    readonly form: string;
  };
}

/**
 * Runs a document: sounds are heard, and `perform` runs the other elements. An element that asks for
 * another document ends this one: later elements do not run.
 */
export function interpretXml(
  document: string,
  markup: XmlMarkup,
  behaviours: readonly Behaviour[],
  perform: (element: Element, line: Line) => ProviderRequest | undefined,
): Outcome {
  const line = new Line(behaviours);
  const sounds = [markup.speech.name, 'Play', markup.pause.name];
  return line.run(() => {
    must(Buffer.byteLength(document) <= markup.bytesMax, 'the document is too large');
    const root = readTree(document);
    if ('fault' in root) throw new DocumentFault(root.fault);
    must(root.name === 'Response', 'the root is not Response');
    for (const element of root.children) {
      if (sounds.includes(element.name)) {
        hear(element, markup, line);
        continue;
      }
      checkAttributes(element, markup);
      const next = perform(element, line);
      if (next !== undefined) return { next };
    }
    return undefined;
  });
}

/** Says a text, plays a file or pauses. */
function hear(element: Element, markup: XmlMarkup, line: Line): void {
  checkAttributes(element, markup);
  const { name, attributes, text } = element;
  const { speech, pause } = markup;
  const loop = wholeNumber(attributes.loop, 'loop', [0, 1_000], 1);
  const isInterrupted = false;
  if (name === speech.name) {
    must(text !== '', `${name} needs characters to say`);
    line.effects.push({ kind: 'say', text, loop, isInterrupted, ...speech.voiceOf(element) });
  } else if (name === 'Play') {
    line.effects.push({ kind: 'play', url: absoluteUrl(text, 'Play'), loop, isInterrupted });
  } else {
    must(name === pause.name, `${name} does not nest here`);
    const seconds = wholeNumber(attributes.length, 'length', [1, pause.secondsMax], 1);
    line.effects.push({ kind: 'pause', seconds });
  }
}

/** Plays the prompts within an element, and waits for digits. */
export function collect(
  element: Element,
  markup: XmlMarkup,
  { finishKeys, digitsMax }: { readonly finishKeys: string; readonly digitsMax: number },
  line: Line,
): string {
  const max = wholeNumber(element.attributes.numDigits, 'numDigits', [1, digitsMax], digitsMax);
  for (const prompt of element.children) hear(prompt, markup, line);
  const lets = element.children.length > 0 ? 'interrupt' : 'ignore';
  return line.collect(finishKeys, max, lets).digits;
}

/** The numbers and SIP addresses within a Dial. */
export function partiesOf({ children }: Element, markup: XmlMarkup): readonly string[] {
  must(children.length > 0, 'Dial calls nobody');
  return children.map((child) => {
    checkAttributes(child, markup);
    return partyOf(child, markup);
  });
}

function partyOf({ name, text }: Element, { party }: XmlMarkup): string {
  const { sip, number, form } = party;
  if (name === sip) {
    must(isSipAddress(text), `${sip} is no SIP address`);
  } else {
    must(name === 'Number', `${name} does not nest in Dial`);
    must(number.test(text), `Number is not ${form}`);
  }
  return text;
}

/** Refuses an element, an attribute or a value that the provider does not know. */
export function checkAttributes({ name, attributes }: Element, { attributesOf }: XmlMarkup): void {
  const known = Object.hasOwn(attributesOf, name) ? attributesOf[name]! : undefined;
  must(known !== undefined, `${name} is unknown`);
  for (const [attribute, value] of Object.entries(attributes)) {
    const shape = Object.hasOwn(known, attribute) ? known[attribute]! : undefined;
    must(shape !== undefined, `${name} has no attribute ${attribute}`);
    must(shape.test(value), `${attribute} of ${name} is ${JSON.stringify(value)}`);
  }
}
