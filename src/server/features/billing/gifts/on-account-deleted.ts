import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { gift, users } from '#server/db/schema/index.ts'

/** Forgets who bought and who received. A gift that waits still arrives, without the giver's name. */
export async function forgetGifts(tx: Tx, userId: string): Promise<void> {
  const [user] = await tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailConfirmedAt)))
  if (user?.email) {
    await tx.update(gift).set({ giverName: '', giverEmail: '' }).where(eq(gift.giverEmail, user.email))
  }
  await tx
    .update(gift)
    .set({ claimedBy: null, recipientName: '', recipientEmail: '', message: '' })
    .where(eq(gift.claimedBy, userId))
}
