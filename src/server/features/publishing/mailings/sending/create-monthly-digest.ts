import { and, eq, sql } from 'drizzle-orm'
import { isOnHold } from '#server/db/restore-hold.ts'
import { emailPreferences, mailings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { everyone } from '#shared/contracts/publishing/newsletter.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'
import { AppError } from '#shared/errors.ts'
import { digestContent, monthBefore } from './digest-content.ts'
import { derivedMailingId } from './mailing-row.ts'

/** Hour of the day in the publication's time zone. */
const digestHour = 9

/**
 * On the first of a month, creates the digest of the previous month for readers who chose it: a draft, or sent
 * automatically if the settings say so. The id is derived from the month, so several nodes create it once.
 */
export async function createMonthlyDigest({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<string | null> {
  const { db } = database
  const now = clock()
  const { timeZone, digest } = await readSendingSettings(db)
  const local = localTimeOf(now.toISOString(), timeZone)
  if (local.slice(8, 10) !== '01' || Number(local.slice(11, 13)) < digestHour) return null
  const id = derivedMailingId(`digest of ${monthBefore(now, timeZone).from}`)
  const [known] = await db.select({ id: mailings.id }).from(mailings).where(eq(mailings.id, id))
  if (known || (await isOnHold(db)) || !(await hasDigestReaders(db))) return null
  try {
    const content = await digestContent(db, now)
    const isSent = digest === 'send'
    const words = {
      subject: `${content.title}: your month in review`,
      preheader: 'What’s new for your business, most relevant first.',
    }
    const [made] = await db
      .insert(mailings)
      .values({
        id,
        kind: 'digest',
        ...words,
        status: isSent ? 'scheduled' : 'draft',
        ...(isSent && { scheduledAt: now, content: { ...content, ...words, kind: 'digest' }, frozenAt: now }),
        audience: everyone,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: mailings.id })
    return made?.id ?? null
  } catch (error) {
    // A month without issues has no digest.
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

async function hasDigestReaders(db: Deps['database']['db']): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(emailPreferences)
    .where(and(eq(emailPreferences.drops, 'monthly')))
    .limit(1)
  return rows.length > 0
}
