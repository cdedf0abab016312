import { expect, test } from 'vitest'
import { cutQuotes } from './cut-quotes.ts'

test.each([
  [
    'Gmail',
    'Thanks!\n\nOn Mon, Nov 2, 2026 at 9:00 AM Front Counter <news@x.test>\nwrote:\n\n> Count the till.\n> Twice.',
  ],
  ['Apple Mail', 'Thanks!\n\n> On Nov 2, 2026, at 9:00 AM, Front Counter <news@x.test> wrote:\n> \n> Count the till.'],
  [
    'Outlook',
    'Thanks!\n\n________________________________\nFrom: Front Counter <news@x.test>\nSent: Monday\n\nCount the till.',
  ],
  [
    'Outlook without a line',
    'Thanks!\n\nFrom: Front Counter <news@x.test>\nSent: Monday\nTo: Mia\nSubject: Hi\n\nCount the till.',
  ],
  ['an older Outlook', 'Thanks!\n-----Original Message-----\nCount the till.'],
  ['a German program', 'Thanks!\n\nAm 2. Nov. 2026 um 09:00 schrieb Front Counter <news@x.test>:\n\n> Count the till.'],
  ['a program without ">"', 'Thanks!\n\nOn Nov 2, 2026, Front Counter wrote:\n\nCount the till.'],
  ['a signature', 'Thanks!\n-- \nMia Low, Erie'],
])('What %s quotes isn’t part of a reply', (_, text) => {
  expect(cutQuotes(text)).toBe('Thanks!')
})

test('Lines between and below a quote stay', () => {
  const text = 'On 11/2/2026, A wrote:\n> First?\nYes.\n\n> Second?\n\nNo.\n'
  expect(cutQuotes(text)).toBe('Yes.\n\nNo.')
})

test('Sentences that only look like the beginning of a quote stay', () => {
  const text = 'On Monday we counted twice.\nFrom: now on, daily.\nShe wrote:\nWell done -- really.\n---\nBye'
  expect(cutQuotes(text)).toBe(text)
})

test('A text of quotes alone is empty, and a long one takes no long time', () => {
  expect(cutQuotes('> a\n> b')).toBe('')
  const started = performance.now()
  cutQuotes('on aaaa wrote:\n'.repeat(30_000))
  cutQuotes(`on ${'wrote '.repeat(80_000)}`)
  cutQuotes('am schrieb \n'.repeat(30_000))
  expect(performance.now() - started).toBeLessThan(5_000)
})

test('half a megabyte of words that introduce quotes doesn’t hold up the server', { timeout: 20_000 }, () => {
  const words = 'schrieb '.repeat(36)
  for (const line of [`am 1 ${words}${' '.repeat(500_000)}x`, `am 1 ${words}${'x'.repeat(205)}:\n`.repeat(1_000)])
    expect(cutQuotes(line)).toBe(line.trim())
})
