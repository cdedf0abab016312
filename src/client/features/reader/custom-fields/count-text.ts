import { maxCountedValues } from '#shared/contracts/reader/custom-fields.ts'

const figures = new Intl.NumberFormat('en-US')

/** "1 member", "1,204 members", "10,000+ members" */
export const membersText = (count: number) =>
  count > maxCountedValues
    ? `${figures.format(maxCountedValues)}+ members`
    : count === 1
      ? '1 member'
      : `${figures.format(count)} members`

/** Sections and prompts: "1 text", "12 texts". */
export const textsText = (count: number) => (count === 1 ? '1 text' : `${figures.format(count)} texts`)
