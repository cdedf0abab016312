import type { Db, Tx } from '#server/db/database.ts'
import { readPublicationSetting, writePublicationSetting } from '#server/db/publication-setting.ts'
import type { Deps } from '#server/deps.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { type ReferralSettings, referralSettingsSchema } from '#shared/contracts/billing/referrals.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { AppError } from '#shared/errors.ts'

export type ReferralDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'stripe' | 'enqueue' | 'secrets'>

const name = 'referrals'
const defaults: ReferralSettings = { enabled: false, maxPerYear: 12 }

export async function readReferralSettings(db: Db | Tx): Promise<{ settings: ReferralSettings; version: number }> {
  const { version, value } = await readPublicationSetting(db, name)
  return { version, settings: referralSettingsSchema.safeParse(value).data ?? defaults }
}

/** @throws AppError edit_conflict */
export async function saveReferralSettings(
  deps: Pick<Deps, 'database' | 'clock'>,
  { settings, basedOn }: { settings: ReferralSettings; basedOn: number },
  who: Actor,
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const { settings: before, version } = await readReferralSettings(tx)
    if (basedOn !== version) throw new AppError('edit_conflict')
    const write = { value: settings, updatedAt: now, ...updatedBy(who) }
    if (!(await writePublicationSetting(tx, name, version, write))) throw new AppError('edit_conflict')
    const changes = changesBetween(before, settings)
    if (changes.length > 0) await recordAdminEvent(tx, who, { event: 'referral_settings_changed', changes, now })
  })
}
