import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { publicationSettings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { type SendingSettings, sendingSettingsSchema } from '#shared/contracts/admin-newsletter.ts'
import { paceSchema, receivingDomainSchema } from '#shared/contracts/newsletter.ts'
import { AppError } from '#shared/errors.ts'

const name = 'sending'

/** As it is before the publisher has chosen anything: no throttle, nothing counted. */
const unchanged: SendingSettings = {
  time_zone: 'America/New_York',
  pace: { perSecond: null, perHour: null, perDomainHour: {}, warmUp: null },
  tracking: false,
}

/**
 * What was kept before domains were looked at: a limit for what is no domain never held for any mail, and is left out
 * rather than standing in the way of every sending.
 */
const keptSchema = sendingSettingsSchema.extend({
  pace: paceSchema.extend({
    perDomainHour: z.preprocess(
      (limits: object) => Object.fromEntries(Object.entries(limits).filter(([key]) => isReceivingDomain(key))),
      paceSchema.shape.perDomainHour,
    ),
  }),
})

const isReceivingDomain = (text: string): boolean => receivingDomainSchema.safeParse(text).success

export async function readSendingSettings(db: Db | Tx): Promise<SendingSettings> {
  const [row] = await db
    .select({ value: publicationSettings.value })
    .from(publicationSettings)
    .where(eq(publicationSettings.name, name))
  return row ? keptSchema.parse(row.value) : unchanged
}

/** @throws AppError validation_failed for a time zone that nobody knows */
export async function saveSendingSettings(
  deps: Pick<Deps, 'database' | 'clock'>,
  settings: SendingSettings,
  by: string,
): Promise<SendingSettings> {
  if (!isTimeZone(settings.time_zone)) {
    throw new AppError('validation_failed', { message: `“${settings.time_zone}” is not a time zone that we know` })
  }
  const row = { name, value: settings, updatedAt: deps.clock(), updatedBy: by }
  await deps.database.db
    .insert(publicationSettings)
    .values(row)
    .onConflictDoUpdate({ target: publicationSettings.name, set: row })
  return settings
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
