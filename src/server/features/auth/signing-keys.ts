import { asc, sql } from 'drizzle-orm'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Database } from '#server/db/database.ts'
import { signingKeys } from '#server/db/schema/index.ts'

type KeyDeps = { database: Database; secrets: SecretBox; clock: () => Date }

export type KeyRing = {
  /** The newest key that is not retired; made at the first call, once among all nodes. */
  signingKey(): Promise<{ kid: string; key: CryptoKey }>
  /** Looks once more in the database for a key that another node may have made. */
  verificationKey(kid: string): Promise<CryptoKey | null>
  /** Public members only, in the order the keys were made. */
  publicKeys(): Promise<JWK[]>
  /** Forgets what was loaded, for those who changed the table themselves. */
  reload(): Promise<void>
  /** Called when the set of keys has changed, so that nothing verified before is trusted any longer. */
  onChange(listener: () => void): void
}

/** Any number that no other use of advisory locks in this database takes. */
const keyLock = 7_340_312
const purpose = 'signing-key'
/** A retired or added key is noticed within this time; a token with an unknown key asks at most this often. */
const reloadMs = 5 * 60_000
const askAgainMs = 10_000

type LoadedKeys = {
  loadedAt: number
  signing: { kid: string; key: CryptoKey }
  verifying: ReadonlyMap<string, CryptoKey>
  published: JWK[]
}

const rings = new WeakMap<Database, KeyRing>()

/** One ring per open database, so that those who sign and those who verify share what was loaded. */
export function keyRing(deps: KeyDeps): KeyRing {
  const known = rings.get(deps.database)
  if (known) return known
  const ring = createKeyRing(deps)
  rings.set(deps.database, ring)
  return ring
}

function createKeyRing(deps: KeyDeps): KeyRing {
  let loading: Promise<LoadedKeys> | undefined
  let current: LoadedKeys | undefined
  const listeners: (() => void)[] = []

  const load = () => {
    loading ??= loadKeys(deps)
      .then((keys) => {
        const before = current && [...current.verifying.keys()].join()
        current = keys
        if (before !== [...keys.verifying.keys()].join()) for (const listener of listeners) listener()
        return keys
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
  const age = (keys: LoadedKeys) => deps.clock().getTime() - keys.loadedAt
  const fresh = async () => (current && age(current) < reloadMs ? current : load())

  return {
    signingKey: async () => (await fresh()).signing,
    async verificationKey(kid) {
      const keys = await fresh()
      const found = keys.verifying.get(kid)
      if (found || age(keys) < askAgainMs) return found ?? null
      return (await load()).verifying.get(kid) ?? null
    },
    async reload() {
      await load()
    },
    publicKeys: async () => (await fresh()).published,
    onChange: (listener) => void listeners.push(listener),
  }
}

async function loadKeys(deps: KeyDeps): Promise<LoadedKeys> {
  let rows = await readKeys(deps)
  let signing = await newestUsable(deps, rows)
  if (!signing) {
    await makeKey(deps)
    rows = await readKeys(deps)
    signing = await newestUsable(deps, rows)
  }
  if (!signing) throw new Error('No signing key could be made')
  const verifying = new Map<string, CryptoKey>()
  for (const row of rows) verifying.set(row.kid, (await importJWK(row.publicJwk, 'ES256')) as CryptoKey)
  return {
    loadedAt: deps.clock().getTime(),
    signing,
    verifying,
    published: rows.map((row) => ({ ...row.publicJwk, kid: row.kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] })),
  }
}

type KeyRow = typeof signingKeys.$inferSelect

const readKeys = ({ database }: Pick<KeyDeps, 'database'>): Promise<KeyRow[]> =>
  database.db.select().from(signingKeys).orderBy(asc(signingKeys.createdAt), asc(signingKeys.kid))

/** A key sealed with a secret that the server no longer has still verifies, but cannot sign. */
async function newestUsable({ secrets }: KeyDeps, rows: readonly KeyRow[]) {
  for (const row of rows.toReversed()) {
    if (row.retiredAt) continue
    try {
      const jwk = JSON.parse(secrets.open(purpose, row.privateJwkEncrypted)) as JWK
      return { kid: row.kid, key: (await importJWK(jwk, 'ES256')) as CryptoKey }
    } catch {}
  }
  return null
}

/** Nodes that start together wait for one another here, and all but the first find the key made. */
async function makeKey(deps: KeyDeps) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = crypto.randomUUID()
  const publicJwk = { ...(await exportJWK(publicKey)) }
  const privateJwkEncrypted = deps.secrets.seal(purpose, JSON.stringify(await exportJWK(privateKey)))
  await deps.database.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${keyLock})`)
    const rows = await tx.select().from(signingKeys)
    if (await newestUsable(deps, rows)) return
    await tx.insert(signingKeys).values({ kid, publicJwk, privateJwkEncrypted, createdAt: deps.clock() })
  })
}
