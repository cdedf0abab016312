export type StoredHash = {
  kind: 'argon2id' | 'argon2i' | 'argon2d' | 'bcrypt'
  /** In the form that the hashing library accepts. */
  text: string
  /** argon2 only. */
  memoryKiB?: number
  passes?: number
}

/** More expensive hashes aren't verified, as they would block a core or exhaust memory. */
const maxCost = { bcryptCost: 16, memoryKiB: 256 * 1024, passes: 20, lanes: 16 }

const bcryptFormat = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const argonFormat =
  /^\$(argon2id|argon2i|argon2d)\$(?:v=\d+\$)?m=(\d+),t=(\d+),p=(\d+)\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/

/** Parses a password hash; null if it is unsupported or too expensive to verify. */
export function readStoredHash(stored: string | null | undefined): StoredHash | null {
  const bcrypt = bcryptFormat.exec(stored ?? '')
  if (bcrypt) {
    const cost = Number(bcrypt[1])
    if (cost < 4 || cost > maxCost.bcryptCost) return null
    // $2y$ is the same algorithm under another name.
    return { kind: 'bcrypt', text: bcrypt[0].replace('$2y$', '$2b$') }
  }
  const argon = argonFormat.exec(stored ?? '')
  if (!argon) return null
  const [memoryKiB, passes, lanes] = [Number(argon[2]), Number(argon[3]), Number(argon[4])]
  if (memoryKiB > maxCost.memoryKiB || passes > maxCost.passes || lanes > maxCost.lanes) return null
  return { kind: argon[1] as 'argon2id' | 'argon2i' | 'argon2d', text: argon[0], memoryKiB, passes }
}
