import { autocount } from './autocount/preset.ts';
import type { Preset } from './contract.ts';
import { dynamicsNav } from './dynamics-nav/preset.ts';
import { erpnext } from './erpnext/preset.ts';
import { frontaccounting } from './frontaccounting/preset.ts';
import { odoo } from './odoo/preset.ts';
import { sage300 } from './sage-300/preset.ts';
import { sapBusinessOne } from './sap-business-one/preset.ts';
import { tally } from './tally/preset.ts';

/** Every known ERP, one line for each. */
export const presets: readonly Preset[] = [
  autocount,
  dynamicsNav,
  erpnext,
  frontaccounting,
  odoo,
  sage300,
  sapBusinessOne,
  tally,
];
