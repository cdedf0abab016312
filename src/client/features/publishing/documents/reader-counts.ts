import { formatCount, formatNumber } from '#shared/domain/format-count.ts'

/** "1 reader", "2,310 readers". */
export const readers = (count: number): string => formatCount(count, 'reader')

/** Those of the readers who get the free edition: ", 12 of them the free edition". */
export const freePart = (count: number): string =>
  count > 0 ? `, ${formatNumber(count)} of them the free edition` : ''
