import { isIPv6 } from 'node:net'

/** IPv4-mapped IPv6 addresses, which some proxies send. They would all share one /64. */
const mappedIpv4 = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i

/** The rate limit key of a client: its IPv4 address or its IPv6 /64. */
export function limitKey(address: string): string {
  if (!isIPv6(address)) return address.slice(0, 64)
  const mapped = mappedIpv4.exec(address)
  if (mapped) return mapped[1] ?? dotted(mapped[2], mapped[3])
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const missing = Math.max(0, 8 - groups.length - after.length)
  const whole = tail === undefined ? groups : [...groups, ...Array<string>(missing).fill('0'), ...after]
  return whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

const dotted = (...groups: (string | undefined)[]) =>
  groups
    .map((group) => Number.parseInt(group ?? '0', 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.')
