const four = (address: string) => /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(address)?.slice(1).map(Number)

/** Describes loopback and private addresses; null for public ones. */
export function describeLocalAddress(address: string): 'this computer' | 'a local network' | null {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  const [first, second = 0] = four(plain) ?? []
  if (first !== undefined) {
    if (first === 127) return 'this computer'
    const isPrivate =
      first === 10 ||
      (first === 172 && second >= 16 && second < 32) ||
      (first === 192 && second === 168) ||
      (first === 169 && second === 254) ||
      (first === 100 && second >= 64 && second < 128)
    return isPrivate ? 'a local network' : null
  }
  if (plain === '::1') return 'this computer'
  return /^(f[cd]|fe[89ab])[0-9a-f]*:/.test(plain) ? 'a local network' : null
}
