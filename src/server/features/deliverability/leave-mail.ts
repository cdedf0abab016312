import { eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { deliveries, mailEvents, suppressions } from '#server/db/schema/index.ts'

/**
 * Addresses that are this account's: the present one, and former ones that mail of theirs went to, unless somebody else
 * has them now.
 */
export const addressesOf = (userId: string): SQL => sql`(
  select u.email from auth.users u where u.id = ${userId} and u.email is not null
  union
  select d.email from deliveries d where d.user_id = ${userId} and d.email is not null
    and not exists (select from auth.users other where other.email = d.email and other.id <> ${userId})
)`

/** Reports about mail that went to this account, or to an address of its. */
export const reportsAbout = (tx: Tx, userId: string): SQL | undefined =>
  or(
    inArray(mailEvents.email, addressesOf(userId)),
    inArray(
      mailEvents.deliveryId,
      tx.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.userId, userId)),
    ),
  )

/**
 * With an account, in the transaction that deletes it, goes everything by which its letters would still name somebody:
 * addresses, names, what servers said, and the suppressions. With nobody left to write to there is nothing to suppress;
 * whoever signs up with the address again asks for mail anew, and if it still bounces it is suppressed anew. That a
 * letter went out, and what became of it, stays as a number.
 */
export async function leaveMail(tx: Tx, userId: string): Promise<void> {
  await tx.delete(suppressions).where(inArray(suppressions.email, addressesOf(userId)))
  await tx.update(mailEvents).set({ email: null, detail: null }).where(reportsAbout(tx, userId))
  await tx
    .update(deliveries)
    .set({ email: null, name: null, domain: '', response: null })
    .where(eq(deliveries.userId, userId))
}
