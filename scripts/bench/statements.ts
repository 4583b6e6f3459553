import type { Module } from '@drawbridge/control-plane/modules/contract.ts';
import type { Db } from '@drawbridge/control-plane/platform/db/database.ts';
import type { SqlValue, Tx } from '@drawbridge/control-plane/platform/db/tx.ts';

interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** The statements of one transaction, in their order; without a tenant for the platform's own. */
export interface Transaction {
  readonly tenantId: string | undefined;
  readonly statements: Statement[];
}

/** The module with a recorded database: the transactions it commits are added to `into`. */
export function recorded(module: Module, into: Transaction[]): Module {
  return {
    ...module,
    open: (platform) => module.open({ ...platform, db: watched(platform.db, into) }),
  };
}

function watched(db: Db, into: Transaction[]): Db {
  const listenAnd = async <T>(
    tenantId: string | undefined,
    tx: Tx,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    const statements: Statement[] = [];
    const result = await work(heard(tx, statements));
    tx.afterCommit(() => void into.push({ tenantId, statements }));
    return result;
  };
  return {
    ...db,
    tenant: (id, work) => db.tenant(id, (tx) => listenAnd(id, tx, work)),
    system: (work) => db.system((tx) => listenAnd(undefined, tx, work)),
  };
}

function heard(tx: Tx, statements: Statement[]): Tx {
  const hear = (sql: string, values: readonly SqlValue[] = []): void => {
    statements.push({ sql, values });
  };
  return {
    afterCommit: tx.afterCommit,
    notify: tx.notify,
    rows: (sql, values) => {
      hear(sql, values);
      return tx.rows(sql, values);
    },
    row: (sql, values) => {
      hear(sql, values);
      return tx.row(sql, values);
    },
    run: (sql, values) => {
      hear(sql, values);
      return tx.run(sql, values);
    },
  };
}

/** Sends the same statements again. */
export async function replay(db: Db, transactions: readonly Transaction[]): Promise<void> {
  for (const { tenantId, statements } of transactions) {
    const work = async (tx: Tx): Promise<void> => {
      for (const { sql, values } of statements) await tx.rows(sql, values);
    };
    await (tenantId === undefined ? db.system(work) : db.tenant(tenantId, work));
  }
}
