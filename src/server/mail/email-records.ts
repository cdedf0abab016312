import { and, eq, inArray, isNotNull, or, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { deliveries, emailEvents, users } from '#server/db/schema/index.ts'

/** The account's email address, if confirmed. An unconfirmed address may belong to another person. */
export const confirmedAddressOf = (tx: Tx, userId: string) =>
  tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailConfirmedAt)))

/** Email events of deliveries to this account, or to its confirmed address. */
export const reportsAbout = (tx: Tx, userId: string): SQL | undefined =>
  or(
    inArray(emailEvents.email, confirmedAddressOf(tx, userId)),
    inArray(
      emailEvents.deliveryId,
      tx.select({ id: deliveries.id }).from(deliveries).where(eq(deliveries.userId, userId)),
    ),
  )
