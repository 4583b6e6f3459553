/**
 * The wallet: reserve before sending, then settle or release.
 *
 *     if (!(await reserve(tx, tenantId, hold, now))) throw fail('insufficient_funds', …);
 *     await settle(tx, tenantId, { ...hold, amount: spent }, { id, now });
 *
 * The wallet's row lock decides between reservations that come at the same time.
 */
import type { Environment } from '../../../platform/auth/principal.ts';
import { type KeysetRange, newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

/** Amounts are exact decimals as text, with at most six places. */
export interface WalletRow {
  readonly currency: string;
  readonly balance: string;
  readonly reserved: string;
  readonly available: string;
  /** Null: a hundred times the most expensive message. */
  readonly low_at: string | null;
  readonly is_low: boolean;
}

const walletColumns = `currency, trim_scale(balance)::text as balance,
  trim_scale(reserved)::text as reserved, trim_scale(balance - reserved)::text as available,
  trim_scale(low_at)::text as low_at, is_low`;

export function findWallet(
  tx: Tx,
  tenantId: string,
  environment: Environment,
): Promise<WalletRow | undefined> {
  return tx.row(`select ${walletColumns} from wallet where tenant_id = $1 and environment = $2`, [
    tenantId,
    environment,
  ]);
}

/** What a sandbox wallet starts with: ten thousand of the dearest messages, and at least this. */
const sandboxCredit = '1000';

/**
 * The wallet. In the sandbox there is always one, filled with credit that was never paid, in a
 * currency that the host has prices in; as long as nothing was charged, it follows the host's prices.
 */
export async function openWallet(
  tx: Tx,
  tenantId: string,
  environment: Hold['environment'],
): Promise<WalletRow | undefined> {
  if (environment === 'sandbox') await fillSandboxWallet(tx, tenantId);
  return findWallet(tx, tenantId, environment);
}

async function fillSandboxWallet(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(
    `with sold as (
       select coalesce(min(currency), 'USD') as currency,
         greatest($2::numeric, 10000 * coalesce(max(amount), 0)) as credit
       from price where currency = (select min(currency) from price)
     ), begun as (
       insert into wallet as w (tenant_id, environment, currency, balance)
       select $1, 'sandbox', currency, credit from sold
       on conflict (tenant_id, environment) do update
         set currency = excluded.currency, balance = excluded.balance
         where w.currency <> excluded.currency and w.reserved = 0
           and not exists (select from price p where p.currency = w.currency)
           and not exists (select from wallet_entry e where e.tenant_id = $1
             and e.environment = 'sandbox' and e.reference <> 'sandbox credit')
       returning balance
     )
     insert into wallet_entry as e (id, tenant_id, environment, kind, amount, balance_after,
       reference, created_at)
     select 'wle_00000000000000000000000000', $1, 'sandbox', 'top_up', balance, balance,
       'sandbox credit', now() from begun
     on conflict (tenant_id, environment, id) do update
       set amount = excluded.amount, balance_after = excluded.balance_after`,
    [tenantId, sandboxCredit],
  );
}

/** Sets below which balance the wallet is low; undefined when there is no wallet. */
export function setLowAt(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  lowAt: string | null,
): Promise<WalletRow | undefined> {
  return tx.row(
    `update wallet set low_at = $3 where tenant_id = $1 and environment = $2
     returning ${walletColumns}`,
    [tenantId, environment, lowAt],
  );
}

/** Wallets of all tenants that became low, or are no longer low, and are not marked so yet. */
export function walletsToAnnounce(
  tx: Tx,
): Promise<{ readonly tenant_id: string; readonly environment: Environment }[]> {
  return tx.rows('select * from wallets_with_changed_level()');
}

/** Marks the wallet as low, or as no longer low; undefined when it already has the right mark. */
export function toggleLow(
  tx: Tx,
  tenantId: string,
  environment: Environment,
): Promise<WalletRow | undefined> {
  return tx.row(
    `update wallet set is_low = not is_low
     where tenant_id = $1 and environment = $2 and is_below_low(wallet) <> is_low
     returning ${walletColumns}`,
    [tenantId, environment],
  );
}

export interface Hold {
  readonly environment: Environment;
  /** What it is for: the id of a message or call. */
  readonly reference: string;
  readonly amount: string;
}

/**
 * Reserves the amount for the reference; true when it is reserved, also by an earlier call. False
 * when there is no wallet, it holds too little, or the reservation was released.
 */
export async function reserve(
  tx: Tx,
  tenantId: string,
  { environment, reference, amount }: Hold,
  now: Date,
): Promise<boolean> {
  const row = await tx.row(
    `with known as (
       select state from wallet_hold
       where tenant_id = $1 and environment = $2 and reference = $3
     ), promised as (
       update wallet set reserved = reserved + $4::numeric
       where tenant_id = $1 and environment = $2 and balance - reserved >= $4::numeric
         and $4::numeric >= 0 and not exists (select from known)
       returning tenant_id
     ), held as (
       insert into wallet_hold (tenant_id, environment, reference, amount, created_at)
       select $1, $2, $3, $4::numeric, $5 from promised returning 1
     )
     select 1 as held from held union all select 1 from known where state <> 'released'`,
    [tenantId, environment, reference, amount, now],
  );
  return row !== undefined;
}

/** Adds to an open hold; false when there is no open hold, or the wallet holds too little. */
export async function extend(
  tx: Tx,
  tenantId: string,
  { environment, reference, amount }: Hold,
): Promise<boolean> {
  const row = await tx.row(
    `with promised as (
       update wallet set reserved = reserved + $4::numeric
       where tenant_id = $1 and environment = $2 and balance - reserved >= $4::numeric
         and $4::numeric >= 0 and exists (
           select from wallet_hold h
           where h.tenant_id = $1 and h.environment = $2 and h.reference = $3 and h.state = 'open')
       returning 1
     )
     update wallet_hold set amount = amount + $4::numeric from promised
     where tenant_id = $1 and environment = $2 and reference = $3 returning 1 as held`,
    [tenantId, environment, reference, amount],
  );
  return row !== undefined;
}

/**
 * Charges what was spent, at most what was reserved, and frees the rest; `entry` becomes the line of
 * the account statement. False when there is no open hold, or it is smaller than the amount.
 */
export async function settle(
  tx: Tx,
  tenantId: string,
  { environment, reference, amount }: Hold,
  entry: { readonly id: string; readonly now: Date },
): Promise<boolean> {
  const row = await tx.row(
    `with closed as (
       update wallet_hold set state = 'settled'
       where tenant_id = $1 and environment = $2 and reference = $3 and state = 'open'
         and amount >= $4::numeric and $4::numeric >= 0
       returning amount
     ), charged as (
       update wallet set balance = balance - $4::numeric, reserved = reserved - closed.amount
       from closed where tenant_id = $1 and environment = $2 returning balance
     )
     insert into wallet_entry
       (id, tenant_id, environment, kind, amount, balance_after, reference, created_at)
     select $5, $1, $2, 'charge', -$4::numeric, balance, $3, $6 from charged returning id`,
    [tenantId, environment, reference, amount, entry.id, entry.now],
  );
  return row !== undefined;
}

/** Frees the reserved amount. False when there is no open hold. */
export async function release(
  tx: Tx,
  tenantId: string,
  { environment, reference }: Omit<Hold, 'amount'>,
): Promise<boolean> {
  const row = await tx.row(
    `with closed as (
       update wallet_hold set state = 'released'
       where tenant_id = $1 and environment = $2 and reference = $3 and state = 'open'
       returning amount
     )
     update wallet set reserved = reserved - closed.amount
     from closed where tenant_id = $1 and environment = $2 returning 1 as freed`,
    [tenantId, environment, reference],
  );
  return row !== undefined;
}

/** One reservation or charge among many of one wallet. */
export type Share = Pick<Hold, 'reference' | 'amount'>;

/**
 * Reserves the amounts for their references, all or none; true when all are reserved, also by
 * earlier calls. False when the wallet holds too little, or one of the holds was released.
 */
export async function reserveMany(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  shares: readonly Share[],
  now: Date,
): Promise<boolean> {
  const row = await tx.row<{ missing: number }>(
    `with request as (
       select w.reference, w.amount, h.state from unnest($3::text[], $4::numeric[])
         as w (reference, amount)
       left join wallet_hold h on h.tenant_id = $1 and h.environment = $2
         and h.reference = w.reference
     ), total as (
       select coalesce(sum(amount), 0) as amount from request where state is null
     ), promised as (
       update wallet set reserved = reserved + total.amount from total
       where tenant_id = $1 and environment = $2 and balance - reserved >= total.amount
         and not exists (select from request where state = 'released')
       returning 1
     ), held as (
       insert into wallet_hold (tenant_id, environment, reference, amount, created_at)
       select $1, $2, reference, amount, $5 from request, promised where state is null returning 1
     )
     select (select count(*) from request where state is distinct from 'open'
         and state is distinct from 'settled') - (select count(*) from held) as missing`,
    [tenantId, environment, references(shares), amounts(shares), now],
  );
  return row?.missing === 0;
}

/** Charges what each reference spent and frees the rest; references without an open hold are skipped. */
export async function settleMany(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  shares: readonly (Share & { readonly entryId: string })[],
  now: Date,
): Promise<void> {
  if (shares.length === 0) return;
  await tx.run(
    `with request as (
       select * from unnest($3::text[], $4::numeric[], $5::text[])
         as w (reference, spent, entry_id)
     ), closed as (
       update wallet_hold h set state = 'settled' from request
       where h.tenant_id = $1 and h.environment = $2 and h.reference = request.reference
         and h.state = 'open' and h.amount >= request.spent and request.spent >= 0
       returning h.reference, h.amount, request.spent, request.entry_id
     ), total as (
       select sum(amount) as freed, sum(spent) as spent from closed
     ), charged as (
       update wallet set balance = balance - total.spent, reserved = reserved - total.freed
       from total where tenant_id = $1 and environment = $2 and total.freed is not null
       returning balance + total.spent as before
     )
     insert into wallet_entry
       (id, tenant_id, environment, kind, amount, balance_after, reference, created_at)
     select entry_id, $1, $2, 'charge', -spent,
       before - sum(spent) over (order by entry_id), reference, $6 from closed, charged`,
    [
      tenantId,
      environment,
      references(shares),
      amounts(shares),
      shares.map(({ entryId }) => entryId),
      now,
    ],
  );
}

/**
 * Charges released holds that turned out to be spent, as far as the available balance allows;
 * returns the references that were charged. Other holds are skipped.
 */
export async function chargeReleased(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  shares: readonly (Share & { readonly entryId: string })[],
  now: Date,
): Promise<string[]> {
  if (shares.length === 0) return [];
  const rows = await tx.rows<{ reference: string }>(
    `with purse as (
       select balance - reserved as free from wallet
       where tenant_id = $1 and environment = $2 for no key update
     ), request as (
       select w.*, sum(w.spent) over (order by w.entry_id) as so_far
       from unnest($3::text[], $4::numeric[], $5::text[]) as w (reference, spent, entry_id)
       join wallet_hold h on h.tenant_id = $1 and h.environment = $2
         and h.reference = w.reference and h.state = 'released' and h.amount >= w.spent
     ), charged as (
       update wallet_hold h set state = 'settled' from request, purse
       where h.tenant_id = $1 and h.environment = $2 and h.reference = request.reference
         and h.state = 'released' and request.so_far <= purse.free
       returning request.reference, request.spent, request.entry_id
     ), paid as (
       update wallet set balance = balance - total.spent
       from (select sum(spent) as spent from charged) total
       where tenant_id = $1 and environment = $2 and total.spent is not null
       returning balance + total.spent as before
     )
     insert into wallet_entry
       (id, tenant_id, environment, kind, amount, balance_after, reference, created_at)
     select entry_id, $1, $2, 'charge', -spent,
       before - sum(spent) over (order by entry_id), reference, $6 from charged, paid
     returning reference`,
    [
      tenantId,
      environment,
      references(shares),
      amounts(shares),
      shares.map(({ entryId }) => entryId),
      now,
    ],
  );
  return rows.map(({ reference }) => reference);
}

/** Frees the reserved amounts of these references; those without an open hold are skipped. */
export async function releaseMany(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  held: readonly string[],
): Promise<void> {
  if (held.length === 0) return;
  await tx.run(
    `with closed as (
       update wallet_hold set state = 'released'
       where tenant_id = $1 and environment = $2 and reference = any($3) and state = 'open'
       returning amount
     )
     update wallet set reserved = reserved - total.freed
     from (select sum(amount) as freed from closed) total
     where tenant_id = $1 and environment = $2 and total.freed is not null`,
    [tenantId, environment, held],
  );
}

function references(shares: readonly Share[]): string[] {
  return shares.map(({ reference }) => reference);
}

function amounts(shares: readonly Share[]): string[] {
  return shares.map(({ amount }) => amount);
}

export interface TopUp extends Hold {
  readonly entryId: string;
  readonly currency: string;
  readonly now: Date;
}

/**
 * Adds to the wallet, and creates it when there is none; a negative amount corrects it. Undefined
 * when the wallet has another currency, holds less than the correction takes, or the reference was
 * used before.
 */
export function topUp(tx: Tx, tenantId: string, change: TopUp): Promise<WalletRow | undefined> {
  const { environment, reference, amount, entryId, currency, now } = change;
  return tx.row(
    `with used as (
       select from wallet_entry where tenant_id = $1 and environment = $2 and reference = $5
         and kind in ('top_up', 'correction')
     ), kept as (
       insert into wallet (tenant_id, environment, currency, balance)
       select $1, $2, $3, $4::numeric where not exists (select from used) and $4::numeric > 0
       on conflict (tenant_id, environment) do nothing returning *
     ), changed as (
       update wallet set balance = balance + $4::numeric
       where tenant_id = $1 and environment = $2 and currency = $3
         and balance - reserved + $4::numeric >= 0 and not exists (select from used)
       returning *
     ), now_is as (select * from kept union all select * from changed), written as (
       insert into wallet_entry
         (id, tenant_id, environment, kind, amount, balance_after, reference, created_at)
       select $6, $1, $2, case when $4::numeric < 0 then 'correction' else 'top_up' end,
         $4::numeric, balance, $5, $7 from now_is
     )
     select ${walletColumns} from now_is`,
    [tenantId, environment, currency, amount, reference, entryId, now],
  );
}

export interface EntryRow {
  readonly id: string;
  readonly kind: 'top_up' | 'correction' | 'charge';
  readonly amount: string;
  readonly balance_after: string;
  readonly reference: string;
  readonly created_at: Date;
}

/** The account statement, newest first. */
export function listEntries(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  page: KeysetRange,
): Promise<EntryRow[]> {
  const { key, where, order, rowsMax } = newestFirst(page);
  return tx.rows(
    `select id, kind, trim_scale(amount)::text as amount,
       trim_scale(balance_after)::text as balance_after, reference, created_at
     from wallet_entry where tenant_id = $1 and environment = $2
       and ${where('id', '$3')} order by id ${order} limit $4`,
    [tenantId, environment, key, rowsMax],
  );
}
