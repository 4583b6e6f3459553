import { decimal, zero } from '@drawbridge/decimal/decimal.ts';
import { type Command, Option } from 'commander';
import { listPrices, setPrice } from '../messaging/tenants/wallet/price-store.ts';
import {
  findWallet,
  type TopUp,
  topUp,
  type WalletRow,
} from '../messaging/tenants/wallet/store.ts';
import type { Environment } from '../platform/auth/principal.ts';
import { newId } from '../platform/ids.ts';
import {
  databaseUser,
  print,
  type Shape,
  UsageError,
  type WithDatabase,
} from './administration.ts';
import type { OpenCommandContext } from './context.ts';
import { environmentOption, matching, tenantId } from './option-parsers.ts';

interface WalletOptions extends Shape {
  readonly tenant: string;
  readonly environment: Environment;
}

interface TopUpOptions extends WalletOptions {
  readonly amount: string;
  readonly currency: string;
  readonly reference: string;
}

interface PriceOptions extends Shape {
  readonly channel: string;
  readonly prefix: string;
  readonly currency: string;
  readonly amount: string;
}

/** `wallet …`: the balances that tenants paid in advance, and the host's prices for sending. */
export function addWallet(program: Command, openContext: OpenCommandContext): void {
  const wallet = program.command('wallet').description('wallets of messaging tenants, and prices');
  const withDatabase = databaseUser(openContext);
  addTopUp(wallet, withDatabase);
  ofTenant(wallet.command('show').description('show a wallet')).action((options: WalletOptions) =>
    withDatabase(async (_, { db }) => {
      const { tenant, environment } = options;
      const row = await db.tenant(tenant, (tx) => findWallet(tx, tenant, environment));
      if (row === undefined) throw new UsageError('this wallet was never topped up');
      print(options, row, sentence(row));
    }, options.tenant),
  );
  addPrice(wallet.command('price').description('prices of the host'), withDatabase);
}

function addTopUp(wallet: Command, withDatabase: WithDatabase): void {
  ofTenant(wallet.command('top-up').description('add what was paid; a negative amount corrects'))
    .requiredOption('--amount <decimal>', 'at most six places', signed)
    .requiredOption('--currency <code>', 'three letters', currency)
    .requiredOption('--reference <text>', 'names the payment; used twice, it counts once')
    .action((options: TopUpOptions) =>
      withDatabase(async ({ clock, random }, { db, audit }) => {
        const { tenant, environment, amount, currency: code, reference } = options;
        const now = clock();
        const entryId = newId('wle', () => now, random);
        const change = { environment, amount, currency: code, reference, entryId, now };
        const row = await db.tenant(tenant, async (tx) => {
          const after = await topUp(tx, tenant, change);
          if (after === undefined) refused(change, await findWallet(tx, tenant, environment));
          const added = { environment, amount, currency: code, reference };
          await audit(tx, tenant, { action: 'wallet top-up', subject: 'wallet', after: added });
          return after;
        });
        print(options, row, sentence(row));
      }, options.tenant),
    );
}

/** Throws `UsageError` with the reason why nothing was added. */
function refused({ amount, currency: code, reference }: TopUp, row?: WalletRow): never {
  if (row === undefined) throw new UsageError('this wallet was never topped up');
  if (row.currency !== code) throw new UsageError(`the wallet is in ${row.currency}, not ${code}`);
  const isTooMuch = decimal(row.available).plus(decimal(amount)).lt(zero);
  throw new UsageError(
    isTooMuch
      ? `the wallet has ${row.available} ${code} free: no more can be taken back`
      : `"${reference}" was counted before; the wallet stands at ${sentence(row)}`,
  );
}

function addPrice(price: Command, withDatabase: WithDatabase): void {
  price
    .command('set')
    .description('ask this for one message or minute')
    .addOption(
      new Option('--channel <name>', 'which channel')
        .choices(['wa', 'sms', 'botchat', 'rcs', 'voice'])
        .makeOptionMandatory(),
    )
    .option('--prefix <digits>', 'the beginning of the numbers, as +60', prefix, '')
    .requiredOption('--currency <code>', 'three letters', currency)
    .requiredOption('--amount <decimal>', 'at most six places', unsigned)
    .option('--json', 'print JSON')
    .action((options: PriceOptions) =>
      withDatabase(async (_, { db, audit }) => {
        const { json: __, ...row } = options;
        await db.system(async (tx) => {
          await setPrice(tx, row);
          const subject = `${row.channel} ${row.prefix}`.trim();
          await audit(tx, undefined, { action: 'wallet price set', subject, after: row });
        });
        print(options, row, `${row.channel} ${row.prefix} ${row.amount} ${row.currency}`);
      }),
    );
  price
    .command('list')
    .description('list all prices')
    .option('--json', 'print JSON')
    .action((shape: Shape) =>
      withDatabase(async (_, { db }) => {
        const all = await db.system(listPrices);
        const lines = all.map((row) => {
          return `${row.channel}  ${row.prefix || 'others'}  ${row.amount} ${row.currency}`;
        });
        print(shape, all, lines.join('\n'));
      }),
    );
}

function ofTenant(command: Command): Command {
  return command
    .requiredOption('--tenant <id>', 'the tenant', tenantId)
    .addOption(environmentOption('where it is spent').makeOptionMandatory())
    .option('--json', 'print JSON');
}

function sentence({ currency: code, balance, reserved, available }: WalletRow): string {
  return `${balance} ${code}, ${reserved} of it promised, ${available} free`;
}

const signed = matching(/^-?\d{1,15}(\.\d{1,6})?$/, 'a decimal such as 250.00 is needed');
const unsigned = matching(/^\d{1,15}(\.\d{1,6})?$/, 'a decimal such as 0.05 is needed');
const currency = matching(/^[A-Z]{3}$/, 'three capital letters are needed');
const prefix = matching(/^\+[1-9]\d{0,14}$/, 'the beginning of a number, as +60, is needed');
