import { expect, test } from 'vitest';
import { absent } from '../../module.ts';
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

/** An intake whose transactions end when they are told to. */
function heldIntake() {
  const held: PromiseWithResolvers<Acceptance[]>[] = [];
  const tenant = () => {
    held.push(Promise.withResolvers<Acceptance[]>());
    return held.at(-1)!.promise;
  };
  const db = { tenant } as unknown as Db;
  return { held, intake: new Intake(db, absent(), () => new Date(0), absent()) };
}

const accepted: Acceptance = { kind: 'replayed', id: 'inv_1' };

test('it is quiet at once when nothing is being accepted', async () => {
  await heldIntake().intake.quiet();
});

test('it is quiet after the last of those that share a transaction or follow it', async () => {
  const { held, intake } = heldIntake();
  const first = intake.accept(submission);
  const second = intake.accept(submission);
  let isQuiet = false;
  const quiet = intake.quiet().then(() => {
    isQuiet = true;
  });
  held[0]!.resolve([accepted]);
  expect(await first).toEqual(accepted);
  expect(isQuiet).toBe(false);
  held[1]!.resolve([accepted]);
  expect(await second).toEqual(accepted);
  await quiet;
});

test('a transaction that fails leaves it quiet, and takes the next submission', async () => {
  const { held, intake } = heldIntake();
  const first = intake.accept(submission);
  held[0]!.reject(new Error('the database is gone'));
  await expect(first).rejects.toThrow('gone');
  await intake.quiet();
  const second = intake.accept(submission);
  held[1]!.resolve([accepted]);
  expect(await second).toEqual(accepted);
});
