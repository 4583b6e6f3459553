import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  Connect,
  Conversation,
  Input,
  Notify,
  Record as RecordAction,
  type RecordingFormat,
  Stream,
  Talk,
  TTSLanguages,
  Wait,
} from '@vonage/voice';
import fc from 'fast-check';
import plivoSdk from 'plivo';
import twilioSdk from 'twilio';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Element, readTree } from '../../../control-plane/simulation/xml-tree.ts';
import { compileEvery } from './compile.ts';
import type { Target } from './diagnostic.ts';
import { menu, context as plain } from './flow.sample.ts';
import type { CallFlow } from './flow.ts';
import { twilioLanguages, vonageLanguages } from './languages.ts';
import { randomFlow, randomValue } from './random-flow.sample.ts';

/** Checks every document of the menu, and of many flows with hostile values. */
function forEveryDocument(target: Target, check: (document: string) => void): void {
  const judge = (flow: CallFlow, who: string) => {
    const transcription = { language: 'en-US' };
    const context = { ...plain, values: { who }, callerId: '+918000000001', transcription };
    const { documents } = compileEvery(flow, target, context);
    for (const document of Object.values(documents)) check(document);
  };
  judge(menu, 'friend');
  fc.assert(fc.property(randomFlow, randomValue, judge), { numRuns: 300 });
}

interface TwimlNode {
  readonly [verb: string]: (...args: unknown[]) => TwimlNode;
}

test('TwiML is what the builder of twilio prints for the same elements', () => {
  const add = (to: TwimlNode, { name, attributes, text, children }: Element): void => {
    const verb = name.toLowerCase();
    // Nouns of Dial and verbs with a text take (attributes, text); all others only attributes.
    const made = text === '' ? to[verb]!(attributes) : to[verb]!(attributes, text);
    for (const child of children) add(made, child);
  };
  forEveryDocument('twiml', (document) => {
    const response = new twilioSdk.twiml.VoiceResponse();
    for (const child of childrenOf(document)) add(response as unknown as TwimlNode, child);
    expect(response.toString().replace(/^<\?xml[^>]*\?>/, '')).toBe(document);
  });
});

interface PlivoNode {
  readonly [method: string]: (...args: unknown[]) => PlivoNode;
}

test('Plivo XML is what the builder of plivo prints, attributes and nesting checked', () => {
  const add = (to: PlivoNode, { name, attributes, text, children }: Element): void => {
    const method = `add${name}`;
    const made = text === '' ? to[method]!(attributes) : to[method]!(text, attributes);
    for (const child of children) add(made, child);
  };
  const Response = plivoSdk.Response as unknown as new () => PlivoNode;
  forEveryDocument('plivo', (document) => {
    const response = new Response();
    for (const child of childrenOf(document)) add(response, child);
    expect(String(response.toXML!())).toBe(document);
  });
});

const address = z.tuple([z.url()]);
const answer = { eventUrl: address, eventMethod: z.literal('POST') };
const number = z.string().regex(/^\d{7,15}$/);
const loop = z.int().min(0);
const bargeIn = z.boolean().optional();
/** The published NCCO schema as the reference quotes it, with the actions that it leaves out. */
const nccoSchema = z.array(
  z.discriminatedUnion('action', [
    z.strictObject({
      action: z.literal('talk'),
      text: z.string().min(1).max(1_500),
      language: z.enum(Object.keys(vonageLanguages)),
      bargeIn,
      loop,
    }),
    z.strictObject({ action: z.literal('stream'), streamUrl: address, bargeIn, loop }),
    z.strictObject({ action: z.literal('wait'), timeout: z.number().min(0.1).max(7_200) }),
    z.strictObject({
      action: z.literal('input'),
      type: z.tuple([z.literal('dtmf')]),
      dtmf: z.strictObject({
        timeOut: z.int().min(0).max(10),
        maxDigits: z.int().min(1).max(20),
        submitOnHash: z.boolean(),
      }),
      ...answer,
    }),
    z.strictObject({
      action: z.literal('connect'),
      from: number.optional(),
      endpoint: z.tuple([
        z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('phone'), number }),
          z.strictObject({ type: z.literal('sip'), uri: z.string().regex(/^sips?:/) }),
        ]),
      ]),
      timeout: z.int().min(1).max(120),
      limit: z.int().min(1).max(7_200),
      ...answer,
    }),
    z.strictObject({
      action: z.literal('record'),
      format: z.literal('mp3'),
      endOnSilence: z.int().min(3).max(10),
      endOnKey: z
        .string()
        .regex(/^[0-9*#]$/)
        .optional(),
      timeOut: z.int().min(3).max(7_200),
      beepStart: z.boolean(),
      transcription: z.strictObject({ language: z.string(), ...answer }),
      ...answer,
    }),
    z.strictObject({
      action: z.literal('conversation'),
      name: z.string().min(1),
      startOnEnter: z.boolean(),
      endOnExit: z.boolean(),
      mute: z.boolean(),
      musicOnHoldUrl: address.optional(),
    }),
    z.strictObject({ action: z.literal('notify'), payload: z.strictObject({}), ...answer }),
  ]),
);

type NccoAction = z.output<typeof nccoSchema>[number];

test('an NCCO fits the published schema', () => {
  forEveryDocument('ncco', (document) => {
    expect(nccoSchema.safeParse(JSON.parse(document)).error?.message).toBeUndefined();
  });
});

/** The classes of `@vonage/voice`; some check ranges, and some leave out what is false. */
function rebuilt(action: NccoAction): object {
  const eventUrl = 'eventUrl' in action ? action.eventUrl[0] : undefined;
  switch (action.action) {
    case 'talk':
      return new Talk(action.text, action.bargeIn, action.loop, undefined, action.language);
    case 'stream':
      return new Stream(action.streamUrl[0], undefined, action.bargeIn, action.loop);
    case 'wait':
      return new Wait(action.timeout);
    case 'input':
      return new Input(action.dtmf, undefined, eventUrl, action.eventMethod);
    case 'notify':
      return new Notify(action.payload, action.eventUrl[0], action.eventMethod);
    case 'conversation':
      return new Conversation(
        action.name,
        action.musicOnHoldUrl?.[0],
        action.startOnEnter,
        action.endOnExit,
        undefined,
        undefined,
        undefined,
        action.mute,
      );
    case 'connect':
      return new Connect(
        action.endpoint[0],
        action.from,
        undefined,
        undefined,
        action.timeout,
        action.limit,
        undefined,
        eventUrl,
        action.eventMethod,
      );
    case 'record': {
      const { transcription } = action; // the class has no member for it
      const made = new RecordAction(
        action.format as RecordingFormat,
        undefined,
        undefined,
        action.endOnSilence,
        action.endOnKey,
        action.timeOut,
        action.beepStart,
        eventUrl,
        action.eventMethod,
      ).serializeToNCCO();
      return { ...made, transcription };
    }
  }
}

test('an NCCO is what the classes of @vonage/voice print for the same actions', () => {
  forEveryDocument('ncco', (document) => {
    for (const action of nccoSchema.parse(JSON.parse(document))) {
      const { action: name, ...told } = trueOf(action);
      const { action: made, ...members } = trueOf(JSON.parse(JSON.stringify(rebuilt(action))));
      expect(made ?? name).toBe(name);
      expect(members).toEqual(told);
    }
  });
});

test('languages are those of the SDKs', () => {
  expect(new Set(Object.keys(vonageLanguages))).toEqual(new Set(Object.values(TTSLanguages)));
  expect(new Set(declared('SayLanguage'))).toEqual(new Set(Object.keys(twilioLanguages)));
  const voices = Object.values(twilioLanguages).flatMap((each) => Object.values(each));
  expect(declared('SayVoice')).toEqual(expect.arrayContaining(voices));
});

/** The members of a union type in the declarations of twilio. */
function declared(type: string): readonly string[] {
  const file = createRequire(import.meta.url).resolve('twilio/lib/twiml/VoiceResponse.d.ts');
  const found = new RegExp(`type ${type} = ([^;]+);`).exec(readFileSync(file, 'utf8'));
  return found![1]!.split('|').map((word) => word.trim().slice(1, -1));
}

function childrenOf(document: string): readonly Element[] {
  const root = readTree(document);
  if ('fault' in root) throw new Error(`${root.fault}: ${document}`);
  return root.children;
}

function trueOf(action: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(action).filter(([, value]) => value !== false));
}
