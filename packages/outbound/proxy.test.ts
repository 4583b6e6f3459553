import { expect, test } from 'vitest';
import { destinationOf, proxyFor, readExceptions, readProxy } from './proxy.ts';

const proxy = readProxy('http://proxy.corp:3128')!;

test.each([
  { text: 'http://proxy.corp:3128', isTls: false, host: 'proxy.corp', port: 3128 },
  { text: 'proxy.corp:3128', isTls: false, host: 'proxy.corp', port: 3128 },
  { text: 'http://proxy.corp', isTls: false, host: 'proxy.corp', port: 80 },
  { text: 'https://proxy.corp/', isTls: true, host: 'proxy.corp', port: 443 },
  { text: 'http://[fd00::1]:8080', isTls: false, host: 'fd00::1', port: 8080 },
])('$text is a proxy', ({ text, ...read }) => {
  expect(readProxy(text)).toEqual({ ...read, authorization: undefined });
});

test('name and password may hold any character, escaped', () => {
  const { authorization } = readProxy('http://CORP%5Canna:p%40ss%3A%C3%A4@proxy:3128')!;
  const pair = Buffer.from(authorization!.replace('Basic ', ''), 'base64').toString();
  expect(pair).toBe('CORP\\anna:p@ss:ä');
});

test.each(['', 'socks5://proxy:1080', 'http://proxy/path', 'http://a%:b@proxy', 'http://'])(
  '"%s" is no proxy',
  (text) => {
    expect(readProxy(text)).toBeUndefined();
  },
);

test.each([
  { no: '', url: 'https://api.example.com', through: true },
  { no: '*', url: 'https://api.example.com', through: false },
  { no: 'example.com', url: 'https://example.com', through: false },
  { no: 'example.com', url: 'https://api.example.com', through: false },
  { no: 'example.com', url: 'https://badexample.com', through: true },
  { no: '.example.com', url: 'https://api.example.com', through: false },
  { no: '.example.com', url: 'https://example.com', through: true },
  { no: '*.example.com', url: 'wss://a.b.example.com', through: false },
  { no: 'Example.COM.', url: 'https://API.example.com.', through: false },
  { no: 'other.com, example.com', url: 'https://api.example.com', through: false },
  { no: 'other.com example.com', url: 'https://api.example.com', through: false },
  { no: 'example.com:8443', url: 'https://example.com', through: true },
  { no: 'example.com:8443', url: 'https://example.com:8443', through: false },
  { no: 'example.com:443', url: 'wss://example.com/v1/agents/link', through: false },
  { no: '10.0.0.0/8', url: 'https://10.20.30.40', through: false },
  { no: '10.0.0.0/8', url: 'https://11.0.0.1', through: true },
  { no: '10.0.0.0/8', url: 'https://ten.example.com', through: true },
  { no: '192.0.2.7', url: 'https://192.0.2.7', through: false },
  { no: '192.0.2.7:443', url: 'https://192.0.2.7:8443', through: true },
  { no: 'fd00::/8', url: 'https://[fd12::1]', through: false },
  { no: 'fd00::/8', url: 'https://[fe80::1]', through: true },
  { no: '[2001:db8::1]:8443', url: 'https://[2001:db8::1]:8443', through: false },
  { no: '10.0.0.0/8', url: 'https://[::ffff:10.1.1.1]', through: false },
  { no: '', url: 'https://localhost:8443', through: false },
  { no: '', url: 'https://127.0.0.1', through: false },
  { no: '', url: 'https://[::1]', through: false },
])('with NO_PROXY=$no, $url goes through the proxy: $through', ({ no, url, through }) => {
  const proxies = { https: proxy, http: undefined, exceptions: readExceptions(no)! };
  expect(proxyFor(proxies, destinationOf(url))).toBe(through ? proxy : undefined);
});

test('destinations without TLS have a proxy of their own', () => {
  const other = readProxy('other:1')!;
  const proxies = { https: proxy, http: other, exceptions: [] };
  expect(proxyFor(proxies, destinationOf('ws://api.example.com'))).toBe(other);
  expect(proxyFor(proxies, destinationOf('wss://api.example.com'))).toBe(proxy);
});

test.each(['https://example.com', '10.0.0.0/33', 'a..b', 'a_b!c', '10.0.0.1/x'])(
  '"%s" is no exception',
  (text) => {
    expect(readExceptions(text)).toBeUndefined();
  },
);
