import { auditTrail } from './audit-trail.ts';
import type { Layout } from './layout.ts';
import { receivableTypes } from './receivable-types.ts';
import { voucherLedgers } from './voucher-ledgers.ts';

/** Of trading firms, each in the country of one that has it, written apart from the proposals. */
export const tradeSystems: readonly Layout[] = [receivableTypes, auditTrail, voucherLedgers];
