import { billToCustomers } from './bill-to-customers.ts';
import { creditByParent } from './credit-by-parent.ts';
import { invoicesOfOrders } from './invoices-of-orders.ts';
import type { Layout } from './layout.ts';
import { namesAsKeys } from './names-as-keys.ts';
import { provisionalNumbers } from './provisional-numbers.ts';
import { salesAndPurchases } from './sales-and-purchases.ts';

/** Of published systems, in the size of a real install; written apart from the proposals. */
export const unseenA: readonly Layout[] = [
  provisionalNumbers,
  billToCustomers,
  salesAndPurchases,
  namesAsKeys,
  creditByParent,
  invoicesOfOrders,
];
