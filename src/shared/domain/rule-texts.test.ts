import { expect, test } from 'vitest'
import { ruleTopics } from './franchisor-rules.ts'
import { permissionMessage } from './rule-texts.ts'
import { rulingLine } from './ruling-line.ts'

const request = {
  publication: 'Front Counter',
  kind: 'prompt',
  title: 'Reply to a difficult review',
  purpose: 'You get a reply of 30 to 70 words\nand a list of where each statement came from.',
  topics: ['allowed-tools', 'brand-voice'],
  contact: 'Dana Ruiz',
  storeName: 'Harbor Street',
  ownerName: 'Lee',
} as const

test('the message names the contact, the store, the item, what it does, and asks one question per topic', () => {
  const { subject, text } = permissionMessage(request)
  expect(subject).toBe('May we use “Reply to a difficult review” at Harbor Street?')
  expect(text).toContain('Hello Dana Ruiz,\n\n')
  expect(text).toContain('We would like to use a prompt at Harbor Street: “Reply to a difficult review”.')
  expect(text).toContain('What it does: You get a reply of 30 to 70 words and a list')
  expect(text).toContain('\n2. Which AI tool and plan may we use for it?\n3. Which words must')
  expect(text.endsWith('Thank you,\nLee')).toBe(true)
})

test('what the profile doesn’t say is left out', () => {
  const { subject, text } = permissionMessage({ ...request, contact: ' ', storeName: '', ownerName: '', purpose: '' })
  expect(subject).toContain('at our location?')
  expect(text).toMatch(/^Hello,\n\n/)
  expect(text).not.toContain('What it does')
  expect(text.endsWith('Thank you')).toBe(true)
  expect(text).not.toMatch(/undefined|\[|\]/)
})

test('a ruling is one line', () => {
  expect(rulingLine({ rule: 'ask-first', topics: ['allowed-tools', 'customer-data'] })).toBe(
    'Ask your franchisor first: AI tools and customer data',
  )
  for (const rule of ['forbidden', 'ask-first', 'unknown'] as const) {
    expect(rulingLine({ rule, topics: [...ruleTopics] })).not.toContain('\n')
  }
})
