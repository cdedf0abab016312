import { and, eq, gt, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { knownAddresses } from '#server/db/schema/index.ts'
import type { ClientInfo } from '../sessions/client-info.ts'

const lifetimeMs = 90 * 24 * 60 * 60_000

type Visit = { userId: string; client: Pick<ClientInfo, 'ip'>; now: Date }

/**
 * Remembers an address from which the user has signed in. From there, the right password is accepted even while failed
 * attempts have locked the account. Unlike session rows, these outlive signing out.
 */
export const rememberSignInAddress = (tx: Tx, visit: Visit) => remember(tx, 'sign_in', visit)

/**
 * Remembers an address from which the user has verified a second factor. Someone who only knows the password never gets
 * that far, so the owner has a separate count of attempts and text messages there.
 */
export const rememberMfaAddress = (tx: Tx, visit: Visit) => remember(tx, 'mfa', visit)

export async function isKnownMfaAddress(tx: Tx, { userId, client, now }: Visit): Promise<boolean> {
  if (!client.ip) return false
  const [known] = await tx
    .select({ ip: knownAddresses.ip })
    .from(knownAddresses)
    .where(
      and(
        eq(knownAddresses.userId, userId),
        eq(knownAddresses.kind, 'mfa'),
        eq(knownAddresses.ip, client.ip),
        gt(knownAddresses.expiresAt, now),
      ),
    )
  return known !== undefined
}

/** The caller has locked the user's row; a deletion locks in the same order. */
async function remember(tx: Tx, kind: 'sign_in' | 'mfa', { userId, client, now }: Visit): Promise<void> {
  if (!client.ip) return
  await tx
    .insert(knownAddresses)
    .values({ userId, kind, ip: client.ip, expiresAt: new Date(now.getTime() + lifetimeMs) })
    .onConflictDoUpdate({
      target: [knownAddresses.userId, knownAddresses.kind, knownAddresses.ip],
      set: { expiresAt: sql`excluded.expires_at` },
    })
}
