/** The shared parts of the printers of Twilio and Plivo, whose documents are XML. */
import type { Target } from './diagnostic.ts';
import { speechFor } from './languages.ts';
import { type PrintInput, partyOf, textWithin } from './printer.ts';
import type { EndOf, Step } from './segment.ts';
import { printXml, type XmlElement } from './xml.ts';

export const xmlContentType = 'text/xml; charset=utf-8';

/** The XML of one provider: its names and limits, and the elements that only it has. */
export interface XmlMarkup {
  readonly target: Target;
  readonly speech: {
    readonly name: string;
    /** In characters; absent: only the size of the document limits it. */
    readonly textMax?: number;
  };
  readonly pause: string;
  /** The `loop` attribute; undefined when it is left out. */
  loopOf(loop: number): number | undefined;
  readonly party: { readonly sip: string; readonly number: 'e164' | 'digits' };
  gather(end: EndOf<'gather'>, printInput: PrintInput): readonly XmlElement[];
  dial(end: EndOf<'dial'>, printInput: PrintInput): XmlElement;
  record(end: EndOf<'record'>, printInput: PrintInput): readonly XmlElement[];
  conference(end: EndOf<'conference'>, printInput: PrintInput): XmlElement;
}

/** The elements after one with an `action` never run, unless the action is never called. */
export function printResponse(markup: XmlMarkup, printInput: PrintInput): string {
  const { steps } = printInput.segment;
  return printXml({
    name: 'Response',
    children: [
      ...steps.map((step) => stepElement(step, markup, printInput)),
      ...endElements(markup, printInput),
    ],
  });
}

/** The element of a sound or a pause. */
export function stepElement(step: Step, markup: XmlMarkup, printInput: PrintInput): XmlElement {
  const { speech, pause, loopOf } = markup;
  const play = (url: string, loop: number): XmlElement => ({
    name: 'Play',
    attributes: { loop: loopOf(loop) },
    children: url,
  });
  switch (step.kind) {
    case 'say': {
      const { diagnostics } = printInput;
      const spoken = speechFor(markup.target, step, diagnostics);
      if (spoken.kind === 'recording') return play(spoken.url, step.loop);
      const { voice, language } = spoken;
      const { name, textMax = Number.POSITIVE_INFINITY } = speech;
      const text = textWithin(step.text, textMax, step.node, diagnostics);
      return { name, attributes: { voice, language, loop: loopOf(step.loop) }, children: text };
    }
    case 'play':
      return play(step.url, step.loop);
    case 'pause':
      return { name: pause, attributes: { length: step.seconds } };
  }
}

function endElements(markup: XmlMarkup, printInput: PrintInput): readonly XmlElement[] {
  const { end } = printInput.segment;
  switch (end.kind) {
    case 'gather':
      return markup.gather(end, printInput);
    case 'dial':
      return [markup.dial(end, printInput)];
    case 'record':
      return markup.record(end, printInput);
    case 'conference':
      return [markup.conference(end, printInput)];
    case 'goto':
      return [redirectElement(printInput.urlOf(end.node, 'continued'))];
    case 'hangup':
      return [{ name: 'Hangup' }];
  }
}

/** The element of a number or SIP address within a Dial. */
export function partyElement(
  to: string,
  { party: { sip, number } }: XmlMarkup,
  attributes: NonNullable<XmlElement['attributes']> = {},
): XmlElement {
  const found = partyOf(to);
  switch (found.kind) {
    case 'number':
      return { name: 'Number', attributes, children: found[number] };
    case 'sip':
      return { name: sip, attributes, children: found.uri };
    case 'open':
      return { name: 'Number', attributes, children: found.text };
  }
}

/** Continues with the document at this address. */
export function redirectElement(url: string): XmlElement {
  return { name: 'Redirect', attributes: { method: 'POST' }, children: url };
}
