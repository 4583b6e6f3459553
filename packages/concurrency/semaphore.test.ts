import { describe, expect, test } from 'vitest';
import { busy, KeyedSemaphore, Semaphore } from './semaphore.ts';

describe('a semaphore', () => {
  test('grants `max` permits, then passes each on in the order of arrival', async () => {
    const semaphore = new Semaphore(2);
    expect([semaphore.tryAcquire(), semaphore.tryAcquire()]).toEqual([true, true]);
    expect(semaphore.tryAcquire()).toBe(false);
    const order: string[] = [];
    const waiting = ['a', 'b'].map((name) => semaphore.acquire().then(() => order.push(name)));
    semaphore.release();
    // The freed permit already belongs to the first who waits.
    expect(semaphore.tryAcquire()).toBe(false);
    semaphore.release();
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'b']);
    expect(semaphore.used).toBe(2);
  });

  test('a caller that waits too long gets no permit, now or later', async () => {
    const semaphore = new Semaphore(1);
    semaphore.tryAcquire();
    const giveUp = new AbortController();
    const waiting = semaphore.acquire(giveUp.signal);
    giveUp.abort();
    expect(await waiting).toBe(false);
    expect(await semaphore.acquire(giveUp.signal)).toBe(false);
    semaphore.release();
    expect(semaphore.used).toBe(0);
  });

  test('a callback that takes no permit leaves it to the next', () => {
    const semaphore = new Semaphore(1);
    semaphore.tryAcquire();
    const called: string[] = [];
    const passes = () => called.push('passes');
    const takes = () => called.push(semaphore.tryAcquire() ? 'takes' : 'takes none');
    semaphore.whenFree(passes);
    semaphore.whenFree(passes);
    semaphore.whenFree(takes);
    semaphore.whenFree(() => called.push('too late'));
    semaphore.release();
    expect(called).toEqual(['passes', 'takes']);
    semaphore.release();
    expect(called).toEqual(['passes', 'takes', 'too late']);
  });

  test('a callback that waits again while it is called waits for the next release', () => {
    const semaphore = new Semaphore(1);
    semaphore.tryAcquire();
    let calls = 0;
    const again = () => {
      calls += 1;
      semaphore.whenFree(again);
    };
    semaphore.whenFree(again);
    semaphore.release();
    expect(calls).toBe(1);
  });
});

describe('a semaphore a key', () => {
  test('a caller that gives up gets none, whatever the others wait for', async () => {
    const semaphore = new KeyedSemaphore(1);
    const gate = Promise.withResolvers<void>();
    const first = semaphore.run('erp', () => gate.promise);
    const giveUp = new AbortController();
    const second = semaphore.run('erp', async () => 'done', giveUp.signal);
    giveUp.abort();
    expect(await second).toBe(busy);
    gate.resolve();
    await first;
  });

  test('limits each key separately, in the order of arrival', async () => {
    const semaphore = new KeyedSemaphore(2);
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const begun: number[] = [];
    const calls = gates.map((gate, index) =>
      semaphore.run('erp', () => {
        begun.push(index);
        return gate.promise;
      }),
    );
    const elsewhere = await semaphore.run('other', async () => 'at once');
    expect([elsewhere, begun]).toEqual(['at once', [0, 1]]);
    gates[1]!.resolve();
    await calls[1];
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1, 2]);
    for (const gate of gates) gate.resolve();
    await Promise.all(calls);
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  test('a caller that waits too long gets busy; failed work gives its permit back', async () => {
    const semaphore = new KeyedSemaphore(1, () => AbortSignal.timeout(0));
    const gate = Promise.withResolvers<void>();
    const first = semaphore.run('erp', () => gate.promise);
    const late = semaphore.run('erp', async () => 'done');
    expect(await late).toBe(busy);
    gate.reject(new Error('down'));
    await expect(first).rejects.toThrow('down');
    expect(await semaphore.run('erp', async () => 'done')).toBe('done');
  });
});
