import { expect, test } from 'vitest'
import { paceText, parsePaceText } from './pace-text.ts'

test('Limits by domain survive being written out and read again', () => {
  const limits = { 'gmail.com': 2000, '*': 500 }
  expect(parsePaceText(paceText(limits))).toEqual(limits)
})

test('Domains are read in lower case, and lines that say nothing are left out', () => {
  expect(parsePaceText('Gmail.com: 20\n\nnonsense\nyahoo.com 0\n * = 5 ')).toEqual({ 'gmail.com': 20, '*': 5 })
})
