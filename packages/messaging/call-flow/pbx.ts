import { callerIdOf, type Printer, type Printing } from './printing.ts';
import type { EndOf, Prompt, SegmentEnd, Step } from './segment.ts';

/** A PBX that is driven step by step: it takes no document, and has limits all the same. */
export const pbx: Printer = {
  contentType: '',
  sizeMax: 0,
  callSecondsMax: 14_400,
  print(printing) {
    const { steps, end } = printing.segment;
    for (const step of steps) heard(step, printing);
    ending(end, printing);
    return '';
  },
};

function heard(step: Step | Prompt, { notes }: Printing): void {
  if (step.kind !== 'say') return;
  if (step.recording === undefined) {
    notes.tell('E_SPEECH', step.node, 'a PBX cannot speak; give a recording of the text');
  } else {
    notes.tell('W_RECORDED_PROMPT', step.node, 'a PBX cannot speak; the recording is played');
  }
}

function ending(end: SegmentEnd, printing: Printing): void {
  switch (end.kind) {
    case 'gather':
      for (const prompt of end.prompt) heard(prompt, printing);
      return;
    case 'dial':
      callerIdOf(end.callerId ?? printing.callerId, 'e164', end.node, printing.notes);
      return;
    case 'record':
      record(end, printing);
      return;
    case 'conference':
      conference(end, printing);
      return;
    case 'goto':
    case 'hangup':
      return;
  }
}

function record({ node, finishKeys }: EndOf<'record'>, { notes }: Printing): void {
  if (!/^[#*]?$/.test(finishKeys)) {
    notes.tell('W_FINISHKEY', node, `not only ${finishKeys} but any key ends the recording`);
  }
}

function conference(end: EndOf<'conference'>, { notes }: Printing): void {
  const { node, startsOnEnter, maxMembers, holdMusic } = end;
  if (!startsOnEnter) {
    notes.tell('W_CONFERENCE_START', node, 'it begins with whoever comes first');
  }
  if (maxMembers !== undefined) {
    notes.tell('W_CLAMP', node, `max_members ${maxMembers} is not kept: all are let in`);
  }
  if (holdMusic !== undefined) notes.tell('W_HOLD_MUSIC', node, 'who waits hears nothing');
}
