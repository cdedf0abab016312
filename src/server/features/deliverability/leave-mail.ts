import { and, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { accountEmails, deliveries, mailEvents, suppressions, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { removeRestoredSuppressions, retainSuppressions } from '#server/mail/retained-suppressions.ts'

/** The account's address, if its mailbox has confirmed it: only then may the account see what is kept about the address. */
export const confirmedAddressOf = (tx: Tx, userId: string) =>
  tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailConfirmedAt)))

/** Reports about mail that went to this account, or to the address that it has confirmed. */
export const reportsAbout = (tx: Tx, userId: string): SQL | undefined =>
  or(
    inArray(mailEvents.email, confirmedAddressOf(tx, userId)),
    inArray(
      mailEvents.deliveryId,
      tx.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.userId, userId)),
    ),
  )

/**
 * Addresses whose records go with the account: the confirmed one, and former ones that mail of the account went to,
 * unless another account has them now.
 */
async function addressesToErase(tx: Tx, userId: string, present: string | null): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ email: deliveries.email })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.userId, userId),
        sql`not exists (select from auth.users u where u.email = ${deliveries.email})`,
      ),
    )
  return [...new Set([present, ...rows.map(({ email }) => email)])].filter((email) => email !== null)
}

/**
 * Removes what names a deleted account from the records of its email, in the transaction of the deletion: addresses,
 * names, server responses and suppressions. How many emails went out and what became of them stays as a number.
 *
 * Suppressions by the operator and after a spam complaint stay as a hash. An address that was never confirmed is not
 * the account's: what is kept about it stays as it is.
 */
export const createLeaveMail =
  (deps: Pick<Deps, 'secrets'>) =>
  async (tx: Tx, userId: string): Promise<void> => {
    const [user] = await tx
      .select({ email: users.email, confirmedAt: users.emailConfirmedAt })
      .from(users)
      .where(eq(users.id, userId))
    const confirmed = user?.confirmedAt ? user.email : null
    if (user?.email && !confirmed) await removeRestoredSuppressions(tx, deps, user.email)
    const emails = await addressesToErase(tx, userId, confirmed)
    for (const email of emails) await retainSuppressions(tx, deps, email)
    await tx.delete(suppressions).where(inArray(suppressions.email, emails))
    // Also of an address that was never confirmed: what it was sent was about this account or an invitation.
    const written = user?.email ? [...emails, user.email] : emails
    await tx.delete(accountEmails).where(inArray(accountEmails.email, written))
    await tx
      .update(mailEvents)
      .set({ email: null, detail: null })
      .where(or(inArray(mailEvents.email, emails), reportsAbout(tx, userId)))
    await tx
      .update(deliveries)
      .set({ email: null, name: null, domain: '', response: null })
      .where(eq(deliveries.userId, userId))
  }
