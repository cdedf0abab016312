import { expect, test } from 'vitest'
import { formatDomainLimits, parseDomainLimits } from './domain-limits-text.ts'

test('Limits by domain can be formatted and parsed again', () => {
  const limits = { 'gmail.com': 2000, '*': 500 }
  expect(parseDomainLimits(formatDomainLimits(limits))).toEqual({ limits, unclear: null })
})

test('Domains are lowercased, numbers may have separators, and blank lines are ignored', () => {
  expect(parseDomainLimits('Gmail.com: 2,000\n\n * = 5 \n')).toEqual({
    limits: { 'gmail.com': 2000, '*': 5 },
    unclear: null,
  })
})

test.each(['gmail.com', 'gmail.com 2k', 'yahoo.com 0', '20 gmail.com', 'nonsense', 'gmail 20', '*.com 20'])(
  'The line “%s” is reported instead of ignored',
  (line) => {
    expect(parseDomainLimits(`a.test 1\n${line}\nb.test x`)).toMatchObject({ unclear: line })
  },
)
