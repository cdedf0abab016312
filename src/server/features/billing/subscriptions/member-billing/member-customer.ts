import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { findCustomerId } from '../customers/stripe-customer-ids.ts'

export type MemberCustomer = { customerId: string; email: string }

/** @throws AppError not_found, no_billing_account */
export async function requireMemberCustomer(deps: BillingDeps, userId: string): Promise<MemberCustomer> {
  const { db } = deps.database
  const [user] = await db
    .select({ email: users.email, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, userId))
  if (!user || user.deletedAt) throw new AppError('not_found')
  const customerId = await findCustomerId(db, userId)
  if (!customerId) throw new AppError('no_billing_account', { message: 'This member has no billing account yet.' })
  return { customerId, email: user.email ?? '' }
}

/** The id of the log entry about a request, so that a repeated request adds no second one. */
export function entryIdFor(action: 'refund' | 'credit' | 'plan', userId: string, requestId: string): string {
  const hex = createHash('sha256').update(`${action} ${userId} ${requestId}`).digest('hex')
  return hex.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-5$3-8$4-$5')
}
