import { expect, test } from 'vitest'
import { preloadTags } from '../../../scripts/build/preload-tags.ts'

const chunk = (fileName: string, imports: string[] = [], moduleIds: string[] = [], isEntry = false) => ({
  fileName,
  code: '',
  imports,
  moduleIds,
  isEntry,
})

test('the shell preloads the auth client and the billing calls with their imports, without those of the entry', () => {
  const tags = preloadTags([
    chunk('entry.js', ['core.js'], [], true),
    chunk('core.js'),
    chunk('backend.js', ['core.js', 'zod.js'], ['/x/src/client/lib/backend.ts']),
    chunk('zod.js'),
    chunk('admin.js', ['zod.js'], ['/x/src/client/app/routes/admin.tsx']),
  ])
  expect(tags).toContain('href="/backend.js"')
  expect(tags).toContain('href="/zod.js"')
  expect(tags).not.toMatch(/core\.js|entry\.js|admin\.js/)
})
