import { isNull, lt } from 'drizzle-orm'
import { signingKeys } from '#server/db/schema/index.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import { decryptSigners, generateKey, type KeyDeps, keyRing, reloadMs, withKeyLock } from './signing-keys.ts'

/**
 * A new key is published this long before it signs. Clients keep the published keys for ten minutes and nodes their ring
 * for one; whoever fetched just before the rotation has fetched again by then, with time to spare for clocks that differ.
 */
const publishAheadMs = 10 * 60_000 + reloadMs + 4 * 60_000
/** No access token lives longer, whatever ACCESS_TOKEN_SECONDS was when it was signed. */
const longestTokenMs = 24 * 60 * 60_000

/**
 * Makes a key that takes over from the present one. The present one signs until then, verifies until the last token that
 * it signed has expired, and is removed by the nightly sweep. `atOnce` is for a key that was stolen: every older key is
 * gone now, and with them all access tokens; sessions go on, each with its next refresh.
 * @returns null, and nothing is changed, when the present keys were sealed with another secret than the one at hand
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
    const note = atOnce ? 'Older keys were withdrawn at once' : `The new key signs from ${signsFrom.toISOString()}`
    await recordSecurityEvent(tx, { event: 'signing_keys_rotated', userId: null, email: '', by, note, now })
    return true
  })
  if (!rotated) return null
  await keyRing(deps).reload()
  return { kid: made.kid, signsFrom }
}

/** Removes keys whose last token has expired. */
export async function deleteExpiredKeys({ database, clock }: Pick<KeyDeps, 'database' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - longestTokenMs)
  await database.db.delete(signingKeys).where(lt(signingKeys.retiredAt, before))
}
