import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { emailPreferences, suppressions, userPreferences, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { accessSql } from '#server/features/billing/subscriptions/access/read-access.ts'
import { readSignInLocks } from '#server/features/identity/auth/limits/sign-in-locks.ts'
import { isBanned } from '#server/features/identity/auth/sessions/session-row.ts'
import { newsletterNameSql } from '#server/features/publishing/deliverability/suppression-list.ts'
import { adminUserSupportCall, type UserSupport } from '#shared/contracts/operations/member-support.ts'
import { deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'
import { AppError } from '#shared/errors.ts'

/** @throws AppError not_found; validation_failed for an account without an email address */
export async function findAccount(db: Db | Tx, userId: string, now: Date) {
  const [user] = await db
    .select({
      email: users.email,
      emailConfirmedAt: users.emailConfirmedAt,
      createdAt: users.createdAt,
      bannedUntil: users.bannedUntil,
      data: users.rawUserMetaData,
    })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
  if (!user) throw new AppError('not_found')
  if (!user.email) throw new AppError('validation_failed', { message: 'This account has no email address' })
  return { ...user, email: user.email, isDisabled: isBanned({ banned_until: user.bannedUntil }, now) }
}

const lookBackDays = 60
const maxShown = 5

const rowsSchema = z.array(
  z.object({
    mailing_id: z.uuid(),
    subject: z.string(),
    sent_at: z.coerce.date(),
    cause: z.enum(Object.keys(deliveryCauses) as [keyof typeof deliveryCauses]).nullable(),
  }),
)

/**
 * Issues sent since the user joined that they didn't receive. Excludes users without access, and issues that they turned
 * off or get in a digest. An issue sent by two mailings is listed once.
 */
async function findMissedIssues(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  { userId, joinedAt }: { userId: string; joinedAt: Date | null },
): Promise<UserSupport['missed']> {
  const now = clock()
  const since = new Date(Math.max(now.getTime() - lookBackDays * 86_400_000, joinedAt?.getTime() ?? 0))
  const access = accessSql(config, sql`u`, now)
  const rows = await queryRows(
    database.db,
    sql`select * from (
      select distinct on (m.issue_id) m.id as mailing_id, m.subject, m.started_at as sent_at, d.cause
      from mailings m left join deliveries d on d.mailing_id = m.id and d.user_id = ${userId}::uuid
      where exists (select from auth.users u ${access.joins}
          left join email_preferences preference on preference.user_id = u.id
          where u.id = ${userId}::uuid and ${access.entitled} and coalesce(preference.drops, 'weekly') = 'weekly')
        and m.kind = 'issue' and m.status = 'sent' and m.started_at > ${since.toISOString()}::timestamptz
        and not exists (select from deliveries got where got.user_id = ${userId}::uuid and got.issue_id = m.issue_id
          and got.status in ('pending', 'sending', 'submitted'))
      order by m.issue_id, m.started_at desc
    ) as missed
    where cause is null or cause not in ('unsubscribed', 'monthly')
    order by sent_at desc limit ${maxShown}`,
  )
  return rowsSchema.parse(rows).map(({ mailing_id: mailingId, subject, sent_at: sentAt, cause }) => ({
    mailingId,
    subject,
    sentAt: sentAt.toISOString(),
    cause,
  }))
}

/**
 * Facts that answer "I'm locked out" and "I got no email", for an account's page in the admin.
 * @throws AppError not_found
 */
export async function readUserSupport(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  userId: string,
): Promise<UserSupport> {
  const { db } = deps.database
  const { email, createdAt, data } = await findAccount(db, userId, deps.clock())
  const [locks, [preferences], [emailChoices], activeSuppressions, missed] = await Promise.all([
    readSignInLocks(deps, { userId, email }),
    db.select().from(userPreferences).where(eq(userPreferences.userId, userId)),
    db.select().from(emailPreferences).where(eq(emailPreferences.userId, userId)),
    db
      .select({ ...getTableColumns(suppressions), newsletter: newsletterNameSql })
      .from(suppressions)
      .where(and(eq(suppressions.email, email), isNull(suppressions.liftedAt)))
      .orderBy(suppressions.createdAt),
    findMissedIssues(deps, { userId, joinedAt: createdAt }),
  ])
  return adminUserSupportCall.output.parse({
    name: nameIn(data),
    preferences: preferences ?? null,
    emailPreferences: { drops: emailChoices?.drops ?? 'weekly', news: emailChoices?.news ?? true },
    locks: locks.map(({ what, until }) => ({ what, until: until.toISOString() })),
    suppressions: activeSuppressions.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    missed,
  })
}

/** `full_name`, or `name` as older clients call it. */
function nameIn(data: unknown): string | null {
  const { full_name: fullName, name } = (data ?? {}) as { full_name?: unknown; name?: unknown }
  const found = [fullName, name].find((part) => typeof part === 'string' && part.trim() !== '')
  return typeof found === 'string' ? found.trim() : null
}
