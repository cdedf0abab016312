import { asc, sql } from 'drizzle-orm'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Database, Tx } from '#server/db/database.ts'
import { signingKeys } from '#server/db/schema/index.ts'

export type KeyDeps = { database: Database; secrets: SecretBox; clock: () => Date }

export type KeyRing = {
  /** The key that is next to retire, or else the oldest; made at the first call, once among all nodes. */
  signingKey(): Promise<{ kid: string; key: CryptoKey }>
  /** Looks once more in the database for a key that another node may have made. */
  verificationKey(kid: string): Promise<CryptoKey | null>
  /** Public members only, in the order in which the keys sign. */
  publicKeys(): Promise<JWK[]>
  /** Forgets what was loaded, for those who changed the table themselves. */
  reload(): Promise<void>
  /** Called when the set of keys has changed, so that nothing verified before is trusted any longer. */
  onChange(listener: () => void): void
}

/** Any number that no other use of advisory locks in this database takes. */
const keyLock = 7_340_313
const purpose = 'signing-key'
/** A key added or withdrawn elsewhere is noticed within this time; a token with an unknown key asks this often at most. */
export const reloadMs = 60_000
const askAgainMs = 10_000

type SigningKey = { kid: string; key: CryptoKey }

type LoadedKeys = {
  loadedAt: number
  /** In the order in which they take over from one another. */
  signers: readonly (SigningKey & { retiredAt: Date | null })[]
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
  const signerOf = ({ signers }: LoadedKeys) => signers.find((signer) => !isRetired(signer, deps.clock()))
  const age = (keys: LoadedKeys) => deps.clock().getTime() - keys.loadedAt
  const fresh = async () => (current && age(current) < reloadMs ? current : load())

  return {
    async signingKey() {
      const signer = signerOf(await fresh()) ?? signerOf(await load())
      if (!signer) throw new Error('No signing key could be made')
      return { kid: signer.kid, key: signer.key }
    },
    async verificationKey(kid) {
      const keys = await fresh()
      const found = keys.verifying.get(kid)
      if (found || age(keys) < askAgainMs) return found ?? null
      return (await load()).verifying.get(kid) ?? null
    },
    async reload() {
      // What is being loaded at this moment may have been read before the change.
      await loading?.catch(() => {})
      await load()
    },
    publicKeys: async () => (await fresh()).published,
    onChange: (listener) => void listeners.push(listener),
  }
}

async function loadKeys(deps: KeyDeps): Promise<LoadedKeys> {
  let rows = await readKeys(deps)
  let signers = await decryptSigners(deps, rows)
  if (signers.length === 0) {
    await createFirstKey(deps)
    rows = await readKeys(deps)
    signers = await decryptSigners(deps, rows)
  }
  const verifying = new Map<string, CryptoKey>()
  for (const row of rows) verifying.set(row.kid, (await importJWK(row.publicJwk, 'ES256')) as CryptoKey)
  return {
    loadedAt: deps.clock().getTime(),
    signers,
    verifying,
    published: rows.map((row) => ({ ...row.publicJwk, kid: row.kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] })),
  }
}

type KeyRow = typeof signingKeys.$inferSelect

/** By the time at which they hand over, and last those that do not yet know when. */
const readKeys = ({ database }: Pick<KeyDeps, 'database'>): Promise<KeyRow[]> =>
  database.db
    .select()
    .from(signingKeys)
    .orderBy(asc(signingKeys.retiredAt), asc(signingKeys.createdAt), asc(signingKeys.kid))

const isRetired = ({ retiredAt }: Pick<KeyRow, 'retiredAt'>, now: Date) => retiredAt !== null && retiredAt <= now

/** A key sealed with a secret that the server no longer has still verifies, but cannot sign. */
export async function decryptSigners(
  { secrets, clock }: Pick<KeyDeps, 'secrets' | 'clock'>,
  rows: readonly KeyRow[],
): Promise<LoadedKeys['signers']> {
  const signers: (SigningKey & { retiredAt: Date | null })[] = []
  for (const { kid, retiredAt, privateJwkEncrypted } of rows) {
    if (isRetired({ retiredAt }, clock())) continue
    try {
      const jwk = JSON.parse(secrets.open(purpose, privateJwkEncrypted)) as JWK
      signers.push({ kid, retiredAt, key: (await importJWK(jwk, 'ES256')) as CryptoKey })
    } catch {}
  }
  return signers
}

/** Nodes that start together wait for one another, and all but the first find the key made. */
async function createFirstKey(deps: KeyDeps): Promise<void> {
  const made = await generateKey(deps)
  await withKeyLock(deps, async (tx) => {
    const signers = await decryptSigners(deps, await tx.select().from(signingKeys))
    if (signers.length === 0) await tx.insert(signingKeys).values(made)
  })
}

/** One change of the keys at a time, among all nodes. */
export const withKeyLock = <T>({ database }: Pick<KeyDeps, 'database'>, work: (tx: Tx) => Promise<T>): Promise<T> =>
  database.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${keyLock})`)
    return work(tx)
  })

export async function generateKey({ secrets, clock }: Pick<KeyDeps, 'secrets' | 'clock'>) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  return {
    kid: crypto.randomUUID(),
    publicJwk: { ...(await exportJWK(publicKey)) },
    privateJwkEncrypted: secrets.seal(purpose, JSON.stringify(await exportJWK(privateKey))),
    createdAt: clock(),
  }
}
