import { openStore } from '../store/home.ts';
import type { Check } from './finding.ts';

export const checkStore: Check = async ({ runtime, home }) => {
  const row = { component: 'queue', target: home.path };
  const opened = openStore(home, runtime.clock);
  if (opened.kind === 'failed') {
    const action = 'Run the newer agent that wrote it.';
    return [{ ...row, status: 'fail', detail: 'written by a newer agent', action }];
  }
  const { store, quarantined } = opened.value;
  const integrity = store.integrity();
  const { pendingCommands, unsentEvents } = store.depths();
  store.close();
  if (quarantined !== undefined) {
    const action = 'Nothing: the control plane sends what was lost again. Look at the disk.';
    return [{ ...row, status: 'warn', detail: `damaged, set aside: ${quarantined}`, action }];
  }
  const detail = `${pendingCommands} to do, ${unsentEvents} to deliver`;
  if (integrity === 'ok') return [{ ...row, status: 'ok', detail }];
  return [{ ...row, status: 'fail', detail: integrity, action: 'Look at the disk, then restart.' }];
};
