import { BlockList, isIP } from 'node:net';

/*
 * Addresses that mean this machine, its link, or the metadata service of a cloud, whose answers contain credentials. A
 * file of a workspace must not send requests there.
 */
const inner = new BlockList();
// This machine and this network. Source: RFC 6890, table 1 to 20.
inner.addSubnet('0.0.0.0', 8, 'ipv4');
inner.addSubnet('127.0.0.0', 8, 'ipv4');
inner.addAddress('::', 'ipv6');
inner.addAddress('::1', 'ipv6');
// The link, with the metadata services of AWS, Azure, Google Cloud and others at 169.254.169.254.
inner.addSubnet('169.254.0.0', 16, 'ipv4');
inner.addSubnet('fe80::', 10, 'ipv6');
// The metadata service of AWS over IPv6, of Alibaba Cloud, of Oracle Cloud, and the host agent of Azure.
inner.addAddress('fd00:ec2::254', 'ipv6');
inner.addAddress('100.100.100.200', 'ipv4');
inner.addAddress('192.0.0.192', 'ipv4');
inner.addAddress('168.63.129.16', 'ipv4');
// No host of a registry.
inner.addSubnet('224.0.0.0', 4, 'ipv4');
inner.addAddress('255.255.255.255', 'ipv4');
inner.addSubnet('ff00::', 8, 'ipv6');

/** Prefixes of IPv6 addresses that contain one of IPv4 at their end. Source: RFC 6052, RFC 8215, RFC 7915, RFC 4291 2.5.5.1. */
const embedding = new BlockList();
embedding.addSubnet('64:ff9b::', 96, 'ipv6');
embedding.addSubnet('64:ff9b:1::', 48, 'ipv6');
embedding.addSubnet('::ffff:0:0:0', 96, 'ipv6');
embedding.addSubnet('::', 96, 'ipv6');

/** Whether an IP address means this machine, its link or a metadata service. */
export function isInnerAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  switch (isIP(bare)) {
    case 4:
      return inner.check(bare, 'ipv4');
    case 6:
      // An address of IPv4 in IPv6 (`::ffff:127.0.0.1`) is checked as the former.
      return inner.check(bare, 'ipv6') || (embedding.check(bare, 'ipv6') && inner.check(embeddedIn(bare), 'ipv4'));
    default:
      return false;
  }
}

/** The IPv4 address in the last 32 bits. */
function embeddedIn(address: string): string {
  const { hostname } = new URL(`http://[${address}]`);
  const [high = '0', low = '0'] = hostname.slice(1, -1).replace('::', ':0:').split(':').slice(-2);
  const bits = [high, low].map((it) => Number.parseInt(it || '0', 16));
  return bits.flatMap((it) => [it >> 8, it & 255]).join('.');
}

/** Names of metadata services and of this machine. Source: RFC 6761, 6.3; the documentation of Google Cloud and others. */
const innerNames = /(?:^|\.)localhost$|^(?:metadata|metadata\.google\.internal|metadata\.goog|instance-data(?:\..*)?)$/;

/** @param hostname as of a URL: in lower case, an IPv6 address in brackets */
export function isInnerHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return innerNames.test(bare) || isInnerAddress(bare);
}
