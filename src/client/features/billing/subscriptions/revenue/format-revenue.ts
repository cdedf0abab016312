import { publication } from '#client/lib/publication.ts'
import { formatMoney } from '#shared/domain/format.ts'
import { type PlanKey, planOf } from '#shared/domain/plans.ts'
import { itemsPlan } from '#shared/domain/sold-items.ts'

/** Shown instead of a division by zero. */
const none = '–'

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** "2026-11" as "Nov 2026". */
export const formatMonth = (month: string): string => monthFormat.format(new Date(`${month}-01T00:00:00Z`))

/** A share of one as "4.2%". */
export const formatShare = (share: number | null): string =>
  share === null ? none : new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 }).format(share)

export const moneyIn = (currency: string) => (cents: number) => formatMoney(cents, currency)

export const planName = (plan: PlanKey): string =>
  plan === itemsPlan ? 'Single items' : planOf(publication, plan).name

/** Months from the newest to the oldest ("2026-11"). Only the newest if `oldest` is null. */
export function monthsBetween(oldest: string | null, newest: string): string[] {
  const index = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1
  const last = index(newest)
  const first = oldest === null ? last : Math.min(index(oldest), last)
  return Array.from({ length: last - first + 1 }, (_, back) => {
    const at = last - back
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`
  })
}
