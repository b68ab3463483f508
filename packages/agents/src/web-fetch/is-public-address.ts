import { BlockList, isIP } from "node:net";

const blockedRanges: readonly [address: string, prefix: number][] = [
  ["0.0.0.0", 8], // this host
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // shared by carriers, and some clouds' metadata
  ["127.0.0.0", 8],
  ["168.63.129.16", 32], // Azure's host
  ["169.254.0.0", 16], // link-local, and most clouds' metadata
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
];
/** Of IPv6 only what is routed is let through; these parts of it lead back into private IPv4 networks or nowhere. */
const blockedRoutedRanges: readonly [address: string, prefix: number][] = [
  ["2001::", 23], // Teredo and others
  ["2001:db8::", 32],
  ["2002::", 16], // 6to4
  ["3fff::", 20],
];

const blocked = new BlockList();
for (const [address, prefix] of blockedRanges) blocked.addSubnet(address, prefix, "ipv4");
for (const [address, prefix] of blockedRoutedRanges) blocked.addSubnet(address, prefix, "ipv6");
const routed = new BlockList();
routed.addSubnet("2000::", 3, "ipv6");
const mapped = new BlockList();
mapped.addSubnet("::ffff:0:0", 96, "ipv6");

/** Whether an address belongs to the public internet: not to this machine, its network, or a cloud's metadata service. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !blocked.check(address, "ipv4");
    case 6:
      // An IPv4 address in IPv6 clothes is checked by the IPv4 ranges, too.
      return (routed.check(address, "ipv6") || mapped.check(address, "ipv6")) && !blocked.check(address, "ipv6");
    default:
      return false;
  }
}
