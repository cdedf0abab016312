import type { Db, Tx } from '#server/db/database.ts'
import { readPublicationSetting, writePublicationSetting } from '#server/db/publication-setting.ts'
import type { Deps } from '#server/deps.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { type GiftSettings, giftSettingsSchema } from '#shared/contracts/billing/gifts.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { giftPriceCents } from '#shared/domain/gifts.ts'
import { plansOnSale } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'

const name = 'gifts'
/** None are sold until the owner chooses a plan. */
const defaults: GiftSettings = { plan: null, forPayers: 'credit', unclaimed: 'refund' }

export async function readGiftSettings(db: Db | Tx): Promise<{ settings: GiftSettings; version: number }> {
  const { version, value } = await readPublicationSetting(db, name)
  return { version, settings: giftSettingsSchema.safeParse(value).data ?? defaults }
}

/** @throws AppError validation_failed for a plan that isn't on sale; edit_conflict */
export async function saveGiftSettings(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  { settings, basedOn }: { settings: GiftSettings; basedOn: number },
  who: Actor,
): Promise<void> {
  if (
    settings.plan !== null &&
    !plansOnSale(deps.config.settings.publication).some(({ key }) => key === settings.plan)
  ) {
    throw new AppError('validation_failed', { message: 'Choose a plan that is on sale.' })
  }
  await deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const { settings: before, version } = await readGiftSettings(tx)
    if (basedOn !== version) throw new AppError('edit_conflict')
    const isWritten = await writePublicationSetting(tx, name, version, {
      value: settings,
      updatedAt: now,
      ...updatedBy(who),
    })
    if (!isWritten) throw new AppError('edit_conflict')
    const changes = changesBetween(before, settings)
    if (changes.length > 0) await recordAdminEvent(tx, who, { event: 'gift_settings_changed', changes, now })
  })
}

/** The gift that is for sale now; null without a plan, or once it is retired. */
export async function readGiftTerms({ config, database }: Pick<Deps, 'config' | 'database'>) {
  const { plan: key } = (await readGiftSettings(database.db)).settings
  const plan = plansOnSale(config.settings.publication).find((one) => one.key === key)
  return plan ? { plan: plan.key, amountCents: giftPriceCents(plan), currency: plan.currency } : null
}
