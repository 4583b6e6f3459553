import { callerIdOf, type Printer, type PrintInput } from './printer.ts';
import type { EndOf, Prompt, SegmentEnd, Step } from './segment.ts';

/** A PBX that is driven step by step: it takes no document, but has limits too. */
export const pbx: Printer = {
  contentType: '',
  sizeMax: 0,
  callSecondsMax: 14_400,
  print(printInput) {
    const { steps, end } = printInput.segment;
    for (const step of steps) checkStep(step, printInput);
    checkEnd(end, printInput);
    return '';
  },
};

function checkStep(step: Step | Prompt, { diagnostics }: PrintInput): void {
  if (step.kind !== 'say') return;
  if (step.recording === undefined) {
    diagnostics.add('E_SPEECH', step.node, 'a PBX cannot speak; give a recording of the text');
  } else {
    diagnostics.add('W_RECORDED_PROMPT', step.node, 'a PBX cannot speak; the recording is played');
  }
}

function checkEnd(end: SegmentEnd, printInput: PrintInput): void {
  switch (end.kind) {
    case 'gather':
      for (const prompt of end.prompt) checkStep(prompt, printInput);
      return;
    case 'dial':
      callerIdOf(end.callerId ?? printInput.callerId, 'e164', end.node, printInput.diagnostics);
      return;
    case 'record':
      checkRecord(end, printInput);
      return;
    case 'conference':
      checkConference(end, printInput);
      return;
    case 'goto':
    case 'hangup':
      return;
  }
}

function checkRecord({ node, finishKeys }: EndOf<'record'>, { diagnostics }: PrintInput): void {
  if (!/^[#*]?$/.test(finishKeys)) {
    diagnostics.add('W_FINISHKEY', node, `not only ${finishKeys} but any key ends the recording`);
  }
}

function checkConference(end: EndOf<'conference'>, { diagnostics }: PrintInput): void {
  const { node, startsOnEnter, maxMembers, holdMusic } = end;
  if (!startsOnEnter) {
    diagnostics.add('W_CONFERENCE_START', node, 'it begins with the first member');
  }
  if (maxMembers !== undefined) {
    diagnostics.add('W_CLAMP', node, `max_members ${maxMembers} is not kept: all may join`);
  }
  if (holdMusic !== undefined)
    diagnostics.add('W_HOLD_MUSIC', node, 'members who wait hear nothing');
}
