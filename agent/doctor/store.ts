import { openStore } from '../store/home.ts';
import type { Check } from './finding.ts';

export const checkStore: Check = async ({ runtime, home }) => {
  const row = { component: 'queue', target: home.path };
  const opened = openStore(home, runtime.clock);
  if (opened.kind === 'failed') {
    const { outcome } = opened;
    const isNewer = outcome.error === 'store_newer';
    const detail = isNewer ? 'written by a newer agent' : 'damaged';
    return [{ ...row, status: 'fail', detail, code: isNewer ? 'queue_newer' : 'queue_damaged' }];
  }
  const { store, quarantined } = opened.value;
  const integrity = store.integrity();
  const { pendingCommands, unsentEvents } = store.depths();
  store.close();
  if (quarantined !== undefined) {
    const detail = `damaged, set aside: ${quarantined}`;
    return [{ ...row, status: 'warn', detail, code: 'queue_set_aside' }];
  }
  const detail = `${pendingCommands} to do, ${unsentEvents} to deliver`;
  if (integrity === 'ok') return [{ ...row, status: 'ok', detail }];
  return [{ ...row, status: 'fail', detail: integrity, code: 'queue_damaged' }];
};
