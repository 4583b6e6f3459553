import { Gauge, type Registry } from 'prom-client';
import type { Db } from './database.ts';

/** Adds the gauges of this process's pool. */
export function addPoolGauges(registry: Registry, db: Pick<Db, 'connections'>): void {
  new Gauge({
    name: 'drawbridge_database_connections',
    help: 'Connections of the pool: in_use, idle, and the most there may be',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { inUse, idle, max } = db.connections();
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'max' }, max);
    },
  });
  new Gauge({
    name: 'drawbridge_database_waiting',
    help: 'Callers in this process that wait for a connection',
    registers: [registry],
    collect() {
      this.set(db.connections().waiting);
    },
  });
}
