import { describe, expect, test } from 'vitest';
import { compile, compileEvery } from './compile.ts';
import { context, menu } from './flow.sample.ts';

describe('the menu compiles to the verified documents of the reference', () => {
  test('TwiML', () => {
    expect(compile(menu, 'twiml', context)).toEqual({
      document:
        '<Response><Gather input="dtmf" numDigits="1" timeout="5" finishOnKey="#" action="https://api.example.test/flow/c1/menu/gathered" method="POST" actionOnEmptyResult="true"><Say language="en-IN" loop="1">Press 1 for sales, 2 to leave a message</Say></Gather></Response>',
      contentType: 'text/xml; charset=utf-8',
      diagnostics: [],
    });
  });

  test('Plivo XML', () => {
    expect(compile(menu, 'plivo', context)).toEqual({
      document:
        '<Response><GetInput action="https://api.example.test/flow/c1/menu/gathered" method="POST" inputType="dtmf" digitEndTimeout="auto" executionTimeout="5" finishOnKey="#" numDigits="1" redirect="true"><Speak language="en-US">Press 1 for sales, 2 to leave a message</Speak></GetInput><Redirect method="POST">https://api.example.test/flow/c1/menu/gathered?empty=1</Redirect></Response>',
      contentType: 'text/xml; charset=utf-8',
      diagnostics: [{ code: 'W_LANGUAGE', node: 'menu', message: 'en-IN is spoken as en-US' }],
    });
  });

  test('NCCO', () => {
    const { document, ...rest } = compile(menu, 'ncco', context);
    expect(rest).toEqual({ contentType: 'application/json; charset=utf-8', diagnostics: [] });
    expect(JSON.parse(document)).toEqual([
      {
        action: 'talk',
        text: 'Press 1 for sales, 2 to leave a message',
        language: 'en-IN',
        bargeIn: true,
        loop: 1,
      },
      {
        action: 'input',
        type: ['dtmf'],
        dtmf: { timeOut: 5, maxDigits: 1, submitOnHash: true },
        eventUrl: ['https://api.example.test/flow/c1/menu/gathered'],
        eventMethod: 'POST',
      },
    ]);
  });
});

const base = 'https://api.example.test/flow/c1';
const told = `statusCallback="${base}/sales/leg" statusCallbackEvent="answered completed" statusCallbackMethod="POST"`;
const toldByPlivo = `callbackUrl="${base}/sales/leg" callbackMethod="POST"`;

describe('every other document of the menu', () => {
  test.each<[node: string, twiml: string, plivo: string, ncco: readonly unknown[]]>([
    [
      'connecting',
      `<Response><Say language="en-IN" loop="1">One moment, friend</Say><Dial action="${base}/sales/dialed" method="POST" timeout="30" timeLimit="7200" callerId="+918000000001"><Number ${told}>+919800000001</Number></Dial></Response>`,
      `<Response><Speak language="en-US">One moment, friend</Speak><Dial action="${base}/sales/dialed" method="POST" timeout="30" timeLimit="7200" callerId="918000000001" redirect="true" ${toldByPlivo}><Number>919800000001</Number></Dial></Response>`,
      [
        { action: 'talk', text: 'One moment, friend', language: 'en-IN', loop: 1 },
        {
          action: 'connect',
          from: '918000000001',
          endpoint: [{ type: 'phone', number: '919800000001' }],
          timeout: 30,
          limit: 7_200,
          eventUrl: [`${base}/sales/leg`],
          eventMethod: 'POST',
        },
        notify(`${base}/sales/dialed`),
      ],
    ],
    [
      'sales.1',
      `<Response><Dial action="${base}/sales/dialed" method="POST" timeout="30" timeLimit="7200" callerId="+918000000001"><Sip ${told}>sip:desk@pbx.example.test</Sip></Dial></Response>`,
      `<Response><Dial action="${base}/sales/dialed" method="POST" timeout="30" timeLimit="7200" callerId="918000000001" redirect="true" ${toldByPlivo}><User>sip:desk@pbx.example.test</User></Dial></Response>`,
      [
        {
          action: 'connect',
          from: '918000000001',
          endpoint: [{ type: 'sip', uri: 'sip:desk@pbx.example.test' }],
          timeout: 30,
          limit: 7_200,
          eventUrl: [`${base}/sales/leg`],
          eventMethod: 'POST',
        },
        notify(`${base}/sales/dialed`),
      ],
    ],
    [
      'notice',
      `<Response><Play loop="1">https://cdn.example.test/notice.mp3</Play><Record action="${base}/message/recorded" method="POST" timeout="5" finishOnKey="#" maxLength="60" playBeep="true" recordingStatusCallback="${base}/message/recording" recordingStatusCallbackMethod="POST"/><Redirect method="POST">${base}/message/recorded?empty=1</Redirect></Response>`,
      `<Response><Play>https://cdn.example.test/notice.mp3</Play><Record action="${base}/message/recorded" method="POST" timeout="5" finishOnKey="#" maxLength="60" playBeep="true" redirect="true" callbackUrl="${base}/message/recording" callbackMethod="POST"/><Redirect method="POST">${base}/message/recorded?empty=1</Redirect></Response>`,
      [
        { action: 'stream', streamUrl: ['https://cdn.example.test/notice.mp3'], loop: 1 },
        {
          action: 'record',
          format: 'mp3',
          endOnSilence: 5,
          endOnKey: '#',
          timeOut: 60,
          beepStart: true,
          eventUrl: [`${base}/message/recording`],
          eventMethod: 'POST',
        },
        notify(`${base}/message/recorded`),
      ],
    ],
    [
      'again',
      `<Response><Redirect method="POST">${base}/again/continued</Redirect></Response>`,
      `<Response><Redirect method="POST">${base}/again/continued</Redirect></Response>`,
      [notify(`${base}/again/continued`)],
    ],
    [
      'hold',
      `<Response><Pause length="2"/><Dial action="${base}/room/left" method="POST"><Conference startConferenceOnEnter="true" endConferenceOnExit="false" muted="false" beep="false">Room friend</Conference></Dial></Response>`,
      `<Response><Wait length="2"/><Conference action="${base}/room/left" method="POST" startConferenceOnEnter="true" endConferenceOnExit="false" muted="false" redirect="true">Room friend</Conference></Response>`,
      [
        { action: 'wait', timeout: 2 },
        {
          action: 'conversation',
          name: 'Room friend',
          startOnEnter: true,
          endOnExit: false,
          mute: false,
        },
        notify(`${base}/room/left`),
      ],
    ],
    ['bye', '<Response><Hangup/></Response>', '<Response><Hangup/></Response>', []],
  ])('%s', (node, twiml, plivo, ncco) => {
    expect(compileEvery(menu, 'twiml', context).documents[node]).toBe(twiml);
    expect(compileEvery(menu, 'plivo', context).documents[node]).toBe(plivo);
    expect(JSON.parse(compileEvery(menu, 'ncco', context).documents[node]!)).toEqual(ncco);
  });
});

function notify(url: string) {
  return { action: 'notify', payload: {}, eventUrl: [url], eventMethod: 'POST' };
}
