import { freeBytesAt } from '../store/disk-space.ts';
import type { Check } from './finding.ts';

export const checkDisk: Check = async ({ settings }) => {
  const freeBytes = freeBytesAt(settings.home);
  const row = { component: 'disk', target: settings.home };
  const detail = `${Math.floor(freeBytes / 1_048_576)} MiB free`;
  if (freeBytes >= settings.freeBytesMin) return [{ ...row, status: 'ok', detail }];
  return [{ ...row, status: 'fail', detail, code: 'disk_low' }];
};
