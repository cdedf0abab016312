import type { PlanTerms } from './plan-terms.ts'

/** What can be sold on its own. */
export const soldKinds = ['prompt-pack', 'guide'] as const
export type SoldKind = (typeof soldKinds)[number]
export type SoldRef = { kind: SoldKind; id: string }

/** What revenue counts single items under. No plan has this key. */
export const itemsPlan = 'single_items'

/** The page of an item, for visitors and for its buyers. */
export const soldItemPath = ({ kind, id }: SoldRef): string => `/items/${kind}/${encodeURIComponent(id)}`

type Priced = { title: string; priceCents: number; currency: string; taxText: string }

/** The terms of an item, which is bought as a plan that is paid once and for good. */
export const itemTerms = ({ title, priceCents, currency, taxText }: Priced): PlanTerms & { once: 'forever' } => ({
  ...{ key: itemsPlan, name: title, note: '', features: [], priceCents, currency, interval: 'month', once: 'forever' },
  ...{ priceText: '', comparedText: taxText, seats: 1, trialDays: null, isRetired: false },
})
