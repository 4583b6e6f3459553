import { expect, test } from 'vitest';
import { type Amount, NodeCredit, SessionCredit, windowOfSession } from './credit.ts';

const batch: Amount = { documents: 200, bytes: 100_000 };

function session(node: NodeCredit) {
  const granted: Amount[] = [];
  const credit = new SessionCredit(node, (amount) => granted.push(amount));
  credit.begin();
  return { credit, granted };
}

test('what was stored is granted anew', () => {
  const { credit, granted } = session(new NodeCredit(1_000_000));
  expect(granted).toEqual([windowOfSession]);
  expect(credit.receive(batch)).toBe(true);
  credit.stored(batch);
  expect(granted.at(-1)).toEqual({
    documents: windowOfSession.documents + batch.documents,
    bytes: windowOfSession.bytes + batch.bytes,
  });
});

test('more than was granted is refused', () => {
  const { credit } = session(new NodeCredit(1_000_000_000));
  expect(credit.receive({ documents: 1, bytes: windowOfSession.bytes + 1 })).toBe(false);
});

test('while the memory of the node is used up nobody is granted more, and all are afterwards', () => {
  const node = new NodeCredit(batch.bytes);
  const [slow, other] = [session(node), session(node)];
  slow.credit.receive(batch);
  other.credit.receive(batch);
  other.credit.stored(batch);
  expect([slow.granted.length, other.granted.length]).toEqual([1, 1]);
  slow.credit.stored(batch);
  expect([slow.granted.length, other.granted.length]).toEqual([2, 2]);
});

test('a session that ends gives back what it has not stored', () => {
  const node = new NodeCredit(batch.bytes);
  const ending = session(node);
  ending.credit.receive(batch);
  const waiting = session(node);
  expect(waiting.granted).toEqual([]);
  ending.credit.end();
  expect(waiting.granted).toEqual([windowOfSession]);
});
