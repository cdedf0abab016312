import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { readPublicationSetting, readTimeZone, writePublicationSetting } from '#server/db/publication-setting.ts'
import { gift } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { withStripeErrors } from '#server/features/billing/subscriptions/stripe/stripe-errors.ts'
import { readTaxSettings } from '#server/features/billing/subscriptions/tax-settings.ts'
import { requireEmail } from '#server/features/identity/auth/email-flows/email-address.ts'
import { requireAcceptableEmail } from '#server/features/identity/auth/limits/bot-protection.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { normalizeMailbox } from '#server/mail/normalize-mailbox.ts'
import { type buyGiftCall, type GiftSettings, giftSettingsSchema } from '#shared/contracts/billing/gifts.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { giftMonths, giftPriceCents, maxDaysAhead } from '#shared/domain/gifts.ts'
import { plansOnSale } from '#shared/domain/plans.ts'
import { taxText } from '#shared/domain/price-texts.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'
import { AppError } from '#shared/errors.ts'
import { type GiftDeps, type GiftRow, hashToken, newGiverToken } from './gift-links.ts'

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
async function readGiftTerms({ config, database }: Pick<Deps, 'config' | 'database'>) {
  const { plan: key } = (await readGiftSettings(database.db)).settings
  const plan = plansOnSale(config.settings.publication).find((one) => one.key === key)
  return plan ? { plan: plan.key, amountCents: giftPriceCents(plan), currency: plan.currency } : null
}

/** When gifts arrive on their day. */
const hour = '08:00'

export function deliveryDays(now: Date, timeZone: string): { today: string; lastDay: string } {
  const today = localTimeOf(now.toISOString(), timeZone).slice(0, 10)
  const lastDay = new Date(Date.parse(`${today}T00:00:00Z`) + maxDaysAhead * dayMs).toISOString().slice(0, 10)
  return { today, lastDay }
}

/**
 * The instant of delivery on a day in the publication's time zone; today means now.
 * @throws AppError validation_failed for a day that has passed or is more than a year ahead
 */
export function deliveryAt(day: string, now: Date, timeZone: string): Date {
  const { today, lastDay } = deliveryDays(now, timeZone)
  if (day < today)
    throw new AppError('validation_failed', { message: 'That day has passed. Choose today or a later day.' })
  if (day > lastDay) throw new AppError('validation_failed', { message: 'Choose a day within the next year.' })
  return day === today ? now : new Date(instantOf(`${day}T${hour}`, timeZone))
}

/** Price and delivery days of gifts; null while none are sold. */
export async function readGiftOffer(deps: GiftDeps) {
  const terms = await readGiftTerms(deps)
  if (!terms) return null
  const timeZone = await readTimeZone(deps.database.db)
  const { amountCents, currency } = terms
  const tax = taxText((await readTaxSettings(deps.database.db)).settings)
  return { tax, amountCents, currency, months: giftMonths, timeZone, ...deliveryDays(deps.clock(), timeZone) }
}

/**
 * Stores the gift as unpaid and opens a checkout for it. The payer is a guest at Stripe, so members and visitors are alike.
 * A repeated request finds the same gift and, by the idempotency key, the same checkout.
 * @throws AppError gifts_unavailable (also for a changed price), gift_to_yourself, validation_failed, conflict,
 * stripe_unavailable
 */
export async function buyGift(deps: GiftDeps, given: z.output<typeof buyGiftCall.input>): Promise<{ url: string }> {
  const giverEmail = requireEmail(given.giverEmail)
  const recipientEmail = requireRecipient(deps, { giverEmail, recipientEmail: given.recipientEmail })
  const terms = await readGiftTerms(deps)
  if (!terms) throw new AppError('gifts_unavailable')
  if (terms.amountCents !== given.amountCents) {
    throw new AppError('gifts_unavailable', { message: 'The price has changed. Reload the page to see it.' })
  }
  const now = deps.clock()
  const deliverAt = deliveryAt(given.deliverOn, now, await readTimeZone(deps.database.db))
  const { requestId: id, giverName, recipientName, message, deliverOn } = given
  const giverToken = newGiverToken(deps.secrets, id)
  const { plan, amountCents, currency } = terms
  const row = {
    ...{ id, state: 'unpaid', giverName, giverEmail, recipientName, recipientEmail, message, deliverOn, deliverAt },
    ...{ plan, amountCents, currency, months: giftMonths, giverTokenHash: hashToken(giverToken), createdAt: now },
  }
  const [created] = await deps.database.db.insert(gift).values(row).onConflictDoNothing().returning()
  const stored = created ?? (await findRepeated(deps, row))
  return withStripeErrors(deps, 'buy-gift', async () => ({
    url: await openCheckout(deps, stored, giverToken),
  }))
}

/** @throws AppError gift_to_yourself, validation_failed, email_address_invalid, email_address_not_authorized */
export function requireRecipient(
  { config }: Pick<GiftDeps, 'config'>,
  given: Pick<GiftRow, 'giverEmail' | 'recipientEmail'>,
): string {
  const recipientEmail = requireEmail(given.recipientEmail)
  requireAcceptableEmail(config, recipientEmail)
  if (normalizeMailbox(recipientEmail) === normalizeMailbox(given.giverEmail)) throw new AppError('gift_to_yourself')
  return recipientEmail
}

/** The gift of an earlier request with this id. Another gift with it is refused. */
async function findRepeated(deps: GiftDeps, wanted: typeof gift.$inferInsert) {
  const [row] = await deps.database.db.select().from(gift).where(eq(gift.id, wanted.id))
  const isSame =
    row?.state === 'unpaid' &&
    row.recipientEmail === wanted.recipientEmail &&
    row.giverEmail === wanted.giverEmail &&
    row.deliverOn === wanted.deliverOn &&
    row.message === wanted.message
  if (!isSame) throw new AppError('conflict')
  return row
}

async function openCheckout(deps: GiftDeps, row: GiftRow, giverToken: string): Promise<string> {
  const { publicUrl } = deps.config
  const { settings: tax } = await readTaxSettings(deps.database.db)
  const session = await createSession(
    deps,
    {
      mode: 'payment',
      customer_email: row.giverEmail,
      line_items: [
        {
          price_data: {
            currency: row.currency,
            product_data: { name: `${deps.config.settings.publication.name}: one year as a gift` },
            unit_amount: row.amountCents,
            ...(tax.enabled && { tax_behavior: tax.included ? ('inclusive' as const) : ('exclusive' as const) }),
          },
          quantity: 1,
        },
      ],
      // Without a customer, Stripe's page asks for the address that the tax needs.
      ...(tax.enabled && { automatic_tax: { enabled: true } }),
      ...(tax.taxIds && { tax_id_collection: { enabled: true } }),
      metadata: { gift_id: row.id },
      payment_intent_data: { metadata: { gift_id: row.id }, description: 'Gift' },
      success_url: `${publicUrl}/gift/status#gift=${giverToken}`,
      cancel_url: `${publicUrl}/gift`,
    },
    row.id,
  )
  if (!session.url) throw new AppError('gift_not_changeable', { message: 'This gift has been paid for already.' })
  await deps.database.db.update(gift).set({ stripeSessionId: session.id }).where(eq(gift.id, row.id))
  return session.url
}

async function createSession(deps: GiftDeps, params: Stripe.Checkout.SessionCreateParams, id: string) {
  try {
    return await deps.stripe.checkout.sessions.create(params, { idempotencyKey: `gift:${id}` })
  } catch (error) {
    // The publication's name, address or tax changed since the first attempt.
    if (error instanceof Stripe.errors.StripeIdempotencyError) throw new AppError('conflict')
    throw error
  }
}
