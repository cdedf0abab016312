import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import {
  defaultTimeZone,
  sendingSettingsName as name,
  readPublicationSetting,
  writePublicationSetting,
} from '#server/db/publication-setting.ts'
import { newsletter, publicationSettings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { updatedBy } from '#server/features/identity/auth/security/editor.ts'
import {
  receivingDomainSchema,
  type SendingSettings,
  sendingLimitsSchema,
  sendingSettingsSchema,
  type VersionedSendingSettings,
} from '#shared/contracts/publishing/sending-settings.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { AppError, conflictOf } from '#shared/errors.ts'

/** The settings before any are saved: no sending limits, no tracking, the publication's hour for all. */
const defaults: SendingSettings = {
  timeZone: defaultTimeZone,
  limits: { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null },
  tracking: false,
  readerHours: false,
  replyTo: '',
  postalAddress: '',
}

/** Settings saved before domains were validated may have limits for invalid names. They never applied; ignore them. */
const storedSchema = sendingSettingsSchema.extend({
  readerHours: z.boolean().default(false),
  limits: sendingLimitsSchema.extend({
    perDomainHour: z.preprocess(
      (limits: object) => Object.fromEntries(Object.entries(limits).filter(([key]) => isReceivingDomain(key))),
      sendingLimitsSchema.shape.perDomainHour,
    ),
  }),
})

const isReceivingDomain = (text: string): boolean => receivingDomainSchema.safeParse(text).success

export async function readVersionedSendingSettings(db: Db | Tx): Promise<VersionedSendingSettings> {
  const { version, value } = await readPublicationSetting(db, name)
  return { ...parseSendingSettings(value), version }
}

export async function readSendingSettings(db: Db | Tx): Promise<SendingSettings> {
  return parseSendingSettings((await readPublicationSetting(db, name)).value)
}

/** The stored settings as a column of another query, which saves a round trip. */
export const sendingSettingsColumn = sql<unknown>`(select ${publicationSettings.value} from ${publicationSettings}
  where ${publicationSettings.name} = ${name})`

/** `stored` is null until the publisher has saved settings. */
export const parseSendingSettings = (stored: unknown): SendingSettings =>
  stored === null ? defaults : storedSchema.parse(stored)

/**
 * Saves the settings unless someone else has saved them since `basedOn`.
 * @throws AppError validation_failed for an unknown time zone; edit_conflict with the newer settings as `current`
 */
export async function saveSendingSettings(
  deps: Pick<Deps, 'database' | 'clock'>,
  { save, basedOn }: { save: SendingSettings; basedOn: number | undefined },
  who: Actor,
): Promise<VersionedSendingSettings> {
  if (!isTimeZone(save.timeZone)) {
    throw new AppError('validation_failed', {
      message: `“${save.timeZone}” isn’t a known time zone. Choose one from the list.`,
    })
  }
  return deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const stored = await readVersionedSendingSettings(tx)
    if (basedOn !== undefined && basedOn !== stored.version) throw conflictOf(stored)
    const { version, ...before } = stored
    const value = { ...before, ...save }
    const changes = changesBetween(before, value)
    const isWritten = await writePublicationSetting(tx, name, version, { value, updatedAt: now, ...updatedBy(who) })
    if (!isWritten) throw conflictOf(await readVersionedSendingSettings(tx))
    if (changes.length > 0) await recordAdminEvent(tx, who, { event: 'newsletter_settings_changed', changes, now })
    return { ...value, version: version + 1 }
  })
}

/** Sender of list email. */
export type ListSender = {
  name: string
  address: string
  /** Where replies go; null for `address`. */
  replyTo: string | null
  /** In the footer, line by line; null for none. */
  postalAddress: string | null
  /** The newsletter that the email belongs to, if the publisher added it. */
  newsletter?: { id: number; name: string } | null
}

/** The sender of the publication, or of one of its newsletters. */
export async function readListSender(
  {
    config,
    database,
    newsletterMailer,
  }: {
    config: Pick<Deps['config'], 'samplePostalAddress'>
    database: { db: Db | Tx }
    newsletterMailer: Pick<Deps['newsletterMailer'], 'from'>
  },
  newsletterId: number | null = null,
): Promise<ListSender> {
  const { replyTo, postalAddress } = await readSendingSettings(database.db)
  const [own] =
    newsletterId === null ? [] : await database.db.select().from(newsletter).where(eq(newsletter.id, newsletterId))
  const { name, address } = newsletterMailer.from
  return {
    name: own?.senderName || name,
    address: own?.senderAddress || address,
    // Replies to a sender address of its own go there.
    replyTo: own?.replyTo || (own?.senderAddress ? null : replyTo || null),
    postalAddress: postalAddress || config.samplePostalAddress,
    newsletter: own ? { id: own.id, name: own.name } : null,
  }
}

/** @throws AppError postal_address_missing where list email isn't sent without one */
export function requirePostalAddress(
  { samplePostalAddress }: Pick<Deps['config'], 'samplePostalAddress'>,
  { postalAddress }: SendingSettings,
): void {
  if (!(postalAddress || samplePostalAddress)) throw new AppError('postal_address_missing')
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
