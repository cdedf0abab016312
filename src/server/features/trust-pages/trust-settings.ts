import { eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { publicationSettings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { type Actor, recordAdminEvent } from '#server/features/auth/security/admin-event.ts'
import { updatedBy } from '#server/features/auth/security/editor.ts'
import { renderPage } from '#server/features/content/render-markdown.ts'
import { readListSender } from '#server/features/sending-settings/sending-settings.ts'
import type { TrustPages } from '#shared/contracts/trust-pages.ts'
import { type TrustSettings, trustSettingsSchema } from '#shared/contracts/trust-settings.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { AppError } from '#shared/errors.ts'

const name = 'trust-pages'
const dayMs = 24 * 60 * 60 * 1000

const defaults: TrustSettings = { editorName: '', editorBio: '', contactEmail: '', corrections: [] }

export async function readTrustSettings(db: Db | Tx): Promise<TrustSettings> {
  const [row] = await db
    .select({ value: publicationSettings.value })
    .from(publicationSettings)
    .where(eq(publicationSettings.name, name))
  return row ? trustSettingsSchema.parse(row.value) : defaults
}

/** Sorts corrections, newest first. @throws AppError validation_failed for a correction in the future */
export async function saveTrustSettings(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  save: TrustSettings,
  who: Actor,
): Promise<TrustSettings> {
  const now = clock()
  // In the easternmost time zone it is tomorrow already.
  const latest = new Date(now.getTime() + dayMs).toISOString().slice(0, 10)
  const early = save.corrections.find(({ date }) => date > latest)
  if (early) {
    throw new AppError('validation_failed', {
      message: `The correction of ${formatDay(early.date)} is in the future. Enter the day it was made.`,
    })
  }
  const corrections = save.corrections.toSorted((a, b) => b.date.localeCompare(a.date))
  const value: TrustSettings = { ...save, corrections }
  await database.db.transaction(async (tx) => {
    const changes = changesBetween(asText(await readTrustSettings(tx)), asText(value))
    if (changes.length > 0) await recordAdminEvent(tx, who, { event: 'trust_pages_changed', changes, now })
    const row = { name, value, updatedAt: now, ...updatedBy(who) }
    await tx.insert(publicationSettings).values(row).onConflictDoUpdate({ target: publicationSettings.name, set: row })
  })
  return value
}

/** For the audit log. */
const asText = (settings: TrustSettings) => ({
  ...settings,
  corrections: settings.corrections.map(({ date, where, change }) => `${date} ${where}: ${change}`).join('; '),
})

type SenderDeps = Parameters<typeof readListSender>[0]

/** Where replies to the newsletter go. */
export async function readReplyAddress(deps: SenderDeps): Promise<string> {
  const { replyTo, address } = await readListSender(deps)
  return replyTo ?? address
}

export async function readTrustPages(deps: SenderDeps): Promise<TrustPages> {
  const { editorName, editorBio, contactEmail, corrections } = await readTrustSettings(deps.database.db)
  return {
    editor: editorName ? { name: editorName, bioHtml: renderPage(editorBio) } : null,
    contact: contactEmail || (await readReplyAddress(deps)),
    corrections,
  }
}
