import type { Db, Tx } from '#server/db/database.ts'
import { readPublicationSetting, writePublicationSetting } from '#server/db/publication-setting.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { renderPage } from '#server/features/library/content/render-markdown.ts'
import { readListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { TrustPages } from '#shared/contracts/publishing/trust-pages.ts'
import {
  type TrustSettings,
  trustSettingsSchema,
  type VersionedTrustSettings,
} from '#shared/contracts/publishing/trust-settings.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { formatDay } from '#shared/domain/format.ts'
import { AppError, conflictOf } from '#shared/errors.ts'

/** Name of the setting. */
const trustPagesSetting = 'trust-pages'

const defaults: TrustSettings = { editorName: '', editorBio: '', contactEmail: '', corrections: [] }

export async function readTrustSettings(db: Db | Tx): Promise<VersionedTrustSettings> {
  const { version, value } = await readPublicationSetting(db, trustPagesSetting)
  return { ...(value === null ? defaults : trustSettingsSchema.parse(value)), version }
}

/**
 * Sorts corrections, newest first.
 * @throws AppError validation_failed for a correction in the future; edit_conflict with the newer settings as `current` if
 * someone else has saved them since `basedOn`
 */
export async function saveTrustSettings(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { save, basedOn }: { save: TrustSettings; basedOn: number | undefined },
  who: Actor,
): Promise<VersionedTrustSettings> {
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
  return database.db.transaction(async (tx) => {
    const stored = await readTrustSettings(tx)
    if (basedOn !== undefined && basedOn !== stored.version) throw conflictOf(stored)
    const { version, ...before } = stored
    const isWritten = await writePublicationSetting(tx, trustPagesSetting, version, {
      value,
      updatedAt: now,
      ...updatedBy(who),
    })
    if (!isWritten) throw conflictOf(await readTrustSettings(tx))
    const changes = changesBetween(asText(before), asText(value))
    if (changes.length > 0) await recordAdminEvent(tx, who, { event: 'trust_pages_changed', changes, now })
    return { ...value, version: version + 1 }
  })
}

/** For the staff log. */
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
