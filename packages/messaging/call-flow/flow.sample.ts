import { readFlow } from './check.ts';
import type { CompileContext } from './compile.ts';
import type { CallFlow, CallFlowInput } from './flow.ts';

/** The flow; throws with its faults when it has any. */
function flowOf(input: unknown): CallFlow {
  const reading = readFlow(input);
  if (reading.kind === 'faulty') throw new Error(JSON.stringify(reading.faults));
  return reading.flow;
}

/** A flow of two or more nodes; the first is the start. */
export function flowWith(
  nodes: CallFlowInput['nodes'],
  more: Partial<CallFlowInput> = {},
): CallFlow {
  return flowOf({ version: 1, start: Object.keys(nodes)[0], nodes, ...more });
}

/** A call without special settings. */
export const context: CompileContext = {
  base: 'https://api.example.test/flow/c1',
  recording: { policy: 'free', hasConsented: false },
};

/** A menu, a sales number, a message: one node of each kind. */
export const menu: CallFlow = flowWith(
  {
    menu: {
      type: 'gather',
      prompt: [{ type: 'say', text: 'Press 1 for sales, 2 to leave a message' }],
      max_digits: 1,
      branches: { '1': 'connecting', '2': 'notice', '3': 'hold' },
      otherwise: 'bye',
    },
    connecting: { type: 'say', text: 'One moment, {{name}}', next: 'sales' },
    sales: {
      type: 'dial',
      to: ['+919800000001', 'sip:desk@pbx.example.test'],
      caller_id: '+918000000001',
      branches: { busy: 'notice' },
    },
    notice: {
      type: 'play',
      url: 'https://cdn.example.test/notice.mp3',
      announces_recording: true,
      next: 'message',
    },
    message: { type: 'record', max_seconds: 60, next: 'again' },
    again: { type: 'goto', next: 'menu' },
    hold: { type: 'pause', seconds: 2, next: 'room' },
    room: { type: 'conference', name: 'Room {{name}}' },
    bye: { type: 'hangup' },
  },
  { language: 'en-IN', variables: { name: { default: 'friend' } } },
);
