import assert from 'node:assert/strict';
import { BlockList, isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { networksOf, parseIpAddress } from '../../../server/src/engine/base/ip-address.ts';
import '../../harness/seed.ts';

const addresses = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.constantFrom('::', '::1', '1::', '::ffff:10.0.0.1', 'fe80::1:0:0:2'),
);

test('addresses are read as Node reads them, and other texts are refused', () => {
  fc.assert(fc.property(addresses, (it) => assert.equal(parseIpAddress(it)?.family, isIP(it))));
  const texts = fc.string({ unit: fc.constantFrom(...'0123456789abcf.:[]'), maxLength: 24 });
  fc.assert(fc.property(texts, (it) => assert.equal(parseIpAddress(it)?.family ?? 0, isIP(it))));
});

test('an address is in the networks that it is in for Node', () => {
  const networks = ['10.0.0.0/8', '192.168.128.0/17', '127.0.0.1', 'fe80::/10', '2001:db8::/33', '::1'];
  const blocks = new BlockList();
  for (const it of networks) {
    const [text = '', length] = it.split('/');
    blocks.addSubnet(text, Number(length ?? (isIP(text) === 4 ? 32 : 128)), isIP(text) === 4 ? 'ipv4' : 'ipv6');
  }
  const isIn = networksOf(networks);
  const near = fc.constantFrom(
    '10.255.255.255',
    '11.0.0.0',
    '192.168.127.255',
    '192.168.255.1',
    'fe80::',
    'febf::1',
    'fec0::',
    '2001:db8:7fff::',
    '2001:db8:8000::',
  );
  fc.assert(
    fc.property(fc.oneof(addresses, near), (it) => {
      // Node checks an address of IPv4 in IPv6 as the former.
      fc.pre(!/^::ffff:/.test(it));
      const read = parseIpAddress(it);
      assert.ok(read);
      assert.equal(isIn(read), blocks.check(it, isIP(it) === 4 ? 'ipv4' : 'ipv6'), it);
    }),
  );
});
