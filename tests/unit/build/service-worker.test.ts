import { expect, test } from 'vitest'
import { type LinkedChunk, offlineChunks } from '../../../scripts/build/service-worker.ts'

const chunk = (fileName: string, moduleId: string, links: Partial<LinkedChunk> = {}): LinkedChunk => ({
  fileName,
  code: '',
  imports: [],
  dynamicImports: [],
  moduleIds: [`/x/src/client/${moduleId}`],
  isEntry: false,
  ...links,
})

test('the service worker keeps the entry and the pages of members with what they load on demand, and no admin page', () => {
  const files = offlineChunks([
    chunk('entry.js', 'app/entry-client.tsx', {
      isEntry: true,
      imports: ['vendor.js'],
      dynamicImports: ['drop.js', 'admin.js', 'auth.js', 'toaster.js'],
    }),
    chunk('vendor.js', '../../node_modules/react/index.js'),
    chunk('toaster.js', 'app/toaster.tsx'),
    chunk('drop.js', 'app/routes/portal/weekly-drop.tsx', { imports: ['shared.js'], dynamicImports: ['dialog.js'] }),
    chunk('shared.js', 'features/library/issues/issue-article.tsx'),
    chunk('dialog.js', 'features/library/issues/dialog.tsx', { imports: ['entry.js'] }),
    chunk('admin.js', 'app/routes/admin/members.tsx', { imports: ['shared.js'] }),
    chunk('auth.js', 'app/routes/auth.tsx'),
  ])
  expect(files.sort()).toEqual(['dialog.js', 'drop.js', 'entry.js', 'shared.js', 'toaster.js', 'vendor.js'])
})
