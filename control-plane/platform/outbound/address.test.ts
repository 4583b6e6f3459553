import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import {
  anywhere,
  checkUrl,
  guardedLookup,
  isAllowedAddress,
  loopbackToo,
  operatorNamed,
  publicOnly,
} from './address.ts';

test.each([
  ['https://example.com/hook?x=1', 'allowed', 'allowed'],
  ['https://example.com:8443/', 'allowed', 'allowed'],
  ['https://8.8.8.8/', 'allowed', 'allowed'],
  ['https://[2606:4700::1111]/', 'allowed', 'allowed'],
  ['https://[::ffff:8.8.8.8]/', 'allowed', 'allowed'],
  ['http://example.com/', 'refused', 'allowed'],
  ['http://127.0.0.1:9000/', 'refused', 'allowed'],
  ['https://127.0.0.1/', 'refused', 'allowed'],
  ['http://localhost:9000/', 'refused', 'allowed'],
  ['https://hooks.localhost./', 'refused', 'allowed'],
  ['http://[::1]:9000/', 'refused', 'allowed'],
  ['https://2130706433/', 'refused', 'allowed'],
  ['https://0x7f.1/', 'refused', 'allowed'],
  ['https://0177.0.0.1/', 'refused', 'allowed'],
  ['https://[::ffff:127.0.0.1]/', 'refused', 'allowed'],
  ['https://10.1.2.3/', 'refused', 'refused'],
  ['https://0xa9fea9fe/latest/meta-data', 'refused', 'refused'],
  ['https://169.254.169.254/', 'refused', 'refused'],
  ['https://[::ffff:10.0.0.1]/', 'refused', 'refused'],
  ['https://[::ffff:a00:1]/', 'refused', 'refused'],
  ['https://[64:ff9b::a00:1]/', 'refused', 'refused'],
  ['https://[fd00::1]/', 'refused', 'refused'],
  ['https://[fe80::1]/', 'refused', 'refused'],
  ['https://[2002:a00:1::]/', 'refused', 'refused'],
  ['https://0/', 'refused', 'refused'],
  ['https://user@example.com/', 'refused', 'refused'],
  ['https://user:pw@example.com/', 'refused', 'refused'],
  ['https://example.com/#top', 'refused', 'refused'],
  ['https://example.com:25/', 'refused', 'refused'],
  ['ftp://example.com/', 'refused', 'refused'],
  ['file:///etc/passwd', 'refused', 'refused'],
  ['//example.com', 'refused', 'refused'],
  [`https://example.com/${'x'.repeat(2_000)}`, 'refused', 'refused'],
])('%s: live %s, sandbox on one machine %s', (url, live, local) => {
  expect(checkUrl(url, publicOnly).kind).toBe(live);
  expect(checkUrl(url, loopbackToo).kind).toBe(local);
});

test('only the operator may name a port of another service', () => {
  expect(checkUrl('http://10.0.0.5:81/', anywhere).kind).toBe('refused');
  expect(checkUrl('http://10.0.0.5:81/', operatorNamed).kind).toBe('allowed');
});

test.each([
  '0.1.2.3',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.9.9.9',
  '169.254.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:192.168.1.1',
  '64:ff9b::1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'nonsense',
  '',
])('%s is not called', (address) => {
  expect(isAllowedAddress(address, publicOnly)).toBe(false);
});

test.each(['1.1.1.1', '100.128.0.1', '172.32.0.1', '192.0.1.1', '2a00::1'])(
  '%s is called',
  (address) => {
    expect(isAllowedAddress(address, publicOnly)).toBe(true);
  },
);

const v4 = (address: string): LookupAddress => ({ address, family: 4 });

function looked(answers: readonly LookupAddress[], all: boolean, policy = publicOnly) {
  const lookup = guardedLookup(policy, async () => answers);
  return new Promise((resolve) => {
    lookup('example.com', { all }, (error, address, family) => {
      resolve(error ? error.code : [address, family]);
    });
  });
}

test('a name is refused when one of its addresses is', async () => {
  const good = [v4('8.8.8.8'), v4('8.8.4.4')];
  expect(await looked(good, true)).toEqual([good, undefined]);
  expect(await looked(good, false)).toEqual(['8.8.8.8', 4]);
  expect(await looked([v4('8.8.8.8'), v4('10.0.0.1')], true)).toBe('ERR_ADDRESS_REFUSED');
  expect(await looked([v4('127.0.0.1')], false)).toBe('ERR_ADDRESS_REFUSED');
  expect(await looked([v4('127.0.0.1')], false, loopbackToo)).toEqual(['127.0.0.1', 4]);
  expect(await looked([v4('127.0.0.1'), v4('10.0.0.1')], true, loopbackToo)).toBe(
    'ERR_ADDRESS_REFUSED',
  );
  expect(await looked([], true)).toBe('ERR_ADDRESS_REFUSED');
});
