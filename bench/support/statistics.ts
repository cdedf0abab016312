export const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b)

/** The value that `share` of all values are below; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const order = sorted(values)
  return order[Math.min(order.length - 1, Math.floor(order.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)
export const round = (value: number, digits = 0) => Number(value.toFixed(digits))
