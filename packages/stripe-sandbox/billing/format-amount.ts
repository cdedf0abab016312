/** Formats an amount in the currency's smallest unit: $10.00, ¥1,000. */
export function formatAmount(amount: number, currency = 'usd'): string {
  const format = new Intl.NumberFormat('en-US', { currency: currency.toUpperCase(), style: 'currency' })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
