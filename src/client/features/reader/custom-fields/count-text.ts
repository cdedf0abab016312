import { maxCountedValues } from '#shared/contracts/reader/custom-fields.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'

/** "1 member", "1,204 members", "10,000+ members" */
export const membersText = (count: number) =>
  count > maxCountedValues ? `${formatNumber(maxCountedValues)}+ members` : formatCount(count, 'member')
