import { asc, isNotNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { readPublicationSetting, writePublicationSetting } from '#server/db/publication-setting.ts'
import { guides, promptCategories } from '#server/db/schema/index.ts'
import type { GiftDeps } from '#server/features/billing/gifts/gift-links.ts'
import { readTaxSettings } from '#server/features/billing/subscriptions/tax-settings.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { updatedBy } from '#server/features/identity/auth/security/editor.ts'
import type { adminItemPriceCall, soldItemsCall } from '#shared/contracts/billing/items.ts'
import { formatWholeMoney } from '#shared/domain/format.ts'
import { problemOfAmount } from '#shared/domain/plan-problem.ts'
import { mainCurrency } from '#shared/domain/plans.ts'
import { taxText } from '#shared/domain/price-texts.ts'
import { type SoldRef, soldKinds } from '#shared/domain/sold-items.ts'
import { AppError } from '#shared/errors.ts'

const settingName = 'item-prices'

const pricesSchema = z.array(
  z.object({ kind: z.enum(soldKinds), id: z.string(), priceCents: z.number().int(), currency: z.string() }),
)

async function readPrices(db: Db | Tx) {
  const { version, value } = await readPublicationSetting(db, settingName)
  return { version, prices: pricesSchema.safeParse(value).data ?? [] }
}

const isItem = (ref: SoldRef) => (other: SoldRef) => other.kind === ref.kind && other.id === ref.id

/** Published packs and guides by what visitors may see of them. */
async function listItems(db: Db | Tx) {
  const promptTitles = sql<string[]>`array(select p.title from prompts p
    where p.category_id = prompt_categories.id order by p.position)`
  const { id, title, summary } = promptCategories
  const packs = await db
    .select({ id, title, summary, contents: promptTitles })
    .from(promptCategories)
    .where(isNotNull(promptCategories.publishedAt))
    .orderBy(asc(promptCategories.position))
  const files = await db
    .select({ id: guides.id, title: guides.title, summary: guides.description, contents: guides.inside })
    .from(guides)
    .where(isNotNull(guides.publishedAt))
    .orderBy(asc(guides.position))
  return [
    ...packs.map((pack) => ({ kind: 'prompt-pack' as const, ...pack })),
    ...files.map((guide) => ({ kind: 'guide' as const, ...guide })),
  ]
}

export type SoldItem = z.output<typeof soldItemsCall.output>['items'][number]

export async function listSoldItems(db: Db | Tx): Promise<SoldItem[]> {
  const { prices } = await readPrices(db)
  if (prices.length === 0) return []
  const tax = (await readTaxSettings(db)).settings
  return (await listItems(db)).flatMap((item) => {
    const price = prices.find(isItem(item))
    return price ? [{ ...item, ...price, taxText: taxText(tax) }] : []
  })
}

/** Reads or saves the price of an item. @throws AppError validation_failed, not_found, edit_conflict */
export async function itemPrice(
  { database: { db }, config, clock }: Pick<GiftDeps, 'database' | 'config' | 'clock'>,
  who: Actor,
  { save, ...ref }: z.output<typeof adminItemPriceCall.input>,
): Promise<z.input<typeof adminItemPriceCall.output>> {
  const usual = mainCurrency(config.settings.publication)
  if (save) await db.transaction((tx) => store(tx))
  const { version, prices } = await readPrices(db)
  const { priceCents = null, currency = usual } = prices.find(isItem(ref)) ?? {}
  return { priceCents, currency, version }

  async function store(tx: Tx): Promise<void> {
    const { priceCents = null, version = 0 } = save ?? {}
    const { prices } = await readPrices(tx)
    const before = prices.find(isItem(ref))
    const currency = before?.currency ?? usual
    const problem = priceCents === null ? null : problemOfAmount({ priceCents: 1, currency }, priceCents)
    if (problem) throw new AppError('validation_failed', { message: problem })
    const item = (await listItems(tx)).find(isItem(ref))
    if (!item && priceCents !== null) {
      throw new AppError('not_found', { message: 'Publish it first, so that buyers can open it.' })
    }
    if ((before?.priceCents ?? null) === priceCents) return
    const others = prices.filter((other) => other !== before)
    const value = priceCents === null ? others : [...others, { ...ref, priceCents, currency }]
    const now = clock()
    const write = { value, updatedAt: now, ...updatedBy(who) }
    if (!(await writePublicationSetting(tx, settingName, version, write))) throw new AppError('edit_conflict')
    const money = (cents: number | null | undefined) => (cents ? formatWholeMoney(cents, currency) : null)
    await recordAdminEvent(tx, who, {
      event: 'item_price_changed',
      object: { kind: ref.kind, id: ref.id, name: item?.title ?? ref.id },
      changes: [{ field: 'price', before: money(before?.priceCents), after: money(priceCents) }],
      now,
    })
  }
}
