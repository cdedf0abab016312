export type StoredHash = {
  kind: 'argon2id' | 'argon2i' | 'argon2d' | 'bcrypt'
  /** As its library takes it. */
  text: string
  /** Of argon2 alone. */
  memoryKiB?: number
  passes?: number
}

/** Dearer hashes than these would keep a core or the memory from everybody else; nobody makes such for a sign-in. */
const dearest = { bcryptCost: 16, memoryKiB: 256 * 1024, passes: 20, lanes: 16 }

const bcryptForm = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const argonForm = /^\$(argon2id|argon2i|argon2d)\$(?:v=\d+\$)?m=(\d+),t=(\d+),p=(\d+)\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/

/** What a stored password hash is, ours or brought from elsewhere; null for what we could not, or would not, verify. */
export function readStoredHash(stored: string | null | undefined): StoredHash | null {
  const bcrypt = bcryptForm.exec(stored ?? '')
  if (bcrypt) {
    const cost = Number(bcrypt[1])
    if (cost < 4 || cost > dearest.bcryptCost) return null
    // Three names of one algorithm, of which the library knows two.
    return { kind: 'bcrypt', text: bcrypt[0].replace('$2y$', '$2b$') }
  }
  const argon = argonForm.exec(stored ?? '')
  if (!argon) return null
  const [memoryKiB, passes, lanes] = [Number(argon[2]), Number(argon[3]), Number(argon[4])]
  if (memoryKiB > dearest.memoryKiB || passes > dearest.passes || lanes > dearest.lanes) return null
  return { kind: argon[1] as 'argon2id' | 'argon2i' | 'argon2d', text: argon[0], memoryKiB, passes }
}
