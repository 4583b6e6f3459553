import { anywhere, filled, present, rule } from '../language/rule-kinds.ts';
import { exists, given, reads, says } from '../language/statement.ts';
import { lengthOf, normalizeSpace } from '../language/xpath.ts';
import type { Context } from '../rule.ts';

/** Payment instructions, cards and accounts. */
export const paymentContexts: readonly Context[] = [
  {
    each: anywhere('cac:PaymentMeans/cac:CardAccount/cbc:PrimaryAccountNumberID'),
    rules: [
      rule(
        'BR-51',
        ['IBT-087'],
        'Of a card number show the last four to six digits, never all.',
        (number) => lengthOf(normalizeSpace(number.text)) <= 10,
        'warning',
      ),
    ],
  },
  {
    each: anywhere('cac:PaymentMeans/cac:PayeeFinancialAccount'),
    match: says('../cbc:PaymentMeansCode', '30', '58'),
    rules: [filled('BR-50', 'id', ['IBT-084'], 'A credit transfer needs the payment account.')],
  },
  {
    each: anywhere('cac:PaymentMeans'),
    rules: [
      present('BR-49', 'code', ['IBT-081'], 'Payment instructions need the payment means code.'),
      rule(
        'BR-61',
        ['IBT-084'],
        'A credit transfer (code 30 or 58) needs the payment account identifier.',
        given(
          reads('cbc:PaymentMeansCode', (code) => ['30', '58'].includes(normalizeSpace(code))),
          exists('account.id'),
        ),
      ),
    ],
  },
];
