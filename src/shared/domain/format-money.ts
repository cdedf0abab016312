/** Currencies that Stripe counts in whole units, and those with three decimals. All others have two. */
const wholeUnits = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const threeDecimals = new Set('bhd jod kwd omr tnd'.split(' '))

function decimalsOf(currency: string): number {
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
