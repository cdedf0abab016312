import { randomBytes } from 'node:crypto'
import type { Tx } from '#server/db/database.ts'
import { oneTimeTokens } from '#server/db/schema/index.ts'
import { findSignUpTokens } from './one-time-token.ts'

/** Longer than any email is good for. */
const agoMs = 2 * 60 * 60_000

/**
 * Keeps the claim of whoever had an unconfirmed account before its first sign-up that is known here: it signed up too long
 * ago, or in another way. No email leads to the row; it says that the sign-up to come is not the only one.
 */
export async function recordEarlierSignUp(
  tx: Tx,
  { userId, email, passwordHash, now }: { userId: string; email: string; passwordHash: string | null; now: Date },
): Promise<void> {
  if ((await findSignUpTokens(tx, userId)).length > 0) return
  const earlier = new Date(now.getTime() - agoMs)
  await tx.insert(oneTimeTokens).values({
    id: crypto.randomUUID(),
    userId,
    tokenType: 'confirmation_token',
    // Of no token at all.
    tokenHash: randomBytes(32).toString('hex'),
    relatesTo: email,
    encryptedPassword: passwordHash ?? '',
    createdAt: earlier,
    updatedAt: earlier,
  })
}
