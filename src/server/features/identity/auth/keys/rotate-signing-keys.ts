import { isNull, lt } from 'drizzle-orm'
import { signingKeys } from '#server/db/schema/index.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import { decryptSigners, generateKey, type KeyDeps, keyRing, reloadMs, withKeyLock } from './signing-keys.ts'

/**
 * A new key is published this long before it signs: 10 minutes that clients cache the keys, 1 minute that nodes cache them,
 * and a margin for clock drift.
 */
const publishAheadMs = 10 * 60_000 + reloadMs + 4 * 60_000
/** Maximum lifetime of an access token. */
const maxTokenLifetimeMs = 24 * 60 * 60_000

/**
 * Creates a key that replaces the current one after a delay. `atOnce` is for a leaked key: it deletes all older keys, which
 * invalidates all access tokens until the next refresh.
 * @returns null, without a change, if the current keys can't be decrypted with this SECRET_KEY
 */
export async function rotateSigningKeys(
  deps: KeyDeps,
  { atOnce, by }: { atOnce: boolean; by: string },
): Promise<{ kid: string; signsFrom: Date } | null> {
  const made = await generateKey(deps)
  const now = deps.clock()
  const signsFrom = new Date(now.getTime() + (atOnce ? 0 : publishAheadMs))
  const rotated = await withKeyLock(deps, async (tx) => {
    const present = await tx.select().from(signingKeys)
    if (!atOnce && present.length > 0 && (await decryptSigners(deps, present)).length === 0) return false
    if (atOnce) await tx.delete(signingKeys)
    else await tx.update(signingKeys).set({ retiredAt: signsFrom }).where(isNull(signingKeys.retiredAt))
    await tx.insert(signingKeys).values(made)
    const note = atOnce ? 'Older keys were revoked immediately' : `The new key signs from ${signsFrom.toISOString()}`
    await recordSecurityEvent(tx, { event: 'signing_keys_rotated', userId: null, email: '', by, note, now })
    return true
  })
  if (!rotated) return null
  await keyRing(deps).reload()
  return { kid: made.kid, signsFrom }
}

/** Deletes keys whose last token has expired. */
export async function deleteExpiredKeys({ database, clock }: Pick<KeyDeps, 'database' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - maxTokenLifetimeMs)
  await database.db.delete(signingKeys).where(lt(signingKeys.retiredAt, before))
}
