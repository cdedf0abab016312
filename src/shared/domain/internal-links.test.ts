import { expect, test } from 'vitest'
import { internalLinksIn, isInternalLink, type LinkTargets, problemOfLink } from './internal-links.ts'

const targets: LinkTargets = {
  sections: new Map([
    ['closing', new Set(['count', 'compare'])],
    ['reviews', new Set(['sort'])],
  ]),
  prompts: new Set(['operations-handover', 'operations-stock']),
  guides: new Set(['policy']),
  tools: new Set(['chat']),
  terms: new Set(['ad-fund']),
  rules: new Set(['payroll']),
}

test.each([
  '#count',
  '/portal/weekly-drops/reviews#sort',
  '/portal/weekly-drops/reviews',
  '/portal/weekly-drops',
  '/portal/prompt-packs#operations-stock',
  '/portal/guides#policy',
  '/portal/tools#chat',
  '/portal/tools',
  '/portal/glossary#ad-fund',
  '/portal',
  '/portal/safety',
  '/portal/safety#payroll',
  '/portal/start-here',
  '/portal/method',
  '/portal/editor',
  '/portal/corrections',
])('%s leads somewhere', (address) => {
  expect(isInternalLink(address)).toBe(true)
  expect(problemOfLink(address, 'closing', targets)).toBeNull()
})

test.each([
  ['#sort', 'There is no section “sort”'],
  ['/portal/weekly-drops/reviews#count', 'This drop has sort'],
  ['/portal/weekly-drops/gone', 'There is no drop “gone”'],
  ['/portal/prompt-packs#operations-gone', 'Did you mean operations-handover, operations-stock?'],
  ['/portal/guides#gone', 'There is no guide “gone”'],
  ['/portal/glossary#gone', 'There is no term “gone”'],
  ['/portal/safety#gone', 'There is no rule “gone”'],
  ['#Count', 'isn’t a link for readers'],
  ['http://example.org', 'Begin it with https://'],
  ['/portal/nowhere', 'The portal has no page /portal/nowhere'],
])('%s leads nowhere: %s', (address, message) => {
  expect(problemOfLink(address, 'closing', targets)).toContain(message)
})

test('a link without a page needs an issue', () => {
  expect(problemOfLink('#count', null, targets)).toContain('has no page')
})

test('links are found with their lines, also in quotations, but not in code or to other sites', () => {
  const text =
    'See [a](#a) and [b](https://example.org).\n\n> [c](/portal/guides#c), [e](f)\n\n`[d](#d)`\n\n[g](guides), [h]({{name}})'
  expect(internalLinksIn(text)).toEqual([
    { line: 1, address: '#a' },
    { line: 3, address: '/portal/guides#c' },
    { line: 7, address: 'guides' },
  ])
})
