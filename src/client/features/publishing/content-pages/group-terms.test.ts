import { expect, test } from 'vitest'
import { groupTerms } from './group-terms.ts'

const term = (name: string) => ({ id: name.toLowerCase(), term: name, definitionHtml: '', seeAlso: [] })

test('terms are grouped by first letter and keep their order', () => {
  const groups = groupTerms(['Ad fund', 'AI agent', 'pos', 'Prompt', 'Royalty'].map(term))
  expect(groups.map(({ letter, terms }) => [letter, terms.map(({ id }) => id)])).toEqual([
    ['A', ['ad fund', 'ai agent']],
    ['P', ['pos', 'prompt']],
    ['R', ['royalty']],
  ])
})
