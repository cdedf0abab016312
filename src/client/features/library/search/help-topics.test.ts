import { expect, test } from 'vitest'
import { findHelpTopics } from './help-topics.ts'

test.each([
  ['how do I cancel', 'Cancel your plan'],
  ['cancel my subscription', 'Cancel your plan'],
  ['change my email', 'Change your email address'],
  ['change plan', 'Switch plan'],
  ['update credit card', 'Payment method'],
  ['where is my invoice', 'Invoices'],
  ['2fa', 'Two-step verification'],
  ['forgot password', 'Change your password'],
  ['unsubscribe', 'Emails you receive'],
  ['invite my staff', 'Your team'],
  ['delete account', 'Delete your account'],
  ['passw', 'Change your password'],
])('%j leads to “%s”', (query, title) => {
  expect(findHelpTopics(query)[0]?.title).toBe(title)
})

test.each(['', 'how do I', 'follow-up email', 'angry customer', 'food cost', 'seasonal job ad'])(
  '%j is not about the account',
  (query) => {
    expect(findHelpTopics(query)).toEqual([])
  },
)
