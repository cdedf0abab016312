import { expect, test } from 'vitest'
import {
  type Chunk,
  landingChunks,
  landingScriptBudgetBytes,
  overBudget,
  pageOverBudget,
  pageScriptBudgetBytes,
} from '../../../scripts/build/budget.ts'

const chunk = (fileName: string, part: Partial<Chunk> = {}): Chunk => ({
  fileName,
  code: '',
  imports: [],
  moduleIds: [],
  isEntry: false,
  ...part,
})

test('the landing page loads the entry and its own chunk with their imports, cycles included', () => {
  const chunks = [
    chunk('entry.js', { isEntry: true, imports: ['a.js'] }),
    chunk('a.js', { imports: ['entry.js', 'b.js'] }),
    chunk('b.js'),
    chunk('landing.js', { imports: ['a.js'], moduleIds: ['/x/src/client/app/routes/landing.tsx'] }),
    chunk('lazy.js', { imports: ['a.js'] }),
  ]
  expect(landingChunks(chunks).map((found) => found.fileName)).toEqual(['entry.js', 'a.js', 'b.js', 'landing.js'])
})

test('a module of the portal is rejected by name, whatever its size', () => {
  const entry = chunk('entry.js', {
    moduleIds: ['/x/src/client/features/library/issues/issue-list.tsx', '/x/node_modules/zod/v4/core.js'],
  })
  const complaints = overBudget([entry], 1)
  expect(complaints).toHaveLength(2)
  expect(complaints[0]).toContain('src/client/features/library/issues/issue-list.tsx')
})

test('one byte over the budget is rejected', () => {
  expect(overBudget([chunk('entry.js')], landingScriptBudgetBytes)).toEqual([])
  expect(overBudget([chunk('entry.js')], landingScriptBudgetBytes + 1)).toHaveLength(1)
})

test('a page with one script or one byte too many is rejected', () => {
  expect(pageOverBudget('guides', 4, pageScriptBudgetBytes)).toEqual([])
  expect(pageOverBudget('guides', 5, pageScriptBudgetBytes + 1)).toHaveLength(2)
})
