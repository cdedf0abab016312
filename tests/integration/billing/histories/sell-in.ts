import type Stripe from 'stripe'
import type { SettingsStore } from '#server/config/settings.ts'
import type { PlanTerms } from '#shared/domain/plans.ts'
import { priceTexts } from '#shared/domain/price-texts.ts'
import { type PlanKey, planKeys } from '#tests/support/default-plans.ts'

/** Dollars as in a new database, one currency with or without cents, one for each plan, or other periods than a month and a year. */
export const priceLists = ['dollars', 'euros', 'yen', 'mixed', 'periods', 'longer periods'] as const
export type PriceList = (typeof priceLists)[number]

/** Whether tax is added to prices or part of them. */
export const taxBehaviors = ['exclusive', 'inclusive'] as const
export type TaxBehavior = (typeof taxBehaviors)[number]

const currencies: Record<PriceList, Record<PlanKey, string>> = {
  dollars: { pro_monthly: 'usd', pro_yearly: 'usd', team_monthly: 'usd' },
  euros: { pro_monthly: 'eur', pro_yearly: 'eur', team_monthly: 'eur' },
  yen: { pro_monthly: 'jpy', pro_yearly: 'jpy', team_monthly: 'jpy' },
  periods: { pro_monthly: 'usd', pro_yearly: 'usd', team_monthly: 'usd' },
  'longer periods': { pro_monthly: 'eur', pro_yearly: 'eur', team_monthly: 'eur' },
  mixed: { pro_monthly: 'usd', pro_yearly: 'eur', team_monthly: 'jpy' },
}

type Periods = Record<PlanKey, Pick<PlanTerms, 'interval' | 'intervalCount'>>
const periods: Partial<Record<PriceList, Periods>> = {
  periods: {
    pro_monthly: { interval: 'week', intervalCount: 2 },
    pro_yearly: { interval: 'month', intervalCount: 6 },
    team_monthly: { interval: 'month', intervalCount: 3 },
  },
  'longer periods': {
    pro_monthly: { interval: 'month', intervalCount: 3 },
    pro_yearly: { interval: 'year', intervalCount: 2 },
    team_monthly: { interval: 'week', intervalCount: 1 },
  },
}

type Terms = { priceList: PriceList; amounts: readonly number[]; tax: TaxBehavior; choosesAmount: boolean }

type Ids = Record<PlanKey, { productId: string; priceId: string }>

/** Sells the plans in these currencies, for random amounts. */
export async function sellIn(
  api: Stripe,
  settings: SettingsStore,
  ids: Ids,
  { priceList, amounts, tax, choosesAmount }: Terms,
): Promise<Ids> {
  sellSeats(settings, choosesAmount)
  if (priceList === 'dollars') {
    for (const key of planKeys) await api.prices.update(ids[key].priceId, { tax_behavior: tax })
    return ids
  }
  const terms = planKeys.map((key, index) => {
    const plan = settings.publication.plans.find((one) => one.key === key)
    if (!plan) throw new Error(`no plan ${key}`)
    const every = periods[priceList]?.[key] ?? { interval: plan.interval }
    const price = { priceCents: amounts[index] ?? 999, currency: currencies[priceList][key], ...every }
    return { ...plan, ...price, ...priceTexts(price) }
  })
  const made = await Promise.all(
    terms.map(async ({ key, currency, priceCents, interval, intervalCount = 1 }) => {
      const { productId } = ids[key as PlanKey]
      const { id } = await api.prices.create({
        product: productId,
        currency,
        unit_amount: priceCents,
        recurring: { interval, interval_count: intervalCount },
        tax_behavior: tax,
      })
      return [key, { productId, priceId: id }] as const
    }),
  )
  settings.replace({ planIds: new Map(made), publication: { ...settings.publication, plans: terms } })
  const [portal] = (await api.billingPortal.configurations.list({ is_default: true, limit: 1 })).data
  if (portal) {
    const products = made.map(([, { productId: product, priceId }]) => ({ product, prices: [priceId] }))
    await api.billingPortal.configurations.update(portal.id, {
      features: { subscription_update: { enabled: true, products } },
    })
  }
  return Object.fromEntries(made) as Ids
}

/** The team plan is sold by the seat, and the yearly one for an amount that its buyers can choose. */
function sellSeats(settings: SettingsStore, choosesAmount: boolean): void {
  const { publication } = settings
  const plans = publication.plans.map((plan) => {
    if (plan.key === 'team_monthly') return { ...plan, perSeat: true, seats: 2 }
    return plan.key === 'pro_yearly' && choosesAmount ? { ...plan, floorCents: 100 } : plan
  })
  settings.replace({ publication: { ...publication, plans } })
}
