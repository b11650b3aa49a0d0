import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalUrl, formatCanonicalUrl, parseIpv4 } from '../../../server/src/engine/links/canonical-url.ts';
import { expressionsOf, hashOf } from '../../../server/src/engine/links/expressions.ts';

/** Strings of bytes. The published examples of the lookup service, then cases of clients of others and our own. */
const addresses: readonly (readonly [given: string, canonical: string])[] = [
  ['http://host/%25%32%35', 'http://host/%25'],
  ['http://host/%25%32%35%25%32%35', 'http://host/%25%25'],
  ['http://host/%2525252525252525', 'http://host/%25'],
  ['http://host/asdf%25%32%35asd', 'http://host/asdf%25asd'],
  ['http://host/%%%25%32%35asd%%', 'http://host/%25%25%25asd%25%25'],
  ['http://www.google.com/', 'http://www.google.com/'],
  [
    'http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/',
    'http://168.188.99.26/.secure/www.ebay.com/',
  ],
  [
    'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
    'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
  ],
  [
    'http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B',
    'http://host%23.com/~a!b@c%23d$e%25f^00&11*22(33)44_55+',
  ],
  ['http://3279880203/blah', 'http://195.127.0.11/blah'],
  ['http://www.google.com/blah/..', 'http://www.google.com/'],
  ['www.google.com/', 'http://www.google.com/'],
  ['www.google.com', 'http://www.google.com/'],
  ['http://www.evil.com/blah#frag', 'http://www.evil.com/blah'],
  ['http://www.GOOgle.com/', 'http://www.google.com/'],
  ['http://www.google.com.../', 'http://www.google.com/'],
  ['http://www.google.com/foo\tbar\rbaz\n2', 'http://www.google.com/foobarbaz2'],
  ['http://www.google.com/q?', 'http://www.google.com/q?'],
  ['http://www.google.com/q?r?', 'http://www.google.com/q?r?'],
  ['http://www.google.com/q?r?s', 'http://www.google.com/q?r?s'],
  ['http://evil.com/foo#bar#baz', 'http://evil.com/foo'],
  ['http://evil.com/foo;', 'http://evil.com/foo;'],
  ['http://evil.com/foo?bar;', 'http://evil.com/foo?bar;'],
  ['http://\x01\x80.com/', 'http://%01%80.com/'],
  ['http://notrailingslash.com', 'http://notrailingslash.com/'],
  ['http://www.gotaport.com:1234/', 'http://www.gotaport.com/'],
  ['  http://www.google.com/  ', 'http://www.google.com/'],
  ['http:// leadingspace.com/', 'http://%20leadingspace.com/'],
  ['http://%20leadingspace.com/', 'http://%20leadingspace.com/'],
  ['%20leadingspace.com/', 'http://%20leadingspace.com/'],
  ['https://www.securesite.com/', 'https://www.securesite.com/'],
  ['http://host.com/ab%23cd', 'http://host.com/ab%23cd'],
  ['http://host.com//twoslashes?more//slashes', 'http://host.com/twoslashes?more//slashes'],

  ['ftp://ftp.myfiles.com/', 'ftp://ftp.myfiles.com/'],
  ['http://some%1bhost.com/%1b', 'http://some%1Bhost.com/%1B'],
  ['http://www.google.com/q?r?s%3F', 'http://www.google.com/q?r?s?'],
  ['http://www.\xC3\xBCmlat.com/', 'http://www.xn--mlat-zra.com/'],
  ['http://www.%C3%BCmlat.com/', 'http://www.xn--mlat-zra.com/'],
  ['http://[2001:470:1:18::114]/', 'http://[2001:470:1:18::114]/'],
  [
    'http://[FEDC:BA98:7654:3210:FEDC:BA98:7654:3210]:80/index.html',
    'http://[fedc:ba98:7654:3210:fedc:ba98:7654:3210]/index.html',
  ],
  ['http%3A%2F%2Fwackyurl.com:80/', 'http://wackyurl.com/'],
  ['http://W!eird<>Ho$^.com/', 'http://w!eird<>ho$^.com/'],
  ['http://i.have.way.too.many.dots.com/', 'http://i.have.way.too.many.dots.com/'],
  ['http://..google...com.:8080/foo.html', 'http://google.com/foo.html'],
  ['http://a.com/foo/.././bar/./../foo.html', 'http://a.com/foo.html'],
  ['http://a.com//a//b///c////', 'http://a.com/a/b/c/'],
  ['http://a.com/a/b/.', 'http://a.com/a/b/'],
  ['http://a.com/a/b/..', 'http://a.com/a/'],
  ['http://a.com/../../x', 'http://a.com/x'],
  ['http://0x12.0x43.0x44.0x01', 'http://18.67.68.1/'],
  ['http://user:secret@a.com/x', 'http://a.com/x'],
  ['http://a.com@b.com@c.com/x', 'http://c.com/x'],
  ['http://a.com?x=1', 'http://a.com/?x=1'],
  ['HTTP://a.com/\xC3\xBC', 'http://a.com/%C3%BC'],
];

for (const [given, canonical] of addresses) {
  test(`${JSON.stringify(given)} becomes ${canonical}`, () => {
    const url = canonicalUrl(Buffer.from(given, 'latin1'));
    assert.equal(url && formatCanonicalUrl(url), canonical);
    // The canonical form is its own: applying the rules again changes nothing but escapes of escapes.
    if (!/%(?:25|23|20|01|1B|80)/.test(canonical) && url) {
      const again = canonicalUrl(canonical);
      assert.equal(again && formatCanonicalUrl(again), canonical);
    }
  });
}

test('an address without a host has no canonical form', () => {
  const without = [
    ...['', ':', '/blah', '#ref', '/blah#ref', '?query#ref', '/blah?query#ref', '/blah;param', 'http://#ref'],
    ...['http:///blah#ref', 'http://?query#ref', 'http:///blah?query#ref', 'http:///blah;param', '/asdf'],
    ...['http:///blah;param?query#ref', 'mailto:bryner@google.com', 'http://.../', 'http://[::1/', 'http:host.com'],
  ];
  for (const it of without) assert.equal(canonicalUrl(it), undefined, it);
});

test('an overlong address has no canonical form', () => {
  assert.equal(canonicalUrl(`http://a.com/${'a'.repeat(9000)}`), undefined);
  const nested = canonicalUrl(`http://a.com/%${'25'.repeat(4000)}41`);
  assert.equal(nested && formatCanonicalUrl(nested), 'http://a.com/A');
});

test('IPv4 addresses are read in all their forms', () => {
  const forms: readonly (readonly [string, string | undefined])[] = [
    ['123.123.0.0.1', undefined],
    ['255.0.0.1', '255.0.0.1'],
    ['12.0x12.01234', '12.18.2.156'],
    ['276.2.3', '20.2.0.3'],
    ['012.034.01.055', '10.28.1.45'],
    ['0x12.0x43.0x44.0x01', '18.67.68.1'],
    ['167838211', '10.1.2.3'],
    ['3279880203', '195.127.0.11'],
    ['4294967295', '255.255.255.255'],
    ['4294967296', undefined],
    ['1.2.3.00x0', undefined],
    ['1.2.3.09', undefined],
    ['1..2', undefined],
    ['', undefined],
  ];
  for (const [given, expected] of forms) assert.equal(parseIpv4(given), expected, given);
});

/** Addresses and all their expressions. */
const expressions: readonly (readonly [given: string, expected: readonly string[]])[] = [
  [
    'http://a.b.c/1/2.html?param=1',
    [
      ...['a.b.c/1/2.html?param=1', 'a.b.c/1/2.html', 'a.b.c/', 'a.b.c/1/'],
      ...['b.c/1/2.html?param=1', 'b.c/1/2.html', 'b.c/', 'b.c/1/'],
    ],
  ],
  [
    'http://a.b.c.d.e.f.g/1.html',
    [
      ...['a.b.c.d.e.f.g/1.html', 'a.b.c.d.e.f.g/', 'c.d.e.f.g/1.html', 'c.d.e.f.g/', 'd.e.f.g/1.html', 'd.e.f.g/'],
      ...['e.f.g/1.html', 'e.f.g/', 'f.g/1.html', 'f.g/'],
    ],
  ],
  ['http://1.2.3.4/1/', ['1.2.3.4/1/', '1.2.3.4/']],
  [
    'http://a.b.c.d.e/1.html',
    [
      ...['a.b.c.d.e/1.html', 'a.b.c.d.e/', 'b.c.d.e/1.html', 'b.c.d.e/', 'c.d.e/1.html', 'c.d.e/'],
      ...['d.e/1.html', 'd.e/'],
    ],
  ],
  ['http://a.b/1/2/3/4/5/', ['a.b/1/2/3/4/5/', 'a.b/', 'a.b/1/', 'a.b/1/2/', 'a.b/1/2/3/']],
  ['http://b.c/1/2/3.html?param=1/2', ['b.c/1/2/3.html?param=1/2', 'b.c/1/2/3.html', 'b.c/', 'b.c/1/', 'b.c/1/2/']],
  ['http://a.b/?', ['a.b/']],
  ['http://[2001:470:1:18::114]/a/b', ['[2001:470:1:18::114]/a/b', '[2001:470:1:18::114]/', '[2001:470:1:18::114]/a/']],
  ['http://b/', ['b/']],
];

for (const [given, expected] of expressions) {
  test(`${given} has ${expected.length} expressions`, () => {
    const url = canonicalUrl(given);
    assert.deepEqual(url && expressionsOf(url), expected);
  });
}

test('no address has more than thirty expressions', () => {
  const url = canonicalUrl('http://a.b.c.d.e.f.g.h/1/2/3/4/5/6/7.html?q');
  const found = url ? expressionsOf(url) : [];
  assert.equal(found.length, 30);
  assert.equal(new Set(found).size, 30);
});

test('an expression is hashed by SHA-256', () => {
  assert.equal(hashOf('foo.com/').toString('hex'), 'af30010e4c011fc77e1ab03ef898ab2f8dec17c0bd178a875ad0cd9b7a6e5973');
});
