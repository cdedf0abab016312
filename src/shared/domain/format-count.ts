const whole = new Intl.NumberFormat('en-US')

/** "2,310" */
export const formatNumber = (value: number): string => whole.format(value)

/** "1 file", "2,310 files". `many` for words with another plural than with an s. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`

/** "all 3 members", but "1 member". */
export const formatAll = (count: number, one: string, many?: string): string =>
  `${count === 1 ? '' : 'all '}${formatCount(count, one, many)}`

const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** "two", but "12" */
export const spellCount = (count: number): string => words[count] ?? formatNumber(count)
