import { expect, test } from 'vitest'
import { chunksOfModules } from '../../../scripts/build/early-script.ts'
import { earlyPages, findEarlyPage } from '../../../src/client/early/early-pages.ts'

const chunk = (fileName: string, moduleIds: string[], imports: string[] = []) => ({
  fileName,
  code: '',
  imports,
  moduleIds,
  isEntry: false,
})
const pages = [...new Set(earlyPages.flatMap(({ modules }) => modules))].map((module) =>
  chunk(`assets/${module}.js`, [`/x/src/client/app/routes/${module}`], ['assets/member.js']),
)
const member = chunk('assets/member.js', [])

test('the chunks of a page come without those that every page loads', () => {
  const chunks = chunksOfModules([...pages, member], [member])
  expect(chunks['portal/guides.tsx']).toEqual(['/assets/portal/guides.tsx.js'])
})

test('a page that no longer exists fails the build', () => {
  expect(() => chunksOfModules([member], [member])).toThrow('early-pages')
})

test('each tab asks for its content, with or without a slash at the end', () => {
  expect(findEarlyPage('/portal/', '')?.calls[0]).toEqual(['weekly-drops', {}])
  expect(findEarlyPage('/portal/weekly-drops/a-week', '')?.calls[0]).toEqual(['weekly-drop', { slug: 'a-week' }])
  expect(findEarlyPage('/portal/tools', '')?.calls[0]).toEqual(['tools', {}])
  expect(findEarlyPage('/portal/prompt-packs', '')?.calls[0]).toEqual(['prompt-samples', {}])
  expect(findEarlyPage('/portal/prompt-packs', '#a-prompt')?.calls[0]).toEqual(['prompt-packs', {}])
  expect(findEarlyPage('/portal/elsewhere', '')).toBeNull()
})
