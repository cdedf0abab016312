import { BlockList, isIP } from 'node:net'
import type { Config } from '#server/config/config.ts'

/** Non-public networks (IANA special-purpose registries). */
const special = new BlockList()
const networks: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
for (const [network, prefix] of networks) special.addSubnet(network, prefix, 'ipv4')

/** IPv6: only global unicast, without transition and documentation ranges. */
const given = new BlockList()
given.addSubnet('2000::', 3, 'ipv6')
const within: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]
for (const [network, prefix] of within) special.addSubnet(network, prefix, 'ipv6')

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && given.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** For addresses that someone entered. Loopback is for receivers in development, where the configuration allows it. */
export const isAllowedAddress = ({ webhooksAllowLoopback }: Pick<Config, 'webhooksAllowLoopback'>, address: string) =>
  isPublicAddress(address) || (webhooksAllowLoopback && (address === '::1' || /^127\./.test(address)))
