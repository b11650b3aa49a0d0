import { type IpAddress, networksOf, parseIpAddress } from '../../base/ip-address.ts';

/**
 * Addresses that mean this machine, its link, or the metadata service of a cloud, whose answers contain credentials. A
 * file of a workspace must not send requests there.
 */
const isInner = networksOf([
  // This machine and this network. Source: RFC 6890, table 1 to 20.
  '0.0.0.0/8',
  '127.0.0.0/8',
  '::',
  '::1',
  // The link, with the metadata services of AWS, Azure, Google Cloud and others at 169.254.169.254.
  '169.254.0.0/16',
  'fe80::/10',
  // The metadata service of AWS over IPv6, of Alibaba Cloud, of Oracle Cloud, and the host agent of Azure.
  'fd00:ec2::254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  // No host of a registry.
  '224.0.0.0/4',
  '255.255.255.255',
  'ff00::/8',
]);

/**
 * Prefixes of IPv6 addresses that contain one of IPv4 at their end. Source: RFC 6052, RFC 8215, RFC 7915, RFC 4291 2.5.5.
 */
const isEmbedding = networksOf(['64:ff9b::/96', '64:ff9b:1::/48', '::ffff:0:0:0/96', '::ffff:0:0/96', '::/96']);

/** Whether an IP address means this machine, its link or a metadata service. */
export function isInnerAddress(address: string): boolean {
  const read = parseIpAddress(address.replace(/%.*$/, ''));
  if (read === undefined) return false;
  return isInner(read) || (isEmbedding(read) && isInner(embeddedIn(read)));
}

/** The IPv4 address in the last 32 bits. */
function embeddedIn({ value }: IpAddress): IpAddress {
  return { family: 4, value: value & 0xffffffffn };
}

/** Names of metadata services and of this machine. Source: RFC 6761, 6.3; the documentation of Google Cloud and others. */
const innerNames = /(?:^|\.)localhost$|^(?:metadata|metadata\.google\.internal|metadata\.goog|instance-data(?:\..*)?)$/;

/** @param hostname as of a URL: in lower case, an IPv6 address in brackets */
export function isInnerHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return innerNames.test(bare) || isInnerAddress(bare);
}
