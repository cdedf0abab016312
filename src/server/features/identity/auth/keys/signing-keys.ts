import { asc, sql } from 'drizzle-orm'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Database, Tx } from '#server/db/database.ts'
import { signingKeys } from '#server/db/schema/index.ts'

export type KeyDeps = { database: Database; secrets: SecretBox; clock: () => Date }

export type KeyRing = {
  /** The current signing key. The first call creates one, once across all nodes. */
  signingKey(): Promise<{ kid: string; key: CryptoKey }>
  /** Finds a public key by id, reloading from the database for an unknown one. */
  verificationKey(kid: string): Promise<CryptoKey | null>
  /** Public keys for the JWKS endpoint. */
  publicKeys(): Promise<JWK[]>
  /** Reloads the keys after a change to the table. */
  reload(): Promise<void>
  /** Calls the listener when the set of keys has changed, so that cached verifications are dropped. */
  onChange(listener: () => void): void
}

/** Id of the advisory lock; unique within this database. */
const keyLock = 7_340_313
const purpose = 'signing-key'
/** Keys are reloaded this often, to notice changes on other nodes. */
export const reloadMs = 60_000
/** Minimum time between reloads that tokens with an unknown key cause. */
const minReloadMs = 10_000

type SigningKey = { kid: string; key: CryptoKey }

type LoadedKeys = {
  loadedAt: number
  /** Current signer first. */
  signers: readonly (SigningKey & { retiredAt: Date | null })[]
  verifying: ReadonlyMap<string, CryptoKey>
  published: JWK[]
}

const rings = new WeakMap<Database, KeyRing>()

/** One key ring per database, shared by all callers. */
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
  // Keys that were loaded in the future, before the clock was set back, are old too.
  const age = (keys: LoadedKeys) => Math.abs(deps.clock().getTime() - keys.loadedAt)
  const fresh = async () => (current && age(current) < reloadMs ? current : load())

  return {
    async signingKey() {
      const signer = signerOf(await fresh()) ?? signerOf(await load())
      if (!signer) throw new Error('Could not create a signing key')
      return { kid: signer.kid, key: signer.key }
    },
    async verificationKey(kid) {
      const keys = await fresh()
      const found = keys.verifying.get(kid)
      if (found || age(keys) < minReloadMs) return found ?? null
      return (await load()).verifying.get(kid) ?? null
    },
    async reload() {
      // A load in progress may have read the keys before the change.
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

/** In signing order: keys with a retirement date first. */
const readKeys = ({ database }: Pick<KeyDeps, 'database'>): Promise<KeyRow[]> =>
  database.db
    .select()
    .from(signingKeys)
    .orderBy(asc(signingKeys.retiredAt), asc(signingKeys.createdAt), asc(signingKeys.kid))

const isRetired = ({ retiredAt }: Pick<KeyRow, 'retiredAt'>, now: Date) => retiredAt !== null && retiredAt <= now

/** Decrypts the private keys. Keys encrypted with an unknown secret are skipped: they only verify. */
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

/** Creates the first key, once across nodes that start at the same time. */
async function createFirstKey(deps: KeyDeps): Promise<void> {
  const made = await generateKey(deps)
  await withKeyLock(deps, async (tx) => {
    const signers = await decryptSigners(deps, await tx.select().from(signingKeys))
    if (signers.length === 0) await tx.insert(signingKeys).values(made)
  })
}

/** Serializes key changes across all nodes. */
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
