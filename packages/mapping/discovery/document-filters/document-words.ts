import { wordsOf } from '../../words.ts';

const invoiceText =
  /^(out_invoice|out|outgoing|sales?|sell|selling|customer|receivable|acc(ount)?s?_?rec(eivable)?|sales_?invoice|customer_?invoice|invoice|inv|si|ri|iv|fa|fs|fv|ft|rechnung|re|rg|ar|factura|facture|faktura|fattura|invois|standard|380|f2)$/i;

export const creditText =
  /cr[eé]dit|kredit|refund|return|gutschrift|abono|avoir|rectif|storno|^(cn|cm|gs|gu|gut|kfs|nc|sr|rtn|381|out_refund|g2)$/i;

const otherText =
  /^in$|incoming|quote|quotation|cotiza|presupuest|angebot|auftrag|devis|commande|pedido|sebut.?harga|pesanan|order|pro.?forma|estimate|delivery|receipt|payment|purchase|supplier|vendor|journal|entry|deposit|recurring|template|in_|\bap\b|payable|acc(ount)?s?_?pay/i;

/** Documents that take another one back, whatever that is. */
const reversalText = /revers|storno|cancel|anulac/i;

/** How much the name of a kind says that it is invoices: above 0 that it is, below that it is something else. */
export function textScore(text: string): number {
  if (reversalText.test(text)) return -4;
  if (invoiceText.test(text) || /(sales|customer).*invoice/i.test(text)) return 4;
  if (creditText.test(text) || otherText.test(text)) return -4;
  const words = wordsOf(text);
  if (words.join() === 'buyer,invoice') return 4;
  return /invoice|rechnung|factur|faktur|invois/i.test(text) ? 2 : 0;
}
