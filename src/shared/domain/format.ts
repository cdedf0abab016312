const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/**
 * Formats "2025-03-03" or an instant as "Mar 3, 2025", in UTC. Doesn't use `Intl`, because creating the first `Intl` object
 * is slow on phones and would delay the landing page.
 */
export function formatDay(day: string | Date): string {
  const date = new Date(day)
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`
}

/** Formats "Sales", "Sales and Staff" or "Sales, Staff, and Stock", without `Intl` for the same reason. */
export function formatList(words: readonly string[]): string {
  const last = words.at(-1)
  if (last === undefined) return ''
  const before = words.slice(0, -1)
  if (before.length === 0) return last
  return `${before.join(', ')}${before.length > 1 ? ',' : ''} and ${last}`
}

/** Currencies that Stripe counts in whole units, and those with three decimals. All others have two. */
const wholeUnits = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const threeDecimals = new Set('bhd jod kwd omr tnd'.split(' '))

/** Decimals of amounts in this currency: 2 for dollars, 0 for yen. */
export function decimalsOf(currency: string): number {
  const code = currency.toLowerCase()
  if (wholeUnits.has(code)) return 0
  return threeDecimals.has(code) ? 3 : 2
}

/** "$10.00", "€10.00" or "¥1,000", from the smallest units that Stripe counts in. */
export const formatMoney = (smallestUnits: number, currency: string): string =>
  format(smallestUnits, currency, { style: 'currency', currency })

/** The same without decimals for whole amounts: "$10", "$7.50". */
export const formatWholeMoney = (smallestUnits: number, currency: string): string =>
  format(smallestUnits, currency, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' })

const format = (smallestUnits: number, currency: string, options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat('en-US', options).format(smallestUnits / 10 ** decimalsOf(currency))

/** "12.34" as smallest units of the currency; null for anything else, such as decimals that the currency doesn’t have. */
export function parseAmount(text: string, currency: string): number | null {
  const [, whole = '', fraction = ''] = /^[^\d\s.,-]?\s*(\d{1,8})(?:[.,](\d+))?$/.exec(text.trim()) ?? []
  const decimals = decimalsOf(currency)
  if (!whole || fraction.length > decimals) return null
  return Number(whole) * 10 ** decimals + Number(fraction.padEnd(decimals, '0'))
}

/** The amount as it is typed: "12.34", or "1234" for yen. */
export const amountAsInput = (smallestUnits: number, currency: string): string => {
  const decimals = decimalsOf(currency)
  return (smallestUnits / 10 ** decimals).toFixed(decimals)
}

/** "20 min", "1 hr 30 min", "6 hr". */
export function formatDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return [hours > 0 && `${hours} hr`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')
}
