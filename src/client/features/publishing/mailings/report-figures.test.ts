import { describe, expect, test } from 'vitest'
import type { MailingProgress } from '#shared/contracts/publishing/mailings.ts'
import { formatPercent, listAddress, type ReportFigure, reportFigures, shareOf, usualShare } from './report-figures.ts'

const figureOf = (name: ReportFigure['name']) => reportFigures.find((figure) => figure.name === name) as ReportFigure
const mailing = (counts: Partial<MailingProgress> & { submitted?: number }, tracked = true) => {
  const { submitted = 0, ...progress } = counts
  return { tracked, progress: { statuses: { submitted }, ...progress } as MailingProgress }
}

describe('a share', () => {
  test('of opens refers to the readers who allow counting', () => {
    expect(shareOf(figureOf('opened'), mailing({ delivered: 80, countable: 8, opened: 2 }))).toBe(0.25)
  })
  test('of bounces counts hard and soft ones, of the emails sent', () => {
    expect(shareOf(figureOf('bounced'), mailing({ submitted: 10, hardBounces: 1, softBounces: 2 }))).toBe(0.3)
  })
  test('is unknown if no one allows counting, or opens weren’t counted', () => {
    expect(shareOf(figureOf('opened'), mailing({ delivered: 9, countable: 0, opened: 0 }))).toBeNull()
    expect(shareOf(figureOf('opened'), mailing({ countable: 8, opened: 0 }, false))).toBeNull()
  })
})

describe('the usual share', () => {
  const opened = (...rates: number[]) => rates.map((rate) => mailing({ countable: 100, opened: rate }))
  test('is the median, so that one odd mailing doesn’t move it', () => {
    expect(usualShare(figureOf('opened'), opened(40, 1, 42))).toBe(0.4)
    expect(usualShare(figureOf('opened'), opened(40, 44))).toBeCloseTo(0.42, 10)
  })
  test('leaves out mailings that didn’t count, and is unknown without others', () => {
    expect(usualShare(figureOf('opened'), [...opened(40), mailing({ countable: 9, opened: 0 }, false)])).toBe(0.4)
    expect(usualShare(figureOf('opened'), [])).toBeNull()
  })
})

test('Percentages below ten have one decimal', () => {
  expect([0, 0.004, 0.0961, 0.41, 1].map(formatPercent)).toEqual(['0%', '0.4%', '9.6%', '41%', '100%'])
})

test('The list behind a link of the email keeps the link’s own parameters', () => {
  const address = listAddress('m1', { link: 'https://example.com/?a=1&b=ü' })
  expect(new URL(address, 'https://x.test').searchParams.get('link')).toBe('https://example.com/?a=1&b=ü')
})
