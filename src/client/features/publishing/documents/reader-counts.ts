import { formatCount } from '#shared/domain/format-count.ts'

const whole = new Intl.NumberFormat('en-US')

/** "2,310" */
export const figure = (value: number): string => whole.format(value)

/** "1 reader", "2,310 readers". */
export const readers = (count: number): string => formatCount(count, 'reader')

/** Those of the readers who get the free edition: ", 12 of them the free edition". */
export const freePart = (count: number): string => (count > 0 ? `, ${figure(count)} of them the free edition` : '')
