import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { absent } from '../../modules/contract.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Acceptance, Intake, type Submission } from './intake.ts';

const submission: Submission = {
  tenantId: '00000000-0000-4000-8000-000000000001',
  environment: 'sandbox',
  connectorId: 'cnx_1',
  profile: 'PINT-AE',
  sourceRef: 'A-1',
  idempotencyKey: undefined,
  fingerprint: '',
};

/** An intake whose transactions end when the test says so. */
function heldIntake() {
  const held: PromiseWithResolvers<Acceptance[]>[] = [];
  const tenant = () => {
    held.push(Promise.withResolvers<Acceptance[]>());
    return held.at(-1)!.promise;
  };
  const db = { tenant } as unknown as Db;
  return { held, intake: new Intake(db, absent(), () => new Date(0), randomBytes) };
}

const accepted: Acceptance = { kind: 'replayed', id: 'inv_1' };

test('it is idle at once when nothing is being accepted', async () => {
  await heldIntake().intake.whenIdle();
});

test('it is idle after the last of those that share a transaction or follow it', async () => {
  const { held, intake } = heldIntake();
  const together = Promise.all([intake.accept(submission), intake.accept(submission)]);
  await eventually(() => expect(held).toHaveLength(1));
  const following = intake.accept(submission);
  let isIdle = false;
  const idle = intake.whenIdle().then(() => {
    isIdle = true;
  });
  held[0]!.resolve([accepted, accepted]);
  expect(await together).toEqual([accepted, accepted]);
  await eventually(() => expect(held).toHaveLength(2));
  expect(isIdle).toBe(false);
  held[1]!.resolve([accepted]);
  expect(await following).toEqual(accepted);
  await idle;
});

test('a transaction that fails leaves it idle, and takes the next submission', async () => {
  const { held, intake } = heldIntake();
  const first = intake.accept(submission);
  await eventually(() => expect(held).toHaveLength(1));
  held[0]!.reject(new Error('the database is gone'));
  await expect(first).rejects.toThrow('gone');
  await intake.whenIdle();
  const second = intake.accept(submission);
  await eventually(() => expect(held).toHaveLength(2));
  held[1]!.resolve([accepted]);
  expect(await second).toEqual(accepted);
});
