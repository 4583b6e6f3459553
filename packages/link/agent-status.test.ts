import { expect, test } from 'vitest';
import { type AgentStatus, readAgentStatus } from './agent-status.ts';
import { actionOf } from './findings.ts';
import { limits } from './limits.ts';

const at = '2026-11-24T08:00:00.000Z';
const finding = {
  component: 'disk',
  target: '/home',
  status: 'fail',
  detail: '3 MiB free',
} as const;
const status: AgentStatus = {
  queue: {
    state: 'room',
    detail: '',
    pending_commands: 2,
    oldest_pending_at: at,
    unsent_events: 3,
    unsent_documents: 40,
    unsent_bytes: 5_000,
    oldest_unsent_at: at,
  },
  disk: { state: 'full', detail: 'no room', free_bytes: 0 },
  waiting: [{ connector: 'erp', detail: 'locked', since: at }],
  findings: [{ ...finding, code: 'disk_low' }],
  examined_at: at,
};
const withFinding = (change: object) => ({ ...status, findings: [{ ...finding, ...change }] });
const many = <Row>(row: Row) => Array.from({ length: limits.statusRowsMax + 1 }, () => row);

test('a status reads back, without what this build does not know', () => {
  expect(readAgentStatus({ ...status, mood: 'good' })).toEqual(status);
});

test.each([
  ['nothing', undefined],
  ['no object', 'well'],
  ['a queue of less than nothing', { ...status, queue: { ...status.queue, unsent_events: -1 } }],
  ['another state', withFinding({ status: '<b>' })],
  ['a code that is a text', withFinding({ code: 'Disk <low>' })],
  ['too many findings', { ...status, findings: many(finding) }],
  ['too many sources that wait', { ...status, waiting: many(status.waiting[0]) }],
  ['no instant', { ...status, examined_at: 'today' }],
  ['a text without end', withFinding({ detail: 'x'.repeat(limits.statusLengthMax) })],
  ['much that nobody reads', { ...status, more: 'x'.repeat(limits.statusLengthMax) }],
])('a status of %s is refused', (_, body) => {
  expect(readAgentStatus(body)).toBeUndefined();
});

test('texts are cut, and lose what acts on a terminal or turns the order of reading', () => {
  const read = readAgentStatus(
    withFinding({ target: `a\u001b[2J\u202eb\n${'x'.repeat(400)}`, detail: '<img src=x>' }),
  );
  const { target, detail } = read!.findings[0]!;
  expect(target.slice(0, 9)).toBe('a\ufffd[2J\ufffdb\ufffdx');
  expect([target.length, detail]).toEqual([300, '<img src=x>']);
});

test('what helps is known of our codes, and of no others', () => {
  expect(actionOf('disk_low')).toContain('Free some space');
  expect(['toString', 'of_a_newer_agent'].map(actionOf)).toEqual([undefined, undefined]);
});
