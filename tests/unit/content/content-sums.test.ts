import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { findWrongSums } from '#shared/domain/find-wrong-sums.ts'
import { demoEntries, demoTasks } from '../../../content/guides/source/scorecard-demo.ts'
import { guidesDirectory, playbooks } from '../../../scripts/build/playbook-source.ts'

/* The sums that the content states, and the figures they begin with. */

type Sum = { file: string; text: string; at: number; written: string }

const contentDirectory = join(guidesDirectory, '..')
const read = (...path: string[]) => readFileSync(join(contentDirectory, ...path), 'utf8')

/** Worked examples of prompts have one mistake in the answer, which `mistake` explains. */
const withMistake = new Set(['answer', 'mistake'])

function stringsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return withMistake.has(key) ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => stringsIn(inner, name))
}

/** The text of a page, one line for each paragraph, list item or cell. */
const textOfPage = (html: string) =>
  html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<\/(?:p|li|td|th|h\d)>/g, '\n\n')
    .replaceAll(/<[^>]+>/g, '')

const texts = [
  ...readdirSync(contentDirectory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => stringsIn(parse(read(file))).map((text) => ({ file, text }))),
  ...playbooks.map((name) => ({ file: `${name}.html`, text: textOfPage(read('guides', 'source', `${name}.html`)) })),
]

/** Results of equations, such as "$24" in "80 ÷ 60 × $18 = $24", and where they are. */
const sums: Sum[] = texts.flatMap(({ file, text }) =>
  [...text.matchAll(/(?<=[\d)%][^=\n]*[×÷+−][^=\n]*\d[^=\n]*= (?:about )?[$−]*)\d[\d,]*(?:\.\d+)?/g)].map((match) => ({
    file,
    text,
    at: match.index,
    written: match[0],
  })),
)

/** The number with one more unit in its last digit: 80 becomes 81, 3.60 becomes 3.61. */
function raised(written: string): string {
  const decimals = written.split('.')[1]?.length ?? 0
  return (Number(written.replaceAll(',', '')) + 10 ** -decimals).toFixed(decimals)
}

test('every sum in content/ is right', () => {
  const wrong = texts.flatMap(({ file, text }) => findWrongSums(text).map((sum) => ({ file, ...sum })))
  expect(wrong).toEqual([])
})

test('a sum that is wrong by one in its last digit is found, whichever it is', () => {
  expect(sums.length).toBeGreaterThan(150)
  const unseen = sums.filter(({ text, at, written }) => {
    const changed = text.slice(0, at) + raised(written) + text.slice(at + written.length)
    return findWrongSums(changed).length === 0
  })
  expect(unseen.map(({ file, text, at }) => `${file}: ${text.slice(Math.max(0, at - 60), at + 20)}`)).toEqual([])
})

/* A sum can be right and leave out a line. These compare what sums begin with to what the same piece says elsewhere. */

type Drop = { worth: string; intro: string; sections: { partOfLead?: boolean; minutes: number }[] }
const dropOf = (slug: string): Drop => parse(read('drops', `${slug}.yaml`))
const leadMinutes = ({ sections }: Drop) =>
  sections.reduce((total, { partOfLead, minutes }) => total + (partOfLead ? minutes : 0), 0)

/** The first number in a text that the pattern's first group matches. */
function numberIn(text: string, pattern: RegExp): number {
  const written = pattern.exec(text)?.[1]
  if (written === undefined) throw new Error(`Nothing matches ${pattern}`)
  return Number(written.replaceAll(',', ''))
}

test('the delivery audit pays for all minutes of its steps', () => {
  const drop = dropOf('delivery-commission-audit')
  expect(numberIn(drop.worth, /takes (\d+) minutes a week/)).toBe(leadMinutes(drop))
  expect(numberIn(drop.worth, /4 weeks × (\d+) minutes/)).toBe(leadMinutes(drop))
})

test('the saving on reviews pays for the second reader', () => {
  const { worth } = dropOf('a-week-of-reviews')
  const amber = numberIn(worth, /(\d+) amber/)
  const minutes = numberIn(worth, /second person reads each amber reply for (\d+) minutes/)
  expect(worth).toContain(`+ ${amber} × ${minutes} minutes =`)
  expect(numberIn(worth, /(\d+) replies ×/)).toBe(numberIn(worth, /(\d+) green/) + amber)
})

test.each([
  ['ask-your-franchisor', 'about two hours', 120],
  ['royalty-and-ad-fund-check', '2 hours × $30', 120],
  ['field-audit-prep', 'about two and a half hours', 150],
  ['local-ad-reimbursement', 'about 70 minutes', 70],
  ['year-end-pl-review', 'about an hour and a half', 90],
])('%s takes %s, as its steps do', (slug, words, minutes) => {
  const drop = dropOf(slug)
  expect(`${drop.worth} ${drop.intro}`).toContain(words)
  expect(Math.abs(leadMinutes(drop) - minutes)).toBeLessThanOrEqual(5)
})

test('the steps of Start here add up, and its pilot takes the time of the playbook', () => {
  type Step = { minutes: number; body: string }
  const steps: Record<'win' | 'policy' | 'pilot', Step> = parse(read('start-here.yaml'))
  const minutesOf = ({ body }: Step) =>
    [...body.matchAll(/, (\d+) minutes?\.\*\*/g)].reduce((total, [, minutes]) => total + Number(minutes), 0)
  for (const step of ['win', 'policy', 'pilot'] as const) expect(minutesOf(steps[step]), step).toBe(steps[step].minutes)

  const playbook = read('guides', 'source', 'opening-week-playbook.html')
  const before = numberIn(playbook, /Before Monday · (\d+) minutes/)
  const days = [...playbook.matchAll(/Day \d · (\d+) minutes/g)].map(([, minutes]) => Number(minutes))
  expect(days).toHaveLength(5)
  const week = days.reduce((total, minutes) => total + minutes, 0)
  expect(steps.pilot.body).toContain(`${before} minutes`)
  expect(steps.pilot.body).toContain(`${week} minutes`)
  expect(steps.pilot.minutes).toBe(before + week)

  // "Just over six and a half hours" in guides.yaml, and "just under six hours" for the five days in the playbook.
  expect(before + week - 390).toBeGreaterThan(0)
  expect(before + week - 390).toBeLessThanOrEqual(10)
  expect(read('guides.yaml')).toContain('Just over six and a half hours for the person who leads it')
  expect(360 - week).toBeGreaterThan(0)
  expect(360 - week).toBeLessThanOrEqual(15)
  expect(playbook).toContain(`${before} minutes before it and just under six hours over five days`)
})

test('the demo month logs about as many uses as its inventory implies', () => {
  for (const task of demoTasks) {
    const implied = task.timesAWeek * 4 * task.baseline.filter((minutes) => minutes > 0).length
    const logged = demoEntries.filter((entry) => entry.task === task).reduce((total, { items }) => total + items, 0)
    expect(logged / implied, task.name).toBeGreaterThan(0.75)
    expect(logged / implied, task.name).toBeLessThan(1.25)
  }
})
