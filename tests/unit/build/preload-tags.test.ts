import { expect, test } from 'vitest'
import { preloadTags } from '../../../scripts/build/preload-tags.ts'

const chunk = (fileName: string, imports: string[] = [], moduleIds: string[] = [], isEntry = false) => ({
  fileName,
  code: '',
  imports,
  moduleIds,
  isEntry,
})

test('preloads the chunks of modules with their imports, without those of the entry', () => {
  const chunks = [
    chunk('entry.js', ['core.js'], [], true),
    chunk('core.js'),
    chunk('backend.js', ['core.js', 'zod.js'], ['/x/src/client/lib/backend.ts']),
    chunk('zod.js'),
    chunk('admin.js', ['zod.js'], ['/x/src/client/app/routes/admin.tsx']),
  ]
  const tags = preloadTags(chunks, [/lib\/backend\.ts$/])
  expect(tags).toContain('href="/backend.js"')
  expect(tags).toContain('href="/zod.js"')
  expect(tags).not.toMatch(/core\.js|entry\.js|admin\.js/)
})
