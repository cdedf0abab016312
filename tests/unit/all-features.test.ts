import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allFeatures } from '#server/all-features.ts'
import areas from '../../scripts/features.json' with { type: 'json' }

const folders = globSync('src/server/features/*/*/').map((folder) => folder.replace('src/server/features/', ''))
const order = Object.entries(areas).flatMap(([area, names]) => names.map((name) => `${area}/${name}`))

test('every folder of server features has a declaration in the list, in the order of imports', () => {
  expect(folders.length).toBeGreaterThan(30)
  expect(Object.keys(allFeatures)).toEqual(order.filter((name) => folders.includes(name)))
})

test('every declaration is the one in its folder', async () => {
  for (const [name, feature] of Object.entries(allFeatures)) {
    const module = await import(new URL(`../../src/server/features/${name}/feature.ts`, import.meta.url).href)
    expect(Object.values(module), name).toContain(feature)
  }
})

test('docs/architecture.md says what each feature does', () => {
  const page = readFileSync('docs/architecture.md', 'utf8')
  const described = page.split('\n').flatMap((line) => {
    const [, names = '', text = ''] = line.split('|')
    return text ? (names.match(/(?<=`)[\w-]+(?=`)/g) ?? []) : []
  })
  expect(described).toEqual(expect.arrayContaining(Object.values(areas).flat()))
})
