import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rolesPage } from '../../scripts/roles-table.ts'

test('docs/roles.md has the roles of every admin call (node scripts/roles-table.ts writes them)', async () => {
  expect(readFileSync('docs/roles.md', 'utf8')).toBe(await rolesPage())
})
